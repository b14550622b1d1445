"""How many people a file is a sample of, and the chance that a match with a unique record of it is right."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.texts import mark
from ...recipe.declared import Figure, Parameter

if TYPE_CHECKING:
    from ...tables.cells import Cells
    from .evaluation import MeasureInput


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

UNIQUE_MATCH = (
    Figure("theta", mark("θ"), "risk", mark("the chance that a match with a unique record is right")),
    Figure("n1", mark("n₁, uniques"), "count", mark("records that are unique, or have one match only")),
    Figure("n2", mark("n₂, pairs"), "exact", mark("pairs of records, or half of the records with two matches")),
    Figure("reliable", mark("reliable"), "text", mark("whether uniques and pairs are at least as many as `least`")),
)
"""What is told of θ."""


def uniques_and_pairs(f: NDArray[np.float64], count: NDArray[np.int64]) -> tuple[int, float]:
    """n1 and n2: records with f = 1, and half of those with f = 2; f (m,) may be nan, count (m,) are records."""
    return int(count[f == 1.0].sum()), int(count[f == 2.0].sum()) / 2


def unique_match(given: MeasureInput, f: NDArray[np.float64]) -> dict[str, float | bool]:
    """`UNIQUE_MATCH` by matches f (m,) of the cells [SE02]; θ where the population is known.

    Raises
    ------
    DataError
        The population that the entry says is less than the records.
    """
    from ..population_uniqueness import correct_given_unique

    try:
        people = population_size(given)
    except DataError:
        if "population" in given.parameters:
            raise
        people = math.nan
    count = given.cells.count
    uniques, pairs = uniques_and_pairs(f, count)
    theta = correct_given_unique(uniques, pairs, int(count[~np.isnan(f)].sum()) / people)
    return ({} if math.isnan(theta) else {"theta": theta}) | {
        "n1": uniques,
        "n2": int(pairs) if pairs == int(pairs) else pairs,
        "reliable": min(uniques, pairs) >= given.parameters["least"],
    }


def total_weight(cells: Cells) -> float:
    """The sum of all weights, which there are."""
    from ...tables.exact_sums import to_float

    sums = [limb.sum(keepdims=True) for limb in cells.weight_limbs]
    return float(to_float(sums, cells.weight_decimals)[0])


def population_size(given: MeasureInput) -> float:
    """N: the parameter `population`, else the sum of the weights, else the records, where these are the population.

    Raises
    ------
    DataError
        Nobody knows it, or it is less than the records.
    """
    cells, said = given.cells, given.parameters.get("population")
    n = cells.records
    if said is None and cells.weight_limbs:
        said = total_weight(cells)
    if said is None and given.units == "sample":
        raise DataError(
            "population-unknown",
            mark('A sample (input.units = "sample") without a weight does not tell how large its population is.'),
            mark("Choose the weight, or say population in the measure."),
        )
    if said is not None and said < n:
        raise DataError(
            "population-too-small",
            mark("The measure's population is {population}, but the file has {records} records."),
            mark("Say the number of people that the file is a sample of."),
            population=f"{said:g}",
            records=n,
        )
    return float(n if said is None else said)
