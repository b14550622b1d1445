"""Where suppressions are estimated at first, the plan that is called best is the one that the session finds best."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from core.base.progress import Enough, Progress
from core.profiles.goals import Goal
from core.recipe.model import Combination, Input, Recipe, Recode, Threshold, VariableEdit
from core.recipe.toml import load, parse_bytes
from core.session import Session
from core.whatif.alternatives import Alternative
from core.whatif.plans.aims import aimed, fits
from core.whatif.plans.hierarchies import hierarchies
from core.whatif.plans.plan_figures import PlanProblem, RecodingPlan, recipe_of
from core.whatif.plans.search import ParetoFront, find_plans
from gui.document.engine import alternative
from tests.core.whatif.test_plans import every_plan, left_out_bits, survey

K = Combination(("AGE", "JOB", "SEX"), "k-anonymity", k=5, missing_rule="category")


def problem_of(recipe: Recipe, session: Session, index: int | None = 0) -> PlanProblem:
    derived = session.derive(recipe)
    return PlanProblem(
        derived, index, hierarchies(derived, index, tuple(session.prepare(recipe).microdata.columns.values()))
    )


def figures_of(session: Session) -> Callable[[Recipe, Progress], Alternative]:
    return partial(alternative, session, "")


def of_recipe(problem: PlanProblem, plan: RecodingPlan, session: Session) -> Alternative:
    return alternative(session, "", recipe_of(problem.derived.recipe, problem.index, problem.hierarchies, plan))


def one_rare_code(folder: Path) -> Recipe:
    """Eight frequent codes, one of five records and one of a single one, which the session's recode puts together."""
    codes = [code for code in "abcdefgh" for _ in range(10)] + ["y"] * 5 + ["x"]
    (folder / "file.csv").write_text("\n".join(("A", *codes)) + "\n", encoding="utf-8")
    return Recipe(
        input=Input(data=folder / "file.csv"),
        variables=(VariableEdit("A", categorical=True, missing=("-",)),),
        recodes=(Recode("A", scheme="y: x, y\n"),),
        combinations=(Combination(("A",), "k-anonymity", k=5, missing_rule="category"),),
    )


def test_the_marker_leaves_a_plan_that_is_only_estimated_to_be_best(tmp_path: Path) -> None:
    """One record of x can be like others with one blank, it seems; but a blank is released five times or never."""
    session = Session()
    problem = problem_of(one_rare_code(tmp_path), session)
    assert [level.kind for level in problem.hierarchies[0].levels] == ["original", "as-now"]
    fine, joined = (problem.evaluate((level,)) for level in (0, 1))
    assert fine.loss < joined.loss, "the estimate misleads"
    estimated = find_plans(problem)
    assert estimated.best is not None
    assert (estimated.best.levels, estimated.best.exact) == ((0,), False)
    assert not estimated.is_best_proven
    found = find_plans(problem, figures=figures_of(session))
    assert found.best is not None
    assert found.best.levels == (1,)
    assert found.is_best_proven
    assert found.is_counted
    assert of_recipe(problem, fine, session).suppressions == 5 > fine.suppressions


@pytest.mark.parametrize(
    ("combination", "missing", "most", "said"),
    [
        (K, 0.1, 10, {}),
        (replace(K, model="individual-risk", k=None, missing_rule="observed", threshold=Threshold(individual_risk=0.1)),
         0.0, None, {"mode": "released-keys", "effort": 30}),
    ],
    ids=["k with missing values, few suppressions", "released keys"],
)  # fmt: skip
def test_after_all_finals_the_best_is_that_of_all_plans_protected_one_by_one(
    tmp_path: Path, combination: Combination, missing: float, most: int | None, said: dict[str, object]
) -> None:
    recipe, session = survey(tmp_path, 2, combination, 80, missing), Session()
    recipe = recipe.with_(suppression=replace(recipe.suppression, **said))  # type: ignore[arg-type]
    problem = problem_of(recipe, session)
    losses = []
    for plan in every_plan(problem):
        figures = of_recipe(problem, plan, session)
        if figures.suppressions is not None and (most is None or figures.suppressions <= most):
            losses.append(figures.loss + left_out_bits(problem, plan))
            assert problem.least_loss(plan) <= losses[-1] * (1 + 1e-9)
    found = find_plans(problem, most_suppressions=most, figures=figures_of(session))
    assert found.best is not None
    assert found.best.loss == pytest.approx(min(losses), rel=1e-9)
    assert found.is_best_proven
    assert found.is_counted


def test_who_has_enough_keeps_what_was_counted_in_full(tmp_path: Path) -> None:
    session = Session()
    problem = problem_of(survey(tmp_path, 2, K, 80, 0.0), session)
    fronts: list[ParetoFront] = []

    class AfterOne(Enough):
        def __call__(self) -> bool:
            return asked == 1

    asked = 0

    def figures(recipe: Recipe, progress: Progress) -> Alternative:
        nonlocal asked
        found = alternative(session, "", recipe, progress)
        asked += 1
        return found

    found = find_plans(problem, found=fronts.append, enough=AfterOne(), figures=figures)
    assert found.finals == asked == 1
    assert found is fronts[-1]
    assert found.best is not None and found.best.exact
    assert not found.is_counted
    late = find_plans(problem, 0.0, figures=figures_of(session))
    assert late.finals == 1, "however little time there is, the best is no mere estimate"


def families(folder: Path) -> Recipe:
    """Weighted persons in households of one to three."""
    recipe = survey(folder, 7, Combination(("AGE", "JOB", "SEX"), threshold=Threshold(household_risk=0.2)), 60, 0.0)
    lines = (folder / "file.csv").read_text(encoding="utf-8").splitlines()
    rows = [f"{line};{i // 6 * 3 + (i % 6 + 1) // 3}" for i, line in enumerate(lines[1:])]
    (folder / "file.csv").write_text("\n".join((lines[0] + ";H", *rows)) + "\n", encoding="utf-8")
    return recipe.with_(variables=(*recipe.variables, VariableEdit("H", role="household-id")))


def two_tables(folder: Path) -> Recipe:
    return survey(folder, 3, Combination(("AGE", "SEX")), 80).with_(
        combinations=(Combination(("AGE", "SEX")), Combination(("JOB", "AREA"), missing_rule="wildcard"))
    )


def risk_and_records(folder: Path) -> Recipe:
    recipe = survey(folder, 3, Combination(("AGE", "SEX")), 80)
    return recipe.with_(combinations=(*recipe.combinations, replace(K, variables=("JOB", "SEX"), k=3)))


def two_of_k(folder: Path) -> Recipe:
    recipe = survey(folder, 3, K, 80)
    return recipe.with_(combinations=(replace(K, variables=("AGE", "SEX")), replace(K, variables=("JOB", "SEX"), k=3)))


@pytest.mark.parametrize("make", [families, two_tables, risk_and_records, two_of_k])
def test_each_plan_that_was_counted_has_the_figures_of_its_recipe(
    tmp_path: Path, make: Callable[[Path], Recipe]
) -> None:
    recipe, session = make(tmp_path), Session()
    problem = problem_of(recipe, session, None)
    for plan in every_plan(problem)[::9]:
        figures = of_recipe(problem, plan, session)
        assert figures.unsafe in (plan.unsafe, None)
        if figures.protected:
            assert problem.least_loss(plan) <= (figures.loss + left_out_bits(problem, plan)) * (1 + 1e-9)
        assert figures.protected or plan.left or not plan.exact
    found = find_plans(problem, 0.6, figures=figures_of(session))
    assert found.finals or problem.exact
    counted = [plan for plan in found.plans if plan.exact]
    assert counted
    for plan in counted:
        figures = of_recipe(problem, plan, session)
        assert plan.suppressions == figures.suppressions
        assert plan.loss - left_out_bits(problem, plan) == pytest.approx(figures.loss, rel=1e-9)
        rate = figures.risk("household-rate" if problem.by_households else "rate")
        assert (
            math.isnan(plan.rate)
            if rate is None and not problem.by_risk
            else plan.rate == pytest.approx(rate or 0.0, rel=1e-9)
        )


def test_the_recipe_of_the_guide_is_the_best_of_all_codings_of_the_demonstration_survey(demo: Path) -> None:
    """The question of ARX: five records of a key by codes alone; against every point of the lattice counted anew."""
    session = Session()
    recipe = aimed(load(demo / "survey.pavo"), 0, Goal("least-records", 5))
    problem = problem_of(recipe, session)
    found = find_plans(problem, most_suppressions=0)
    assert found.best is not None
    assert found.is_best_proven
    columns = [np.minimum(each.column.values, each.column.n_valid) for each in problem.hierarchies]
    possible = []
    for levels in product(*(each.levels for each in problem.hierarchies)):
        both = zip(levels, columns, strict=True)
        keys = [np.append(level.onto, -1)[column] for level, column in both if not level.is_left_out]
        if keys and np.unique(np.column_stack(keys), axis=0, return_counts=True)[1].min() >= 5:
            possible.append(math.fsum(level.lost for level in levels))
    assert found.best.recoded == pytest.approx(min(possible), rel=1e-12)
    text = (demo.parent / "help" / "find-plan.md").read_text(encoding="utf-8")
    guide = parse_bytes(text.split("```toml\n")[1].split("```")[0].encode(), demo / "guide.pavo")
    best = recipe_of(recipe, 0, problem.hierarchies, found.best)
    assert guide.combinations == best.combinations
    assert set(guide.recodes) == {each for each in best.recodes if each.variable in ("REGION", "AGE")}
    protection = session.protect(guide)
    assert (protection.plan.total, protection.unsafe_left) == (0, 0)


def test_only_rules_of_a_profile_on_the_keys_that_are_coded_can_be_aimed_at(tmp_path: Path) -> None:
    recipe = two_of_k(tmp_path)
    own, every = Goal("least-records", 5, ("SEX", "AGE")), Goal("largest-risk", 0.1)
    assert [fits(own, recipe, place) for place in (0, 1, None)] == [True, False, False]
    assert all(fits(every, recipe, place) for place in (0, 1, None))
    assert not fits(Goal("certain-blanks", 0), recipe, None)
    assert not fits(replace(every, all_identifying=True), recipe, None)
