"""Each record's best suppression: the hitting set of least weight over what has to go from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.kernels import hitting as kernel
from core.suppression.demands import Demands

UNSOLVED = kernel.NONE
"""In place of a mask: nothing that may be suppressed meets the record's demands."""

WORK = 1 << 18
"""Masks looked at in one call of the kernel."""


@dataclass(frozen=True)
class Choices:
    """What can be suppressed; bit v of every mask is variable v, the keys first.

    Attributes
    ----------
    n_keys : number of keys
    closures : for each variable the mask of those that are suppressed with it, itself included
    costs : of one newly missing value
    fixed : variables that may never become missing
    """

    n_keys: int
    closures: tuple[int, ...]
    costs: tuple[float, ...]
    fixed: int


def hitting_sets(
    demands: Demands, lacking: Sequence[NDArray[np.bool_]], choices: Choices, progress: Progress = SILENT
) -> NDArray[np.uint64]:
    """The newly missing variables of each record, by the order of `core.suppression.candidates`.

    Records with the same demands that lack the same related variables are solved once.

    Parameters
    ----------
    demands : of each record
    lacking : by variable, the records whose value is missing originally

    Returns
    -------
    (n,) uint64, masks; `UNSOLVED` where there is none
    """
    problem, missing, of_record = _problems(demands, lacking, choices)
    return solved([demands.masks[number] for number in problem], missing, choices, progress)[of_record]


def solved(
    masks: Sequence[Sequence[int]], missing: NDArray[np.uint64], choices: Choices, progress: Progress = SILENT
) -> NDArray[np.uint64]:
    """The best choice for each problem, or `UNSOLVED`.

    Parameters
    ----------
    masks : of each problem the sets that have to be hit
    missing : (p,) of each problem the variables that are missing already
    """
    starts = np.cumsum([0, *map(len, masks)])
    answers = np.empty(len(masks), np.uint64)
    state = np.zeros(3, np.int64)
    stacks = np.empty(kernel.STACK, np.uint64), np.empty(kernel.STACK, np.uint64)
    losses = np.empty(len(masks))
    given = (
        np.array([mask for one in masks for mask in one], np.uint64),
        starts.astype(np.int64),
        missing,
        np.array(choices.closures, np.uint64),
        np.array(choices.costs, np.float64),
        np.uint64(choices.fixed),
        np.uint64((1 << choices.n_keys) - 1),
    )
    while state[kernel.PROBLEM] < len(masks):
        progress.check()
        progress.report(int(state[kernel.PROBLEM]), len(masks), translate(mark("Choosing suppressions")))
        kernel.solve(*given, *stacks, state, losses, answers, WORK)
    return answers


def _problems(
    demands: Demands, lacking: Sequence[NDArray[np.bool_]], choices: Choices
) -> tuple[list[int], NDArray[np.uint64], NDArray[np.int64]]:
    """Distinct problems: the number of their demands, what is missing in them, and the problem of each record."""
    of_record = demands.of_record
    missing = np.zeros(len(of_record), np.uint64)
    together = 0
    for v, closure in enumerate(choices.closures):
        together |= closure & ~(1 << v)
    for v, flags in enumerate(lacking):
        if together >> v & 1 and flags.any():
            missing |= flags.astype(np.uint64) << np.uint64(v)
    patterns, pattern = np.unique(missing, return_inverse=True)
    pairs, index = np.unique(of_record * len(patterns) + pattern, return_inverse=True)
    number, which = np.divmod(pairs, len(patterns))
    return number.tolist(), patterns[which], index.astype(np.int64)
