"""The figures of one combination in every state of the file, for the report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..check.judged import TableVerification
from ..data.households import Households
from ..data.risk_figures import RiskFigures, TableState
from ..results.results import RemainingRisks, Results, RiskTable
from ..results.risk_tables import asks_individual
from ..results.second_opinions import TableEstimate, unsafe_by_opinion
from ..risk.distribution import RiskDistribution
from ..risk.measures.k_anonymity import KAnonymityProfile
from ..risk.released_opinion import ReleasedOpinion
from ..suppression.forecast import Forecast
from ..tables.cells import Cells
from .charts import class_limits, records_in_classes
from .facts import Opinion, TableFacts

PROFILE = (2, 3, 5, 10)
"""The k of the k-anonymity profile, beside the table's own."""

CURVE_POINTS = 200

CountedRisks = tuple[NDArray[np.float64], NDArray[np.int64] | None]
"""Risks, and how many records have each; None: one."""


def table_facts(
    derived: Results,
    index: int,
    *,
    opinion: TableEstimate | None = None,
    later: ReleasedOpinion | None = None,
    below_exact: int | None = None,
    hidden: int | None = None,
    original: Results | None = None,
    found: TableVerification | None = None,
    after: RemainingRisks | None = None,
    forecast: Forecast | None = None,
    cells: Cells | None = None,
    original_cells: Cells | None = None,
    safe_cells: Cells | None = None,
) -> TableFacts:
    """Facts of combination `index`.

    Parameters
    ----------
    opinion : the second opinion on its risk
    later : the other estimate of the risk of the safe file
    below_exact, hidden : records, see `core.results.results.Protection`
    original : before recoding
    found : by the check of the written file
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
        l=combination.l,
        sensitive=combination.sensitive,
        mode=derived.recipe.suppression.mode,
        unsafe_combinations=tuple(sorted(derived.overviews[index].unsafe_by_dimension.items())),
        records_in_these=tuple(sorted(derived.overviews[index].records_by_dimension.items())),
        hidden=hidden,
        below_exact=below_exact,
        later=later,
    )
    if table is None:
        before = _counted(original_cells, k) if original_cells else None
        safe = _counted(safe_cells, k) if safe_cells else None
        return replace(facts, original=before, recoded=_counted(cells, k), safe=safe)
    raw = original.tables[index] if original else None
    facts = _with_risk(facts, table, raw, found, after, derived.households)
    if opinion is not None:
        facts = replace(facts, opinion=_opinion(table, opinion))
    return facts if forecast is None else _with_curve(facts, forecast)


def _opinion(table: RiskTable, found: TableEstimate) -> Opinion | None:
    own, opinion = table.staircase.expected_reidentifications, found.opinion
    ratio = found.ratio(own) if own else None
    if opinion is None:
        figures = None if found.individual is None else found.individual.figures(table.threshold)
        return None if figures is None else Opinion(figures, None, ratio)
    expected = opinion.expected_reidentifications
    rate = expected / table.staircase.n if table.staircase.n else 0.0
    low, high, is_all = opinion.interval_told(table.staircase.n)
    return Opinion(
        figures=RiskFigures(opinion.maximum, expected, rate, unsafe_by_opinion(table, found)),
        interval=(low, high),
        ratio=ratio,
        edges=opinion.edges,
        rests_on_model=opinion.rests_on_model,
        at_most_all=is_all,
    )


def _with_risk(
    facts: TableFacts,
    table: RiskTable,
    raw: RiskTable | None,
    found: TableVerification | None,
    after: RemainingRisks | None,
    households: Households | None,
) -> TableFacts:
    threshold, shown, of_households = table.threshold, table.staircase, table.household_threshold
    exceedance = None if table.promise is None else table.promise.exceedance
    asked = asks_individual(table.asked) or (table.household is not None and table.household.asked)
    facts = replace(facts, threshold=threshold, household_threshold=of_households, asked=asked, exceedance=exceedance)
    facts = replace(facts, asked_for=table.asked)
    if table.household is not None and threshold is None and of_households is not None:
        facts = replace(facts, histogram_risk="household")
        shown, threshold = table.household.staircase, of_households
    risk_after = None if after is None else _shown_after(facts, after, households)
    limits = _limits(facts, table, raw, None if risk_after is None else risk_after[0], threshold)
    return replace(
        facts,
        threshold_rate=shown.rate_at(threshold) if threshold is not None else None,
        actual=shown.actual(threshold) if threshold is not None and exceedance is None else None,
        rate_observed=table.rate_observed,
        original=_state(facts, raw, limits) if raw else None,
        recoded=_state(facts, table, limits),
        safe=_safe(facts, found, after, risk_after, limits),
        released=_judged(facts, found.released) if found else None,
        group_max=found.group_max if found else None,
        group_unsafe=found.group_unsafe if found else None,
        edges=limits,
    )


def _with_curve(facts: TableFacts, forecast: Forecast) -> TableFacts:
    shown = facts.household_threshold if facts.histogram_risk == "household" else facts.threshold
    levels, losses = forecast.curve(CURVE_POINTS, up_to=shown)
    points = tuple(zip(levels.tolist(), losses.tolist(), strict=True))
    return replace(facts, curve=points, curve_exact=forecast.exact, curve_remaining=forecast.remaining())


def _limits(
    facts: TableFacts,
    table: RiskTable,
    raw: RiskTable | None,
    after: NDArray[np.float64] | None,
    threshold: float | None,
) -> tuple[float, ...]:
    """Class limits that hold the risks of every state."""
    shown = [_shown(facts, each) for each in (table, raw) if each is not None]
    ends = [(s.min_risk, s.max_risk) for s in shown if s.n]
    if after is not None and not np.isnan(after).all():
        ends.append((float(np.nanmin(after)), float(np.nanmax(after))))
    if not ends:
        return ()
    return class_limits(min(low for low, _high in ends), max(high for _low, high in ends), threshold)


def _shown(facts: TableFacts, table: RiskTable) -> RiskDistribution:
    """The staircase of the risk that the histograms show."""
    household = facts.histogram_risk == "household" and table.household is not None
    return table.household.staircase if household and table.household else table.staircase


def _shown_after(facts: TableFacts, after: RemainingRisks, households: Households | None) -> CountedRisks:
    """The risk that the histograms show of the records of the safe file."""
    if facts.histogram_risk == "household" and after.household is not None and households is not None:
        return after.household[households.household_of_record], after.records
    return after.tallied.judged, after.tallied.records


def _state(facts: TableFacts, table: RiskTable, limits: tuple[float, ...]) -> TableState:
    """A table before suppression, at the thresholds that hold after recoding."""
    cells, shown, household = table.cells, _shown(facts, table), table.household
    records = np.diff(shown.cumulative_records, prepend=0)
    return TableState(
        individual=table.staircase.figures(facts.threshold),
        household=None if household is None else household.staircase.figures(facts.household_threshold),
        cells=cells.judged,
        sample_uniques=table.sample_uniques,
        violations=_violations(cells.f, cells.count, facts.k),
        histogram=records_in_classes(shown.levels, records, limits) if limits else (),
    )


def _counted(cells: Cells | None, k: int | None) -> TableState:
    if cells is None:
        return TableState()
    uniques = int(cells.count[cells.f == 1.0].sum())
    return TableState(cells=cells.judged, sample_uniques=uniques, violations=_violations(cells.f, cells.count, k))


def _safe(
    facts: TableFacts,
    found: TableVerification | None,
    after: RemainingRisks | None,
    risk_after: CountedRisks | None,
    limits: tuple[float, ...],
) -> TableState | None:
    """The safe file as the mode judges it: figures of the check, pictures of the records."""
    state = _judged(facts, found.by_mode) if found and found.by_mode else None
    if after is None or risk_after is None:
        return state
    frequency, risk, _judged_by, records = after.tallied
    return TableState(
        individual=state.individual if state else RiskDistribution.from_cells(risk, records).figures(facts.threshold),
        household=state.household if state else None,
        sample_uniques=int(records @ (frequency == 1.0)),
        violations=_violations(frequency, records, facts.k),
        histogram=records_in_classes(*risk_after, limits) if limits else (),
    )


def _judged(facts: TableFacts, state: TableState) -> TableState:
    """A state of the written file; what has a threshold has the records that are unsafe by any of them."""
    individual, household = state.individual, state.household
    if individual is not None:
        individual = replace(individual, unsafe=None if facts.threshold is None else state.unsafe)
    if household is not None:
        asked = facts.household_threshold is not None
        unsafe = (state.unsafe, household.unsafe_households) if asked else (None, None)
        household = replace(household, unsafe=unsafe[0], unsafe_households=unsafe[1])
    return TableState(individual, household)


def _violations(f: NDArray[np.float64], count: NDArray[np.int64], k: int | None) -> tuple[tuple[int, int], ...]:
    profile = KAnonymityProfile.from_cells(f, count)
    return tuple((level, profile.violations(level)) for level in sorted({*PROFILE, *((k,) if k else ())}))
