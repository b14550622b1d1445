"""The figures of a plan before anything is written are those of the file once written and measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.recipe.model import Combination, Recipe, Threshold, VariableEdit
from core.recipe.model import HouseholdKey as DerivedKey
from core.recipe.toml import load
from core.release.run import carry_out
from core.session import Session
from core.suppression.inference.leaks import remaining_risks
from core.whatif.before_after import Outcome, outcome, suppressible_variables
from tests.core.persons import Persons


def carried_out(recipe: Recipe, folder: Path, criterion: str) -> tuple[Outcome, list[dict[str, Any]]]:
    output = replace(recipe.output, data=folder / "safe.asc", metadata=None, report=None, summary=None)
    recipe = recipe.with_(output=output, suppression=replace(recipe.suppression, criterion=criterion))
    session = Session()
    return outcome(session.protect(recipe)), carry_out(session, recipe).summary["combinations"]


@pytest.mark.parametrize("criterion", ["weights", "entropy", "none"])
def test_outcome_of_the_demonstration_is_what_the_check_finds(demo: Path, tmp_path: Path, criterion: str) -> None:
    found, summary = carried_out(load(demo / "survey.pavo"), tmp_path, criterion)
    assert found.unsafe_before == summary[0]["threshold"]["unsafe_records"]
    assert found.unsafe_after == (found.unsafe_before if criterion == "none" else 0)
    for table, part in zip(found.tables, summary, strict=True):
        assert table.variables == tuple(part["variables"])
        assert table.threshold == part["threshold"]["individual_risk"]
        before, after = table.before.individual, table.after.individual
        assert before is not None and after is not None
        assert before.unsafe == part["threshold"]["unsafe_records"]
        assert before.max_risk == part["individual_risk"]["max"]
        measured = part["after"]["by_mode"]
        assert after.unsafe == measured["unsafe_records"]
        assert after.max_risk == pytest.approx(measured["individual_risk"]["max"], rel=1e-9)
        assert after.rate == pytest.approx(measured["individual_risk"]["rate"], rel=1e-9)
        assert after.expected == pytest.approx(measured["individual_risk"]["expected_reidentifications"], rel=1e-9)


def test_households_before_and_after_are_what_the_check_finds(demo: Path, tmp_path: Path) -> None:
    recipe = load(demo / "survey.pavo").with_(threshold=Threshold(household_risk=0.08))
    found, summary = carried_out(recipe, tmp_path, "entropy")
    (table,) = found.tables
    assert table.household_threshold == 0.08
    before, after = table.before.household, table.after.household
    assert before is not None and after is not None
    assert before.unsafe_households == summary[0]["threshold"]["unsafe_households"] > 0
    assert before.unsafe == summary[0]["threshold"]["unsafe_records"]
    measured = summary[0]["after"]["by_mode"]
    assert after.unsafe_households == measured["unsafe_households"] == 0
    assert after.max_risk == pytest.approx(measured["household_risk"]["max"], rel=1e-9)
    assert after.unsafe == measured["unsafe_records"]


def test_unsafe_records_of_the_threshold_rule_are_counted(demo: Path, tmp_path: Path) -> None:
    recipe = load(demo / "survey.pavo")
    rare = Combination(("SEX", "MARSTAT", "EDUC"), model="frequency", count_threshold=20)
    recipe = recipe.with_(combinations=(rare,), threshold=Threshold())
    found, _summary = carried_out(recipe, tmp_path, "entropy")
    assert found.tables == ()
    assert found.unsafe_before > 0
    assert found.unsafe_after == 0


def test_keys_and_what_goes_with_them_can_be_suppressed(demo: Path) -> None:
    recipe = load(demo / "survey.pavo")
    recipe = recipe.with_(
        variables=(*recipe.variables, VariableEdit("SEX", related="HHPOS")),
        derived=(DerivedKey("HHSIZE", "household-size"),),
        combinations=(Combination(("SEX", "HHSIZE", "AGE")),),
    )
    assert suppressible_variables(Session().derive(recipe)) == ("SEX", "AGE", "HHPOS")


def test_the_remaining_risks_are_computed_once(persons: Persons, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = {"household_risk = 0.12": "individual_risk = 0.08", "[output]": "[output]\nadd_risk = true"}
    assert persons.run(changes) == 0
    recipe, session, asked = load(persons.folder / "persons.pavo"), Session(), []

    def counted(*args: Any) -> Any:
        asked.append(args)
        return remaining_risks(*args)

    monkeypatch.setattr("core.results.remaining_risks.remaining_risks", counted)
    protection = session.protect(recipe)
    assert "household-risk-not-judged" in [notice.id for notice in protection.notices]
    before, after = outcome(protection), outcome(session.protect(recipe))
    assert before == after and before.tables[0].after.household is not None
    files = carry_out(session, recipe).files
    assert len(asked) == 1
    assert "HHRISK_1" in files[0].read_text().splitlines()[0]
