"""A session that an earlier version kept when it died is taken over, with the unfinished input of every window.

`tests/data/kept_session.json` was written by that version itself, on a copy of the demonstration survey.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytestqt.qtbot import QtBot

from gui.document import autosave
from gui.document.autosave import Autosave
from gui.document.document import Document
from gui.main_window.window import MainWindow
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

KEPT = Path(__file__).parents[2] / "data" / "kept_session.json"
WINDOWS = (
    "specifyMetadata",
    "selectCombinations",
    "numericalVariables",
    "makeProtectedFile",
    "reportDetails",
    "globalRecode",
)


def left_by_it(survey: Path) -> dict[str, Any]:
    """Put what the earlier version kept where a dead process leaves it; its content."""
    keeper = Autosave(Document())
    keeper.finish()
    text = KEPT.read_text("utf-8").replace("{survey}", survey.as_posix())
    keeper.file.write_text(text, "utf-8")
    keeper.file.chmod(0o600)
    content: dict[str, Any] = json.loads(text)
    return content


def test_unfinished_input_of_every_window_is_taken_over(
    qtbot: QtBot, open_window: Callable[..., MainWindow], answers: list[int], demo: Path, tmp_path: Path
) -> None:
    main = open_window()
    content = left_by_it(copy_survey(demo, tmp_path).parent)
    document = main.document
    answers.append(0)
    main.menu_actions["actionRecoverSession"].trigger()
    wait_idle(qtbot, document)
    assert [step.label for step in document.session.history.steps] == ["Open survey.pavo", "Threshold"]
    assert document.recipe.threshold.individual_risk == 0.25
    assert document.session.drafts == content["drafts"]
    windows: dict[str, Any] = {}
    for name in WINDOWS:
        windows[name] = main.windows.open_window(name, **({"variable": "AGE"} if name == "globalRecode" else {}))
        wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: windows["globalRecode"].text.edit.toPlainText() != "", timeout=20_000)
    wait_idle(qtbot, document)
    variables = {variable.name: variable for variable in windows["specifyMetadata"].draft.variables}
    assert variables["SEX"].label == "Sex of the person"
    assert windows["selectCombinations"].builder.names == ("OCCUP", "SEX")
    assert windows["numericalVariables"].rules.top.at.text() == "5000"
    assert windows["makeProtectedFile"].output.shuffle.isChecked()
    assert windows["reportDetails"].boxes["title"].text() == "Labour force survey"
    assert windows["reportDetails"].remarks.toPlainText() == "Second draft."
    assert windows["globalRecode"].text.edit.toPlainText() == "1: 0-17\n2: 18-"
    assert sorted(document.session.drafts) == sorted(WINDOWS), "still kept"
    assert autosave.left_behind() == []
    for name in WINDOWS:
        answers[:] = [0]
        windows[name].close()
        assert answers == [], f"{name} asked whether its draft shall be dropped"
        assert main.window_named(name) is None
    assert document.session.drafts == {}
