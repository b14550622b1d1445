"""Which records lose what, where rows stand for several records, as cells of a file in parts do.

A release says how many records of a unit lose which keys; which ones is drawn. In a file in parts nobody holds the
records: a draw then needs a pass over the parts, after which each row is divided into one for each way in which its
records are treated. So the search asks for a draw by `RowsToDraw`, the rows are divided, and it is done again; what it
has found by then is not searched for twice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record_draws import Numbers, in_drawn_order
from ..search_budget import SearchBudget
from .problem import ReleaseProblem
from .search import Assignment, gone_by

Masks = NDArray[np.uint64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Portions:
    """How the records of each of u units are treated, in the order in which they are drawn.

    Attributes
    ----------
    ptr : (u + 1,) int64, where the portions of each unit begin; a unit has at least one
    newly : (p,) masks, what the records of each portion lose; two of a unit that follow each other differ
    records : (p,) int64, at least 1
    """

    ptr: Ints
    newly: Masks
    records: Ints

    @classmethod
    def of(cls, found: Assignment, problem: ReleaseProblem) -> Portions:
        """Those of a release: its patterns in the order of their masks, then the records that lose nothing."""
        given = np.bincount(found.unit, found.records, len(problem.records)).astype(np.int64)
        rest = problem.records - given
        stay = np.flatnonzero(rest)
        unit = np.concatenate([found.unit.astype(np.int64), stay])
        newly = np.concatenate([gone_by(problem, found), np.zeros(len(stay), np.uint64)])
        order = np.lexsort((newly, newly == 0, unit))
        unit, newly = unit[order], newly[order]
        records = np.concatenate([found.records.astype(np.int64), rest[stay]])[order]
        begins = np.ones(len(unit), np.bool_)
        begins[1:] = (unit[1:] != unit[:-1]) | (newly[1:] != newly[:-1])
        first = np.flatnonzero(begins)
        ptr = np.searchsorted(unit[first], np.arange(len(problem.records) + 1))
        return cls(ptr.astype(np.int64), newly[first], np.add.reduceat(records, first) if len(first) else records)

    def of_records(self, unit_of_record: NDArray[np.integer[Any]], numbers: Callable[[Ints], Numbers]) -> Masks:
        """What every record loses, (n,) masks: of units whose records are not treated alike they are drawn.

        `numbers` : gives those of some records, by which they are drawn
        """
        newly: Masks = self.newly[self.ptr[unit_of_record]]
        asked = np.flatnonzero(self.several[unit_of_record])
        if len(asked):
            units = unit_of_record[asked]
            order = in_drawn_order(numbers(asked), units)
            of_portion = np.repeat(self.several, np.diff(self.ptr))
            newly[asked[order]] = np.repeat(self.newly[of_portion], self.records[of_portion])
        return newly

    @property
    def several(self) -> NDArray[np.bool_]:
        """Units of which not all records are treated alike, (u,)."""
        return np.asarray(np.diff(self.ptr) > 1)


class RowsToDraw(Exception):
    """A search cannot go on before it was drawn which records lose what.

    Attributes
    ----------
    key : by which the search asks for it again
    portions, unit_of_row : how the records of each unit are treated, and the unit of each row, (rows,)
    variables : of the combination that records are drawn for
    """

    def __init__(
        self, key: Hashable, portions: Portions, unit_of_row: NDArray[np.integer[Any]], variables: Sequence[str]
    ) -> None:
        super().__init__("rows are to be drawn")
        self.key, self.portions, self.unit_of_row = key, portions, unit_of_row.astype(np.int64)
        self.variables = tuple(variables)


@dataclass(eq=False)
class RowDraws:
    """What was drawn, and found, for rows that stand for several records.

    Attributes
    ----------
    newly : by draw, what the records of each row lose, (rows,) masks
    """

    newly: dict[Hashable, Masks] = field(default_factory=dict)
    _found: dict[Hashable, tuple[list[Assignment], int, bool]] = field(default_factory=dict)

    def lost(
        self, found: Assignment, problem: ReleaseProblem, unit_of_row: NDArray[np.integer[Any]],
        variables: Sequence[str], turn: int = 0,
    ) -> Masks:  # fmt: skip
        """What the records of every row lose, (rows,) masks.

        `turn` : what tells draws for the same combination from each other.

        Raises
        ------
        RowsToDraw
            Records of one row lose different things, and which ones was not drawn yet.
        """
        portions = Portions.of(found, problem)
        if not portions.several.any():
            alike: Masks = portions.newly[portions.ptr[unit_of_row]]
            return alike
        key = tuple(variables), turn, _digest(problem), _digest(found)
        if key not in self.newly:
            raise RowsToDraw(key, portions, unit_of_row, variables)
        return self.newly[key]

    def releases(
        self, problems: Sequence[ReleaseProblem], seed: int, reach: SearchBudget, search: Callable[[], list[Assignment]]
    ) -> list[Assignment]:
        """What `search` finds for `problems`; looked for once, and where it was ended then, it has ended here, too.

        Raises
        ------
        SearchAgain
            As `reach` says.
        """
        key = seed, reach.effort, reach.thorough, tuple(map(_digest, problems))
        if key not in self._found:
            self._found[key] = search(), reach.effort, reach.thorough
        found, effort, thorough = self._found[key]
        if (effort, thorough) != (reach.effort, reach.thorough):
            reach.end(effort)
        return found

    def divide(self, key: Hashable, newly: Masks, parent: Ints) -> None:
        """Say of rows that were divided what they lose by the draw `key`, and of which row each was a part."""
        self.newly = {known: masks[parent] for known, masks in self.newly.items()} | {key: newly}


def _digest(one: ReleaseProblem | Assignment) -> bytes:
    """What tells a problem or a release from others."""
    sum_ = sha256()
    for each in fields(one):
        value = getattr(one, each.name)
        for part in value if isinstance(value, list | tuple) else [value]:
            sum_.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
            sum_.update(b"|")
    return sum_.digest()
