"""The figures of one combination in every state of the file, for the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.effects.before_after import After
from core.report.charts import class_limits, records_in_classes
from core.report.facts import Figures, State, TableFacts
from core.results.results import Results, RiskTable
from core.risk.measures.k_anonymity import KAnonymity
from core.risk.staircase import Staircase
from core.suppression.forecast import Forecast
from core.tables.cells import Cells

PROFILE = (2, 3, 5, 10)
"""The k of the k-anonymity profile, beside the table's own."""

CURVE_POINTS = 200


def table_facts(
    derived: Results,
    index: int,
    summary: Mapping[str, Any],
    *,
    original: Results | None = None,
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
        unsafe_combinations=_unsafe_combinations(derived, index, summary),
    )
    if table is None:
        before = _counted(original_cells, k) if original_cells else None
        safe = _counted(safe_cells, k) if safe_cells else None
        return replace(facts, original=before, recoded=_counted(cells, k), safe=safe)
    raw = original.tables[index] if original else None
    facts = _with_risk(facts, table, summary, raw, after)
    return facts if forecast is None else _with_curve(facts, forecast)


def _unsafe_combinations(derived: Results, index: int, summary: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """Numbers by dimension; those of the summary where there is one, because to count them anew takes time."""
    if "unsafe_by_dimension" in summary:
        return tuple(sorted((int(dimension), n) for dimension, n in summary["unsafe_by_dimension"].items()))
    return tuple(sorted(derived.overviews[index].unsafe_by_dimension.items()))


def _with_risk(
    facts: TableFacts, table: RiskTable, summary: Mapping[str, Any], raw: RiskTable | None, after: After | None
) -> TableFacts:
    threshold, staircase = table.threshold, table.staircase
    of_households = _household_threshold(summary)
    asked = of_households is not None
    facts = replace(facts, threshold=threshold, household_threshold=of_households)
    judged = summary.get("after", {})
    group = judged.get("group", {})
    shown = staircase
    if table.household is not None and threshold is None and of_households is not None:
        facts = replace(facts, histogram_risk="household")
        shown, threshold = table.household.staircase, of_households
    limits = _limits(facts, table, raw, after, threshold)
    return replace(
        facts,
        threshold_rate=shown.rate_at(threshold) if threshold is not None else None,
        actual_level=shown.interval(threshold).low if threshold is not None else None,
        rate_observed=table.rate_observed,
        original=_state(facts, raw, limits, _raw_household(raw, of_households)) if raw else None,
        recoded=_state(
            facts, table, limits, _household(summary, summary.get("threshold", {}), of_households is not None)
        ),
        safe=_safe(summary, after, facts, table.threshold, limits),
        released=_judged(judged.get("released"), table.threshold is not None, asked),
        by_original=_judged(judged.get("original"), table.threshold is not None, asked),
        group_max=group.get("max_risk"),
        group_unsafe=group.get("unsafe_records"),
        edges=limits,
    )


def _with_curve(facts: TableFacts, forecast: Forecast) -> TableFacts:
    shown = facts.household_threshold if facts.histogram_risk == "household" else facts.threshold
    levels, losses = forecast.curve(CURVE_POINTS, up_to=shown)
    points = tuple(zip(levels.tolist(), losses.tolist(), strict=True))
    return replace(facts, curve=points, curve_exact=forecast.exact, curve_remaining=forecast.remaining())


def _household_threshold(summary: Mapping[str, Any]) -> float | None:
    threshold = summary.get("threshold", {})
    found = threshold.get("household_risk", threshold.get("household", {}).get("household_risk"))
    return None if found is None else float(found)


def _limits(
    facts: TableFacts, table: RiskTable, raw: RiskTable | None, after: After | None, threshold: float | None
) -> tuple[float, ...]:
    """Class limits that hold the risks of every state."""
    shown = [_shown(facts, each) for each in (table, raw) if each is not None]
    ends = [(s.min_risk, s.max_risk) for s in shown if s.n]
    of_records = None if after is None else _shown_after(facts, after)
    if of_records is not None and not np.isnan(of_records).all():
        ends.append((float(np.nanmin(of_records)), float(np.nanmax(of_records))))
    if not ends:
        return ()
    return class_limits(min(low for low, _high in ends), max(high for _low, high in ends), threshold)


def _shown(facts: TableFacts, table: RiskTable) -> Staircase:
    """The staircase of the risk that the histograms show."""
    household = facts.histogram_risk == "household" and table.household is not None
    return table.household.staircase if household and table.household else table.staircase


def _shown_after(facts: TableFacts, after: After) -> NDArray[np.float64]:
    if facts.histogram_risk == "household" and after.household is not None:
        return after.household
    return after.risk


def _raw_household(raw: RiskTable, threshold: float | None) -> Figures | None:
    """Household figures before recoding, at the threshold that holds after it."""
    if raw.household is None:
        return None
    stairs = raw.household.staircase
    return Figures(
        max_risk=stairs.max_risk,
        expected=stairs.expected_reidentifications,
        rate=stairs.rate,
        unsafe=None if threshold is None else stairs.unsafe(threshold),
        households=stairs.households,
        unsafe_households=None if threshold is None else stairs.unsafe_households(threshold),
    )


def _state(facts: TableFacts, table: RiskTable, limits: tuple[float, ...], household: Figures | None) -> State:
    """A table before suppression."""
    cells, shown = table.cells, _shown(facts, table)
    records = np.diff(shown.cumulative_records, prepend=0)
    return State(
        individual=_figures(table.staircase, facts.threshold),
        household=household,
        cells=len(cells),
        sample_uniques=table.sample_uniques,
        violations=_violations(cells.f, cells.count, facts.k),
        histogram=records_in_classes(shown.levels, records, limits) if limits else (),
    )


def _figures(staircase: Staircase, threshold: float | None) -> Figures | None:
    if not staircase.n:
        return None
    unsafe = staircase.unsafe(threshold) if threshold is not None else None
    return Figures(staircase.max_risk, staircase.expected_reidentifications, staircase.rate, unsafe)


def _household(block: Mapping[str, Any], threshold: Mapping[str, Any], asked: bool) -> Figures | None:
    """Household figures of a block; `asked`: whether households have a threshold, else none of them is unsafe by it."""
    risk = block.get("household_risk")
    if not isinstance(risk, Mapping):
        return None
    at = threshold.get("household", threshold) if asked else {}
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
    asked = facts.household_threshold is not None
    state = _judged(summary.get("after", {}).get("by_mode"), threshold is not None, asked)
    if after is None:
        return state
    frequency = after.frequency
    ones = np.ones(len(frequency), np.int64)
    return State(
        individual=state.individual if state else _figures(Staircase.from_cells(after.risk, ones), threshold),
        household=state.household if state else None,
        sample_uniques=int((frequency == 1.0).sum()),
        violations=_violations(frequency, ones, facts.k),
        histogram=records_in_classes(_shown_after(facts, after), None, limits) if limits else (),
    )


def _judged(block: Mapping[str, Any] | None, by_records: bool, by_households: bool) -> State | None:
    """A block of the summary's ``after``; whether records and whether households have a threshold of their own."""
    if not block:
        return None
    risk = block.get("individual_risk")
    individual = None
    if isinstance(risk, Mapping):
        largest, expected, rate = (float(risk[name]) for name in ("max", "expected_reidentifications", "rate"))
        individual = Figures(largest, expected, rate, unsafe=block.get("unsafe_records") if by_records else None)
    return State(individual=individual, household=_household(block, block, by_households))


def _violations(f: NDArray[np.float64], count: NDArray[np.int64], k: int | None) -> tuple[tuple[int, int], ...]:
    profile = KAnonymity.from_cells(f, count)
    return tuple((level, profile.violations(level)) for level in sorted({*PROFILE, *((k,) if k else ())}))
