"""A household risk that no threshold is on is said where households can be seen, at the head of the report, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.recipe.toml import load
from core.session import Session
from tests.core.persons import Persons

SAID = "Households were not judged by AREA x SEX x AGE"


@pytest.fixture
def persons(tmp_path: Path) -> Persons:
    return Persons(tmp_path)


def warned(persons: Persons, changes: dict[str, str]) -> list[str]:
    assert persons.run(changes) == 0
    found = [w["text"] for w in persons.summary["warnings"] if w["id"] == "household-risk-not-judged"]
    report = (persons.folder / "out" / "report.html").read_text()
    assert report.count(SAID) == 2 * len(found), "in short, and among the warnings"
    shown = Session().protect(load(persons.folder / "persons.pavo")).notices
    assert [n.text for n in shown if n.id == "household-risk-not-judged"] == found, "the preview says the same"
    return found


def test_the_largest_household_risk_of_the_safe_file_is_said(persons: Persons) -> None:
    (text,) = warned(persons, {"household_risk = 0.12": "individual_risk = 0.08"})
    (combination,) = persons.summary["combinations"]
    largest = combination["after"]["by_mode"]["household_risk"]["max"]
    assert largest > 0.08
    assert f"the largest household risk in it is {largest:.3g}; the threshold 0.08 is" in text
    assert json.dumps(persons.summary).count(SAID) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"household_risk = 0.12": "household_risk = 0.5\nindividual_risk = 0.08"},
        {"household_risk = 0.12": "individual_risk = 0.9"},
        {"household_risk = 0.12": "individual_risk = 0.08", "[output]":
         '[output]\nhousehold_id = "remove"\nshuffle = true\nkeep_households_together = false'},
    ],
    ids=["household threshold", "both", "below the threshold", "apart"],
)  # fmt: skip
def test_nothing_is_said_where_households_are_judged_below_it_or_not_seen(
    persons: Persons, changes: dict[str, str]
) -> None:
    assert not warned(persons, changes)


def test_no_record_is_counted_by_a_household_threshold_that_nobody_chose(persons: Persons) -> None:
    counted = "Unsafe records by household risk"
    assert persons.run({"household_risk = 0.12": "individual_risk = 0.08"}) == 0
    report = (persons.folder / "out" / "report.html").read_text()
    assert "Largest household risk" in report
    assert counted not in report
    assert "Unsafe households" not in report
    assert persons.run({"household_risk = 0.12": "household_risk = 0.5\nindividual_risk = 0.08"}) == 0
    assert counted in (persons.folder / "out" / "report.html").read_text()
