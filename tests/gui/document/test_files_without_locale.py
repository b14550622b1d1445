"""Whatever the user's language, numbers are written to files with a point and without group separators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QLocale
from pytestqt.qtbot import QtBot

from core.recipe.model import Output, Threshold
from gui.main_window.window import MainWindow
from tests.gui.risk_chart.hand import MIXED, Hand, delimited, one_table
from tests.gui.waiting import wait_idle


def test_a_german_desktop_writes_points(qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path) -> None:
    QLocale.setDefault(QLocale("de_DE"))
    rows = [(f"{weight}.25", a, b) for weight, a, b in MIXED]
    main = open_window(delimited(tmp_path, "W,A,B", rows, one_table() + "[threshold]\nindividual_risk = 0.02\n"))
    chart = Hand(qtbot, main)
    chart.type("riskThreshold", "0,0315")
    document = main.document
    assert document.recipe.threshold == Threshold(individual_risk=0.0315)
    assert "," in chart.text("maxRisk")
    output = Output(data=tmp_path / "safe.csv", summary=tmp_path / "summary.json", records=tmp_path / "records.csv")
    document.commit("Out", document.recipe.with_(output=replace(output, add_risk=True)))
    wait_idle(qtbot, document)
    document.save(tmp_path / "saved.pavo")
    assert "individual_risk = 0.0315" in (tmp_path / "saved.pavo").read_text("utf-8")
    document.make_protected_file()
    wait_idle(qtbot, document)
    fields = len((tmp_path / "safe.csv").read_text("utf-8").splitlines()[0].split(","))
    lines = (tmp_path / "safe.csv").read_text("utf-8").splitlines()
    assert {len(line.split(",")) for line in lines} == {fields} and ".25" in lines[1]
    records = (tmp_path / "records.csv").read_text("utf-8").splitlines()
    assert len({len(line.split(",")) for line in records}) == 1 and "0." in records[1]
