"""Many sets of key variables beside each other: how many records each singles out, from the cells on all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..tables.cells import Cells
from ..tables.frequencies import Margins
from ..tables.projections import Projection
from .individual import individual_risk

Floats = NDArray[np.float64]

_BY_PATTERN = 6e-5
"""Seconds by pattern of missing values of a set; measured, as the others are, to be right within three times."""
_BY_CELL = 2e-8
"""Seconds by set and cell of the whole table."""
_BY_KEY = 3.5e-8
"""Seconds by pattern of missing values and key of a set, whose matches are looked for."""


@dataclass(frozen=True)
class SetCounts:
    """What a set of key variables singles out.

    Attributes
    ----------
    mask : bit j set where variable j is in it
    unique : complete records that are alone with their key
    pairs : keys of exactly two complete records
    complete : records with a value on every variable of the set
    matches : records that agree with no other one, a missing value agreeing with any
    expected : sum of the individual risks; nan where it is not asked for
    """

    mask: int
    unique: int
    pairs: int
    complete: int
    matches: int
    expected: float


def sets_up_to(variables: int, max_size: int) -> Iterator[int]:
    """All sets of 1 up to `max_size` of so many variables as bitmasks, small ones first, in order of the variables."""
    for size in range(1, min(max_size, variables) + 1):
        for places in combinations(range(variables), size):
            yield sum(1 << j for j in places)


def number_of_sets(variables: int, max_size: int) -> int:
    """How many sets of 1 up to `max_size` of so many variables there are."""
    return sum(math.comb(variables, size) for size in range(1, min(max_size, variables) + 1))


def estimated_seconds(cells: Cells, masks: Sequence[int]) -> float:
    """About how long `key_sets` takes for the sets `masks` of the variables of `cells`; nothing is counted for it."""
    patterns = np.unique(cells.missing)
    total = 0.0
    for mask in masks:
        space = math.prod(card + 1 for j, card in enumerate(cells.cards) if mask >> j & 1)
        here = len(np.unique(patterns & np.uint64(mask)))
        total += _BY_CELL * len(cells) + here * (_BY_PATTERN + _BY_KEY * min(space, len(cells)))
    return total


def key_sets(
    cells: Cells, masks: Sequence[int], people: float | None = None, progress: Progress = SILENT
) -> list[SetCounts]:
    """What each of the sets `masks` singles out, in their order [method: uniqueness in survey panels].

    Large sets come first, so that each is merged from the smallest larger one at hand, not from the records.

    Parameters
    ----------
    cells : on all variables of the sets; only its counts and weights are used
    people : size of the population where no weights say it; None: nobody knows it, and no risks are added up
    """
    by_wildcard, by_values = Margins(cells, "wildcard"), Margins(cells, "observed")
    by_values.cube = by_wildcard.cube  # the margins are the same, and each is made once
    found: dict[int, SetCounts] = {}
    for number, mask in enumerate(sorted(dict.fromkeys(masks), key=lambda each: (-each.bit_count(), each))):
        progress.check()
        progress.report(number, len(masks), translate(mark("Comparing key sets")))
        margin = by_wildcard.cube.project(mask, progress)
        complete = margin.count[margin.missing == 0]
        matches, _F = _of_groups(by_wildcard, margin, progress)
        expected = math.nan
        if people is not None or cells.weight_limbs:
            f, population = _of_groups(by_values, margin, progress)
            if not cells.weight_limbs:
                population = f * (people or 0.0) / cells.records
            expected = float(margin.count @ individual_risk(f, population, progress=progress))
        found[mask] = SetCounts(
            mask,
            unique=int(np.count_nonzero(complete == 1)),
            pairs=int(np.count_nonzero(complete == 2)),
            complete=int(complete.sum()),
            matches=int(margin.count[matches == 1.0].sum()),
            expected=expected,
        )
    return [found[mask] for mask in masks]


def _of_groups(margins: Margins, margin: Projection, progress: Progress) -> tuple[Floats, Floats]:
    """f and F of the groups of a margin, each counted by the values that it has."""
    f, population = np.empty(len(margin)), np.empty(len(margin))
    for pattern in np.unique(margin.missing).tolist():
        rows = np.flatnonzero(margin.missing == pattern)
        values = margins.frequencies(margin.mask & ~pattern, progress)
        group = values.group_of_cell[margin.member[rows]]
        f[rows], population[rows] = values.f[group], values.F[group]
    return f, population
