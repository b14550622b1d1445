"""What the status bar says of the session, as short texts; no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.texts import mark, translate
from gui.document import Document
from gui.numbers import format_count, format_exact, format_percent
from gui.workflow import has_threshold, only_by_households, unsafe_in, unsafe_without_risk

if TYPE_CHECKING:
    from core.session import RiskTable

_RULES = {
    "observed": mark("observed"),
    "wildcard": mark("wildcard"),
    "category": mark("category"),
    "listwise": mark("listwise"),
}


def missing_rule(document: Document) -> str:
    """The missing rule of the combinations; "mixed" where they differ, empty where none has one."""
    rules = {c.missing_rule for c in document.recipe.combinations if c.model != "frequency"}
    if len(rules) > 1:
        return translate(mark("mixed"))
    return translate(_RULES[rules.pop()]) if rules else ""


def status_parts(document: Document) -> tuple[tuple[str, str], ...]:
    """Pairs of a name (for the label's objectName) and a text: file, records, rule, thresholds, unsafe, rate."""
    derived, recipe = document.derived, document.recipe
    if recipe.input.data is None:
        return ()
    parts = [("File", recipe.input.data.name)]
    if derived is None:
        return tuple(parts)
    parts.append(("Records", translate(mark("{n} records")).format(n=format_count(derived.records))))
    rule = missing_rule(document)
    if rule:
        parts.append(("MissingRule", translate(mark("missing rule: {rule}")).format(rule=rule)))
    tables = derived.risk_tables
    if tables:
        parts.append(("Thresholds", " / ".join(map(_threshold, tables))))
        if any(has_threshold(table) for table in tables):
            parts.append(("Unsafe", translate(mark("unsafe {n}")).format(n=" / ".join(map(_unsafe, tables)))))
        rates = " / ".join(format_percent(table.staircase.rate) for table in tables)
        parts.append(("Rate", translate(mark("rate {rate}")).format(rate=rates)))
    elif recipe.combinations:
        rare = _share(unsafe_without_risk(document), derived.records)
        parts.append(("Unsafe", translate(mark("unsafe {n}")).format(n=rare)))
    return tuple(parts)


def _threshold(table: RiskTable) -> str:
    household = table.household if table.household is not None and table.household.asked else None
    parts = [] if only_by_households(table) else ["r* " + _risk(table.threshold, has_threshold(table))]
    if household is not None:
        parts.append(translate(mark("household r* {risk}")).format(risk=_risk(household.threshold, True)))
    return ", ".join(parts)


def _risk(threshold: float | None, asked: bool) -> str:
    if threshold is not None:
        return format_exact(float(f"{threshold:.6g}"))
    return translate(mark("none")) if asked else translate(mark("not chosen"))


def _share(records: int, n: int) -> str:
    return f"{format_count(records)} ({format_percent(records / max(n, 1), 1)})"


def _unsafe(table: RiskTable) -> str:
    """Records that are unsafe by either threshold, and unsafe households."""
    records = unsafe_in(table)
    told = _share(records, table.staircase.n)
    household = table.household
    if household is None or not household.asked:
        return told
    homes = household.staircase.unsafe_households(household.threshold)
    text = mark("{records} in {homes} household") if homes == 1 else mark("{records} in {homes} households")
    return translate(text).format(homes=format_count(homes), records=told)
