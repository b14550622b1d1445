"""Estimates of risk in sentences: which estimator, the larger of two first, with its interval."""

from __future__ import annotations

from ..base.texts import translate as _
from ..data.risk_figures import RiskFigures
from ..profiles.estimators import estimator_words
from .facts import ReportInput, TableFacts
from .numbers import count, significant


def estimator_name(estimator: str, given: ReportInput) -> str:
    """An estimator in a sentence; of a file without weights what its risk is then."""
    return estimator_words(estimator, bool(given.weight or given.weighted))


def expected_sentence(table: TableFacts, after: RiskFigures, given: ReportInput) -> str:
    """Both estimates of the expected re-identifications in the safe file, the larger first; empty without another."""
    later = table.later
    if later is None:
        return ""
    own = _with_interval(after.expected, None), estimator_name(table.estimator, given)
    other = _with_interval(later.expected, later.interval_told), estimator_name(later.estimator, given)
    first, then = (own, other) if after.expected > later.expected else (other, own)
    told = _("Expected re-identifications: {first} by {larger}; {then} by {smaller}.")
    return told.format(first=first[0], larger=first[1], then=then[0], smaller=then[1])


def modelled_sentence(table: TableFacts, given: ReportInput) -> str:
    """What the population model expects of the safe file by a table without a risk; or why there is none."""
    if table.later is not None:
        told = _("Expected re-identifications in the safe file: {expected} by {estimator}.")
        expected = _with_interval(table.later.expected, table.later.interval_told)
        return told.format(expected=expected, estimator=estimator_name(table.later.estimator, given))
    if table.safe is None or given.weight or given.weighted:
        return ""
    return _("Without sampling weights, no population model gives the expected re-identifications.")


def _with_interval(expected: float, interval: tuple[float, float] | None) -> str:
    """An estimate as it is told: three digits, whole from 10 on; with its interval."""
    if interval is None:
        return estimate(expected)
    told = _("{expected} ({low} to {high})")
    return told.format(expected=estimate(expected), low=estimate(interval[0]), high=estimate(interval[1]))


def estimate(value: float) -> str:
    """An estimated number of records: whole from 10 on, else two digits."""
    return count(round(value)) if value >= 9.5 else significant(value, 2)
