"""Suggested merges of a session's variable: what they promise is what the session finds after them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.formats.argus.recode_scheme import scheme_text
from core.recipe.model import Combination, Estimator, Input, Recipe, Recode, Threshold, VariableEdit
from core.recoding import grouping
from core.recoding.grouping import EMPTY
from core.results.results import Results
from core.results.unsafe_records import unsafe_flags
from core.risk.individual import individual_risk, is_unsafe
from core.session import Session
from core.suppression.costs import entropy
from core.whatif.merges import least_people, merged_units, suggest_merges, unsafe_when_merged

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")
MODELS = {
    "risk": Combination(KEYS),
    "k": Combination(KEYS, model="k-anonymity", k=3),
    "category": Combination(KEYS, model="k-anonymity", k=3, missing_rule="category"),
    "frequency": Combination(KEYS[:3], model="frequency", count_threshold=2),
}


def recipe(folder: Path, name: str, *combinations: Combination) -> Recipe:
    return Recipe(
        input=Input(data=folder / f"{name}.asc", metadata=folder / f"{name}.rda"),
        combinations=combinations,
        threshold=Threshold(individual_risk=0.02),
    )


def check_promises(session: Session, derived: Results, variable: str) -> None:
    """Apply some of the choices, and half of one's merges, and count again."""
    found = suggest_merges(derived, variable)
    column = derived.microdata.columns[variable]
    assert found.choices[0].unsafe == int(unsafe_flags(derived, variable).sum())
    assert all(a.unsafe > b.unsafe and a.loss < b.loss for a, b in zip(found.choices, found.choices[1:], strict=False))
    others = tuple(r for r in derived.recipe.recodes if r.variable != variable)
    recode = next((r for r in derived.recipe.recodes if r.variable == variable), None)
    before = EMPTY if recode is None else grouping.parse_scheme(recode.scheme or "")
    for choice in (found.choices[found.balanced], found.choices[-1]):
        for accepted in (range(len(choice.runs)), range(0, len(choice.runs), 2)):
            scheme = before
            for codes in merged_units(found, choice, accepted):
                scheme = grouping.merge(column, scheme, codes)
            after = session.derive(
                derived.recipe.with_(recodes=(*others, Recode(variable, scheme=scheme_text(scheme))))
            )
            runs = [choice.runs[i] for i in accepted]
            gone = sum(run.unsafe_before - run.unsafe_after for run in runs)
            assert int(unsafe_flags(after, variable).sum()) == found.choices[0].unsafe - gone
            n = sum(column.counts[: column.n_valid].tolist())
            lost = n * (entropy(derived.columns[variable]) - entropy(after.columns[variable]))
            assert lost == pytest.approx(sum(run.loss for run in runs), abs=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_the_demonstration_holds_what_is_promised(demo: Path, model: str) -> None:
    session = Session()
    derived = session.derive(recipe(demo, "survey", MODELS[model]))
    assert len(suggest_merges(derived, "AGE").choices) > 3
    check_promises(session, derived, "AGE")


def test_codes_without_an_order_are_not_merged_by_neighbourhood(demo: Path) -> None:
    session = Session()
    plain = recipe(demo, "survey", MODELS["risk"])
    with pytest.raises(RecipeError) as refused:
        suggest_merges(session.derive(plain), "REGION")
    assert refused.value.id == "codes-without-order"
    said = plain.with_(variables=(VariableEdit("REGION", ordered=True), VariableEdit("AGE", ordered=False)))
    assert suggest_merges(session.derive(said), "REGION").choices
    with pytest.raises(RecipeError):
        suggest_merges(session.derive(said), "AGE")


def test_categories_that_are_there_are_what_is_merged(demo: Path) -> None:
    session = Session()
    by_twos = scheme_text(grouping.merge(_ages(session, demo), EMPTY, ["30", "31", "33"]))
    both = recipe(demo, "survey", MODELS["risk"]).with_(recodes=(Recode("AGE", scheme=by_twos),))
    derived = session.derive(both)
    found = suggest_merges(derived, "AGE")
    assert ("30", "31", "33") in found.units
    assert found.names[found.units.index(("30", "31", "33"))] == "30"
    check_promises(session, derived, "AGE")


def _ages(session: Session, demo: Path) -> grouping.EncodedColumn:
    return session.derive(recipe(demo, "survey", MODELS["risk"])).microdata.columns["AGE"]


def test_several_tables_count_a_record_once(demo: Path) -> None:
    tables = (
        replace(MODELS["frequency"], variables=("AGE", "SEX")),
        replace(MODELS["frequency"], variables=("AGE", "MARSTAT"), count_threshold=4),
    )
    session = Session()
    check_promises(session, session.derive(recipe(demo, "survey", *tables)), "AGE")


SMALL = (
    (Combination(("V", "A", "B"), "frequency", count_threshold=2),),
    (Combination(("V", "A"), "frequency"), Combination(("V", "B"), "frequency", count_threshold=3)),
    (Combination(("V", "A", "B"), "k-anonymity", k=3),),
    (Combination(("V", "A"), "k-anonymity", k=4, missing_rule="listwise"), Combination(("V", "B"), "frequency")),
    (Combination(("A", "V", "B")),),
    (Combination(("V", "A", "B"), "frequency"), Combination(("A", "B"), "frequency", count_threshold=9)),
    (Combination(("V", "A", "B"), "frequency", count_threshold=2), Combination(("V",), "frequency", count_threshold=8)),
    (Combination(("V", "A"), missing_rule="wildcard", alpha=0.0),),
)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("combinations", SMALL)
def test_small_files_with_missing_values_and_rare_codes(
    tmp_path: Path, combinations: tuple[Combination, ...], seed: int
) -> None:
    """Also where margins, with the variable or without, have thresholds of their own."""
    rng = np.random.default_rng(seed)
    rows = [",".join(rng.choice(list(codes), 3)) for codes in ["12345"] * 30 + ["12345678 "] * 20]
    data = tmp_path / "small.csv"
    data.write_text("V,A,B\n" + "\n".join(row.replace(" ", "") for row in rows) + "\n", encoding="utf-8")
    edits = tuple(VariableEdit(name, categorical=True, ordered=True) for name in "VAB")
    asked = Recipe(
        Input(data=data), variables=edits, combinations=combinations, threshold=Threshold(individual_risk=0.3)
    )
    session = Session()
    check_promises(session, session.derive(asked), "V")


WILDCARD = (
    Combination(("V", "A", "B"), missing_rule="wildcard"),
    Combination(("A", "B", "V"), missing_rule="wildcard", alpha=0.25),
    Combination(("V", "B"), "k-anonymity", k=11, missing_rule="wildcard", alpha=0.7),
)


def weighted(
    folder: Path, seed: int, *combinations: Combination, threshold: Threshold, codes: str = "12345-"
) -> Recipe:
    """120 records of 12 households with weights; the code - is a missing value."""
    rng = np.random.default_rng(seed)
    rows = [",".join(rng.choice(list(codes), 3)) for _ in range(120)]
    lines = [
        f"{row.replace('-', '')},{rng.integers(10, 90) / 10},{i // 7 if i < 80 else i}" for i, row in enumerate(rows)
    ]
    data = folder / "weighted.csv"
    data.write_text("V,A,B,W,H\n" + "\n".join(lines) + "\n", encoding="utf-8")
    edits = [VariableEdit(name, categorical=True, ordered=True) for name in "VAB"]
    edits += [VariableEdit("W", role="weight", decimals=1), VariableEdit("H", role="household-id")]
    return Recipe(Input(data=data), variables=tuple(edits), combinations=combinations, threshold=threshold)


@pytest.mark.parametrize("combination", WILDCARD)
def test_missing_values_that_agree_with_any_allow_no_merges(tmp_path: Path, combination: Combination) -> None:
    session = Session()
    asked = weighted(tmp_path, 0, combination, threshold=Threshold(individual_risk=0.03))
    with pytest.raises(RecipeError, match=r"agree with any \(wildcard\): merges cannot be suggested"):
        suggest_merges(session.derive(asked), "V")
    elsewhere = replace(combination, variables=("A", "B")), Combination(("V",), "frequency", count_threshold=20)
    assert len(suggest_merges(session.derive(asked.with_(combinations=elsewhere)), "V").choices) > 1


@pytest.mark.parametrize("combination", WILDCARD)
def test_merges_hold_by_wildcard_where_nothing_is_missing(tmp_path: Path, combination: Combination) -> None:
    session = Session()
    asked = weighted(tmp_path, 0, combination, threshold=Threshold(individual_risk=0.03), codes="12345")
    derived = session.derive(asked.with_(variables=asked.variables[:-1]))
    assert len(suggest_merges(derived, "V").choices) > 1
    check_promises(session, derived, "V")


def test_household_thresholds_judge_each_record_by_its_share(tmp_path: Path) -> None:
    session = Session()
    table = Combination(("V", "A", "B"))
    derived = session.derive(weighted(tmp_path, 1, table, threshold=Threshold(household_risk=0.4)))
    assert derived.households is not None
    size = derived.households.size[derived.households.household_of_record]
    present = derived.columns["V"].values < derived.columns["V"].n_valid
    found = suggest_merges(derived, "V")
    assert found.by_share
    column = derived.microdata.columns["V"]
    for choice in found.choices:
        scheme = EMPTY
        for codes in merged_units(found, choice, range(len(choice.runs))):
            scheme = grouping.merge(column, scheme, codes)
        recodes = (Recode("V", scheme=scheme_text(scheme)),) if choice.runs else ()
        after = session.derive(derived.recipe.with_(recodes=recodes))
        (made,) = after.risk_tables
        risk = made.risk[made.cell_index.of_record]
        over = (risk >= 0.4 / size * (1 - 1e-12)) & present
        assert int(over.sum()) == choice.unsafe
        assert int((unsafe_flags(after, "V") & present).sum()) <= choice.unsafe
    assert found.choices[-1].unsafe < found.choices[0].unsafe


def test_a_margin_with_a_threshold_of_its_own_is_judged_by_it(tmp_path: Path) -> None:
    """Five records of each code: more than one in the table, not more than eight in the margin."""
    data = tmp_path / "small.csv"
    data.write_text("V,A\n" + "".join(f"{code},x\n" * 5 for code in "1234"), encoding="utf-8")
    edits = tuple(VariableEdit(name, categorical=True, ordered=True) for name in "VA")
    tables = Combination(("V",), "frequency", count_threshold=8), Combination(("V", "A"), "frequency")
    derived = Session().derive(Recipe(Input(data=data), variables=edits, combinations=tables))
    found = suggest_merges(derived, "V")
    assert [(choice.categories, choice.unsafe) for choice in found.choices] == [(4, 20), (2, 0)]


def test_demodata(shared: Path) -> None:
    """182 regions, after the published recode of age; no merging that is tried beats what is found."""
    folder = shared / "data" / "demodata"
    session = Session()
    base = recipe(folder, "Demodata", MODELS["risk"]).with_(
        recodes=(Recode("AGE", scheme_file=folder / "Age.grc"),),
        threshold=Threshold(individual_risk=0.00125),
        variables=(VariableEdit("REGION", ordered=True),),
    )
    derived = session.derive(base)
    found = suggest_merges(derived, "REGION")
    assert (found.choices[0].categories, found.choices[0].unsafe) == (182, 2776)
    published = session.derive(base.with_(recodes=(*base.recodes, Recode("REGION", scheme_file=folder / "Region.grc"))))
    unsafe = int(unsafe_flags(published, "REGION").sum())
    assert unsafe == 397
    lost = 4000 * (entropy(derived.columns["REGION"]) - entropy(published.columns["REGION"]))
    above = max((c for c in found.choices if c.unsafe <= unsafe), key=lambda c: c.unsafe)
    assert above.loss < lost
    for one, other in zip(found.choices, found.choices[1:], strict=False):
        price = (other.loss - one.loss) / (one.unsafe - other.unsafe)
        assert lost + price * unsafe >= one.loss + price * one.unsafe - 1e-6
    check_promises(session, derived, "REGION")


def test_without_a_threshold_there_is_nothing_to_suggest(demo: Path) -> None:
    derived = Session().derive(recipe(demo, "survey", MODELS["risk"]).with_(threshold=Threshold()))
    found = suggest_merges(derived, "AGE")
    assert [choice.unsafe for choice in found.choices] == [0]
    assert found.balanced == 0


@given(st.integers(1, 60), st.floats(1e-4, 0.9), st.sampled_from(["exact", "truncated"]))
def test_least_people_is_where_the_risk_passes_the_threshold(largest: int, threshold: float, estimator: str) -> None:
    least = least_people(largest, threshold, estimator)  # type: ignore[arg-type]
    assert len(least) <= largest + 1
    for f in range(1, largest + 1):
        first = least[f] if f < len(least) else -math.inf
        around = [f, first, math.nextafter(first, -math.inf), 2 * first] if math.isfinite(first) else [f, 5 * f]
        for people in around:
            risk = individual_risk(np.array([float(f)]), np.array([float(people)]), estimator)  # type: ignore[arg-type]
            if people >= f:
                assert bool(is_unsafe(risk, threshold)[0]) == (people < first)


@pytest.mark.parametrize("estimator", ["calibrated", "log-linear"])
def test_tables_judged_by_a_population_model_have_no_suggestions(demo: Path, estimator: Estimator) -> None:
    table = Combination(KEYS, estimator=estimator)
    derived = Session().derive(recipe(demo, "survey", table))
    with pytest.raises(RecipeError, match="merges cannot be suggested"):
        suggest_merges(derived, "AGE")
    with pytest.raises(RecipeError, match="judged by a model of the whole table"):
        unsafe_when_merged(derived, "AGE", [])
