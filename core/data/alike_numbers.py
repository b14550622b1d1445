"""Household identifiers that differ as texts and are the same number: 7, 007 and 7.0 are three households."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice
from core.base.texts import mark
from core.data.encoding_many_codes import ManyCodes

_NUMBER = re.compile(r"([+-]?)0*([0-9]*)(?:[.,]([0-9]*))?", re.ASCII)


def alike_as_numbers(codes: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Codes that are the same number, together, in their own order; numbers of one code are left out.

    A number is digits with a sign or not, and a decimal point or comma or not.
    """
    plain, others = set(), list[str]()
    for code in codes:
        if code.isdecimal() and code.isascii() and (code[0] != "0" or code == "0"):
            plain.add(code)
        else:
            others.append(code)
    forms: dict[str, list[str]] = {}
    for code in others:
        number = _plain(code)
        if number is not None:
            forms.setdefault(number, []).append(code)
    found = (((number, *same) if number in plain else tuple(same)) for number, same in forms.items())
    return tuple(same for same in found if len(same) > 1)


def _plain(code: str) -> str | None:
    """The number without a plus sign, leading zeros and zeros behind the last decimal; None: no number."""
    matched = _NUMBER.fullmatch(code)
    if matched is None or not any(map(str.isdecimal, code)):
        return None
    sign, whole, decimals = matched[1], matched[2], (matched[3] or "").rstrip("0")
    number = (whole or "0") + ("." + decimals if decimals else "")
    return "-" + number if sign == "-" and number != "0" else number


def _told_apart(codes: Sequence[str]) -> bool:
    """Whether very many codes are seen at once to be different numbers: digits, no zeros in front or all as long."""
    if not isinstance(codes, ManyCodes) or not codes.forms.itemsize:
        return False
    letters = np.ascontiguousarray(codes.forms).view(np.uint8).reshape(len(codes.forms), -1)
    filled = letters > ord(" ")
    if not np.array_equal(filled, (letters >= ord("0")) & (letters <= ord("9"))):
        return False
    first = letters[np.arange(len(letters)), filled.argmax(axis=1)]
    return bool(filled.all() or not (first == ord("0")).any())


def alike_notice(name: str, codes: Sequence[str], present: NDArray[np.bool_]) -> Iterator[Notice]:
    """That identifiers agree as numbers and are different households all the same.

    Parameters
    ----------
    codes : of the identifier `name`
    present : (m,), which of them are looked at
    """
    found = () if _told_apart(codes) else alike_as_numbers(compress(codes, present))
    if found:
        yield Notice.of(
            "household-ids-alike",
            mark(
                "{variable}: {count} number(s) stand there in different forms, for example {forms}; these are taken as "
                "different households. If they are one, write them alike in the data."
            ),
            mark(
                "{variable}: {count} number(s) stand there in different forms; these are taken as different "
                "households. If they are one, write them alike in the data."
            ),
            where=name,
            variable=name,
            count=len(found),
            forms=", ".join(found[0]),
        )
