"""The members of households as suppression decides them: households that are alike are decided once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.households import Households
from core.suppression.households.sharing import Demand
from core.suppression.problem import Units

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class People:
    """The distinct households to be decided, member after member, ascending by size.

    Attributes
    ----------
    starts : (A + 1,) int64, where each household begins
    unit : (p,) uint32, index into the next three: what a member is; ascending within a household
    base : (u,) int64, its unit among `Units`
    missing : (u,) uint64, variables that are missing originally
    limits : for each table (u,) float64, below which its risk must be
    times : (A,) int64, households of the file that are so
    example : (A,) int64, one of them
    copies : by size, the records (b, size) of households and which of the A each is (b,)
    """

    starts: Ints
    unit: NDArray[np.uint32]
    base: Ints
    missing: NDArray[np.uint64]
    limits: tuple[NDArray[np.float64], ...]
    times: Ints
    example: Ints
    copies: tuple[tuple[Ints, Ints], ...]

    @property
    def size(self) -> Ints:
        """Members of each of the A households."""
        return np.diff(self.starts)

    def to_records(self, masks: NDArray[np.uint64], records: int) -> NDArray[np.uint64]:
        """The masks (p,) of the members as masks of the file's records; 0 for those not decided."""
        found = np.zeros(records, np.uint64)
        for rows, kind in self.copies:
            found[rows] = masks[self.starts[kind][:, None] + np.arange(rows.shape[1])]
        return found


def affected_people(units: Units, found: Demand, households: Households, progress: Progress = SILENT) -> People:
    """The households in which something has to be suppressed; members are alike where unit and limits are."""
    size = households.size[found.affected]
    records = households.members[np.repeat(found.affected, households.size)].astype(np.int64)
    number = units.unit_of_record[records].astype(np.uint64)
    if not found.limits:
        number = np.unique(number, return_inverse=True)[1].astype(np.uint64)
    for limit in found.limits:
        of_limit = np.unique(limit[records], return_inverse=True)[1]
        number = number * np.uint64(int(of_limit.max()) + 1) + of_limit.astype(np.uint64)
        number = np.unique(number, return_inverse=True)[1].astype(np.uint64)
    count = int(number.max()) + 1
    example = np.zeros(count, np.int64)
    example[number] = records
    base = units.unit_of_record[example].astype(np.int64)
    limits = tuple(limit[example] for limit in found.limits)
    return _distinct(np.flatnonzero(found.affected), size, records, number, base, units.missing[base], limits, progress)


def everybody(units: Units, households: Households, progress: Progress = SILENT) -> People:
    """All households; members are alike where their unit is."""
    records = households.members.astype(np.int64)
    number = units.unit_of_record[records].astype(np.uint64)
    base = np.arange(len(units.records))
    return _distinct(np.arange(len(households)), households.size, records, number, base, units.missing, (), progress)


def _distinct(
    household: Ints, size: Ints, records: Ints, number: NDArray[np.uint64], base: Ints, missing: NDArray[np.uint64],
    limits: tuple[NDArray[np.float64], ...], progress: Progress,
) -> People:  # fmt: skip
    """Households gathered by what their members are, given household after household."""
    starts = np.cumsum(size) - size
    copies, units, sizes, times, example = [], [], [], [], []
    done = 0
    for members, which in _by_size(size):
        progress.check()
        places = starts[which][:, None] + np.arange(members)
        rows, kind = records[places], number[places]
        if members > 1:
            order = np.argsort(kind, axis=1, kind="stable")
            rows, kind = np.take_along_axis(rows, order, axis=1), np.take_along_axis(kind, order, axis=1)
        first, inverse, count = _alike(kind, len(base))
        copies.append((rows, inverse + done))
        units.append(kind[first].astype(np.uint32).ravel())
        sizes.append(np.full(len(first), members))
        times.append(count)
        example.append(household[which[first]])
        done += len(first)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(sizes))])
    return People(
        starts, np.concatenate(units), base, missing, limits, np.concatenate(times), np.concatenate(example),
        tuple(copies),
    )  # fmt: skip


def _by_size(size: Ints) -> Iterator[tuple[int, Ints]]:
    order = np.argsort(size, kind="stable")
    distinct, starts = np.unique(size[order], return_index=True)
    yield from zip(distinct.tolist(), np.split(order, starts[1:]), strict=True)


def _alike(kind: NDArray[np.uint64], number: int) -> tuple[Ints, Ints, Ints]:
    """First of each distinct row, the distinct row of each, and how many there are of each.

    Rows that are too long for one number are taken as distinct; large households are few.
    """
    if number ** kind.shape[1] >= 1 << 64:
        every = np.arange(len(kind))
        return every, every, np.ones(len(kind), np.int64)
    folded = kind[:, 0].copy()
    for member in range(1, kind.shape[1]):
        folded = folded * np.uint64(number) + kind[:, member]
    _, first, inverse, count = np.unique(folded, return_index=True, return_inverse=True, return_counts=True)
    return first, inverse, count
