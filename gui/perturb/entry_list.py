"""The perturbations of the session in the order in which they are done, with buttons that move and remove them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QVBoxLayout, QWidget

from core.base.texts import translate
from core.perturbation.registry import REGISTRY
from core.recipe.model import Perturbation
from gui.shared.accessible import as_heading
from gui.shared.labels import ElidedLabel
from gui.shared.list_rows import replace_rows
from gui.shared.parts.buttons import role_button
from gui.texts import as_tip
from gui.theme import scaled, write_as

_ROW, _MOST_ROWS = 26, 6


class PerturbationList(QWidget):
    """`perturbationList`, `movePerturbationUp`, `movePerturbationDown`, `removePerturbation`; hidden without entries.

    Signals
    -------
    opened(int), removed(int), moved(int, int)
        An entry, by its place from 0, shall be shown, taken out, or moved to another place.
    """

    opened = Signal(int)
    removed = Signal(int)
    moved = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel("", "perturbationListHeading")
        write_as(self.title, "section")
        as_heading(self.title)
        self.list = QListWidget(objectName="perturbationList")
        self.list.setAccessibleName(translate("Perturbations in the order in which they are done"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.up = role_button("↑", "movePerturbationUp")
        self.down = role_button("↓", "movePerturbationDown")
        self.remove = role_button(translate("Re&move"), "removePerturbation", "quiet")
        self.up.setAccessibleName(translate("Do it earlier"))
        self.down.setAccessibleName(translate("Do it later"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addWidget(self.list)
        row = QHBoxLayout()
        for button in (self.up, self.down):
            button.setFixedWidth(scaled(36))
            button.setToolTip(as_tip(button.accessibleName()))
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.remove)
        column.addLayout(row)
        self.list.activated.connect(lambda index: self.opened.emit(index.row()))
        self.list.clicked.connect(lambda index: self.opened.emit(index.row()))
        self.list.currentRowChanged.connect(lambda _row: self._judge())
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(+1))
        self.remove.clicked.connect(self._remove)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)

    def show_entries(self, entries: Sequence[Perturbation], current: int | None) -> None:
        """Show those of a recipe; `current` is the one that is shown in the form."""
        self.setVisible(bool(entries))
        self.title.setText(translate("Done in this order ({n})").format(n=len(entries)))
        display, tip = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
        names = [f"{place}. {perturbation_name(entry)}" for place, entry in enumerate(entries, 1)]
        replace_rows(self.list, [{display: name, tip: as_tip(name)} for name in names])
        self.list.setFixedHeight(scaled(_ROW) * min(len(entries), _MOST_ROWS) + scaled(_ROW) // 2)
        self.list.setCurrentRow(-1 if current is None else current)
        self._judge()

    def _judge(self) -> None:
        row, n = self.list.currentRow(), self.list.count()
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < n - 1)
        self.remove.setEnabled(row >= 0)

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        if 0 <= row + by < self.list.count():
            self.moved.emit(row, row + by)

    def _remove(self) -> None:
        if self.list.currentRow() >= 0:
            self.removed.emit(self.list.currentRow())


def perturbation_name(entry: Perturbation) -> str:
    """What an entry is called: ``Noise: INCOME, RENT``, ``Noise: INCOME within REGION``."""
    declaration = REGISTRY.declaration(entry.method)
    title = translate(declaration.title) if declaration is not None else entry.method
    said = dict(entry.parameters)
    instead = declaration.instead if declaration is not None else ()
    names = entry.variables or next((said[name] for name in instead if name in said), ())
    name = f"{title}: {', '.join(names)}" if names else title
    within = said.get("within")
    return translate("{name} within {strata}").format(name=name, strata=", ".join(within)) if within else name
