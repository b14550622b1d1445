"""Recodes tried on cells: what they do to risk and information, and nothing is read again.

A trial is a value: codes of variables put together, variables left out, household sizes cut at the top. Advice, merges,
plans and prices are questions to it, and each answer is made when it is asked for. A new what-if is a few lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..data.risk_figures import TableState
from ..results.results import Results
from ..suppression.households.forecast import By
from ..tables.cell_index import CellIndex, Tabulation
from ..tables.margins import Overview, UnsafeSpec, unsafe_combinations
from ..tables.tabulate import tabulate_records
from .merged_tables import KEPT_BYTES, LEFT_OUT, Coding, MergedTable, MergedTables
from .tried_combination import CombinationTrial, TriedCombination

Flags = NDArray[np.bool_]


class TrialStart:
    """What trials begin with: some combinations of a recipe, and the cells that are merged.

    Parameters
    ----------
    derived : what follows from the recipe
    indexes : places of the combinations; None: all
    columns : by which their variables are tabulated; None: as they are recoded
    tables : cells of combinations, where they are at hand, by place
    threshold : in place of what the recipe asks for, of the individual or, by `by`, of the household risk
    ladders : of variables the codings that will be tried, from fine to coarse
    kept_bytes : memory for merged tables from which others can be merged
    """

    def __init__(
        self,
        derived: Results,
        indexes: Sequence[int] | None = None,
        columns: Mapping[str, EncodedColumn] | None = None,
        tables: Mapping[int, Tabulation] | None = None,
        threshold: float | None = None,
        by: By = "individual",
        ladders: Mapping[str, Sequence[Coding]] | None = None,
        progress: Progress = SILENT,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        self.derived, self.progress = derived, progress
        self.columns = derived.columns if columns is None else columns
        self.indexes = tuple(range(len(derived.recipe.combinations)) if indexes is None else indexes)
        self._ladders, self._share = ladders, kept_bytes // (len(self.indexes) + 1)
        given = tables or {}
        self.combinations = {
            index: TriedCombination(
                derived, index, columns, given.get(index), threshold, by, ladders, progress, self._share
            )
            for index in self.indexes
        }
        chosen = [each.combination.variables for each in self.combinations.values()]
        self.variables = tuple(dict.fromkeys(name for names in chosen for name in names))

    @property
    def trial(self) -> Trial:
        """Everything as it is."""
        return Trial(self)

    @cached_property
    def _rows(self) -> tuple[MergedTables, CellIndex]:
        """The cells of all variables together, by which records are counted once, and the cell of each row."""
        first = next(iter(self.combinations.values()))
        if len(self.combinations) == 1 and first.combination.sensitive is None:
            return first.tables, first.cell_index
        columns = [self.columns[name] for name in self.variables]
        cells, cell_index = tabulate_records(columns, None, "category", progress=self.progress)
        return MergedTables(cells, "exact", self._ladders, self.progress, self._share), cell_index

    @property
    def rows(self) -> MergedTables:
        """Tables of all variables together."""
        return self._rows[0]

    @property
    def row_index(self) -> CellIndex:
        """The cell of all variables, as they are, that each row of the file is in."""
        return self._rows[1]


@dataclass(frozen=True, eq=False)
class Trial:
    """A what-if.

    Attributes
    ----------
    start : what it begins with
    codings : of the variables that are coded otherwise than there, or left out
    """

    start: TrialStart
    codings: Mapping[str, Coding] = field(default_factory=dict)
    _found: dict[int, CombinationTrial | None] = field(default_factory=dict, repr=False)

    # What is tried ------------------------------------------------------------------------------------------------

    def under(self, codings: Mapping[str, Coding]) -> Trial:
        """The same with other codings of some variables, of their codes at the start."""
        return Trial(self.start, {**self.codings, **codings})

    def merging(self, variable: str, onto: NDArray[np.int64]) -> Trial:
        """The same with valid codes of a variable put together: the category of each one that it has here."""
        now = self.codings.get(variable)
        coding = Coding(onto, int(onto.max(initial=-1)) + 1) if now is None else now.then(onto)
        return self.under({variable: coding})

    def leaving_out(self, *variables: str) -> Trial:
        """The same without some variables in every combination; a sensitive variable stays what must not be told."""
        return self.under(dict.fromkeys(variables, LEFT_OUT))

    def with_sizes_up_to(self, most: int) -> Trial:
        """The same with households of `most` members and more as one size, in every key that is a household's size."""
        found = self
        for spec in self.start.derived.recipe.household_keys:
            if spec.kind == "household-size" and spec.name in self.start.variables and spec.name not in self.codings:
                column = self.start.columns[spec.name]
                sizes = np.array([int(code) for code in column.codes[: column.n_valid]])
                _, onto = np.unique(np.minimum(sizes, most), return_inverse=True)
                found = found.merging(spec.name, onto.astype(np.int64))
        return found

    # What it comes to ---------------------------------------------------------------------------------------------

    def of(self, index: int) -> CombinationTrial | None:
        """What its own criterion says of one combination; None where none of its keys is left."""
        if index not in self._found:
            tried = self.start.combinations[index]
            touched = any(name in self.codings for name in tried.tables.variables)
            self._found[index] = tried.at(self.codings) if touched else tried.as_derived()
        return self._found[index]

    @property
    def each(self) -> Iterator[CombinationTrial]:
        """All combinations that have a key left."""
        return (found for index in self.start.indexes if (found := self.of(index)) is not None)

    @property
    def exact(self) -> bool:
        """Whether the session finds the same once it is done; else about as many, rarely fewer, unsafe records."""
        return all(each.exact for each in self.each)

    def keys(self, of: CombinationTrial) -> tuple[str, ...]:
        """The keys that a combination has left."""
        return tuple(name for name in of.tried.combination.variables if self.codings.get(name) is not LEFT_OUT)

    @cached_property
    def rows(self) -> MergedTable:
        """The distinct keys of all variables that are left."""
        return self.start.rows.at(tuple(self.codings.get(name) for name in self.start.rows.variables))

    def cells_of_rows(self, of: CombinationTrial) -> NDArray[np.intp] | None:
        """The cell of a combination that each row is in; None: rows are its cells."""
        if of.table is self.rows:
            return None
        codes = dict(zip(self.rows.cells.variables, self.rows.cells.codes, strict=True))
        found = of.table.find([codes[name] for name in of.cells.variables])
        return np.broadcast_to(found, len(self.rows.cells))

    def unsafe_rows(self, of: CombinationTrial) -> Flags:
        """Which rows one combination finds unsafe, households aside."""
        cell = self.cells_of_rows(of)
        return of.unsafe_cells if cell is None else of.unsafe_cells[cell]

    def unsafe(self, variable: str | None = None) -> int:
        """Records that are unsafe by any combination, by any of its risks; or by any in which a variable is left.

        By the threshold rule a record counts for a variable that takes part in an unsafe combination with it.

        Raises
        ------
        RecipeError
            A rate or a number of records or households that there is no more.
        """
        judging = [each for each in self.each if variable is None or variable in self.keys(each)]
        if not judging:
            return 0
        if len(judging) == 1 and (variable is None or not judging[0].tried.combination.judges_margins):
            return judging[0].unsafe
        of_rows, of_file = np.zeros(len(self.rows.cells), np.bool_), list[Flags]()
        for each in judging:
            if each.households is not None or each.known is not None:
                of_file.append(each.unsafe_rows)
            elif not each.tried.combination.judges_margins:
                of_rows |= self.unsafe_rows(each)
        if any(each.tried.combination.judges_margins for each in judging):
            taking_part = self.margins.unsafe_records
            for flags in taking_part.values() if variable is None else (taking_part[variable],):
                of_rows |= flags
        if not of_file:
            return int(self.rows.cells.count[of_rows].sum())
        index = self.start.row_index
        if self.rows is not self.start.rows.base:
            index = index.merged(self.start.rows.of_base(self.rows), self.start.progress)
        return self.start.derived.times.count(np.logical_or.reduce([index.spread(of_rows), *of_file]))

    @property
    def unsafe_by_combination(self) -> dict[int, int]:
        """Unsafe records of each combination that has a key left, by its place."""
        return {each.tried.index: each.unsafe for each in self.each}

    @property
    def excess(self) -> float:
        """Bits by which risks are above their thresholds, and counts below what is asked, summed over records."""
        return math.fsum(each.excess for each in self.each)

    @cached_property
    def margins(self) -> Overview:
        """Unsafe combinations of values in the tables and their margins; its records are the rows of the trial."""
        columns = {name: _as_column(self.rows, place) for place, name in enumerate(self.rows.cells.variables)}
        specs, cells = [], {}
        for each in self.each:
            own = each.tried.combination
            specs.append(UnsafeSpec(self.keys(each), own.count_threshold, own.judges_margins))
            if own.judges_margins:
                cell = self.cells_of_rows(each)
                of_row = np.arange(len(each.cells)) if cell is None else cell
                cells[frozenset(self.keys(each))] = Tabulation(each.cells, CellIndex(of_row.astype(np.uint32)))
        return unsafe_combinations(specs, columns, self.start.progress, cells, limit=0)

    def figures(self, index: int) -> TableState:
        """Figures of a combination by its individual and its household risk; empty where it has none."""
        found = self.of(index)
        if found is None or not found.tried.by_risk:
            return TableState()
        homes, (risks, promise) = found.households, found.risks
        of_homes = None if homes is None else homes.risks.staircase.figures(homes.risks.threshold)
        return TableState((risks.staircase if promise is None else promise.staircase).figures(found.limit), of_homes)

    def column(self, name: str) -> EncodedColumn:
        """A variable as it is coded here; each category has the first of its codes."""
        column, coding = self.start.columns[name], self.codings.get(name)
        if coding is None or coding is LEFT_OUT:
            return column
        n, gone = column.n_valid, len(column.codes) - column.n_valid
        _, first = np.unique(coding.onto, return_index=True)
        through = np.concatenate((coding.onto, coding.codes + np.arange(gone))).astype(column.values.dtype)
        kept = [*first.tolist(), *range(n, n + gone)]
        counts = np.zeros(len(kept), np.int64)
        np.add.at(counts, through, column.counts)
        codes, padded = (tuple(some[place] for place in kept) for some in (column.codes, column.padded))
        return replace(
            column, values=through[column.values], codes=codes, padded=padded, counts=counts, n_valid=coding.codes
        )

    def lost(self, name: str) -> float:
        """Bits that the coding of a variable takes from its codes at the start: values × entropy before and after."""
        column, coding = self.start.columns[name], self.codings.get(name)
        if coding is None:
            return 0.0
        counts = column.counts[: column.n_valid]
        if coding is LEFT_OUT:
            return information(counts)
        return information(counts) - information(np.bincount(coding.onto, counts, coding.codes).astype(np.int64))

    @property
    def loss(self) -> float:
        """Bits that it takes from all variables."""
        return math.fsum(map(self.lost, self.codings))


def information(counts: NDArray[np.int64]) -> float:
    """Records with a value × entropy of its codes, in bits, from the records of each."""
    some = [int(count) for count in counts if count > 0]
    total = sum(some)
    return -math.fsum(count * math.log2(count / total) for count in some) + 0.0


def _as_column(rows: MergedTable, place: int) -> EncodedColumn:
    """A variable of the rows of a trial, each of which stands for its records."""
    cells = rows.cells
    codes = tuple(map(str, range(cells.cards[place] + 1)))
    nothing = np.zeros(len(codes), np.int64)
    column = EncodedColumn(
        cells.variables[place], cells.codes[place], codes, codes, nothing, cells.cards[place], 1, cells.count
    )
    return replace(column, counts=column.tally(column.values))
