"""A report saved where the user says, as one self-contained HTML file or as PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui import dialogs
from gui.document.session_files import write_atomically
from gui.shared.tool_window import ToolWindow

if TYPE_CHECKING:
    from core.report.blocks import ReportData

_FILTERS = {"html": "HTML (*.html)", "pdf": "PDF (*.pdf)"}


def save_report(page: ToolWindow, report: ReportData, suffix: Literal["html", "pdf"], proposed: Path) -> None:
    """Ask where to, `proposed` with its suffix first, and write `report` there; `page` shows what went wrong."""
    title = translate(mark("Save report"))
    path = dialogs.save_file(page, title, proposed.with_suffix(f".{suffix}"), _FILTERS[suffix])
    if path is None:
        return
    try:
        write_atomically(path, _content(report, suffix))
    except PavoError as error:
        page.show_error(error)


def _content(report: ReportData, suffix: str) -> bytes:
    if suffix == "pdf":
        from core.report.pdf import render_pdf

        return render_pdf(report)
    from core.report.html import render_html

    return render_html(report).encode("utf-8")
