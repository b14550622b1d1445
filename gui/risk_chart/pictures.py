"""A risk chart's pictures for saving, and its figures as columns; drawn by the code that draws the report's charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.base.texts import translate
from core.report.blocks import Curve, Outline
from core.report.charts import curve_svg, histogram_svg
from core.risk.distribution import Histogram
from core.suppression.forecast import Forecast
from gui import numbers
from gui.settings import DECIMALS, settings
from gui.shared.table.model import Column
from gui.texts import Counted


def _risk(value: float) -> str:
    return numbers.format_small(value, settings.get(DECIMALS))


def histogram_picture(
    bars: Histogram,
    threshold: float | None,
    title: str,
    unit: str,
    unsafe: NDArray[np.float64],
    before: Histogram | None,
) -> str:
    """The histogram as SVG; `unsafe` is how much of each bar is, `before` what is outlined."""
    edges, records, part = bars.edges.tolist(), bars.records.tolist(), np.rint(unsafe).astype(int).tolist()
    outline = None if before is None else Outline(tuple(before.edges.tolist()), tuple(before.records.tolist()))
    return histogram_svg(edges, records, threshold, unsafe=part, title=title, unit=unit, outline=outline)


def histogram_columns(
    bars: Histogram, units: tuple[Counted, Counted], before: Histogram | None, running: bool
) -> Sequence[Column]:
    """Bounds, records and cells of each bar, and what is outlined.

    Parameters
    ----------
    units : of records and cells
    before : in the classes of the bars and in others beyond, as `in_classes_of` makes them
    running : whether both hold running totals
    """
    shown = bars if before is None else _continued(bars, before.edges, running)
    unit, of_cells = units
    columns = [
        Column(translate("risk from"), shown.edges[:-1], _risk, True),
        Column(translate("up to"), shown.edges[1:], _risk, True),
        Column(unit.name, shown.records, numbers.format_count, True),
        Column(of_cells.name, shown.cells, numbers.format_count, True),
    ]
    if before is not None:
        title, about = translate("{unit} before").format(unit=unit.name), translate("Before the last recode")
        columns.append(Column(title, before.records, numbers.format_count, True, about))
    return columns


def _continued(bars: Histogram, edges: NDArray[np.float64], running: bool) -> Histogram:
    """Bars in more classes; in those beyond the bars there is nothing, or nothing more."""
    below = int(np.searchsorted(edges, bars.edges[0]))
    above = len(edges) - below - len(bars.edges)

    def padded(values: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.pad(values, (below, above), constant_values=(0, int(values[-1]) if running else 0))

    return Histogram(edges, padded(bars.records), padded(bars.cells))


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
