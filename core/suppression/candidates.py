"""The candidate suppressions of a unit in their one global order, shared by optimiser and forecast.

The order: least loss (losses within 1e-9 of the first of their group are equal), then fewest newly missing values,
then the sorted positions of the newly missing keys, compared as lists: (0) before (0, 3) before (1) before (1, 2).
A candidate that contains another one always comes later, so a superset of a sufficient one is never chosen.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

EQUAL_LOSS = 1e-9


class Candidate(NamedTuple):
    """Newly missing variables as bit masks: `keys` among the keys, `newly` with the related variables outside."""

    keys: int
    newly: int


def positions(mask: int) -> tuple[int, ...]:
    """The set bits of `mask`, ascending."""
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def candidates(
    n_keys: int, closures: Sequence[int], costs: Sequence[float], missing: int, fixed: int
) -> Iterator[Candidate]:
    """The distinct suppressions of a unit with `missing` variables, best first, the empty one foremost.

    Best-first search over generating sets of keys: a set's loss is at least its parent's (the set without its last
    key), so a heap yields them by loss, and no more of the 2^k sets are looked at than are asked for.

    Parameters
    ----------
    n_keys : number of keys; variables 0..n_keys-1 are keys, the others outside
    closures : for each key the mask of the variables that are suppressed with it, itself included
    costs : cost of one newly missing value of each variable, >= 0
    missing : variables whose value is already missing: they cost nothing and are never newly missing
    fixed : variables that may never become missing
    """
    all_keys = (1 << n_keys) - 1
    heap: list[tuple[float, int, int]] = [(0.0, 0, 0)]
    seen: set[int] = set()
    group: list[tuple[int, tuple[int, ...], Candidate]] = []
    first = 0.0
    while heap:
        loss, keys, newly = heapq.heappop(heap)
        if group and loss > first + EQUAL_LOSS:
            yield from (entry[2] for entry in sorted(group))
            group.clear()
        if newly not in seen:
            seen.add(newly)
            first = first if group else loss
            group.append((newly.bit_count(), positions(newly & all_keys), Candidate(newly & all_keys, newly)))
        for key in range(keys.bit_length(), n_keys):
            more = newly | closures[key] & ~missing
            if not missing >> key & 1 and not more & fixed:
                heapq.heappush(heap, (math.fsum(costs[v] for v in positions(more)), keys | 1 << key, more))
    yield from (entry[2] for entry in sorted(group))


@dataclass
class Choices:
    """What can be suppressed, and `candidates` by missing pattern, computed as far as they were asked for and kept.

    Bit v of every mask is variable v, the keys first.

    Attributes
    ----------
    n_keys : number of keys
    closures : for each key the mask of those that are suppressed with it, itself included; for hitting sets of each
        variable
    costs : of one newly missing value of each variable
    fixed : variables that may never become missing
    """

    n_keys: int
    closures: tuple[int, ...]
    costs: tuple[float, ...]
    fixed: int
    _known: dict[int, list[Candidate]] = field(default_factory=dict, init=False)
    _more: dict[int, Iterator[Candidate]] = field(default_factory=dict, init=False)

    def chain(self, missing: int) -> Iterator[Candidate]:
        """Nested candidates of a missing pattern: the cheapest key, the two cheapest, and so on; at last all."""
        every = range(self.n_keys)
        cost = [math.fsum(self.costs[v] for v in positions(self.closures[key] & ~missing)) for key in every]
        newly = 0
        for key in sorted(every, key=cost.__getitem__):
            more = newly | self.closures[key] & ~missing
            if not missing >> key & 1 and more != newly and not more & self.fixed:
                newly = more
                yield Candidate(newly & (1 << self.n_keys) - 1, newly)

    def where_fixed(self, fixed: int, missing: int) -> Iterator[Candidate]:
        """Candidates of the units with this missing pattern, best first, where others may not go than usual."""
        if fixed == self.fixed:
            return self.of(missing)
        return candidates(self.n_keys, self.closures, self.costs, missing, fixed)

    def of(self, missing: int) -> Iterator[Candidate]:
        """Candidates of the units with this missing pattern, best first."""
        if missing not in self._known:
            self._known[missing] = []
            self._more[missing] = candidates(self.n_keys, self.closures, self.costs, missing, self.fixed)
        known, more, index = self._known[missing], self._more[missing], 0
        while True:
            if index == len(known):
                following = next(more, None)
                if following is None:
                    return
                known.append(following)
            yield known[index]
            index += 1
