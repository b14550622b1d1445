"""History: every step of the session, and a way to each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QPushButton

from core.base.texts import mark, translate
from core.recipe.changes import Changes, changes
from gui.document.document import Document
from gui.document.history import Step
from gui.shared.list_rows import Row, replace_rows
from gui.shared.tool_window import ToolWindow
from gui.texts import as_tip
from gui.theme import muted, theme

_PARTS = {
    "input": mark("data"),
    "metadata": mark("metadata"),
    "combinations": mark("combinations"),
    "recodes": mark("recodes"),
    "numeric": mark("numerical variables"),
    "perturbations": mark("perturbations"),
    "scenarios": mark("scenarios"),
    "threshold": mark("threshold"),
    "suppression": mark("suppression"),
    "measures": mark("measures"),
    "profile": mark("release profile"),
    "target": mark("target"),
    "utility": mark("utility"),
    "report": mark("report details"),
    "output": mark("output"),
}


class HistoryWindow(ToolWindow):
    """`historySteps`, newest last; Enter, a double-click or `historyJump` goes to the selected step."""

    name = "history"
    title = mark("History")
    default_size = (440, 460)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(300, 240)
        self.explanation = QLabel(
            translate("Every change is a step. Go to any of them; later steps stay until something else is changed.")
        )
        self.explanation.setWordWrap(True)
        muted(self.explanation)
        self.steps = QListWidget(objectName="historySteps")
        self.steps.setAccessibleName(translate("Steps of the session"))
        self.steps.setAlternatingRowColors(True)
        self.steps.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.steps.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.steps.setSpacing(2)
        self.jump = QPushButton(translate("&Go to this step"), objectName="historyJump")
        self.jump.setDefault(True)
        close = QPushButton(translate("&Close"), objectName="historyClose")
        close.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(close)
        buttons.addWidget(self.jump)
        self.content.addWidget(self.explanation)
        self.content.addWidget(self.steps, 1)
        self.content.addLayout(buttons)
        self.steps.itemActivated.connect(lambda _item: self._jump())
        self.steps.currentRowChanged.connect(lambda _row: self._allow())
        self.jump.clicked.connect(self._jump)
        close.clicked.connect(self.close)
        document.session_changed.connect(self._refresh)
        theme.changed.connect(self._refresh)
        self._refresh()

    def recipe_changed(self, changes: Any) -> None:
        """Another step is the current one, or there is a new one."""
        self._refresh()

    def _refresh(self) -> None:
        document = self.document
        history, current = document.session.history.steps, document.session.history.index
        self.steps.blockSignals(True)
        replace_rows(self.steps, [self._row(number, history, current) for number in range(len(history))])
        self.steps.setCurrentRow(current)
        self.steps.scrollTo(self.steps.currentIndex())
        self.steps.blockSignals(False)
        self._allow()

    def _row(self, number: int, history: Sequence[Step], current: int) -> Row:
        label = history[number].label
        changed = _changed(changes(history[number - 1].recipe, history[number].recipe)) if number else ""
        row: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: label,
            Qt.ItemDataRole.ToolTipRole: as_tip(f"{label}\n{changed}".strip()),
        }
        if number == current:
            font = self.steps.font()
            font.setBold(True)
            row[Qt.ItemDataRole.FontRole] = font
            row[Qt.ItemDataRole.DisplayRole] = translate("{label}  (now)").format(label=label)
        elif number > current:
            row[Qt.ItemDataRole.ForegroundRole] = QColor(theme.scheme.muted)
            row[Qt.ItemDataRole.DisplayRole] = translate("{label}  (undone)").format(label=label)
        return row

    def _allow(self) -> None:
        self.jump.setEnabled(self.steps.currentRow() not in (-1, self.document.session.history.index))

    def _jump(self) -> None:
        self.document.jump(self.steps.currentRow())


def _changed(difference: Changes) -> str:
    """The parts of the session that a step changed, in words."""
    names = [translate(text) for part, text in _PARTS.items() if getattr(difference, part)]
    return translate("Changed: {parts}").format(parts=", ".join(names)) if names else ""
