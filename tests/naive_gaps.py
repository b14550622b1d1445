"""Slow plain twin of core.suppression.prevent_inference: what each key would lose, asked of itself again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

Key = tuple[int, ...]


class Gapless:
    """The rule, for keys whether or not anybody has them.

    Parameters
    ----------
    codes : by position, those that could stand in place of a blank
    safe : whether a key is safe without some of its values
    sets : the sets of positions that may go, in their order; the empty one first
    """

    def __init__(
        self, codes: Sequence[set[int]], safe: Callable[[Key, frozenset[int]], bool], sets: Sequence[frozenset[int]]
    ) -> None:
        self._codes, self._safe, self._sets = codes, safe, sets
        self._suits = cache(self._makes_safe_without_gap)

    def loses(self, key: Key) -> frozenset[int] | None:
        """What `key` loses; None where all that makes it safe leaves a gap."""
        return next((gone for i, gone in enumerate(self._sets) if self._suits(key, i)), None)

    def _makes_safe_without_gap(self, key: Key, i: int) -> bool:
        gone = self._sets[i]
        if not self._safe(key, gone):
            return False
        alike = self.completions(key, gone)
        left = [other for other in alike if not any(self._suits(other, before) for before in range(i))]
        return all(len({other[j] for other in left}) > 1 for j in gone)

    def completions(self, key: Key, gone: frozenset[int]) -> list[Key]:
        """`key` with every code in place of what is gone."""
        return list(product(*(sorted(self._codes[j]) if j in gone else [key[j]] for j in range(len(key)))))
