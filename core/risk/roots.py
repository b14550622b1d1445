"""The root of a function of one variable between two points where its signs differ."""

from __future__ import annotations

import math
from collections.abc import Callable

_STEPS = 100


def brent(function: Callable[[float], float], first: float, second: float, absolute: float, relative: float) -> float:
    """Brent's method (1973, chapter 4), as scipy's `brentq` does it: bisection, secant or inverse quadratic steps.

    Written again because importing scipy's takes longer than most runs need for their figures.

    Parameters
    ----------
    function : with different signs, or 0, at `first` and `second`
    absolute, relative : the root is nearer than absolute + relative |root|

    Returns
    -------
    where the function is 0 or changes its sign
    """
    before, at, other = first, second, 0.0
    f_before, f_at, f_other = function(before), function(at), 0.0
    if f_before == 0.0:
        return before
    step = last = 0.0
    for _ in range(_STEPS):
        if f_at == 0.0:
            return at
        if f_before != 0.0 and (f_before < 0.0) != (f_at < 0.0):
            other, f_other = before, f_before
            last = step = at - before
        if abs(f_other) < abs(f_at):
            before, at, other = at, other, at
            f_before, f_at, f_other = f_at, f_other, f_at
        near = (absolute + relative * abs(at)) / 2.0
        half = (other - at) / 2.0
        if abs(half) < near:
            return at
        tried = math.inf
        if abs(last) > near and abs(f_at) < abs(f_before):
            tried = _interpolated(before, at, other, f_before, f_at, f_other)
        if 2.0 * abs(tried) < min(abs(last), 3.0 * abs(half) - near):
            last, step = step, tried
        else:
            last = step = half
        before, f_before = at, f_at
        at += step if abs(step) > near else math.copysign(near, half)
        f_at = function(at)
    return at


def _interpolated(before: float, at: float, other: float, f_before: float, f_at: float, f_other: float) -> float:
    """The step to where a line, or a parabola lying on its side, is 0; infinite where there is none."""
    if before == other:
        return -f_at * (at - before) / (f_at - f_before)
    slope_before = (f_before - f_at) / (before - at)
    slope_other = (f_other - f_at) / (other - at)
    below = slope_other * slope_before * (f_other - f_before)
    return -f_at * (f_other * slope_other - f_before * slope_before) / below if below else math.inf
