"""Numbers as the user's locale writes them: what is shown in groups of three digits, from four digits on.

What is typed has no group separators ("1.956" would be 1956 in German and Dutch), nor has what is copied.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from numbers import Integral

from PySide6.QtCore import QLocale

from core.base.one_in import tries
from core.base.texts import Marks, in_groups, mark, named_language, translate
from core.report.numbers import Limit, limit

MISSING = "–"
"""Shown where there is no number."""


_TYPED_GROUPED = re.compile(r"\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+")
_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
"""One comma between digits: a decimal comma, unless it may group thousands."""
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")

_MOST_OF_QT = 2**63
"""Numbers from here on are too large for Qt; one may be typed and has to be named where it is refused."""


@dataclass(frozen=True)
class Understood:
    """A typed number: its value, and whether it was read otherwise than the locale writes it."""

    value: float
    as_program: bool = False


def _in_use() -> QLocale:
    """The locale in use, or of what is named for a while."""
    named = named_language()
    return QLocale(named) if named else QLocale()


def locale() -> QLocale:
    """The locale in use, without group separators, as numbers are typed."""
    result = _in_use()
    result.setNumberOptions(QLocale.NumberOption.RejectGroupSeparator | QLocale.NumberOption.OmitGroupSeparator)
    return result


def marks() -> Marks:
    """What stands in the numbers of the locale in use."""
    used = locale()
    return Marks(used.decimalPoint(), used.groupSeparator())


def _grouped(text: str) -> str:
    """A number as it is typed with its digits in groups; Qt itself leaves four digits alone in Spanish."""
    used = marks()
    whole, point, decimals = text.partition(used.decimal)
    return f"{in_groups(whole, used.group)}{point}{decimals}"


def without_groups(text: str) -> str:
    """The text of a number as other programs take it over."""
    return re.sub(rf"(?<=\d){re.escape(marks().group)}(?=\d{{3}}(?!\d))", "", text)


def format_number(value: float | None, decimals: int) -> str:
    """With a fixed number of decimals, so that a column has its decimal marks below each other."""
    return MISSING if value is None or math.isnan(value) else _grouped(locale().toString(float(value), "f", decimals))


def format_small(value: float | None, decimals: int) -> str:
    """With a fixed number of decimals; with more where those would show nothing but zeros of a number above zero."""
    text = format_number(value, decimals)
    if value and not math.isnan(value) and abs(value) < 0.5 * 10.0**-decimals:
        return format_exact(float(f"{value:.2g}"))
    return text


def format_beside(value: float | None, decimals: int, at: Limit | None) -> str:
    """As `format_small`; where it is below the threshold `at`, it is shown with as many decimals as show that."""
    if value is None or math.isnan(value) or at is None:
        return format_small(value, decimals)
    shown = at.judged(value)
    if shown and abs(shown) < 0.5 * 10.0**-decimals:
        return format_exact(round(shown, at.decimals(1 - math.floor(math.log10(abs(shown))), value)))
    return format_number(shown, at.decimals(decimals, value))


def decimals_apart(decimals: int, value: float, threshold: float | None) -> int:
    """The decimals, at least so many, that show a value below a threshold as another number than the threshold."""
    if threshold is None or not limit(threshold).is_above(value):
        return decimals
    return next(n for n in range(decimals, 400) if f"{value:.{n}f}" != f"{threshold:.{n}f}")


def is_no_threshold(threshold: float, *beside: float | None) -> bool:
    """Whether a threshold is what "none" is written as: 1, above every risk beside it."""
    return threshold >= 1.0 and all(risk is None or not risk >= 1.0 for risk in beside)


def format_threshold(threshold: float, *beside: float | None) -> str:
    """A threshold as it was typed, or in six digits; more where a risk that is shown beside it needs them."""
    if beside and is_no_threshold(threshold, *beside):
        return translate("none")
    return format_exact(limit(threshold, *(risk for risk in beside if risk is not None)).shown)


def format_exact(value: float | None) -> str:
    """In as few digits as tell exactly this number."""
    return _grouped(format_typed(value))


def format_typed(value: float | None) -> str:
    """The shortest text that is read back as exactly this number: for boxes to type in."""
    if value is None or math.isnan(value):
        return MISSING
    if isinstance(value, Integral):
        return _whole(int(value))
    text = format(Decimal(repr(float(value))), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(".", locale().decimalPoint())


def format_count(value: int | None) -> str:
    """A whole number; thousands are asked for at once, for the widths of columns."""
    if value is None:
        return MISSING
    used = _in_use()
    return f"{int(value):,}".replace("-", used.negativeSign()).replace(",", used.groupSeparator())


def _whole(number: int) -> str:
    return locale().toString(number) if abs(number) < _MOST_OF_QT else str(number)


def format_tries(risk: float) -> str:
    """In how many tries a record of this risk is found once, as `tries` rounds it."""
    number = tries(risk)
    return format_count(number) if isinstance(number, int) else format_exact(number)


def format_one_in(risk: float | None) -> str:
    """A risk above zero as "1 in 50", so that no risk is shown smaller than it is."""
    if risk is None or not risk > 0:
        return MISSING
    return translate(mark("1 in {number}")).format(number=format_tries(risk))


def format_percent(rate: float | None, decimals: int = 3) -> str:
    """A fraction as per cent: 0.01956 is "1.956 %"."""
    return MISSING if rate is None or math.isnan(rate) else f"{format_number(rate * 100, decimals)} %"


def parse_number(text: str) -> Understood:
    """Read a number as the locale writes it, else as programs do, else with a decimal comma; ValueError otherwise."""
    decimal, as_program = _decimal(text.strip())
    return Understood(float(decimal), as_program)


def parse_count(text: str) -> Understood:
    """Read a whole number; ValueError otherwise, also where it is grouped: "2.000" is not taken for 2 in German."""
    understood = parse_number(text)
    is_grouped = marks().group in text.strip() and _TYPED_GROUPED.fullmatch(text.strip())
    if is_grouped or understood.value != math.floor(understood.value):
        raise ValueError(f"not a whole number: {text!r}")
    return understood


def why_refused(text: str, whole: bool = False) -> str:
    """Why a text is no number here and how to write it, in a sentence; `whole`: where a count is asked for."""
    text, own = text.strip(), locale().decimalPoint()
    if not text:
        return translate(mark("Type a number."))
    grouped = _TYPED_GROUPED.fullmatch(text)
    with_point = text.replace(",", ".")
    sentence = mark("“{text}” is not a number.")
    if grouped and whole:
        sentence = mark("Write a whole number without separators: {plain}.")
    elif own == "." and _THOUSANDS.fullmatch(text.removesuffix("%").strip()):
        sentence = mark("Does {text} mean {without} or {with_point}? Write it so.")
    elif whole and _is_number(text):
        sentence = mark("“{text}” is not a whole number.")
    values = {"plain": re.sub(r"\D", "", text), "without": text.replace(",", ""), "with_point": with_point}
    return translate(sentence).format(text=text, **values)


def parse_percent(text: str) -> Understood:
    """Read a rate given in per cent, with or without the sign; the value is a fraction: "0.125 %" is 0.00125."""
    decimal, as_program = _decimal(text.strip().removesuffix("%").strip())
    return Understood(float(decimal / 100), as_program)


def _decimal(text: str) -> tuple[Decimal, bool]:
    """The number in `text` without rounding, and whether the locale would write it otherwise."""
    own = locale()
    if _reads(own, text):
        plain = text.replace(own.decimalPoint(), ".").replace(own.negativeSign(), "-")
        try:
            return Decimal(plain), False
        except InvalidOperation:  # digits of another script: QLocale reads them, Decimal does not
            return Decimal(repr(own.toDouble(text)[0])), False
    if _reads(_c_locale(), text):
        return Decimal(text), True
    with_point = _decimal_point(text)
    if with_point and _reads(_c_locale(), with_point):
        return Decimal(with_point), True
    raise ValueError(f"not a number: {text!r}")


def _decimal_point(text: str) -> str:
    """`text` with a point for its decimal comma; empty where it has none, or one that may group thousands."""
    is_decimal = _COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text)
    return text.replace(",", ".") if is_decimal else ""


def _is_number(text: str) -> bool:
    return any(_reads(*each) for each in ((locale(), text), (_c_locale(), text), (_c_locale(), _decimal_point(text))))


def _reads(reader: QLocale, text: str) -> bool:
    value, ok = reader.toDouble(text)
    return bool(ok) and math.isfinite(value)


def _c_locale() -> QLocale:
    result = QLocale.c()
    result.setNumberOptions(QLocale.NumberOption.RejectGroupSeparator)
    return result
