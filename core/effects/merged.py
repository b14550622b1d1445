"""What merging categories of a variable makes of a session, short of its recipe: the same results as after Apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.results.households import household_risks
from core.results.results import Derived, RiskTable
from core.results.risk_tables import risk_table, risks_of
from core.results.unsafe_records import unsafe_flags
from core.tables.margins import UnsafeSpec, unsafe_combinations
from core.tables.regroup import code_map, regroup


def unsafe_when_merged(
    derived: Derived, variable: str, groups: Sequence[Sequence[str]], progress: Progress = SILENT
) -> int:
    """Records that are unsafe in a table with `variable` once each group of its original codes is one category.

    A threshold that the recipe gives as a rate or a number is derived anew from the merged tables.

    Raises
    ------
    RecipeError
        A rate or a number that does not exist after the merges.
    """
    merged, lut = _merged(derived, variable, groups)
    columns = {**derived.columns, variable: merged}
    tables = tuple(
        _again(derived, table, columns, lut, progress)
        if table is not None and variable in table.combination.variables
        else table
        for table in derived.tables
    )
    overview = derived.overview
    if variable in overview.unsafe_records:
        specs = [
            UnsafeSpec(c.variables, c.count_threshold, c.model == "frequency") for c in derived.recipe.combinations
        ]
        overview = unsafe_combinations(specs, columns, progress)
    after = replace(derived, columns=columns, tables=tables, overview=overview)
    return int(unsafe_flags(after, variable, progress).sum())


def _merged(
    derived: Derived, variable: str, groups: Sequence[Sequence[str]]
) -> tuple[EncodedColumn, NDArray[np.uint32]]:
    """The column with each group under the first of its codes, and where each code is in it."""
    original, column = derived.microdata.columns[variable], derived.columns[variable]
    recoding = derived.recodings.get(variable)
    recoded = np.arange(len(original.codes)) if recoding is None else recoding.lut
    place = {code: int(recoded[i]) for i, code in enumerate(original.codes[: original.n_valid])}
    into = np.arange(len(column.codes))
    for codes in groups:
        those = [place[code] for code in codes]
        into[those] = min(those)
    kept, where = np.unique(into, return_inverse=True)
    lut = where.astype(np.uint32)
    counts = np.zeros(len(kept), np.int64)
    np.add.at(counts, lut, column.counts)
    merged = replace(
        column,
        values=lut[column.values],
        codes=tuple(column.codes[i] for i in kept.tolist()),
        padded=tuple(column.padded[i] for i in kept.tolist()),
        counts=counts,
        n_valid=int((kept < column.n_valid).sum()),
    )
    return merged, lut


def _again(
    derived: Derived, table: RiskTable, columns: dict[str, EncodedColumn], lut: NDArray[np.uint32], progress: Progress
) -> RiskTable:
    """The risk table on the merged column, its thresholds derived from what is asked."""
    names = table.combination.variables
    maps = [
        None if columns[name] is derived.columns[name] else code_map(derived.columns[name], columns[name], lut)
        for name in names
    ]
    cells = regroup(table.cells, [columns[name] for name in names], maps, progress)
    risks = risks_of(cells, table.combination, progress)
    household = None
    if derived.households is not None:
        household = household_risks(cells, risks.risk, derived.households, progress)
    return risk_table(table.index, table.combination, cells, risks, table.asked, household)
