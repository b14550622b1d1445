"""What is known of the file that was made and of its report, in words."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.texts import mark, translate
from gui.document.document import Document

if TYPE_CHECKING:
    from core.report.blocks import Verdict


def left_by_choice(document: Document) -> str:
    """Why the file that was made last is no protected one although key variables are chosen; empty where it is."""
    protection = document.session.released.protection if document.session.released is not None else None
    notice = protection.left_by_choice if protection is not None else None
    return notice.text if notice is not None else ""


def stated(document: Document) -> Verdict | None:
    """What the head of the report states of the file that was made from the session as it is; None: there is none."""
    released = document.session.released
    return released.stated() if released is not None and document.session.released_is_current else None


def made_on(file: Path) -> str:
    """When a file was written last."""
    try:
        return datetime.fromtimestamp(file.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    except OSError:  # it went meanwhile
        return "…"


def about_earlier(report: Path) -> str:
    """What is known of a report that was there before this sitting."""
    text = mark("The report {file} was made on {date}, not checked against this session.")
    return translate(text).format(file=report.name, date=made_on(report))
