"""A trial finds what the session finds once the recodes are really made; where it cannot, it finds no fewer unsafe."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.formats.argus.recode_scheme import scheme_text
from core.recipe.model import Combination, HouseholdKey, Input, Recipe, Recode, Threshold, VariableEdit
from core.recoding import grouping
from core.recoding.grouping import EMPTY
from core.results.results import Results
from core.results.suppression_problem import unsafe_by_any
from core.results.unsafe_records import judged_unsafe, unsafe_of
from core.session import Session
from core.suppression.costs import entropy
from core.whatif import tried_combination
from core.whatif.advice import advise
from core.whatif.before_after import state_before
from core.whatif.merges import suggest_merges, unsafe_when_merged
from core.whatif.plans.hierarchies import hierarchies
from core.whatif.plans.plan_figures import PlanProblem, recipe_of
from core.whatif.price import price_of
from core.whatif.trial import Trial, TrialStart

KEYS = ("V", "A", "B")
SIZE = "SIZE"
RISK = tuple(
    Combination(("V", "A", "B"), missing_rule=rule, alpha=alpha, estimator=estimator)
    for rule, alpha, estimator in (
        ("observed", 1.0, "exact"),
        ("observed", 1.0, "truncated"),
        ("wildcard", 1.0, "exact"),
        ("wildcard", 0.5, "plug-in"),
        ("listwise", 1.0, "exact"),
        ("category", 1.0, "exact"),
        ("observed", 1.0, "calibrated"),
        ("observed", 1.0, "log-linear"),
    )
)
OTHERS = (
    Combination(("V", "A"), "frequency", count_threshold=3),
    Combination(("A", "V", "B"), "frequency", count_threshold=1),
    Combination(("V",), "frequency", count_threshold=12),
    Combination(("V", "A"), "k-anonymity", k=4, missing_rule="category"),
    Combination(("B", "V"), "k-anonymity", k=5, missing_rule="observed"),
    Combination(("V", "A", "B"), "k-anonymity", k=3, missing_rule="wildcard", alpha=0.5),
    Combination(("A", "B"), "k-anonymity", k=6, missing_rule="listwise"),
    Combination(("V", "A"), "l-diversity", l=2, sensitive="S", missing_rule="category"),
    Combination(("V", "A", "B"), "l-diversity", l=3, sensitive="S", missing_rule="category"),
    Combination((SIZE, "V"), "k-anonymity", k=9, missing_rule="category"),
    Combination((SIZE, "A"), "frequency", count_threshold=2),
)
_NOT_THERE = ("unsafe-records-too-many", "unsafe-households-too-many")
"""Refusals of a number that the file as it is does not have."""
COMBINATIONS = st.tuples(
    st.one_of(st.none(), st.sampled_from(RISK), st.just(Combination(("V", SIZE)))),
    st.lists(st.sampled_from(OTHERS), max_size=3, unique=True),
).map(lambda found: (*(() if found[0] is None else (found[0],)), *found[1]))
INDIVIDUAL = st.one_of(
    st.builds(lambda risk: Threshold(individual_risk=risk), st.floats(0.01, 0.3)),
    st.builds(lambda rate: Threshold(reidentification_rate=rate), st.floats(0.005, 0.2)),
    st.builds(lambda number: Threshold(unsafe_records=number), st.integers(0, 100)),
)
OF_HOUSEHOLDS = st.one_of(
    st.builds(lambda risk: Threshold(household_risk=risk), st.floats(0.02, 0.5)),
    st.builds(lambda rate: Threshold(household_rate=rate), st.floats(0.01, 0.4)),
    st.builds(lambda number: Threshold(unsafe_households=number), st.integers(0, 30)),
    st.builds(
        lambda risk, number: Threshold(individual_risk=risk, unsafe_households=number),
        st.floats(0.01, 0.3),
        st.integers(0, 30),
    ),
)


def small_file(folder: Path, seed: int, combinations: tuple[Combination, ...], asked: Threshold) -> Recipe:
    """100 records of households of one to five with weights, some values missing; SIZE is a household's size."""
    rng = np.random.default_rng(seed)
    home = np.repeat(np.arange(100), rng.integers(1, 6, 100))[:100]
    keys = [rng.choice(list(codes), 100) for codes in ("12345-", "123-", "12", "xyz-")]
    weights = rng.integers(10, 90, 100) / 10
    lines = (",".join(map(str, row)).replace("-", "") for row in zip(*keys, weights, home, strict=True))
    data = folder / "small.csv"
    data.write_text("V,A,B,S,W,H\n" + "\n".join(lines) + "\n", encoding="utf-8")
    edits = [VariableEdit(name, categorical=True, missing=("",)) for name in (*KEYS, "S")]
    edits += [VariableEdit("W", role="weight", decimals=1), VariableEdit("H", role="household-id")]
    return Recipe(
        Input(data=data),
        variables=tuple(edits),
        combinations=combinations,
        threshold=asked,
        derived=(HouseholdKey(SIZE, "household-size"),),
    )


def merged(session: Session, recipe: Recipe, variable: str, onto: np.ndarray) -> Recipe:
    """The recipe in which the present codes of a variable are really put together."""
    derived = session.derive(recipe)
    column, recoding = derived.microdata.columns[variable], derived.recodings.get(variable)
    scheme = next((grouping.parse_scheme(r.scheme or "") for r in recipe.recodes if r.variable == variable), EMPTY)
    present = np.arange(column.n_valid) if recoding is None else recoding.lut[: column.n_valid].astype(np.int64)
    for category in range(int(onto.max()) + 1):
        codes = [code for code, now in zip(column.codes, present.tolist(), strict=False) if onto[now] == category]
        if len({int(present[list(column.codes).index(code)]) for code in codes}) > 1:
            scheme = grouping.merge(column, scheme, codes)
    others = tuple(each for each in recipe.recodes if each.variable != variable)
    return recipe.with_(
        recodes=(*others, *((Recode(variable, scheme=scheme_text(scheme)),) if scheme != EMPTY else ()))
    )


def without(recipe: Recipe, variable: str) -> Recipe:
    """The recipe without a variable in any combination."""
    fewer = [replace(c, variables=tuple(n for n in c.variables if n != variable)) for c in recipe.combinations]
    recodes = tuple(each for each in recipe.recodes if each.variable != variable)
    return recipe.with_(combinations=tuple(each for each in fewer if each.variables), recodes=recodes)


@st.composite
def what_ifs(draw: st.DrawFn) -> tuple[list[tuple[str, int]], str, int]:
    """Variables that are merged with the seed of how, one that is left out or none, and the largest household size."""
    merges = draw(st.lists(st.tuples(st.sampled_from((*KEYS, "S")), st.integers(0, 99)), max_size=3))
    return merges, draw(st.sampled_from(("", "", *KEYS))), draw(st.sampled_from((0, 0, 1, 2, 3)))


def tried_and_made(
    session: Session, recipe: Recipe, what_if: tuple[list[tuple[str, int]], str, int]
) -> tuple[Trial, Recipe]:
    """The trial, and the recipe in which all of it is done."""
    merges, left_out, most = what_if
    start = TrialStart(session.derive(recipe))
    trial, made = start.trial, recipe
    for name, seed in merges:
        if name in start.columns and name != left_out:
            codes = trial.column(name).n_valid
            onto = np.unique(np.random.default_rng(seed).integers(0, codes, codes), return_inverse=True)[1]
            trial = trial.merging(name, onto.astype(np.int64))
    trial = trial.with_sizes_up_to(most) if most else trial
    for name, coding in trial.codings.items():
        made = merged(session, made, name, coding.onto)
    if left_out:
        trial, made = trial.leaving_out(left_out), without(made, left_out)
    return trial, made


def check_found(session: Session, trial: Trial, made: Recipe) -> None:
    """Every answer of a trial against what is derived anew."""
    try:
        after = session.derive(made)
    except RecipeError as error:
        with pytest.raises(RecipeError, match=error.id):
            raise_of(trial)
        return
    assert trial.exact
    assert trial.unsafe() == unsafe_by_any(after)
    left = list(trial.each)
    assert len(left) == len(after.recipe.combinations)
    for index, (found, own) in enumerate(zip(left, after.recipe.combinations, strict=True)):
        assert trial.keys(found) == own.variables
        if (flags := judged_unsafe(after, index)) is not None:
            assert trial.unsafe_by_combination[found.tried.index] == after.times.count(flags)
        check_figures(trial, found.tried.index, after, index)
    for name in dict.fromkeys(name for own in after.recipe.combinations for name in own.variables):
        assert trial.unsafe(name) == unsafe_of(after, name)
    if any(own.judges_margins for own in after.recipe.combinations):
        records = {size: n for size, n in after.overview.records_by_dimension.items() if n}
        assert {size: n for size, n in trial.margins.records_by_dimension.items() if n} == records
    before = trial.start.derived
    for name in trial.codings:
        if name in after.columns and name in before.columns:
            one, other = before.columns[name], after.columns[name]
            values = int(one.counts[: one.n_valid].sum())
            kept = values * entropy(other) if name in {n for f in left for n in f.tried.combination.looked_at} else 0
            if trial.codings[name].codes:
                assert trial.lost(name) == pytest.approx(values * entropy(one) - kept, abs=1e-6)
            else:
                assert trial.lost(name) == pytest.approx(values * entropy(one), abs=1e-6)


def raise_of(trial: Trial) -> None:
    """Ask for everything that needs a threshold; says which refusal came as its message."""
    try:
        trial.unsafe()
        for each in trial.each:
            assert each.unsafe >= 0
    except RecipeError as error:
        raise RecipeError(error.id, error.id) from error


def check_figures(trial: Trial, tried: int, after: Results, index: int) -> None:
    """Risks, thresholds and bits of a risk table."""
    table, found = after.tables[index], trial.of(tried)
    assert found is not None
    if table is None:
        assert (found.excess > 0) <= (found.unsafe > 0)
        return
    assert found.limit == (table.threshold and pytest.approx(table.threshold, rel=1e-12))
    figures, state = trial.figures(tried), state_before(table)
    for one, other in ((figures.individual, state.individual), (figures.household, state.household)):
        if one is None or other is None:
            assert one is None
            continue
        assert (one.max_risk, one.rate) == pytest.approx((other.max_risk, other.rate), rel=1e-9)
        assert (one.unsafe, one.unsafe_households) == (other.unsafe, other.unsafe_households)


@given(st.integers(0, 10**6), COMBINATIONS, INDIVIDUAL, what_ifs(), st.booleans())
def test_trials_equal_the_session_on_records(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    combinations: tuple[Combination, ...],
    asked: Threshold,
    what_if: tuple[list[tuple[str, int]], str, int],
    recoded: bool,
) -> None:
    check_random(tmp_path_factory.mktemp("trial"), seed, combinations, asked, what_if, recoded)


@given(st.integers(0, 10**6), COMBINATIONS, OF_HOUSEHOLDS, what_ifs())
def test_trials_equal_the_session_on_households(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    combinations: tuple[Combination, ...],
    asked: Threshold,
    what_if: tuple[list[tuple[str, int]], str, int],
) -> None:
    check_random(tmp_path_factory.mktemp("trial"), seed, combinations, asked, what_if, False)


@given(st.integers(0, 10**6), st.sampled_from(("calibrated",)), st.floats(0.02, 0.4), what_ifs())
def test_trials_equal_the_session_on_upper_bounds(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    estimator: str,
    risk: float,
    what_if: tuple[list[tuple[str, int]], str, int],
) -> None:
    asked = Threshold(individual_risk=risk, exceedance=0.1)
    own = (replace(RISK[0], estimator=estimator),)
    check_random(tmp_path_factory.mktemp("trial"), seed, own, asked, what_if, False)


def check_random(
    folder: Path,
    seed: int,
    combinations: tuple[Combination, ...],
    asked: Threshold,
    what_if: tuple[list[tuple[str, int]], str, int],
    recoded: bool,
) -> None:
    risk = [c for c in combinations if c.has_risk]
    assume(combinations and len({(c.variables, c.model) for c in combinations}) == len(combinations))
    session, recipe = Session(), small_file(folder, seed, combinations, asked if risk else Threshold())
    if recoded and any("V" in each.variables for each in combinations):
        recipe = recipe.with_(recodes=(Recode("V", scheme="p: 1,2"),))
    try:
        session.derive(recipe)
    except RecipeError as error:
        if error.id not in _NOT_THERE:
            raise
        assume(False)
    trial, made = tried_and_made(session, recipe, what_if)
    assume(len(set(made.combinations)) == len(made.combinations) > 0)
    check_found(session, trial, made)


@pytest.mark.parametrize("estimator", ["calibrated", "log-linear"])
def test_trials_of_large_models_find_no_fewer_safe(
    tmp_path: Path, estimator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tried_combination, "CLOSED", 0)
    fewer = 0
    for seed, risk in product(range(6), (0.02, 0.04, 0.08)):
        own = (replace(RISK[0], estimator=estimator),)
        session, recipe = Session(), small_file(tmp_path, seed, own, Threshold(individual_risk=risk))
        trial, made = tried_and_made(session, recipe, ([("V", seed)], "", 0))
        assert not trial.exact
        after = unsafe_by_any(session.derive(made))
        assert trial.unsafe() <= after
        fewer += trial.unsafe() < after
    assert fewer or estimator == "log-linear", "whose risks are nearly closed as they are"


@pytest.mark.parametrize("own", [RISK[0], RISK[2], OTHERS[1]], ids=["observed", "wildcard", "rare"])
def test_the_price_of_several_recodes_is_that_of_the_plan(tmp_path: Path, own: Combination) -> None:
    session = Session()
    recipe = small_file(tmp_path, 3, (own,), Threshold(individual_risk=0.02) if own.has_risk else Threshold())
    trial, made = tried_and_made(session, recipe, ([("V", 3), ("B", 2)], "", 0))
    for tried, of in ((trial.start.trial, recipe), (trial, made)):
        plan, price = session.protect(of).plan, price_of(tried, 0)
        assert price is not None
        assert price.exact
        assert (price.values, price.loss) == (plan.total, pytest.approx(plan.entropy_loss, rel=1e-12))
    assert plan.total


def diverse(folder: Path) -> tuple[Session, Recipe]:
    """A file of which l-diversity judges one combination, and nothing else judges records."""
    recipe = small_file(folder, 2, (OTHERS[8],), Threshold())
    ordered = tuple(replace(edit, ordered=True) if edit.name == "V" else edit for edit in recipe.variables)
    return Session(), recipe.with_(variables=ordered)


def test_advice_tells_what_makes_keys_diverse(tmp_path: Path) -> None:
    session, recipe = diverse(tmp_path)
    derived = session.derive(recipe)
    found = advise(derived, 0, session.tabulation(derived, 0))
    assert found is not None
    assert found.unsafe == unsafe_by_any(derived) > 20
    assert found.without == {name: unsafe_by_any(session.derive(without(recipe, name))) for name in KEYS}
    assert {each.variable for each in found.candidates if each.coarser is not None} == {"V"}
    for candidate in found.candidates:
        assert candidate.price is None, "what diversity takes is not known before the whole file is searched"
        assert candidate.unsafe[1] == unsafe_by_any(session.derive(candidate.applied_to(recipe, 0)))


def test_plans_count_the_keys_that_are_not_diverse(tmp_path: Path) -> None:
    session, recipe = diverse(tmp_path)
    derived = session.derive(recipe)
    problem = PlanProblem(derived, 0, hierarchies(derived, 0))
    seen = set()
    for levels in product(*(range(len(each.levels)) for each in problem.hierarchies)):
        if list(problem.trial(levels).each):
            plan = problem.evaluate(levels)
            assert plan.unsafe == unsafe_by_any(session.derive(recipe_of(recipe, 0, problem.hierarchies, plan)))
            assert not plan.exact or not plan.suppressions
            seen.add(plan.unsafe)
    assert len(seen) > 3


@pytest.mark.parametrize("variable", ["V", "S"])
def test_merges_are_refused_where_diversity_judges(tmp_path: Path, variable: str) -> None:
    session, recipe = diverse(tmp_path)
    edits = tuple(replace(edit, ordered=True) if edit.name == "S" else edit for edit in recipe.variables)
    derived = session.derive(recipe.with_(variables=edits))
    with pytest.raises(RecipeError) as refused:
        suggest_merges(derived, variable)
    assert refused.value.id == "no-merges-by-diversity"


def test_merges_are_counted_where_diversity_judges(tmp_path: Path) -> None:
    session, recipe = diverse(tmp_path)
    derived = session.derive(recipe)
    made = session.derive(merged(session, recipe, "V", np.array([0, 0, 1, 1, 2])))
    assert unsafe_when_merged(derived, "V", [("1", "2"), ("3", "4")]) == unsafe_of(made, "V") < unsafe_of(derived, "V")
    less_diverse = session.derive(merged(session, recipe, "S", np.array([0, 0, 1])))
    found = TrialStart(derived).trial.merging("S", np.array([0, 0, 1])).unsafe()
    assert found == unsafe_by_any(less_diverse) > unsafe_by_any(derived)
