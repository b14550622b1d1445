"""The sum that NumPy makes of an array, of numbers that are given some after the other."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from .compared import Floats

_LEAF = 128
"""So many numbers NumPy adds up before it adds sums up in pairs."""


class SumInOrder:
    """The sum of n numbers that are given some after the other, as NumPy makes it of one array, to the last bit.

    NumPy halves an array until few numbers are left, and adds the sums of halves up (pairwise summation; Higham, The
    accuracy of floating point summation, 1993). Which numbers are in a half follows from n alone.
    """

    def __init__(self, n: int) -> None:
        self._n, self._halves = n, _in_halves(n)
        self._wanted, self._held = next(self._halves), np.zeros(0)
        self.total = np.float64(0.0)
        """Of all, once they were given."""

    def add(self, values: Floats) -> None:
        """Give the next ones."""
        if len(values) == self._n:
            self.total, self._wanted = values.sum(), 0
            return
        values, at = np.concatenate([self._held, values]), 0
        while self._wanted and len(values) - at >= self._wanted:
            leaf = values[at : at + self._wanted].sum()
            at += self._wanted
            try:
                self._wanted = self._halves.send(leaf)
            except StopIteration as done:
                self.total, self._wanted = done.value, 0
        self._held = values[at:]


def _in_halves(n: int) -> Generator[int, np.float64, np.float64]:
    """Asks for the sums of so many numbers each, in order; gives the sum of all n."""
    if n <= _LEAF:
        return (yield n)
    half = n // 2
    half -= half % 8
    first = yield from _in_halves(half)
    return first + (yield from _in_halves(n - half))
