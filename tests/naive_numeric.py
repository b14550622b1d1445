"""Slow plain twin of core.recoding.numerical: fractions and texts, one value at a time."""

from __future__ import annotations

from fractions import Fraction


def rounded(value: Fraction, base: Fraction) -> Fraction:
    """The nearest multiple of the base, halves away from zero."""
    steps = abs(value) / base
    whole = steps.numerator // steps.denominator
    if steps - whole >= Fraction(1, 2):
        whole += 1
    return whole * base if value >= 0 else -whole * base


def printed(value: Fraction, decimals: int) -> str:
    """A number with so many decimals, halves away from zero."""
    units = rounded(value * 10**decimals, Fraction(1))
    digits = str(abs(units.numerator)).rjust(decimals + 1, "0")
    text = digits[: len(digits) - decimals] + ("." + digits[len(digits) - decimals :] if decimals else "")
    return "-" + text if units < 0 else text


def changed(
    text: str,
    decimals: int,
    base: str | None = None,
    top: tuple[str, str] | None = None,
    bottom: tuple[str, str] | None = None,
) -> str:
    """What becomes of one text; numbers of the rules as they are typed."""
    if not text:
        return text
    value = Fraction(text)
    if base is not None:
        value = rounded(value, Fraction(base))
        text = printed(value, max(decimals, len(base.partition(".")[2])))
    if top is not None and value >= Fraction(top[0]):
        return top[1]
    if bottom is not None and value <= Fraction(bottom[0]):
        return bottom[1]
    return text
