"""Labels of new codes where a recode names no codelist: made of its scheme and the labels of the original codes.

They say no more than the ranges of the scheme and the codelist do: which codes occur in the file is not told. So codes
that a scheme lists one by one, and that no codelist labels, are not named: such a list is as a rule that of the file.
They are written to files, so they are the same in every language of the program.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

import numpy as np

from ..data.columns import EncodedColumn
from ..formats.argus.recode_scheme import Scheme, SchemeItem, parse_scheme
from ..formats.argus.text_files import BLANKS
from .recoding import CodeWidth, Recoding, longest
from .scheme import apply_scheme

MOST_CHARACTERS = 40
"""A label that names several codes is cut after these."""
_SPECIAL = re.compile(r"\.[a-z_]")


def default_labels(
    column: EncodedColumn,
    recoding: Recoding,
    own: Mapping[str, str],
    missing_ranges: Sequence[tuple[float, float]] = (),
) -> dict[str, str]:
    """Labels of the codes that a recode makes, by new code; of missing codes and of codes that stay: none.

    A code that the codelist has as the beginning of all codes that it stands for, as a broader level of a hierarchy,
    has the codelist's label. Else one that stands for one labelled code has its label, for several: their labels, cut
    after `MOST_CHARACTERS`; for ranges of numbers that are not all labelled: what the scheme names, as in "10–19" or
    "70 and over".

    Parameters
    ----------
    column : the variable before recoding; its records are not looked at
    recoding : what became of it
    own : labels of the original codes
    missing_ranges : low and high of numbers that are missing beside the missing codes
    """
    missing = set(column.missing_codes)
    labelled = {c: t for c, t in own.items() if t and c not in missing and not _is_missing(c, missing_ranges)}
    if recoding.kind == "truncate":
        found = _of_truncation(column, recoding, labelled)
    else:
        found = _of_scheme(column, recoding, labelled, parse_scheme(recoding.text))
    found |= _of_broader_level(column, recoding, labelled)
    gone = set(recoding.column.missing_codes)
    return {c: t for c, t in found.items() if t and c not in gone and t.replace("–", "-") != c}


def _is_missing(code: str, ranges: Sequence[tuple[float, float]]) -> bool:
    if _SPECIAL.fullmatch(code):
        return True
    with suppress(ValueError):
        return any(low <= float(code) <= high for low, high in ranges)
    return False


def _items_by_code(scheme: Scheme) -> dict[str, list[SchemeItem]]:
    """What each new code is made of, of all lines that name it."""
    items: dict[str, list[SchemeItem]] = {}
    for line in scheme.lines:
        items.setdefault(line.code, []).extend(line.items)
    return items


def _of_scheme(
    column: EncodedColumn, recoding: Recoding, labelled: Mapping[str, str], scheme: Scheme
) -> dict[str, str]:
    if scheme.codelist is not None:
        return {}
    items = _items_by_code(scheme)
    for code in recoding.merged:
        items[code].insert(0, SchemeItem(code, None, False))
    members: dict[str, list[str]] = {}
    if labelled:
        plain = _column_of(column, labelled)
        applied = apply_scheme(plain, scheme, recoding.column.missing_codes, fixed=False)
        untouched = set(applied.untouched) - set(applied.merged)
        for code, place in zip(plain.codes, applied.lut.tolist(), strict=True):
            if code not in untouched:
                members.setdefault(applied.column.codes[place], []).append(labelled[code])
    unclear = _overlapping(items)
    found = {code: joined(names) for code, names in members.items() if _all_labelled(items[code], labelled)}
    said = {code: _named(own, labelled) for code, own in items.items() if code not in found}
    return found | {code: text for code, text in said.items() if code not in unclear}


def _of_broader_level(column: EncodedColumn, recoding: Recoding, labelled: Mapping[str, str]) -> dict[str, str]:
    """Labels of the codelist for new codes with which all codes of the scheme begin that become them.

    A code that stands in the original, too, is not made of others alone.
    """
    made = set(recoding.column.codes[: recoding.column.n_valid]) & set(labelled) - set(column.codes[: column.n_valid])
    if recoding.kind != "truncate":
        items = _items_by_code(parse_scheme(recoding.text))
        made = {new for new in made if new in items and all(_begins_with(item, new) for item in items[new])}
    return {new: labelled[new] for new in made if new}


def _begins_with(item: SchemeItem, beginning: str) -> bool:
    """Whether all codes that an item of a scheme stands for begin so: one code, or codes between two as long."""
    low, high = item.low, item.high
    if not item.is_range:
        return bool(low and low.startswith(beginning))
    return bool(low and high and len(low) == len(high) and low.startswith(beginning) and high.startswith(beginning))


def _of_truncation(column: EncodedColumn, recoding: Recoding, labelled: Mapping[str, str]) -> dict[str, str]:
    digits, pad = recoding.truncated, CodeWidth(column).pad
    members: dict[str, list[str]] = {}
    for code, label in labelled.items():
        members.setdefault(pad(code, column.width)[:-digits].strip(BLANKS), []).append(label)
    aligned = _are_numbers(column) and not any(field.endswith(" ") for field in column.padded[: column.n_valid])
    found = {}
    for code in recoding.column.codes[: recoding.column.n_valid]:
        if aligned and len(members.get(code, ())) < 2:
            found[code] = f"{code}{'0' * digits if code else '0'}–{code}{'9' * digits}"
        elif code in members:
            found[code] = joined(members[code])
    return found


def joined(names: Iterable[str]) -> str:
    """One name as it is, several with commas, cut after `MOST_CHARACTERS`."""
    different = list(dict.fromkeys(names))
    text = ", ".join(different[: MOST_CHARACTERS + 1])
    if len(different) < 2 or len(text) <= MOST_CHARACTERS:
        return text
    return text[: MOST_CHARACTERS - 1].rstrip(" ,") + "…"


def _column_of(column: EncodedColumn, codes: Collection[str]) -> EncodedColumn:
    """A column without records that has these codes, each as wide as `column` has it."""
    measure = CodeWidth(column)
    width = max(column.width, longest(measure, codes))
    known = dict(zip(column.codes[: column.n_valid], column.padded, strict=False))
    fields = {code: measure.pad(known.get(code, code), width) for code in codes}
    ordered = tuple(sorted(fields, key=fields.__getitem__))
    none = np.zeros(0, np.uint32)
    counts = np.zeros(len(ordered), np.int64)
    return EncodedColumn(
        column.name, none, ordered, tuple(map(fields.__getitem__, ordered)), counts, len(ordered), width
    )


def _all_labelled(items: Iterable[SchemeItem], labelled: Mapping[str, str]) -> bool:
    """Whether the codelist labels what the items name; of a range of numbers every whole number, as far as it goes."""
    numbers = {int(code) for code in labelled if code.isascii() and code.isdigit()}
    for item in items:
        low, high = _span(item)
        if not item.is_range:
            if (item.low or "").strip(BLANKS) not in labelled:
                return False
        elif low is not None:
            within = {number for number in numbers if low <= number <= high}
            ends = {end for end in (low, high) if np.isfinite(end)}
            if not within or len(within) != max(within) - min(within) + 1 or not ends <= within:
                return False
    return True


def _are_numbers(column: EncodedColumn) -> bool:
    """Whether ranges of the codes are ranges of whole numbers."""
    return all(code.isascii() and code.isdigit() for code in column.codes[: column.n_valid])


def _overlapping(items: Mapping[str, Sequence[SchemeItem]]) -> set[str]:
    """New codes with a number that the scheme names for another one too: a later line takes it from them."""
    spans = sorted(
        (low, high, code) for code, listed in items.items() for low, high in map(_span, listed) if low is not None
    )
    ends = [low for low, _, _ in spans]
    found: set[str] = set()
    for place, (_, high, code) in enumerate(spans):
        met = {other for _, _, other in spans[place + 1 : bisect_left(ends, np.nextafter(high, np.inf))]}
        if met - {code}:
            found |= met | {code}
    return found


def _span(item: SchemeItem) -> tuple[float | None, float]:
    """Lowest and highest number that an item names; None where it is no number."""
    low, high = (item.low or "").strip(BLANKS), (item.high or "").strip(BLANKS)
    if not all(text.isascii() and text.isdigit() for text in (low, high) if text):
        return None, 0.0
    if not item.is_range:
        return (float(low), float(low)) if low else (None, 0.0)
    return float(low or "-inf"), float(high or "inf")


def _named(items: Sequence[SchemeItem], labelled: Mapping[str, str]) -> str:
    """The items in words; nothing where a range is none of numbers, or a single code has no label."""
    numbers = all(code.isascii() and code.isdigit() for code in labelled)
    names = []
    for item in items:
        low, high = (item.low or "").strip(BLANKS), (item.high or "").strip(BLANKS)
        if not item.is_range:
            if low not in labelled:
                return ""
            names.append(labelled[low])
        elif not numbers or _span(item)[0] is None or not (low or high):
            return ""
        else:
            names.append(f"{low}–{high}" if low and high else f"{low} and over" if low else f"up to {high}")
    return joined(names)
