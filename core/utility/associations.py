"""What is left of the association of two variables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..base.progress import SILENT, Progress
from ..base.texts import translate
from .compared import ComparedFile, ComparedVariable, Floats, Places, joint_codes
from .moments import correlation, correlation_ratio

Association = Literal["cramers-v", "correlation", "correlation-ratio"]


@dataclass(frozen=True, eq=False)
class AssociationMatrix:
    """The association of each two variables before and after, for a heat map.

    Attributes
    ----------
    names : of the variables
    before, after : (v, v) symmetric; nan on the diagonal and where one of the two does not vary
    """

    names: tuple[str, ...]
    before: Floats
    after: Floats

    @property
    def change(self) -> Floats:
        """(v, v) how much larger the association is after."""
        return self.after - self.before


def kind_of_association(a: ComparedVariable, b: ComparedVariable) -> Association:
    """Pearson's correlation of two numbers, Cramér's V of two categories, else the correlation ratio."""
    if a.is_number and b.is_number:
        return "correlation"
    return "correlation-ratio" if a.is_number or b.is_number else "cramers-v"


def association(a: ComparedVariable, b: ComparedVariable, weights: Floats, released: bool) -> float | None:
    """The association of two variables in the original or in the `released` file, weighted.

    From 0 to 1, a correlation from -1. Records with both values count. None where one of the two does not vary.
    """
    side = int(released)
    kind = kind_of_association(a, b)
    if kind == "correlation":
        return correlation(a.numbers[side], b.numbers[side], weights)
    if kind == "correlation-ratio":
        number, group = (a, b) if a.is_number else (b, a)
        return correlation_ratio(number.numbers[side], group.places[side], len(group.codes), weights)
    return cramers_v(a.places[side], len(a.codes), b.places[side], len(b.codes), weights)


def cramers_v(a: Places, a_size: int, b: Places, b_size: int, weights: Floats) -> float | None:
    """Cramér's V of two categories: √(φ² / (min(rows, columns) − 1)), φ² = Σ p_ij² / (p_i p_j) − 1.

    Only records with both, ``a < a_size`` and ``b < b_size``, count, and only rows and columns that occur among them.
    """
    cells = joint_codes((a, b), (a_size, b_size))
    counts = cells.sums(weights)
    rows, columns = (np.bincount(cells.keys[:, j], counts, size) for j, size in ((0, a_size), (1, b_size)))
    smaller = min(int((rows > 0).sum()), int((columns > 0).sum())) - 1
    if smaller < 1:
        return None
    there = counts > 0
    of_row, of_column = rows[cells.keys[there, 0]], columns[cells.keys[there, 1]]
    phi = float((counts[there] ** 2 / (of_row * of_column)).sum()) - 1.0
    return math.sqrt(min(max(phi, 0.0) / smaller, 1.0))


def association_matrix(file: ComparedFile, names: Sequence[str], progress: Progress = SILENT) -> AssociationMatrix:
    """The association of each two of the variables `names` before and after."""
    variables, weights = file.some(names), file.counted
    size = len(variables)
    before, after = np.full((size, size), np.nan), np.full((size, size), np.nan)
    done, pairs = 0, size * (size - 1) // 2
    for i, a in enumerate(variables):
        for j in range(i):
            progress.check()
            progress.report(done, pairs, translate("Comparing pairs of variables"))
            for matrix, side in ((before, False), (after, True)):
                found = association(a, variables[j], weights[side], side)
                matrix[i, j] = matrix[j, i] = np.nan if found is None else found
            done += 1
    return AssociationMatrix(tuple(names), before, after)
