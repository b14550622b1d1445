"""Unsafe records of each key variable, whatever the models of the combinations that use it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..recipe.model import Combination
from ..risk.household import unsafe_up_to
from ..risk.individual import is_unsafe
from ..suppression.criteria.registry import whole_file_criterion
from ..tables.tabulate import tabulate_records
from .results import Results, RiskTable

Flags = NDArray[np.bool_]


def unsafe_counts(derived: Results, progress: Progress = SILENT) -> tuple[dict[str, int], dict[int, int]]:
    """Number of unsafe records of each variable that a combination uses, and of tables with two thresholds.

    A record counts for a variable if it takes part in an unsafe combination of a frequency table with it, or is
    unsafe by risk or by k in such a table (method: unsafe combinations). In a risk table with an individual and a
    household threshold a record counts that is unsafe by either or both; tables with one are counted by their
    staircase.

    Returns
    -------
    variable -> records, in the order of the overview; place of a combination with two thresholds -> records
    """
    tables = [judged_unsafe(derived, index, progress) for index in range(len(derived.tables))]
    times = derived.times
    counts: dict[str, int] = {}
    seen: dict[tuple[int, ...], int] = {}
    for variable in derived.overview.variables:
        progress.check()
        name = variable.name
        judging = [derived.overview.unsafe_records[name]] if name in derived.overview.unsafe_records else []
        using = [i for i, c in enumerate(derived.recipe.combinations) if name in c.variables]
        judging += [flags for i in using if (flags := tables[i]) is not None]
        key = tuple(id(flags) for flags in judging)
        if key not in seen:
            seen[key] = times.count(np.logical_or.reduce(judging)) if judging else 0
        counts[name] = seen[key]
    both = [table.index for table in derived.risk_tables if _has_both_thresholds(table)]
    return counts, {index: times.count(flags) for index in both if (flags := tables[index]) is not None}


def _has_both_thresholds(table: RiskTable) -> bool:
    return table.threshold is not None and table.household is not None and table.household.threshold is not None


def unsafe_flags(derived: Results, variable: str, progress: Progress = SILENT) -> Flags:
    """Which rows `unsafe_counts` counts for one variable, (rows,) bool; none where no combination uses it."""
    found = np.zeros(derived.times.rows(derived.records), np.bool_)
    for index, combination in enumerate(derived.recipe.combinations):
        if variable in combination.variables and (flags := judged_unsafe(derived, index, progress)) is not None:
            found |= flags
    taking_part = derived.overview.unsafe_records.get(variable)
    return found if taking_part is None else found | taking_part


def unsafe_of(derived: Results, variable: str, progress: Progress = SILENT) -> int:
    """Records that are unsafe for one variable."""
    return derived.times.count(unsafe_flags(derived, variable, progress))


def judged_unsafe(derived: Results, index: int, progress: Progress = SILENT) -> Flags | None:
    """Rows that are unsafe by the combination's own model, (rows,) bool; None where frequencies judge."""
    combination, table = derived.recipe.combinations[index], derived.tables[index]
    progress.check()
    if table is not None:
        found = [flags for flags in (_by_risk(table), _by_household(derived, table, progress)) if flags is not None]
        return np.logical_or.reduce(found) if found else None
    if combination.judges_whole_file:
        return _by_whole_file(derived, combination, progress)
    return None


def _by_risk(table: RiskTable) -> Flags | None:
    if table.threshold is None:
        return None
    unsafe = is_unsafe(table.judged_risk, table.threshold)
    return table.cell_index.spread(unsafe)


def _by_household(derived: Results, table: RiskTable, progress: Progress) -> Flags | None:
    household = table.household
    if household is None or household.threshold is None or derived.households is None:
        return None
    cells = table.cell_index.of_record
    levels = unsafe_up_to(table.risk, cells, household.risk, derived.households, progress)
    return is_unsafe(levels, household.threshold)


def _by_whole_file(derived: Results, combination: Combination, progress: Progress) -> Flags:
    """Rows whose key does not meet the criterion as the file is."""
    columns, criterion = derived.columns, whole_file_criterion(combination)
    keys = [columns[name] for name in combination.variables]
    cells, cell_index = tabulate_records(keys, None, combination.missing_rule, combination.alpha, progress)
    small = cell_index.spread(cells.f) < criterion.least_sizes(columns, len(cell_index))
    return small | cell_index.spread(criterion.unmet(cell_index.of_record, len(cells), columns))
