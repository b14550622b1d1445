"""Sorting and filtering of tables as index arrays: a view shows row ``order[i]`` and the data stay where they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = Sequence[Any] | NDArray[Any]


def sorted_order(values: Values, descending: bool = False, last: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
    """Row numbers in the order of their values.

    Parameters
    ----------
    values : (n,) array of numbers, or sequence of texts or of numbers with None for "no such figure"
        Texts that are all whole numbers are compared as numbers, others without regard to case.
    descending : bool
        Largest first. Rows of equal value keep their order either way.
    last : (n,) bool, optional
        Rows that stay at the end however the rest is sorted (missing codes).

    Returns
    -------
    (n,) intp
        A permutation of 0..n-1; rows without a value come after those with one, rows of `last` after them.
    """
    keys, absent = _keys(values)
    position = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    if descending:
        position = -position
    group = absent.astype(np.int8)
    if last is not None:
        group = group + 2 * last.astype(np.int8)
    return np.lexsort((position, group))


def matching_rows(columns: Iterable[Sequence[str]], text: str, n: int) -> NDArray[np.bool_]:
    """Rows in which any of the text columns contains `text`, without regard to case.

    Parameters
    ----------
    columns : iterable of (n,) sequences of str
    text : str
        Surrounding blanks do not count; an empty text matches every row.
    n : int
        Number of rows.
    """
    wanted = text.strip().casefold()
    found = np.full(n, not wanted)
    if wanted:
        for column in columns:
            found |= np.fromiter((wanted in value.casefold() for value in column), np.bool_, n)
    return found


def _keys(values: Values) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Comparable keys, and where there is no value."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        absent = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), np.bool_)
        return np.where(absent, 0, values), absent
    absent = np.array([_is_absent(value) for value in values], np.bool_)
    present = [value for value, nothing in zip(values, absent, strict=True) if not nothing]
    if any(isinstance(value, str) for value in present):
        return _text_keys([str(value) for value in values]), absent
    return np.array([0.0 if nothing else value for value, nothing in zip(values, absent, strict=True)]), absent


def _text_keys(texts: list[str]) -> NDArray[Any]:
    stripped = [text.strip() for text in texts]
    if all(text.isdecimal() and len(text) <= 18 for text in stripped):
        return np.array([int(text) for text in stripped], np.int64)
    return np.array([text.casefold() for text in texts], np.str_)


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
