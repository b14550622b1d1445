"""A perturbed column in the form in which it would be read from a file that has its values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..data.encoding import frozen, smallest_type
from ..data.encoding_many_codes import MANY, ManyCodes
from ..data.variables import Metadata
from ..formats.text.records import python_encoding
from ..recipe.model import TYPED


def as_read(column: EncodedColumn, before: EncodedColumn, metadata: Metadata) -> EncodedColumn:
    """`column` without codes that no record has, in the order and with the padding of a file's.

    Parameters
    ----------
    column : what a method made of `before`; its missing codes are those of `before`
    metadata : of the original file

    Raises
    ------
    DataError
        ``perturbation-too-wide``: a value does not fit the field of a fixed-format file.
    """
    if metadata.format in TYPED and metadata[before.name].categorical:
        column = _as_typed(column, before, metadata.decimal)
    n, missing = column.n_valid, before.missing_codes
    counts = np.bincount(column.values, minlength=len(column.codes)).astype(np.int64)
    found = np.flatnonzero(counts[:n])
    texts = list(column.codes[:n])
    if len(found) < n:
        texts = [texts[place] for place in found.tolist()]
    encoding = python_encoding(metadata.encoding)
    width = _width(texts, before, metadata, encoding)
    codes = padded = [*texts, *missing]
    order = np.arange(len(texts))
    if metadata[before.name].categorical:
        padded = _padded(codes, before, width, encoding)
        order = _order(padded[: len(texts)], encoding)
        places = [*order.tolist(), *range(len(texts), len(codes))]
        codes, padded = ([each[place] for place in places] for each in (codes, padded))
    lut = np.zeros(len(column.codes), np.int64)
    lut[found[order]] = np.arange(len(found))
    lut[n:] = len(found) + np.arange(len(missing))
    small: NDArray[np.unsignedinteger] = lut.astype(smallest_type(len(found) + len(missing)))
    written = _kept(codes, missing)
    return EncodedColumn(
        before.name,
        frozen(small[column.values]),
        written,
        written if padded is codes else _kept(padded, tuple(padded[len(texts) :])),
        frozen(np.concatenate([counts[found[order]], counts[n:]])),
        len(found),
        width,
    )


def _as_typed(column: EncodedColumn, before: EncodedColumn, decimal: str) -> EncodedColumn:
    """`column` with its new numbers as a file with types tells them: 0.5, not 0.50."""
    from ..recoding.numerical import plain  # numba, which reading a recipe does not need

    valid, known = column.codes[: column.n_valid], set(before.codes)
    return column if known.issuperset(valid) else plain(column, decimal, known)


def _kept(codes: list[str], missing: tuple[str, ...]) -> Sequence[str]:
    """`codes`, the last of which are `missing`; of very many in a form that takes less memory."""
    valid = codes[: len(codes) - len(missing)]
    if len(valid) <= MANY or not all(map(str.isascii, valid)):
        return tuple(codes)
    return ManyCodes(np.array(valid, "S"), False, missing)


def _width(texts: list[str], before: EncodedColumn, metadata: Metadata, encoding: str) -> int:
    """Bytes of the field, in other files of the longest code."""
    plain = all(map(str.isascii, texts))
    longest = max(texts, key=len if plain else lambda text: len(text.encode(encoding, "replace")), default="")
    needed, length = len(longest.encode(encoding, "replace")), metadata[before.name].length
    if metadata.format != "fixed":
        return max([needed, *(len(code.encode(encoding, "replace")) for code in before.missing_codes)])
    if needed > length:
        raise DataError(
            "perturbation-too-wide",
            mark('The perturbed {variable} would be "{value}", which does not fit its field of {width} bytes.'),
            mark("Give {variable} fewer decimals in Specify Metadata, or perturb it less."),
            variable=before.name,
            value=longest,
            width=length,
        )
    return length


def _padded(codes: list[str], before: EncodedColumn, width: int, encoding: str) -> list[str]:
    """How recodes compare each of `codes`: as it stands in the file, else with blanks before."""
    of_file = {code: form for code, form in zip(before.codes, before.padded, strict=True) if before.width == width}
    return [of_file.get(code) or " " * (width - len(code.encode(encoding, "replace"))) + code for code in codes]


def _order(padded: list[str], encoding: str) -> NDArray[np.int64]:
    """Places in the bytewise order of the padded forms."""
    return np.array(sorted(range(len(padded)), key=lambda place: padded[place].encode(encoding, "replace")), np.int64)
