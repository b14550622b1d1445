"""Interval disclosure: how many released records tell the original values within a small interval."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.progress import Progress
from ...base.texts import mark, plural
from ...recipe.declared import Declaration, Figure, Guide, Parameter, RecordFigure
from ..robust import robust_location, singular, squared_distances
from .evaluation import INTRUDERS, Evaluation, MeasureInput
from .file_pair import RELEASED
from .shown import LISTED, CurvePicture, Headline, Listed, Listing

Floats = NDArray[np.float64]

_POINTS = 61
_WIDEST = 3.0
"""How many times the width the curve goes."""

DECLARATION = Declaration(
    name="interval",
    title=mark("Interval disclosure"),
    group=INTRUDERS,
    sentence=mark(
        "The share of records with all original values within some standard deviations of the released ones: a record "
        "inside is disclosed."
    ),
    parameters=(
        *RELEASED,
        Parameter(
            "width",
            "number",
            mark("Half the width of the interval, in standard deviations."),
            default=0.05,
            low=0.0,
            low_included=False,
        ),
        Parameter(
            "robust",
            "boolean",
            mark("Robust standard deviations, and wider intervals for records far from the bulk of the data."),
            default=False,
        ),
        Parameter(
            "seed", "integer", mark("Where the robust search begins."), default=1, low=0, only_with=("robust", True)
        ),
        Parameter(
            "compat",
            "choice",
            mark("sdcmicro: standard deviations of the released variable, a missing value counts as inside (dRisk)."),
            choices=("sdcmicro",),
            only_with=("robust", False),
        ),
    ),
    figures=(
        Figure("records", mark("records compared"), "count", mark("records with a value in both files")),
        Figure("inside", mark("share inside"), "percent", mark("those with every value inside: disclosed")),
        Figure("n_inside", mark("records inside"), "count", mark("how many they are")),
        Figure("by_variable", mark("share inside"), "percent", mark("the same of each variable by itself")),
        Figure("released_sha256", mark("SHA-256 of the released file"), "text", mark("checksum of the file compared")),
    ),
    columns=(RecordFigure("interval", mark("1: all values inside, 0: not")),),
    of_records=True,
    guide=Guide(
        assumes="An intruder has found the right released record and takes its values for the true ones: inside is "
        "bad. A value that is missing in either file is not compared; a record with none left is left out.",
        not_for="Telling whether records are found at all, see `record-linkage`. Skewed variables: a standard "
        "deviation of a few very large values makes intervals that hold most others, so `robust` is the better choice.",
        formula="Share of records i with |x_ij − y_ij| ≤ width · s_j in all variables j, s_j the standard deviation "
        "(n − 1) of the original. `robust`: s_j that of the minimum covariance determinant (MCD) of complete records, "
        "times d_i/median(d), d_i the robust Mahalanobis distance of the original record, so that a far record counts "
        "as disclosed even if it was moved further. sdcMicro's dRiskRMD counts records with *any* variable inside and "
        "takes distances from the mean; it is not reproduced.",
        source="Domingo-Ferrer, Torra (2001); Templ, Meindl (2008); Rousseeuw, Van Driessen (1999); sdcMicro `dRisk`.",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """Shares inside, of all variables and of each [method: continuous variables]."""
    said, files = given.parameters, given.record_files
    pair = files.pair()
    original, released = pair.original, pair.released[np.maximum(pair.place, 0)]
    released = np.where((pair.place < 0)[:, None], np.nan, released)
    compat = "compat" in said
    scale = _scale(original, pair.released if compat else original)
    if said["robust"]:
        scale = _robust_scale(original, scale[0], said["seed"], given.progress)
    wide = reach(original, released, scale)
    judged = (pair.place >= 0) & ~np.isnan(wide).all(axis=1)
    if said["robust"]:
        judged &= ~np.isnan(scale).any(axis=1)
    if said["missing_rule"] == "listwise":
        judged &= ~np.isnan(wide).any(axis=1)
    if compat:
        judged = pair.place >= 0
        wide = np.where(np.isnan(wide), 0.0, wide)
    most = np.max(wide, axis=1, initial=0.0, where=~np.isnan(wide))
    inside = np.where(judged, (most <= said["width"]).astype(np.float64), np.nan)
    records, n_inside = int(judged.sum()), int(np.nansum(inside))
    figures: dict[str, Any] = {
        "records": records,
        **({"inside": n_inside / records} if records else {}),
        "n_inside": n_inside,
        "by_variable": {
            name: float(np.mean(column <= said["width"]))
            for name, column in zip(files.variables, (part[~np.isnan(part)] for part in wide[judged].T), strict=True)
            if len(column)
        },
        **pair.figures,
    }
    return Evaluation(
        figures,
        of_records={"interval": inside},
        headline=_headline(n_inside, records, said["width"]),
        picture=_curve(most[judged], said["width"]),
        behind=_behind(np.flatnonzero(inside == 1), most),
    )


def reach(original: Floats, released: Floats, scale: Floats) -> Floats:
    """How far each original value is from the released one, in `scale` (n or 1, p); (n, p), nan where one is missing.

    Without a scale, in a variable that has one value only, a change is infinitely far.
    """
    apart = np.abs(original - released)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = apart / scale
    return np.where(apart == 0, 0.0, np.where(np.isnan(apart), np.nan, found))


def _scale(original: Floats, of: Floats) -> Floats:
    """Standard deviations (n - 1) of the variables, (1, p); 0 of fewer than two values."""
    deviations = [float(np.std(known, ddof=1)) if len(known) > 1 else 0.0 for known in (c[~np.isnan(c)] for c in of.T)]
    return np.array([deviations])


def _robust_scale(original: Floats, deviations: Floats, seed: int, progress: Progress) -> Floats:
    """By record and variable, (n, p); nan of records with missing values."""
    complete = ~np.isnan(original).any(axis=1)
    values = original[complete]
    if len(values) <= 2 * original.shape[1] or (deviations == 0).any():
        raise singular()
    values = (values - values.mean(axis=0)) / deviations
    center, scatter = robust_location(values, seed, progress)
    distance = np.sqrt(squared_distances(values, center, scatter))
    found = np.full(original.shape, np.nan)
    found[complete] = np.sqrt(np.diag(scatter)) * deviations * (distance / np.median(distance))[:, None]
    return found


def _headline(inside: int, records: int, width: float) -> Headline:
    text = plural(
        inside,
        "{n} of {records} records is disclosed: all its values are within {width} standard deviations of the released "
        "ones.",
        "{n} of {records} records are disclosed: all their values are within {width} standard deviations of the "
        "released ones.",
    )
    return Headline(text, {"n": (inside, "count"), "records": (records, "count"), "width": (width, "exact")})


def _curve(most: Floats, width: float) -> CurvePicture | None:
    """The share inside by the width."""
    if not len(most):
        return None
    widths = np.linspace(0.0, _WIDEST * width, _POINTS)
    shares = np.searchsorted(np.sort(most), widths, "right") / len(most)
    return CurvePicture(mark("width in standard deviations"), mark("share of records inside"), widths, shares)


def _behind(inside: NDArray[np.intp], most: Floats) -> Listing:
    listed = inside[np.argsort(most[inside], kind="stable")][:LISTED]
    told = Listed(mark("width that holds it"), "number:4", most[listed])
    return Listing(mark("Records inside, the least changed first"), (told,), len(inside), records=listed)
