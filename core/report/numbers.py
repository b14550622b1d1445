"""How the report writes numbers: one place, the marks in use, no more digits than mean something.

Rates and risks are fractions inside and become per cent only here. Columns of numbers get equal decimals, so that
right-aligned figures can be compared digit under digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ..base.one_in import tries
from ..base.texts import translate as _
from ..base.texts import with_marks

NO_BREAK = "\u00a0"
NOTHING = "–"

Value = str | int | float | bool | None

MAX_DECIMALS = 9
"""A smaller number than these can show is written with an exponent."""

TOLERANCE = 1e-12
"""A risk is at its threshold where it is not smaller by more than this part of it."""

_ENOUGH = 30
"""Decimals that tell any two risks apart."""

_ENOUGH_OF_ONE_IN = 4
"""Decimals of ``1 in N`` that still can be read."""


@dataclass(frozen=True)
class Limit:
    """A threshold and the number that is shown for it; what is shown beside it stands on its own side of it.

    Attributes
    ----------
    value : the threshold, as records are judged by it
    shown : the same, or rounded
    """

    value: float
    shown: float

    def is_above(self, value: float) -> bool:
        """Whether a value stays below the threshold, so that its record is safe."""
        return value < self.value * (1 - TOLERANCE)

    def judged(self, value: float) -> float:
        """The value; the threshold itself where it is at it."""
        return value if self.is_above(value) else max(value, self.value)

    def decimals(self, decimals: int, *values: float) -> int:
        """The decimals, at least so many, with which every value below the threshold is shown below it, no other is."""
        return next((d for d in range(decimals, _ENOUGH) if all(self._tells(v, d) for v in values)), _ENOUGH)

    def _tells(self, value: float, decimals: int) -> bool:
        if not math.isfinite(value):
            return True
        text = f"{self.judged(value):.{decimals}f}"
        return (Decimal(text) < Decimal(repr(self.shown))) == self.is_above(value)

    @property
    def text(self) -> str:
        """The number shown, in full and without exponent."""
        if not math.isfinite(self.shown):
            return NOTHING
        return with_marks(_without_zeros(format(Decimal(repr(self.shown)), "f")))


@dataclass(frozen=True)
class NamedLimit(Limit):
    """A threshold that is told by what it was taken for, and not by its value."""

    name: str = ""

    @property
    def text(self) -> str:
        """What it was taken for."""
        return self.name


def limit(value: float, *beside: float, digits: int = 6) -> Limit:
    """A threshold as it was typed; one that was taken from the risks, with digits without end, to six of them.

    Parameters
    ----------
    beside : risks shown beside it; where one lies between the threshold and its rounded value, it has more digits
    """
    found = Limit(value, float(f"{value:.11g}"))
    if found.shown == value:
        return found
    for more in range(digits, 18):
        found = Limit(value, float(f"{value:.{more}g}"))
        if all((found.judged(v) < found.shown) == found.is_above(v) for v in beside):
            break
    return found


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def count(value: int) -> str:
    """A whole number."""
    return with_marks(f"−{-value}" if value < 0 else str(value))


def decimals_for(values: Sequence[float], digits: int) -> int:
    """Decimals that show the smallest non-zero of `values` with `digits` significant digits, at most MAX_DECIMALS."""
    sizes = [abs(v) for v in values if v and math.isfinite(v)]
    if not sizes:
        return 0
    wanted = digits - 1 - math.floor(math.log10(min(sizes)))
    return max(0, min(MAX_DECIMALS, wanted))


def fixed(value: float, decimals: int) -> str:
    """`value` with `decimals` decimals; with an exponent where those would show only zeros."""
    return with_marks(_fixed(value, decimals))


def _fixed(value: float, decimals: int) -> str:
    if not math.isfinite(value):
        return NOTHING
    if value and abs(value) < 0.5 * 10.0**-decimals and decimals >= MAX_DECIMALS:
        return f"{value:.2e}".replace("e-0", "e-").replace("-", "−")
    text = f"{abs(value):.{decimals}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + text


def significant(value: float, digits: int = 4) -> str:
    """`value` rounded to `digits` significant digits, in fixed notation."""
    return with_marks(_fixed(value, decimals_for([value], digits)))


def amount(value: float, digits: int = 6) -> str:
    """`value` with at most `digits` significant digits and no trailing zeros: 19850.0 gives ``19,850``."""
    text = _fixed(value, decimals_for([value], digits))
    return with_marks(text if "e" in text else _without_zeros(text))


def exact(value: float) -> str:
    """`value` in full: the shortest decimal that is the same number, at most twelve significant digits."""
    return with_marks(_exact(value))


def typed(value: float) -> str:
    """`value` in full, as it is typed and stands in a file, without groups."""
    return with_marks(_exact(value), grouped=False)


def _exact(value: float) -> str:
    if not math.isfinite(value):
        return NOTHING
    text = f"{value:.12g}"
    if "e" not in text:
        return text
    decimals = 11 - math.floor(math.log10(abs(value)))
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".") if 0 < decimals <= 20 else text.replace("e-0", "e-")


def threshold(value: float, *beside: float) -> str:
    """A threshold in a sentence or table, as `limit` shows it."""
    return limit(value, *beside).text


def percent(fraction: float, digits: int = 4) -> str:
    """A fraction as per cent with `digits` significant digits: 0.0195637 gives ``1.956 %``."""
    return f"{significant(100 * fraction, digits)}{NO_BREAK}%"


def beside(value: float, digits: int, at: Limit | None) -> str:
    """A risk with at most `digits` significant digits and no trailing zeros, more where its threshold needs them."""
    if at is None or not math.isfinite(value):
        return threshold(float(f"{value:.{digits}g}"))
    return with_marks(_without_zeros(f"{value:.{at.decimals(decimals_for([value], digits), value)}f}"))


def one_in(risk: float, at: Limit | None = None) -> str:
    """A risk in words: 0.00125 gives ``1 in 800``; empty where that would say nothing (0, or ``1 in 1``).

    A risk below its threshold has more decimals where it would read like the threshold: ``1 in 20.01`` below 0.05.
    """
    if not 0 < risk < 1 or tries(risk) == 1:
        return ""
    told = tries(risk)
    if at is not None and at.is_above(risk):
        least = max(1 / at.shown, tries(at.shown))
        more = (tries(risk, decimals) for decimals in range(_ENOUGH_OF_ONE_IN + 1))
        told = next((each for each in (told, *more) if each > least), 0)
    text = _fixed(told, _ENOUGH_OF_ONE_IN).rstrip("0").rstrip(".")
    return _("1 in {n}").format(n=with_marks(text)) if told else ""


def column(values: Sequence[Value], spec: str) -> tuple[str, ...]:
    """The cells of one column (or of one row of like figures), with equal decimals.

    Parameters
    ----------
    values : sequence
        Raw values; None is written as a dash, text as it stands.
    spec : str
        ``text``, ``code``, ``count``, ``risk`` (fraction, at least three significant digits), ``percent``
        (fraction, shown as per cent), ``share`` (fraction, per cent with one decimal), ``number:d`` (d decimals)
        or ``exact``.
    """
    kind, _, argument = spec.partition(":")
    scale = 100.0 if kind in ("percent", "share") else 1.0
    numbers = [scale * v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    decimals = {"risk": decimals_for(numbers, 3), "percent": decimals_for(numbers, 3), "share": 1}.get(kind, 0)
    if argument:
        decimals = int(argument)
    return tuple(_cell(value, kind, decimals) for value in values)


def _cell(value: Value, kind: str, decimals: int) -> str:
    if value is None or value == "":
        return NOTHING if value is None else ""
    if isinstance(value, str | bool):
        return str(value)
    if kind in ("text", "code"):
        return _exact(value)
    if kind == "count" and float(value).is_integer():
        return count(int(value))
    if kind == "exact":
        return exact(value)
    if kind in ("percent", "share"):
        return f"{fixed(100 * value, decimals)}{NO_BREAK}%"
    return fixed(float(value), decimals)


def is_numeric(spec: str) -> bool:
    """Whether a column of this spec is set right-aligned with tabular figures."""
    return spec.partition(":")[0] not in ("text", "code")
