"""The report painted on pages of A4: as a PDF file, and on a printer."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QMarginsF
from PySide6.QtGui import (
    QFontDatabase,
    QGuiApplication,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
)

from core.base.errors import OutputError
from core.base.texts import language_in_use, mark
from core.report.blocks import ReportData
from gui.paper.elements import Element, Marks
from gui.paper.pages import Page, pages_of
from gui.paper.report_rows import SMALL, ReportRows, page_text
from gui.paper.tagged import OutlineEntry, tagged
from gui.paper.words import MUTED, Words

_RESOLUTION = 1200
_MILLIMETRES = 25.4
_SIDE, _TOP, _FOOT = 18.0, 17.0, 20.0
"""Margins in millimetres; the foot of the page stands in the lower one."""
_A4 = (210.0, 297.0)
_application: Any = None


def render_pdf(report: ReportData) -> bytes:
    """The report as a PDF file; needs no display, and may be called in any thread of the windows.

    Raises
    ------
    OutputError
        ``no-fonts``: the system has no font to set it in.
    """
    _need_fonts()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_RESOLUTION)
    writer.setPdfVersion(QPagedPaintDevice.PdfVersion.PdfVersion_A1b)
    writer.setTitle(report.title)
    writer.setCreator(report.footer)
    marks = Marks()
    document, outline = paint_report(report, writer, marks)
    buffer.close()
    language = report.language.replace("_", "-")
    return tagged(bytes(buffer.data().data()), document, marks, language, outline)


def paint_report(
    report: ReportData, device: QPagedPaintDevice, marks: Marks | None = None
) -> tuple[Element, list[OutlineEntry]]:
    """Paint the report on the pages of `device`, its wide tables on pages turned to landscape.

    Parameters
    ----------
    marks : drawn between what is painted; None on paper, where nobody reads them

    Returns
    -------
    What was painted, in the order of reading, and where its sections begin.
    """
    with language_in_use(report.language):
        return _paint_report(report, device, marks)


def _paint_report(
    report: ReportData, device: QPagedPaintDevice, marks: Marks | None
) -> tuple[Element, list[OutlineEntry]]:
    device.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    device.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Millimeter)
    unit = device.logicalDpiX() / _MILLIMETRES
    width, wide = ((side - 2 * _SIDE) * unit for side in _A4)
    high, low = ((side - _TOP - _FOOT) * unit for side in reversed(_A4))
    page_of: dict[str, int] = {}
    made = ReportRows(device, width, wide, high, page_of)
    pages = pages_of(made.rows(report), high, low)
    page_of |= {row.anchor: number for number, page in enumerate(pages, 1) for _top, row in page.rows if row.anchor}
    painter = None
    for number, page in enumerate(pages, 1):
        turned = QPageLayout.Orientation.Landscape if page.wide else QPageLayout.Orientation.Portrait
        device.setPageOrientation(turned)
        if painter is None:
            painter = QPainter(device)
        else:
            device.newPage()
        if marks is not None:
            marks.begin_page()
        _paint(page, painter, unit, marks)
        if marks is not None:
            marks.switch(painter, None)
        _paint_foot(
            f"{report.title} · {report.footer}", page_text(number, len(pages)), painter, device, page.wide, unit
        )
    if painter is not None:
        painter.end()
    return made.document, list(_outline(report, pages, unit))


def _outline(report: ReportData, pages: Sequence[Page], unit: float) -> Iterator[OutlineEntry]:
    """A line for each section, at its heading."""
    titles = {section.id: f"{number} {section.title}" for number, section in enumerate(report.sections, 1)}
    for number, page in enumerate(pages):
        height = _A4[0 if page.wide else 1]
        for top, row in page.rows:
            if row.anchor:
                yield OutlineEntry(titles[row.anchor], number, (height - _TOP - top / unit) * 72 / _MILLIMETRES)


def _paint(page: Page, painter: QPainter, unit: float, marks: Marks | None) -> None:
    left, above = _SIDE * unit, _TOP * unit
    for number, (top, row) in enumerate(page.rows):
        for element, draw in row.drawn():
            if marks is not None:
                marks.switch(painter, None if number < page.repeated else element)
            draw(painter, left, above + top)


def _paint_foot(title: str, number: str, painter: QPainter, device: QPagedPaintDevice, wide: bool, unit: float) -> None:
    width, height = reversed(_A4) if wide else _A4
    room, top = (width - 2 * _SIDE) * unit, (height - _FOOT + 8) * unit
    Words(title, "plain", SMALL, 0.75 * room, device, MUTED).draw_line(painter, 0, _SIDE * unit, top)
    Words(number, "plain", SMALL, room, device, MUTED, right=True).draw_line(painter, 0, _SIDE * unit, top)


def _need_fonts() -> None:
    """Fonts to write with: of the windows, else of an application that draws into memory."""
    global _application  # noqa: PLW0603  Qt has one application for as long as the program runs
    if QCoreApplication.instance() is None:
        os.environ.setdefault("QT_LOGGING_RULES", "qt.qpa.fonts=false")
        _application = QGuiApplication(["pavo", "-platform", "offscreen"])
    if not QFontDatabase.families():
        raise OutputError(
            "no-fonts",
            mark("The report cannot be written as PDF: this system has no fonts."),
            mark("Install some, such as DejaVu, or leave output.report_pdf out."),
        )
