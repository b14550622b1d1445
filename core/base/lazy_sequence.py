"""A sequence whose elements are made when they are asked for, and as a mapping."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class LazySequence(Sequence[T_co]):
    """`length` elements, each ``make(place)``; whoever makes them remembers them."""

    def __init__(self, length: int, make: Callable[[int], T_co]) -> None:
        self._length, self._make = length, make

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> T_co: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T_co]: ...
    def __getitem__(self, place: int | slice) -> T_co | Sequence[T_co]:
        places = range(self._length)[place]
        return self._make(places) if isinstance(places, int) else [self._make(each) for each in places]


class ByPlace(Mapping[int, T_co]):
    """The elements of a sequence by their places."""

    def __init__(self, elements: Sequence[T_co]) -> None:
        self._elements = elements

    def __getitem__(self, place: int) -> T_co:
        if place not in range(len(self._elements)):
            raise KeyError(place)
        return self._elements[place]

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._elements)))

    def __len__(self) -> int:
        return len(self._elements)
