"""The sheet on which reports are shown: embedded SVG charts are drawn sharp and as wide as the text."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QObject, QSizeF, Qt, QUrl
from PySide6.QtGui import QImage, QPainter, QTextDocument
from PySide6.QtWidgets import QTextBrowser

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from core.report.blocks import ReportData

SCREEN_WIDTH = 700
SHEET, SHEET_MARGIN = 860, 48
"""Width of the sheet on the screen, and its margin."""
_SHARPNESS_ON_PAPER = 3.0
_PREFIX = "data:image/svg+xml;base64,"


def report_sheet(name: str, accessible_name: str) -> QTextBrowser:
    """A sheet of paper that shows a report: the same in both themes, as its charts and colours are made for white."""
    view = QTextBrowser(objectName=name, openExternalLinks=True)
    view.setAccessibleName(accessible_name)
    view.setStyleSheet("QTextBrowser { background: #FFFFFF; color: #1B2526; }")
    view.setDocument(ReportDocument(SCREEN_WIDTH, view.devicePixelRatioF(), view))
    view.document().setDocumentMargin(SHEET_MARGIN)
    view.setMaximumWidth(SHEET)
    return view


def print_report(report: ReportData, printer: QPrinter) -> None:
    """Print a report as its sheet shows it, with sharper charts."""
    from core.report.html import render_plain

    printer.setFullPage(True)
    document = ReportDocument(SCREEN_WIDTH, _SHARPNESS_ON_PAPER)
    document.setDocumentMargin(SHEET_MARGIN)
    document.show_report(render_plain(report))
    document.setPageSize(QSizeF(SHEET, SHEET * printer.height() / printer.width()))
    document.print_(printer)


class ReportDocument(QTextDocument):
    """Shows the plain profile of the report.

    Parameters
    ----------
    chart_width : int
        Width of charts in logical pixels.
    sharpness : float
        Pixels a logical pixel: the screen's ratio.
    """

    def __init__(self, chart_width: int, sharpness: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.chart_width = chart_width
        self._sharpness = sharpness

    def show_report(self, html: str) -> None:
        """Show core.report.html's rendering."""
        self.setHtml(html.replace("<img src=", f'<img width="{self.chart_width}" src='))

    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        """Charts from their own bytes; nothing is ever fetched from elsewhere."""
        text = url.toString() if isinstance(url, QUrl) else url
        if not text.startswith(_PREFIX):
            return None
        from PySide6.QtSvg import QSvgRenderer

        renderer = QSvgRenderer(QByteArray(base64.b64decode(text.removeprefix(_PREFIX))))
        size = renderer.defaultSize() * (self.chart_width * self._sharpness / max(renderer.defaultSize().width(), 1))
        image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        return image
