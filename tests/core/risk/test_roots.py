"""The root of a function, bit for bit scipy's."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from core.risk.roots import brent

EPSILON = float(np.finfo(float).eps)
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "line": lambda x: x,
    "cube": lambda x: x**3,
    "exponential": lambda x: math.expm1(x) / 7,
    "steep": lambda x: math.tanh(50 * x),
    "flat": lambda x: x / (1 + abs(x)) ** 3,
    "jump": lambda x: 1.0 if x > 0 else -1.0,
    "level": lambda x: max(x, 0.0) - 1e-3,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@given(st.floats(-4, 4), st.floats(1e-9, 9), st.floats(1e-9, 9))
def test_it_is_scipys_root(name: str, place: float, left: float, right: float) -> None:
    def function(x: float) -> float:
        return FUNCTIONS[name](x - place)

    first, second = place - left, place + right
    if function(first) * function(second) > 0:
        return
    for low, high in ((first, second), (second, first)):
        known = brentq(function, low, high, xtol=1e-15, rtol=4 * EPSILON, disp=False)
        assert brent(function, low, high, 1e-15, 4 * EPSILON) == known
