"""A risk chart's pictures for saving, and its figures as columns; drawn by the code that draws the report's charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.report.charts import curve_svg, histogram_svg
from core.report.data import Curve
from core.risk.staircase import Histogram
from core.suppression.forecast import Forecast
from core.texts import translate
from gui import numbers
from gui.models.columns import Column


def _risk(value: float) -> str:
    return numbers.format_exact(float(f"{value:.6g}"))


def histogram_picture(
    bars: Histogram, threshold: float | None, title: str, unit: str, unsafe: NDArray[np.float64]
) -> str:
    """The histogram as SVG; `unsafe` is how much of each bar is."""
    edges, records, part = bars.edges.tolist(), bars.records.tolist(), np.rint(unsafe).astype(int).tolist()
    return histogram_svg(edges, records, threshold, unsafe=part, title=title, unit=unit)


def histogram_columns(bars: Histogram, unit: str) -> Sequence[Column]:
    """Bounds, records and cells of each bar."""
    return (
        Column(translate("risk from"), bars.edges[:-1], _risk, True),
        Column(translate("up to"), bars.edges[1:], _risk, True),
        Column(unit, bars.records, numbers.format_count, True),
        Column(translate("combinations"), bars.cells, numbers.format_count, True),
    )


def curve_picture(forecast: Forecast, points: int, up_to: float | None, threshold: float | None, empty: Curve) -> str:
    """The risk–utility curve as SVG; `up_to` as in `Forecast.curve`, `empty` is to be filled with the forecast."""
    thresholds, cost = forecast.curve(points, up_to=up_to)
    current = None if threshold is None else (threshold, forecast.at(threshold).loss)
    steps = tuple(zip(thresholds.tolist(), cost.tolist(), strict=True))
    return curve_svg(replace(empty, points=steps, current=current, remaining=forecast.remaining()))


def curve_columns(forecast: Forecast, points: int, up_to: float | None) -> Sequence[Column]:
    """Threshold, loss, suppressions and unsafe records at the points of the curve; `up_to` as in `Forecast.curve`."""
    thresholds, cost = forecast.curve(points, up_to=up_to)
    at = [forecast.at(float(threshold)) for threshold in thresholds]
    columns = [
        Column(translate("threshold"), thresholds, _risk, True),
        Column(translate("loss"), cost, lambda loss: numbers.format_number(loss, 1), True),
        Column(translate("suppressions"), [point.total for point in at], numbers.format_count, True),
        Column(translate("records touched"), [point.records_touched for point in at], numbers.format_count, True),
    ]
    by_variable = (
        Column(name, [point.by_variable[name] for point in at], numbers.format_count, True)
        for name in forecast.variables
    )
    return [*columns, *by_variable]
