"""The measures that stand in the recipe, and so in the report, with a button that takes one out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QVBoxLayout, QWidget

from core.base.texts import translate
from core.recipe.declared import Declaration, Registry
from core.recipe.model import Measure
from core.recipe.scenarios import scenarios_of
from core.risk.measures.evaluation import RiskMeasure
from gui.shared.accessible import as_heading
from gui.shared.labels import ElidedLabel
from gui.shared.list_rows import replace_rows
from gui.shared.parts.buttons import role_button
from gui.texts import as_tip
from gui.theme import scaled, write_as

_ROW, _MOST_ROWS = 26, 4


class ReportList(QWidget):
    """`reportMeasures` and `removeMeasure`; not there while the recipe has none.

    Signals
    -------
    opened(int), removed(int)
        A measure, by its place in the recipe, shall be shown or taken out.
    """

    opened = Signal(int)
    removed = Signal(int)

    def __init__(self, known: Registry[RiskMeasure]) -> None:
        super().__init__()
        self._known = known
        self.title = ElidedLabel("", "reportMeasuresHeading")
        write_as(self.title, "section")
        as_heading(self.title)
        self.list = QListWidget(objectName="reportMeasures")
        self.list.setAccessibleName(translate("Measures in the report"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.remove = role_button(translate("Re&move"), "removeMeasure", "quiet")
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.list)
        self.list.activated.connect(lambda index: self.opened.emit(index.row()))
        self.list.clicked.connect(lambda index: self.opened.emit(index.row()))
        self.remove.clicked.connect(self._remove)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)

    def show_measures(self, measures: Sequence[Measure]) -> None:
        """Show those of a recipe."""
        row = self.list.currentRow()
        self.setVisible(bool(measures))
        self.title.setText(translate("In the report ({n})").format(n=len(measures)))
        display, tip = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
        names = [measure_name(self._known.declaration(each.kind), each) for each in measures]
        replace_rows(self.list, [{display: name, tip: as_tip(name)} for name in names])
        self.list.setFixedHeight(scaled(_ROW) * min(len(measures), _MOST_ROWS) + scaled(_ROW) // 2)
        self.list.setCurrentRow(min(max(row, 0), len(measures) - 1))

    def _remove(self) -> None:
        if self.list.currentRow() >= 0:
            self.removed.emit(self.list.currentRow())


def measure_name(declaration: Declaration | None, entry: Measure) -> str:
    """What an entry is called: ``SUDA: REGION × SEX``, ``SUDA: neighbour`` on a scenario of that name."""
    title = translate(declaration.title) if declaration is not None else entry.kind
    keys = " × ".join(entry.variables) or ", ".join(name for _key, name in scenarios_of(entry))
    return f"{title}: {keys}" if keys else title
