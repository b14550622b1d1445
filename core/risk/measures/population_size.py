"""How many people a file is a sample of: by the measure that says it, else by the weights, else the file is all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.errors import DataError
from core.base.texts import mark

if TYPE_CHECKING:
    from core.risk.measures.evaluation import MeasureInput
    from core.tables.cells import Cells


def total_weight(cells: Cells) -> float:
    """The sum of all weights, which there are."""
    from core.tables.exact_sums import to_float

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
