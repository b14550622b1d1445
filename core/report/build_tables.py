"""The figures of one combination in every state of the file, for the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.derive.results import Derived, RiskTable
from core.report.after import After
from core.report.classes import class_limits, records_in_classes
from core.report.inputs import Figures, State, TableFacts
from core.risk.k_anonymity import KAnonymity
from core.risk.staircase import Staircase
from core.suppression.forecast import Forecast
from core.tables.cells import Cells

PROFILE = (2, 3, 5, 10)
"""The k of the k-anonymity profile, beside the table's own."""

CURVE_POINTS = 200


def table_facts(
    derived: Derived,
    index: int,
    summary: Mapping[str, Any],
    *,
    original: Derived | None = None,
    after: After | None = None,
    forecast: Forecast | None = None,
    cells: Cells | None = None,
    original_cells: Cells | None = None,
    safe_cells: Cells | None = None,
) -> TableFacts:
    """Facts of combination `index`.

    Parameters
    ----------
    summary : the combination's object in the summary; empty before there is one
    original : before recoding
    after : the records of the safe file
    forecast : for the risk–utility curve
    cells, original_cells, safe_cells : of a combination without a risk: after recoding, before it, after suppression
    """
    combination, table = derived.recipe.combinations[index], derived.tables[index]
    k = combination.k
    facts = TableFacts(
        variables=combination.variables,
        model=combination.model,
        missing_rule=combination.missing_rule,
        alpha=combination.alpha,
        estimator=combination.estimator,
        count_threshold=combination.count_threshold,
        k=k,
        unsafe_combinations=tuple(sorted(derived.overviews[index].unsafe_by_dimension.items())),
    )
    if table is None:
        before = _counted(original_cells, k) if original_cells else None
        safe = _counted(safe_cells, k) if safe_cells else None
        return replace(facts, original=before, recoded=_counted(cells, k), safe=safe)
    raw = original.tables[index] if original else None
    facts = _with_risk(facts, table, summary, raw, after)
    return facts if forecast is None else _with_curve(facts, forecast)


def _with_risk(
    facts: TableFacts, table: RiskTable, summary: Mapping[str, Any], raw: RiskTable | None, after: After | None
) -> TableFacts:
    threshold, staircase = table.threshold, table.staircase
    judged = summary.get("after", {})
    group = judged.get("group", {})
    limits = _limits(table, raw, after)
    return replace(
        facts,
        threshold=threshold,
        household_threshold=_household_threshold(summary),
        threshold_rate=staircase.rate_at(threshold) if threshold is not None else None,
        actual_level=staircase.interval(threshold).low if threshold is not None else None,
        rate_observed=table.rate_observed,
        original=_state(raw, threshold, limits, facts.k, {}) if raw else None,
        recoded=_state(table, threshold, limits, facts.k, summary),
        safe=_safe(summary, after, facts, threshold, limits),
        released=_judged(judged.get("released")),
        by_original=_judged(judged.get("original")),
        group_max=group.get("max_risk"),
        group_unsafe=group.get("unsafe_records"),
        edges=limits,
    )


def _with_curve(facts: TableFacts, forecast: Forecast) -> TableFacts:
    levels, losses = forecast.curve(CURVE_POINTS)
    points = tuple(zip(levels.tolist(), losses.tolist(), strict=True))
    return replace(facts, curve=points, curve_exact=forecast.exact)


def _household_threshold(summary: Mapping[str, Any]) -> float | None:
    threshold = summary.get("threshold", {})
    found = threshold.get("household_risk", threshold.get("household", {}).get("household_risk"))
    return None if found is None else float(found)


def _limits(table: RiskTable, raw: RiskTable | None, after: After | None) -> tuple[float, ...]:
    """Class limits that hold the risks of every state."""
    ends = [(s.min_risk, s.max_risk) for s in [table.staircase, *([raw.staircase] if raw else [])] if s.n]
    if after is not None and not np.isnan(after.risk).all():
        ends.append((float(np.nanmin(after.risk)), float(np.nanmax(after.risk))))
    if not ends:
        return ()
    return class_limits(min(low for low, _high in ends), max(high for _low, high in ends), table.threshold)


def _state(
    table: RiskTable, threshold: float | None, limits: tuple[float, ...], k: int | None, summary: Mapping[str, Any]
) -> State:
    """A table before suppression; household figures are those of the summary."""
    cells = table.cells
    return State(
        individual=_figures(table.staircase, threshold),
        household=_household(summary, summary.get("threshold", {})),
        cells=len(cells),
        sample_uniques=table.sample_uniques,
        violations=_violations(cells.f, cells.count, k),
        histogram=records_in_classes(table.risk, cells.count, limits) if limits else (),
    )


def _figures(staircase: Staircase, threshold: float | None) -> Figures | None:
    if not staircase.n:
        return None
    unsafe = staircase.unsafe(threshold) if threshold is not None else None
    return Figures(staircase.max_risk, staircase.expected_reidentifications, staircase.rate, unsafe)


def _household(block: Mapping[str, Any], threshold: Mapping[str, Any]) -> Figures | None:
    risk = block.get("household_risk")
    if not isinstance(risk, Mapping):
        return None
    at = threshold.get("household", threshold)
    return Figures(
        max_risk=float(risk["max"]),
        expected=float(risk["expected_reidentifications"]),
        rate=float(risk["rate"]),
        unsafe=at.get("unsafe_records"),
        households=risk.get("households"),
        unsafe_households=at.get("unsafe_households"),
    )


def _counted(cells: Cells | None, k: int | None) -> State:
    if cells is None:
        return State()
    uniques = int(cells.count[cells.f == 1.0].sum())
    return State(cells=len(cells), sample_uniques=uniques, violations=_violations(cells.f, cells.count, k))


def _safe(
    summary: Mapping[str, Any],
    after: After | None,
    facts: TableFacts,
    threshold: float | None = None,
    limits: tuple[float, ...] = (),
) -> State | None:
    """The safe file as the mode judges it: figures of the check, pictures of the records."""
    state = _judged(summary.get("after", {}).get("by_mode"))
    if after is None:
        return state
    frequency = after.frequency
    ones = np.ones(len(frequency), np.int64)
    return State(
        individual=state.individual if state else _figures(Staircase.from_cells(after.risk, ones), threshold),
        household=state.household if state else None,
        sample_uniques=int((frequency == 1.0).sum()),
        violations=_violations(frequency, ones, facts.k),
        histogram=records_in_classes(after.risk, None, limits) if limits else (),
    )


def _judged(block: Mapping[str, Any] | None) -> State | None:
    """A block of the summary's ``after``."""
    if not block:
        return None
    risk = block.get("individual_risk")
    individual = None
    if isinstance(risk, Mapping):
        largest, expected, rate = (float(risk[name]) for name in ("max", "expected_reidentifications", "rate"))
        individual = Figures(largest, expected, rate, unsafe=block.get("unsafe_records"))
    return State(individual=individual, household=_household(block, block))


def _violations(f: NDArray[np.float64], count: NDArray[np.int64], k: int | None) -> tuple[tuple[int, int], ...]:
    profile = KAnonymity.from_cells(f, count)
    return tuple((level, profile.violations(level)) for level in sorted({*PROFILE, *((k,) if k else ())}))
