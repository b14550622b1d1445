"""Codes and categories of a draft with the tools that merge them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from core.formats.argus.recode_scheme import Scheme
from core.recoding import grouping
from core.recoding.draft import Draft
from gui.global_recode.code_table import CodeTable
from gui.global_recode.model import GROUPINGS, Labels
from gui.global_recode.ways import RecodeWays
from gui.shared.parts.cut import CutButton
from gui.texts import as_tip
from gui.theme import scaled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CODE_BOX = 56
_HINT = mark("Select codes and press Merge (or M), or drag the selection onto another code.")


class CodeEditor(QWidget):
    """`codeTable`, `categoryTable`, `merge`, `takeApart`, `groupCodes`, `suggest`, `categoryCode`.

    Signals
    -------
    edited(Callable[[Draft], Draft], list) : the user merged, took apart or renamed categories; the edit, and codes
        to select once it is done.
    group_wanted(str), suggest_wanted() : the dialogs for all codes at once; the method.
    """

    edited = Signal(object, list)
    group_wanted = Signal(str)
    suggest_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft: Draft | None = None
        self.ways = RecodeWays(self)
        self.table = CodeTable(self)
        tips = (
            translate("Make one category of the selected ones") + "\n" + translate(_HINT),
            translate("Let the selected codes leave their categories"),
            translate("Intervals, top and bottom coding, truncation, levels of the codelist"),
            translate("Merges that make most records safe for the least loss of information"),
        )
        self.merge = button_of("merge", translate("&Merge"), tips[0])
        self.split = button_of("takeApart", translate("Ta&ke apart"), tips[1])
        self.group = button_of("groupCodes", translate("&Group all"), tips[2])
        self.suggest = button_of("suggest", translate("&Suggest…"), tips[3])
        self.new_code = QLineEdit(objectName="categoryCode")
        self.new_code.setFixedWidth(scaled(_CODE_BOX))
        self.new_code.setToolTip(translate("The code of the selected category; write another and press Enter"))
        self._fill_menu()
        self._lay_out()
        self._connect()

    def _fill_menu(self) -> None:
        menu = QMenu(self.group)
        for key, title in GROUPINGS:
            action = menu.addAction(translate(title) + "…")
            action.setObjectName(f"group_{key}")
            action.setData(key)
            action.triggered.connect(self._wants_group)
        menu.addSeparator()
        menu.addAction(translate("Number the categories 1, 2, 3 …"), self._number).setObjectName("group_number")
        self.group.setMenu(menu)

    def _lay_out(self) -> None:
        column, tools = QVBoxLayout(self), self.ways.merging
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.ways)
        column.addWidget(self.table, 1)
        for button in (self.merge, self.split, self.suggest):
            tools.addWidget(button)
        tools.push_to_the_end()
        label = QLabel(translate("Category &code"))
        label.setBuddy(self.new_code)
        tools.addWidget(label)
        tools.addWidget(self.new_code)
        self.ways.head.addWidget(self.group)

    def _connect(self) -> None:
        self.table.selection_changed.connect(self._selection_changed)
        self.table.dropped.connect(self._dropped)
        self.merge.clicked.connect(self._merge)
        self.split.clicked.connect(self._take_apart)
        self.suggest.clicked.connect(self.suggest_wanted)
        self.new_code.returnPressed.connect(self._rename)
        self.ways.edited.connect(lambda edit: self.edited.emit(edit, []))
        self.ways.group_wanted.connect(self.group_wanted)
        for table in (self.table.codes, self.table.categories):
            table.view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """M merges, in place of looking for a code that begins so."""
        plain = Qt.KeyboardModifier.NoModifier
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_M and event.modifiers() == plain:
            if event.type() == QEvent.Type.KeyPress:
                self._merge()
            return event.type() == QEvent.Type.KeyPress
        return super().eventFilter(watched, event)

    def show_draft(
        self,
        title: str,
        draft: Draft,
        labels: Labels,
        unsafe_of_code: NDArray[np.int64] | None,
        after: bool = False,
    ) -> None:
        """Show a draft; what is selected stays selected. `after`: unsafe records are those once it is applied."""
        self._draft = draft
        self.setEnabled(True)
        self.table.show_draft(title, draft, labels, unsafe_of_code, after)

    def show_empty(self, text: str) -> None:
        """Say why there are no codes."""
        self._draft = None
        self.table.show_empty(text)
        self.setEnabled(False)

    def _selection_changed(self) -> None:
        chosen = self.table.selected_categories
        self.merge.setEnabled(len(chosen) > 1)
        self.split.setEnabled(any(c.codes != (c.code,) for c in chosen))
        self.new_code.setEnabled(len(chosen) == 1)
        self.new_code.setText(chosen[0].code if len(chosen) == 1 else "")

    def _edit(self, scheme_of: Callable[[Draft], Scheme], selected: list[str]) -> None:
        self.edited.emit(lambda draft: draft.with_scheme(scheme_of(draft)), selected)

    def _merge(self) -> None:
        codes = self.table.selected_codes
        if self._draft is not None and len(self.table.selected_categories) > 1:
            selected = self.table.with_their_categories(codes)
            self._edit(lambda draft: grouping.merge(draft.column, draft.scheme, codes, fixed=draft.fixed), selected)

    def _dropped(self, codes: list[str], target: str) -> None:
        if self._draft is None:
            return
        into = dict(zip(self._draft.column.codes, self._draft.becomes(), strict=True))[target]
        together = [*codes, target]
        self._edit(
            lambda draft: grouping.merge(draft.column, draft.scheme, together, into, fixed=draft.fixed),
            self.table.with_their_categories(together),
        )

    def _take_apart(self) -> None:
        codes = self.table.selected_codes
        if self._draft is not None:
            self._edit(lambda draft: grouping.take_apart(draft.column, draft.scheme, codes, fixed=draft.fixed), codes)

    def _rename(self) -> None:
        chosen, new = self.table.selected_categories, self.new_code.text().strip()
        if self._draft is not None and len(chosen) == 1 and new and new != chosen[0].code:
            old = chosen[0].code
            self._edit(
                lambda draft: grouping.rename(draft.column, draft.scheme, old, new, fixed=draft.fixed),
                list(chosen[0].codes),
            )

    def _number(self) -> None:
        if self._draft is not None:
            codes = self.table.selected_codes
            self._edit(lambda draft: grouping.numbered(draft.column, draft.scheme, fixed=draft.fixed), codes)

    def _wants_group(self) -> None:
        action = self.sender()
        self.group_wanted.emit(action.data())  # type: ignore[attr-defined]


def button_of(name: str, text: str, tip: str) -> QPushButton:
    """A button that Enter does not press from elsewhere."""
    button = CutButton(text, objectName=name)
    button.setToolTip(as_tip(tip))
    button.setAutoDefault(False)
    return button
