"""The next part of a file found while the one before is being used."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")


@contextmanager
def ahead(items: Iterator[Item]) -> Iterator[Iterator[Item]]:
    """The items of an iterator, in order, each made in a thread of its own while the one before is being used.

    Worth it where both sides are kernels or system calls that leave the interpreter to others. The thread never has
    more than one item in advance and has ended where this context has; what making an item raises is raised when it
    is asked for.
    """
    with ThreadPoolExecutor(1, "ahead") as thread:
        yield _in_advance(items, thread)


def _in_advance(items: Iterator[Item], thread: ThreadPoolExecutor) -> Iterator[Item]:
    none = object()
    coming = thread.submit(next, items, none)
    while (item := coming.result()) is not none:
        coming = thread.submit(next, items, none)
        yield item  # type: ignore[misc]
