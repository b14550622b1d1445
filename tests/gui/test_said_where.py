"""Sentences that stand at one place only: where they are said, and what can be done there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from core.batch import main as run
from core.recipe.model import Combination, NumericEdit, Recode, TopBottomCode
from core.tables.automatic import count_by_identification_level, count_up_to_dimension
from gui.main_window.window import MainWindow
from gui.specify_metadata.describe_columns import DescribeColumns, PasteLayout
from tests.gui.buttons import press
from tests.gui.specify_metadata.hand import accept, opened, select
from tests.gui.waiting import wait_idle


def test_a_session_that_describes_no_variable_says_so_in_the_main_window(
    open_window: Callable[..., MainWindow], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.asc").write_text("123\n456\n", encoding="utf-8")
    session = tmp_path / "x.pavo"
    session.write_text('recipe = 1\n[input]\ndata = "x.asc"\nformat = "fixed"\nvariables = "here"\n', encoding="utf-8")
    said = "No variable is described. Describe at least one variable."
    window = open_window(session)
    assert window.messages.text == said
    assert window.document.derived is None
    assert run([str(session)]) == 1
    assert capsys.readouterr().err == f"pavo: {said}\n"


@pytest.mark.parametrize("text", ["", "\n  \n", "name start length\n"])
def test_a_text_without_fields_is_no_layout(qtbot: QtBot, text: str) -> None:
    dialog = DescribeColumns([b"0101 m12"], "utf-8", [])
    qtbot.addWidget(dialog)
    dialog.show()
    before = dialog.fields
    press(qtbot, dialog, "pasteLayout")
    pasting = dialog.findChild(PasteLayout)
    assert pasting is not None
    pasting.findChild(QPlainTextEdit, "layoutText").setPlainText(text)
    press(qtbot, pasting, "acceptLayout")
    assert pasting.message.text() == (
        "There is no layout in this text. Write one field a line: its name, its start and its length, for example:"
        " REGION 1 4"
    )
    assert (pasting.isVisible(), dialog.fields) == (True, before)


def test_what_changed_variables_make_impossible_is_asked_about_in_specify_metadata(
    qtbot: QtBot, survey_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = survey_window.document
    recipe = document.recipe.with_(
        combinations=(Combination(("REGION", "SEX", "AGE")), Combination(("AGE",), "frequency")),
        recodes=(Recode("AGE", scheme="1: 0-49\n2: 50-98"),),
        numeric=(NumericEdit("INCOME", TopBottomCode(5000.0, "5000")),),
    )
    document.commit("a session", recipe)
    wait_idle(qtbot, document)
    asked: list[tuple[Any, ...]] = []
    answers = [1, 0]

    def ask(parent: QWidget, text: str, detail: str, choices: Any, _default: int = 0) -> int:
        asked.append((parent, text, detail, list(choices)))
        return answers.pop(0) if answers else 1

    monkeypatch.setattr("gui.dialogs.ask", ask)
    window = opened(qtbot, survey_window)
    select(window, "AGE", "INCOME")
    press(qtbot, window, "removeVariable")
    accept(qtbot, window)
    lost = [
        "The combination REGION × SEX × AGE goes on without AGE.",
        "The combination AGE is removed.",
        "The recode of AGE is removed.",
    ]
    (parent, text, detail, choices) = asked[0]
    assert (parent, text) == (window, "The changed variables make other parts of the session impossible.")
    assert detail.split("\n")[:3] == lost
    assert "INCOME" in detail.split("\n")[3] and detail.count("\n") == 3
    assert choices == ["Go on", "Cancel"]
    assert window.isVisible() and document.recipe == recipe, "cancelled"
    accept(qtbot, window)
    assert len(asked) == 2
    assert survey_window.window_named("specifyMetadata") is None
    assert document.recipe.combinations == (Combination(("REGION", "SEX")),)
    assert (document.recipe.recodes, document.recipe.numeric) == ((), ())


@given(levels=st.lists(st.integers(1, 5), min_size=1, max_size=12), dimension=st.integers(1, 6))
def test_identifying_variables_always_give_a_table(levels: list[int], dimension: int) -> None:
    """Automatic specification needs no sentence for none: one variable of each level is always a combination."""
    assert count_by_identification_level(levels) >= 1
    assert count_up_to_dimension(len(levels), min(dimension, len(levels))) >= 1
