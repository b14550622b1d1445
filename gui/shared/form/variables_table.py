"""Variables to tick, with their labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from core.base.texts import translate
from core.data.variables import Metadata
from gui import numbers
from gui.shared.parts.buttons import role_button
from gui.shared.table.checked_table import CheckedTable
from gui.shared.table.model import Column

TIMES = " × "
"""Between the variables of a set."""
_FEW = 12
"""Variables that are found without a filter."""
_NO_KEYS = ("weight", "household-id", "direct-identifier")


class Offered(NamedTuple):
    """A variable that a measure can be taken on."""

    name: str
    label: str


def offered_variables(metadata: Metadata) -> list[Offered]:
    """The variables that somebody could know, or want to know: no identifiers, no weight, nothing removed."""
    found = (each for each in metadata.variables if each.role not in _NO_KEYS and not each.removed)
    return [Offered(each.name, each.label) for each in found]


class VariablesTable(CheckedTable):
    """Ticks are by name, in the order of the file; *All* and *None* have names such as ``measureVariablesAll``.

    Signals
    -------
    changed()
        Other variables are ticked, by the user.
    """

    changed = Signal()

    def __init__(self, name: str, title: str, heads: tuple[str, str] | None = None) -> None:
        super().__init__(name, title)
        self._heads = heads or (translate("Variable"), translate("Label"))
        self._called = title
        self._names: tuple[str, ...] = ()
        self._labelled: tuple[Offered, ...] = ()
        self.stretch(0)
        self.all = role_button(translate("All"), f"{name}All", "quiet")
        self.all.setToolTip(translate("Tick all that are shown"))
        self.none = role_button(translate("None"), f"{name}None", "quiet")
        self.none.setToolTip(translate("Tick nothing that is shown"))
        self.foot = QHBoxLayout()
        for button in (self.all, self.none):
            button.setAccessibleDescription(title)
            self.foot.addWidget(button)
        self.foot.addStretch(1)
        column = self.layout()
        assert isinstance(column, QVBoxLayout), "a table has one"
        column.addLayout(self.foot)
        self.all.clicked.connect(lambda: self._tick_shown(True))
        self.none.clicked.connect(lambda: self._tick_shown(False))
        self.rows.ticked.connect(self._ticked)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all that are offered."""
        return self._names

    @property
    def ticked(self) -> tuple[str, ...]:
        """Names of the ticked variables."""
        return tuple(self._names[place] for place in self.rows.ticks)

    def offer(self, variables: Sequence[Offered]) -> None:
        """Show these variables; ticks of those that stay are kept."""
        if tuple(variables) == self._labelled:
            return
        before, self._labelled = self.ticked, tuple(variables)
        self._names = tuple(each.name for each in variables)
        columns = [Column(self._heads[0], list(self._names))]
        if 2 * sum(bool(each.label) for each in variables) >= len(variables) > 0:  # a column of blanks tells nothing
            columns.append(Column(self._heads[1], [each.label for each in variables]))
        self.set_columns(columns)
        self.filter.setVisible(len(variables) > _FEW)
        self.fit_columns()
        self.tick(before)

    def tick(self, names: Collection[str]) -> None:
        """Tick these variables and no others."""
        self.rows.tick([place for place, name in enumerate(self._names) if name in names])
        self._say_count()
        row = self.rows.row_of(self.ticked[0]) if self.ticked else -1
        if row >= 0:  # of a long list the first that is ticked is in sight
            self.view.scrollTo(self.rows.index(row, 0))

    def _tick_shown(self, wanted: bool) -> None:
        """Tick or untick what the filter leaves; the others stay as they are."""
        shown = {self.rows.place(row) for row in range(self.rows.rowCount())}
        ticks = set(self.rows.ticks)
        self.rows.tick(ticks | shown if wanted else ticks - shown)
        if set(self.rows.ticks) != ticks:
            self._ticked()

    def _ticked(self) -> None:
        self._say_count()
        self.changed.emit()

    def _say_count(self) -> None:
        """How many are ticked: some may be out of sight."""
        told = translate("{title} ({n})").format(title=self._called, n=numbers.format_count(len(self.ticked)))
        self.set_title(told if self.ticked else self._called)
