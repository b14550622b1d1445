"""What a suppression is chosen for: rules that limit the choice, tables, and classes of records alike in it.

A record's choice depends on its cell in each coupled table and on which related variables outside the keys it
already lacks. Tables are coupled where a relation leads from a key of one to a variable that the other one
suppresses too; the others are decided apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..data.columns import EncodedColumn, times_of
from ..data.variables import Metadata
from ..recipe.model import Estimator
from ..risk.population_risks import PopulationRisks
from ..tables.cached_margins import CachedMargins
from ..tables.cell_index import CellIndex
from ..tables.cells import Cells
from .candidates import Choices
from .costs import Costs


@dataclass(frozen=True)
class Rules:
    """Limits on suppression.

    Attributes
    ----------
    related : variable -> the variable that is suppressed with it
    fixed : variables that may never be suppressed
    unwritten : variables that no output contains: they need no suppression, but relations pass through them
    unseen : derived keys that nobody can see in the safe file: to leave them out of account needs no missing code
    """

    related: Mapping[str, str] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()
    unwritten: frozenset[str] = frozenset()
    unseen: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, metadata: Metadata, *, derived: frozenset[str] = frozenset(), unseen: frozenset[str] = frozenset()
    ) -> Rules:
        """The rules that `metadata` states.

        Parameters
        ----------
        derived : keys made of others that may not go missing
        unseen : such keys that the safe file does not tell, either
        """
        return cls(
            related={v.name: v.related for v in metadata.variables if v.related},
            fixed=frozenset(v.name for v in metadata.variables if not v.suppressible) | derived,
            unwritten=frozenset(v.name for v in metadata.variables if v.removed or v.role == "direct-identifier"),
            unseen=unseen,
        )

    def closure(self, name: str) -> tuple[str, ...]:
        """`name`, then what is suppressed with it, transitively and in the order of the relations.

        A relation also passes through a variable whose own value is already missing: what the second tells about
        the third, it tells about the first.
        """
        chain = [name]
        while (following := self.related.get(chain[-1])) is not None and following not in chain:
            chain.append(following)
        return (name, *(other for other in chain[1:] if other not in self.unwritten))


MAX_VARIABLES = 60


@dataclass(frozen=True, eq=False)
class ProtectedTable:
    """A risk table to be protected: its cells (observed or wildcard) and those of the records, its thresholds.

    A threshold that is None makes nothing unsafe.

    `risk`: the cells' individual risks by that estimator, where they are known already; `population`: those of the
    margins, where the estimator judges by a model of the whole table; `held`: gives the margins' frequencies.
    """

    cells: Cells
    cell_index: CellIndex
    threshold: float | None
    estimator: Estimator = "exact"
    household_threshold: float | None = None
    risk: NDArray[np.float64] | None = None
    population: PopulationRisks | None = None
    held: CachedMargins | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, eq=False)
class RecordClasses:
    """The u units of coupled tables.

    Attributes
    ----------
    tables : the coupled tables; their keys are among the first `variables`
    variables : keys, then related variables outside them; bit v of every mask is ``variables[v]``
    n_keys : number of keys over all tables
    places : for each table the bits of its keys
    cells : for each table (u,) uint32, the unit's cell
    missing : (u,) uint64, variables whose value is missing originally
    records : (u,) int64, number of records
    unit_of_record : (n,) uint32
    choices : what can be suppressed, and the candidates of each missing pattern in their global order
    """

    tables: tuple[ProtectedTable, ...]
    variables: tuple[str, ...]
    n_keys: int
    places: tuple[tuple[int, ...], ...]
    cells: tuple[NDArray[np.uint32], ...]
    missing: NDArray[np.uint64]
    records: NDArray[np.int64]
    unit_of_record: NDArray[np.uint32]
    choices: Choices

    def keep(self, table: int, missing: int, newly: int) -> int:
        """Keys of `table` that stay, as a mask over the positions in that table."""
        gone = missing | newly
        return sum(1 << j for j, v in enumerate(self.places[table]) if not gone >> v & 1)


def build_units(
    tables: tuple[ProtectedTable, ...], columns: Mapping[str, EncodedColumn], costs: Costs, rules: Rules
) -> RecordClasses:
    """The units of coupled `tables`.

    Parameters
    ----------
    columns : encoded columns after recoding; needed of the related variables outside the keys
    """
    keys = tuple(name for table in tables for name in table.cells.variables)
    outside = tuple(dict.fromkeys(name for key in keys for name in rules.closure(key) if name not in keys))
    variables = keys + outside
    if len(variables) > MAX_VARIABLES:
        raise ValueError(f"{len(variables)} variables in coupled tables, at most {MAX_VARIABLES}")
    bit = {name: 1 << v for v, name in enumerate(variables)}
    closures = tuple(sum(bit[name] for name in rules.closure(key) if name in bit) for key in variables)
    fixed = sum(bit[name] for name in variables if name in rules.fixed)
    choices = Choices(len(keys), closures, tuple(costs[name] for name in variables), fixed)
    lacking = [columns[name].values >= columns[name].n_valid for name in outside]
    cells, missing, records, unit_of_record = _distinct(tables, lacking, times_of(columns.values()).records)
    missing <<= np.uint64(len(keys))
    first, places = 0, []
    for table, cell in zip(tables, cells, strict=True):
        if table.cells.missing.any():
            missing |= table.cells.missing[cell] << np.uint64(first)
        places.append(tuple(range(first, first + len(table.cells.variables))))
        first += len(table.cells.variables)
    return RecordClasses(tables, variables, len(keys), tuple(places), cells, missing, records, unit_of_record, choices)


def _distinct(
    tables: Sequence[ProtectedTable], lacking: list[NDArray[np.bool_]], records: NDArray[np.int64] | None
) -> tuple[tuple[NDArray[np.uint32], ...], NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32]]:
    """Distinct rows of cells and missing flags: cells per table, flags as masks, records, unit of each record."""
    head, of_head = tables[0].cells, tables[0].cell_index.of_record
    if len(tables) == 1 and not any(flags.any() for flags in lacking):
        return (
            (np.arange(len(head), dtype=np.uint32),),
            np.zeros(len(head), np.uint64),
            head.count,
            of_head,
        )
    unit = of_head.astype(np.uint64)
    size = len(head)
    parts: list[tuple[NDArray[np.unsignedinteger], int]] = [
        (table.cell_index.of_record, len(table.cells)) for table in tables[1:]
    ]
    parts += [(flags.view(np.uint8), 2) for flags in lacking]
    for values, cardinality in parts:
        unit = unit * np.uint64(cardinality) + values
        found, inverse = np.unique(unit, return_inverse=True)
        size, unit = len(found), inverse.astype(np.uint64)
    first = np.zeros(size, np.int64)
    first[unit[::-1]] = np.arange(len(unit) - 1, -1, -1)
    missing = np.zeros(size, np.uint64)
    for v, flags in enumerate(lacking):
        missing |= flags[first].astype(np.uint64) << np.uint64(v)
    cells = tuple(table.cell_index.of_record[first] for table in tables)
    count = np.zeros(size, np.int64)
    np.add.at(count, unit.astype(np.int64), 1 if records is None else records)
    return cells, missing, count, unit.astype(np.uint32)
