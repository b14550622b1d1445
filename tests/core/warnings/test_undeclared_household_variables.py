"""Key variables with one value a household that are not declared household variables are named in every run."""

from __future__ import annotations

import random

import pytest

from tests.core.persons import Persons

AREA = "[variables.AREA]\nhousehold = true\nsuppression_weight = 60\n"
APART = '[output]\nhousehold_id = "remove"\nshuffle = true\nkeep_households_together = false'


def said(persons: Persons, changes: dict[str, str], rows: list[dict[str, str]] | None = None) -> list[str]:
    assert persons.run(changes, rows) == 0
    found = [w["text"] for w in persons.summary["warnings"] if w["id"] == "household-undeclared"]
    assert ("No household has two values" in (persons.folder / "out" / "report.html").read_text()) == bool(found)
    return found


def test_an_undeclared_one_is_named_and_a_declared_one_is_not(persons: Persons) -> None:
    (text,) = said(persons, {AREA: ""})
    assert text.startswith("No household has two values of AREA, which is not declared a household variable:")
    assert said(persons, {}) == []


def test_several_are_named_in_one_sentence_with_those_suppressed_together(persons: Persons) -> None:
    part = {"A": "1", "B": "2", "C": "1"}
    rows = [{**row, "PART": part[row["AREA"]]} for row in persons.rows()]
    (text,) = said(persons, {AREA: '[variables.AREA]\nrelated = "PART"\n'}, rows)
    assert text.startswith("No household has two values of AREA, PART, which are not")


@pytest.mark.parametrize("how", ["varies", "one value", "no key", "never suppressed", "apart"])
def test_nothing_is_said_where_there_is_nothing_to_mend(persons: Persons, how: str) -> None:
    rows, changes = persons.rows(), {AREA: ""}
    if how == "varies":
        random.Random(3).choice(rows)["AREA"] = "D"
        first = next(row for row in rows if sum(other["HH"] == row["HH"] for other in rows) > 1)
        first["AREA"] = "D" if first["AREA"] != "D" else "A"
    elif how == "one value":
        rows = [{**row, "AREA": "A"} for row in rows]
    elif how == "no key":
        changes |= {'["AREA", "SEX", "AGE"]': '["SEX", "AGE"]'}
    elif how == "never suppressed":
        changes = {AREA: "[variables.AREA]\nsuppressible = false\n", "= 0.12": "= 0.9"}
    else:
        changes |= {"[output]": APART}
    assert said(persons, changes, rows) == []
