"""The cheapest options of a household's members, against all combinations of them."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.kernels import joint

OPTION = st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(0, 20))
"""Loss and log in quarters, number of values."""


@st.composite
def members(draw: st.DrawFn) -> list[list[tuple[float, int, float]]]:
    """Each member's options (loss, count, log), ever dearer and ever safer."""
    found = []
    for _ in range(draw(st.integers(2, 6))):
        options: list[tuple[float, int, float]] = []
        for loss, count, log in sorted(draw(st.lists(OPTION, max_size=5))):
            if not options or log / 4 < options[-1][2]:
                options.append((loss / 4, count, log / 4))
        found.append(options)
    return found


@given(members(), st.integers(1, 60), st.sampled_from([np.inf, 1.0, 4.0]))
def test_no_combination_of_options_is_cheaper(
    household: list[list[tuple[float, int, float]]], limit: int, bound: float
) -> None:
    flat = [option for options in household for option in options]
    first = np.cumsum([0, *map(len, household)]).astype(np.int64)
    number = len(household)
    best_loss, best_count, best_union = np.array([bound]), np.array([99]), np.zeros(1, np.uint64)
    out, gave_up = np.zeros(number, np.uint64), np.zeros(1, np.bool_)
    joint.choose_exactly(
        np.array([0, number]), np.arange(number, dtype=np.uint32), first, np.arange(len(flat), dtype=np.uint32),
        np.array([log for _, _, log in flat], np.float64), np.array([loss for loss, _, _ in flat], np.float64),
        np.array([count for _, count, _ in flat], np.int64), np.arange(len(flat), dtype=np.uint64), 0, limit / 4,
        np.ones(1, np.bool_), best_loss, best_count, best_union, out, gave_up,
    )  # fmt: skip
    possible = [
        (sum(o[0] for o in chosen), sum(o[1] for o in chosen))
        for chosen in product(*household)
        if sum(o[2] for o in chosen) < limit / 4
    ]
    assert not gave_up[0]
    if not possible or min(possible)[0] > bound:
        assert (best_loss[0], best_count[0]) == (bound, 99)
        return
    assert (best_loss[0], best_count[0]) == min(possible)
    picked = [flat[int(place)] for place in out]
    assert all(option in options for option, options in zip(picked, household, strict=True))
    assert sum(o[0] for o in picked) == best_loss[0] and sum(o[2] for o in picked) < limit / 4
