"""Where recent sessions stand: what comes next in each, and how many of its records are unsafe."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.base.texts import mark, translate
from gui.document.document import Document
from gui.main_window.workflow import left_in_safe_file, next_thing, steps, unsafe_without_risk
from gui.settings import RECENT_SESSIONS, RECENT_STANDINGS, settings

_VERIFIED = "Report"
"""Step of a session of which the file is written and verified."""
_TITLES = {
    "Data": mark("Data"),
    "Metadata": mark("Metadata"),
    "Combinations": mark("Combinations"),
    "Risk": mark("Risk"),
    "Recode": mark("Recode"),
    "Protect": mark("Protect"),
    "Report": mark("Report, verified"),
}


@dataclass(frozen=True)
class RecentSession:
    """Next step, by its English name; `unsafe` records out of `records`, -1 where that is not known."""

    step: str
    unsafe: int
    records: int

    @property
    def title(self) -> str:
        """The step as it is shown."""
        return translate(_TITLES.get(self.step, ""))


def remember(document: Document) -> None:
    """Keep where the open session stands, if it stands so in its file."""
    session = document.session
    if session.path is None or session.modified or document.stale or document.derived is None or session.error:
        return
    written = _written(session.path)
    found = _standing(document)
    kept = settings.get(RECENT_STANDINGS)
    new = [written, found.step, found.unsafe, found.records]
    if not written or kept.get(str(session.path)) == new:
        return
    recent = settings.get(RECENT_SESSIONS)
    kept = {path: value for path, value in kept.items() if path in recent}
    settings.set(RECENT_STANDINGS, {**kept, str(session.path): new})


def standing_of(path: Path) -> RecentSession | None:
    """Where a session stood when it was closed; None where that is not known, or its file is another one since."""
    match settings.get(RECENT_STANDINGS).get(str(path)):
        case [str(written), str(step), int(unsafe), int(records)] if written == _written(path):
            return RecentSession(step, unsafe, records)
    return None


def _written(path: Path) -> str:
    """When a file was written last, as text; empty where that cannot be said."""
    try:
        return str(path.stat().st_mtime_ns)
    except OSError:
        return ""


def _standing(document: Document) -> RecentSession:
    derived, left = document.derived, left_in_safe_file(document)
    assert derived is not None, "asked for by `remember`"
    if left is not None:
        return RecentSession(_VERIFIED, left, derived.records)
    offers = [window for _text, window in next_thing(document).offers]
    step = next((each.name for each in steps(document) if each.window in offers[:1]), "Protect" if offers else "")
    judged = bool(document.recipe.combinations) and all(table.asked for table in derived.risk_tables)
    unsafe = max(map(document.session.unsafe_in, derived.risk_tables), default=0) or unsafe_without_risk(document)
    return RecentSession(step, unsafe if judged else -1, derived.records)
