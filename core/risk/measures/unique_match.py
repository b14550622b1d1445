"""Unique match: the chance that a match with somebody who is unique in the file is right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.texts import mark, plural
from core.recipe.declared import Declaration, Figure, Guide, Parameter
from core.risk.measures.evaluation import POPULATION, Evaluation, MeasureInput, frequencies_listed
from core.risk.measures.population_size import population_size
from core.risk.measures.shown import BarPicture, Headline, cells_behind

POPULATION_OF_SAMPLE = (
    Parameter(
        "population",
        "number",
        mark("Number of people in the population; default: the sum of the weights, else the file is the population."),
        low=1.0,
    ),
    Parameter(
        "least",
        "integer",
        mark("The fewest uniques and the fewest pairs with which θ is reliable."),
        default=10,
        low=1,
    ),
)
"""By what θ is told from a sample."""

DECLARATION = Declaration(
    name="unique-match",
    title=mark("Unique match"),
    group=POPULATION,
    sentence=mark("The chance that somebody who matches exactly one record of the file is the person of that record."),
    parameters=(
        Parameter(
            "missing_rule",
            "choice",
            mark("listwise: among complete records; wildcard: by numbers of matches; category: missing is a value."),
            default="listwise",
            choices=("listwise", "wildcard", "category"),
        ),
        *POPULATION_OF_SAMPLE,
    ),
    figures=(
        Figure("theta", mark("θ"), "risk", mark("the chance that a match with a unique record is right")),
        Figure("n1", mark("n₁, uniques"), "count", mark("records that are unique, or have one match only")),
        Figure("n2", mark("n₂, pairs"), "exact", mark("pairs of records, or half of the records with two matches")),
        Figure("reliable", mark("reliable"), "text", mark("whether uniques and pairs are at least as many as `least`")),
    ),
    guide=Guide(
        assumes="The file is a simple random sample of the population, or nearly one, and values are without error. It "
        "assumes nothing about how many people share a key.",
        not_for="Judging one record: θ is one number for all uniques. Few uniques or pairs: it is said then that θ is "
        "not reliable. A missing value that agrees with any (`wildcard`) makes uniques too few.",
        formula="θ = π n₁ / (π n₁ + 2 (1 − π) n₂), n₁ records that are unique, n₂ pairs, π the records looked at as a "
        "share of the `population`. Under `wildcard` n₁ counts records with one match, n₂ half of those with two.",
        source="Skinner, Elliot, *A measure of disclosure risk for microdata* (2002); Mulder, *Ensuring anonymity in "
        "survey panel research*.",
    ),
)


def uniques_and_pairs(f: NDArray[np.float64], count: NDArray[np.int64]) -> tuple[int, float]:
    """n1 and n2: records with f = 1, and half of those with f = 2; f (m,) may be nan, count (m,) are records."""
    return int(count[f == 1.0].sum()), int(count[f == 2.0].sum()) / 2


def evaluate(given: MeasureInput) -> Evaluation:
    """θ of the file [method: uniqueness in survey panels; SE02]."""
    from core.risk.population_uniqueness import correct_given_unique

    cells, people = given.cells, population_size(given)
    judged = int(cells.count[~np.isnan(cells.f)].sum())
    uniques, pairs = uniques_and_pairs(cells.f, cells.count)
    fraction = judged / people
    theta = correct_given_unique(uniques, pairs, fraction)
    figures: dict[str, Any] = {} if math.isnan(theta) else {"theta": theta}
    figures |= {
        "n1": uniques,
        "n2": int(pairs) if pairs == int(pairs) else pairs,
        "reliable": min(uniques, pairs) >= given.parameters["least"],
    }
    return Evaluation(
        figures,
        headline=_headline(figures),
        picture=_picture(uniques, pairs, judged),
        behind=cells_behind(mark("Unique keys"), -cells.f, cells.f == 1.0, frequencies_listed(cells)),
    )


def _headline(figures: dict[str, Any]) -> Headline:
    if "theta" not in figures:
        return Headline(mark("No record is unique and none is one of a pair: there is nothing to tell θ from."))
    places = {"theta": (figures["theta"], "share"), "n": (figures["n1"], "count")}
    if figures["reliable"]:
        text = plural(
            figures["n1"],
            "Who matches the {n} unique record is its person with a chance of {theta}.",
            "Who matches one of the {n} unique records is its person with a chance of {theta}.",
        )
        return Headline(text, places)
    places |= {"pairs": (figures["n2"], "exact")}
    return Headline(mark("θ is {theta}, but with {n} unique records and {pairs} pairs that is not reliable."), places)


def _picture(uniques: int, pairs: float, judged: int) -> BarPicture:
    """Records that are unique, in pairs, or among more."""
    names = mark("unique"), mark("in pairs"), mark("among more")
    values = np.array([uniques, 2 * pairs, judged - uniques - 2 * pairs], np.float64)
    return BarPicture(mark("how many share a key"), mark("records"), names, values)
