"""How many hidden values an intruder guesses from what the safe file shows, beside what anybody would guess."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data.columns import EncodedColumn
from .leaks import FEWEST
from .narrowing import Others

MORE = 0.15
"""Share of the hidden values by which the right guesses must exceed those without the variable."""
SOME, TIMES = 0.05, 2
"""A smaller share is enough where the right guesses are so many times those without the variable."""
CLEARLY = 4
"""Standard deviations by which they must exceed them: hundreds of looks and pairs are tried."""
LEARNT = 50_000
"""Records at most from which pairs, coarser looks and recodes are learnt: a fixed draw of the file's."""
ASKED = 5_000
"""Suppressed values at most, of a variable, that are guessed so: a fixed draw."""

SCREENED = 8192, 1024
"""Records to learn from, and suppressed values to guess, by which pairs are ranked."""


class Guessed(NamedTuple):
    """Hidden values that were guessed, how many of them rightly, and how many rightly without the variable."""

    asked: int
    right: int
    base: int

    @property
    def gain(self) -> float:
        """By how much the share right exceeds that without the variable."""
        return (self.right - self.base) / self.asked if self.asked else 0.0

    @property
    def tells(self) -> bool:
        """Whether the variable tells: more than chance explains, and enough to matter."""
        much = self.gain >= MORE or (self.gain >= SOME and self.right >= TIMES * self.base)
        if self.right < FEWEST or not much:
            return False
        share = (self.base + 1) / (self.asked + 2)
        return self.right > self.base + CLEARLY * float(np.sqrt(self.asked * share * (1 - share)))


def drawn(rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """At most so many of `rows`, in their order: always the same ones."""
    if len(rows) <= most:
        return rows
    return rows[np.sort(np.random.default_rng(0).choice(len(rows), most, replace=False))]


def most_frequent(
    known: NDArray[np.int64], values: NDArray[np.int64], asked: NDArray[np.int64], width: int
) -> NDArray[np.int64]:
    """The value that most records have in each of the groups asked for; -1 where none has any.

    Parameters
    ----------
    known, values : (k,), group and value of the records that show it
    asked : (a,), groups
    width : values are smaller than this
    """
    if not len(known) or not len(asked):
        return np.full(len(asked), -1, np.int64)
    size = int(max(known.max(), asked.max())) + 1
    if size * width <= 8 * len(known) + 65536:
        table = np.bincount(known * width + values, minlength=size * width).reshape(size, width)
        best: NDArray[np.int64] = table.argmax(axis=1).astype(np.int64)
        best[table[np.arange(size), best] == 0] = -1
        most: NDArray[np.int64] = best[asked]
        return most
    groups, of_asked = np.unique(asked, return_inverse=True)
    place = np.minimum(np.searchsorted(groups, known), len(groups) - 1)
    there = groups[place] == known
    pairs, counts = np.unique(place[there] * width + values[there], return_counts=True)
    found = np.full(len(groups), -1, np.int64)
    rising = np.argsort(counts, kind="stable")
    found[pairs[rising] // width] = pairs[rising] % width  # the last one that is written has most records
    of_each: NDArray[np.int64] = found[of_asked]
    return of_each


class Looked(NamedTuple):
    """A variable, or two together, in the records drawn: group of each (r,), -1 where none is shown; whose it is."""

    names: tuple[str, ...]
    groups: NDArray[np.int64]

    def with_other(self, other: Looked) -> Looked:
        """Both together; not shown where one of them is not."""
        return Looked((*self.names, *other.names), _together(self.groups, other.groups))

    def at(self, places: NDArray[np.intp]) -> Looked:
        """The same in some of the records."""
        return Looked(self.names, self.groups[places])


def _together(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    width = int(second.max(initial=0)) + 1
    if int(first.max(initial=0)) + 1 > (1 << 40) // width:
        first = np.unique(first, return_inverse=True)[1] - int(first.min(initial=0) < 0)
    groups = first * width + second
    groups[(first < 0) | (second < 0)] = -1
    return groups


class OfSuppressed:
    """The suppressed values of one variable, as an intruder learns from the safe file to guess them.

    What anybody guesses is the most frequent value, or each value as often as it occurs; and, beside variables that
    are no keys of its tables, the most frequent one among the records with the same values of the keys that a record
    keeps: whichever is right most often.

    Parameters
    ----------
    column : the variable, after recoding
    flags : its newly missing values (n,)
    rows : (r,) records drawn; all of `asked` are among them
    asked : (a,), those of the suppressed ones that are guessed
    keys : names of the other keys of its tables
    """

    def __init__(
        self,
        column: EncodedColumn,
        flags: NDArray[np.bool_],
        rows: NDArray[np.intp],
        asked: NDArray[np.intp],
        keys: Collection[str] = (),
    ) -> None:
        self.name, self.keys, self.told = column.name, frozenset(keys), set[str]()
        self._width, self._all = max(1, column.n_valid), column.values
        self._kept = (column.values < column.n_valid) & ~flags
        self._records = asked
        self._asked = np.searchsorted(rows, asked)
        self._learnt = np.flatnonzero(self._kept[rows])
        self._values = column.values[rows[self._learnt]].astype(np.int64)
        self._own = column.values[asked].astype(np.int64)
        counts = np.bincount(column.values[self._kept], minlength=self._width)
        self._mode = int(counts.argmax())
        self._plain: NDArray[np.bool_] = self._own == self._mode
        self._by_keys = self._plain
        self._chance = counts[self._own] / max(1, int(counts.sum()))

    def know_keys(self, keys: Sequence[Looked]) -> None:
        """What the keys that each record keeps tell together, is what anybody knows."""
        keys = [key for key in keys if key.names[0] in self.keys][:62]
        if not keys:
            return
        pattern = sum((key.groups < 0).astype(np.int64) << j for j, key in enumerate(keys))
        assert not isinstance(pattern, int)
        found = self._plain.copy()
        for mask in np.unique(pattern[self._asked]).tolist():
            group = np.zeros(len(pattern), np.int64)
            for j, key in enumerate(keys):
                if not mask >> j & 1:
                    group = _together(group, key.groups)
            own = pattern[self._asked] == mask
            found[own] = self._right(group)[own]
        self._by_keys = found

    def fewer(self) -> tuple[NDArray[np.intp], OfSuppressed]:
        """Places of some of the records drawn, and the same task in these alone."""
        learnt = slice(None, None, max(1, len(self._learnt) // SCREENED[0]))
        asked = slice(None, None, max(1, len(self._asked) // SCREENED[1]))
        part = copy(self)
        part._values, part._own = self._values[learnt], self._own[asked]
        part._plain, part._by_keys, part._chance = self._plain[asked], self._by_keys[asked], self._chance[asked]
        part._learnt = np.arange(len(part._values))
        part._asked = np.arange(len(part._own)) + len(part._values)
        return np.concatenate([self._learnt[learnt], self._asked[asked]]), part

    def guessed(self, looked: Looked) -> Guessed:
        """What is guessed from `looked`."""
        there = looked.groups[self._asked] >= 0
        return self._beside(looked.names, there, self._right(looked.groups))

    def guessed_exactly(self, name: str, others: Others) -> Guessed:
        """What is guessed from a variable, learning from all records that share its value with one asked for."""
        asked = others.groups[self._records]
        there = np.ones(len(asked), np.bool_) if others.lacking is None else ~others.lacking[self._records]
        wanted = np.zeros(others.size, np.bool_)
        wanted[asked[there]] = True
        known = wanted[others.groups] & self._kept
        if others.lacking is not None:
            known &= ~others.lacking
        learnt, values = others.groups[known].astype(np.int64), self._all[known].astype(np.int64)
        guess = most_frequent(learnt, values, asked.astype(np.int64), self._width)
        return self._beside((name,), there, np.where(guess < 0, self._mode, guess) == self._own)

    def _right(self, groups: NDArray[np.int64]) -> NDArray[np.bool_]:
        learnt, values = groups[self._learnt], self._values
        shown = learnt >= 0
        guess = most_frequent(learnt[shown], values[shown], np.maximum(groups[self._asked], 0), self._width)
        right: NDArray[np.bool_] = np.where(guess < 0, self._mode, guess) == self._own
        return right

    def _beside(self, names: Collection[str], there: NDArray[np.bool_], right: NDArray[np.bool_]) -> Guessed:
        base = max(int(self._plain[there].sum()), round(float(self._chance[there].sum())))
        if not self.keys.issuperset(names):
            base = max(base, int(self._by_keys[there].sum()))
        return Guessed(int(there.sum()), int((right & there).sum()), base)


class OfRecoded:
    """The original codes of a recoded variable, guessed by one who knows what the other variables mean.

    That is the worst case: what goes with what is learnt from the original file, of each record without its own
    household, for the members of a household tell each other's codes to nobody who does not have one of them. What
    anybody guesses is the most frequent of the codes that were put together, or each as often as it occurs.

    Parameters
    ----------
    before, after : the variable, before and after the recode
    flags : its newly missing values (n,), if any
    rows : (r,) records drawn
    household_of_record : (n,), where households are known
    """

    def __init__(
        self,
        before: EncodedColumn,
        after: EncodedColumn,
        flags: NDArray[np.bool_] | None,
        rows: NDArray[np.intp],
        household_of_record: NDArray[np.uint32] | None = None,
    ) -> None:
        self.name, self.told = after.name, set[str]()
        old, new = before.values[rows].astype(np.int64), after.values[rows].astype(np.int64)
        released = (old < before.n_valid) & (new < after.n_valid)
        if flags is not None:
            released &= ~flags[rows]
        pairs = np.unique(new[released] * before.n_valid + old[released])
        together = np.bincount(pairs // max(1, before.n_valid), minlength=len(after.codes)) > 1
        self._asked = np.flatnonzero(released & together[new])
        self._old, self._new, self._width = old[self._asked], new[self._asked], max(1, before.n_valid)
        of_record = rows if household_of_record is None else household_of_record[rows]
        self._units = of_record[self._asked].astype(np.int64)
        self._plain = right_without_itself(self._new, self._old, self._width, self._units)
        of_new = np.bincount(self._new)[self._new]
        alike = np.unique(self._new * self._width + self._old, return_inverse=True, return_counts=True)
        self._chance = (alike[2][alike[1]] - 1) / np.maximum(of_new - 1, 1)

    def fewer(self) -> tuple[NDArray[np.intp], OfRecoded]:
        """Places of some of the records drawn, and the same task in these alone."""
        some = slice(None, None, max(1, len(self._asked) // SCREENED[0]))
        part = copy(self)
        part._old, part._new, part._units = self._old[some], self._new[some], self._units[some]
        part._plain, part._chance = self._plain[some], self._chance[some]
        part._asked = np.arange(len(part._old))
        return self._asked[some], part

    def guessed(self, looked: Looked) -> Guessed:
        """What is guessed from the code after the recode and `looked`."""
        groups = looked.groups[self._asked]
        there = groups >= 0
        together = (groups * (int(self._new.max(initial=0)) + 1) + self._new)[there]
        right = right_without_itself(together, self._old[there], self._width, self._units[there])
        base = max(int(self._plain[there].sum()), round(float(self._chance[there].sum())))
        return Guessed(int(there.sum()), int(right.sum()), base)


def right_without_itself(
    groups: NDArray[np.int64], values: NDArray[np.int64], width: int, units: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """For which records the value that most *other* units have in their group is their own, alone.

    Parameters
    ----------
    groups, values : (k,); values are smaller than `width`
    units : (k,), household or number of each record: it counts once with each of its values
    """
    pairs, inverse = np.unique(groups * width + values, return_inverse=True)
    members = np.sort(inverse * (int(units.max(initial=0)) + 1) + units)
    first = np.ones(len(members), np.bool_)
    first[1:] = members[1:] != members[:-1]
    counts = np.bincount(members[first] // (int(units.max(initial=0)) + 1), minlength=len(pairs))
    of_pair = np.unique(pairs // width, return_inverse=True)[1]
    number = int(of_pair.max(initial=-1)) + 1
    most = np.zeros(number, np.int64)
    np.maximum.at(most, of_pair, counts)
    top = np.full(number, -1, np.int64)
    rising = np.argsort(counts, kind="stable")
    top[of_pair[rising]] = rising
    second = np.zeros(number, np.int64)
    rest = np.arange(len(pairs)) != top[of_pair]
    np.maximum.at(second, of_pair[rest], counts[rest])
    others = np.where(rest, most[of_pair], second[of_pair])
    found: NDArray[np.bool_] = (counts - 1 > others)[inverse]
    return found
