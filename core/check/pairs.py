"""The check of a file written in parts: the keys that records had and have, counted part by part and judged together.

As all of the check it shares no code with what made the file; it counts in NumPy from what was read back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn, Weights
from .judged import CheckSpec, Verification, above_one
from .recount import fold
from .verify import judge

FixedPoint = tuple[NDArray[np.int64], ...]
Sums = tuple[FixedPoint, tuple[int, ...]]
"""Limbs, and their decimals."""

_MERGE_AT = 1 << 18
"""Pairs of parts that are at least held of each division before they are merged."""

_DIVISIONS, _LEAST_CODES = 32, 1 << 10
"""By how many first codes pairs are divided, at least, and into how many divisions."""


@dataclass(frozen=True, eq=False)
class KeyPairs:
    """The p distinct pairs of an original and a released key of some records.

    Attributes
    ----------
    original, released : by variable the codes (p,), the number of valid codes where the value is missing
    records : (p,)
    weights : exact sums of the original's and of the written file's weights and of the original's max(weight - 1, 0),
        and the decimals of each; empty: there are none
    """

    original: Mapping[str, NDArray[np.unsignedinteger]]
    released: Mapping[str, NDArray[np.unsignedinteger]]
    records: NDArray[np.int64]
    weights: tuple[Sums, ...]

    def __len__(self) -> int:
        return len(self.records)

    def converted(
        self,
        decimals: tuple[int, ...],
        in_decimals: Callable[[FixedPoint, tuple[int, ...], tuple[int, ...]], FixedPoint],
        written: tuple[int, ...] | None = None,
    ) -> KeyPairs:
        """The same with sums of weights in other decimals, as `in_decimals` makes them of those given and wanted.

        `written` : those of the written file's weights; None: the same.
        """
        wanted = decimals, written or decimals, decimals
        both = zip(self.weights, wanted, strict=False)
        return replace(self, weights=tuple((in_decimals(limbs, own, given), given) for (limbs, own), given in both))


def pairs_of(
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    weights: tuple[Weights, Weights] | None,
) -> KeyPairs:
    """The pairs of the records of one part.

    Parameters
    ----------
    columns : the original's key variables after recoding, (n,) values each
    decided : the codes that stand in the written part, as indices into those of `columns`
    weights : those of the original and of the written part
    """
    original = {name: np.minimum(c.values, c.values.dtype.type(c.n_valid)) for name, c in columns.items()}
    released = {n: np.minimum(decided[n], decided[n].dtype.type(c.n_valid)) for n, c in columns.items()}
    sums: tuple[Sums, ...] = ()
    if weights is not None:
        before, now = weights
        above = tuple(above_one(before.limbs, before.decimals)[0])
        sums = (before.limbs, before.decimals), (now.limbs, now.decimals), (above, before.decimals)
    return _distinct(original, released, None, sums, [column.n_valid + 1 for column in columns.values()])


class PairSum:
    """Adds up the pairs of the parts; holds few more than those of the whole.

    They are held in few bytes, divided by what their first codes are, so that some of them at a time are put together.

    Parameters
    ----------
    columns : the key variables, of which the codes are taken
    """

    def __init__(self, columns: Mapping[str, EncodedColumn]) -> None:
        self._sizes = [column.n_valid + 1 for column in columns.values()]
        self._first = 0
        bound = 1
        while self._first < len(self._sizes) and bound < _LEAST_CODES:
            bound *= self._sizes[self._first]
            self._first += 1
        self._width = -(-bound // _DIVISIONS)
        self._pending: list[list[KeyPairs]] = [[] for _ in range(_DIVISIONS)]
        self._merged = [0] * _DIVISIONS

    def add(self, pairs: KeyPairs, progress: Progress = SILENT) -> None:
        """Add those of one more part; the weights of all parts in the same decimals."""
        codes = [*pairs.original.values()][: self._first]
        place = fold(codes, self._sizes[: self._first], len(pairs))[0] // self._width
        order = np.argsort(place, kind="stable")
        ends = np.searchsorted(place[order], np.arange(_DIVISIONS + 1))
        for number, pending in enumerate(self._pending):
            progress.check()
            if len(rows := order[ends[number] : ends[number + 1]]) or not any(self._pending):
                pending.append(_some(pairs, rows))
            if sum(map(len, pending)) > max(_MERGE_AT, 2 * self._merged[number]):
                pending[:] = [_in_little(self._together(pending))]
                self._merged[number] = len(pending[0])

    def whole(self, progress: Progress = SILENT) -> KeyPairs:
        """Those of all parts."""
        found = []
        for pending in self._pending:
            progress.check()
            found += [_in_little(self._together(pending))] if pending else []
            pending.clear()
        return _concatenated(found)

    def _together(self, parts: Sequence[KeyPairs]) -> KeyPairs:
        joined = _concatenated(parts)
        return _distinct(joined.original, joined.released, joined.records, joined.weights, self._sizes)


def _concatenated(parts: Sequence[KeyPairs]) -> KeyPairs:
    """The pairs of several parts, one after the other."""
    return KeyPairs(
        {name: np.concatenate([part.original[name] for part in parts]) for name in parts[0].original},
        {name: np.concatenate([part.released[name] for part in parts]) for name in parts[0].released},
        np.concatenate([part.records for part in parts]),
        tuple(map(_joined, zip(*(part.weights for part in parts), strict=True))),
    )


def _some(pairs: KeyPairs, rows: NDArray[np.int64]) -> KeyPairs:
    return _in_little(
        KeyPairs(
            {name: codes[rows] for name, codes in pairs.original.items()},
            {name: codes[rows] for name, codes in pairs.released.items()},
            pairs.records[rows],
            tuple((tuple(limb[rows] for limb in limbs), own) for limbs, own in pairs.weights),
        )
    )


def _in_little(pairs: KeyPairs) -> KeyPairs:
    """The same, its numbers in as few bytes as they need."""
    weights = tuple((tuple(map(_little, limbs)), own) for limbs, own in pairs.weights)
    return replace(pairs, records=_little(pairs.records), weights=weights)


def _little(values: NDArray[np.int64]) -> NDArray[np.int64]:
    least, most = int(values.min(initial=0)), int(values.max(initial=0))
    return values.astype(np.promote_types(np.min_scalar_type(least), np.min_scalar_type(most)), copy=False)


def _joined(parts: Sequence[Sums]) -> Sums:
    """Sums of several parts, one after the other."""
    limbs = tuple(np.concatenate(each) for each in zip(*(limbs for limbs, _ in parts), strict=True))
    return limbs, parts[0][1]


def _distinct(
    original: Mapping[str, NDArray[np.unsignedinteger]],
    released: Mapping[str, NDArray[np.unsignedinteger]],
    records: NDArray[np.int64] | None,
    weights: tuple[Sums, ...],
    sizes: Sequence[int],
) -> KeyPairs:
    """Rows of the same pair together; `records`: of each row, None: one; `weights`: likewise."""
    if not original:  # nobody is judged
        return KeyPairs({}, {}, np.zeros(0, np.int64), ())
    rows = len(next(iter(original.values())))
    blank = [released[name] != codes for name, codes in original.items()]
    if all((codes[new] == size - 1).all() for codes, new, size in zip(released.values(), blank, sizes, strict=True)):
        # What differs is missing, the last code: a bit for it has the same order, and far fewer pairs are possible.
        keys, key = _ranked(*fold([*original.values()], sizes, rows))
        number, bound = fold([key, *blank], [max(1, len(keys)), *(2 for _ in sizes)], rows)
    else:
        number, bound = fold([*original.values(), *released.values()], [*sizes, *sizes], rows)
    first, pair = _ranked(number, bound)
    found = tuple((tuple(_sums(pair, limb, len(first)) for limb in limbs), own) for limbs, own in weights)
    count = np.bincount(pair, minlength=len(first)) if records is None else _sums(pair, records, len(first))
    return KeyPairs(
        {name: codes[first] for name, codes in original.items()},
        {name: codes[first] for name, codes in released.items()},
        count,
        found,
    )


def _ranked(number: NDArray[np.integer[Any]], bound: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A row of each number that occurs, ascending by these numbers, and the rank of each row's number."""
    if bound > 4 * len(number) + 4096:
        _, first, rank = np.unique(number, return_index=True, return_inverse=True)
        return first, rank
    there = np.full(bound, -1)
    there[number] = np.arange(len(number))
    first = there[there >= 0]
    place = np.zeros(bound, np.int64)
    place[there >= 0] = np.arange(len(first))
    return first, place[number]


def _sums(pair: NDArray[np.int64], values: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    total = np.zeros(size, np.int64)
    np.add.at(total, pair, values)
    return total


def judge_pairs(
    pairs: KeyPairs,
    columns: Mapping[str, EncodedColumn],
    combinations: Sequence[CheckSpec],
    *,
    must_be_safe: bool = True,
    progress: Progress = SILENT,
) -> Verification:
    """Judge the parts of a written file together, as `core.check.verify.judge` judges a file.

    Parameters
    ----------
    pairs : of all parts
    columns : the key variables, of which the codes are taken
    """
    original = {
        name: replace(column, values=pairs.original[name], records=pairs.records) for name, column in columns.items()
    }
    records = int(pairs.records.sum())
    return judge(original, pairs.released, pairs.weights or (None, None), combinations, records,
                 must_be_safe=must_be_safe, progress=progress)  # fmt: skip
