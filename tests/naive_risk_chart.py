"""Slow plain twins of what the Risk Chart shows: linked numbers record by record, the riskiest cells by sorting."""

from __future__ import annotations

from collections.abc import Sequence

TOLERANCE = 1e-12


def is_unsafe(risk: float, threshold: float | None) -> bool:
    """The one test of unsafe, method section 3."""
    return threshold is not None and risk >= threshold * (1 - TOLERANCE)


def unsafe(risks: Sequence[float], threshold: float | None) -> int:
    """Number of unsafe records."""
    return sum(is_unsafe(risk, threshold) for risk in risks)


def bound(risks: Sequence[float], threshold: float | None) -> float:
    """The rate once every unsafe record is brought to the threshold, [P04] eq. 17."""
    return sum(risk if threshold is None else min(risk, threshold) for risk in risks) / len(risks)


def interval(risks: Sequence[float], threshold: float | None) -> tuple[float | None, float | None]:
    """The highest risk that is safe and the lowest that is not."""
    safe = [risk for risk in risks if not is_unsafe(risk, threshold)]
    others = [risk for risk in risks if is_unsafe(risk, threshold)]
    return max(safe, default=None), min(others, default=None)


def for_rate(risks: Sequence[float], rate: float) -> float | None:
    """The threshold with this rate: r* = (n tau - sum of the risks below it) / records at or above it, method 3."""
    if rate >= sum(risks) / len(risks):
        return None
    for level in sorted(set(risks)):
        below = [risk for risk in risks if risk < level]
        threshold = (rate * len(risks) - sum(below)) / (len(risks) - len(below))
        if threshold <= level:
            return threshold
    raise AssertionError("the rate lies below that of the file")


def for_records(risks: Sequence[float], count: int) -> float | None:
    """The lowest level at which at most so many records are unsafe; None where only "none" has so few."""
    return next((level for level in sorted(set(risks)) if unsafe(risks, level) <= count or count >= len(risks)), None)


def riskiest(risks: Sequence[float], threshold: float | None) -> list[int]:
    """Cells at or above the threshold, riskiest first, then by position; nan is no risk."""
    found = [(-risk, cell) for cell, risk in enumerate(risks) if is_unsafe(risk, threshold)]
    return [cell for _, cell in sorted(found)]
