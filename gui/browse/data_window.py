"""Browse Data: every record of the original file as it is read, found and sorted, however many there are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.in_parts import is_in_parts
from core.recipe.model import Recipe
from gui import numbers
from gui.browse.export import shown_in
from gui.browse.model import RecordField
from gui.browse.parts_shown import PartsShown
from gui.browse.records_view import RecordsView
from gui.browse.records_window import Browse
from gui.document import engine
from gui.document.document import Document
from gui.shared.in_parts import reason_in_parts, refuse
from gui.shared.labels import ElidedLabel
from gui.theme import muted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.browse.parts import PartsBrowser
    from core.browse.records import Browser
    from core.data.variables import Metadata, Variable
    from core.results.results import RecodedData

_OPEN = "browse data"
_CHOOSE = "browse data choice"
_LATER = mark("The records will be here once the file is read.")


class BrowseData(Browse):
    """`browseRecords` with `browseFilter`, `browseLabels`, `goToRecord`, `browseCount`, `browseRecordsEmptyText`.

    Of a file in parts `recordPart` says in which part the current record stands.
    """

    name = "browseData"
    first = "browseFilter"
    title = mark("Browse Data")
    default_size = (980, 620)
    export_slot = "browse data export"

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(560, 320)
        self._browser: Browser | None = None
        self._shown_of: tuple[Any, ...] = ()
        self._prepared: RecodedData | None = None
        self._wanted = -1
        """A record that was asked for before the file was open."""
        self._only: NDArray[np.bool_] | None = None
        """The records among which is looked, where these are not all: (n,)."""
        self._parts: PartsShown | None = None
        self._in_parts: PartsBrowser | None = None
        """A file in parts."""
        self._make_controls()
        self._lay_out()
        self._connect()
        self.results_changed()

    def _make_controls(self) -> None:
        self.filter.setPlaceholderText(translate("Find a code or label, or VARIABLE=code"))
        self.filter.setAccessibleName(translate("Find records"))
        self.filter.setMinimumWidth(250)
        self.count = ElidedLabel("", "browseCount", least=120)
        muted(self.count)
        self.export = QPushButton(translate("&Export as CSV…"), objectName="exportRecords")
        self.view = RecordsView("browseRecords", translate("Records of the original file"))
        self.part = ElidedLabel("", "recordPart")
        muted(self.part)
        self.part.hide()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.filter)
        top.addWidget(self.show_labels)
        top.addWidget(self.count, 1)
        top.addWidget(self.go)
        top.addWidget(self.export)
        self._pages.addWidget(self.view)
        self.content.addLayout(top)
        self.content.addLayout(self._pages, 1)
        self.content.addWidget(self.part)
        self.content.addWidget(self.export_work)

    def _connect(self) -> None:
        self._connect_common()
        self.view.records.cut.connect(self._say_cut)
        self.view.note.connect(self.messages.show_text)
        self.view.records.failed.connect(self._failed)
        self.view.horizontalHeader().sortIndicatorChanged.connect(self._sorted)
        self.view.export_wanted.connect(self._export)
        self.view.current_changed.connect(self._say_part)
        self.export.clicked.connect(self._export)
        self.messages.closed.connect(self._show_again)

    def _show_labels(self, shown: bool) -> None:
        self.view.records.set_labels(shown)
        self.view.fit_columns()

    # What the document says --------------------------------------------------------------------------------------

    def results_changed(self) -> None:
        """Open the file of the current session, unless it is open."""
        derived = self.document.derived
        if derived is None:
            self._close_files()
            error = self.document.session.error
            self._wait(
                str(error) if error is not None else translate("The records will be here once the file is read.")
            )
            return
        wanted = (derived.microdata.source.path, derived.microdata.source.sha256, derived.metadata)
        if wanted == self._shown_of:
            return
        self._close_files()
        self._shown_of = wanted
        self._wait(translate("Looking through the records…"))
        self.document.ask(
            _OPEN, engine.browsed, self.document.recipe,
            done=self._opened, failed=self._failed, cancelled=self._cancelled,
        )  # fmt: skip

    def recipe_changed(self, changes: Any) -> None:
        """Another file: its records follow."""
        if changes.input:
            self._close_files()
            self._wait(translate(_LATER))

    def _opened(self, found: tuple[Browser, dict[str, dict[str, str]]]) -> None:
        if not self._shown_of:
            found[0].close()
            return
        self._browser, self._labels = found
        from core.browse.parts import PartsBrowser

        if isinstance(self._browser, PartsBrowser):
            self._in_parts, self._parts = self._browser, self._shown_parts(self._browser)
        metadata: Metadata = self._shown_of[2]
        slots = {name: slot for slot, name in enumerate(self._browser.names)}
        fields = [record_field(v, slots[v.name], self._labels.get(v.name, {})) for v in metadata.variables]
        self.view.records.show_records(self._browser, fields)
        self.view.fit_columns()
        self.go.set_records(self._browser.records)
        self._pages.setCurrentIndex(1)
        for widget in self._usable():
            widget.setEnabled(True)
        refuse(self.export, reason_in_parts(self.document, translate("Exporting records")))
        self._say_count(None)
        if self._parts is not None or self.filter.text().strip() or self._only is not None:
            self._choose()
        if self._wanted >= 0:
            self.show_for(self._wanted)

    def _shown_parts(self, browser: PartsBrowser) -> PartsShown:
        parts = PartsShown(self.document, _CHOOSE, browser, [self.view], self)
        parts.unreadable.connect(self._failed)
        parts.grown.connect(self._say_found_so_far)
        parts.ended.connect(self._searched_all)
        parts.failed.connect(self.show_error)
        parts.stopped.connect(self._search_stopped)
        self.part.clear()
        self.part.show()
        return parts

    def show_for(self, record: int = -1, only: Any = None, told: str = "", **_: Any) -> None:
        """Go to a record, from 0; one that a search left out is found again. Or show `only` some, (n,) bool.

        told : what these records are
        """
        if only is not None:
            self._show_only(only, told)
            return
        if record < 0:
            return
        if self._browser is None:
            self._wanted = record
            return
        self._wanted = -1
        if self.view.records.row_of(record) < 0:
            self._only = None
            self.filter.clear()
            self._choose()
        self.go.show_record(record)
        self._go_to(record)

    def _show_only(self, only: NDArray[np.bool_], told: str) -> None:
        if self._parts is not None or is_in_parts(self.document.recipe.input):
            self._refuse_in_parts(translate("Showing the records behind a rule"))
            return
        self._only = only
        self.filter.clear()
        self._choose()
        self.messages.show_good(
            translate("Only the records behind this rule: {rule}").format(rule=told),
            [(translate("Show all"), self._show_again)],
        )

    def _show_again(self) -> None:
        """All records, as far as the filter lets them."""
        if self._only is not None:
            self._only = None
            self.clear_error()
            self._choose()

    def _close_files(self) -> None:
        self._only = None
        self._shown_of, self._prepared = (), None
        self.view.say_instead("")
        self._by = ""
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.view.records.show_records(None, ())
        if self._parts is not None:
            self._parts.close()
            self._in_parts = self._parts = None
        self.part.hide()
        if self._browser is not None:
            self._browser.close()
            self._browser = None

    def _usable(self) -> tuple[QWidget, ...]:
        return self.filter, self.show_labels, self.export

    def _wait(self, text: str) -> None:
        super()._wait(text)
        self.count.clear()

    def _opening(self) -> bool:
        return bool(self._shown_of) and self._browser is None

    # Which records, and in which order ---------------------------------------------------------------------------

    def _refuse_in_parts(self, what: str) -> None:
        self.messages.show_text(reason_in_parts(self.document, what))

    def _sorted(self, column: int, order: Qt.SortOrder) -> None:
        if self._parts is not None:
            if column >= 0:
                self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
                self._refuse_sorting_in_parts()
            return
        fields = self.view.records.fields
        self._by = fields[column].name if 0 <= column < len(fields) else ""
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._choose()

    def _choose(self) -> None:
        """Find and sort; for that the categorical variables are encoded once."""
        self._filter_timer.stop()
        if self._browser is None:
            return
        if self._parts is not None and self._in_parts is not None:
            self._choose_in_parts(self._parts, self._in_parts)
        elif not self.filter.text().strip() and not self._by:
            self.document.tasks.drop(_CHOOSE)
            self._chosen(None)
        elif self._prepared is None:
            plain = Recipe(input=self.document.recipe.input, variables=self.document.recipe.variables)
            self.document.ask(
                _CHOOSE, engine.prepare, plain, done=self._prepared_arrived, failed=self.show_error,
                cancelled=self._choosing_stopped,
            )  # fmt: skip
        else:
            from core.browse.records import RecordQuery, choose_records

            self._looked_for = self.filter.text().strip()
            choice = RecordQuery(self._looked_for, self._by, self._descending)
            source = self._prepared.original
            self.document.compute(
                _CHOOSE, choose_records, choice, source, self._labels, done=self._chosen, failed=self._not_chosen,
                cancelled=self._choosing_stopped,
            )  # fmt: skip

    def _prepared_arrived(self, prepared: RecodedData) -> None:
        self._prepared = prepared
        self._choose()

    def _chosen(self, rows: NDArray[np.int64] | None) -> None:
        if self._browser is None:
            return
        if self._only is None:
            self.clear_error()
        elif rows is None:
            rows = self._only.nonzero()[0]
        else:
            rows = rows[self._only[rows]]
        self.view.records.set_rows(rows)
        self._say_count(rows)
        self.view.say_instead("")
        if self._looked_for and rows is not None and not len(rows):
            assert self._prepared is not None, "found among categorical variables"
            self._say_nothing(self.view, self._prepared.original.columns)

    def _not_chosen(self, error: PavoError) -> None:
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.show_error(error)

    def _say_count(self, rows: NDArray[np.int64] | None) -> None:
        assert self._browser is not None, "said only of an open file"
        total = numbers.format_count(self._browser.records)
        if rows is None or len(rows) == self._browser.records:
            self.count.setText(translate("{n} records").format(n=total))
        else:
            found = numbers.format_count(len(rows))
            self.count.setText(translate("{found} of {n} records").format(found=found, n=total))

    # The same of a file in parts ---------------------------------------------------------------------------------

    def _choose_in_parts(self, parts: PartsShown, browser: PartsBrowser) -> None:
        self.clear_error()
        self._looked_for = self.filter.text().strip()
        if self._looked_for:
            parts.search(partial(browser.found, text=self._looked_for, codes=self._labels))
            return
        parts.give_up_search()
        self.view.records.set_rows(None)
        self.view.say_instead("")
        self.view.go_to(0)
        told = translate("{n} records in {parts} parts")
        count = numbers.format_count
        self.count.setText(told.format(n=count(browser.records), parts=count(len(browser.parts))))

    def _say_found_so_far(self) -> None:
        assert self._parts is not None and self._in_parts is not None, "told by them"
        self.view.say_instead("")
        told, count = translate("{found} found in {looked} of {n} records"), numbers.format_count
        if self.view.records.rowCount() and self.view.currentIndex().row() < 0:
            self.view.go_to(0)
        found, looked = self.view.records.rowCount(), self._parts.looked_through
        self.count.setText(told.format(found=count(found), looked=count(looked), n=count(self._in_parts.records)))

    def _searched_all(self) -> None:
        assert self._in_parts is not None, "told by it"
        told, found = translate("{found} of {n} records"), self.view.records.rowCount()
        count = numbers.format_count
        self.count.setText(told.format(found=count(found), n=count(self._in_parts.records)))
        if not found:
            self.part.clear()
            self._say_nothing(self.view, self._in_parts.searched)

    def _say_part(self, row: int) -> None:
        if self._in_parts is not None and row >= 0:
            record = self.view.records.place(row)
            part = self._in_parts.parts[self._in_parts.part_of(record)].name
            told = translate("Record {number} (in {part})")
            self.part.setText(told.format(number=numbers.format_count(record + 1), part=part))

    def _export(self) -> None:
        """Write the records that are found, in the order shown."""
        if self._parts is not None:
            self._refuse_in_parts(translate("Exporting records"))
        elif self._browser is not None:
            path, _, metadata = self._shown_of
            self.export_work.start(shown_in(self.view, path, metadata, self.view.records.rows))

    def _go_to(self, record: int) -> None:
        row = self.view.records.row_of(record)
        if row < 0:
            self.go.refuse(translate("That record is not among those found."))
        else:
            self.view.go_to(row)


def record_field(variable: Variable, slot: int, labels: dict[str, str]) -> RecordField:
    """How a variable is shown."""
    tooltip = f"{variable.name}: {variable.label}" if variable.label else variable.name
    missing = frozenset(code for code in variable.missing if code)
    number = variable.numeric and not variable.categorical
    return RecordField(variable.name, slot, tooltip, number, labels, missing)
