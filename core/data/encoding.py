"""Encoder of a column: from fields to codes, block after block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..kernels.cells import count_bytes, count_ids
from ..kernels.decimals import equals_text
from ..kernels.encode import COUNT, DIFFERS, LEAD, LENGTH, OFFSET, encode, pad_forms, rehash
from ..kernels.group import look_up
from .columns import EncodedColumn
from .encoding_many_codes import MANY, ManyCodes, PaddedTexts
from .variables import Variable

Scalar = TypeVar("Scalar", bound=np.generic)

BLANKS = "".join(map(chr, range(33)))
"""What is stripped from a code: the blank and control characters."""

FORM_BYTES = 1 << 29
"""Bytes that the padded forms of one variable's codes may take; a household identifier's four times as many."""

_LONG_BYTES = 1 << 24
"""Padded forms of few codes that take more bytes than these are not made before they are asked for."""

_LARGEST = (1 << 32) - 1
"""Places in the dictionary are kept in four bytes."""


@dataclass(frozen=True, eq=False)
class TextTable:
    """The k texts that a field has in some records; a field whose records have the same ones may share it.

    Attributes
    ----------
    data : (size,) uint8, the bytes that the spans point into
    starts, lengths : (k,) int32, the texts
    as_met : whether each of them occurs in its only block, and in this order
    """

    data: NDArray[np.uint8]
    starts: NDArray[np.int32]
    lengths: NDArray[np.int32]
    as_met: bool

    def __len__(self) -> int:
        return len(self.starts)


@dataclass(frozen=True, eq=False)
class FoldedTexts:
    """The texts of a field in some records.

    Attributes
    ----------
    table : among them those that occur
    index : (n,) int32, which one each record has
    """

    table: TextTable
    index: NDArray[np.int32]


class ColumnEncoder:
    """Encodes one variable: feed it the fields of each block with `add`, then take the column with `finish`.

    Parameters
    ----------
    variable : Variable
    encoding : str, in which codes are decoded
    fixed : bool, whether the fields have a declared length
    """

    def __init__(self, variable: Variable, encoding: str = "utf-8", fixed: bool = True) -> None:
        self.variable = variable
        self._encoding = encoding
        self._fixed = fixed
        self._slots: NDArray[np.int32] = np.full(1024, -1, dtype=np.int32)
        self._keys: NDArray[np.uint64] = np.empty(512, dtype=np.uint64)
        self._entries: NDArray[np.uint32] = np.empty((512, 6), dtype=np.uint32)
        self._arena: NDArray[np.uint8] = np.empty(1 << 13, dtype=np.uint8)
        self._used: NDArray[np.int64] = np.zeros(2, dtype=np.int64)
        self._blocks: list[tuple[NDArray[np.unsignedinteger], NDArray[np.int32] | None]] = []
        """Of each block the number of each record's text; or its place in a table, and the numbers of those there."""
        self._table: TextTable | None = None
        self._number_of_text: NDArray[np.int32] = np.empty(0, np.int32)
        """Of each text of that table; -1: it was not met."""

    def add(self, data: NDArray[np.uint8], starts: NDArray[np.int32], lengths: NDArray[np.int32]) -> None:
        """Encode the fields of one block: `data` (size,) uint8, `starts` and `lengths` (n,) int32."""
        numbers = self._numbers(data, starts, lengths)
        self._blocks.append((numbers.astype(smallest_type(int(self._used[0]))), None))

    def add_folded(self, texts: FoldedTexts) -> None:
        """The same of a block whose texts stand in a table: those not met before are looked at."""
        table = texts.table
        if table is not self._table:
            self._table, self._number_of_text = table, np.full(len(table), -1, np.int32)
        places, counts = _counted(texts)
        met = np.flatnonzero(counts)
        new = met[self._number_of_text[met] < 0]
        if len(new):
            self._add_texts(table, new if table.as_met else _as_met(new, places, len(table)))
        np.add.at(self._entries[:, COUNT], self._number_of_text[met], counts[met].astype(np.uint32))
        self._blocks.append((places, self._number_of_text))

    def _add_texts(self, table: TextTable, new: NDArray[np.intp]) -> None:
        """Number further texts of a table, in this order."""
        numbers = self._numbers(table.data, table.starts[new], table.lengths[new])
        np.subtract.at(self._entries[:, COUNT], numbers, np.uint32(1))  # how often they occur is counted elsewhere
        self._number_of_text[new] = numbers

    def _numbers(
        self, data: NDArray[np.uint8], starts: NDArray[np.int32], lengths: NDArray[np.int32]
    ) -> NDArray[np.uint32]:
        """The number of each field's text."""
        out: NDArray[np.uint32] = np.empty(len(starts), dtype=np.uint32)
        done = 0
        while True:
            done = encode(
                data, starts, lengths, done, self._slots, self._keys, self._entries, self._arena, self._used, out
            )
            if done == len(starts):
                break
            self._grow(int(lengths[done]))
        return out

    def _grow(self, needed: int) -> None:
        count, bytes_used = self._used.tolist()
        if bytes_used + needed > len(self._arena):
            if bytes_used + needed > _LARGEST:
                raise self._too_many(count, needed)
            self._arena = _longer(self._arena, bytes_used, min(2 * len(self._arena) + needed, _LARGEST))
        if count == len(self._keys):
            self._keys = _longer(self._keys, count, 2 * count)
            self._entries = _longer(self._entries, count, 2 * count)
            self._slots = np.full(2 * len(self._slots), -1, dtype=np.int32)
            rehash(self._keys, count, self._slots)

    def finish(self, progress: Progress = SILENT) -> tuple[EncodedColumn, list[Notice]]:
        """The column over all blocks, and what is to be said about its codes.

        Raises
        ------
        DataError
            ``code-encoding``: a field begins or ends within a character.
            ``codes-too-many``: free text rather than codes.
        """
        missing = tuple(dict.fromkeys(code.strip(BLANKS) for code in self.variable.missing))
        width = self._width(missing)
        is_long = self._is_long(width)
        if is_long:
            found, texts = self._long_texts(progress)
            places = _places_among(missing, texts)
        else:
            found, forms = self._forms(width)
            places = _places(missing, forms, self._encoding)
        there = [place for place in places if place >= 0]
        old = np.concatenate([np.delete(found, there), [found[p] if p >= 0 else -1 for p in places]]).astype(np.int64)
        met = np.flatnonzero(old >= 0)
        lut = np.zeros(len(old), dtype=smallest_type(len(old)))
        lut[old[met]] = met
        counts: NDArray[np.int64] = np.zeros(len(old), dtype=np.int64)
        counts[met] = self._entries[old[met], COUNT]
        notices = self._notices()
        self._forget()
        codes: Sequence[str]
        padded: Sequence[str]
        if is_long:
            codes = (*compress(texts, np.isin(np.arange(len(texts)), there, invert=True)), *missing)
            padded = PaddedTexts(codes, width, self._encoding)
        else:
            codes, padded = self._texts(forms, missing, places, progress)
        n_valid = len(codes) - len(missing)
        column = EncodedColumn(self.variable.name, self._values(lut), codes, padded, frozen(counts), n_valid, width)
        return column, notices

    def _forget(self) -> None:
        """Give the dictionary's memory back: with very many codes it is the largest part."""
        self._slots, self._keys = self._slots[:0].copy(), self._keys[:0].copy()
        self._entries, self._arena = self._entries[:0].copy(), self._arena[:0].copy()
        self._used[:] = 0

    def _width(self, missing: tuple[str, ...]) -> int:
        if self._fixed:
            return self.variable.length
        found = int(self._entries[: self._used[0], LENGTH].max(initial=0))
        return max([found, *(len(code.encode(self._encoding, "replace")) for code in missing)])

    def _pad(self, code: str, width: int) -> str:
        return " " * (width - len(code.encode(self._encoding, "replace"))) + code

    def _is_long(self, width: int) -> bool:
        """Whether few texts are so long that their padded forms are not worth their memory."""
        count = int(self._used[0])
        return not self._fixed and count <= MANY and _LONG_BYTES < count * width <= FORM_BYTES

    def _long_texts(self, progress: Progress) -> tuple[NDArray[np.int64], list[str]]:
        """The codes met in the bytewise order of their padded forms: their numbers, and their texts.

        Texts begin with no blank, so shorter ones come first.
        """
        entries = self._entries[: self._used[0]].astype(np.int64)
        begins = entries[:, OFFSET] + entries[:, LEAD]
        texts = []
        for begin, length in zip(begins.tolist(), entries[:, LENGTH].tolist(), strict=True):
            progress.check()
            texts.append(self._arena[begin : begin + length].tobytes())
        order = sorted(range(len(texts)), key=lambda code: (len(texts[code]), texts[code]))
        return np.array(order, dtype=np.int64), [self._text(texts[code]) for code in order]

    def _forms(self, width: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """The codes met, in bytewise order of their padded forms: their numbers, and these forms, (m, width)."""
        count = int(self._used[0])
        if count * width > (4 if self.variable.role == "household-id" else 1) * FORM_BYTES:
            raise self._too_many(count, width)
        forms: NDArray[np.uint8] = np.full((count, width), 32, dtype=np.uint8)
        if width == 0:
            return np.arange(count), forms
        pad_forms(self._arena, self._entries[:count], self._fixed, forms)
        order: NDArray[np.int64] = np.argsort(forms.view(f"S{width}").ravel(), kind="stable")
        return order, forms[order]

    def _too_many(self, count: int, width: int) -> DataError:
        return DataError(
            "codes-too-many",
            mark("Variable {variable} has {count} different codes of up to {width} bytes."),
            mark("This is free text, not a categorical variable: do not use it as one."),
            variable=self.variable.name,
            count=count,
            width=width,
        )

    def _texts(
        self, forms: NDArray[np.uint8], missing: tuple[str, ...], places: list[int], progress: Progress
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Codes and their padded forms; `places`: those of the missing codes among them, -1 where they are not met."""
        count, width = forms.shape
        tail = tuple(
            self._text(forms[place].tobytes()) if place >= 0 else self._pad(code, width)
            for place, code in zip(places, missing, strict=True)
        )
        there = [place for place in places if place >= 0]
        if there:
            forms = np.delete(forms, there, axis=0)
            count -= len(there)
        if width == 0:
            return (*[""] * count, *missing), (*[""] * count, *tail)
        listed = forms.view(f"S{width}").ravel()
        plain = not (forms >= 128).any()
        if count > MANY and plain:
            return ManyCodes(listed, True, missing), ManyCodes(listed, False, tail)
        padded: list[str] = []
        for begin in range(0, count, 1 << 16):
            progress.check()
            part = listed[begin : begin + (1 << 16)]
            padded += part.astype("U").tolist() if plain else map(self._text, part.tolist())
        return (*map(str.strip, padded, repeat(BLANKS)), *missing), (*padded, *tail)

    def _text(self, data: bytes) -> str:
        try:
            return data.decode(self._encoding)
        except UnicodeDecodeError:
            raise DataError(
                "code-encoding",
                mark("Variable {variable}: a field begins or ends within a character."),
                mark("Starting positions and lengths count bytes; check them in the metadata."),
                variable=self.variable.name,
            ) from None

    def _values(self, lut: NDArray[np.unsignedinteger]) -> NDArray[np.unsignedinteger]:
        """All blocks' code numbers, translated by `lut`."""
        values = np.empty(sum(len(places) for places, _ in self._blocks), lut.dtype)
        done, table, last = 0, lut, None
        for places, numbers in self._blocks:
            if numbers is not last:
                table, last = lut if numbers is None else lut[numbers], numbers
            look_up(places, table, values[done : done + len(places)])
            done += len(places)
        self._blocks, self._table = [], None
        return frozen(values)

    def _notices(self) -> list[Notice]:
        differing = np.flatnonzero(self._entries[: self._used[0], DIFFERS])
        if not len(differing):
            return []
        offset, _, lead, length, *_ = self._entries[differing[0]].tolist()
        example = self._arena[offset + lead : offset + lead + length].tobytes()
        return [
            Notice.of(
                "codes-differ-in-blanks",
                mark(
                    "Variable {variable}: {count} code(s) occur with different blanks around them, for example {code}; "
                    "they are taken as the same."
                ),
                mark(
                    "Variable {variable}: {count} code(s) occur with different blanks around them; they are taken as "
                    "the same."
                ),
                where=self.variable.name,
                variable=self.variable.name,
                count=len(differing),
                code=self._text(example),
            )
        ]


def _counted(texts: FoldedTexts) -> tuple[NDArray[np.unsignedinteger], NDArray[np.int64]]:
    """The place of each record's text in its table, as few bytes as hold it, and how often each text occurs."""
    size = len(texts.table)
    places: NDArray[np.unsignedinteger] = texts.index.astype(smallest_type(size))
    if places.itemsize == 1:
        in_rows = np.zeros((4, size), np.int64)
        count_bytes(places, in_rows)
        return places, in_rows.sum(axis=0)
    counts = np.zeros(size, np.int64)
    count_ids(texts.index.view(np.uint32), counts)
    return places, counts


def _as_met(new: NDArray[np.intp], places: NDArray[np.unsignedinteger], size: int) -> NDArray[np.intp]:
    """Texts of a table in the order in which the records have them first."""
    first = np.zeros(size, np.int64)
    first[places[::-1]] = np.arange(len(places))[::-1]  # what is set last stays
    return new[np.argsort(first[new])]


def _longer(array: NDArray[Scalar], used: int, length: int) -> NDArray[Scalar]:
    """The array with room for more; memory not in use is not touched."""
    longer = np.empty((length, *array.shape[1:]), dtype=array.dtype)
    longer[:used] = array[:used]
    return longer


def _places_among(codes: tuple[str, ...], texts: list[str]) -> list[int]:
    """The place of each code among texts, -1 where there is none."""
    wanted = set(codes)
    found = {text: place for place, text in enumerate(texts) if text in wanted}
    return [found.get(code, -1) for code in codes]


def _places(codes: tuple[str, ...], forms: NDArray[np.uint8], encoding: str) -> list[int]:
    """The row of `forms` (m, width) that is each of `codes`, blanks aside; -1 where none is."""
    count, width = forms.shape
    step = max((1 << 24) // max(width, 1), 1)
    places = []
    for code in codes:
        text = np.frombuffer(code.encode(encoding, "replace"), dtype=np.uint8)
        place = -1
        for begin in range(0, count, step):
            part = forms[begin : begin + step]
            equal: NDArray[np.bool_] = np.zeros(len(part), dtype=np.bool_)
            starts = np.arange(len(part), dtype=np.int32) * np.int32(width)
            equals_text(part.ravel(), starts, np.full(len(part), width, dtype=np.int32), text, equal)
            if equal.any():
                place = begin + int(equal.argmax())
                break
        places.append(place)
    return places


def smallest_type(count: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The smallest unsigned type that holds the numbers 0..count.

    Of a column of `count` codes that is one more than it has: whatever is missing is often made that number.
    """
    return np.uint8 if count < 1 << 8 else np.uint16 if count < 1 << 16 else np.uint32


def frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array
