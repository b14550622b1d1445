"""The report's two renderings.

One is a self-contained HTML file: style and charts inside, nothing loaded from anywhere. The other is for
QTextBrowser: plain tables, charts as embedded pictures, no style sheet. The PDF file is made in `core.report.pdf`.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.texts import language_in_use
from .blocks import (
    AnswerField,
    Block,
    Code,
    Curve,
    Heading,
    MeasurePicture,
    ReportData,
    ReportTable,
    RiskHistograms,
    Terms,
    Text,
)
from .charts import curve_svg, panels_svg
from .measure_svg import measure_svg

if TYPE_CHECKING:
    from jinja2 import Template

RESOURCES = Path(__file__).resolve().parents[2] / "resources" / "report"


@cache
def template(name: str) -> Template:
    """A template of the report; every value that it writes is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(RESOURCES, encoding="utf-8")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(name)


Chart = RiskHistograms | Curve | MeasurePicture


def chart_svg(block: Chart) -> str:
    """The picture of a chart block."""
    if isinstance(block, MeasurePicture):
        return measure_svg(block.title, block.picture)
    return panels_svg(block) if isinstance(block, RiskHistograms) else curve_svg(block)


_KINDS: dict[type[Block], str] = {
    AnswerField: "blank", Code: "code", Curve: "chart", Heading: "heading", MeasurePicture: "chart",
    ReportTable: "table", RiskHistograms: "chart", Terms: "terms", Text: "text",
}  # fmt: skip


def kind(block: Block) -> str:
    """What a template calls a block."""
    return _KINDS[type(block)]


def render_html(report: ReportData) -> str:
    """The report as a self-contained HTML document (UTF-8).

    Parameters
    ----------
    report : ReportData

    Returns
    -------
    str
        HTML 5; the same report gives the same text.
    """
    from markupsafe import Markup

    style = (RESOURCES / "report.css").read_text(encoding="utf-8")
    with language_in_use(report.language):
        return template("report.html").render(
            report=report,
            style=Markup(style),
            kind=kind,
            svg=lambda block: Markup(chart_svg(block)),  # charts escape their own text
        )


TONES = {"warning": "#a84a00", "good": "#00546f", "note": "#5b6870"}


def _picture(block: Chart) -> str:
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
    with language_in_use(report.language):
        return template("plain.html").render(report=report, kind=kind, picture=_picture, tones=TONES)
