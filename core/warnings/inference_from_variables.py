"""Warnings about released variables that tell suppressed values, or the codes that a recode put together.

Every variable is looked at by itself as the safe file has it: which values it leaves possible, what its order tells,
and what an intruder guesses from it; then pairs of variables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark, phrase
from ..data.columns import EncodedColumn
from ..suppression.inference.guessing import ASKED, LEARNT, Guessed, Looked, OfRecoded, OfSuppressed, drawn
from ..suppression.inference.leaks import FEWEST, Neighbours, neighbours, tells
from ..suppression.inference.narrowing import Narrowing, Others, Suppressed
from ..suppression.inference.released_variable import ReleasedVariable

NEARLY_UNIQUE = 50
"""Records a value, at most, of a variable by which it is worth while to sort the file."""
OFTEN = 1000
"""Values up to which the records drawn are enough to learn from; with more, all that share one are looked at."""
FINE = 500
"""Values up to which a variable takes part in pairs as it is; with more it is taken more coarsely."""
CONFIRMED = 8
"""Pairs of the highest rank that are tried on all that is drawn."""
THREE = 3
"""Records that keep their value and share one of another variable, at least: fewer leave nothing possible."""


class Recoded(NamedTuple):
    """A released variable before and after its recode, and its newly missing values (n,), if any."""

    before: EncodedColumn
    after: EncodedColumn
    flags: NDArray[np.bool_] | None


class Telling:
    """Looks at the released variables, some at a time, and then at pairs of them.

    Parameters
    ----------
    columns : those with suppressed values, after recoding
    suppressed : by variable, the newly missing values (n,)
    recoded : released variables with a recode
    keys : by variable, the other keys of its tables
    household_id : the household identifier, where it is written as it is; who shares it is another check's matter
    household_of_record : (n,), where households are known
    unrelated : variables that cannot be declared related to others
    """

    def __init__(
        self,
        columns: Mapping[str, EncodedColumn],
        suppressed: Mapping[str, NDArray[np.bool_]],
        recoded: Mapping[str, Recoded] | None = None,
        keys: Mapping[str, Collection[str]] | None = None,
        household_id: str = "",
        household_of_record: NDArray[np.uint32] | None = None,
        progress: Progress = SILENT,
        unrelated: Collection[str] = (),
    ) -> None:
        self._unrelated = unrelated
        self._columns, self._household_id, self._progress = columns, household_id, progress
        self._suppressed = {name: flags for name, flags in suppressed.items() if name in columns and flags.any()}
        recoded, keys = recoded or {}, keys or {}
        records = max((len(c.values) for c in (*columns.values(), *(r.after for r in recoded.values()))), default=0)
        learnt = drawn(np.arange(records), LEARNT)
        asked = {name: drawn(np.flatnonzero(flags), ASKED) for name, flags in self._suppressed.items()}
        self._rows = np.unique(np.concatenate([learnt, *asked.values()]))
        self._possible = {
            name: Suppressed(columns[name], np.flatnonzero(flags)) for name, flags in self._suppressed.items()
        }
        self._hidden = [
            OfSuppressed(columns[name], flags, self._rows, asked[name], keys.get(name, ()))
            for name, flags in self._suppressed.items()
        ]
        self._recoded = [OfRecoded(*found, learnt, household_of_record) for found in recoded.values()]
        self._learnt = np.searchsorted(self._rows, learnt)
        self._looked: list[Looked] = []
        self._kinds: dict[str, ReleasedVariable] = {}

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to tell."""
        return not self._hidden and not self._recoded

    def know_keys(self, variables: Mapping[str, ReleasedVariable]) -> None:
        """The keys of the tables, before anything is looked at."""
        for hidden in self._hidden:
            own = [variables[name] for name in sorted(hidden.keys & variables.keys())]
            hidden.know_keys([_as_it_is(variable.at(self._rows)) for variable in own])

    def notices(self, variable: ReleasedVariable) -> Iterator[Notice]:
        """What is to be said of one variable."""
        if not variable.tells_apart or self.nothing:
            return
        small = variable.at(self._rows)
        looks = _looks(small)
        self._kinds[variable.name] = ReleasedVariable(variable.name, variable.others, (), variable.weight)
        order = variable.order() if self._hidden and _nearly_unique(variable) else None
        gains = np.zeros(len(looks))
        for hidden in self._hidden:
            if hidden.name == variable.name:
                continue
            found = [hidden.guessed(look) for look in looks]
            gains = np.maximum(gains, [one.gain for one in found])
            self._progress.check()
            if variable.name == self._household_id:
                found[0] = Guessed(0, 0, 0)
            elif variable.others.size > OFTEN:
                found[0] = hidden.guessed_exactly(variable.name, variable.others)
            said = self._said(hidden, variable, order, max(found, key=lambda one: (one.gain, one.right)))
            if said is not None:
                hidden.told.add(variable.name)
                yield said
        for recoded in self._recoded:
            if recoded.name == variable.name:
                continue
            self._progress.check()
            found = [recoded.guessed(self._of_learnt(look)) for look in looks]
            gains = np.maximum(gains, [one.gain for one in found])
            best = max(found, key=lambda one: (one.gain, one.right))
            if best.tells:
                recoded.told.add(variable.name)
                yield _undone(recoded.name, variable.name, best, self._instead(variable.name))
        fine = small.others.size <= FINE or len(looks) == 1
        if variable.name != self._household_id:
            self._looked.append(looks[0] if fine else looks[1 + int(gains[1:].argmax())])

    def _of_learnt(self, look: Looked) -> Looked:
        return Looked(look.names, look.groups[self._learnt])

    def _said(
        self, hidden: OfSuppressed, variable: ReleasedVariable, order: NDArray[np.int64] | None, guessed: Guessed
    ) -> Notice | None:
        column, possible = self._columns[hidden.name], self._possible[hidden.name]
        known = possible.known(variable.others)
        if len(known) >= FEWEST and variable.name != self._household_id:
            found = possible.narrowing(variable.others, known, self._progress)
            few = found.records >= FEWEST and found.mean <= found.expected / 2
            if (
                few
                and (found.mean <= 2 or not guessed.tells or 2 * guessed.right < guessed.asked)
                and self._among_them(column, variable.others, known)
            ):
                return _narrows(column, variable.name, found, self._remedy(hidden.name, variable.name))
        if order is not None:
            near = neighbours(column, self._suppressed[hidden.name], order)
            if tells(near) and near.equal >= near.agreeing / 2:  # else a guess that is mostly wrong
                identifier = "identifier" if variable.name == self._household_id else "sorting"
                return _sorted(f"{identifier}-gives-away", column, variable.name, near,
                               self._remedy_of_order(variable.name))  # fmt: skip
        return (
            _guessed(hidden.name, variable.name, guessed, self._remedy(hidden.name, variable.name))
            if (guessed.tells)
            else None
        )

    def _among_them(self, column: EncodedColumn, other: Others, records: NDArray[np.intp]) -> bool:
        """Whether what a record lost is mostly among the values that records with the same value of `other` keep.

        What occurs in the original file is not narrowed where nobody can see it in the safe file: a weight, say, that
        one household has, whose members all lost theirs. Looked at are `records` with at least three such others.
        """
        wanted = np.zeros(other.size, np.bool_)
        wanted[other.groups[records]] = True
        kept = wanted[other.groups] & (column.values < column.n_valid) & ~self._suppressed[column.name]
        records = records[np.bincount(other.groups[kept], minlength=other.size)[other.groups[records]] >= THREE]
        width = max(1, column.n_valid)
        seen = np.unique(other.groups[kept].astype(np.int64) * width + column.values[kept])
        own = other.groups[records].astype(np.int64) * width + column.values[records]
        return len(records) >= FEWEST and int(np.isin(own, seen).sum()) >= len(records) / 2

    def pairs(self) -> Iterator[Notice]:
        """What is to be said of pairs of variables neither of which tells by itself: of each variable the best pair."""
        for hidden in self._hidden:
            looked = [look for look in self._looked if not {*hidden.told, hidden.name} & {*look.names}]
            found = self._best_pair(hidden, looked)
            if found is not None:
                yield _guessed_by_two(hidden.name, *found)
        for recoded in self._recoded:
            names = {*recoded.told, recoded.name}
            looked = [self._of_learnt(look) for look in self._looked if not names & {*look.names}]
            found = self._best_pair(recoded, looked)
            if found is not None:
                yield _undone_by_two(recoded.name, *found)

    def _best_pair(
        self, what: OfSuppressed | OfRecoded, looked: list[Looked]
    ) -> tuple[tuple[str, ...], Guessed] | None:
        places, few = what.fewer()
        some = [look.at(places) for look in looked]
        ranked: list[tuple[float, int, Looked, Looked]] = []
        for (first, one), (second, other) in combinations(zip(looked, some, strict=True), 2):
            self._progress.check()
            ranked.append((few.guessed(one.with_other(other)).gain, len(ranked), first, second))
        ranked.sort(key=lambda one: (-one[0], one[1]))
        best: tuple[tuple[str, ...], Guessed] | None = None
        for _gain, _place, first, second in ranked[:CONFIRMED]:
            self._progress.check()
            pair = first.with_other(second)
            found = what.guessed(pair)
            alone = max(what.guessed(Looked((name,), np.where(pair.groups < 0, -1, part.groups))).right
                        for name, part in ((first.names[0], first), (second.names[0], second)))  # fmt: skip
            beside = Guessed(found.asked, found.right, max(found.base, alone))
            if beside.tells and (best is None or beside.gain > best[1].gain):
                best = pair.names, beside
        return best

    def _remedy(self, name: str, other: str) -> str:
        if self._kinds[other].weight or other == self._household_id or not {name, other}.isdisjoint(self._unrelated):
            return self._instead(other)
        text = mark(
            "Declare {variable} and {other} related in Specify Metadata, so that both are suppressed together; or "
            "recode {other} in Global Recode (a number: round it in Modify Numerical Variables), or leave it out in "
            "Specify Metadata."
        )
        return phrase(text, variable=name, other=other)

    def _instead(self, other: str) -> str:
        if self._kinds[other].weight:
            text = mark(
                "Round the weight or add noise to it in Modify Numerical Variables, or leave it out of the safe file."
            )
        elif other == self._household_id:
            return self._remedy_of_order(other)
        else:
            text = mark(
                "Recode {other}, too, in Global Recode (a number: round it in Modify Numerical Variables), or leave it "
                "out in Specify Metadata."
            )
        return phrase(text, other=other)

    def _remedy_of_order(self, other: str) -> str:
        if other == self._household_id:
            text = mark(
                "Let Make Protected File write the records in random order and replace {other} by a sequence number, "
                "or remove it."
            )
        elif self._kinds[other].weight:
            return self._instead(other)
        else:
            text = mark(
                "Leave {other} out in Specify Metadata, number the records anew at random, or make it coarser (Global "
                "Recode, Modify Numerical Variables)."
            )
        return phrase(text, other=other)


def _as_it_is(small: ReleasedVariable) -> Looked:
    groups = small.others.groups.astype(np.int64)
    if small.others.lacking is not None:
        groups[small.others.lacking] = -1
    return Looked((small.name,), groups)


def _looks(small: ReleasedVariable) -> list[Looked]:
    """The variable as it is, then more coarsely."""
    found = _as_it_is(small)
    return [found, *(Looked(found.names, np.where(found.groups < 0, -1, look[small.others.groups]))
                     for look in small.coarser())]  # fmt: skip


def _nearly_unique(variable: ReleasedVariable) -> bool:
    different = int((variable.counts > 0).sum())
    return different >= NEARLY_UNIQUE and len(variable.others.groups) <= NEARLY_UNIQUE * different


def _narrows(column: EncodedColumn, other: str, found: Narrowing, remedy: str) -> Notice:
    text = mark(
        "{other} narrows the suppressed values of {variable}: in {records} records it leaves {least} to {most} of "
        "{codes} values possible (by chance {expected}). {remedy}"
    )
    if found.least == found.most:
        text = mark(
            "{other} narrows the suppressed values of {variable}: in {records} records it leaves {least} of {codes} "
            "values possible (by chance {expected}). {remedy}"
        )
    return Notice.of(
        "other-variable-gives-away",
        text,
        where=column.name,
        other=other,
        variable=column.name,
        records=found.records,
        least=found.least,
        most=found.most,
        codes=column.n_valid,
        expected=round(found.expected, 1),
        remedy=remedy,
    )


def _sorted(identifier: str, column: EncodedColumn, other: str, found: Neighbours, remedy: str) -> Notice:
    return Notice.of(
        identifier,
        mark(
            "{equal} of {suppressed} suppressed values of {variable} equal both nearest remaining neighbours when the "
            "records are sorted by {other} (by chance {expected}); random order does not help against that. {remedy}"
        ),
        where=column.name,
        equal=found.equal,
        suppressed=found.suppressed,
        variable=column.name,
        other=other,
        expected=round(found.expected),
        remedy=remedy,
    )


def _guessed(name: str, other: str, found: Guessed, remedy: str) -> Notice:
    return Notice.of(
        "guess-gives-away",
        mark(
            "{right} of {asked} suppressed values of {variable} can be guessed from {other} (without it {base}). "
            "{remedy}"
        ),
        where=name,
        **_figures(name, found),
        other=other,
        remedy=remedy,
    )


def _guessed_by_two(name: str, names: tuple[str, ...], found: Guessed) -> Notice:
    return Notice.of(
        "pair-gives-away",
        mark(
            "{right} of {asked} suppressed values of {variable} can be guessed from {other} and {second} together "
            "(from one or neither of them {base}). Declare {variable} and one of them related in Specify Metadata, "
            "recode one of them in Global Recode (a number: round it in Modify Numerical Variables), or leave one out "
            "in Specify Metadata."
        ),
        where=name,
        **_figures(name, found),
        other=names[0],
        second=names[1],
    )


def _undone(name: str, other: str, found: Guessed, remedy: str) -> Notice:
    return Notice.of(
        "recode-undone",
        mark(
            "{other} undoes the recode of {variable}: of {asked} records examined it tells the original code of "
            "{right} to whoever knows what {other} means (without it {base}). {remedy}"
        ),
        where=name,
        **_figures(name, found),
        other=other,
        remedy=remedy,
    )


def _undone_by_two(name: str, names: tuple[str, ...], found: Guessed) -> Notice:
    return Notice.of(
        "recode-undone-by-two",
        mark(
            "{other} and {second} together undo the recode of {variable}: of {asked} records examined they tell the "
            "original code of {right} (from one or neither of them {base}). Recode one of them, too, in Global Recode "
            "(a number: round it in Modify Numerical Variables), or leave one out in Specify Metadata."
        ),
        where=name,
        **_figures(name, found),
        other=names[0],
        second=names[1],
    )


def _figures(name: str, found: Guessed) -> dict[str, object]:
    return {"variable": name, "right": found.right, "asked": found.asked, "base": found.base}
