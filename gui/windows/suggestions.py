"""What is suggested, to review: each proposal with what it changes, its reason and a check box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QVBoxLayout,
    QWidget,
)

from core.microdata.suggest import Suggestion
from core.microdata.variables import Variable
from core.texts import mark, translate
from gui.models.variables import TYPE_NAMES, codes_text, type_of, use_text
from gui.plain import as_tip
from gui.theme import muted

_DATA = Qt.ItemDataRole.UserRole
_WIDEST = (230, 180, 390)
_SIGNS = 56
"""Room before a variable's name: the sign that unfolds and the check box."""
_HEAD = 20
"""Room around a column's title."""
_FACETS = (
    (mark("use"), use_text),
    (mark("level"), lambda v: str(v.identification_level)),
    (mark("type"), lambda v: translate(TYPE_NAMES[type_of(v)])),
    (mark("missing"), lambda v: codes_text(v.missing) or "–"),
    (mark("length"), lambda v: str(v.length or "–")),
    (mark("decimals"), lambda v: str(v.decimals)),
)


def change_text(before: Variable, after: Variable) -> str:
    """What differs, before → after."""
    pairs = ((translate(name), text(before), text(after)) for name, text in _FACETS)
    return "; ".join(f"{name}: {old} → {new}" for name, old, new in pairs if old != new)


class Suggestions(QDialog):
    """`suggestionsDialog` with `suggestionList`; lengths and decimals are together in one group that unfolds.

    Signals
    -------
    taken(list)
        The suggestions that stayed checked.
    """

    taken = Signal(list)

    def __init__(
        self, suggestions: Sequence[Suggestion], variables: Sequence[Variable], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, objectName="suggestionsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Suggestions"))
        text = QLabel(
            translate(
                "Proposed from names and contents: take the check mark from what is wrong. Nothing counts before OK in "
                "Specify Metadata."
            ),
            wordWrap=True,
        )
        muted(text)
        self._make_list()
        self._fill(suggestions, {variable.name: variable for variable in reversed(variables)})
        self._size_columns()
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
        self.resize(1120, 520)
        self._count()

    def checked(self) -> list[Suggestion]:
        """What would be taken over."""
        return [item.data(0, _DATA) for item in self._items() if item.checkState(0) == Qt.CheckState.Checked]

    def _make_list(self) -> None:
        self.list = QTreeWidget(objectName="suggestionList")
        self.list.setAlternatingRowColors(True)
        self.list.setHeaderLabels(
            [translate("Variable"), translate("Proposal"), translate("Before → after"), translate("Why")]
        )
        self.list.setAccessibleName(translate("Suggestions"))

    def _fill(self, suggestions: Sequence[Suggestion], variables: dict[str, Variable]) -> None:
        sizes = [suggestion for suggestion in suggestions if suggestion.kind == "size"]
        group: QTreeWidgetItem | None = None
        if sizes:
            said = translate("Lengths and decimals ({count})").format(count=len(sizes))
            group = self._item([said, "", "", translate("They are needed in the saved metadata (.rda).")], None)
            group.setFlags(group.flags() | Qt.ItemFlag.ItemIsAutoTristate)
        for suggestion in suggestions:
            before = variables[suggestion.variable]
            after = variables[suggestion.variable] = suggestion.followed(before)
            texts = [suggestion.variable, suggestion.proposal.text, change_text(before, after), suggestion.reason.text]
            item = self._item(texts, suggestion)
            if suggestion.kind == "size" and group is not None:
                group.addChild(item)
            else:
                self.list.addTopLevelItem(item)
        self.list.setRootIsDecorated(group is not None)
        if group is not None:
            self.list.addTopLevelItem(group)

    def _item(self, texts: list[str], suggestion: Suggestion | None) -> QTreeWidgetItem:
        item = QTreeWidgetItem(texts)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        sure = suggestion is None or suggestion.sure
        item.setCheckState(0, Qt.CheckState.Checked if sure else Qt.CheckState.Unchecked)
        item.setData(0, _DATA, suggestion)
        for column, text in enumerate(texts):
            item.setToolTip(column, as_tip(text))
        item.setSizeHint(0, QSize(0, self.list.fontMetrics().height() + 8))
        return item

    def _size_columns(self) -> None:
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        width = self.list.fontMetrics().horizontalAdvance
        top = [self.list.topLevelItem(i) for i in range(self.list.topLevelItemCount())]
        for column, widest in enumerate(_WIDEST):
            texts = [item.text(column) for item in (*self._items(), *top) if item is not None]
            longest = max(map(width, texts), default=0) + (16 if column else _SIGNS)
            head = width(self.list.headerItem().text(column)) + _HEAD
            self.list.setColumnWidth(column, max(min(longest, widest), head))

    def _items(self) -> Iterator[QTreeWidgetItem]:
        """Those with a suggestion, groups left out."""
        iterator = QTreeWidgetItemIterator(self.list)
        while (item := iterator.value()) is not None:
            if item.data(0, _DATA) is not None:
                yield item
            iterator += 1

    def _count(self) -> None:
        count = len(self.checked())
        self.take.setText(translate("&Take over ({count})").format(count=count))
        self.take.setEnabled(count > 0)

    def _take(self) -> None:
        self.taken.emit(self.checked())
        self.accept()
