"""Plans promise what the session finds once they are followed, and none is better than those that are found."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import PavoError, RecipeError
from core.base.progress import Cancelled, Enough, Silent
from core.profiles.goals import Goal
from core.recipe.model import Combination, Criterion, Input, Recipe, Recode, Threshold, VariableEdit
from core.results.results import Protection
from core.risk.individual import individual_risk
from core.session import Session
from core.whatif.alternatives import alternative
from core.whatif.plans.aims import aimed
from core.whatif.plans.hierarchies import Hierarchy, hierarchies
from core.whatif.plans.plan_figures import PlanProblem, RecodingPlan, recipe_of
from core.whatif.plans.search import ParetoFront, find_plans, front_of, thinned

CODES = {"AREA": 60, "AGE": 40, "JOB": 5, "SEX": 2}


def survey(folder: Path, seed: int, combination: Combination, records: int = 300, missing: float = 1 / 12) -> Recipe:
    """Weighted records on four keys, of which some values are missing."""
    chance = random.Random(seed)
    lines = [";".join(CODES) + ";W"]
    for _ in range(records):
        codes = [str(min(int(chance.expovariate(6 / n)), n - 1) + 10) for n in CODES.values()]
        codes[0] = f"{codes[0][0]}0{codes[0][1]}"  # areas of six provinces: what is counted up has no levels
        codes = ["" if chance.random() < missing else code for code in codes]
        lines.append(f"{';'.join(codes)};{chance.randrange(10, 90)}")
    (folder / "file.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    keys = [
        VariableEdit(
            name, categorical=True, missing=("",), truncable=name == "AREA" or None, ordered=name == "AGE" or None
        )
        for name in CODES
    ]
    return Recipe(
        input=Input(data=folder / "file.csv"),
        variables=(*keys, VariableEdit("W", role="weight")),
        combinations=(combination,),
        threshold=Threshold(individual_risk=0.02),
    )


class After(Enough):
    """Says that it will do once it was asked so often."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._left = times

    def __call__(self) -> bool:
        self._left -= 1
        return self._left <= 0


def problem_of(recipe: Recipe, session: Session | None = None) -> PlanProblem:
    session = session or Session()
    derived = session.derive(recipe)
    others = tuple(session.prepare(recipe).microdata.columns.values())
    return PlanProblem(derived, 0, hierarchies(derived, 0, others))


def every_plan(problem: PlanProblem) -> list[RecodingPlan]:
    """All plans, counted one after the other; not that without any key."""
    all_levels = product(*(range(len(each.levels)) for each in problem.hierarchies))
    has_a_key = (levels for levels in all_levels if list(problem.trial(levels).each))
    return [problem.evaluate(levels) for levels in has_a_key]


def left_out_bits(problem: PlanProblem, plan: RecodingPlan) -> float:
    levels = (each.levels[i] for each, i in zip(problem.hierarchies, plan.levels, strict=True))
    return math.fsum(level.lost for level in levels if level.is_left_out)


@pytest.mark.parametrize(
    "combination",
    [
        Combination(tuple(CODES)),
        Combination(tuple(CODES), missing_rule="wildcard", alpha=0.5),
        Combination(tuple(CODES), estimator="truncated", threshold=Threshold(reidentification_rate=0.01)),
    ],
    ids=["observed", "wildcard", "rate"],
)
def test_figures_of_each_plan_are_those_of_its_recipe(tmp_path: Path, combination: Combination) -> None:
    recipe, session = survey(tmp_path, 3, combination), Session()
    recipe = recipe.with_(recodes=(Recode("AREA", truncate=1),))
    problem = problem_of(recipe, session)
    plans, followed = every_plan(problem), 0
    assert problem.evaluate(tuple(each.now for each in problem.hierarchies)).codes[::2] == (6, 5)
    for plan in plans[::7]:
        own = recipe_of(recipe, 0, problem.hierarchies, plan)
        derived = session.derive(own)
        protection: Protection | PavoError
        try:
            protection = session.protect(own)
        except PavoError as error:
            protection = error
        figures = alternative("", derived, protection)
        assert plan.unsafe == figures.unsafe
        assert plan.exact == (plan.left == 0) == figures.protected
        assert plan.rate_before == pytest.approx(derived.risk_tables[0].staircase.rate, rel=1e-9)
        if figures.protected:
            followed += 1
            assert {name: n for name, n in plan.by_variable.items() if n} == {
                name: n for name, n in figures.by_variable.items() if n
            }
            assert plan.suppressions == figures.suppressions
            assert plan.rate == pytest.approx(figures.risk("rate"), rel=1e-9)
            assert plan.loss - left_out_bits(problem, plan) == pytest.approx(figures.loss, rel=1e-9)
    assert followed > 5


@pytest.mark.parametrize("criterion", ["entropy", "weights"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_front_is_that_of_all_plans_counted_one_by_one(tmp_path: Path, seed: int, criterion: Criterion) -> None:
    recipe = survey(tmp_path, seed, Combination(tuple(CODES)), missing=0.05 * (seed - 1))
    recipe = recipe.with_(suppression=replace(recipe.suppression, criterion=criterion))
    problem = problem_of(recipe)
    plans = every_plan(problem)
    for most in (None, 30, 0):
        found = find_plans(problem, most_suppressions=most)
        assert found.is_complete
        assert [plan.levels for plan in found.plans] == [plan.levels for plan in beaten_by_none(plans)]
        allowed = [each.loss for each in plans if not each.left and (most is None or each.suppressions <= most)]
        assert found.best is not None
        assert found.best.loss == pytest.approx(min(allowed), rel=1e-12)
        assert found.is_best_proven


def beaten_by_none(plans: list[RecodingPlan]) -> list[RecodingPlan]:
    """The front by its definition, plan against plan."""
    possible = [plan for plan in plans if not plan.left]

    def beats(one: RecodingPlan, other: RecodingPlan, what: str) -> bool:
        own, its = (each.loss for each in (one, other)), [getattr(each, what) for each in (one, other)]
        first, second = own
        if its[0] > its[1] * (1 - 1e-9) and its[0] >= its[1] and first >= second:
            return (first, its[0]) == (second, its[1]) and one.levels < other.levels
        return first <= second and its[0] <= its[1]

    def is_kept(plan: RecodingPlan, what: str) -> bool:
        return not any(beats(other, plan, what) for other in possible if other is not plan)

    kept = [plan for plan in possible if is_kept(plan, "rate") or is_kept(plan, "suppressions")]
    return sorted(kept, key=lambda plan: (plan.loss, plan.levels))


def test_a_search_that_ends_early_says_what_the_rest_loses_at_least(tmp_path: Path) -> None:
    problem = problem_of(survey(tmp_path, 4, Combination(tuple(CODES)), missing=0))
    plans = {plan.levels: plan for plan in every_plan(problem)}
    fronts: list[ParetoFront] = []

    found = find_plans(problem, found=fronts.append, enough=After(50))
    assert found is fronts[-1]
    assert found.counted == 50 < found.total == len(plans)
    assert 0 < found.bound < math.inf
    below = [plan.levels for plan in beaten_by_none(list(plans.values())) if plan.loss < found.bound]
    assert below
    assert set(below) <= {plan.levels for plan in found.plans}


def test_a_best_plan_is_proven_before_all_are_counted(tmp_path: Path) -> None:
    problem = problem_of(survey(tmp_path, 4, Combination(tuple(CODES)), missing=0))
    plans, early = every_plan(problem), 0
    for most, counted in product((0, 20, None), (5, 15, 30, 45)):
        found = find_plans(problem, most_suppressions=most, enough=After(counted))
        if found.is_best_proven:
            early += 1
            assert found.best is not None
            assert found.best.loss == min(each.loss for each in plans if most is None or each.suppressions <= most)
    assert early >= 3


def test_the_least_loss_of_five_in_a_key_is_that_of_all_generalisations(tmp_path: Path) -> None:
    """The question of ARX: k = 5 by hierarchies alone, against all of them counted record by record."""
    recipe = aimed(survey(tmp_path, 5, Combination(tuple(CODES)), 800, 0.0), 0, Goal("least-records", 5))
    session = Session()
    problem = problem_of(recipe, session)
    found = find_plans(problem, most_suppressions=0)
    assert found.best is not None
    assert found.is_complete
    assert found.counted < found.total, "beaten plans need not be counted"
    least = min(loss for loss, smallest in generalisations(tmp_path / "file.csv", problem.hierarchies) if smallest >= 5)
    assert found.best.loss == pytest.approx(least, rel=1e-9)
    assert found.best.unsafe == 0
    after = recipe_of(recipe, 0, problem.hierarchies, found.best)
    assert alternative("", session.derive(after), session.protect(after)).suppressions == 0


def generalisations(path: Path, found: tuple[Hierarchy, ...]) -> Iterator[tuple[float, int]]:
    """Loss in bits and smallest key of each point of the lattice, counted from the lines of the file."""
    rows = [line.split(";")[:-1] for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    place = [{code: i for i, code in enumerate(each.column.codes)} for each in found]
    coded = [[place[j][code] for j, code in enumerate(row)] for row in rows]
    for levels in product(*(each.levels for each in found)):
        groups = [tuple(int(level.onto[code]) for level, code in zip(levels, row, strict=True)) for row in coded]
        loss = 0.0
        for j in range(len(found)):
            before, after = Counter(row[j] for row in coded), Counter(group[j] for group in groups)
            loss += sum(n * math.log2(len(rows) / n) for n in before.values())
            loss -= sum(n * math.log2(len(rows) / n) for n in after.values())
        yield loss, min(Counter(groups).values())


def test_risk_falls_in_both_frequencies() -> None:
    """On this rests that coarser codings make nobody less safe."""
    f, population = np.meshgrid(np.arange(1.0, 60), np.geomspace(1, 1e7, 400))
    for estimator in ("exact", "plug-in"):
        risk = individual_risk(f.ravel(), population.ravel(), estimator).reshape(f.shape)
        assert (np.diff(risk, axis=0) <= 1e-12 * risk[1:]).all()
        assert (np.diff(risk, axis=1) <= 1e-12 * risk[:, 1:]).all()


def test_levels_are_the_codings_of_each_key_from_fine_to_coarse(tmp_path: Path) -> None:
    recipe = survey(tmp_path, 6, Combination(tuple(CODES)))
    found = problem_of(recipe.with_(recodes=(Recode("AGE", scheme="1: 10-19\n2: 20-\n"),))).hierarchies
    assert [[level.kind for level in each.levels] for each in found] == [
        ["original", "truncate", "left-out"],
        ["original", "bands", "bands", "bands", "as-now", "left-out"],
        ["original", "left-out"],
        ["original", "left-out"],
    ]
    age = found[1]
    assert age.now == 4
    refines = age.refines()
    assert refines[0].all()
    assert refines[:, -1].all()
    assert not refines[4, 3], "two groups do not tell three"
    assert [level.lost for level in age.levels] == sorted(level.lost for level in age.levels)
    fewer = thinned(found, 40)
    assert math.prod(len(each.levels) for each in fewer) <= 40
    assert all(each.levels[0].kind == "original" and each.levels[-1].is_left_out for each in fewer)
    assert fewer[1].levels[fewer[1].now].kind == "as-now"


def test_only_what_protection_does_as_told_is_called_exact(tmp_path: Path) -> None:
    """Released keys may have too few records though no risk is high; what is for measuring only is never done."""
    session, blanked = Session(), 0
    recipe = survey(tmp_path, 1, Combination(("JOB", "SEX"), threshold=Threshold(individual_risk=0.1)), missing=0)
    with (tmp_path / "file.csv").open("a", encoding="utf-8") as file:
        file.write("10;10;10;;20\n")
    released = recipe.with_(suppression=replace(recipe.suppression, mode="released-keys", least_records=3, effort=30))
    plans = every_plan(problem := problem_of(released, session))
    for plan in [plan for plan in plans if not plan.unsafe]:
        planned = session.protect(recipe_of(released, 0, problem.hierarchies, plan)).plan
        assert not plan.exact or planned.total == plan.suppressions
        blanked += planned.total
    assert blanked
    measured = recipe.with_(combinations=(replace(recipe.combinations[0], missing_rule="category"),))
    for asked, exact in ((recipe, True), (measured, False)):
        assert {plan.exact for plan in every_plan(problem_of(asked, session)) if not plan.unsafe} == {exact}


def test_a_record_without_any_value_leaves_plans_for_records_in_a_key(tmp_path: Path) -> None:
    recipe = survey(tmp_path, 2, Combination(tuple(CODES), "k-anonymity", k=3, missing_rule="category"), missing=0)
    path = tmp_path / "file.csv"
    path.write_text(path.read_text(encoding="utf-8") + ";;;;20\n;12;10;10;20\n", encoding="utf-8")
    session = Session()
    problem = problem_of(recipe, session)
    plan = problem.evaluate((0,) * len(CODES))
    assert session.protect(recipe).plan.total
    assert not plan.left
    assert not plan.exact
    fixed = tuple(replace(edit, suppressible=False) if edit.name == "AREA" else edit for edit in recipe.variables)
    assert problem_of(recipe.with_(variables=fixed), session).evaluate((0,) * len(CODES)).left >= 2


@pytest.mark.parametrize(
    "combination",
    [Combination(tuple(CODES), model="frequency"), Combination(tuple(CODES), estimator="calibrated")],
    ids=["rare", "calibrated"],
)
def test_what_is_no_sum_over_cells_is_refused_and_can_be_aimed_at_otherwise(
    tmp_path: Path, combination: Combination
) -> None:
    recipe = survey(tmp_path, 1, combination)
    with pytest.raises(RecipeError) as refused:
        problem_of(recipe)
    assert refused.value.id == "no-plans-by-model"
    assert find_plans(problem_of(aimed(recipe, 0, Goal("least-records", 3)))).best is not None
    with pytest.raises(RecipeError, match="certain-blanks"):
        aimed(recipe, 0, Goal("certain-blanks", 0))


def test_cancel_stops_the_search(tmp_path: Path) -> None:
    class Asked(Silent):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        find_plans(problem_of(survey(tmp_path, 1, Combination(tuple(CODES)))), progress=Asked())


def test_of_equal_plans_one_stays() -> None:
    one = RecodingPlan((0, 1), (2, 1), 2, 1.0, 1.0, 0, 0.1, 0.1, 0, {}, 0, True)
    assert front_of([replace(one, levels=(1, 0)), one]) == (one,)
    assert front_of([one, replace(one, left=1, loss=0.5)]) == (one,)
