"""What a household type would be, against a count by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from core.recipe.model import HouseholdKey, Input, Recipe
from core.session import Session
from core.whatif.household_type_preview import household_type_preview
from tests.members import members_of


@pytest.mark.parametrize("members", [("SEX",), ("SEX", "MARSTAT"), ()])
def test_frequent_types_are_those_of_a_count_by_hand(demo: Path, members: tuple[str, ...]) -> None:
    spec = HouseholdKey("KIND", "household-type", members)
    recipe = Recipe(input=Input(data=demo / "survey.asc", metadata=demo / "survey.rda"), derived=(spec,))
    prepared = Session().prepare(recipe)
    found = household_type_preview(prepared, "KIND", most=5)
    assert prepared.households is not None
    columns = [prepared.columns[name] for name in members]
    persons = [members_of(prepared.households, h).tolist() for h in range(len(prepared.households))]
    kinds = [
        tuple(sorted(tuple(int(c.values[i]) for c in columns) for i in home)) if members else _class(len(home))
        for home in persons
    ]
    count = Counter(kinds)
    assert (found.households, found.types) == (len(persons), len(count))
    assert found.alone == sum(n == 1 for n in count.values())
    assert [each.households for each in found.frequent] == [n for _, n in count.most_common(5)]
    records = Counter({kind: sum(len(p) for p, k in zip(persons, kinds, strict=True) if k == kind) for kind in count})
    assert sorted(each.records for each in found.frequent) == sorted(records[k] for k, _ in count.most_common(5))
    assert all(each.label for each in found.frequent)


def _class(size: int) -> str:
    return str(size) if size < 3 else "3-4" if size < 5 else "5+"
