"""From fields to an encoded column, block after block."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import DataError, Notice
from core.kernels.encode import COUNT, DIFFERS, LENGTH, encode, pad_forms, rehash
from core.microdata.columns import EncodedColumn
from core.microdata.variables import Variable
from core.progress import SILENT, Progress
from core.texts import mark

Scalar = TypeVar("Scalar", bound=np.generic)

BLANKS = "".join(map(chr, range(33)))
"""What is stripped from a code: the blank and control characters."""

FORM_BYTES = 1 << 29
"""Bytes that the padded forms of one variable's codes may take."""


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
        self._entries: NDArray[np.int64] = np.empty((512, 6), dtype=np.int64)
        self._arena: NDArray[np.uint8] = np.empty(1 << 13, dtype=np.uint8)
        self._used: NDArray[np.int64] = np.zeros(2, dtype=np.int64)
        self._blocks: list[NDArray[np.unsignedinteger]] = []

    def add(self, data: NDArray[np.uint8], starts: NDArray[np.int32], lengths: NDArray[np.int32]) -> None:
        """Encode the fields of one block: `data` (size,) uint8, `starts` and `lengths` (n,) int32."""
        out: NDArray[np.uint32] = np.empty(len(starts), dtype=np.uint32)
        done = 0
        while True:
            done = encode(
                data, starts, lengths, done, self._slots, self._keys, self._entries, self._arena, self._used, out
            )
            if done == len(starts):
                break
            self._grow(int(lengths[done]))
        self._blocks.append(out.astype(smallest_type(int(self._used[0]))))

    def _grow(self, needed: int) -> None:
        count, bytes_used = self._used
        if bytes_used + needed > len(self._arena):
            arena: NDArray[np.uint8] = np.empty(2 * len(self._arena) + needed, dtype=np.uint8)
            arena[:bytes_used] = self._arena[:bytes_used]
            self._arena = arena
        if count == len(self._keys):
            self._keys = np.concatenate([self._keys, np.empty_like(self._keys)])
            self._entries = np.concatenate([self._entries, np.empty_like(self._entries)])
            self._slots = np.full(2 * len(self._slots), -1, dtype=np.int32)
            rehash(self._keys, int(count), self._slots)

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
        old, padded = self._forms(width, progress)
        codes = [form.strip(BLANKS) for form in padded]
        places = [codes.index(code) if code in codes else -1 for code in missing]
        last = np.array([old[p] if p >= 0 else -1 for p in places], dtype=np.int64)
        old = np.concatenate([np.delete(old, [p for p in places if p >= 0]), last])
        tail = [padded[p] if p >= 0 else self._pad(code, width) for p, code in zip(places, missing, strict=True)]
        for place in sorted((p for p in places if p >= 0), reverse=True):
            del codes[place], padded[place]
        met = np.flatnonzero(old >= 0)
        lut = np.zeros(len(old), dtype=smallest_type(len(old)))
        lut[old[met]] = met
        counts: NDArray[np.int64] = np.zeros(len(old), dtype=np.int64)
        counts[met] = self._entries[old[met], COUNT]
        column = EncodedColumn(
            self.variable.name,
            self._values(lut),
            (*codes, *missing),
            (*padded, *tail),
            frozen(counts),
            len(codes),
            width,
        )
        return column, self._notices()

    def _width(self, missing: tuple[str, ...]) -> int:
        if self._fixed:
            return self.variable.length
        found = int(self._entries[: self._used[0], LENGTH].max(initial=0))
        return max([found, *(len(code.encode(self._encoding, "replace")) for code in missing)])

    def _pad(self, code: str, width: int) -> str:
        return " " * (width - len(code.encode(self._encoding, "replace"))) + code

    def _forms(self, width: int, progress: Progress) -> tuple[NDArray[np.int64], list[str]]:
        """The codes met, in bytewise order of their padded forms: their numbers, and these forms."""
        count = int(self._used[0])
        if count * width > FORM_BYTES:
            raise DataError(
                "codes-too-many",
                mark("Variable {variable} has {count} different codes of up to {width} bytes."),
                mark("This is free text, not a categorical variable: do not use it as one."),
                variable=self.variable.name,
                count=count,
                width=width,
            )
        if width == 0:
            return np.zeros(count, dtype=np.int64), [""] * count
        forms: NDArray[np.uint8] = np.full((count, width), 32, dtype=np.uint8)
        pad_forms(self._arena, self._entries[:count], self._fixed, forms)
        order: NDArray[np.int64] = np.argsort(forms.view(f"S{width}").ravel(), kind="stable")
        padded: list[str] = []
        for begin in range(0, count, 1 << 16):
            progress.check()
            padded += map(self._text, forms[order[begin : begin + (1 << 16)]].view(f"S{width}").ravel().tolist())
        return order, padded

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
        values = np.empty(sum(map(len, self._blocks)), dtype=lut.dtype)
        done = 0
        for block in self._blocks:
            np.take(lut, block, out=values[done : done + len(block)], mode="clip")
            done += len(block)
        self._blocks = []
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
                where=self.variable.name,
                variable=self.variable.name,
                count=len(differing),
                code=self._text(example),
            )
        ]


def smallest_type(count: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The smallest unsigned type that holds the numbers 0..count-1."""
    return np.uint8 if count <= 1 << 8 else np.uint16 if count <= 1 << 16 else np.uint32


def frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array
