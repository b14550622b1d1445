"""The report for QTextBrowser, print and PDF: plain tables, charts as embedded pictures, no style sheet."""

from __future__ import annotations

from base64 import b64encode

from core.report.blocks import Curve, Histogram, ReportData
from core.report.html import chart_svg, kind, template

TONES = {"warning": "#a84a00", "good": "#00546f", "note": "#5b6870"}


def _picture(block: Histogram | Curve) -> str:
    data = b64encode(chart_svg(block).encode("utf-8")).decode("ascii")
    return f"data:image/svg+xml;base64,{data}"


def render_plain(report: ReportData) -> str:
    """The same report in the HTML that QTextDocument understands.

    Parameters
    ----------
    report : ReportData

    Returns
    -------
    str
        HTML 4 with inline colours; the figures are those of ``render_html``.
    """
    return template("plain.html").render(report=report, kind=kind, picture=_picture, tones=TONES)
