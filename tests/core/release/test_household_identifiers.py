"""Identifiers of households as they are read and written, and the order of the members."""

from __future__ import annotations

import json
import re

import pytest

from core.formats.registry import read
from core.recipe.toml import load
from core.session import Session
from tests.core.persons import Persons, by_note, partition

_APART = "shuffle = true\nkeep_households_together = false"


@pytest.mark.parametrize("shuffle", [False, True])
def test_identifiers_kept_numbered_or_removed(persons: Persons, shuffle: bool) -> None:
    shuffled = "\nshuffle = true" if shuffle else ""
    before = partition(persons.rows())
    plans = set()
    for what in ("keep", "sequence", "remove"):
        assert persons.run({"[output]": f'[output]\nhousehold_id = "{what}"{shuffled}'}) == 0
        rows = persons.safe()
        plans.add(json.dumps(persons.summary["suppression"]["by_variable"]))
        assert ("HH" in rows[0]) == (what != "remove")
        if what != "remove":
            assert partition(rows) == before
        if what == "sequence":
            firsts = list(dict.fromkeys(row["HH"] for row in rows))
            assert firsts == [str(i + 1) for i in range(len(before))]
        if shuffle:
            assert _side_by_side(rows, before)
            assert [row["NOTE"] for row in rows] != [row["NOTE"] for row in persons.rows()]
    assert len(plans) == 1


def _side_by_side(rows: list[dict[str, str]], groups: set[frozenset[str]]) -> bool:
    place = {row["NOTE"]: i for i, row in enumerate(rows)}
    return all(max(map(place.__getitem__, g)) - min(map(place.__getitem__, g)) == len(g) - 1 for g in groups)


def test_members_stand_apart_only_where_the_identifier_is_removed(persons: Persons) -> None:
    apart = '[output]\nshuffle = true\nkeep_households_together = false\nhousehold_id = "{}"'
    before = partition(persons.rows())
    assert persons.run({"[output]": apart.format("keep")}) == 0
    assert _side_by_side(persons.safe(), before)
    said = [warning["text"] for warning in persons.summary["warnings"] if warning["id"] == "households-kept-together"]
    assert len(said) == 1 and "keep_households_together = false has no effect" in said[0]
    assert persons.run({"[output]": apart.format("remove")}) == 0
    assert not _side_by_side(persons.safe(), before)
    assert "households-kept-together" not in [warning["id"] for warning in persons.summary["warnings"]]


@pytest.mark.parametrize(("order", "shown"), [("", True), ("shuffle = true", True), (_APART, False)])
def test_order_shows_households_whose_identifier_is_removed(persons: Persons, order: str, shown: bool) -> None:
    sizes = [len(group) for group in partition(persons.rows())]
    assert persons.run({"[output]": f'[output]\nhousehold_id = "remove"\n{order}'}) == 0
    said = [each["text"] for each in persons.summary["warnings"] if each["id"] == "order-shows-households"]
    assert len(said) == shown
    if order and shown:  # written side by side, whatever the order of the original
        assert f"in {sum(size > 1 for size in sizes)} households" in said[0]


@pytest.mark.parametrize("what", ["sequence", "remove"])
@pytest.mark.parametrize(("sort", "shuffle", "shown"), [(True, False, 1), (False, False, 0), (True, True, 0)])
def test_order_shows_groups_that_are_assessed_as_single_persons(
    persons: Persons, what: str, sort: bool, shuffle: bool, shown: int
) -> None:
    rows = persons.rows()
    for i, row in enumerate(rows):
        row["HH"] = "9999" if i % 3 == 0 else row["HH"]
    rows.sort(key=lambda row: row["HH"] if sort else 0)
    single = "[households]\nsingle_persons_above = 20\n[output]"
    order = "true" if shuffle else "false"
    assert persons.run({"[output]": f'{single}\nhousehold_id = "{what}"\nshuffle = {order}'}, rows) == 0
    said = [each["text"] for each in persons.summary["warnings"] if each["id"] == "order-shows-single-persons"]
    assert len(said) == shown
    assert not said or said[0].startswith("1 group is assessed as single persons")


def test_scattered_households_are_said_and_empty_identifiers_refused(persons: Persons) -> None:
    assert persons.run() == 0
    assert "households-scattered" in [warning["id"] for warning in persons.summary["warnings"]]
    rows = persons.rows()
    rows[3]["HH"] = ""
    assert persons.run(rows=rows) == 1
    assert persons.run({"[suppression]": '[households]\nempty_id = "own-household"\n[suppression]'}, rows) == 0
    assert "household-id-empty" in [warning["id"] for warning in persons.summary["warnings"]]


@pytest.mark.parametrize("kind", ["", "numeric = true\n", "categorical = true\n"])
def test_sorted_and_scattered_members_give_the_same_results(persons: Persons, kind: str) -> None:
    found = []
    for sort in (False, True):
        rows = sorted(persons.rows(), key=lambda row: row["HH"]) if sort else persons.rows()
        assert persons.run({'role = "household-id"\n': f'role = "household-id"\n{kind}'}, rows) == 0
        summary, safe = persons.summary, by_note(persons.safe())
        (combination,) = summary["combinations"]
        found.append((combination["household_risk"]["max"], combination["threshold"], combination["after"]["by_mode"]))
        found[-1] += (summary["suppression"], {note: {**row, "HH": ""} for note, row in safe.items()})
        assert ("households-scattered" in [w["id"] for w in summary["warnings"]]) is not sort
    assert found[0][1:2] + found[0][3:] == found[1][1:2] + found[1][3:]
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-14)


def test_reading_identifiers_of_any_kind(persons: Persons) -> None:
    rows = persons.rows()
    for row in rows:
        row["HH"] = f"Haus {row['HH']} ä"
    assert persons.run(rows=rows) == 0
    first = persons.summary["combinations"][0]["household_risk"]
    assert persons.run() == 0
    assert persons.summary["combinations"][0]["household_risk"] == first
    metadata = Session().metadata(load(persons.folder / "persons.pavo"))
    assert read(persons.folder / "persons.csv", metadata, ("HH",)).columns["HH"].n_valid == first["households"]


_VARIES = re.compile("The household variable AREA has different values within [^.]*[.]")


@pytest.mark.parametrize("varying", [1, 12])
@pytest.mark.parametrize("variant", ["internal", "external"])
def test_identifiers_stay_in_the_house(persons: Persons, variant: str, varying: int) -> None:
    """A report for the house says in which households something is odd; one that leaves it does not speak of them."""
    rows = [{**row, "HH": f"SECRET{row['HH']}"} for row in persons.rows()]
    first = {row["HH"]: row for row in reversed(rows)}
    several = sorted(home for home in first if sum(row["HH"] == home for row in rows) > 1)[:varying]
    for home in several:
        first[home]["AREA"] = "D"
    first[several[0]]["HH"] += " "  # a blank more than in its other members
    outside = f'[report]\nvariant = "{variant}"\n[output]\nhousehold_id = "remove"'
    kind = {'role = "household-id"\n': 'role = "household-id"\ncategorical = true\n'}
    assert persons.run({"[output]": outside} | kind, rows) == 0
    said = {warning["id"]: warning["text"] for warning in persons.summary["warnings"]}
    assert said.keys() >= {"household-variable-varies", "codes-differ-in-blanks"}
    number = "one household" if varying == 1 else "12 households"
    assert f"different values within {number}. Where" in said["household-variable-varies"]
    assert "SECRET" not in json.dumps(persons.summary)
    report = (persons.folder / "out" / "report.html").read_text()
    assert ("SECRET" in report) == (variant == "internal")
    told = _VARIES.findall(report)
    assert len(told) == (variant == "internal")
    assert all((number in sentence or varying == 1) and several[0] in sentence for sentence in told)
