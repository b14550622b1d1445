"""Subsample: what is left of the risk when only a random share of the records is released."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError, RecipeError
from ...base.texts import mark
from ...recipe.declared import Declaration, Figure, Guide, Parameter
from .evaluation import MISSING_EQUAL, RARE, Evaluation, MeasureInput
from .shown import CurvePicture, Headline, Listed, Listing

if TYPE_CHECKING:
    from ..subsampling import FileSizes

_SHOWN = 10
"""Sizes of cells in the matrix that is shown."""
_LARGEST_WEIGHTS = 50
"""Rows and columns of weights at most."""
_STEPS = tuple(step / 10 for step in range(1, 11))
_RISKS = ("dr_min", "dr_max", "dr_w")


def _weights(where: str, parameters: Mapping[str, Any]) -> NDArray[np.float64] | None:
    """The weights as a matrix, None where none are said; refused where they are too many or break a condition."""
    from ..subsampling import check_weights

    if "weights" not in parameters:
        return None
    weights, key = np.array(parameters["weights"], np.float64), f"{where}.weights"
    if max(weights.shape) > _LARGEST_WEIGHTS:
        raise RecipeError(
            "sampling-weights-too-many",
            mark("{key} has {rows} rows and {columns} columns; at most {most} of each are possible."),
            mark("Leave out the last ones: what is not said weighs 0."),
            key=key,
            rows=weights.shape[0],
            columns=weights.shape[1],
            most=_LARGEST_WEIGHTS,
        )
    check_weights(weights, key)
    return weights


def _of_a_fraction(name: str, title: str) -> tuple[Figure, Figure]:
    return (
        Figure(name, title, "risk", mark("mean over the samples")),
        Figure(f"{name}_sd", mark("sd"), "number:4", mark("their standard deviation")),
    )


DECLARATION = Declaration(
    name="subsample",
    title=mark("Release of a subsample"),
    group=RARE,
    sentence=mark("How much of the risk is left when a simple random sample of the records is released."),
    parameters=(
        MISSING_EQUAL,
        Parameter(
            "fraction",
            "number",
            mark("The share of the records that is released."),
            required=True,
            low=0.0,
            high=1.0,
            low_included=False,
        ),
        Parameter(
            "weights",
            "matrix",
            mark("What a record counts in a cell of i records in the sample (row) and of j in the file (column)."),
        ),
        Parameter(
            "repeats", "integer", mark("Samples drawn of each fraction of the curve."), default=200, low=2, high=10_000
        ),
        Parameter("seed", "integer", mark("What the samples are drawn from."), default=1, low=0),
    ),
    figures=(
        Figure(
            "matrix",
            mark("Records by the size of their cell in the sample (row) and in the file (column)"),
            "number:2",
            mark("classification matrix c(i, j) in the mean over all samples of the fraction, for sizes up to 10"),
        ),
        Figure("dr_min", mark("DR min"), "risk", mark("records unique in sample and file, as a share of the file")),
        Figure("dr_max", mark("DR max"), "risk", mark("matches by the size of the cell in the file, likewise")),
        Figure("dr_w", mark("DR W"), "risk", mark("the same by the weights, between these")),
        Figure("at_one", mark("DR of the whole file"), "risk", mark("the same at the fraction 1")),
        Figure(
            "slope",
            mark("slope"),
            "risk",
            mark("how much DR grows with the fraction, by the curve: it is nearly a straight line"),
        ),
        Figure(
            "curve",
            mark("Risk by the sampling fraction"),
            "exact",
            mark("simple random samples of each fraction"),
            rows=(
                Figure("fraction", mark("Fraction"), "exact", mark("share of the records that is drawn")),
                *_of_a_fraction("dr_min", mark("DR min")),
                *_of_a_fraction("dr_max", mark("DR max")),
                *_of_a_fraction("dr_w", mark("DR W")),
            ),
        ),
    ),
    check=_weights,
    guide=Guide(
        assumes="An intruder knows the key of people who are in the file, but not who of them is in the sample, and "
        "links at random within a cell of the file. Samples are simple random ones.",
        not_for="Samples by strata or households. The file itself being a sample: these shares are of its records, and "
        "say nothing about the population; see `population`.",
        formula="c(i, j): records in a cell of i in the sample and of j in the file. DR min = c(1, 1) / n; DR max = "
        "(1/n) Σ_j (1/j) Σ_i c(i, j); DR W = (1/(n w(1, 1))) Σ_j (1/j) Σ_i w(i, j) c(i, j). Weights: none "
        "negative, w(1, 1) > 0, w(i, j) ≥ w(i, j + 1) from the diagonal on, w(i, i) ≥ w(i + 1, i + 1); only how they "
        "stand to w(1, 1) matters, not their sum, and what is not said is 0. Shown at `fraction` is the mean over "
        "all samples, exactly; the curve is drawn.",
        source="Truta, Fotouhi, Barth-Jones, *Disclosure risk measures for the sampling disclosure control method* "
        "(2004).",
    ),
)  # fmt: skip


def evaluate(given: MeasureInput) -> Evaluation:
    """Risk of samples of the file, in the mean and with its spread [method: release of a subsample; T04]."""
    from ..subsampling import FileSizes

    said, cells = given.parameters, given.cells
    weights = _weights("measures", said)
    file = FileSizes.of(cells.count[~np.isnan(cells.f)])
    if not file.records:
        return Evaluation({})
    fraction = said["fraction"]
    if fraction * file.records < 1 - 1e-9:  # a product that is 1 may be a little less
        raise DataError(
            "subsample-empty",
            mark("A sample of the share {fraction:g} of {records} records holds less than one record."),
            mark("Choose a fraction of at least {least:.2g}."),
            fraction=fraction,
            records=file.records,
            least=_least_fraction(file.records),
        )
    wanted = _RISKS if weights is not None else _RISKS[:2]
    fractions = sorted({*_STEPS, fraction})
    drawn = file.simulated(fractions, said["repeats"], said["seed"], weights, given.progress)
    curve = [{"fraction": each, **_mean_and_sd(drawn[each], wanted)} for each in fractions]
    at_fraction, at_one = (vars(file.mean_risk(each, weights)) for each in (fraction, 1.0))
    x = np.array(fractions)
    figures: dict[str, Any] = {
        "matrix": file.expected(fraction, min(_SHOWN, int(file.sizes.max()))).tolist(),
        **dict(zip(wanted, at_fraction.values(), strict=False)),
        "at_one": dict(zip(wanted, at_one.values(), strict=False)),
        "slope": {name: float(np.polyfit(x, [row[name] for row in curve], 1)[0]) for name in wanted},
        "curve": curve,
    }
    shown = wanted[-1]
    y, spread = (np.array([row[name] for row in curve]) for name in (shown, f"{shown}_sd"))
    return Evaluation(
        figures,
        headline=_headline(file, fraction, figures),
        picture=CurvePicture(
            mark("sampling fraction"), mark("disclosure risk"), x, y, np.maximum(y - 2 * spread, 0.0), y + 2 * spread
        ),
        behind=_listing(curve, wanted),
    )


def _least_fraction(records: int) -> float:
    """The smallest fraction of two digits that is at least one record."""
    step = 10.0 ** (math.floor(math.log10(1.0 / records)) - 1)
    return math.ceil(1.0 / records / step - 1e-9) * step


def _mean_and_sd(risks: NDArray[np.float64], wanted: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for place, name in enumerate(wanted):
        column = risks[:, place]
        spread = float(column.std(ddof=1)) if np.ptp(column) else 0.0  # equal ones, but for their last bit
        found |= {name: float(column.mean()), f"{name}_sd": spread}
    return found


def _headline(file: FileSizes, fraction: float, figures: dict[str, Any]) -> Headline:
    text = mark("In a sample of {fraction} of the records, {least} to {most} of all {n} records would be at risk.")
    places = {
        "fraction": (fraction, "share"),
        "least": (figures["dr_min"], "percent"),
        "most": (figures["dr_max"], "percent"),
        "n": (file.records, "count"),
    }
    return Headline(text, places)


def _listing(curve: list[dict[str, float]], wanted: tuple[str, ...]) -> Listing:
    columns = [
        Listed(figure.title, figure.format, np.array([row[figure.name] for row in curve]))
        for figure in DECLARATION.figures[-1].rows
        if figure.name == "fraction" or figure.name.removesuffix("_sd") in wanted
    ]
    return Listing(mark("Samples by fraction"), tuple(columns), len(curve))
