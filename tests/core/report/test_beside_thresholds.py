"""A risk below a threshold is never shown equal to it, nor the other way round."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.data.risk_figures import RiskFigures, TableState
from core.report.blocks import ReportData
from core.report.compose import compose
from core.report.html import render_html, render_plain
from core.report.numbers import NO_BREAK, TOLERANCE, beside, limit, one_in
from core.risk.distribution import LargestSafeRisk
from tests.core.report.examples import demodata, table

RISKS = (
    st.floats(1e-8, 1.0) | st.integers(1, 10**6).map(lambda n: 1 / n) | st.decimals("0.0001", 1, places=4).map(float)
)
NEAR = st.integers(-12, -1).flatmap(lambda e: st.floats(-1, 1).map(lambda x: 1 + x * 10.0**e))


@given(RISKS, NEAR, st.integers(1, 7))
@example(0.05, 0.04997 / 0.05, 3)
@example(0.0499712345, 0.0499712400 / 0.0499712345, 3)
def test_order_is_preserved_between_texts(threshold: float, near: float, digits: int) -> None:
    risk = min(threshold * near, 1.0)
    at = limit(threshold, risk)
    shown, text = Decimal(beside(risk, digits, at)), Decimal(at.text)
    if risk < threshold * (1 - TOLERANCE):
        assert shown < text
    else:
        assert shown >= text


@given(st.lists(RISKS, min_size=1, max_size=5), RISKS, st.integers(0, 6))
def test_a_column_of_risks_keeps_all_on_their_side(risks: list[float], threshold: float, decimals: int) -> None:
    at = limit(threshold, *risks)
    found = at.decimals(decimals, *risks)
    assert found >= decimals
    for risk in risks:
        assert (Decimal(f"{at.judged(risk):.{found}f}") < Decimal(at.text)) == (risk < threshold * (1 - TOLERANCE))


@given(RISKS, NEAR)
@example(0.05, 0.04997 / 0.05)
def test_one_in_reads_as_less_likely_below_the_threshold_or_is_left_out(threshold: float, near: float) -> None:
    risk = threshold * near
    assume(risk <= 0.5)
    at = limit(threshold, risk)
    texts = one_in(risk, at), one_in(at.shown)
    assume(all(texts))
    ones = [float(text.removeprefix("1 in ").replace(",", "")) for text in texts]
    assert ones[0] > ones[1] or not at.is_above(risk)


def test_few_digits_stay_where_they_suffice() -> None:
    assert beside(0.0423, 3, limit(0.05)) == "0.0423"
    assert beside(0.049973, 3, limit(0.05)) == "0.04997"
    assert beside(0.0500312, 3, limit(0.0500312)) == "0.0500312"
    assert beside(math.nan, 3, limit(0.05, math.nan)) == "–" and limit(0.05).decimals(3, math.nan, 0.02) == 3
    assert limit(1 / 30).text == "0.0333333"
    assert limit(0.0499712345678901, 0.04997122).text == "0.04997123"
    assert one_in(0.04997, limit(0.05)) == "1 in 20.01"
    assert one_in(0.02, limit(0.05)) == "1 in 50"


@pytest.mark.parametrize("render", [render_html, render_plain])
def test_no_figure_of_the_report_reads_like_the_threshold_it_stays_below(render: Callable[[ReportData], str]) -> None:
    """Largest risks of 0.04997 and 0.0299996 under thresholds of 0.05 and 0.03, as html and plain texts say them."""
    safe = TableState(RiskFigures(0.049973, 12.0, 0.003, 0), RiskFigures(0.0299996, 20.0, 0.006, 0, 900, 0))
    before = TableState(RiskFigures(0.4, 12.0, 0.01, 99), RiskFigures(0.6, 20.0, 0.02, 120, 900, 60))
    near = replace(
        table(), threshold=0.05, household_threshold=0.03, recoded=before, original=None, safe=safe, released=None,
        actual=LargestSafeRisk(0.04999996, 0.0099), group_max=0.029999999, group_unsafe=0, curve=(), edges=(),
    )  # fmt: skip
    told = render(compose(demodata(tables=(near,)))).replace(NO_BREAK, " ")
    assert "largest individual risk 0.04997 (1 in 20.01)" in told
    assert "largest household risk 0.0299996" in told
    numbers = set(re.findall(r"(?<![\d.])0\.\d+", told))
    assert numbers >= {"0.04997", "0.0299996", "0.04999996", "0.05", "0.03"}
    assert not {n for n in numbers if float(n) in (0.05, 0.03)} - {"0.05", "0.03"}
    assert told.count("1 in 20)") == len(re.findall(r"0\.05 \(1 in 20\)", told))
