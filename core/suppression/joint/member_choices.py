"""What members of households may lose, and under which released keys they come by it.

Records that agree on all keys, on what is missing already and on what they need are a unit, as in
`core.suppression.joint.problem`. A *shared choice* says which household variables go for all members that have them;
given it each member has choices of its own. Every pair of unit and choice leads to one released key, the *group*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...tables.grouping import group_rows
from ..candidates import positions
from ..households.sharing import Shared, by_mask
from .problem import FEW_BLANKS, MOST_ENTRIES, MOST_KEYS, ReleaseProblem

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class MemberChoices:
    """The choices of the units' classes, and the groups that they lead to.

    Attributes
    ----------
    class_of_unit : (u,) int32; units of one class lack the same variables
    first : (classes, t + 1) int32, where the choices of a class with each of the t shared choices begin; the cheapest
        first, the first of all being to lose nothing
    shared : (c,) int32, the shared choice of each
    newly : (c,) uint64, masks of all variables that go missing by it
    price : (c,) float64, their loss
    goes : (u,) int64, so that ``group[goes[u] + c]`` is the group of unit u by choice c
    group : (e,) int32
    groups : how many there are
    """

    class_of_unit: Ints
    first: Ints
    shared: Ints
    newly: NDArray[np.uint64]
    price: NDArray[np.float64]
    goes: NDArray[np.int64]
    group: Ints
    groups: int

    def entries(self) -> tuple[Ints, Ints]:
        """Unit and choice of everything in `group`."""
        begin, end = self.first[self.class_of_unit, 0], self.first[self.class_of_unit, -1]
        unit = np.repeat(np.arange(len(begin), dtype=np.int32), end - begin)
        return unit, (np.arange(len(unit)) - self.goes[unit]).astype(np.int32)


def member_choices(problem: ReleaseProblem, joint: Shared, progress: Progress = SILENT) -> MemberChoices:
    """All choices; where these are too many, those by which few keys go, or as many as can.

    Parameters
    ----------
    joint : the shared choices among the variables of the problem
    """
    units, keys = len(problem.records), len(problem.codes)
    most = keys if keys <= MOST_KEYS else FEW_BLANKS
    while True:
        lists = {mask: list(_lists(problem, joint, mask, most)) for mask in np.unique(problem.missing).tolist()}
        if most <= 1 or sum(len(lists[m]) for m in problem.missing.tolist()) <= MOST_ENTRIES:
            break
        most = min(most - 1, FEW_BLANKS)
    shared: list[int] = []
    newly: list[int] = []
    price: list[float] = []
    first = np.zeros((len(lists), len(joint.choices) + 1), np.int32)
    class_of_unit = np.zeros(units, np.int32)
    for number, (missing, rows) in enumerate(by_mask(problem.missing)):
        progress.check()
        class_of_unit[rows] = number
        begin = len(newly)
        found = sorted(lists[missing])
        shared += [t for t, *_ in found]
        price += [loss for _, loss, *_ in found]
        newly += [mask for *_, mask in found]
        first[number] = begin + np.searchsorted([t for t, *_ in found], np.arange(len(joint.choices) + 1))
    masks = np.array(newly, np.uint64)
    number_of = first[class_of_unit, -1] - first[class_of_unit, 0]
    starts = np.cumsum(number_of, dtype=np.int64) - number_of
    goes = starts - first[class_of_unit, 0]
    group, groups = _groups(problem, class_of_unit, first, masks, goes, int(number_of.sum()), progress)
    return MemberChoices(
        class_of_unit, first, np.array(shared, np.int32), masks, np.array(price, np.float64), goes, group, groups
    )  # fmt: skip


def _lists(
    problem: ReleaseProblem, joint: Shared, missing: int, most: int
) -> Iterator[tuple[int, float, int, tuple[int, ...], int]]:
    """Shared choice, loss, number of values, their positions and mask of the choices of a class, without order."""
    every = range(len(problem.codes))
    for number, together in enumerate(joint.choices):
        gone, barred = joint.newly(together, missing, problem.fixed), joint.stays(together, problem.fixed)
        if gone is None:
            continue
        closures = {problem.closures[j] & ~missing for j in every if not (missing | gone) >> j & 1}
        own = sorted(closure for closure in closures if not closure & barred)
        found = set()
        for size in [*range(min(most, len(own)) + 1), len(own)]:
            for some in combinations(own, size):
                mask = gone
                for closure in some:
                    mask |= closure
                found.add(mask)
        for mask in found:
            yield number, _loss(problem.costs, mask), mask.bit_count(), positions(mask), mask


def _loss(costs: Sequence[float], mask: int) -> float:
    return float(sum(costs[v] for v in positions(mask)))


def _groups(
    problem: ReleaseProblem, class_of_unit: Ints, first: Ints, newly: NDArray[np.uint64], goes: NDArray[np.int64],
    size: int, progress: Progress,
) -> tuple[Ints, int]:  # fmt: skip
    """The group of every unit by each of its choices, and how many groups there are."""
    every = (1 << len(problem.codes)) - 1
    rows_of = [rows for _, rows in by_mask(problem.missing)]
    under: dict[int, list[tuple[int, int]]] = {}
    for number, (missing, _) in enumerate(by_mask(problem.missing)):
        for choice in range(int(first[number, 0]), int(first[number, -1])):
            under.setdefault((missing | int(newly[choice])) & every, []).append((number, choice))
    group, groups = np.zeros(size, np.int32), 0
    for blank, ways in under.items():
        progress.check()
        rows = np.concatenate([rows_of[number] for number in sorted({number for number, _ in ways})])
        kept = [j for j in range(len(problem.codes)) if not blank >> j & 1]
        of_unit = np.zeros(len(problem.records), np.int32)
        if kept:
            found = group_rows([problem.codes[j] for j in kept], [problem.cards[j] for j in kept], progress,
                               rows.astype(np.uint32))  # fmt: skip
            of_unit[rows] = found.ids
        for number, choice in ways:
            group[goes[rows_of[number]] + choice] = groups + of_unit[rows_of[number]]
        groups += len(found) if kept else 1
    return group, groups
