"""How the report writes numbers: one place, the C locale, no more digits than mean something.

Rates and risks are fractions inside and become per cent only here. Columns of numbers get equal decimals, so that
right-aligned figures can be compared digit under digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.texts import translate as _

NO_BREAK = "\u00a0"
THIN = "\u202f"
NOTHING = "–"

Value = str | int | float | bool | None

MAX_DECIMALS = 9
"""A smaller number than these can show is written with an exponent."""


def count(value: int) -> str:
    """A whole number; from five digits on in groups of three, set apart by a narrow space."""
    text = str(abs(value))
    if len(text) > 4:
        text = f"{int(text):,}".replace(",", THIN)
    return f"−{text}" if value < 0 else text


def decimals_for(values: Sequence[float], digits: int) -> int:
    """Decimals that show the smallest non-zero of `values` with `digits` significant digits, at most MAX_DECIMALS."""
    sizes = [abs(v) for v in values if v and math.isfinite(v)]
    if not sizes:
        return 0
    wanted = digits - 1 - math.floor(math.log10(min(sizes)))
    return max(0, min(MAX_DECIMALS, wanted))


def fixed(value: float, decimals: int) -> str:
    """`value` with `decimals` decimals and grouped thousands; with an exponent where those would show only zeros."""
    if not math.isfinite(value):
        return NOTHING
    if value and abs(value) < 0.5 * 10.0**-decimals and decimals >= MAX_DECIMALS:
        return f"{value:.2e}".replace("e-0", "e-").replace("-", "−")
    text = f"{abs(value):.{decimals}f}"
    whole, point, fraction = text.partition(".")
    sign = "−" if value < 0 and float(text) else ""
    return sign + count(int(whole)) + point + fraction


def significant(value: float, digits: int = 4) -> str:
    """`value` rounded to `digits` significant digits, in fixed notation."""
    return fixed(value, decimals_for([value], digits))


def amount(value: float, digits: int = 6) -> str:
    """`value` with at most `digits` significant digits and no trailing zeros: 19850.0 gives ``19 850``."""
    text = significant(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def exact(value: float) -> str:
    """`value` as typed: the shortest decimal that is the same number, at most twelve significant digits."""
    if not math.isfinite(value):
        return NOTHING
    text = f"{value:.12g}"
    if "e" not in text:
        return text
    decimals = 11 - math.floor(math.log10(abs(value)))
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".") if 0 < decimals <= 20 else text.replace("e-0", "e-")


def threshold(value: float) -> str:
    """A threshold as it was typed; one that was taken from the risks, with digits without end, to six of them."""
    typed = float(f"{value:.11g}") == value
    return exact(value if typed else float(f"{value:.6g}"))


def percent(fraction: float, digits: int = 4) -> str:
    """A fraction as per cent with `digits` significant digits: 0.0195637 gives ``1.956 %``."""
    return f"{significant(100 * fraction, digits)}{NO_BREAK}%"


def one_in(risk: float) -> str:
    """A risk in words: 0.00125 gives ``1 in 800``; empty where that would say nothing (0, or above one half)."""
    if not 0 < risk <= 0.5:
        return ""
    inverse = 1 / risk
    rounded = round(inverse) if inverse < 1000 else round(inverse, -(math.floor(math.log10(inverse)) - 2))
    return _("1 in {n}").format(n=count(int(rounded)))


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
        return exact(value)
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
