"""Numbers far beyond any file, typed into every number box of every window: taken or refused, never an exception."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from gui import numbers
from gui.global_recode.group_codes_dialog import GroupCodes
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from gui.risk_chart.choose_threshold_dialog import ChooseThreshold
from gui.shared.number_box import NumberBox
from gui.shared.windows import WINDOWS, reason_against
from tests.gui.select_combinations.hand import put_away, type_into
from tests.gui.waiting import wait_idle

LARGE = ("3000000000", "-3000000000", "1" + "0" * 30, "1e300", "1e-300")


def test_whole_numbers_of_any_size_can_be_shown() -> None:
    for number in (2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**30):
        assert numbers.format_count(number) == f"{number:,}"
        assert numbers.format_typed(number) == str(number)


BOXES_OF = (
    "selectCombinations", "riskChart", "makeProtectedFile", "numericalVariables", "browseData", "specifyMetadata"
)  # fmt: skip


def test_every_number_box_takes_or_refuses_them(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, answers: list[int], subtests: pytest.Subtests
) -> None:
    main_window = open_window(demo / "survey.pavo")
    document = main_window.document
    for name in BOXES_OF:
        with subtests.test(name):
            assert name in WINDOWS
            assert not reason_against(name, document)
            window = main_window.windows.open_window(name)
            wait_idle(qtbot, document)
            boxes = [box for box in window.findChildren(NumberBox) if box.isEnabled()]
            assert boxes
            for box in boxes:
                for text in LARGE:
                    type_into(qtbot, box, text)
                    QApplication.processEvents()
                    wait_idle(qtbot, document)
                    assert box.message.text() or box.value is not None or not box.isVisible()
            put_away(main_window)
            answers[:] = [0]
            window.close()
            document.jump(0)
            wait_idle(qtbot, document)


def test_the_goals_of_a_threshold_take_or_refuse_them(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    derived = open_window(demo / "survey.pavo").document.derived
    assert derived is not None
    dialog = ChooseThreshold(derived.risk_tables[0].staircase, None)
    qtbot.addWidget(dialog)
    dialog.show()
    for box in dialog.findChildren(QLineEdit):
        for text in LARGE:
            type_into(qtbot, box, text, enter=False)
            assert all(label.text() for _, _, label in dialog._goals)


def test_the_boxes_of_grouping_take_or_refuse_them(qtbot: QtBot, recode_window: GlobalRecode) -> None:
    seen = 0
    for action in recode_window.codes.group.menu().actions():
        if not action.objectName().startswith("group_"):
            continue
        action.trigger()
        dialog = next((d for d in recode_window.findChildren(GroupCodes) if d.isVisible()), None)
        if dialog is None:  # it asks for a file instead
            continue
        for box in dialog.pages.currentWidget().findChildren(QLineEdit):
            for text in LARGE:
                type_into(qtbot, box, text, enter=False)
                qtbot.wait(30)
                wait_idle(qtbot, recode_window.document)
            seen += 1
        dialog.reject()
    assert seen > 3
