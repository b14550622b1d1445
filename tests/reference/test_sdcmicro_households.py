"""Households of sdcMicro's testdata that are alone with their key, or nearly: counted in households, not in persons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.recipe.model import Combination, Input, Recipe, Suppression, VariableEdit
from core.session import Session
from core.tables.household_counts import HouseholdCounts

KEYS = ("urbrur", "roof", "walls", "water", "electcon")


@pytest.mark.parametrize(("k", "few"), [(2, 26), (3, 38), (5, 72)])
def test_households_with_fewer_than_k_of_their_key(shared: Path, k: int, few: int) -> None:
    recipe = Recipe(
        input=Input(data=shared / "data" / "testdata.csv"),
        variables=(VariableEdit("ori_hid", role="household-id"), VariableEdit("sampling_weight", role="weight")),
        combinations=(Combination(KEYS, model="k-anonymity", k=k, missing_rule="category"),),
        suppression=Suppression(criterion="none"),
    )
    session = Session()
    derived = session.derive(recipe)
    table, living = session.tabulation(derived, 0), derived.households
    assert living is not None and len(living) == 1000
    cells = table.cell_index.of_record
    f = table.cells.count[cells]
    h = HouseholdCounts(table, living, None).of((1 << len(KEYS)) - 1, cells)[0]
    assert len(np.unique(living.household_of_record[h < k])) == few
    assert session.hidden(derived)[0] == int(((f >= k) & (h < k)).sum()) > 0
