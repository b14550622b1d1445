"""View Report: the release report inside the program; save as HTML or PDF, print, open in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QTextCursor
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.base.errors import OutputError
from core.base.program import system_libraries
from core.base.temporary import temporary_folder
from core.base.texts import mark, translate
from gui import dialogs
from gui.document.document import Document
from gui.report.document import SCREEN_WIDTH, SHEET_MARGIN, ReportDocument, print_report, report_sheet
from gui.report.outline import ReportOutline
from gui.report.saving import save_report
from gui.shared.accessible import as_heading
from gui.shared.layout.by_room import ByRoom
from gui.shared.parts.buttons import role_button
from gui.shared.parts.segments import Segments
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.released import about_earlier
from gui.shared.tool_window import ToolWindow
from gui.theme import write_as
from gui.theme.tokens import GAP

if TYPE_CHECKING:
    from core.report.blocks import ReportData

_LOW_MARGIN, _ROOM_FOR_OUTLINE = 20, 860
"""Margin of a narrow sheet; from which width on the outline is beside."""
_LOW_WIDTH = 560
"""Width of charts on a narrow sheet."""
_UNBOUNDED = 16777215
"""No maximum, as Qt says it."""
_SLOT = "report for others"
_MEANINGS = {
    "internal": mark("With paths, for your own archive."),
    "external": mark("Nothing of the original that the safe file does not hold."),
    "users": mark("What was done to the data, and what it does to analyses. No risks."),
}


class ViewReport(ToolWindow):
    """`report` with `reportView`, `reportSaveHtml`, `reportSavePdf`, `reportPrint`, `reportOpenInBrowser`."""

    name = "report"
    first = "reportView"
    title = mark("View Report")
    default_size = (900, 680)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(540, 234)
        self.view = report_sheet("reportView", translate(mark("Release report")))
        self.outline = ReportOutline(self.view)
        self._reports: dict[str, ReportData] = {}
        """Of the file made last, by whom it is written for."""
        self._of: Any = None
        views = [("internal", translate(mark("House"))), ("external", translate(mark("Outside"))),
                 ("users", translate(mark("Users")))]  # fmt: skip
        self.written_for = Segments("reportWrittenFor", translate(mark("Written for")), views, dense=True)
        self.written_for.chosen.connect(self._show_reader)
        self._meaning = WrappedLabel(name="reportWrittenForMeaning", is_muted=True)
        self.remark = WrappedLabel(name="reportRemark", is_muted=True)
        self.details = role_button(translate(mark("Title, author, remarks…")), "reportTitleAndAuthor", "quiet")
        self.details.clicked.connect(lambda: self.open_window("reportDetails"))
        self.memo = role_button(translate(mark("Since the last release…")), "reportMemo", "quiet")
        self.memo.setToolTip(translate(mark("The memo of what changed since the last release")))
        self.memo.clicked.connect(lambda: self.open_window("memo"))
        buttons, self._buttons = QHBoxLayout(), dict[str, QPushButton]()
        buttons.addWidget(self.remark, 1000)
        buttons.addStretch(1)
        for name, text, do in (
            ("reportOpenInBrowser", mark("Open in &Browser"), self.open_in_browser),
            ("reportPrint", mark("&Print…"), self.print_report),
            ("reportSavePdf", mark("Save as P&DF…"), self.save_pdf),
            ("reportSaveHtml", mark("Save as &HTML…"), self.save_html),
        ):
            button = role_button(translate(text), name, "filled" if do == self.save_html else "plain")
            button.clicked.connect(do)
            self._buttons[name] = button
            buttons.addWidget(button)
        self.content.addLayout(buttons)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(GAP + 4)
        self._grid.setColumnStretch(0, 1000)
        self._grid.setColumnStretch(2, 1)  # what a sheet of its full width leaves
        self._grid.setRowStretch(1, 1)
        self._grid.addWidget(self.view, 1, 0)
        self._beside = self._make_beside()
        self._wide = ByRoom(self).width(_ROOM_FOR_OUTLINE, lambda _: self._show_outline())
        self.content.addLayout(self._grid, 1)
        self.greyed(self.view)
        self.results_changed()

    def _make_beside(self) -> QWidget:
        """For whom the report is written, its outline, and what leads to its details."""
        place = QWidget()
        self._side = QBoxLayout(QBoxLayout.Direction.TopToBottom, place)
        self._side.setContentsMargins(0, 0, 0, 0)
        title = QLabel(translate(mark("Written for")))
        write_as(title, "section")
        as_heading(title)
        for part in (title, self.written_for, self._meaning):
            self._side.addWidget(part)
        self._side.addSpacing(8)
        self._side.addWidget(self.outline, 1)
        leading = QVBoxLayout()  # one above the other in a narrow page, too: there is no room beside
        leading.setSpacing(2)
        for button in (self.details, self.memo):
            leading.addWidget(button)
        self._side.addLayout(leading)
        self._side.addStretch(0)
        return place

    def _show_outline(self) -> None:
        """Beside the sheet, or what is chosen in one line above it."""
        is_wide, has_report = self._wide.has_room, self.report is not None
        directions = QBoxLayout.Direction
        self._side.setDirection(directions.TopToBottom if is_wide else directions.LeftToRight)
        self._side.setStretch(self._side.indexOf(self._meaning), 0 if is_wide else 1)
        self._grid.addWidget(self._beside, *((1, 1) if is_wide else (0, 0)))
        self._beside.setMaximumWidth(self.outline.width() if is_wide else _UNBOUNDED)
        self.outline.setVisible(has_report and is_wide)
        self._side.setStretch(self._side.count() - 1, 0 if has_report or not is_wide else 1)
        for part in (self.written_for, self._meaning):
            part.setEnabled(has_report)
        sheet, width = self._sheet(), SCREEN_WIDTH if is_wide else _LOW_WIDTH
        if sheet.chart_width != width:
            sheet.chart_width = width
            sheet.setDocumentMargin(SHEET_MARGIN if is_wide else _LOW_MARGIN)
            self._write_sheet()

    def _write_sheet(self) -> None:
        """Show the report from its beginning."""
        from core.report.html import render_plain

        if self.report is not None:
            self._sheet().show_report(render_plain(self.report))
            self.outline.refresh()
            self.view.moveCursor(QTextCursor.MoveOperation.Start)

    @property
    def report(self) -> ReportData | None:
        """The report that is shown; None before a protected file was made, and while it is written anew."""
        return self._reports.get(self.written_for.current)

    def _take_released(self) -> None:
        """The report of another file is written for whom its recipe says."""
        released: Any = self.document.session.released
        if released is self._of:
            return
        self._of, self._reports = released, {}
        self.document.tasks.drop(_SLOT)
        if released is not None:
            reader = released.derived.recipe.report.reader
            self._reports[reader] = released.report
            self.written_for.choose(reader)

    def _show_reader(self, reader: str) -> None:
        released = self._of
        if released is None or reader in self._reports or released.report_for is None:
            self.results_changed()
            return

        def arrived(report: ReportData) -> None:
            if released is self._of:
                self._reports[reader] = report
                self.results_changed()

        self.document.compute(_SLOT, released.report_for, reader, done=arrived, failed=self.show_error)
        for button in self._buttons.values():
            button.setEnabled(False)

    def results_changed(self) -> None:
        """Show the report of the protected file made last."""
        self._take_released()
        if self._of is not None and self.report is None:  # it is being written for others
            return
        report, earlier = self.report, self.document.session.earlier_report
        self._meaning.setText(translate(_MEANINGS[self.written_for.current]))
        for name, button in self._buttons.items():
            button.setEnabled(report is not None or (earlier is not None and name == "reportOpenInBrowser"))
        self._show_outline()
        if report is None:
            text = translate(mark("The report of the protected file will be here once it is made."))
            if earlier is not None:
                text = (
                    about_earlier(earlier)
                    + " "
                    + translate(mark("It can be opened in the web browser."))
                    + "\n\n"
                    + text
                )
            self.view.setPlainText(text)
            self.remark.clear()
            return
        if self.view.property("shown") is not report:
            self.view.setProperty("shown", report)
            self._write_sheet()
        self._say_whether_current()

    def recipe_changed(self, changes: Any) -> None:
        """The report may belong to an earlier state of the session now."""
        self._say_whether_current()

    def save_html(self) -> None:
        """Write the report as one self-contained file."""
        if self.report is not None:
            save_report(self, self.report, "html", self._proposed())

    def save_pdf(self) -> None:
        """Write the report as PDF."""
        if self.report is not None:
            save_report(self, self.report, "pdf", self._proposed())

    def print_report(self) -> None:
        """Print the report."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if self.report is not None and QPrintDialog(printer, self).exec():
            print_report(self.report, printer)

    def open_in_browser(self) -> None:
        """Show the self-contained report in the web browser: the written file, else a temporary copy."""
        self.clear_error()
        try:
            output = self._written()
        except OSError as error:
            told = mark("The report cannot be written for the browser: {reason}.")
            hint = mark("Save it as HTML, and open that file.")
            self.show_error(OutputError("no-temporary-copy", told, hint, reason=error.strerror or str(error)))
            return
        with system_libraries():
            is_open = QDesktopServices.openUrl(QUrl.fromLocalFile(str(output)))
        if not is_open:
            told = mark("This system opened no web browser for {file}.")
            self.show_error(OutputError("no-browser", told, mark("Open that file yourself."), file=str(output)))

    def _written(self) -> Path:
        """The file of the report that is shown; a temporary one where none was written. `OSError`: none can be."""
        session = self.document.session
        earlier = session.earlier_report
        if self.report is None and earlier is not None:
            return earlier
        output = self.document.recipe.output.report
        as_written = self._of is not None and self.report is self._of.report
        if output is not None and session.released_is_current and as_written and output.is_file():
            return output
        output = temporary_folder() / "report.html"
        output.write_bytes(self._html())
        return output

    def is_stale(self) -> bool:
        """The report is of the file that was made last."""
        return self.report is not None and not self.document.session.released_is_current

    def is_updating(self) -> bool:
        """It is another one once another file is made."""
        return False

    def _say_whether_current(self) -> None:
        stale = self.is_stale()
        text = translate(mark("The session changed since: this report belongs to the file made before."))
        self.remark.setText(text if stale else "")

    def _proposed(self) -> Path:
        data = self.document.recipe.output.data or self.document.recipe.input.place
        return data or dialogs.last_folder() / "report"

    def _html(self) -> bytes:
        from core.report.html import render_html

        assert self.report is not None, "asked for only where there is one"
        return render_html(self.report).encode("utf-8")

    def _sheet(self) -> ReportDocument:
        sheet = self.view.document()
        assert isinstance(sheet, ReportDocument), "made in __init__"
        return sheet
