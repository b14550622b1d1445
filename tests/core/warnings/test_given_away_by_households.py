"""What the households of a written file give away is said in summary and report; whatever is said can be read off."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.core.persons import Persons, by_note

_SIZE_A_KEY = {'"SEX", "AGE"': '"SEX", "AGE", "HHSIZE"', "[variables.AREA]":
               "[variables.HHSIZE]\nhousehold = true\nsuppression_weight = 1\n[variables.AREA]"}  # fmt: skip
_OUTPUTS = {
    "keep": "",
    "sequence": 'household_id = "sequence"\n',
    "beside": 'household_id = "remove"\nshuffle = true\n',
    "apart": 'household_id = "remove"\nshuffle = true\nkeep_households_together = false\n',
}


def with_size(persons: Persons) -> list[dict[str, str]]:
    rows = persons.rows()
    number = Counter(row["HH"] for row in rows)
    return [{**row, "HHSIZE": str(number[row["HH"]])} for row in rows]


@pytest.mark.parametrize("output", _OUTPUTS)
def test_a_household_size_in_the_file_is_counted_unless_members_stand_apart(persons: Persons, output: str) -> None:
    rows = with_size(persons)
    assert persons.run(_SIZE_A_KEY | {"[output]\n": "[output]\n" + _OUTPUTS[output]}, rows) == 0
    gone = [row for row in persons.safe() if row["HHSIZE"] == ""]
    assert gone
    said = [w for w in persons.summary["warnings"] if w["id"] == "household-count-gives-away"]
    report = (persons.folder / "out" / "report.html").read_text()
    any_of_them = any(w["id"].endswith("-gives-away") for w in persons.summary["warnings"])
    assert ("Suppressed values can be told from what else is in the safe file" in report) is any_of_them
    if output == "apart":
        assert not said and "follow from the number of members" not in report
        return
    (warning,) = said
    assert warning["text"].startswith(f"{len(gone)} of {len(gone)} suppressed values of HHSIZE follow")
    assert "follow from the number of members" in report
    if output == "keep":
        number = Counter(row["HH"] for row in persons.safe())
        true = by_note(rows)
        assert all(str(number[row["HH"]]) == true[row["NOTE"]]["HHSIZE"] for row in gone)


def test_a_size_that_is_never_suppressed_is_not_given_away(persons: Persons) -> None:
    never = {"suppression_weight = 1\n": "suppressible = false\n", "household_risk = 0.12": "individual_risk = 0.06"}
    assert persons.run(_SIZE_A_KEY | never, with_size(persons)) == 0
    assert persons.summary["suppression"]["total"] > 0
    assert "household-count-gives-away" not in [w["id"] for w in persons.summary["warnings"]]


@pytest.mark.parametrize("identifier", ["sequence", "remove"])
def test_single_persons_show_no_household_variables_of_each_other(persons: Persons, identifier: str) -> None:
    rows = persons.rows()
    for row in rows[:40]:
        row.update(HH="9000", AREA="C")
    changes = {
        "[suppression]": "[households]\nsingle_persons_above = 20\n[suppression]",
        "suppression_weight = 60": "suppression_weight = 1",
        "household_risk = 0.12": "individual_risk = 0.012",
        "[output]": f'[output]\nshuffle = true\nhousehold_id = "{identifier}"',
    }
    assert persons.run(changes, rows) == 0
    institution = {row["NOTE"] for row in rows[:40]}
    safe = persons.safe()
    told = {row["NOTE"] for row in safe if row["NOTE"] in institution and row["AREA"] == ""}
    assert 0 < len(told) < 40
    ids = [w["id"] for w in persons.summary["warnings"]]
    assert "household-gives-away" not in ids
    assert "single-persons-give-away" not in ids
    assert identifier == "remove" or len({row["HH"] for row in safe if row["NOTE"] in institution}) == 40
