"""Items made in advance: the same ones, in order, one at a time, and nothing left running."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from core.formats.text.records import ahead


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("ahead")]


def counted(made: list[int], until: int) -> Iterator[int]:
    for i in range(until):
        made.append(i)
        yield i


def test_the_same_items_in_order() -> None:
    for items in (range(100), [None, 0, None], ()):
        with ahead(iter(items)) as found:
            assert list(found) == list(items)
        assert not threads()


def test_never_more_than_one_in_advance() -> None:
    made: list[int] = []
    with ahead(counted(made, 50)) as found:
        for i in found:
            assert len(made) <= i + 2
    assert made == list(range(50))


def test_an_error_comes_behind_the_items_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        raise ValueError("third")

    got: list[int] = []
    with pytest.raises(ValueError, match="third"), ahead(items()) as found:
        got.extend(found)
    assert got == [1, 2]
    assert not threads()


def test_whoever_stops_early_leaves_no_thread() -> None:
    made: list[int] = []
    with suppress(KeyError), ahead(counted(made, 1000)) as found:
        assert next(found) == 0
        assert threads()
        raise KeyError
    assert not threads()
    assert len(made) <= 2
