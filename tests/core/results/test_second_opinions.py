"""The other opinion counts unsafe records as the table does once it judges by that estimator."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.base.errors import PavoError
from core.recipe.edits import with_estimator
from core.recipe.model import Combination, Estimator, Input, Recipe, Suppression, Threshold, VariableEdit
from core.results.second_opinions import unsafe_by_opinion
from core.results.suppression_problem import judged_table
from core.session import Results, Session
from core.suppression.inference.leaks import remaining_risks
from core.suppression.plan import Plan

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


@pytest.fixture
def demodata(shared: Path) -> Recipe:
    folder = shared / "data" / "demodata"
    return Recipe(
        input=Input(data=folder / "Demodata.asc", metadata=folder / "Demodata.rda"), combinations=(Combination(KEYS),)
    )


def other_and_chosen(session: Session, recipe: Recipe) -> tuple[int | None, int]:
    """Unsafe records by the other opinion, and of the same file judged by it."""
    derived = session.derive(recipe)
    opinion = session.second_opinion(derived, 0)
    table = derived.risk_tables[0]
    if opinion.individual is not None and table.threshold is not None:
        told: int | None = opinion.individual.unsafe(table.threshold)
    else:
        told = unsafe_by_opinion(table, opinion)
    chosen = derive_by_other(session, recipe).risk_tables[0]
    assert opinion.maximum == pytest.approx(chosen.staircase.max_risk, rel=1e-12)
    return told, chosen.staircase.unsafe(chosen.threshold)


def derive_by_other(session: Session, recipe: Recipe) -> Results:
    own = recipe.combinations[0].estimator
    return session.derive(with_estimator(recipe, 0, "calibrated" if own == "exact" else "exact"))


@pytest.mark.parametrize("threshold", [0.02, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("one_recipe", [False, True])
def test_demodata_has_as_many_unsafe_once_it_judges(demodata: Recipe, threshold: float, one_recipe: bool) -> None:
    recipe = demodata.with_(threshold=Threshold(individual_risk=threshold))
    told, chosen = other_and_chosen(Session(one_recipe=one_recipe), recipe)
    assert told == chosen
    assert threshold != 0.05 or told == 1055


def test_the_chart_outlines_risks_of_the_other_estimator(demodata: Recipe) -> None:
    session, recipe = Session(), demodata.with_(threshold=Threshold(individual_risk=0.05))
    outlined = session.second_opinion(session.derive(recipe), 0).staircase
    assert outlined is not None
    drawn = derive_by_other(session, recipe).risk_tables[0].staircase
    assert outlined.histogram(20).records.tolist() == drawn.histogram(20).records.tolist()


def random_file(
    folder: Path, seed: int, records: int, missing: float, estimator: Estimator, threshold: float
) -> Recipe:
    draw = random.Random(seed)
    lines = ["HOME,A,B,C,D,W"]
    for _ in range(records):
        codes = [str(min(int(draw.expovariate(0.7)), 6)) if draw.random() >= missing else "" for _ in "ABCD"]
        lines.append(f"{draw.randrange(records // 3)},{','.join(codes)},{draw.randrange(2, 60)}")
    (folder / "file.csv").write_text("\n".join(lines) + "\n")
    keys = [VariableEdit(name, categorical=True, missing=("",)) for name in "ABCD"]
    roles = VariableEdit("W", role="weight"), VariableEdit("HOME", role="household-id")
    combination = replace(Combination(tuple("ABCD")), estimator=estimator)
    return Recipe(
        input=Input(data=folder / "file.csv"), variables=(*keys, *roles), combinations=(combination,),
        threshold=Threshold(individual_risk=threshold, household_risk=2 * threshold),
        suppression=Suppression("entropy"),
    )  # fmt: skip


FILES = {
    "seed": st.integers(0, 10_000),
    "records": st.integers(30, 150),
    "missing": st.sampled_from([0.0, 0.1, 0.3]),
    "estimator": st.sampled_from(["exact", "calibrated"]),
    "threshold": st.sampled_from([0.02, 0.05, 0.1, 0.2]),
}


@given(**FILES)
@settings(max_examples=60, deadline=None)
def test_files_have_as_many_unsafe_once_it_judges(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    records: int,
    missing: float,
    estimator: Estimator,
    threshold: float,
) -> None:
    recipe = random_file(tmp_path_factory.mktemp("file"), seed, records, missing, estimator, threshold)
    told, chosen = other_and_chosen(Session(), recipe)
    assert told == chosen


@given(**FILES)
@settings(max_examples=25, deadline=None)
def test_safe_files_have_as_many_unsafe_once_it_judges(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    records: int,
    missing: float,
    estimator: Estimator,
    threshold: float,
) -> None:
    recipe = random_file(tmp_path_factory.mktemp("file"), seed, records, missing, estimator, threshold)
    session = Session()
    try:
        protection = session.protect(recipe)
    except PavoError:
        assume(False)
    assert protection.plan is not None
    told = session.released_opinions(protection.derived, protection.plan)[0].unsafe
    assert told == unsafe_left(derive_by_other(session, recipe), protection.plan)


def unsafe_left(derived: Results, plan: Plan) -> int:
    """Records that are unsafe with the suppressions of a plan."""
    table = derived.risk_tables[0]
    assert table.threshold is not None
    left = remaining_risks(judged_table(table), plan.suppressed)
    records = left.tally(derived.times.records)
    return int(records[left.risk >= table.threshold * (1 - 1e-12)].sum())
