"""From fields to an encoded column, block after block."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import DataError, Notice
from core.kernels.encode import COUNT, DIFFERS, encode, rehash
from core.microdata.columns import EncodedColumn
from core.microdata.variables import Variable
from core.texts import mark

Scalar = TypeVar("Scalar", bound=np.generic)

BLANKS = "".join(map(chr, range(33)))
"""What is stripped from a code: the blank and control characters."""


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

    def finish(self) -> tuple[EncodedColumn, list[Notice]]:
        """The column over all blocks, and what is to be said about its codes.

        Raises
        ------
        DataError
            ``code-encoding``: a field begins or ends within a character.
        """
        found = self._found()
        missing = tuple(dict.fromkeys(code.strip(BLANKS) for code in self.variable.missing))
        order, codes, padded = self._order(found, missing)
        lut: NDArray[np.uint32] = np.zeros(max(len(found), 1), dtype=np.uint32)
        counts: NDArray[np.int64] = np.zeros(len(codes), dtype=np.int64)
        for new, old in enumerate(order):
            if old >= 0:
                lut[old] = new
                counts[new] = self._entries[old, COUNT]
        column = EncodedColumn(
            self.variable.name,
            self._values(lut.astype(smallest_type(len(codes)))),
            codes,
            padded,
            frozen(counts),
            len(codes) - len(missing),
            self.variable.length if self._fixed else max((self._bytes(code) for code in codes), default=0),
        )
        return column, self._notices(found)

    def _bytes(self, text: str) -> int:
        return len(text.encode(self._encoding, "replace"))

    def _found(self) -> list[tuple[bytes, bytes]]:
        """For each code met, in order of appearance: its text, and the field as it stood."""
        arena = self._arena.tobytes()
        found = []
        for offset, raw, lead, length, differs, _ in self._entries[: self._used[0]].tolist():
            field = arena[offset : offset + raw]
            text = field[lead : lead + length]
            found.append((text, text.rjust(raw) if differs else field))
        return found

    def _order(
        self, found: list[tuple[bytes, bytes]], missing: tuple[str, ...]
    ) -> tuple[list[int], tuple[str, ...], tuple[str, ...]]:
        """Numbers of the codes met (-1: not met) in their final order, with the codes and their padded forms."""
        number = {self._text(text): i for i, (text, _) in enumerate(found)}
        valid = [(i, text) for text, i in number.items() if text not in missing]
        if self._fixed:
            form = [field for _, field in found]
            width = self.variable.length
        else:
            width = max([len(text) for text, _ in found] + [self._bytes(code) for code in missing], default=0)
            form = [text.rjust(width) for text, _ in found]
        ranks = _bytewise([form[i] for i, _ in valid])
        order = [valid[rank][0] for rank in ranks] + [number.get(code, -1) for code in missing]
        codes = tuple(valid[rank][1] for rank in ranks) + missing
        padded = [self._text(form[i]) if i >= 0 else "" for i in order]
        for j in range(len(valid), len(codes)):
            if order[j] < 0:
                padded[j] = " " * (width - self._bytes(codes[j])) + codes[j]
        return order, codes, tuple(padded)

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

    def _notices(self, found: list[tuple[bytes, bytes]]) -> list[Notice]:
        differing = np.flatnonzero(self._entries[: self._used[0], DIFFERS])
        if not len(differing):
            return []
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
                code=self._text(found[int(differing[0])][0]),
            )
        ]


def _bytewise(forms: list[bytes]) -> list[int]:
    """Indices of the forms in bytewise order; NumPy sorts many without holding up other threads."""
    if len(forms) < 5000:
        return sorted(range(len(forms)), key=forms.__getitem__)
    ranks: list[int] = np.argsort(np.array(forms, dtype=np.bytes_), kind="stable").tolist()
    return ranks


def smallest_type(count: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The smallest unsigned type that holds the numbers 0..count-1."""
    return np.uint8 if count <= 1 << 8 else np.uint16 if count <= 1 << 16 else np.uint32


def frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array
