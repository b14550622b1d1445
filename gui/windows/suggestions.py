"""Suggested uses to review: each with its reason and a check box; nothing happens before *Take over*."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.microdata.suggest import Suggestion
from core.texts import translate
from gui.theme import muted

_DATA = Qt.ItemDataRole.UserRole


class Suggestions(QDialog):
    """`suggestionsDialog` with `suggestionList`.

    Signals
    -------
    taken(list)
        The suggestions that stayed checked.
    """

    taken = Signal(list)

    def __init__(self, suggestions: Sequence[Suggestion], parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="suggestionsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Suggested uses"))
        text = QLabel(
            translate(
                "Proposed from names and contents. Take the check mark from what is wrong; nothing else changes."
            ),
            wordWrap=True,
        )
        muted(text)
        self.list = QTreeWidget(objectName="suggestionList")
        self.list.setRootIsDecorated(False)
        self.list.setAlternatingRowColors(True)
        self.list.setHeaderLabels([translate("Variable"), translate("Proposal"), translate("Why")])
        self.list.setAccessibleName(translate("Suggested uses"))
        for suggestion in suggestions:
            why = suggestion.reason.text
            item = QTreeWidgetItem([suggestion.variable, suggestion.proposal.text, why])
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, Qt.CheckState.Checked)
            item.setData(0, _DATA, suggestion)
            item.setToolTip(2, why)
            item.setSizeHint(0, QSize(0, self.list.fontMetrics().height() + 8))
            self.list.addTopLevelItem(item)
        header = self.list.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, widest in ((0, 200), (1, 200)):
            self.list.resizeColumnToContents(column)
            self.list.setColumnWidth(column, min(self.list.columnWidth(column) + 16, widest))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.take = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.take.setObjectName("takeSuggestions")
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        self.list.itemChanged.connect(lambda _item, _column: self._count())
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.buttons)
        self.resize(760, 440)
        self._count()

    def checked(self) -> list[Suggestion]:
        """What would be taken over."""
        items = [self.list.topLevelItem(i) for i in range(self.list.topLevelItemCount())]
        return [item.data(0, _DATA) for item in items if item and item.checkState(0) == Qt.CheckState.Checked]

    def _count(self) -> None:
        count = len(self.checked())
        self.take.setText(translate("&Take over ({count})").format(count=count))
        self.take.setEnabled(count > 0)

    def _take(self) -> None:
        self.taken.emit(self.checked())
        self.accept()
