"""The hierarchies of the keys as a tree: which levels are searched."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from core.base.texts import translate
from gui.numbers import format_count, format_percent
from gui.shared.advice import coding_told
from gui.texts import as_tip

if TYPE_CHECKING:
    from core.whatif.plans.hierarchies import Hierarchy, HierarchyLevel

_LEVEL = Qt.ItemDataRole.UserRole


def level_told(name: str, level: HierarchyLevel) -> str:
    """What a level makes of a key, in a few words."""
    if level.kind == "original":
        return translate("as in the file")
    if level.kind == "as-now":
        return translate("as it is coded now")
    if level.kind == "left-out":
        return translate("left out")
    return coding_told(name, level.kind, level.by, level.column)


class LevelsTree(QTreeWidget):
    """`planLevels`: a branch a key, a ticked line a level that is searched. `chosen_changed()`."""

    chosen_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("planLevels")
        self.setAccessibleName(translate("Levels that are searched"))
        self.setHeaderLabels([translate("Level"), translate("Codes"), translate("Loses")])
        self.headerItem().setToolTip(2, translate("Share of the key's detail that its codes lose at this level"))
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.setTabKeyNavigation(False)
        self._hierarchies: tuple[Hierarchy, ...] = ()
        self.itemChanged.connect(lambda *_: self.chosen_changed.emit())

    def set_hierarchies(self, found: Sequence[Hierarchy]) -> None:
        """Show these; a level that was not ticked stays so where it is still there."""
        off = self._unticked()
        self._hierarchies = tuple(found)
        self.blockSignals(True)
        self.clear()
        for hierarchy in found:
            branch = QTreeWidgetItem(self, [hierarchy.variable])
            branch.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            for level in hierarchy.levels:
                self._add(branch, hierarchy, level, _key(hierarchy, level) in off)
            branch.setExpanded(True)
        self.blockSignals(False)
        self.chosen_changed.emit()

    def _add(self, branch: QTreeWidgetItem, hierarchy: Hierarchy, level: HierarchyLevel, is_off: bool) -> None:
        first = hierarchy.levels[0]
        detail = first.lost + first.values[1] * first.entropy
        told = level_told(hierarchy.variable, level)
        lost = format_percent(level.lost / detail if detail else 0.0, 0)
        item = QTreeWidgetItem(branch, [told, format_count(level.codes) if level.codes else "", lost])
        item.setToolTip(0, as_tip(told))
        for column in (1, 2):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(0, _LEVEL, _key(hierarchy, level))
        item.setCheckState(0, Qt.CheckState.Unchecked if is_off else Qt.CheckState.Checked)

    def _unticked(self) -> set[tuple[object, ...]]:
        return {item.data(0, _LEVEL) for branch in self.branches() for item in _lines(branch) if not _is_ticked(item)}

    def branches(self) -> list[QTreeWidgetItem]:
        """The line of each key."""
        return _lines(self.invisibleRootItem())

    @property
    def plans(self) -> int:
        """How many plans the ticked levels make; one without any key is none."""
        chosen = self.chosen
        number = math.prod(len(each.levels) for each in chosen)
        return number - all(each.levels[-1].is_left_out for each in chosen)

    @property
    def chosen(self) -> tuple[Hierarchy, ...]:
        """The hierarchies with the ticked levels alone; of a key without any, its present coding."""
        both = zip(self._hierarchies, self.branches(), strict=True)
        return tuple(
            hierarchy.only([i for i, item in enumerate(_lines(branch)) if _is_ticked(item)])
            for hierarchy, branch in both
        )


def _key(hierarchy: Hierarchy, level: HierarchyLevel) -> tuple[object, ...]:
    return hierarchy.variable, level.kind, level.by, level.column


def _lines(branch: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    found = (branch.child(i) for i in range(branch.childCount()))
    return [item for item in found if item is not None]


def _is_ticked(item: QTreeWidgetItem) -> bool:
    return item.checkState(0) == Qt.CheckState.Checked
