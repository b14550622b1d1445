"""Cells: the distinct keys of a file, with sample and population frequencies under a missing rule.

They know no records, so that the cells of parts of a file add up (`core.tables.regroup.merge_cells`); which cell a
record is in stands in `core.tables.cell_index`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.recipe.model import MissingRule


@dataclass(frozen=True, eq=False)
class Cells:
    """The m distinct keys (missing values included as one value per variable) observed on k key variables.

    Attributes
    ----------
    variables : tuple of str, the k key variables
    cards : tuple of int, number of valid codes of each; ``codes[j] == cards[j]`` means missing
    codes : k arrays (m,) uint32
    missing : (m,) uint64, bit j set where variable j is missing
    count : (m,) int64, the cell's own records
    weight : (m,) float64, the sum of their weights, correctly rounded (count itself where there is no weight)
    weight_limbs : exact integer sums behind `weight`, one (m,) int64 array a limb of `Weights`
    weight_decimals : decimals of the limbs
    rule, alpha : the missing rule that `f` and `F` are counted under
    f : (m,) float64, sample frequency under the rule (integers unless 0 < alpha < 1); nan where listwise leaves out
    F : (m,) float64, estimated population frequency under the rule; nan likewise
    """

    variables: tuple[str, ...]
    cards: tuple[int, ...]
    codes: tuple[NDArray[np.uint32], ...]
    missing: NDArray[np.uint64]
    count: NDArray[np.int64]
    weight: NDArray[np.float64]
    weight_limbs: tuple[NDArray[np.int64], ...]
    weight_decimals: tuple[int, ...]
    rule: MissingRule
    alpha: float
    f: NDArray[np.float64]
    F: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.count)

    @property
    def judged(self) -> int:
        """Number of distinct keys that the missing rule does not leave out."""
        return int(np.count_nonzero(~np.isnan(self.f)))

    @property
    def records(self) -> int:
        """Number of records n."""
        return int(self.count.sum())
