"""Whatever is edited, undone and redone: the figures shown are those of a fresh computation from the recipe."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.recipe.edits import with_individual_threshold
from core.recipe.model import Recipe, Recode, Suppression, VariableEdit
from core.session import Session
from gui.document import Document
from tests.gui.conftest import wait_idle

EDITS = 200
KEYS = ("REGION", "SEX", "AGE", "MARSTAT", "EDUC")


def a_threshold(recipe: Recipe, chance: random.Random) -> Recipe:
    return with_individual_threshold(recipe, 0, 10 ** chance.uniform(-4, -0.5))


def a_recode(recipe: Recipe, chance: random.Random) -> Recipe:
    name = chance.choice(("REGION", "AGE"))
    others = tuple(recode for recode in recipe.recodes if recode.variable != name)
    new = {
        "REGION": Recode("REGION", truncate=chance.choice((1, 2))),
        "AGE": Recode("AGE", scheme="\n".join(f"{i}: {10 * i}-{10 * i + 9}" for i in range(10))),
    }[name]
    return recipe.with_(recodes=(*others, new) if chance.random() < 0.7 else others)


def a_combination(recipe: Recipe, chance: random.Random) -> Recipe:
    first = replace(recipe.combinations[0], variables=tuple(chance.sample(KEYS, chance.randint(2, 5))))
    return recipe.with_(combinations=(first,))


def a_rule(recipe: Recipe, chance: random.Random) -> Recipe:
    rule = chance.choice(("observed", "wildcard"))
    return recipe.with_(combinations=(replace(recipe.combinations[0], missing_rule=rule),))


def a_weight(recipe: Recipe, chance: random.Random) -> Recipe:
    name = chance.choice(KEYS)
    edit = next((v for v in recipe.variables if v.name == name), VariableEdit(name))
    others = tuple(v for v in recipe.variables if v.name != name)
    return recipe.with_(variables=(*others, replace(edit, suppression_weight=chance.randint(0, 100))))


def a_criterion(recipe: Recipe, chance: random.Random) -> Recipe:
    return recipe.with_(suppression=Suppression(criterion=chance.choice(("entropy", "weights"))))


KINDS: tuple[Callable[[Recipe, random.Random], Recipe], ...] = (
    a_threshold, a_recode, a_combination, a_rule, a_weight, a_criterion,
)  # fmt: skip


def figures(derived: Any) -> dict[str, Any]:
    table = derived.tables[0]
    return {
        "keys": table.cells.variables,
        "f": np.sort(table.cells.f),
        "F": np.sort(table.cells.F),
        "levels": table.staircase.levels,
        "records": table.staircase.cumulative_records,
        "threshold": table.threshold,
        "overview": {v.name: v.unsafe_by_dimension for v in derived.overview.variables},
        "codes": {name: column.codes for name, column in derived.columns.items()},
    }


def same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert found.keys() == expected.keys()
    for name, value in found.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, expected[name], name)
        else:
            assert value == expected[name], name


@pytest.mark.parametrize("seed", [1, 2])
def test_two_hundred_random_edits_with_undo_and_redo(qtbot: QtBot, open_window: Any, demo: Path, seed: int) -> None:
    document: Document = open_window(demo / "survey.pavo").document
    document.commit("No outputs", document.recipe.with_(output=replace(document.recipe.output, data=None)))
    chance = random.Random(seed)
    compared = 0
    for number in range(EDITS):
        move = chance.random()
        if move < 0.25:
            document.undo()
        elif move < 0.4:
            document.redo()
        elif move < 0.45:
            document.jump(chance.randrange(1, len(document.history)))
        else:
            document.commit(f"Edit {number}", chance.choice(KINDS)(document.recipe, chance))
        if chance.random() < 0.3 or number == EDITS - 1:
            wait_idle(qtbot, document)
            assert document.error is None
            assert not document.stale
            same(figures(document.derived), figures(Session().derive(document.recipe)))
            compared += 1
    assert compared > EDITS / 6
