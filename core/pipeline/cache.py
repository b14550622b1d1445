"""Results kept by what they were computed from, bounded by the memory that they take."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
_PLAIN = 256


class Cache:
    """The most recently used results, up to `limit` bytes; the newest is kept whatever its size.

    Those that are put to stay are never forgotten, and count for nothing. Keys hold everything that a result depends
    on, so a result is never outdated, only forgotten.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._staying: dict[Hashable, Any] = {}
        self._bytes = 0

    def get(self, key: Hashable) -> Any:
        """The result kept under `key`, or None."""
        if key in self._staying:
            return self._staying[key]
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: Hashable, value: T, stays: bool = False) -> T:
        """Keep `value`, until `clear` if it `stays`, and give it back."""
        if stays:
            self._staying[key] = value
            return value
        size = size_of(value)
        if key in self._kept:
            self._bytes -= self._kept.pop(key)[1]
        self._kept[key] = (value, size)
        self._bytes += size
        while self._bytes > self._limit and len(self._kept) > 1:
            self._bytes -= self._kept.popitem(last=False)[1][1]
        return value

    def made(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result kept under `key`, made now if there is none."""
        found: T | None = self.get(key)
        return self.put(key, make()) if found is None else found

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._staying.clear()
        self._bytes = 0


def size_of(value: object) -> int:
    """Roughly the bytes that `value` keeps in memory: its arrays, and something for all else."""
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, str):
        return 64 + len(value)
    if isinstance(value, Mapping):
        return _PLAIN + sum(size_of(key) + size_of(item) for key, item in value.items())
    if isinstance(value, tuple | list | frozenset):
        return 64 + sum(size_of(item) for item in value)
    names = getattr(value, "__dataclass_fields__", None)
    return 32 if names is None else _PLAIN + sum(size_of(getattr(value, name, None)) for name in names)
