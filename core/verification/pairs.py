"""The check of a file written in parts: the keys that records had and have, counted part by part and judged together.

As all of the check it shares no code with what made the file; it counts in NumPy from what was read back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn, Weights
from core.verification.recount import fold
from core.verification.verify import JudgedTable, Verification, judge

Limbs = tuple[NDArray[np.int64], ...]


@dataclass(frozen=True, eq=False)
class KeyPairs:
    """The p distinct pairs of an original and a released key of some records.

    Attributes
    ----------
    original, released : by variable the codes (p,), the number of valid codes where the value is missing
    records : (p,) int64
    weights : exact sums of the original's and of the written file's weights, and the decimals of each; None: there are
        none
    """

    original: Mapping[str, NDArray[np.unsignedinteger]]
    released: Mapping[str, NDArray[np.unsignedinteger]]
    records: NDArray[np.int64]
    weights: tuple[tuple[Limbs, tuple[int, ...]], tuple[Limbs, tuple[int, ...]]] | None

    def in_decimals(
        self,
        decimals: tuple[int, ...],
        converted: Callable[[Limbs, tuple[int, ...], tuple[int, ...]], Limbs],
    ) -> KeyPairs:
        """The same with sums of weights in other decimals, as `converted` makes them of those given and wanted."""
        if self.weights is None:
            return self
        (before, own), (now, theirs) = self.weights
        both = (converted(before, own, decimals), decimals), (converted(now, theirs, decimals), decimals)
        return replace(self, weights=both)


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
    records = len(next(iter(original.values()))) if original else 0
    sizes = [column.n_valid + 1 for column in columns.values()]
    number, bound = fold([*original.values(), *released.values()], [*sizes, *sizes], records)
    if bound <= 4 * records + 4096:
        there = np.full(bound, -1)
        there[number] = np.arange(records)
        first = there[there >= 0]
        place = np.zeros(bound, np.int64)
        place[there >= 0] = np.arange(len(first))
        pair = place[number]
    else:
        _, first, pair = np.unique(number, return_index=True, return_inverse=True)
    sums = None
    if weights is not None:
        before, now = ((tuple(_sums(pair, limb, len(first)) for limb in w.limbs), w.decimals) for w in weights)
        sums = before, now
    return KeyPairs(
        {name: codes[first] for name, codes in original.items()},
        {name: codes[first] for name, codes in released.items()},
        np.bincount(pair, minlength=len(first)),
        sums,
    )


def _sums(pair: NDArray[np.int64], values: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    total = np.zeros(size, np.int64)
    np.add.at(total, pair, values)
    return total


def judge_pairs(
    parts: Sequence[KeyPairs],
    columns: Mapping[str, EncodedColumn],
    combinations: Sequence[JudgedTable],
    *,
    must_be_safe: bool = True,
    progress: Progress = SILENT,
) -> Verification:
    """Judge the parts of a written file together, as `core.verification.verify.judge` judges a file.

    Parameters
    ----------
    parts : pairs of all parts, their weights in the same decimals
    columns : the key variables, of which the codes are taken
    """
    records = np.concatenate([part.records for part in parts])
    original = {
        name: replace(column, values=np.concatenate([part.original[name] for part in parts]), records=records)
        for name, column in columns.items()
    }
    released = {name: np.concatenate([part.released[name] for part in parts]) for name in columns}
    weights: list[tuple[Limbs, tuple[int, ...]] | None] = [None, None]
    if all(part.weights is not None for part in parts):
        weights = [_together([part.weights[which] for part in parts if part.weights]) for which in (0, 1)]
    return judge(original, released, weights, combinations, int(records.sum()), must_be_safe=must_be_safe,
                 progress=progress)  # fmt: skip


def _together(parts: Sequence[tuple[Limbs, tuple[int, ...]]]) -> tuple[Limbs, tuple[int, ...]]:
    limbs = tuple(np.concatenate(each) for each in zip(*(limbs for limbs, _ in parts), strict=True))
    return limbs, parts[0][1]
