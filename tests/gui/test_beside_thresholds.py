"""No risk below a threshold is shown equal to it, in Risk Chart and Make Protected File."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from PySide6.QtWidgets import QComboBox

from core.data.risk_figures import RiskFigures, TableState
from core.report.numbers import TOLERANCE, limit
from core.whatif.before_after import BeforeAfter
from gui import numbers
from gui.make_protected_file.preview import _risk_rows
from tests.gui.conftest import Charts
from tests.gui.risk_chart.hand import MIXED, RISK

RISKS = st.floats(1e-8, 1.0, exclude_max=True)  # 1 is written as "none"
NEAR = st.integers(-11, -1).flatmap(lambda e: st.floats(-1, 1).map(lambda x: 1 + x * 10.0**e))
TABLE = f'[[combinations]]\nvariables = ["A", "B"]\n{RISK}'


@given(RISKS, NEAR, st.integers(3, 7))
@example(0.05, 0.0499999 / 0.05, 5)
def test_order_is_preserved_between_texts(threshold: float, near: float, decimals: int) -> None:
    risk = threshold * near
    at = limit(threshold, risk)
    shown = numbers.parse_number(numbers.format_beside(risk, decimals, at)).value
    text = numbers.parse_number(numbers.format_threshold(threshold, risk)).value
    assert shown < text if risk < threshold * (1 - TOLERANCE) else shown >= text


@given(RISKS, NEAR, st.integers(3, 7))
def test_both_with_the_same_decimals_are_told_apart(threshold: float, near: float, decimals: int) -> None:
    risk = threshold * near
    assume(risk < threshold * (1 - TOLERANCE))
    more = numbers.decimals_apart(decimals, risk, threshold)
    texts = [numbers.format_number(value, more) for value in (risk, threshold)]
    assert more >= decimals and numbers.parse_number(texts[0]).value < numbers.parse_number(texts[1]).value


def test_the_preview_tells_the_largest_risk_from_the_threshold() -> None:
    before = TableState(RiskFigures(0.4, 20.0, 0.01, 99), RiskFigures(0.6, 40.0, 0.02, 90, 300, 60))
    after = TableState(RiskFigures(0.0499996, 9.0, 0.003, 0), RiskFigures(0.02999999, 20.0, 0.01, 0, 300, 0))
    outcome = BeforeAfter(("A",), 0.05, 0.03, before, after)
    rows = {title: texts for title, *texts in _risk_rows(outcome)}
    assert rows["Largest individual risk"] == ["0.40000", "0.0499996"]
    assert rows["Records at or above 0.05"] == ["99", "0"]
    assert rows["Largest household risk"] == ["0.60000", "0.02999999"]
    assert rows["Households at or above 0.03"] == ["60", "0"]
    assert rows["Unsafe records by household risk"] == ["90", "0"]


def test_the_chart_tells_the_largest_risk_from_the_threshold(small_chart: Charts, subtests: pytest.Subtests) -> None:
    hand = small_chart(MIXED, TABLE)
    largest = hand.document.derived.risk_tables[0].staircase.max_risk
    for decimals, near in product((3, 5, 7), (1.003, 1.00002, 1 + 3e-9)):
        with subtests.test(decimals=decimals, near=near):
            hand.find(QComboBox, "decimals").setCurrentText(str(decimals))
            hand.type("riskThreshold", repr(largest * near))
            assert hand.text("unsafeRecords") == "0"
            assert float(hand.text("maxRisk")) < float(hand.text("riskThreshold"))
            hand.type("riskThreshold", "0.5")
            assert hand.text("riskThreshold") == f"{0.5:.{decimals}f}"
            assert hand.text("maxRisk") == f"{largest:.{decimals}f}"
