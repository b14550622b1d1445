"""Numbers of axes as the locale writes them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from gui.shared.charts.log_axis import written_out


@pytest.fixture
def german() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    yield
    QLocale.setDefault(before)


def test_axes_write_numbers_as_the_locale_does(german: None) -> None:
    assert written_out([0.0, 0.2, 35000.0, 1e-07, 1234567.0]) == ["0", "0,2", "35.000", "0,0000001", "1.234.570"]
