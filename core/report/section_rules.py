"""The rules of the target: which are open, which were accepted and which hold."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.texts import mark
from ..base.texts import translate as _
from ..verdict.model import ReleaseVerdict, TargetRule
from ..verdict.sentences import count
from .blocks import ReportColumn, ReportTable, Section, Text
from .facts import ReportInput
from .numbers import Value

_LEVELS = {"stops": mark("Stops the release"), "decide": mark("To be decided"), "note": mark("Note")}
_STATES = {"open": mark("open"), "accepted": mark("accepted"), "holds": mark("holds")}
_ORDER = ("open", "accepted", "holds")


def rules(given: ReportInput) -> Section | None:
    """The open rules, then the accepted ones, then those that hold; None without a target."""
    release = given.release
    if release is None:
        return None
    columns = [ReportColumn(_("Rule")), ReportColumn(_("Level")), ReportColumn(_("State"))]
    if not given.external:
        columns += [ReportColumn(_("Finding")), ReportColumn(_("Accepted by")), ReportColumn(_("Reason"))]
    width = len(columns)
    rows = tuple(row[:width] for row in _rows(release))
    told = _("Target: {name}. {count}.").format(name=release.name, count=count(release))
    return Section("rules", _("Rules of the target"), (Text(told), ReportTable(tuple(columns), rows)))


def rules_outside(release: ReleaseVerdict, known: set[str]) -> ReleaseVerdict:
    """A verdict by the rules that name no other variable, without names, numbers and reasons.

    Parameters
    ----------
    known : variables that outsiders may know of
    """
    told = tuple(
        TargetRule(rule.id, rule.level, rule.state, rule.words, is_shown=rule.is_shown)
        for rule in release.rules
        if known.issuperset(rule.named)
    )
    return ReleaseVerdict(release.target, release.name, told, release.stage, release.found)


def _rows(release: ReleaseVerdict) -> Iterator[tuple[Value, ...]]:
    for rule in sorted(release.rules, key=lambda each: _ORDER.index(each.state)):
        accepted = rule.state == "accepted"
        by = _("{name}, {date}").format(name=rule.by, date=rule.on) if accepted else ""
        yield rule.words, _(_LEVELS[rule.level]), _(_STATES[rule.state]), rule.cause, by, rule.reason
