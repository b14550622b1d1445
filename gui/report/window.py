"""View Report: the release report inside the program; save as HTML or PDF, print, open in a browser."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QUrl
from PySide6.QtGui import QDesktopServices, QPageLayout, QPageSize, QPdfWriter, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTextBrowser

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui import dialogs
from gui.document.document import Document
from gui.document.session_files import write_atomically
from gui.report.document import PAPER_WIDTH, PRINT_SHARPNESS, SCREEN_WIDTH, ReportDocument
from gui.report.outline import ReportOutline
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.released import about_earlier
from gui.shared.tool_window import ToolWindow
from gui.theme import scaled
from gui.theme.tokens import GAP

if TYPE_CHECKING:
    from core.report.blocks import ReportData

_SHEET, _MARGIN, _ROOM_FOR_OUTLINE = 860, 40, 860
"""Width of the sheet on the screen and its margin, and the width of the page from which on the outline is beside it."""
_RESOLUTION = 1200
_PAPER = "body, td, th, p, h1, h2, h3, li { color: #1B2526; }"


class ViewReport(ToolWindow):
    """`report` with `reportView`, `reportSaveHtml`, `reportSavePdf`, `reportPrint`, `reportOpenInBrowser`."""

    name = "report"
    first = "reportView"
    title = mark("View Report")
    default_size = (900, 680)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(540, 300)
        self.view = QTextBrowser(objectName="reportView", openExternalLinks=True)
        self.view.setAccessibleName(translate(mark("Release report")))
        # The report is a sheet of paper in both themes: its charts and colours are made for white.
        self.view.setStyleSheet("QTextBrowser { background: #FFFFFF; color: #1B2526; }")
        self.view.setDocument(ReportDocument(SCREEN_WIDTH, self.devicePixelRatioF(), self.view))
        self.view.document().setDocumentMargin(_MARGIN)
        self.view.setMaximumWidth(_SHEET)
        self.outline = ReportOutline(self.view)
        self.remark = WrappedLabel(name="reportRemark", is_muted=True)
        self.details = role_button(translate(mark("Title, author, remarks…")), "reportTitleAndAuthor", "quiet")
        self.details.clicked.connect(lambda: self.open_window("reportDetails"))
        buttons, self._buttons = QHBoxLayout(), dict[str, QPushButton]()
        buttons.addWidget(self.details)
        buttons.addWidget(self.remark, 1)
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
        across = QHBoxLayout()
        across.setSpacing(GAP + 4)
        across.addWidget(self.view, 1)
        across.addWidget(self.outline)
        across.addStretch(0)
        self.content.addLayout(across, 1)
        self.results_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The outline goes where there is no room for it."""
        super().resizeEvent(event)
        self._show_outline()

    def _show_outline(self) -> None:
        self.outline.setVisible(self.report is not None and self.width() >= scaled(_ROOM_FOR_OUTLINE))

    @property
    def report(self) -> ReportData | None:
        """The report that is shown; None before a protected file was made."""
        released: Any = self.document.session.released
        return released.report if released is not None else None

    def results_changed(self) -> None:
        """Show the report of the protected file made last."""
        report, earlier = self.report, self.document.session.earlier_report
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
        from core.report.html import render_plain

        if self.view.property("shown") is not report:
            self.view.setProperty("shown", report)
            self._sheet().show_report(render_plain(report))
            self.outline.refresh()
            self.view.moveCursor(QTextCursor.MoveOperation.Start)  # it is read from the beginning
        self._say_whether_current()

    def recipe_changed(self, changes: Any) -> None:
        """The report may belong to an earlier state of the session now."""
        self._say_whether_current()

    def save_html(self) -> None:
        """Write the report as one self-contained file."""
        self._save("html", "HTML (*.html)", self._html)

    def save_pdf(self) -> None:
        """Write the report as PDF."""
        self._save("pdf", "PDF (*.pdf)", self._pdf)

    def print_report(self) -> None:
        """Print the report."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if QPrintDialog(printer, self).exec():
            printer.setFullPage(True)
            self._paper().print_(printer)

    def open_in_browser(self) -> None:
        """Show the self-contained report in the web browser: the written file, else a temporary copy."""
        output = self.document.session.earlier_report
        if self.report is None and output is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(output)))
            return
        output = self.document.recipe.output.report
        if output is None or not output.is_file() or not self.document.session.released_is_current:
            output = Path(tempfile.mkdtemp(prefix="pavo-report-")) / "report.html"
            output.write_bytes(self._html())
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(output)))

    def _say_whether_current(self) -> None:
        stale = self.report is not None and not self.document.session.released_is_current
        text = translate(mark("The session changed since: this report belongs to the file made before."))
        self.remark.setText(text if stale else "")

    def _save(self, suffix: str, filters: str, content: Any) -> None:
        if self.report is None:
            return
        data = self.document.recipe.output.data or self.document.recipe.input.data
        proposed = (data or dialogs.last_folder() / "report").with_suffix(f".{suffix}")
        path = dialogs.save_file(self, translate(mark("Save report")), proposed, filters)
        if path is None:
            return
        try:
            write_atomically(path, content())
        except PavoError as error:
            self.show_error(error)

    def _html(self) -> bytes:
        from core.report.html import render_html

        assert self.report is not None, "asked for only where there is one"
        return render_html(self.report).encode("utf-8")

    def _pdf(self) -> bytes:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setResolution(_RESOLUTION)
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        # the document itself keeps two centimetres free and numbers its pages there
        writer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Millimeter)
        writer.setTitle(self.document.session.name)
        self._paper().print_(writer)
        buffer.close()
        return bytes(buffer.data().data())

    def _paper(self) -> ReportDocument:
        """The report as it is printed: black on white whatever the theme."""
        from core.report.html import render_plain

        assert self.report is not None, "asked for only where there is one"
        paper = ReportDocument(PAPER_WIDTH, PRINT_SHARPNESS)
        paper.setDefaultStyleSheet(_PAPER)
        paper.show_report(render_plain(self.report))
        return paper

    def _sheet(self) -> ReportDocument:
        sheet = self.view.document()
        assert isinstance(sheet, ReportDocument), "made in __init__"
        return sheet
