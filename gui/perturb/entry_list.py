"""The perturbations of the session in the order in which they are done, with buttons that move and remove them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout

from core.base.texts import translate
from core.perturbation.registry import REGISTRY
from core.recipe.model import Perturbation
from gui.shared.parts.buttons import role_button
from gui.shared.table.entry_list import EntryList
from gui.texts import as_tip
from gui.theme import scaled

_MOST_ROWS = 6


class PerturbationList(EntryList):
    """`perturbationList`, `movePerturbationUp`, `movePerturbationDown`, `removePerturbation`; hidden without entries.

    Signals
    -------
    moved(int, int)
        An entry, by its place from 0, shall be moved to another place.
    """

    moved = Signal(int, int)

    def __init__(self) -> None:
        called = translate("Perturbations in the order in which they are done")
        right = Qt.TextElideMode.ElideRight
        super().__init__("perturbationList", called, "removePerturbation", _MOST_ROWS, right)
        self.up = role_button("↑", "movePerturbationUp")
        self.down = role_button("↓", "movePerturbationDown")
        self.up.setAccessibleName(translate("Do it earlier"))
        self.down.setAccessibleName(translate("Do it later"))
        row = QHBoxLayout()
        for button in (self.up, self.down):
            button.setFixedWidth(scaled(36))
            button.setToolTip(as_tip(button.accessibleName()))
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.remove)
        self.column.addLayout(row)
        self.list.currentRowChanged.connect(lambda _row: self._judge())
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(+1))

    def show_entries(self, entries: Sequence[Perturbation], current: int | None) -> None:
        """Show those of a recipe; `current` is the one that is shown in the form."""
        names = [f"{place}. {perturbation_name(entry)}" for place, entry in enumerate(entries, 1)]
        title = translate("Done in this order ({n})").format(n=len(entries))
        self.show_names(title, names, -1 if current is None else current)
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
