"""Codes that would take much memory as texts: very many of them, kept as bytes, and long ones with blanks before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

MANY = 1 << 16
"""More codes than this are kept as `ManyCodes`."""

_BLANKS = bytes(range(33))
_SEEN_BLANKS = bytes(range(1, 33))
"""NUL is what fills up arrays of bytes."""
_BLOCK = 1 << 14


@dataclass(frozen=True, eq=False)
class ManyCodes(Sequence[str]):
    """Texts that are made when they are asked for.

    Attributes
    ----------
    forms : (m,) bytes, ASCII without NUL
    stripped : whether the texts are the forms without the blanks around them
    tail : further texts behind them
    """

    forms: NDArray[np.bytes_]
    stripped: bool
    tail: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.forms) + len(self.tail)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return self._part(*place.indices(len(self)))
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        place %= len(self)
        if place >= len(self.forms):
            return self.tail[place - len(self.forms)]
        return self._text(self.forms[place])

    def _part(self, begin: int, end: int, step: int) -> Sequence[str]:
        places = range(begin, end, step)
        if len(places) <= MANY or step != 1:
            return tuple(self[place] for place in places)
        count = len(self.forms)
        return ManyCodes(self.forms[begin:end], self.stripped, self.tail[: max(end - count, 0)])

    def __iter__(self) -> Iterator[str]:
        for begin in range(0, len(self.forms), _BLOCK):
            yield from map(self._text, self.forms[begin : begin + _BLOCK].tolist())
        yield from self.tail

    def _text(self, form: bytes) -> str:
        return (form.strip(_BLANKS) if self.stripped else form).decode("ascii")


@dataclass(frozen=True, eq=False)
class PaddedTexts(Sequence[str]):
    """Texts with so many blanks before each that all have the same number of bytes; made when they are asked for.

    Attributes
    ----------
    texts : without blanks around them
    width : bytes, of the longest text at least
    encoding : in which they have them
    """

    texts: Sequence[str]
    width: int
    encoding: str

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return PaddedTexts(self.texts[place], self.width, self.encoding)
        text = self.texts[place]
        return " " * (self.width - len(text.encode(self.encoding, "replace"))) + text


def as_bytes(codes: Sequence[str]) -> NDArray[np.bytes_] | None:
    """(m,) texts of codes, which have no blanks around them; None where they are not plain ASCII.

    Of very many codes nothing else is as quick.
    """
    if isinstance(codes, ManyCodes):
        forms = np.strings.strip(codes.forms, _SEEN_BLANKS) if codes.stripped else codes.forms
        return np.concatenate([forms, np.array(codes.tail, "S")]) if codes.tail else forms
    try:
        return np.array(codes, "S") if len(codes) else np.empty(0, "S1")
    except UnicodeEncodeError:
        return None
