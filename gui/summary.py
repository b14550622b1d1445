"""What the status bar says of the session, as short texts; no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.texts import mark, translate
from gui.document import Document
from gui.numbers import format_count, format_exact, format_percent
from gui.workflow import has_threshold, unsafe_in

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
        thresholds = [_threshold(table) for table in tables]
        parts.append(("Thresholds", "r* " + " / ".join(thresholds)))
        if any(has_threshold(table) for table in tables):
            unsafe = [
                f"{format_count(unsafe_in(t))} ({format_percent(unsafe_in(t) / max(t.staircase.n, 1), 1)})"
                for t in tables
            ]
            parts.append(("Unsafe", translate(mark("unsafe {n}")).format(n=" / ".join(unsafe))))
        rates = " / ".join(format_percent(table.staircase.rate) for table in tables)
        parts.append(("Rate", translate(mark("rate {rate}")).format(rate=rates)))
    return tuple(parts)


def _threshold(table: RiskTable) -> str:
    if table.threshold is not None:
        return format_exact(float(f"{table.threshold:.6g}"))
    return translate(mark("none")) if has_threshold(table) else translate(mark("not chosen"))
