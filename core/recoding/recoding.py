"""What a recode made of a column, whichever way it was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.texts import mark_plural, plural
from ..data.columns import EncodedColumn
from ..data.encoding import smallest_type

_BLOCK = 1 << 17
_MOST = 10
"""Codes that a notice names."""
_UNTOUCHED = (
    mark_plural("{variable}: 1 code is not recoded: {codes}.", "{variable}: {count} codes are not recoded: {codes}."),
    mark_plural("{variable}: 1 code is not recoded.", "{variable}: {count} codes are not recoded."),
)
_OVERLAPPING = (
    mark_plural(
        "{variable}: 1 code is recoded more than once, the last counts: {codes}.",
        "{variable}: {count} codes are recoded more than once, the last counts: {codes}.",
    ),
    mark_plural(
        "{variable}: 1 code is recoded more than once, the last counts.",
        "{variable}: {count} codes are recoded more than once, the last counts.",
    ),
)
_NONSENSE = (
    mark_plural(
        "{variable}: 1 item fits no code of the file: {codes}.",
        "{variable}: {count} items fit no code of the file: {codes}.",
    ),
    mark_plural("{variable}: 1 item fits no code of the file.", "{variable}: {count} items fit no code of the file."),
)
_MERGED = (
    mark_plural(
        "{variable}: 1 code that is not recoded equals a new code: {codes}.",
        "{variable}: {count} codes that are not recoded equal a new code: {codes}.",
    ),
    mark_plural(
        "{variable}: 1 code that is not recoded equals a new code.",
        "{variable}: {count} codes that are not recoded equal a new code.",
    ),
)
_LOST = (
    mark_plural(
        "{variable}: 1 valid code became missing, being equal to a missing code: {codes}.",
        "{variable}: {count} valid codes became missing, being equal to a missing code: {codes}.",
    ),
    mark_plural(
        "{variable}: 1 valid code became missing, being equal to a missing code.",
        "{variable}: {count} valid codes became missing, being equal to a missing code.",
    ),
)
_BLANKED = (
    mark_plural(
        "{variable}: 1 valid code is recoded to a missing code and counts as missing: {codes}.",
        "{variable}: {count} valid codes are recoded to a missing code and count as missing: {codes}.",
    ),
    mark_plural(
        "{variable}: 1 valid code is recoded to a missing code and counts as missing.",
        "{variable}: {count} valid codes are recoded to a missing code and count as missing.",
    ),
)
"""Notices of one code, and of several; then the same without the codes, for outsiders."""


@dataclass(frozen=True, eq=False)
class Recoding:
    """A recoded column and how it came about. Codes are given without surrounding blanks.

    Attributes
    ----------
    column : EncodedColumn
        The variable after recoding.
    lut : (len(old codes),) uint32
        Index of the new code of each old one.
    untouched : tuple of str
        Valid old codes that the scheme does not name; they keep their code.
    overlapping : tuple of str
        Valid old codes that the scheme names more than once; the last time counts.
    nonsense : tuple of str
        Items of the scheme that no code of the file fits, as written.
    merged : tuple of str
        Untouched codes that are also a new code and so became one category with it.
    lost : tuple of str
        Valid codes that became missing without being recoded to a missing code: their own (untouched) or
        truncated code is one.
    blanked : tuple of str
        Valid old codes that the scheme recodes to a missing code.
    kind : "scheme" or "truncate"
    truncated : int
        Characters cut from the right; 0 where a scheme recodes.
    text : str
        The scheme, normalised, or the sentence that says how far codes were truncated.
    codelist : Path or None
        The codelist of the new codes, if they have their own.
    warnings : tuple of Notice
        What else is to be said, of the codelist for example.
    """

    column: EncodedColumn
    lut: NDArray[np.uint32]
    untouched: tuple[str, ...] = ()
    overlapping: tuple[str, ...] = ()
    nonsense: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    blanked: tuple[str, ...] = ()
    kind: Literal["scheme", "truncate"] = "scheme"
    truncated: int = 0
    text: str = ""
    codelist: Path | None = None
    warnings: tuple[Notice, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The warnings of this recode; none means nothing unexpected happened."""
        said = (
            ("recode-untouched", _UNTOUCHED, self.untouched),
            ("recode-overlapping", _OVERLAPPING, self.overlapping),
            ("recode-nonsense", _NONSENSE, self.nonsense),
            ("recode-merged", _MERGED, self.merged),
            ("recode-lost", _LOST, self.lost),
            ("recode-to-missing", _BLANKED, self.blanked),
        )
        name = self.column.name
        found = (
            Notice.of(
                id,
                plural(len(codes), *forms),
                plural(len(codes), *outside),
                where=name,
                variable=name,
                count=len(codes),
                codes=_some(codes),
            )
            for id, (forms, outside), codes in said
            if codes
        )
        return (*found, *self.warnings)


def _some(codes: Sequence[str]) -> str:
    """All of up to ten codes, else the first and the last."""
    shown = [code or '""' for code in codes]
    return ", ".join(shown if len(shown) <= _MOST else [*shown[: _MOST - 1], "…", shown[-1]])


class CodeWidth:
    """Lengths of codes in the bytes of a file's encoding, as far as a column lets it be known.

    Characters are bytes where the column's fixed fields show it (characters beyond ASCII, and still each field as
    many characters as bytes); else lengths are those of UTF-8.
    """

    def __init__(self, column: EncodedColumn) -> None:
        beyond_ascii = not "".join(column.padded).isascii()
        self.single_byte = beyond_ascii and all(len(text) == column.width for text in column.padded)

    def length(self, text: str) -> int:
        """Bytes of `text`."""
        return len(text) if self.single_byte or text.isascii() else len(text.encode(errors="surrogatepass"))

    def pad(self, text: str, width: int) -> str:
        """`text` with blanks on its left, `width` bytes long (or longer, if it was)."""
        return " " * (width - self.length(text)) + text

    def padded(self, texts: Sequence[str], width: int) -> list[str]:
        """Each text as `pad` makes it; tens of thousands take no time where all are ASCII."""
        if self.single_byte or "".join(texts).isascii():
            return [text.rjust(width) for text in texts]
        return [self.pad(text, width) for text in texts]


def recoded_column(
    column: EncodedColumn, new_codes: Sequence[str], missing: tuple[str, ...], width: int
) -> tuple[EncodedColumn, NDArray[np.uint32]]:
    """The column in which old code i has become ``new_codes[i]``, and the table from old to new index.

    A new code that is one of `missing` is missing; all of `missing` are declared, used or not.
    """
    measure = CodeWidth(column)
    found = list(dict.fromkeys(new_codes))
    field_of = dict(zip(found, measure.padded(found, width), strict=True))
    valid = sorted(field_of.keys() - set(missing), key=field_of.__getitem__)
    codes = (*valid, *missing)
    index = {code: position for position, code in enumerate(codes)}
    lut = np.fromiter(map(index.__getitem__, new_codes), np.uint32, len(new_codes))
    counts = np.zeros(len(codes), np.int64)
    np.add.at(counts, lut, column.counts)
    recoded = EncodedColumn(
        name=column.name,
        values=_frozen(_mapped(column.values, lut, len(codes))),
        codes=codes,
        padded=tuple(measure.padded(codes, width)),
        counts=_frozen(counts),
        n_valid=len(valid),
        width=width,
        records=column.records,
    )
    return recoded, _frozen(lut)


def moved_missing(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """What each old missing code becomes: the new one in the same place, the last where there are fewer.

    Where empty is the first old code and none of the new ones, it becomes the first, and the codes behind it are
    counted without it: a file with labels says nothing of empty, and its declared codes keep their meaning.
    """
    ahead = 1 if len(old) > 1 and not old[0] and "" not in new else 0
    return [new[min(max(i - ahead, 0), len(new) - 1)] for i in range(len(old))]


def longest(measure: CodeWidth, codes: Iterable[str]) -> int:
    """Bytes of the longest of `codes`; 0 where there are none."""
    found = list(codes)
    length = len if "".join(found).isascii() else measure.length
    return max(map(length, found), default=0)


def _mapped(values: NDArray[np.unsignedinteger], lut: NDArray[np.uint32], n_codes: int) -> NDArray[np.unsignedinteger]:
    small: NDArray[np.unsignedinteger] = lut.astype(smallest_type(n_codes))
    mapped = np.empty_like(values, dtype=small.dtype)
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        mapped[block] = small.take(values[block])
    return mapped


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array
