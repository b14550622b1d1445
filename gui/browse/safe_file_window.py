"""Browse Safe File: the safe file beside the original, changed values marked, however many records there are."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.in_parts import is_in_parts, place_of_parts
from gui import numbers
from gui.browse.data_window import record_field
from gui.browse.export import shown_in
from gui.browse.model import Change
from gui.browse.records_view import RecordsView
from gui.browse.records_window import Browse
from gui.browse.safe_parts import SafeParts
from gui.document.document import Document
from gui.shared.in_parts import reason_in_parts
from gui.shared.labels import ElidedLabel
from gui.shared.parts.panes import BESIDE, panes
from gui.theme import heading, muted

if TYPE_CHECKING:
    from core.browse.side_by_side import ShownRecords, SideBySide
    from core.parts.paired_parts import PartsBeside
    from core.release.run import Result

_OPEN = "browse safe file"
_CHOOSE = "browse safe file choice"
_CODE_NOT_FOUND = mark("No record with suppressed values has the code “{code}” of {variable}.")
_TEXT_NOT_FOUND = mark(
    "No record with suppressed values has “{text}” in a code or a label. Only categorical variables are searched."
)


class BrowseSafeFile(Browse):
    """`originalRecords` and `safeRecords` side by side, `onlySuppressed`, `previousSuppressed`, `nextSuppressed`."""

    name = "browseSafeFile"
    first = "safeRecords"
    title = mark("Browse Safe File")
    default_size = (1160, 660)
    export_slot = "browse safe file export"

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(700, 380)
        self._beside: SideBySide | PartsBeside | None = None
        self._parts: SafeParts | None = None
        """The parts of a file in parts."""
        self._shown: Result | None = None
        self._following = False
        self._touched: Sequence[int] = ()
        self._make_controls()
        self._lay_out()
        self._connect()
        self.results_changed()

    # Building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.filter.setPlaceholderText(translate("Find in the original"))
        self.filter.setToolTip(translate("A code or label of the original file, or VARIABLE=code"))
        self.filter.setAccessibleName(translate("Find records by the original file"))
        self.only = QCheckBox(translate("&Only suppressed"), objectName="onlySuppressed")
        self.only.setToolTip(translate("Only records with suppressed values"))
        self.previous = QPushButton(translate("&Previous"), objectName="previousSuppressed")
        self.following = QPushButton(translate("&Next suppressed"), objectName="nextSuppressed")
        self.original = RecordsView("originalRecords", translate("Records of the original file"))
        self.safe = RecordsView("safeRecords", translate("Records of the safe file"))
        self.original_title = ElidedLabel("", "originalTitle")
        self.safe_title = ElidedLabel("", "safeTitle")
        self.legend = QLabel(
            translate("With a bar: suppressed. Underlined: recoded or changed otherwise."), objectName="legend"
        )
        self.legend.setToolTip(
            translate("A recoded value is underlined where its category is another one now, although its code is not.")
        )
        self.record = QLabel(objectName="recordChanges", accessibleName=translate("Changes of the record"))
        self.record.setWordWrap(True)
        self.record.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.record.setTextFormat(Qt.TextFormat.PlainText)
        self.left_out = ElidedLabel("", "leftOut")
        self.remark = QLabel(objectName="safeFileRemark")
        for label in (self.legend, self.left_out, self.remark):
            muted(label)
        for title in (self.original_title, self.safe_title):
            heading(title, 1.05)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        for widget in self._usable():
            top.addWidget(widget)
        top.addWidget(self.remark, 1)
        top.addWidget(self.go)
        sides = []
        for title, view in ((self.original_title, self.original), (self.safe_title, self.safe)):
            side = QWidget()
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.addWidget(title)
            column.addWidget(view, 1)
            sides.append(side)
        self._pages.addWidget(panes(BESIDE, sides, handle=12))
        self.content.addLayout(top)
        self.content.addLayout(self._pages, 1)
        self.content.addWidget(self.export_work)
        self.content.addWidget(self.record)
        bottom = QHBoxLayout()
        bottom.addWidget(self.legend)
        bottom.addWidget(self.left_out, 1)
        self.content.addLayout(bottom)

    def _connect(self) -> None:
        for one, other in ((self.original, self.safe), (self.safe, self.original)):
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
            one.horizontalScrollBar().valueChanged.connect(other.horizontalScrollBar().setValue)
            one.horizontalHeader().sectionResized.connect(lambda i, _old, new, other=other: self._widen(other, i, new))
            one.current_changed.connect(lambda row, other=other: self._follow(other, row))
            one.note.connect(self.messages.show_text)
            one.records.failed.connect(self._failed)
            one.export_wanted.connect(lambda view=one: self._export(view))
            one.horizontalHeader().sortIndicatorChanged.connect(self._sorted)
        self._connect_common()
        self.safe.records.cut.connect(self._say_cut)
        self.only.toggled.connect(lambda _on: self._choose())
        self.previous.clicked.connect(lambda: self._step(-1))
        self.following.clicked.connect(lambda: self._step(1))

    # What the document says --------------------------------------------------------------------------------------

    def results_changed(self) -> None:
        """Open the protected file made last, unless it is open."""
        released = self.document.session.released
        self._say_whether_current()
        if released is None or released.protection is None:
            self._close_files()
            self._wait(translate("The safe file will be here, beside the original, once it is made."))
            return
        if released is self._shown:
            return
        self._close_files()
        self._shown = released
        self._wait(translate("Looking through the records…"))
        from core.parts.paired_parts import beside

        written = released.derived.recipe.output.data
        assert written is not None, "a safe file was written"
        self.document.compute(
            _OPEN, beside, released, written, done=self._opened, failed=self._failed,
            cancelled=self._cancelled,
        )  # fmt: skip

    def recipe_changed(self, changes: Any) -> None:
        """The safe file may belong to an earlier state of the session now."""
        self._say_whether_current()

    def _say_whether_current(self) -> None:
        stale = self.document.session.released is not None and not self.document.session.released_is_current
        self.remark.setText(translate("Made before the session changed.") if stale else "")

    def _opened(self, beside: SideBySide | PartsBeside) -> None:
        if self._shown is None:
            beside.close()
            return
        self._beside = beside
        self._show_sides(beside, self._shown)
        from core.parts.paired_parts import PartsBeside

        if isinstance(beside, PartsBeside):
            self._parts = self._shown_parts(beside)
        self.only.setEnabled(beside.any_touched)
        self.go.set_records(beside.safe.records)
        for widget in (self.previous, self.following):
            widget.setEnabled(beside.any_touched)
        for widget in (self.show_labels, self.filter):
            widget.setEnabled(True)
        self._pages.setCurrentIndex(1)
        self._choose()
        self.safe.go_to(0)

    def _show_sides(self, beside: SideBySide | PartsBeside, result: Result) -> None:
        from core.recoding.labels import labels

        derived = result.derived
        before, now = labels(beside.metadata, {}), derived.labels
        self._labels = before
        original = {name: slot for slot, name in enumerate(beside.original.names)}
        safe = {name: slot for slot, name in enumerate(beside.safe.names)}
        variables = beside.layout.variables
        left = [
            record_field(
                beside.metadata[v.name] if v.name in original else v, original.get(v.name, -1), before.get(v.name, {})
            )
            for v in variables
        ]
        right = [record_field(v, safe[v.name], dict(now.get(v.name, {}))) for v in variables]
        self.original.records.show_records(beside.original, left, beside.record)
        self.safe.records.show_records(beside.safe, right, int, self._change)
        self._fit_columns()
        source, written = derived.microdata.source.path, derived.recipe.output.data
        if is_in_parts(derived.recipe.input):
            source = place_of_parts(derived.recipe.input) or source
        self.original_title.setText(translate("Original: {file}").format(file=source.name))
        self.safe_title.setText(translate("Safe file: {file}").format(file=written.name if written else ""))
        names = ", ".join(beside.left_out)
        self.left_out.setText(translate("Not in the safe file: {names}.").format(names=names) if names else "")

    def _change(self, column: int, row: int) -> Change:
        """What happened to the value in a cell of the safe file."""
        assert self._beside is not None, "asked only while files are shown"
        records = self.safe.records
        name = records.fields[column].name
        if self._beside.is_suppressed(name, records.place(row)):
            return "suppressed"
        if self.original.records.fields[column].slot < 0:
            return ""
        code = records.code(row, column)
        redefined = code in self._beside.redefined.get(name, ())
        return "changed" if redefined or self.original.records.code(row, column) != code else ""

    def _close_files(self) -> None:
        self._shown, self._by, self._touched = None, "", ()
        self._mark_sorting(-1, Qt.SortOrder.AscendingOrder)
        self.document.tasks.drop(_CHOOSE)
        for view in (self.original, self.safe):
            view.records.show_records(None, ())
            view.say_instead("")
        if self._parts is not None:
            self._parts.close()
            self._parts = None
        if self._beside is not None:
            self._beside.close()
            self._beside = None

    def _usable(self) -> tuple[QWidget, ...]:
        return self.filter, self.only, self.previous, self.following, self.show_labels

    def _wait(self, text: str) -> None:
        super()._wait(text)
        self.record.clear()
        self.left_out.setText("")

    def _opening(self) -> bool:
        return self._shown is not None and self._beside is None

    def _show_labels(self, shown: bool) -> None:
        for view in (self.original, self.safe):
            view.records.set_labels(shown)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Both sides as wide as the user made them, else as the wider one needs."""
        needed = map(max, self.safe.wanted_widths(), self.original.wanted_widths())
        widths = self.safe.kept_widths or list(needed)
        for view in (self.safe, self.original):
            view.fit_columns(widths)

    # Moving ------------------------------------------------------------------------------------------------------

    def _widen(self, other: RecordsView, column: int, width: int) -> None:
        if other.columnWidth(column) != width:
            other.setColumnWidth(column, width)

    def _follow(self, other: RecordsView, row: int) -> None:
        """The same row is the current one at both sides."""
        if self._following or self._beside is None or row < 0:
            return
        self._following = True
        if other.currentIndex().row() != row:
            other.setCurrentIndex(other.records.index(row, max(other.currentIndex().column(), 0)))
        self._following = False
        self._describe(row)

    def _describe(self, row: int) -> None:
        assert self._beside is not None, "described only while files are shown"
        parts = []
        for column, shown in enumerate(self.safe.records.fields):
            change = self._change(column, row)
            if not change:
                continue
            before = self.original.records.fields[column].in_words(self.original.records.code(row, column))
            after = shown.in_words(self.safe.records.code(row, column))
            sentence = translate("{name}: {before} → {after}, suppressed")
            if change == "changed":
                sentence = translate("{name}: {before} → {after}")
            parts.append(sentence.format(name=shown.name, before=before, after=after))
        place = self.safe.records.place(row)
        number = numbers.format_count(self._beside.record(place) + 1)
        told = " · ".join(parts) or translate("nothing changed")
        if self._parts is None:
            self.record.setText(translate("Record {number}: {told}").format(number=number, told=told))
        else:
            part, known = self._parts.part_of(place)
            sentence = translate("Record {number} (in {part}): {told}")
            self.record.setText(sentence.format(number=number, part=part, told=told if known else "…"))

    def _choose(self) -> None:
        """Find and sort by the original file, in the compute thread; the safe file's records follow."""
        self._filter_timer.stop()
        if self._beside is None or self._shown is None:
            return
        if self._parts is not None:
            self._choose_in_parts(self._parts)
            return
        from core.browse.records import RecordQuery
        from core.browse.side_by_side import choose_places

        self._looked_for = self.filter.text().strip()
        choice = RecordQuery(self._looked_for, self._by, self._descending)
        beside = cast("SideBySide", self._beside)  # of parts was spoken above
        asked = beside, choice, self.only.isChecked(), self._shown.derived.original, self._labels
        if choice.text or choice.by:
            self.document.compute(
                _CHOOSE, choose_places, *asked, done=self._chosen, failed=self._not_chosen,
                cancelled=self._choosing_stopped,
            )  # fmt: skip
        else:
            self.document.tasks.drop(_CHOOSE)
            self._chosen(choose_places(*asked))

    def _chosen(self, shown: ShownRecords) -> None:
        if self._beside is None or self._shown is None:
            return
        self._touched = shown.touched  # type: ignore[assignment]
        for view in (self.original, self.safe):
            view.records.set_rows(shown.places)
        for widget in (self.previous, self.following):
            widget.setEnabled(len(shown.touched) > 0)
        for view in (self.original, self.safe):
            view.say_instead("")
        if self.safe.records.rowCount():
            self.safe.go_to(0)
        else:
            self._say_none(self._shown.derived.original.columns)

    def _say_none(self, searched: Iterable[str]) -> None:
        """In the place of the records: none is shown."""
        self.safe.say_instead(translate("The records that are found in the original stand here, as they were written."))
        self.record.clear()
        if self.only.isChecked():
            self._say_nothing(self.original, searched, _CODE_NOT_FOUND, _TEXT_NOT_FOUND)
        else:
            self._say_nothing(self.original, searched)

    def _not_chosen(self, error: PavoError) -> None:
        self._by = ""
        self._mark_sorting(-1, Qt.SortOrder.AscendingOrder)
        self.show_error(error)

    def _sorted(self, column: int, order: Qt.SortOrder) -> None:
        fields = self.original.records.fields
        if self._parts is not None:
            self._mark_sorting(-1, Qt.SortOrder.AscendingOrder)
            if column >= 0:
                self._refuse_sorting_in_parts()
            return
        if 0 <= column < len(fields) and fields[column].slot < 0:
            self._mark_sorting(-1, Qt.SortOrder.AscendingOrder)
            text = translate("{name} is only in the safe file; records are sorted by the original.")
            self.messages.show_text(text.format(name=fields[column].name))
            return
        self.clear_error()
        self._mark_sorting(column, order)
        self._by = fields[column].name if 0 <= column < len(fields) else ""
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._choose()

    def _mark_sorting(self, column: int, order: Qt.SortOrder) -> None:
        """The same sign over both sides."""
        for view in (self.original, self.safe):
            with QSignalBlocker(view.horizontalHeader()):
                view.horizontalHeader().setSortIndicator(column, order)
            view.horizontalHeader().viewport().update()

    def _export(self, view: RecordsView) -> None:
        """Write the records of one side as they are shown."""
        beside, shown = self._beside, self._shown
        if beside is None or shown is None:
            return
        if self._parts is not None:
            self.messages.show_text(reason_in_parts(self.document, translate("Exporting records")))
            return
        written, places = shown.derived.recipe.output.data, view.records.rows
        if view is self.safe and written is not None:
            self.export_work.start(shown_in(view, written, beside.layout, places))
        elif view is self.original:
            path = shown.derived.microdata.source.path
            rows = beside.order if places is None or beside.order is None else beside.order[places]
            self.export_work.start(shown_in(view, path, beside.metadata, places if beside.order is None else rows))

    def _step(self, direction: int) -> None:
        """To the next record with a suppressed value, or the previous one."""
        row, touched = self.safe.currentIndex().row(), self._touched
        if self._parts is not None:
            self._parts.step(self.safe.records.place(row) if row >= 0 else -1, direction)
            return
        row += self.safe.records.begin
        found = bisect_right(touched, row) if direction > 0 else bisect_left(touched, row) - 1
        if 0 <= found < len(touched):
            rows = [view.records.bring(int(touched[found])) for view in (self.original, self.safe)]
            self.safe.go_to(rows[-1])

    def _row_of(self, place: int) -> int:
        """The row of a place, at both sides; -1: it is not shown."""
        self.original.records.row_of(place)
        return self.safe.records.row_of(place)

    def _go_to(self, record: int) -> None:
        assert self._beside is not None, "the box is enabled only while files are shown"
        row = self._row_of(self._beside.place(record))
        if row < 0:
            text = translate("That record is not among those found.")
            if self.only.isChecked():
                text = translate("That record has no suppressed value; show all records to see it.")
            self.go.refuse(text)
        else:
            self.safe.go_to(row)

    # The same of a file in parts ---------------------------------------------------------------------------------

    def _shown_parts(self, beside: PartsBeside) -> SafeParts:
        parts = SafeParts(self.document, _CHOOSE, beside, (self.original, self.safe), self)
        parts.shown.unreadable.connect(self._failed)
        parts.shown.opened.connect(self._describe_again)
        parts.shown.grown.connect(self._more_found)
        parts.shown.ended.connect(self._searched)
        parts.shown.failed.connect(self.show_error)
        parts.shown.stopped.connect(self._searching_stopped)
        parts.reached.connect(self._go_to_place)
        parts.nothing_more.connect(self._say_nothing_more)
        return parts

    def _choose_in_parts(self, parts: SafeParts) -> None:
        self.clear_error()
        self._looked_for = self.filter.text().strip()
        if parts.choose(self._looked_for, self.only.isChecked(), self._labels):
            for view in (self.original, self.safe):
                view.say_instead("")
            self.safe.go_to(0)
        self._offer_steps()

    def _offer_steps(self) -> None:
        for widget in (self.previous, self.following):
            widget.setEnabled(self._parts is not None and self._parts.can_step)

    def _more_found(self) -> None:
        for view in (self.original, self.safe):
            view.say_instead("")
        if self.safe.records.rowCount() and self.safe.currentIndex().row() < 0:
            self.safe.go_to(0)
        self._offer_steps()

    def _searched(self) -> None:
        assert self._parts is not None, "told by it"
        self._offer_steps()
        if not self.safe.records.rowCount():
            self._say_none(self._parts.searched)

    def _searching_stopped(self) -> None:
        assert self._parts is not None, "told by it"
        self._offer_steps()
        if self._parts.is_chosen:
            self._search_stopped()
        else:
            self.messages.show_text(translate("Looking for the next suppressed record was stopped."))

    def _describe_again(self) -> None:
        row = self.safe.currentIndex().row()
        if row >= 0:
            self._describe(row)

    def _go_to_place(self, place: int) -> None:
        self.clear_error()
        row = self._row_of(place)
        if row >= 0:
            self.safe.go_to(row)

    def _say_nothing_more(self) -> None:
        self.messages.show_text(translate("No more records with suppressed values come in this direction."))
