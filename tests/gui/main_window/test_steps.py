"""When each step of the workflow is done and when it needs attention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.base.texts import language_in_use, languages
from core.recipe.model import Combination, Recipe, Recode, Threshold, VariableEdit
from gui.document.document import Document
from gui.main_window.window import MainWindow
from gui.main_window.workflow import WorkStep, steps
from gui.main_window.workflow_bar import WIDEST, StepButton, WorkflowBar
from tests.gui.waiting import wait_idle

NAMES = ["Data", "Metadata", "Combinations", "Risk", "Recode", "Protect", "Report"]
Change = Callable[[Recipe], Recipe]


@pytest.fixture
def document(open_window: Callable[..., MainWindow], survey: Path) -> Document:
    return open_window(survey / "survey.pavo").document


def step(document: Document, name: str) -> WorkStep:
    return next(step for step in steps(document) if step.name == name)


def do(qtbot: QtBot, document: Document, change: Change) -> None:
    document.commit("Changed", change(document.recipe))
    wait_idle(qtbot, document)


def test_seven_steps_in_their_order_and_where_each_leads(document: Document) -> None:
    assert [step.name for step in steps(document)] == NAMES
    assert [step.window for step in steps(document)] == [
        "openMicrodata", "specifyMetadata", "selectCombinations", "riskChart", "globalRecode", "makeProtectedFile",
        "report",
    ]  # fmt: skip
    assert step(document, "Data").state == "done" and step(document, "Data").detail == "5,002 records"
    assert step(document, "Metadata").state == "done", "whoever saved combinations had looked at the metadata"


def unreadable(document: Document) -> Change:
    """Make a line of the data too short."""
    path = document.recipe.input.data
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:6], lines[6][3:], *lines[7:]]))
    return lambda recipe: recipe


def test_unreadable_lines_are_for_the_data_step(qtbot: QtBot, document: Document) -> None:
    unreadable(document)
    document.retry()
    wait_idle(qtbot, document)
    data = step(document, "Data")
    assert data.state == "attention" and "line 7" in data.reason


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("Metadata", lambda r: r.with_(variables=(*r.variables, VariableEdit("SEX", role="weight"))), "weight"),
        ("Combinations", lambda r: r.with_(combinations=(Combination(("SEX", "NOBODY")),)), "NOBODY"),
        ("Recode", lambda r: r.with_(recodes=(*r.recodes, Recode("NOBODY", truncate=1))), "NOBODY"),
        ("Recode", lambda r: r.with_(recodes=(*r.recodes, Recode("SEX", scheme="1 1\n2"))), "SEX"),
        ("Recode", lambda r: r.with_(recodes=(*r.recodes, Recode("SEX", scheme_file=Path("Gone.grc")))), "Gone.grc"),
    ],
)
def test_a_step_whose_part_no_longer_fits_needs_attention(
    qtbot: QtBot, document: Document, name: str, change: Any, said: str
) -> None:
    do(qtbot, document, change)
    found = step(document, name)
    assert found.state == "attention" and said in found.reason, document.session.error
    others = {each.name for each in steps(document) if each.state == "attention"} - {"Risk", "Protect"}
    assert others == {name}


def test_risk_is_done_once_a_threshold_leaves_nobody_unsafe(qtbot: QtBot, document: Document) -> None:
    assert step(document, "Risk").state == "attention"
    do(qtbot, document, lambda r: r.with_(threshold=Threshold()))
    assert (step(document, "Risk").state, step(document, "Risk").reason) == ("open", "")
    assert step(document, "Risk").detail == "no threshold yet"
    do(qtbot, document, lambda r: r.with_(threshold=Threshold(individual_risk=1.0)))
    assert step(document, "Risk").state == "done"


def test_recode_tells_how_many_and_is_optional(qtbot: QtBot, document: Document) -> None:
    number = len(document.recipe.recodes)
    assert step(document, "Recode").state == "done" and step(document, "Recode").detail.startswith(f"{number} recoded")
    do(qtbot, document, lambda r: r.with_(recodes=()))
    assert (step(document, "Recode").state, step(document, "Recode").detail) == ("open", "optional")


def test_combinations_of_several_rules_are_called_mixed(qtbot: QtBot, document: Document) -> None:
    from gui.main_window.status_texts import status_parts

    (combination,) = document.recipe.combinations
    halves = combination.variables[:2], combination.variables[2:]
    rules = "observed", "category"
    both = tuple(replace(combination, variables=n, missing_rule=r) for n, r in zip(halves, rules, strict=True))
    do(qtbot, document, lambda r: r.with_(combinations=both))
    assert dict(status_parts(document))["MissingRule"] == "missing rule: mixed"
    do(qtbot, document, lambda r: r.with_(combinations=both[1:]))
    assert dict(status_parts(document))["MissingRule"] == "missing rule: category"


@pytest.mark.parametrize("language", languages())
def test_the_wide_rail_has_room_for_what_steps_are_for(qtbot: QtBot, document: Document, language: str) -> None:
    with language_in_use(language):
        bar = WorkflowBar(steps(document))
        qtbot.addWidget(bar)
        assert max(button.wide for button in bar.findChildren(StepButton)) <= bar.width() <= WIDEST
