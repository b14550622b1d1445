"""Numbers of axes as the locale writes them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from gui.shared.charts.log_axis import CountAxis, written_out


@pytest.fixture
def german() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    yield
    QLocale.setDefault(before)


def test_axes_write_numbers_as_the_locale_does(german: None) -> None:
    assert written_out([0.0, 0.2, 35000.0, 1e-07, 1234567.0]) == ["0", "0,2", "35.000", "0,0000001", "1.234.570"]


@pytest.mark.parametrize("height", [-20.0, 0.0, 0.5, 1.0, 2.0, 3.0, 8.0, 40.0])
def test_a_squeezed_axis_has_ticks_within_its_range_or_none(qapp: QApplication, height: float) -> None:
    every = [tick for _step, ticks in CountAxis().tickValues(0.0, 3000.0, height) for tick in ticks]
    assert all(0 <= tick <= 3000 for tick in every)
