"""Households as suppression sees them: what members share, which limits their records have, which are affected.

The members of households as suppression decides them: households that are alike are decided once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.households import Households
from ...risk.household import household_risk
from ...risk.individual import lowest_unsafe
from ..candidates import positions
from ..margin_risks import MarginRisks
from ..problem import ProtectedTable, RecordClasses, Rules

MOST_SHARED = 12
"""More independent household variables than these are not all combined: only up to `FEW_SHARED` at a time, or all."""
FEW_SHARED = 3


@dataclass(frozen=True, eq=False)
class HouseholdProblem:
    """The households whose members are protected together.

    Attributes
    ----------
    households : of the n records
    variables : household variables: suppressed in one member, they are suppressed in all
    """

    households: Households
    variables: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Shared:
    """What can be suppressed for all members at once.

    Attributes
    ----------
    all : household variables among the variables of the units, as a mask
    choices : household variables suppressed together, masks, by position; first 0
    closures : of every variable, what is suppressed with it, itself included
    complete : whether every possible choice is among `choices`
    generators : what single keys take with them in household variables, masks: choices are unions of these
    """

    all: int
    choices: tuple[int, ...]
    closures: tuple[int, ...]
    complete: bool
    generators: tuple[int, ...] = ()

    def gone(self, together: int, missing: int) -> int:
        """All that goes in a member with `missing` variables where the household variables `together` go."""
        return together | _closed(together & ~missing, self.closures)

    def stays(self, together: int, fixed: int) -> int:
        """What no member may lose where the household variables `together` go: the others, and what is `fixed`.

        A member with a variable that takes others with it can be so only where they go for all, or it lacks them.
        """
        return fixed | self.all & ~together

    def newly(self, together: int, missing: int, fixed: int) -> int | None:
        """What of `gone` is not missing yet; None where some of it `stays`, so that the member cannot be so."""
        gone = self.gone(together, missing) & ~missing
        return None if gone & self.stays(together, fixed) else gone


def shared(units: RecordClasses, rules: Rules, variables: frozenset[str]) -> Shared:
    """The shared choices of the household variables `variables` among those of the units."""
    lacking = np.unique(units.missing).tolist()
    return shared_among(units.variables, units.n_keys, units.choices.fixed, rules, variables, lacking)


def shared_among(
    names: Sequence[str], n_keys: int, fixed: int, rules: Rules, variables: frozenset[str], lacking: Sequence[int] = ()
) -> Shared:
    """The shared choices: unions of what single keys take with them in household variables.

    Parameters
    ----------
    names : by bit, the keys first; n_keys : how many these are; fixed : mask of what may never be suppressed
    variables : household variables
    lacking : masks of the variables that are missing in some record: one that has a key, but not what goes with it,
        takes less with it
    """
    bit = {name: 1 << v for v, name in enumerate(names)}
    every = sum(bit[name] for name in names if name in variables)
    closures = tuple(_mask(rules.closure(name), bit) for name in names)
    taken = {closures[key] & every & ~gone for key in range(n_keys) for gone in (0, *lacking) if not gone >> key & 1}
    generators = sorted({each for part in taken for each in (part, _closed(part, closures) & every)} - {0})
    complete = len(generators) <= MOST_SHARED
    sizes = range(len(generators) + 1) if complete else [*range(FEW_SHARED + 1), len(generators)]
    found = {0, _freely(generators, closures, fixed)}
    for size in sizes:
        for chosen in combinations(generators, size):
            mask = 0
            for part in chosen:
                mask |= part
            found.add(mask)
    return Shared(every, tuple(sorted(found, key=positions)), closures, complete, tuple(generators))


def _closed(mask: int, closures: Sequence[int]) -> int:
    """The variables of a mask with all that goes with them."""
    for v in positions(mask):
        mask |= closures[v]
    return mask


def _freely(generators: Sequence[int], closures: Sequence[int], fixed: int) -> int:
    """All that can go whatever is missing already: the largest choice for almost everybody."""
    mask = 0
    for part in generators:
        if not any(closures[v] & fixed for v in positions(part)):
            mask |= part
    return mask


def _mask(names: Sequence[str], bit: Mapping[str, int]) -> int:
    return sum(bit[name] for name in names if name in bit)


@dataclass(frozen=True, eq=False)
class Demand:
    """What the records of coupled tables must meet, before any suppression.

    Attributes
    ----------
    limits : for each table (n,) float64: the record's risk in it must be below; inf where nothing is asked
    unsafe_households : for each table (H,) bool, at or above its household threshold
    affected : (H,) bool, households in which something has to be suppressed
    """

    limits: tuple[NDArray[np.float64], ...]
    unsafe_households: tuple[NDArray[np.bool_], ...]
    affected: NDArray[np.bool_]


def demand(
    tables: Sequence[ProtectedTable], risks: Sequence[MarginRisks], homes: HouseholdProblem, progress: Progress = SILENT
) -> Demand:
    """What must be met: in a household at or above its threshold t every member's risk is below t / size.

    That suffices for the household's risk to be below t ([P04] section 7.4.1).
    """
    households = homes.households
    size = households.size.astype(np.float64)
    affected = np.zeros(len(households), np.bool_)
    limits, unsafe_households = [], []
    for table, risk in zip(tables, risks, strict=True):
        cell, own = table.cell_index.of_record, risk.own()
        unsafe = np.zeros(len(households), np.bool_)
        limit = np.full(len(households), lowest_unsafe(table.threshold))
        if table.household_threshold is not None:
            found = household_risk(own, cell, households, progress)
            unsafe = found >= lowest_unsafe(table.household_threshold)
            limit[unsafe] = np.minimum(limit[unsafe], share(lowest_unsafe(table.household_threshold), size[unsafe]))
        of_record = limit[households.household_of_record]
        affected |= unsafe
        affected[households.household_of_record[own[cell] >= of_record]] = True
        limits.append(of_record)
        unsafe_households.append(unsafe)
    return Demand(tuple(limits), tuple(unsafe_households), affected)


def couples(group: Sequence[ProtectedTable], rules: Rules, homes: HouseholdProblem) -> bool:
    """Whether members of a household are coupled in these tables."""
    names = {name for table in group for key in table.cells.variables for name in rules.closure(key)}
    return bool(names & homes.variables) or any(table.household_threshold is not None for table in group)


def share(limit: float, size: NDArray[np.float64]) -> NDArray[np.float64]:
    """The risks below which members are below a household's `limit`: r < share just where size * r < limit."""
    if limit == np.inf:
        return np.full(len(size), np.inf)
    found = limit / size
    lower = np.nextafter(found, 0.0)
    found = np.where(lower * size >= limit, lower, found)
    return np.where(found * size < limit, np.nextafter(found, np.inf), found)


class SharedLosses:
    """What households lose at least by a shared choice: its own values, in all members that have them.

    Parameters
    ----------
    missing : (u,) uint64 by unit; unit : (p,) the members' units; starts : (A + 1,) where each household begins
    costs : of one value of each variable
    """

    def __init__(
        self, joint: Shared, costs: Sequence[float], missing: NDArray[np.uint64], unit: NDArray[np.uint32],
        starts: NDArray[np.int64],
    ) -> None:  # fmt: skip
        self._joint, self._costs = joint, costs
        self._classes, of_unit = np.unique(missing, return_inverse=True)
        self._class, self._starts = of_unit[unit], starts[:-1]

    def few(self) -> list[int]:
        """The choices of few generators, by which most households can do."""
        parts = self._joint.generators
        return [c for c in self._joint.choices if sum(1 for part in parts if not part & ~c) <= _TRIED_FIRST]

    def of(self, together: int) -> NDArray[np.float64]:
        """What each household loses at least where the household variables `together` go, (A,)."""
        gone = (self._joint.gone(together, missing) & ~missing for missing in self._classes.tolist())
        price = np.array([sum(self._costs[v] for v in positions(mask)) for mask in gone])
        return np.asarray(np.add.reduceat(price[self._class], self._starts))


_TRIED_FIRST = 2
MANY_SHARED = 64
"""With more shared choices than these, some are tried first, so that others are seen to be too dear."""


def barest(units: RecordClasses, missing: int) -> int:
    """All that can be suppressed in a unit with these missing variables, as a mask."""
    gone = 0
    choices = units.choices
    for key in range(units.n_keys):
        if not choices.closures[key] & ~missing & choices.fixed:
            gone |= choices.closures[key] & ~missing
    return gone


def lowest_risks(units: RecordClasses, table: int, risk: MarginRisks) -> NDArray[np.float64]:
    """The risk of each unit in a table once all that may be suppressed is, (u,)."""
    found = np.empty(len(units.records))
    for missing, rows in by_mask(units.missing):
        keep = units.keep(table, missing, barest(units, missing))
        found[rows] = risk.at(keep, units.cells[table][rows])
    return found


def spread(
    newly: NDArray[np.uint64],
    closures: Mapping[int, int],
    lacking: Sequence[NDArray[np.bool_]],
    households: Households,
) -> NDArray[np.uint64]:
    """`newly` with every household variable that goes in one member gone in all, and what goes with it.

    Parameters
    ----------
    newly : (n,) masks of newly missing variables
    closures : by household variable's bit, the mask of what is suppressed with it, itself included
    lacking : by variable, the records in which it is missing originally
    """
    newly = newly.copy()
    before = None
    while before is None or not np.array_equal(before, newly):
        before = newly.copy()
        for v, closure in closures.items():
            gone = np.zeros(len(households), np.bool_)
            gone[households.household_of_record[(newly >> np.uint64(v) & np.uint64(1)).astype(np.bool_)]] = True
            here = gone[households.household_of_record] & ~lacking[v]
            for other in positions(closure) if here.any() else ():
                newly[here & ~lacking[other]] |= np.uint64(1 << other)
    return newly


def by_mask(masks: NDArray[np.uint64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Rows of each distinct mask, ascending by mask."""
    if len(masks) and not masks.any():
        yield 0, np.arange(len(masks))
        return
    order = np.argsort(masks, kind="stable")
    distinct, starts = np.unique(masks[order], return_index=True)
    yield from zip(distinct.tolist(), np.split(order, starts[1:]), strict=False)


Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class AffectedHouseholds:
    """The distinct households to be decided, member after member, ascending by size.

    Attributes
    ----------
    starts : (A + 1,) int64, where each household begins
    unit : (p,) uint32, index into the next three: what a member is; ascending within a household
    base : (u,) int64, its unit among `RecordClasses`
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


def affected_people(
    units: RecordClasses, found: Demand, households: Households, progress: Progress = SILENT
) -> AffectedHouseholds:
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
    which = np.flatnonzero(found.affected)
    times = _times(households)[which]
    return _distinct(which, times, size, records, number, base, units.missing[base], limits, progress)


def everybody(units: RecordClasses, households: Households, progress: Progress = SILENT) -> AffectedHouseholds:
    """All households; members are alike where their unit is."""
    records = households.members.astype(np.int64)
    number = units.unit_of_record[records].astype(np.uint64)
    base = np.arange(len(units.records))
    which, times = np.arange(len(households)), _times(households)
    return _distinct(which, times, households.size, records, number, base, units.missing, (), progress)


def _times(households: Households) -> Ints:
    """How many households of the file each stands for, (H,)."""
    return np.ones(len(households), np.int64) if households.times is None else households.times


def _distinct(
    household: Ints, every: Ints, size: Ints, records: Ints, number: NDArray[np.uint64], base: Ints,
    missing: NDArray[np.uint64], limits: tuple[NDArray[np.float64], ...], progress: Progress,
) -> AffectedHouseholds:  # fmt: skip
    """Households gathered by what their members are, given household after household; `every`: how often each is."""
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
        first, inverse = _alike(kind, len(base))
        count = np.zeros(len(first), np.int64)
        np.add.at(count, inverse, every[which])
        copies.append((rows, inverse + done))
        units.append(kind[first].astype(np.uint32).ravel())
        sizes.append(np.full(len(first), members))
        times.append(count)
        example.append(household[which[first]])
        done += len(first)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(sizes))])
    return AffectedHouseholds(
        starts, np.concatenate(units), base, missing, limits, np.concatenate(times), np.concatenate(example),
        tuple(copies),
    )  # fmt: skip


def _by_size(size: Ints) -> Iterator[tuple[int, Ints]]:
    order = np.argsort(size, kind="stable")
    distinct, starts = np.unique(size[order], return_index=True)
    yield from zip(distinct.tolist(), np.split(order, starts[1:]), strict=True)


def _alike(kind: NDArray[np.uint64], number: int) -> tuple[Ints, Ints]:
    """First of each distinct row of numbers below `number`, and the distinct row of each; in ascending order."""
    if len(kind) == 1:
        return np.zeros(1, np.int64), np.zeros(1, np.int64)
    folded, bound = kind[:, 0].copy(), number
    for member in range(1, kind.shape[1]):
        if bound * number >= 1 << 64:
            distinct, ranked = np.unique(folded, return_inverse=True)
            folded, bound = ranked.astype(np.uint64), len(distinct)
        folded = folded * np.uint64(number) + kind[:, member]
        bound *= number
    _, first, inverse = np.unique(folded, return_index=True, return_inverse=True)
    return first, inverse
