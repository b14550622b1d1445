"""The next part of a file found while the one before is being used."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The items of an iterator, in order, each made in a thread of its own while the one before is being used.

    Worth it where both sides are kernels or system calls that leave the interpreter to others. The thread never has
    more than one item in advance and ends with this iterator, however that ends; what making an item raises is raised
    when it is asked for.
    """
    none = object()
    with ThreadPoolExecutor(1, "ahead") as thread:
        coming = thread.submit(next, items, none)
        while (item := coming.result()) is not none:
            coming = thread.submit(next, items, none)
            yield item  # type: ignore[misc]
