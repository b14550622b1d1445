"""*Check my file* names what is odd or dangerous in a file that nobody has described."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from tests.gui.specify_metadata.hand import examined, opened, press
from tests.gui.waiting import wait_idle

LOOKS_MISSING = {"SEX": 9, "REGION": 99, "AGE": 999, "EMPLOYED": -1}
HEADER = "NAME,SEX,REGION,AGE,EMPLOYED,WEIGHT,LAND,NOTHING"


def record(i: int) -> str:
    """A name, SEX with 9 beside 1 and 2, REGION with 99, AGE with 999, EMPLOYED with -1, a weight of about one."""
    sex = 9 if i % 40 == 0 else 1 + i % 2
    region = 99 if i % 50 == 0 else 1 + i % 12
    age = 999 if i % 60 == 0 else 18 + i % 60
    employed = -1 if i % 45 == 0 else i % 3
    return f"Person {i:03d},{sex},{region},{age},{employed},{0.5 + i % 3 * 0.5},NL,"


def test_everything_that_is_odd_is_named_with_its_reason(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    data = tmp_path / "people.csv"
    data.write_text("\n".join([HEADER, *map(record, range(300))]) + "\n", encoding="utf-8")
    main = open_window(data)
    window = opened(qtbot, main)
    press(qtbot, window, "suggest")
    wait_idle(qtbot, main.document)
    examined(qtbot, window)
    model = window.proposals.table.rows
    rows = [[str(model.index(row, place).data() or "") for place in (0, 1, 3)] for row in range(model.rowCount())]
    said = {(name, what) for name, what, _reason in rows}
    assert {("NAME", "Direct identifier"), ("WEIGHT", "Weight")} < said
    assert {(name, "Key") for name in ("SEX", "REGION", "AGE")} < said
    assert {(name, f"Missing code {code}") for name, code in LOOKS_MISSING.items()} < said
    reasons = {name: reason for name, what, reason in rows if what == "To look at"}
    assert reasons["LAND"] == "LAND has the same value in every record: NL."
    assert reasons["NOTHING"] == "NOTHING is empty or missing in every record."
    assert not window.touched, "nothing is changed by what is proposed"
    assert window.proposals.state.text().startswith("What is ticked is changed by Apply")
    whole = model.rowCount()
    sizes = window.findChild(QCheckBox, "eachSize")
    assert sizes.text().replace("&", "") == "A row for each length"
    sizes.setChecked(True)
    assert model.rowCount() == whole - 1 + len(HEADER.split(",")), "one for each variable in place of one for all"
