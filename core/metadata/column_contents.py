"""What a column that no model judges holds, as far as its name and contents tell, and how it could be made coarser.

Sentences count; they name no value, so that they may be told to whoever may know of the column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark, phrase, plural
from ..data.columns import EncodedColumn
from ..data.variables import Variable
from ..recipe.model import TopBottomCode
from .guess_use import (
    ENOUGH,
    are_dates,
    called,
    grouped_number,
    identifies,
    is_amount,
    is_called_key,
    is_free_text,
    is_nominal,
    is_place,
    may_be_household_id,
    why_left_out,
)
from .profile import Profile, profile, sorted_numbers

Kind = Literal[
    "household-id", "identifier", "free-text", "date", "person-number", "interviewer", "stratum", "area", "amount",
    "outlier", "key", "rare-code", "codes",
]  # fmt: skip

MOST_RENUMBERED = 1000
"""Codes up to which a column can be renumbered by a recode that lists them."""
FEW_NUMBERS = 50
"""Different numbers up to which a numerical variable counts or scores, and measures no amounts."""
TOP_SHARE, LEAST_AT_TOP = 0.01, 5
"""Share and number of records that a proposed top coding puts together at least."""
FAR = 3.0
"""Quartile distances beyond the quartiles from which a number is far out (Tukey, Exploratory Data Analysis, 1977)."""

_PLAIN_DATE = re.compile(
    r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])|(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])(19|20)\d\d"
)
_MONTH = re.compile(r"(19|20)\d\d[-./](0?[1-9]|1[0-2])|(0?[1-9]|1[0-2])[-./](19|20)\d\d")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?")


@dataclass(frozen=True)
class ColumnContents:
    """What one column holds.

    Attributes
    ----------
    variable : str
    kind : Kind
    holds : what it holds, in a few words, with counts and no values
    base : to which its numbers could be rounded, two digits of the median being left; None where that is of no use
    top, bottom : how its numbers could be cut, so that `LEAST_AT_TOP` records or more stand together; None: not at all
    percent : percentage of the records with a number that such a cut leaves as they are
    codes : its valid codes, where it could be renumbered
    left : whether it is perturbed and no value changed
    looks_like_amounts : whether it may be amounts, with or without some alone: more numbers than a list of codes has
    """

    variable: str
    kind: Kind
    holds: Notice
    base: float | None = None
    top: TopBottomCode | None = None
    bottom: TopBottomCode | None = None
    percent: int = 100
    codes: tuple[str, ...] = ()
    left: bool = False
    looks_like_amounts: bool = False

    @property
    def is_telling(self) -> bool:
        """Whether somebody has to look at this column by itself; keys in no combination can be kept together."""
        return self.kind not in ("codes", "key")

    def perturbed(self, now: ColumnContents) -> ColumnContents:
        """The same, and what the column holds after it was perturbed; `now`: of the perturbed column, and its `left`.

        How it could be made coarser is of the original, which is what a decision other than to perturb is about.
        """
        text = mark("{before}; once perturbed {after}")
        holds = _holds(self.kind, text, before=_words(self.holds), after=_words(now.holds))
        return replace(self, holds=holds, left=now.left)


def contents_of(
    column: EncodedColumn, variable: Variable, decimal: str = ".", progress: Progress = SILENT
) -> ColumnContents:
    """What an encoded column holds.

    Parameters
    ----------
    column : the variable's texts as codes, of the original file
    variable : how it is called and declared
    decimal : decimal mark of its numbers
    """
    found = profile(column, decimal, progress=progress)
    numbers, counts = _measured(variable, found, column, decimal, progress)
    high, low = _far_out(numbers, counts)
    kind, holds = _told(variable, found, high, low)
    codes: tuple[str, ...] = ()
    if kind in ("interviewer", "stratum", "area") and 1 < found.distinct <= MOST_RENUMBERED:
        codes = tuple(code for code in found.codes[: found.n_valid] if code and not re.search(r"[\r\n]", code))
    if kind not in ("amount", "outlier"):
        # of a small file many different numbers are no amounts for certain, but hardly codes
        many = kind == "rare-code" and found.distinct > FEW_NUMBERS and len(numbers) == found.distinct
        return ColumnContents(variable.name, kind, holds, codes=codes, looks_like_amounts=many)
    top = _cut(numbers, counts, decimal, variable, at_top=True) if high or not low else None
    bottom = _cut(numbers, counts, decimal, variable, at_top=False) if low else None
    kept = _share_kept(numbers, counts, top, bottom)
    base = _base(numbers, counts)
    return ColumnContents(variable.name, kind, holds, base, top, bottom, kept, looks_like_amounts=True)


def _told(variable: Variable, found: Profile, high: int, low: int) -> tuple[Kind, Notice]:
    n = found.distinct
    if variable.role == "household-id" or (may_be_household_id(variable) and n > ENOUGH):
        return "household-id", _holds("household-id", mark("identifier of {count} households"), count=n)
    reason = is_free_text(variable, found)
    if reason is None and called("remark", variable) and found.numbers.others > found.numbers.count:
        reason = why_left_out(variable, found)
    if reason is not None:
        texts = found.records - found.missing - (found.blank if "" not in found.codes[found.n_valid :] else 0)
        text = plural(texts, "free text in one record", "free text in {count} records")
        return "free-text", _holds("free-text", text, count=texts)
    if _holds_dates(found):
        return "date", _holds("date", plural(n, "one date", "{count} different dates"), count=n)
    if identifies(variable, found) is not None:
        return "identifier", _holds("identifier", mark("{count} different names or numbers of persons"), count=n)
    left_out = why_left_out(variable, found)
    if left_out is not None:
        return "person-number", _holds("person-number", mark("number of the person in the household"))
    if called("interviewer", variable):
        each = round((found.records - found.missing) / max(n, 1))
        text = mark("{count} interviewers, about {each} records each")
        return "interviewer", _holds("interviewer", text, count=n, each=each)
    if called("stratum", variable):
        return "stratum", _holds("stratum", plural(n, "stratum: one code", "stratum: {count} codes"), count=n)
    if called("cluster", variable) or is_place(variable):
        return "area", _holds("area", plural(n, "one area", "{count} areas"), count=n)
    return _told_of_values(variable, found, high, low)


def _told_of_values(variable: Variable, found: Profile, high: int, low: int) -> tuple[Kind, Notice]:
    n, alone = found.distinct, high + low
    if n > 1 and (is_amount(found, variable) or grouped_number(found) or (variable.numeric and n > FEW_NUMBERS)):
        if not alone:
            return "amount", _holds("amount", mark("exact amounts"))
        return "amount", _holds("amount", _AMOUNTS[bool(high), bool(low)], count=alone)
    if alone:
        text = plural(
            alone,
            "{distinct} numbers, one far out in one record only",
            "{distinct} numbers, {count} far out and alone",
        )
        return "outlier", _holds("outlier", text, distinct=n, count=alone)
    if variable.identification_level > 0:
        return "key", _holds("key", plural(n, "declared a key: one code", "declared a key: {count} codes"), count=n)
    if is_called_key(variable):
        return "key", _holds(
            "key", plural(n, "called like a key: one code", "called like a key: {count} codes"), count=n
        )
    if found.once and found.records >= ENOUGH:
        text = plural(
            found.once, "{distinct} codes, one in one record only", "{distinct} codes, {count} in one record only"
        )
        return "rare-code", _holds("rare-code", text, distinct=n, count=found.once)
    if not n:
        return "codes", _holds("codes", mark("nothing"))
    return "codes", _holds("codes", plural(n, "one code", "{count} codes"), count=n)


_AMOUNTS = {
    (True, False): mark("exact amounts, {count} alone at the top"),
    (False, True): mark("exact amounts, {count} alone at the bottom"),
    (True, True): mark("exact amounts, {count} alone at both ends"),
}


def _holds(kind: Kind, text: str, **values: Any) -> Notice:
    return Notice.of(f"holds-{kind}", text, **values)


def _words(holds: Notice) -> str:
    return phrase(holds.template, **dict(holds.values))


def _holds_dates(found: Profile) -> bool:
    """Whether nearly all values are dates, months with a year, or times of day, with marks between or without."""
    codes = [code.strip() for code in found.codes[: found.n_valid]]
    if are_dates(found) or not codes:
        return bool(codes)
    forms = (_PLAIN_DATE,) if found.numbers.only else (_PLAIN_DATE, _MONTH, _CLOCK)
    return any(10 * sum(form.fullmatch(code) is not None for code in codes) > 9 * len(codes) for form in forms)


def _measured(
    variable: Variable, found: Profile, column: EncodedColumn, decimal: str, progress: Progress
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The numbers of a column and their records; none where they are codes of a classification, or too few."""
    labelled = bool(variable.labels) or variable.codelist is not None
    named = is_nominal(variable) and found.numbers.whole
    if not found.numbers.only or found.records < ENOUGH or named or (labelled and not variable.numeric):
        return np.empty(0), np.empty(0, np.int64)
    return sorted_numbers(column, decimal, progress)


def _far_out(numbers: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[int, int]:
    """Numbers above and below all others by `FAR` quartile distances that one record each has.

    Where most records are zero, the distances are those of the others.
    """
    filled = np.where(numbers == 0, 0, counts) if 2 * int(counts[numbers == 0].sum()) > int(counts.sum()) else counts
    if filled.sum() < ENOUGH:
        return 0, 0
    low, high = (numbers[_place(filled, share)] for share in (0.25, 0.75))
    beyond = FAR * (high - low)
    alone = counts == 1
    return int((alone & (numbers > high + beyond)).sum()), int((alone & (numbers < low - beyond)).sum())


def _place(counts: NDArray[np.int64], share: float) -> int:
    """The place of the quantile `share` among sorted numbers with these counts."""
    return int(np.searchsorted(np.cumsum(counts), share * counts.sum()))


def _base(numbers: NDArray[np.float64], counts: NDArray[np.int64]) -> float | None:
    filled = np.where(numbers == 0, 0, counts)
    if not filled.any():
        return None
    sizes = np.abs(numbers)
    order = np.argsort(sizes, kind="stable")
    median = Decimal(repr(float(sizes[order][_place(filled[order], 0.5)])))
    base = Decimal(1).scaleb(median.adjusted() - 1)
    whole = bool((numbers == np.floor(numbers)).all())
    return float(base) if base >= (10 if whole else Decimal("0.01")) else None


def _cut(
    numbers: NDArray[np.float64], counts: NDArray[np.int64], decimal: str, variable: Variable, at_top: bool
) -> TopBottomCode | None:
    """A cut at a number of few digits beyond which at least `TOP_SHARE` and `LEAST_AT_TOP` records lie.

    None where so many have the greatest (least) number already, or where the number has no room in its field.
    """
    least = max(TOP_SHARE * counts.sum(), LEAST_AT_TOP)
    beyond = np.cumsum(counts[::-1])[::-1] if at_top else np.cumsum(counts)
    enough = np.flatnonzero(beyond >= least)
    if not len(enough):
        return None
    place = int(enough[-1] if at_top else enough[0])
    if place == (len(numbers) - 1 if at_top else 0):
        return None
    value = _rounded(Decimal(repr(float(numbers[place]))), numbers, counts, 2 * least, at_top)
    inside = float(numbers[0]) < float(value) if at_top else float(value) < float(numbers[-1])
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    fits = not variable.length or len(text) <= variable.length
    return TopBottomCode(float(value), text.replace(".", decimal)) if inside and fits else None


def _rounded(
    value: Decimal, numbers: NDArray[np.float64], counts: NDArray[np.int64], most: float, at_top: bool
) -> Decimal:
    """`value` towards the middle, with the fewest digits (from two on) beyond which at most `most` records lie."""
    for digits in (2, 3, 4):
        step = Decimal(1).scaleb(value.adjusted() - digits + 1) if value else Decimal(1)
        rounded = (value / step).to_integral_value(ROUND_FLOOR if at_top else ROUND_CEILING) * step
        beyond = numbers >= float(rounded) if at_top else numbers <= float(rounded)
        if counts[beyond].sum() <= most:
            return rounded
    return value


def _share_kept(
    numbers: NDArray[np.float64], counts: NDArray[np.int64], top: TopBottomCode | None, bottom: TopBottomCode | None
) -> int:
    """Percentage of the records between the cuts, at most 99 where there is one."""
    inside = np.ones(len(numbers), np.bool_)
    if top is not None:
        inside &= numbers < top.at
    if bottom is not None:
        inside &= numbers > bottom.at
    return int(100 * counts[inside].sum() // max(int(counts.sum()), 1))
