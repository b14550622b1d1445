"""What the status bar says of the session, as short texts; no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.texts import mark, translate
from gui.document.document import Document
from gui.main_window.workflow import (
    has_threshold,
    left_in_safe_file,
    only_by_households,
    otherwise_unsafe,
    uncounted,
    unsafe_without_risk,
)
from gui.numbers import format_count, format_percent, format_threshold, is_no_threshold

if TYPE_CHECKING:
    from core.risk.distribution import RiskDistribution
    from core.session import RiskTable

_RULES = {
    "observed": mark("observed"),
    "wildcard": mark("wildcard"),
    "category": mark("category"),
    "listwise": mark("listwise"),
}


def missing_rule(document: Document) -> str:
    """The missing rule of the combinations; "mixed" where they differ, empty where none has one."""
    rules = {c.missing_rule for c in document.recipe.combinations if c.criterion.has_missing_rule}
    if len(rules) > 1:
        return translate(mark("mixed"))
    return translate(_RULES[rules.pop()]) if rules else ""


def status_parts(document: Document) -> tuple[tuple[str, str], ...]:
    """Pairs of a name (for the label's objectName) and a text: file, records, rule, thresholds, unsafe, rate."""
    derived, recipe = document.derived, document.recipe
    if recipe.input.place is None:
        return ()
    parts = [("File", recipe.input.place.name)]
    if derived is None:
        return (*parts, *_unsafe_part(document))
    parts.append(("Records", translate(mark("{n} records")).format(n=format_count(derived.records))))
    rule = missing_rule(document)
    if rule:
        parts.append(("MissingRule", translate(mark("missing rule: {rule}")).format(rule=rule)))
    tables = derived.risk_tables
    if tables:
        parts.append(("Thresholds", " / ".join(map(_threshold, tables))))
    parts += _unsafe_part(document)
    if tables:
        parts.append(("Rate", " / ".join(map(_rate, tables))))
    return tuple(parts)


def _unsafe_part(document: Document) -> list[tuple[str, str]]:
    """Unsafe records, in the safe file too where there is one; what is not counted for this recipe is said to be so."""
    derived, waiting = document.derived, uncounted(document)
    if not document.recipe.combinations:
        return []
    tables = derived.risk_tables if derived is not None else ()
    if derived is not None and tables and not any(map(has_threshold, tables)):
        return []
    found = max((*map(document.session.unsafe_in, tables), unsafe_without_risk(document)))
    if derived is None or (waiting and not found):
        return [("Unsafe", translate(mark("unsafe: {waiting}")).format(waiting=waiting))] if waiting else []
    by_risk = any(map(document.session.unsafe_in, tables)) or (tables and not found)
    told = " / ".join(_unsafe(document, table) for table in tables) if by_risk else _share(found, derived.records)
    text, left = mark("unsafe {n}"), left_in_safe_file(document)
    if found and left is not None:
        text = mark("unsafe {n}, in the safe file {left}") if left else mark("unsafe {n}, in the safe file none")
    said = translate(text).format(n=told, left=format_count(left))
    others = otherwise_unsafe(document)
    if others is not None:
        said = ", ".join((translate(mark("unsafe {n}")).format(n=told), others.in_status))
    return [("Unsafe", said)]


def _rate(table: RiskTable) -> str:
    """The rate of what is judged: that of households where these have a threshold, or will be offered one."""
    offered = table.household is not None and not has_threshold(table)
    parts = []
    if not only_by_households(table) and not offered:
        parts.append(translate(mark("rate {rate}")).format(rate=format_percent(table.staircase.rate)))
    if table.household is not None and (table.household.asked or offered):
        rate = format_percent(table.household.staircase.rate)
        parts.append(translate(mark("household rate {rate}")).format(rate=rate))
    return ", ".join(parts)


def _threshold(table: RiskTable) -> str:
    household = table.household if table.household is not None and table.household.asked else None
    parts = [] if only_by_households(table) else ["r* " + _risk(table.threshold, table.staircase, has_threshold(table))]
    if household is not None:
        parts.append(
            translate(mark("household r* {risk}")).format(risk=_risk(household.threshold, household.staircase, True))
        )
    return ", ".join(parts)


def _risk(threshold: float | None, staircase: RiskDistribution, asked: bool) -> str:
    if threshold is not None and not is_no_threshold(threshold, staircase.max_risk):
        return format_threshold(threshold)
    return translate(mark("none")) if asked else translate(mark("not chosen"))


def _share(records: int, n: int) -> str:
    return f"{format_count(records)} ({format_percent(records / max(n, 1), 1)})"


def _unsafe(document: Document, table: RiskTable) -> str:
    """Records that are unsafe by either threshold, and unsafe households."""
    told = _share(document.session.unsafe_in(table), table.staircase.n)
    household = table.household
    if household is None or not household.asked:
        return told
    homes = format_count(household.staircase.unsafe_households(household.threshold))
    return translate(mark("records: {records}, households: {homes}")).format(homes=homes, records=told)
