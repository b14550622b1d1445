"""Small problems, drawn at random, and what plain Python sees of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from core.suppression.joint.problem import ReleaseProblem
from core.suppression.joint.search import Assignment
from tests.naive_joint import Key, recount


@dataclass(frozen=True)
class Small:
    """A file of few records: distinct keys (None: missing), how many records each, what each needs."""

    keys: tuple[Key, ...]
    records: tuple[int, ...]
    need: tuple[int, ...]
    costs: tuple[float, ...]
    closures: tuple[int, ...]
    fixed: int

    def problem(self) -> ReleaseProblem:
        """The same for the optimiser."""
        p = len(self.costs)
        codes = [np.array([2 if key[j] is None else key[j] for key in self.keys], np.uint32) for j in range(p)]
        missing = [sum(1 << j for j in range(p) if key[j] is None) for key in self.keys]
        return ReleaseProblem(
            codes, [2] * p, np.array(self.records, np.int32), np.array(self.need, np.int32), list(self.costs),
            list(self.closures), np.array(missing, np.uint64), self.fixed,
        )  # fmt: skip

    def check(self, found: Assignment) -> None:
        """The release is safe, and its loss and blanks are what they are said to be."""
        table = list(zip(found.unit.tolist(), found.lost.tolist(), found.records.tolist(), strict=True))
        loss, blanks, small = recount(self.keys, self.records, self.need, table, self.costs)
        assert small == []
        assert abs(loss - found.loss) < 1e-9
        assert blanks == found.blanks
        assert found.bound <= loss + 1e-9


@st.composite
def small_files(draw: st.DrawFn, most: int = 12, plain: bool = False) -> Small:
    """Files of up to `most` records and three keys; `plain`: every key can go, each alone."""
    p = draw(st.integers(1, 3))
    value = st.one_of(st.integers(0, 1), st.integers(0, 1), st.none())
    rows = draw(st.lists(st.tuples(*[value] * p), min_size=2, max_size=most))
    count = Counter(rows)
    keys = tuple(sorted(count, key=str))
    if draw(st.booleans()):
        need = (draw(st.integers(2, 4)),) * len(keys)
    else:
        asked = [draw(st.integers(2, 4)) for _ in keys]
        need = tuple(k if k > count[key] else 0 for k, key in zip(asked, keys, strict=True))
    costs = tuple(draw(st.sampled_from([1.0, 1.5, 2.25])) for _ in range(p))
    closures = [1 << j for j in range(p)]
    fixed = 0
    if not plain:
        fixed = draw(st.sampled_from([0, 0, 1, 1 << p - 1]))
        if p > 1 and draw(st.booleans()):
            closures[0] |= 2
    return Small(keys, tuple(count[key] for key in keys), need, costs, tuple(closures), fixed)
