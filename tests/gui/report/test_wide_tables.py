"""Tables of many dimensions fit the sheet on the screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from core.report.compose import compose
from core.report.html import render_plain
from gui.report.document import SCREEN_WIDTH, ReportDocument
from tests.core.report.examples import demodata, table


@pytest.mark.parametrize("width", [SCREEN_WIDTH, 640])
def test_eleven_dimensions_take_the_width_of_the_sheet(qapp: QApplication, width: int) -> None:
    names = tuple(f"VARIABLE{n}" for n in range(11))
    unsafe = tuple((d, 99_999_999) for d in range(1, 12))
    wide = replace(table(), variables=names, model="frequency", unsafe_combinations=unsafe, records_in_these=unsafe)
    document = ReportDocument(width, 1.0)
    document.show_report(render_plain(compose(demodata(tables=(wide,)))))
    document.setTextWidth(width)
    assert "dim 11" in document.toPlainText()
    assert document.idealWidth() <= width + 1, "all beside each other would take more of the paper"
