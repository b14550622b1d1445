"""Base of the windows that show records: finding, labels, waiting for the file, copies of records."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QStackedLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui import numbers
from gui.browse.export import RecordsExport
from gui.browse.records_view import RecordBox, RecordsView
from gui.document.document import Document
from gui.shared.in_parts import reason_in_parts
from gui.shared.tool_window import ToolWindow
from gui.theme import muted

_FILTER_AFTER_MS = 350
_CODE_NOT_FOUND = mark("No record has the code “{code}” of {variable}.")
_TEXT_NOT_FOUND = mark("No record has “{text}” in a code or a label. Only categorical variables are searched.")


class Browse(ToolWindow):
    """`browseFilter`, `browseLabels`, `goToRecord`, `browseWaiting` and `recordsExport`.

    A subclass makes its views, lays everything out, and opens and closes its files.
    """

    export_slot = ""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._by, self._descending = "", False
        self._looked_for = ""
        self._labels: dict[str, dict[str, str]] = {}
        self.filter = QLineEdit(objectName="browseFilter", clearButtonEnabled=True)
        self.show_labels = QCheckBox(translate("&Labels"), objectName="browseLabels")
        self.go = RecordBox()
        self.export_work = RecordsExport(document, self.export_slot)
        self.waiting = QLabel(objectName="browseWaiting")
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.waiting.setWordWrap(True)
        muted(self.waiting)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.waiting)
        self._filter_timer = QTimer(self, singleShot=True, interval=_FILTER_AFTER_MS)

    def _connect_common(self) -> None:
        self._filter_timer.timeout.connect(self._choose)
        self.filter.textChanged.connect(lambda _text: self._filter_timer.start())
        self.filter.returnPressed.connect(self._choose)
        self.show_labels.toggled.connect(self._show_labels)
        self.go.wanted.connect(self._go_to)
        self.export_work.said.connect(self.messages.show_good)
        self.export_work.failed.connect(self.show_error)
        self.closed.connect(self.export_work.give_up)
        self.document.progressed.connect(self._progress)
        self.closed.connect(self._close_files)

    def _choose(self) -> None:
        """Find and sort records."""
        raise NotImplementedError

    def _say_nothing(
        self,
        view: RecordsView,
        searched: Iterable[str],
        code_not_found: str = _CODE_NOT_FOUND,
        text_not_found: str = _TEXT_NOT_FOUND,
    ) -> None:
        """In the place of the records: what was looked for in vain, and where; `searched` are the variables."""
        name, equals, code = (part.strip() for part in self._looked_for.partition("="))
        variable = {each.casefold(): each for each in searched}.get(name.casefold(), "")
        told = translate(code_not_found if equals and variable else text_not_found)
        said = told.format(text=self._looked_for, code=code, variable=variable)
        view.say_instead(said, translate("&Clear the search"), self._show_all)

    def _show_all(self) -> None:
        self.filter.clear()
        self.filter.setFocus()
        self._choose()

    def _show_labels(self, shown: bool) -> None:
        raise NotImplementedError

    def _go_to(self, record: int) -> None:
        raise NotImplementedError

    def _close_files(self) -> None:
        raise NotImplementedError

    def _opening(self) -> bool:
        """Whether files are being looked through."""
        raise NotImplementedError

    def _usable(self) -> Iterable[QWidget]:
        """Controls that need records."""
        raise NotImplementedError

    def _failed(self, error: PavoError) -> None:
        self._close_files()
        self._wait(str(error))

    def _cancelled(self) -> None:
        self._close_files()
        self._wait(translate("Stopped. Close this window and open it again to look at the records."))

    def _choosing_stopped(self) -> None:
        text = translate("Finding the records was stopped: those shown are as they were before.")
        self.messages.show_text(text, [(translate("Find again"), self._choose_again)])

    def _say_cut(self, first: int, last: int, rows: int) -> None:
        """The table does not hold all rows."""
        told = translate("The table holds rows {first} to {last} of {n}; Go to record brings others.")
        count = numbers.format_count
        self.messages.show_text(told.format(first=count(first), last=count(last), n=count(rows)))

    def _refuse_sorting_in_parts(self) -> None:
        hint = translate("Find the records that matter, or open a part alone: its records can be sorted.")
        self.messages.show_text(" ".join([reason_in_parts(self.document, translate("Sorting")), hint]))

    def _search_stopped(self) -> None:
        """A search of parts was stopped."""
        text = translate("Finding the records was stopped: only those found so far are shown.")
        self.messages.show_text(text, [(translate("Find again"), self._choose_again)])

    def _choose_again(self) -> None:
        self.clear_error()
        self._choose()

    def _wait(self, text: str) -> None:
        self.waiting.setText(text)
        self._pages.setCurrentIndex(0)
        self.go.set_records(0)
        for widget in self._usable():
            widget.setEnabled(False)

    def _progress(self, fraction: float, text: str) -> None:
        if self._opening() and fraction >= 0:
            self.waiting.setText(f"{text} … {numbers.format_percent(fraction, 0)}")
