"""Sample and population frequencies under the missing rules, for a table and all its margins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..kernels import cells as kernels
from ..recipe.criteria import MissingRule
from .cells import Cells
from .exact_sums import to_float
from .grouping import blocks
from .projections import Cube, Projection, through


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Frequencies in one margin.

    Attributes
    ----------
    first, then : the way to `group_of_cell` by two steps, as in `core.tables.projections.Projection`; the last of them
        gives -1 where a kept variable is missing
    f : (g,) float64, sample frequency of each group's values under the rule
    F : (g,) float64, population frequency (f itself without weights)
    """

    first: NDArray[np.int32]
    then: NDArray[np.int32] | None
    f: NDArray[np.float64]
    F: NDArray[np.float64]

    @cached_property
    def group_of_cell(self) -> NDArray[np.int32]:
        """A base cell's group in the margin, (m,) int32; -1 where a kept variable is missing in it."""
        if self.then is None:
            return self.first
        return through(self.first.view(np.uint32), self.then.view(np.uint32)).view(np.int32)


class Margins:
    """Frequencies of the values that remain when only some key variables of a table are kept.

    Record j counts for values x on the kept variables when it agrees with x wherever it has a value there: fully
    if it has a value on each; if not, not at all (`observed`), or `alpha` times (`wildcard`). Under `category`
    missing is a value too, under `listwise` only the table's complete cells count.

    Parameters
    ----------
    cells : Cells
        The table; only its own counts and weights are used, not its f and F.
    rule, alpha : the missing rule; those of `cells` unless given
    """

    def __init__(self, cells: Cells, rule: MissingRule | None = None, alpha: float | None = None) -> None:
        self.rule, self.alpha = check_rule(rule or cells.rule, cells.alpha if alpha is None else alpha)
        self._decimals = cells.weight_decimals
        count, limbs = cells.count, cells.weight_limbs
        if self.rule == "listwise":
            complete = cells.missing == 0
            count, limbs = count * complete, tuple(limb * complete for limb in limbs)
        self.cube = Cube(cells.codes, cells.cards, cells.missing, count, limbs)

    def frequencies(self, keep: int, progress: Progress = SILENT) -> Frequencies:
        """Frequencies on the variables of the bitmask `keep` (bit j: variable j; 0: f = n for every cell)."""
        margin = self.cube.project(keep, progress)
        if self.rule == "category" or not margin.missing.any():
            full = [margin.count, *margin.limbs]
            return self._as_floats(margin, None, full, None)
        complete = np.flatnonzero(margin.missing == 0).astype(np.uint32)
        full = [values[complete] for values in (margin.count, *margin.limbs)]
        part = self._by_wildcards(margin, complete, progress) if self.rule == "wildcard" and self.alpha > 0 else None
        number = np.full(len(margin), -1, np.int32)
        number[complete] = np.arange(len(complete), dtype=np.int32)
        return self._as_floats(margin, number, full, part)

    def _by_wildcards(
        self, margin: Projection, complete: NDArray[np.uint32], progress: Progress
    ) -> list[NDArray[np.int64]]:
        """Exact sums over the incomplete groups that agree with each complete one: one pattern at a time.

        A pattern's groups and the complete groups meet in the margin of the variables that the pattern has.
        """
        values = (margin.count, *margin.limbs)
        found = [np.zeros(len(complete), np.int64) for _ in values]
        for pattern in np.unique(margin.missing).tolist():
            if not pattern:
                continue
            meet = self.cube.project(margin.mask & ~pattern, progress)
            groups = np.flatnonzero(margin.missing == pattern).astype(np.uint32)
            for value, total in zip(values, found, strict=True):
                sums = np.zeros(len(meet), np.int64)
                for part in blocks(len(groups), progress):
                    kernels.spread(groups[part], margin.member, meet.group_of_cell, value, sums)
                for part in blocks(len(complete), progress):
                    kernels.collect(complete[part], margin.member, meet.group_of_cell, sums, total[part])
        return found

    def _as_floats(
        self,
        margin: Projection,
        number: NDArray[np.int32] | None,
        full: list[NDArray[np.int64]],
        part: list[NDArray[np.int64]] | None,
    ) -> Frequencies:
        if part is not None and self.alpha == 1.0:
            full, part = [a + b for a, b in zip(full, part, strict=True)], None
        f, population = self._floats(full)
        if part is not None:
            more_f, more_population = self._floats(part)
            f, population = f + self.alpha * more_f, population + self.alpha * more_population
        first, then = margin.first.view(np.int32), None if margin.then is None else margin.then.view(np.int32)
        if number is not None:
            first, then = (number[first], None) if then is None else (first, number[then])
        return Frequencies(first, then, f, population)

    def _floats(self, sums: list[NDArray[np.int64]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        f = sums[0].astype(np.float64)
        return f, to_float(sums[1:], self._decimals) if self._decimals else f


def check_rule(rule: MissingRule, alpha: float) -> tuple[MissingRule, float]:
    """The rule and alpha (1 where the rule has none); `RecipeError` where they are not possible."""
    if rule not in ("observed", "wildcard", "category", "listwise"):
        raise RecipeError(
            "unknown-missing-rule",
            mark("There is no missing rule “{rule}”."),
            mark("Choose observed, wildcard, category or listwise."),
            rule=rule,
        )
    if rule != "wildcard":
        return rule, 1.0
    if not 0.0 <= alpha <= 1.0:
        raise RecipeError(
            "alpha-out-of-range",
            mark("alpha is {alpha}, but it is the share with which a record with missing values counts."),
            mark("Give a number from 0 to 1."),
            alpha=alpha,
        )
    return rule, float(alpha)


def frequencies_of_cells(
    cells: Cells, rule: MissingRule, alpha: float, progress: Progress = SILENT
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """f and F of every cell under the rule [method: Keys and frequencies]; nan where `listwise` leaves it out.

    A cell's frequency is that of its values in the margin of the variables on which it has one.
    """
    progress.check()
    margins = Margins(cells, rule, alpha)
    if rule == "category" or not cells.missing.any():
        own = margins.frequencies(margins.cube.full, progress)
        return own.f, own.F
    f = np.full(len(cells), np.nan)
    population = f.copy()
    patterns = np.unique(cells.missing).tolist()
    for pattern in patterns:
        progress.check()
        if rule == "listwise" and pattern:
            continue
        margin = margins.frequencies(margins.cube.full & ~pattern, progress)
        rows = np.flatnonzero(cells.missing == pattern)
        group = margin.group_of_cell[rows]
        f[rows], population[rows] = margin.f[group], margin.F[group]
    return f, population
