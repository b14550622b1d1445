"""Whole households drawn anew: sizes, what the household has, its reference person, and each further member.

Households are drawn from tables in which nothing stands that fewer than `least` households have. A promised table keeps
the counts of all others; what is not promised (who lives with whom, how tables go together) follows from tables whose
small cells are spread by independence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import Progress
from ..base.texts import mark, translate
from .household_cells import Wanted, draw_rows, draw_sizes, evened, fit_rows
from .margins import MOST_CELLS, protected

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_PLACES = 3
"""Reference person, second person, and all further ones are told apart."""
_LARGE = 5
"""From so many members on the size of the household is one class for its members' values."""
_ROOM = 500_000
"""Cells that may be fitted for the sake of relations that are not promised."""
_BLOCK = 1 << 20
"""Numbers that are held for persons who choose at a time."""


class TooManyCellsError(Exception):
    """More combinations of codes than can be fitted; how many."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


class NothingLeftError(Exception):
    """No household can be drawn from what enough households have; `table`: which one leaves nothing, -1: the sizes."""

    def __init__(self, table: int) -> None:
        super().__init__(table)
        self.table = table


@dataclass(frozen=True, eq=False)
class HouseholdMembers:
    """Persons in households; those of a household stand side by side, the reference person first.

    Attributes
    ----------
    size : (h,) members of each household
    shared : (h, q) codes of the household variables, from 0
    own : (n, p) codes of the persons' variables, from 0
    shared_codes, own_codes : how many codes each variable has
    """

    size: Ints
    shared: Ints
    own: Ints
    shared_codes: tuple[int, ...]
    own_codes: tuple[int, ...]

    @property
    def household(self) -> Ints:
        """(n,) the household of each person."""
        return np.repeat(np.arange(len(self.size)), self.size)

    @property
    def position(self) -> Ints:
        """(n,) the place of each person in the household, from 0."""
        return np.arange(len(self.own)) - np.repeat(np.cumsum(self.size) - self.size, self.size)

    @property
    def of_persons(self) -> Ints:
        """(n, q + p) the codes of all variables of each person, those of the household first."""
        return np.column_stack([self.shared[self.household], self.own])

    @property
    def codes(self) -> tuple[int, ...]:
        """How many codes each column of `of_persons` has."""
        return (*self.shared_codes, *self.own_codes)


@dataclass(frozen=True, eq=False)
class SafeTable:
    """A table that synthetic households keep.

    Attributes
    ----------
    variables : columns of `HouseholdMembers.of_persons`; none: the sizes of households
    wanted : expected units, flat; 0 where fewer than the least households have the cell
    of_households : whether households are counted, else persons
    """

    variables: tuple[int, ...]
    wanted: Floats
    of_households: bool


@dataclass(frozen=True, eq=False)
class SyntheticHouseholds:
    """What was drawn.

    Attributes
    ----------
    living : the households, in random order
    tables : that of sizes, then those asked for, in order
    deviation : the largest difference of a fitted table from the wanted one, in units
    """

    living: HouseholdMembers
    tables: tuple[SafeTable, ...]
    deviation: float


def cells_of(codes: Ints, shape: Sequence[int]) -> Ints:
    """(n,) the cell of each row of `codes` (n, v) in a table of `shape`, flat."""
    found = np.zeros(len(codes), np.int64)
    for column, count in zip(codes.T, shape, strict=True):
        found = found * count + column
    return found


def households_in(cells: Ints, household: Ints, count: int) -> Ints:
    """(count,) how many households have a person in each cell."""
    largest = int(household.max(initial=0)) + 1
    return np.bincount(np.unique(cells * largest + household) // largest, minlength=count)


def table_of(living: HouseholdMembers, variables: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Units and households in each cell of a table, flat; units are households where all variables are theirs."""
    if not variables:
        found = np.bincount(living.size)
        return found, found
    shape = [living.codes[v] for v in variables]
    if all(v < len(living.shared_codes) for v in variables):
        found = np.bincount(cells_of(living.shared[:, list(variables)], shape), minlength=math.prod(shape))
        return found, found
    cells = cells_of(living.of_persons[:, list(variables)], shape)
    return np.bincount(cells, minlength=math.prod(shape)), households_in(cells, living.household, math.prod(shape))


def draw_households(
    living: HouseholdMembers, tables: Sequence[tuple[int, ...]], least: int, random: np.random.Generator,
    progress: Progress,
) -> SyntheticHouseholds:  # fmt: skip
    """As many persons as `living` has, in households of their own.

    Parameters
    ----------
    tables : columns of `HouseholdMembers.of_persons` each, ascending; every variable is in one at least
    least : the threshold rule, in households

    Raises
    ------
    TooManyCellsError
    NothingLeftError
        So few households have anything in common that nothing is left of a table, or of the sizes.
    """
    return _Drawing(living, tables, least, random, progress).done()


class _Drawing:
    def __init__(
        self, living: HouseholdMembers, tables: Sequence[tuple[int, ...]], least: int, random: np.random.Generator,
        progress: Progress,
    ) -> None:  # fmt: skip
        self._living, self._tables, self._least = living, tables, least
        self._random, self._progress = random, progress
        self._q = len(living.shared_codes)
        self._frame_codes = math.prod(living.shared_codes)
        self._counts = [table_of(living, table) for table in tables]
        self._deviation = 0.0

    def done(self) -> SyntheticHouseholds:
        random, living = self._random, self._living
        counts = np.bincount(living.size)
        sizes = draw_sizes(counts, len(living.own), self._least, random)
        if sizes is None:
            raise NothingLeftError(-1)
        size, shared, safe_frames = self._frame(sizes.drawn)
        order = random.permutation(len(size))
        size, shared = size[order], shared[order]
        own, safe_persons = self._persons(size, shared)
        safe = [SafeTable((), sizes.wanted, True)]
        safe += [safe_frames[i] if i in safe_frames else safe_persons[i] for i in range(len(self._tables))]
        drawn = HouseholdMembers(size, shared, own, living.shared_codes, living.own_codes)
        return SyntheticHouseholds(drawn, tuple(safe), self._deviation)

    def _is_frame(self, table: tuple[int, ...]) -> bool:
        return all(v < self._q for v in table)

    def _frame(self, sizes: Ints) -> tuple[Ints, Ints, dict[int, SafeTable]]:
        """Size (h,) and codes (h, q) of the drawn households, size by size; and their tables."""
        living, households = self._living, int(sizes.sum())
        drawn = np.flatnonzero(sizes)
        self._check_cells(len(drawn) * self._frame_codes)
        codes = _codes_of_cells(living.shared_codes)
        allowed: NDArray[np.bool_] = np.ones(len(codes), np.bool_)
        for i, table in enumerate(self._tables):
            part = [v for v in table if v < self._q]
            if not part:
                continue
            shape = [living.codes[v] for v in table]
            enough = self._counts[i][1].reshape(math.prod(shape[: len(part)]), -1) >= self._least
            has: NDArray[np.bool_] = np.asarray(enough.any(axis=1), np.bool_)
            allowed = allowed & has[cells_of(codes[:, part], shape[: len(part)])]
            if not allowed.any():
                raise NothingLeftError(i)
        promised, safe = [], {}
        for i, table in enumerate(self._tables):
            if not self._is_frame(table):
                continue
            column = cells_of(codes[:, list(table)], [living.codes[v] for v in table])
            counts = self._counts[i][0]
            there = np.bincount(column, allowed, len(counts)) > 0
            kept = np.where((counts >= self._least) & there, counts, 0).astype(np.float64)
            wanted = kept * (households / kept.sum())
            safe[i] = SafeTable(table, wanted, True)
            promised.append(Wanted(np.zeros(len(drawn), np.int64), column, wanted[None, :]))
        model = []
        place = np.minimum(np.searchsorted(drawn, living.size), len(drawn) - 1)
        known = drawn[place] == living.size
        for v in range(self._q):
            by_size = np.bincount(place[known] * living.codes[v] + living.shared[known, v],
                                  minlength=len(drawn) * living.codes[v]).reshape(len(drawn), -1)  # fmt: skip
            spread = protected(by_size.astype(np.float64), self._least, self._random)
            model.append(Wanted(np.arange(len(drawn)), codes[:, v], spread))
        start = np.repeat(allowed[None, :].astype(np.float64), len(drawn), axis=0)
        cells = self._fitted(start, sizes[drawn], model, promised)
        columns = self._drawn(cells, sizes[drawn], promised)
        return np.repeat(drawn, sizes[drawn]), codes[columns], safe

    def _persons(self, size: Ints, shared: Ints) -> tuple[Ints, dict[int, SafeTable]]:
        """Codes (n, p) of the members of drawn households, household by household; and the tables of persons."""
        living = self._living
        if not living.own_codes:
            return np.zeros((int(size.sum()), 0), np.int64), {}
        codes = self._person_cells()
        empty = np.full((int(size.sum()), len(living.own_codes)), -1, np.int64)
        drawn = HouseholdMembers(size, shared, empty, living.shared_codes, living.own_codes)
        sizes = np.minimum(size, _LARGE)
        linked = sorted({v for table in self._tables if not self._is_frame(table) for v in table if v < self._q})
        # A row for each kind of household and place in it; by variables that nothing promised needs if there is room.
        for used in ([*range(self._q)], linked):
            kinds, first, kind = np.unique(
                cells_of(np.column_stack([shared[:, used], sizes]), [*(living.codes[v] for v in used), _LARGE + 1]),
                return_index=True, return_inverse=True,
            )  # fmt: skip
            if len(kinds) * _PLACES * len(codes) <= _ROOM:
                break
        of_person = np.minimum(drawn.position, _PLACES - 1) * len(kinds) + kind.reshape(-1)[drawn.household]
        slots = np.bincount(of_person, minlength=len(kinds) * _PLACES)
        there = np.flatnonzero(slots)
        place, first, slots = there // len(kinds), first[there % len(kinds)], slots[there]
        self._check_cells(len(slots) * len(codes))
        of_size, of_shared = sizes[first], shared[first]
        promised, safe = self._promised_of_persons(of_shared, slots, codes)
        model = list(self._model_of_persons(of_size, place, of_shared, used, codes))
        cells = self._fitted(np.ones((len(slots), len(codes))), slots, model, promised)
        found = codes[self._drawn(cells, slots, promised)]
        row, row_of = np.repeat(np.arange(len(slots)), slots), np.zeros(int(there.max()) + 1, np.int64)
        row_of[there] = np.arange(len(there))
        own, row_of_person = drawn.own, row_of[of_person]
        # Reference persons are those of their own kind of household: no relation chooses them.
        references = np.flatnonzero(drawn.position == 0)
        by_row, chosen = references[np.argsort(row_of_person[references], kind="stable")], place[row] == 0
        own[by_row] = found[chosen][_mixed(row[chosen], self._random)]
        # Others change places among households of one size that are alike in promised tables of persons: these stay.
        alike = cells_of(np.column_stack([of_shared[:, linked], of_size, place]),
                         [*(living.codes[v] for v in linked), _LARGE + 1, _PLACES])  # fmt: skip
        self._pair(own, drawn, alike[row_of_person], found[~chosen], alike[row[~chosen]])
        return own, safe

    def _person_cells(self) -> Ints:
        """(c, p) the combinations of codes of persons that no table leaves out wherever they live."""
        living, least = self._living, self._least
        self._check_cells(math.prod(living.own_codes))
        codes = _codes_of_cells(living.own_codes)
        there: NDArray[np.bool_] = np.ones(len(codes), np.bool_)
        for i, table in enumerate(self._tables):
            own = [v - self._q for v in table if v >= self._q]
            shape = [living.own_codes[j] for j in own]
            enough = self._counts[i][1].reshape(-1, math.prod(shape)) >= least
            has: NDArray[np.bool_] = np.asarray(enough.any(axis=0), np.bool_)
            there = there & has[cells_of(codes[:, own], shape)]
            if not there.any():
                raise NothingLeftError(i)
        return codes[there]

    def _promised_of_persons(
        self, of_shared: Ints, slots: Ints, codes: Ints
    ) -> tuple[list[Wanted], dict[int, SafeTable]]:
        """Tables of persons: of each part of the households the kept counts, scaled to the persons it now has."""
        living, promised, safe = self._living, [], {}
        for i, table in enumerate(self._tables):
            if self._is_frame(table):
                continue
            parts, owns = ([v for v in table if (v < self._q) == shared] for shared in (True, False))
            row = cells_of(of_shared[:, parts], [living.codes[v] for v in parts])
            shape = [living.codes[v] for v in owns]
            column = cells_of(codes[:, [v - self._q for v in owns]], shape)
            persons, of_households = (each.reshape(-1, math.prod(shape)) for each in self._counts[i])
            kept = np.where(of_households >= self._least, persons, 0).astype(np.float64)
            now, there = np.bincount(row, slots, len(kept)), kept.sum(axis=1)
            if ((now > 0) & (there == 0)).any():
                raise NothingLeftError(i)
            wanted = kept * np.divide(now, there, out=np.zeros(len(kept)), where=there > 0)[:, None]
            promised.append(Wanted(row, column, wanted))
            safe[i] = SafeTable(table, wanted.reshape(-1), False)
        return promised, safe

    def _model_of_persons(
        self, of_size: Ints, place: Ints, of_shared: Ints, used: Sequence[int], codes: Ints
    ) -> Iterator[Wanted]:
        """How persons' variables go with size, household variables and place, and with one another, protected."""
        living = self._living
        household, where = living.household, np.minimum(living.position, _PLACES - 1)
        attributes = [(of_size, np.minimum(living.size, _LARGE)[household], _LARGE + 1)]
        attributes += [(of_shared[:, v], living.shared[household, v], living.codes[v]) for v in used]
        owns = [(codes[:, j], living.own[:, j], count) for j, count in enumerate(living.own_codes)]
        for of_row, of_person, count in attributes:
            for column, own, own_count in owns:
                cells = (of_person * _PLACES + where) * own_count + own
                yield Wanted(of_row * _PLACES + place, column,
                             self._spread(cells, household, count * _PLACES, own_count))  # fmt: skip
        for j, (first, first_own, first_count) in enumerate(owns):
            for second, second_own, second_count in owns[j + 1 :]:
                cells = (where * first_count + first_own) * second_count + second_own
                yield Wanted(place, first * second_count + second,
                             self._spread(cells, household, _PLACES, first_count * second_count))  # fmt: skip

    def _spread(self, cells: Ints, household: Ints, rows: int, columns: int) -> Floats:
        """(rows, columns) the persons in each cell, those of cells with few households spread."""
        persons = np.bincount(cells, minlength=rows * columns).reshape(rows, columns).astype(np.float64)
        units = households_in(cells, household, rows * columns).reshape(rows, columns).astype(np.float64)
        return protected(persons, self._least, self._random, units)

    def _pair(self, own: Ints, drawn: HouseholdMembers, pool_of_person: Ints, codes: Ints, pools: Ints) -> None:
        """Fill `own` of all but reference persons from `codes`, those of each of `pools`, by who lives with whom."""
        position, household = drawn.position, drawn.household
        begins = np.cumsum(drawn.size) - drawn.size
        by_reference, by_former = self._lifts(2), self._lifts(1)
        order = np.argsort(pools, kind="stable")
        edges = np.flatnonzero(np.diff(pools[order], prepend=-1, append=-1))
        waiting: dict[int, tuple[Ints, Floats]] = {}
        for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            found, times = np.unique(codes[order[begin:end]], axis=0, return_counts=True)
            waiting[int(pools[order[begin]])] = (found, times.astype(np.float64))
        for at in range(1, int(drawn.size.max(initial=1))):
            self._progress.check()
            self._progress.report(at, int(drawn.size.max()), translate(mark("Putting households together")))
            persons = np.flatnonzero(position == at)
            persons = persons[np.argsort(pool_of_person[persons], kind="stable")]
            parts = np.split(persons, np.flatnonzero(np.diff(pool_of_person[persons])) + 1)
            for part in parts:
                cells, left = waiting[int(pool_of_person[part[0]])]
                mixed = self._random.permutation(part)
                for some in np.split(mixed, np.arange(0, len(mixed), max(_BLOCK // len(cells), 1))[1:]):
                    known = own[begins[household[some]]]
                    lift = self._together(by_reference[min(at, _PLACES - 1) - 1], known, cells)
                    if at > 1:
                        lift *= self._together(by_former[1], own[some - 1], cells)
                    own[some] = cells[_taken(lift, left, self._random.random(len(some)))]

    def _lifts(self, of_which: int) -> list[list[Floats]]:
        """For second and for further persons, of each variable: how much oftener than by chance two codes meet.

        Parameters
        ----------
        of_which : 2: with the reference person's code; 1: with that of the former person
        """
        living = self._living
        position, household = living.position, living.household
        begins = np.cumsum(living.size) - living.size
        found = []
        for further in (False, True):
            persons = np.flatnonzero(position > 1 if further else position == 1)
            known = begins[household[persons]] if of_which == 2 else persons - 1
            lifts = []
            for j, count in enumerate(living.own_codes):
                cells = living.own[known, j] * count + living.own[persons, j]
                table = self._spread(cells, household[persons], count, count) if len(persons) else np.ones((count,) * 2)
                expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(float(table.sum()), 1e-300)
                lifts.append(np.divide(table, expected, out=np.ones_like(table), where=expected > 0))
            found.append(lifts)
        return found

    @staticmethod
    def _together(lifts: Sequence[Floats], known: Ints, cells: Ints) -> Floats:
        """(m, c) how much oftener than by chance each of `known` (m, p) meets each of `cells` (c, p)."""
        found = np.ones((len(known), len(cells)))
        for j, lift in enumerate(lifts):
            found *= lift[known[:, j]][:, cells[:, j]]
        return found

    def _fitted(self, start: Floats, totals: Ints, model: Sequence[Wanted], promised: Sequence[Wanted]) -> Floats:
        found = fit_rows(start, totals, model, promised, self._progress)
        if (found.cells.sum(axis=1) < 0.5).any():
            raise NothingLeftError(len(self._tables))
        self._deviation = max(self._deviation, found.deviation)
        return found.cells

    def _drawn(self, cells: Floats, totals: Ints, promised: Sequence[Wanted]) -> Ints:
        return evened(draw_rows(cells, totals, self._random), totals, cells, promised, self._random)

    def _check_cells(self, count: int) -> None:
        if count > MOST_CELLS:
            raise TooManyCellsError(count)


def _codes_of_cells(shape: Sequence[int]) -> Ints:
    """(cells, variables) the codes of each combination, as `cells_of` numbers them."""
    if not shape:
        return np.zeros((1, 0), np.int64)
    return np.column_stack(np.unravel_index(np.arange(math.prod(shape)), tuple(shape))).astype(np.int64)


def _mixed(group: Ints, random: np.random.Generator) -> Ints:
    """The places of `group`, which ascends, each group's among themselves in random order."""
    return np.lexsort((random.random(len(group)), group))


def _taken(lift: Floats, left: Floats, points: Floats) -> Ints:
    """(m,) which cell each of m persons gets, one after the other, in proportion to `lift` (m, c) and to what is left.

    Every cell is taken as often as `left` (c,) says in the end; where nothing goes with a person, `left` alone decides.
    """
    found = np.zeros(len(points), np.int64)
    for number, point in enumerate(points.tolist()):
        running = (lift[number] * left).cumsum()
        if not running[-1] > 0:
            running = left.cumsum()
        taken = min(int(running.searchsorted(point * running[-1], side="right")), len(left) - 1)
        while left[taken] <= 0:  # a point on the last bit of a sum
            taken -= 1
        found[number] = taken
        left[taken] -= 1
    return found
