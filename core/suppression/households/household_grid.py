"""The thresholds that a forecast of households looks at: all at which something may change, or some of very many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.suppression.households.household_people import People
from core.suppression.households.options import Options

MOST_LEVELS = 1 << 21
FEW_LEVELS = 1 << 10
WORK = 1 << 34
"""Up to how many options of all members all levels are looked at, else few; also where options times the members of the
largest household are more."""
SAMPLED = 1 << 14

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Grid:
    """Thresholds.

    Attributes
    ----------
    at : (k,) float64, ascending: those looked at
    up_to : (k,) float64: what changes at ``at[i]`` is told of all thresholds up to this one. Where `at` is not
        complete, that is what lies below the next one: figures are then upper bounds
    complete : whether nothing changes between them
    """

    at: Floats
    up_to: Floats
    complete: bool


def cannot_be_met(people: People, found: Sequence[Options], scale: Floats, gate: Floats, other: Floats) -> float:
    """The highest threshold that some household does not meet, whatever is suppressed; 0: none, inf: all.

    Parameters
    ----------
    found : the options under each shared choice
    scale, gate, other : of each household, as `core.kernels.descent.descend` takes them
    """
    lowest = np.full(len(scale), np.inf)
    for part in found:
        last = np.full(len(part.first) - 1, np.inf)
        some = part.first[1:] > part.first[:-1]
        last[some] = part.risk[part.first[1:][some] - 1]
        highest = np.maximum.reduceat(last[people.unit], people.starts[:-1])
        lowest = np.minimum(lowest, np.where(highest < other, highest * scale, np.inf))
    return float(np.where(np.isinf(lowest), np.inf, np.minimum(lowest, gate)).max(initial=0.0))


def thresholds(people: People, found: Sequence[Options], scale: Floats, gate: Floats, stuck: float) -> Grid:
    """All levels at which a household's choice may change or, where there are too many, some between which as many lie.

    Parameters
    ----------
    stuck : what cannot be met; told exactly in any case
    """
    members = np.arange(len(people.unit))
    number = sum(int((part.first[1:] - part.first[:-1])[people.unit].sum()) for part in found)
    heads = len(found) * int(people.size.max(initial=1))
    if number <= min(MOST_LEVELS, WORK // heads):
        every = np.unique(np.concatenate([gate, _levels_of(people, found, scale, gate, members)]))
        return Grid(every, every, complete=True)
    some = members[np.linspace(0, len(members) - 1, SAMPLED).astype(np.int64)]
    half = np.linspace(0, 1, FEW_LEVELS // 2)
    parts = [_spread(gate[np.linspace(0, len(gate) - 1, SAMPLED).astype(np.int64)], half)]
    parts.append(_spread(_levels_of(people, found, scale, gate, some), half))
    parts.append(np.array([gate.max(), *((stuck, np.nextafter(stuck, np.inf)) if 0 < stuck < np.inf else ())]))
    chosen = np.unique(np.concatenate(parts))
    return Grid(chosen, np.append(np.nextafter(chosen[1:], 0.0), chosen[-1]), complete=False)


def _spread(levels: Floats, shares: Floats) -> Floats:
    return np.sort(levels)[(shares * (len(levels) - 1)).astype(np.int64)]


def _levels_of(
    people: People, found: Sequence[Options], scale: Floats, gate: Floats, members: NDArray[np.int64]
) -> Floats:
    """Levels at which these members leave their options, one gate at least."""
    household = np.repeat(np.arange(len(gate)), people.size)[members]
    parts = [gate[:1]]
    for part in found:
        first, last = part.first[people.unit[members]], part.first[people.unit[members] + np.uint32(1)]
        before = np.cumsum(last - first) - (last - first)
        whose = np.repeat(household, last - first)
        level = part.risk[np.arange(len(whose)) + np.repeat(first - before, last - first)] * scale[whose]
        parts.append(level[level < gate[whose]])
    return np.concatenate(parts)
