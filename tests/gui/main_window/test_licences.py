"""About Pavo leads to the libraries and the texts of their licences."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

import pytest
from pytestqt.qtbot import QtBot

from gui import dialogs
from gui.main_window.licences_dialog import LicencesDialog
from gui.main_window.window import MainWindow


def test_every_library_is_named_with_its_licence_and_text(qtbot: QtBot) -> None:
    dialog = LicencesDialog()
    qtbot.addWidget(dialog)
    lines = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert lines[0].startswith("Python 3.")
    assert "PYTHON SOFTWARE FOUNDATION" in dialog.text.toPlainText().upper()
    row = next(row for row, line in enumerate(lines) if line.startswith(f"numpy {version('numpy')}  ·  BSD-3-Clause"))
    dialog.list.setCurrentRow(row)
    assert "NumPy Developers" in dialog.text.toPlainText()


def test_of_one_without_a_text_its_licence_is_named(qtbot: QtBot) -> None:
    dialog = LicencesDialog()
    qtbot.addWidget(dialog)
    row = next(row for row in range(dialog.list.count()) if dialog.list.item(row).text().startswith("PySide6"))
    dialog.list.setCurrentRow(row)
    assert "LGPL-3.0" in dialog.text.toPlainText()


@pytest.mark.parametrize(("answer", "opened"), [(0, 1), (1, 0)])
def test_about_offers_them(
    open_window: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch, answer: int, opened: int
) -> None:
    window = open_window()
    shown: list[LicencesDialog] = []

    def show(dialog: LicencesDialog) -> int:
        shown.append(dialog)
        return 0

    with monkeypatch.context() as changed:
        changed.setattr(LicencesDialog, "exec", show)
        changed.setattr(dialogs, "ask", lambda *_args, **_kwargs: answer)
        window.commands.about()
    assert len(shown) == opened
