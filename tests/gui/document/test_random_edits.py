"""Whatever is edited, undone and redone: the figures shown are those of a fresh computation from the recipe."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.base.errors import PavoError
from core.recipe.model import Recipe
from core.results.unsafe_records import unsafe_counts
from core.session import Session
from gui.document import engine
from gui.document.document import PROTECT, Document
from tests.gui.document.random_edits import EDITS
from tests.gui.waiting import wait_idle

NUMBER = 120


def figures(derived: Any, unsafe: Mapping[str, int]) -> dict[str, Any]:
    """Everything that a window can show of a session."""
    names = ("metadata", "columns", "labels", "households", "tables", "overview", "overviews", "notices")
    return {**{name: getattr(derived, name) for name in names}, "unsafe records": unsafe}


def same(found: Any, expected: Any, where: str = "") -> None:
    """Every figure of the one is that of the other, to the last digit."""
    assert type(found) is type(expected), where
    if isinstance(found, np.ndarray):
        np.testing.assert_array_equal(found, expected, where)
    elif is_dataclass(found):
        for field in (field for field in fields(found) if field.compare):
            same(getattr(found, field.name), getattr(expected, field.name), f"{where}.{field.name}")
    elif isinstance(found, Mapping):
        assert list(found) == list(expected), where
        for name, value in found.items():
            same(value, expected[name], f"{where}.{name}")
    elif hasattr(found, "__len__") and not isinstance(found, str | bytes):
        assert len(found) == len(expected), where
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            same(one, other, f"{where}[{number}]")
    else:
        assert found == expected or (found != found and expected != expected), where


def edit(document: Document, number: int, chance: random.Random) -> None:
    """Do, undo or redo something, or go anywhere in the history."""
    move = chance.random()
    if move < 0.25:
        document.undo()
    elif move < 0.4:
        document.redo()
    elif move < 0.45:
        document.jump(chance.randrange(1, len(document.session.history.steps)))
    else:
        document.commit(f"Edit {number}", chance.choice(EDITS)(document.recipe, chance))


def fresh(recipe: Recipe) -> Any:
    """What a session that knows nothing makes of a recipe: its figures, or why there are none."""
    try:
        derived = Session().derive(recipe)
    except PavoError as error:
        return error
    return figures(derived, unsafe_counts(derived)[0])


def numbers_of(qtbot: QtBot, document: Document) -> Iterator[tuple[Any, Any]]:
    """Each changed numerical variable as its window compares it, and as a fresh session does."""
    for spec in document.recipe.numeric:
        found: list[Any] = []
        document.ask("compare", engine.compare_numbers, document.recipe, spec, done=found.append, failed=found.append)
        wait_idle(qtbot, document)
        yield found[0], Session().compare_numbers(document.recipe, spec)


def plans_of(qtbot: QtBot, document: Document) -> tuple[Any, Any]:
    """The suppressions, or why there are none: as Make Protected File previews them, and of a fresh session."""
    found: list[Any] = []
    document.ask(PROTECT, engine.protect, document.recipe, done=found.append, failed=found.append)
    wait_idle(qtbot, document)
    try:
        fresh = Session().protect(document.recipe)
    except PavoError as error:
        return str(found[0]), str(error)
    return (
        (found[0].plan, found[0].unsafe_left, found[0].notices),
        (fresh.plan, fresh.unsafe_left, fresh.notices),
    )


@pytest.mark.parametrize(("session", "seed"), [("survey.pavo", 1), ("survey-households.pavo", 2)])
def test_random_edits_with_undo_and_redo(qtbot: QtBot, open_window: Any, demo: Path, session: str, seed: int) -> None:
    document: Document = open_window(demo / session).document
    document.commit("No outputs", document.recipe.with_(output=replace(document.recipe.output, data=None)))
    chance = random.Random(seed)
    compared = refused = 0
    for number in range(NUMBER):
        edit(document, number, chance)
        if chance.random() > 0.25 and number < NUMBER - 1:
            continue
        wait_idle(qtbot, document)
        expected = fresh(document.recipe)
        if isinstance(expected, PavoError):
            assert str(document.session.error) == str(expected)
            refused += 1
            continue
        assert document.session.error is None
        assert not document.stale
        same(figures(document.derived, dict(document.session.unsafe_records)), expected)
        compared += 1
        if compared % 10 == 0:
            for found, wanted in numbers_of(qtbot, document):
                same(found, wanted, "numbers")
            same(*plans_of(qtbot, document), "plan")
    assert compared > NUMBER / 8
    assert refused < compared / 4
