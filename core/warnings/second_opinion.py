"""Warnings that the individual risk of a table under- or overestimates by the second opinion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.errors import Notice
from ..base.texts import mark, phrase, series
from ..results.results import Results
from ..results.second_opinions import TableEstimate
from ..risk.second_opinion import ModelEstimate

TOO_LOW, TOO_HIGH = "individual-risk-too-low", "individual-risk-too-high"


def second_opinion_notices(derived: Results, opinions: Mapping[int, TableEstimate]) -> Iterator[Notice]:
    """Where the individual risk is below 0.8 or above 1.25 times the calibrated risk, or cannot be compared with it."""
    for table in derived.risk_tables:
        found = opinions.get(table.index, TableEstimate())
        if found.refused is not None:
            yield found.refused
        if found.opinion is None:
            continue
        individual = table.staircase.expected_reidentifications
        verdict = found.opinion.verdict(individual)
        if not verdict:
            continue
        low, high, is_all = found.opinion.interval_told(table.staircase.n)
        yield Notice.of(
            TOO_LOW if verdict == "too low" else TOO_HIGH,
            _TEXTS[verdict],
            combination=" x ".join(table.combination.variables),
            names=_dependencies(found.opinion),
            individual=_shown(individual),
            expected=_shown(found.opinion.expected_reidentifications),
            low=_shown(low),
            high=_shown(high),
            more=mark(", at most all") if is_all else "",
            largest=_shown(found.opinion.maximum),
            own=_shown(table.staircase.max_risk),
        )


_TEXTS = {
    "too low": mark(
        "The individual risk of {combination} probably underestimates: {expected} ({low} to {high}{more}) "
        "re-identifications expected by the population model{names}, {individual} by the individual risk. Recode more "
        "coarsely, or lower the threshold in the same proportion."
    ),
    "too high": mark(
        "The individual risk of {combination} probably overestimates: {individual} re-identifications expected, "
        "{expected} ({low} to {high}{more}) by the population model{names}. Single records may still be riskier: the "
        "largest risk is {largest} by the model, {own} by the individual risk."
    ),
}


def _dependencies(opinion: ModelEstimate) -> str:
    """Which key variables the model takes to go together, as part of a sentence."""
    if not opinion.edges:
        return ""
    pairs = [phrase("{one} with {other}", one=one, other=other) for one, other in opinion.edges]
    return phrase(", which includes associations between variables ({pairs})", pairs=series(pairs))


def _shown(value: float) -> float | int:
    """Three digits, all of those before the decimal point."""
    return round(value) if value >= 100 else float(f"{value:.3g}")
