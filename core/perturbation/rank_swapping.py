"""Rank swapping: each number changes places with another one of nearly the same rank."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice, RecipeError
from ..base.texts import mark, translate
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.declared import Declaration, Figure, Guide, Parameter
from ..recipe.model import Perturbation
from .codes import with_codes
from .method import PerturbationInput, Perturbed
from .numbers import decimals_of, numbers_of, with_numbers
from .same_numbers import other_numbers
from .units import places_of, units_of

Floats = NDArray[np.float64]


def _check(where: str, used: Mapping[str, Any]) -> None:
    """Refuse ends that leave nothing in the middle."""
    if used["top"] + used["bottom"] >= 100:
        raise RecipeError(
            "recipe-contradiction",
            mark("{key}: top = {top} and bottom = {bottom} per cent are all records."),
            mark("Say less of them."),
            key=where,
            top=f"{used['top']:g}",
            bottom=f"{used['bottom']:g}",
        )


DECLARATION = Declaration(
    name="rank-swapping",
    title=mark("Rank swapping"),
    group=mark("Numerical variables"),
    sentence=mark(
        "Each number changes places with another one whose rank is near: all numbers stay in the file, with other "
        "records."
    ),
    parameters=(
        Parameter(
            "percent",
            "number",
            mark("How far away the other number may be, in ranks, as per cent of the records."),
            default=5.0,
            low=0.0,
            high=100.0,
            low_included=False, outside="never",
        ),
        Parameter(
            "top", "number", mark("Per cent of the records, the largest, that get their mean."), 0.0, low=0.0,
            high=100.0,
        ),
        Parameter(
            "bottom", "number", mark("Per cent of the records, the smallest, that get their mean."), 0.0, low=0.0,
            high=100.0,
        ),
    ),
    figures=(
        Figure(
            "swapped",
            mark("Numbers that were swapped"),
            "count",
            mark("Over all variables."),
        ),
        Figure(
            "without_partner",
            mark("Numbers without a partner"),
            "count",
            mark("Nobody was left within the window: they stay with their records."),
        ),
        Figure(
            "largest_distance_of_ranks",
            mark("Largest distance of swapped ranks"),
            "count",
            mark("Of two swapped numbers in the order of the values, in records."),
        ),
        Figure(
            "same_numbers",
            mark("The same numbers as before"),
            "text",
            mark("Whether sorted values are those of the original; not where ends are coded to their means."),
        ),
    ),
    told=mark("numbers swapped between records whose ranks are at most {percent} per cent of the records apart"),
    told_outside=mark("numbers swapped between records of near ranks"),
    check=_check,
    guide=Guide(
        assumes="Near ranks are near values: where the distribution has gaps, numbers change much.",
        not_for="Analyses of several variables together: each is swapped by itself, and relations fade as the window "
        "grows. Sums by small groups change.",
        formula="Among the numbers in ascending order, equal ones in random order, each that has no partner gets one "
        "drawn evenly of those above it that have none, are at most ⌊n · `percent` / 100⌋ ranks away and differ. "
        "Of the largest, who has none joins a pair within as many ranks: three exchange.",
        source="Moore (1996), *Controlled data-swapping techniques for masking public use microdata sets*.",
    ),
)  # fmt: skip


def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Those that the entry names."""
    return entry.variables


def perturb(given: PerturbationInput) -> Perturbed:
    """Every variable swapped by itself, within strata; missing numbers stay where they are.

    Raises
    ------
    DataError
        A value that is no number; members of a household with different values of a household variable.
    """
    columns, distances, alone, swapped = {}, [0], 0, 0
    for number, name in enumerate(given.columns):
        given.progress.check()
        given.progress.report(number, len(given.columns), translate(mark("Swapping values")))
        column, units = given.columns[name], units_of(given, [name])
        numbers = numbers_of(column, given.metadata.decimal)[units.first]
        codes, random = column.values[units.first], given.random(name)
        after, means = codes.copy(), np.full(len(codes), np.nan)
        for own in places_of(units.strata, len(codes)):
            there = own[~np.isnan(numbers[own])]
            order, partner, low, high = swapped_ranks(numbers[there], given.parameters, random)
            rows = there[order]
            middle = slice(low, len(rows) - high)
            after[rows[middle]] = codes[rows[middle]][partner]
            for end in (rows[:low], rows[len(rows) - high :]):
                means[end] = numbers[end].mean() if len(end) else np.nan
            apart = np.abs(partner - np.arange(len(partner)))
            distances.append(int(apart.max(initial=0)))
            alone += int((apart == 0).sum())
            swapped += int((apart > 0).sum())
        columns[name] = _recoded(given, name, after[units.of_record], means[units.of_record])
    told = {"swapped": swapped, "without_partner": alone, "largest_distance_of_ranks": max(distances)}
    return Perturbed(columns, told | {"same_numbers": not (given.parameters["top"] or given.parameters["bottom"])})


def broken(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """Where nothing is coded to means: numbers that a stratum did not have, or has another number of times."""
    if given.parameters["top"] or given.parameters["bottom"]:
        return
    yield from other_numbers(given, columns)


def swapped_ranks(
    numbers: Floats, parameters: Mapping[str, Any], random: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], int, int]:
    """Who swaps with whom.

    Parameters
    ----------
    numbers : (n,) finite

    Returns
    -------
    order : (n,) places ascending by number, equal ones in random order
    partner : (m,) of those between both ends, in that order: the place among them whose number each gets
    low, high : how many at the ends get their mean instead
    """
    from ..kernels.rank_swapping import swap_partners

    n = len(numbers)
    order = np.lexsort((random.random(n), numbers))
    low, high = (math.floor(n * parameters[end] / 100) for end in ("bottom", "top"))
    middle = np.ascontiguousarray(numbers[order[low : n - high]])
    window = math.floor(n * parameters["percent"] / 100)
    partner = np.empty(len(middle), np.int64)
    swap_partners(middle, random.random(len(middle)), window, partner)
    _take_in(middle, window, partner, random)
    return order, partner, low, high


def _take_in(numbers: Floats, window: int, partner: NDArray[np.int64], random: np.random.Generator) -> None:
    """Let who is left over within the last window, where nobody above is free, join a pair, so that three exchange.

    Of an odd number one is left over, and it is one of the largest: those by which records are recognised.

    Parameters
    ----------
    numbers : (m,) ascending
    partner : (m,) changed in place; whoever finds no pair within the window stays
    """
    m = len(numbers)
    begin = max(m - 1 - window, 0)
    for place in (begin + np.flatnonzero(partner[begin:] == np.arange(begin, m))).tolist():
        one = np.arange(max(place - window, 0), min(place + window + 1, m))
        other = partner[one]
        possible = (np.abs(other - place) <= window) & (numbers[one] != numbers[place])
        possible &= (numbers[other] != numbers[place]) & (other != one)
        found = one[possible]
        if len(found):
            chosen = int(found[int(random.random() * len(found))])
            partner[place], partner[chosen] = partner[chosen], place


def _recoded(given: PerturbationInput, name: str, codes: NDArray[np.unsignedinteger], means: Floats) -> EncodedColumn:
    """The variable with the codes of others, and means at its ends where these are not nan."""
    column, decimal = given.columns[name], given.metadata.decimal
    after = with_codes(column, codes)
    if np.isnan(means).all():
        return after
    places = decimals_of(column, given.metadata[name], decimal)
    return with_numbers(after, means, places, decimal)
