"""Generate metadata: a whole description proposed, reviewed before → after, and saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.metadata.description import load_description
from core.recipe.model import Input
from gui import dialogs
from gui.main_window.window import MainWindow
from gui.settings import settings
from gui.specify_metadata.proposals import Proposals
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.specify_metadata.hand import LEFT, accept, examined, opened, place, press, variable
from tests.gui.waiting import wait_idle


def review(qtbot: QtBot, window: SpecifyMetadata) -> Proposals:
    examined(qtbot, window)
    assert window.proposals.isVisible()
    return window.proposals


def rows(list: Proposals) -> list[list[str]]:
    model = list.table.model
    return [[model.index(row, column).data() for column in range(4)] for row in range(model.rowCount())]


def tick(list: Proposals, name: str, proposal: str) -> None:
    row = next(i for i, (shown, what, *_) in enumerate(rows(list)) if (shown, what) == (name, proposal))
    index = list.table.model.index(row, 0)
    is_ticked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
    state = Qt.CheckState.Unchecked if is_ticked else Qt.CheckState.Checked
    assert list.table.model.setData(index, state, Qt.ItemDataRole.CheckStateRole)


def test_proposals_are_reviewed_and_ticks_stay(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    press(qtbot, metadata, "suggest")
    found = review(qtbot, metadata)
    assert rows(found)[0] == [
        "PERSONNO", "Direct identifier", "use: Keep as is → Direct identifier",
        "It is called PERSONNO, and 5,002 records have 5,002 different values.",
    ]  # fmt: skip
    assert [row[:2] for row in rows(found)[1:3]] == [["INCOME", "Sensitive"], ["ILLNESS", "Sensitive"]]
    assert not metadata.draft.touched
    view = found.table.view
    view.setFocus()
    view.selectRow(1)
    count = len(found.checked())
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert len(found.checked()) == count - 1
    ticked = [found.table.model.index(i, 0).data(Qt.ItemDataRole.CheckStateRole) for i in range(len(rows(found)))]
    assert found.take.text() == f"&Apply ({ticked.count(Qt.CheckState.Checked)})"
    metadata.draft.change([place(metadata, "SEX")], label="Sex")
    examined(qtbot, metadata)
    assert len(found.checked()) == count - 1
    qtbot.mouseClick(found.take, LEFT)
    assert variable(metadata, "PERSONNO").role == "direct-identifier"
    assert not variable(metadata, "INCOME").sensitive
    assert variable(metadata, "ILLNESS").sensitive
    assert variable(metadata, "AGE").ordered
    assert variable(metadata, "REGION").ordered is False
    examined(qtbot, metadata)
    assert [row[:2] for row in rows(found)] == [["INCOME", "Sensitive"]]
    assert not found.take.isEnabled()


def test_what_can_only_be_looked_at_has_no_box(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    data = tmp_path / "x.csv"
    data.write_text("a,b\n" + "1,x\n" * 30, encoding="utf-8")
    window = opened(qtbot, open_window(data))
    press(qtbot, window, "suggest")
    found = review(qtbot, window)
    assert rows(found)[0] == ["a", "To look at", "", "a has the same value in every record: 1."]
    box = Qt.ItemDataRole.CheckStateRole
    model = found.table.model
    assert model.index(0, 0).data(box) is None
    assert not model.setData(model.index(0, 0), Qt.CheckState.Checked, box)
    window.close()


def test_the_reason_has_the_room_that_is_left_and_no_width_is_kept_unasked(
    qtbot: QtBot, metadata: SpecifyMetadata
) -> None:
    press(qtbot, metadata, "suggest")
    view = review(qtbot, metadata).table.view
    qtbot.waitUntil(lambda: view.horizontalHeader().length() == view.viewport().width())
    assert settings.widths("suggestionList") == []
    view.setColumnWidth(1, view.columnWidth(1) + 10)
    assert len(settings.widths("suggestionList")) == 4


def test_of_codes_that_look_missing_one_is_ticked_and_taken(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    data = tmp_path / "x.csv"
    data.write_text("EDUC,q\n" + "".join(f"{(1, 2, 3, -1, 9)[i % 5]},{i % 2}\n" for i in range(60)), encoding="utf-8")
    window = opened(qtbot, open_window(data))
    press(qtbot, window, "suggest")
    dialog = review(qtbot, window)
    shown = {(name, what): change for name, what, change, _ in rows(dialog)}
    assert shown["EDUC", "Missing code 9"] == "missing: (empty) → (empty)  9"
    assert shown["EDUC", "Missing code -1"] == "missing: (empty) → (empty)  -1"
    assert not {"missing"} & {s.kind for s in dialog.checked()}
    tick(dialog, "EDUC", "Missing code -1")
    qtbot.mouseClick(dialog.take, LEFT)
    assert variable(window, "EDUC").missing == ("", "-1")
    examined(qtbot, window)


def test_the_menu_generates_and_what_is_saved_reads_back_the_same(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window(demo / "survey.csv")
    action = main.menu_actions["actionGenerateMetadata"]
    assert action.text() == "&Generate Metadata…"
    action.trigger()
    window = main.window_named("specifyMetadata")
    assert isinstance(window, SpecifyMetadata)
    dialog = review(qtbot, window)
    said = {(name, what): change for name, what, change, _ in rows(dialog)}
    assert said["REGION", "Key"] == "use: Keep as is → Key; level: 0 → 1"
    assert said["REGION", "Household variable"] == "use: Key → Key · Household variable"
    assert said["INCOME", "Numerical"] == "type: Categorical → Numerical"
    assert said["HHID", "Household identifier"] == (
        "use: Keep as is → Household identifier; type: Categorical → Neither"
    )
    assert rows(dialog)[-1][0] == "Lengths and decimals (12)"
    everything = dialog.checked()
    dialog.each.click()
    assert rows(dialog)[-1][0] == "WEIGHT"
    assert rows(dialog)[-1][2] == "length: – → 6; decimals: 0 → 2"
    assert dialog.checked() == everything
    dialog.each.click()
    assert dialog.checked() == everything
    qtbot.mouseClick(dialog.take, LEFT)
    examined(qtbot, window)
    monkeypatch.setattr(dialogs, "save_file", lambda *_: tmp_path / "own.rda")
    press(qtbot, window, "saveMetadataAs")
    wanted = {v.name: v for v in window.draft.variables}
    again = load_description(Input(demo / "survey.csv", tmp_path / "own.rda"), ()).metadata
    for name in ("HHID", "REGION", "SEX", "AGE", "MARSTAT", "HHPOS", "EDUC", "OCCUP", "WEIGHT"):
        assert again[name] == replace(wanted[name], ordered=None)  # which has no place in that format
    accept(qtbot, window)
    wait_idle(qtbot, main.document)
    assert main.document.derived is not None
    assert main.document.derived.metadata.variables == tuple(wanted.values())


def test_a_delimited_file_is_saved_with_its_lengths(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "x.csv"
    data.write_text("region,sex\nGroningen,1\nAssen,2\n", encoding="utf-8")
    window = opened(qtbot, open_window(data))
    monkeypatch.setattr(dialogs, "save_file", lambda *_: tmp_path / "x.rda")
    press(qtbot, window, "saveMetadataAs")
    qtbot.waitUntil((tmp_path / "x.rda").exists)
    lines = (tmp_path / "x.rda").read_text(encoding="utf-8").splitlines()
    assert lines[:3] == ['   <SEPARATOR> ","', "   <NAMESINFRONT>", "region 9"]
    assert not window.draft.touched
    said = "μ-ARGUS asks for a missing code of each categorical variable: of 2 only empty is missing."
    assert window.messages.text == f"The metadata are written to x.rda. {said}"
    window.close()
