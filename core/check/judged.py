"""What the check is asked, what it found, and both files as it looks at them.

Records stand in the order of the written file. Numbered columns hold 0 where a value is missing, else one more than the
code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..data.columns import EncodedColumn, Microdata, Weights, times_of
from ..data.risk_figures import TableState
from ..recipe.criteria import JudgedByCriterion, MissingRule, Model
from ..recipe.model import Estimator, Mode
from .population import ClaimedModel
from .recount import Codes

WeightsOfBoth = Sequence[tuple[Sequence[NDArray[np.int64]], Sequence[int]] | None]
"""Limbs and their decimals, of the original and of the written file; None: every record weighs 1.

Where rows stand for several records, a third entry has the sums of max(weight - 1, 0) of the original's.
"""


@dataclass(frozen=True)
class CheckSpec(JudgedByCriterion):
    """A combination by which the written file is judged, as its model says.

    `threshold`, `household_threshold`: of the individual and of the household risk, None: nothing is unsafe by it;
    `count_threshold`: the threshold rule's largest unsafe count; `k`: of k-anonymity; `claimed`: what the plan says of
    the population model, where the estimator judges by one; `mode`: which risk a record with blanks has;
    `least_records`: how many records every released key must have, where that mode judges by these; `exceedance`: the
    chance allowed of reaching the threshold, where that judges instead of the risk; `told`: how many suppressed values
    the rules may tell, None: any number; `told_with`: the variables of all tables that are decided with this one;
    `shared`: variables that a record may lose for others' sake; `same`: those of them that have one value a household;
    `hidden`: how many records the plan says only their own household makes safe, None: it says nothing; `l`: of
    l-diversity, how many different values of `sensitive` a key must have behind it.
    """

    variables: tuple[str, ...]
    threshold: float | None = None
    rule: MissingRule = "observed"
    alpha: float = 1.0
    estimator: Estimator = "exact"
    model: Model = "individual-risk"
    count_threshold: int = 1
    k: int = 1
    household_threshold: float | None = None
    claimed: ClaimedModel | None = None
    mode: Mode = "original-counts"
    least_records: int = 1
    exceedance: float | None = None
    told: int | None = None
    told_with: tuple[str, ...] = ()
    shared: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    hidden: int | None = None
    l: int = 1  # noqa: E741
    sensitive: str | None = None

    @property
    def name(self) -> str:
        """As problems name the combination."""
        return " x ".join(self.variables)

    @property
    def judges_released_keys(self) -> bool:
        """Whether every released key has to be large enough."""
        return self.judges_whole_file or (self.has_risk and self.mode == "released-keys")


@dataclass(frozen=True, eq=False)
class TableVerification:
    """What the check found of one combination.

    Attributes
    ----------
    by_mode : the written records judged as the mode says; None under a rule that is for measuring only
    released : the written file recounted on itself, blanks matching anything
    group_max, group_unsafe : largest group risk, and records at or above the threshold by it; by released keys the
        largest 1/f_g of a record that was unsafe, and None
    original : the same records judged by the original file, where the mode does otherwise
    smallest : records of the smallest released key, where the mode judges by these
    told : suppressed values that the rules tell, where that was to be prevented; None: not counted
    hidden : records that only members of their own household make safe; None: not counted
    """

    by_mode: TableState | None
    released: TableState
    group_max: float | None = None
    group_unsafe: int | None = None
    original: TableState | None = None
    smallest: int | None = None
    told: int | None = None
    hidden: int | None = None


@dataclass(frozen=True)
class Verification:
    """What the check found.

    Attributes
    ----------
    verified : bool
        The file holds what was decided and, where that was asked, no record is at or above its threshold.
    problems : what is wrong otherwise; empty if `verified`
    after : what was found of each combination; empty where the file does not hold what was decided
    sha256 : of the file as it was read; empty: of several files
    """

    verified: bool
    problems: tuple[Notice, ...]
    after: tuple[TableVerification, ...]
    sha256: str = ""


@dataclass(frozen=True)
class KeysOfBothFiles:
    """Key variables in both files: `original` and `released` columns (n,), `sizes` one more than the largest code.

    `records` : how many records each row stands for; None: one each.
    """

    names: tuple[str, ...]
    original: Sequence[Codes]
    released: Sequence[Codes]
    sizes: Sequence[int]
    records: NDArray[np.int64] | None = None

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        columns: Mapping[str, EncodedColumn],
        decided: Mapping[str, NDArray[np.unsignedinteger]],
        *,
        sparing: bool = False,
    ) -> KeysOfBothFiles:
        """Those of some variables.

        Parameters
        ----------
        columns, decided : of the original, and the codes of the written file as indices into theirs
        sparing : columns are numbered when they are asked for, where rows are cells, of which there may be very many
        """
        keys = [columns[name] for name in names]
        records = times_of(keys).records
        numbered: Callable[[NDArray[np.unsignedinteger], int], Any]
        numbered = NumberedColumn if sparing and records is not None else numbers
        original: list[Any] = [numbered(key.values, key.n_valid) for key in keys]
        released: list[Any] = [
            same if decided[key.name] is key.values else numbered(decided[key.name], key.n_valid)
            for key, same in zip(keys, original, strict=True)
        ]
        return cls(tuple(names), original, released, [key.n_valid + 1 for key in keys], records)


def numbers(values: NDArray[np.unsignedinteger], n_valid: int) -> NDArray[np.unsignedinteger]:
    """0 where missing, else one more than the code; in a small type, for there are as many as records."""
    small = np.min_scalar_type(n_valid)
    found = values.astype(np.promote_types(small, values.dtype))
    found += found.dtype.type(1)  # wraps only where the value is missing
    found *= values < n_valid
    return found.astype(small, copy=False)


class NumberedColumn:
    """The `numbers` of a column, made of those of its values that are asked for."""

    def __init__(self, values: NDArray[np.unsignedinteger], n_valid: int) -> None:
        self._values, self._n_valid = values, n_valid

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, some: slice | NDArray[np.integer[Any]]) -> NDArray[np.unsignedinteger]:
        return numbers(self._values[some], self._n_valid)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.unsignedinteger]:
        return numbers(self._values, self._n_valid)


def in_order(column: EncodedColumn, order: NDArray[np.integer[Any]] | None) -> EncodedColumn:
    """A column of the original in the order of the written file."""
    return column if order is None else replace(column, values=column.values[order])


def decided_codes(column: EncodedColumn, suppressed: NDArray[np.bool_] | None) -> NDArray[np.unsignedinteger]:
    """The code that each record should have in the written file, as an index into ``column.codes``."""
    if suppressed is None or not suppressed.any():
        return column.values
    codes: NDArray[np.unsignedinteger] = np.where(suppressed, column.values.dtype.type(column.n_valid), column.values)
    return codes


def weights_of_both(
    weights: Weights | None, written: Microdata, order: NDArray[np.integer[Any]] | None
) -> WeightsOfBoth:
    """The weights of the original, and those of the written file: its own, or else those of the original."""
    if weights is not None and order is not None:
        weights = Weights(tuple(limb[order] for limb in weights.limbs), weights.decimals)
    both = weights, weights if written.weights is None else written.weights
    return [None if w is None else (w.limbs, w.decimals) for w in both]


def above_one(
    limbs: Sequence[NDArray[np.int64]], decimals: Sequence[int]
) -> tuple[Sequence[NDArray[np.int64]], Sequence[int]]:
    """max(w - 1, 0) of each weight, as the weights themselves are given."""
    one = 10 ** decimals[0]  # the limbs behind hold less than its unit
    more = limbs[0] >= one
    return [np.where(more, limb - less, 0) for limb, less in zip(limbs, (one, 0), strict=False)], decimals
