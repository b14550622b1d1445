"""Cells: the distinct keys of a file, with sample and population frequencies under a missing rule.

They know no records, so that the cells of parts of a file add up (`core.tables.regroup.merge_cells`); which cell a
record is in stands in `core.tables.cell_index`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..recipe.criteria import MissingRule
from .exact_sums import to_float

Floats = NDArray[np.float64]

_KEPT_ROWS = 1 << 22
"""Of more cells, frequencies that follow from the exact sums are made anew whenever they are asked for."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The m distinct keys (missing values included as one value per variable) observed on k key variables.

    Attributes
    ----------
    variables : tuple of str, the k key variables
    cards : tuple of int, number of valid codes of each; ``codes[j] == cards[j]`` means missing
    codes : k arrays (m,) uint8, uint16 or uint32
    missing : (m,) uint64, bit j set where variable j is missing
    count : (m,) int64, the cell's own records
    weight_limbs : exact integer sums behind `weight`, one (m,) int64 array a limb of `Weights`; empty: no weights
    weight_decimals : decimals of the limbs
    rule, alpha : the missing rule that `f` and `F` are counted under
    under_rule : (m,) float64 each, `f` and `F`; None: they are `count` and `weight`
    """

    variables: tuple[str, ...]
    cards: tuple[int, ...]
    codes: tuple[NDArray[np.unsignedinteger], ...]
    missing: NDArray[np.uint64]
    count: NDArray[np.int64]
    weight_limbs: tuple[NDArray[np.int64], ...]
    weight_decimals: tuple[int, ...]
    rule: MissingRule
    alpha: float
    under_rule: tuple[Floats, Floats] | None = None

    def __len__(self) -> int:
        return len(self.count)

    @property
    def f(self) -> Floats:
        """Sample frequency under the rule, (m,): integers unless 0 < alpha < 1; nan where listwise leaves out."""
        return self.under_rule[0] if self.under_rule is not None else self._records

    @property
    def F(self) -> Floats:
        """Estimated population frequency under the rule, (m,); nan where listwise leaves out."""
        return self.under_rule[1] if self.under_rule is not None else self.weight

    @property
    def weight(self) -> Floats:
        """Sum of the records' weights, (m,), correctly rounded; the number of records where there is no weight."""
        if not self.weight_limbs:
            return self._records
        return self._rounded_weight() if len(self) > _KEPT_ROWS else self._kept_weight

    @property
    def _records(self) -> Floats:
        return self.count.astype(np.float64) if len(self) > _KEPT_ROWS else self._kept_records

    @cached_property
    def _kept_records(self) -> Floats:
        return self.count.astype(np.float64)

    @cached_property
    def _kept_weight(self) -> Floats:
        return self._rounded_weight()

    def _rounded_weight(self) -> Floats:
        return to_float(self.weight_limbs, self.weight_decimals)

    @property
    def judged(self) -> int:
        """Number of distinct keys that the missing rule does not leave out."""
        return len(self) if self.under_rule is None else int(np.count_nonzero(~np.isnan(self.f)))

    @property
    def records(self) -> int:
        """Number of records n."""
        return int(self.count.sum())
