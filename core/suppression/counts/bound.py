"""What blanks that match anything must cost at least: a packing of the cells' demands into the lines.

Each unsafe cell that is not blanked as a whole needs helpers: by one tangent of the least number of people, a record of
a line gives at most the share (w - s) / lacking; or all of its own records lose values, each of which gives 1 / n. If
every cell has a price, so that no record on any line brings more than it loses, the sum of the prices is a bound. It
holds also where records are made safe by what others lose, which the search does not look at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.kernels.released_counts import pack
from core.suppression.counts.exact import convex, cuts
from core.suppression.counts.problem import CountsProblem, Floats
from core.suppression.joint.bound import rounded_up

ROUNDS = 200
_NEAR_ZERO = 1e-12


def least_cost(problem: CountsProblem, rounds: int = ROUNDS, progress: Progress = SILENT) -> float:
    """No losses that make all cells safe cost less; 0 where values are missing or nothing is known."""
    table = problem.table
    if not len(problem.price) or not table.complete.all() or (problem.price <= _NEAR_ZERO).any():
        return 0.0
    progress.check()
    line = np.repeat(np.arange(len(problem.price)), np.diff(problem.ptr))
    slope, lacking = _demands(problem, line)
    cell = problem.member
    with np.errstate(invalid="ignore"):
        share = np.where(np.isneginf(slope[cell]), 1.0, problem.heaviest[line] - slope[cell]) / lacking[cell]
    share = np.clip(share, 0.0, 1.0)
    own = 1.0 / np.diff(problem.own)
    size = len(problem.cells)
    begin = np.full(size, float(problem.price.min()) / 10)
    best, room = np.zeros(size), np.zeros(size)
    bound = pack(problem.ptr, cell, share, own, problem.price, best, begin, rounds, room)
    return rounded_up(bound * (1 - 1e-9), [price for _, price in table.ways])


def _demands(problem: CountsProblem, line: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """Of each cell the slope of one tangent and what is lacking by it; -inf and a number of records by count."""
    table = problem.table
    least = np.array(table.rule.least)
    size = len(problem.cells)
    slope, lacking = np.full(size, -np.inf), np.ones(size)
    heaviest = np.zeros(size)
    np.maximum.at(heaviest, problem.member, problem.heaviest[line])
    tangents = convex(least, float(table.weight.min()))
    for number, cell in enumerate(problem.cells.tolist()):
        f, people, heavy = int(table.f[cell]), float(table.people[cell]), float(heaviest[number])
        if tangents:
            best = 0.0
            for s, short in cuts(least, f, people, heavy):
                needed = short / (1.0 if s == -np.inf else max(heavy - s, _NEAR_ZERO))
                if needed > best:
                    best, slope[number], lacking[number] = needed, s, short
        else:
            while f < len(least) and people < least[f]:
                f, people = f + 1, people + heavy
            lacking[number] = f - int(table.f[cell])
    return slope, lacking
