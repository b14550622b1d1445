"""Global Recode of a variable with ten thousand codes: right, and nothing of its codelist in the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from core.recipe.model import Recode, VariableEdit
from core.recoding import draft, intervals, labels_made
from core.recoding.draft import Draft
from core.whatif import recode_effect
from gui.global_recode import edits
from gui.global_recode import model as models
from gui.global_recode.group_codes_dialog import GroupCodes
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from tests.big_file import make_file
from tests.gui.global_recode.hand import click_rows, label, offer, opened, press, settle, shown, text
from tests.gui.waiting import wait_idle

CARDS = {"PLACE": 10_000, "SEX": 2, "AGE": 60}
LONG = (
    (models, "categories_of"),
    (models, "code_columns"),
    (models, "category_columns"),
    (labels_made, "default_labels"),
    (draft, "outcome"),
    (draft, "truncate"),
    (draft, "parse_scheme"),
    (intervals, "prefix_levels"),
    (intervals, "truncation"),
    (recode_effect, "comparable_loss"),
)
"""What takes as long as the codelist is."""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Long functions that were called in the GUI thread."""
    called: list[str] = []

    def watched(f: Callable[..., Any], name: str) -> Callable[..., Any]:
        @wraps(f)
        def watch(*args: Any, **kwargs: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                called.append(name)
            return f(*args, **kwargs)

        return watch

    for module, name in LONG:
        monkeypatch.setattr(module, name, watched(getattr(module, name), name))
    return called


@pytest.fixture
def window(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, here: list[str]
) -> Iterator[GlobalRecode]:
    """PLACE, of which some villages have a name."""
    session = make_file(tmp_path, 20_000, 3, 0.02, cards=CARDS)
    rda = tmp_path / "big.rda"
    rda.write_text(rda.read_text("utf-8").replace("<RECODABLE>", '<RECODABLE>\n<CODELIST> "places.cdl"', 1), "utf-8")
    names = "".join(f"{place:05d},Village {place}\n" for place in range(1, 7_001))
    (tmp_path / "places.cdl").write_text(names, "utf-8")
    made = opened(qtbot, open_window(session), "AGE")
    here.clear()
    made.show_for(variable="PLACE")
    yield made
    made.drafts.forget()


def truncate(qtbot: QtBot, window: GlobalRecode, digits: int) -> None:
    next(a for a in window.codes.group.menu().actions() if a.objectName() == "group_truncate").trigger()
    dialog = window.findChildren(GroupCodes)[-1]
    dialog.findChild(QLineEdit, "truncateDigits").setText(str(digits))
    ok = dialog.buttons.buttons()[0]
    assert (dialog.result_text.text(), ok.isEnabled()) == ("Computing…", False)
    qtbot.waitUntil(ok.isEnabled)
    ok.click()
    settle(qtbot, window)


def expected(window: GlobalRecode, digits: int) -> dict[str, dict[str, str]]:
    """What the code table has to show, from the recode itself."""
    prepared = window._prepared
    assert prepared is not None
    original = prepared.microdata.columns["PLACE"]
    made = Draft.of(original, Recode("PLACE", truncate=digits) if digits else None, True, None)
    labels = models.Labels(prepared.labels["PLACE"], {})
    if digits:
        new = labels_made.default_labels(original, made.recoding(), labels.original)
        labels = models.Labels(labels.original, new)
    columns, _ = models.code_columns(made, labels)
    texts = {column.title: [column.text(value) for value in column.values] for column in columns}
    return {title: dict(zip(texts["Code"], texts[title], strict=True)) for title in ("Label", "New code", "New label")}


def check(window: GlobalRecode, digits: int) -> None:
    """The tables and the text say what the recode is."""
    found = expected(window, digits)
    assert {title: shown(window, title) for title in found} == found
    assert bool(text(window)) == bool(digits)


def test_the_codes_are_shown_once_they_are_made(qtbot: QtBot, window: GlobalRecode, here: list[str]) -> None:
    assert window.windowTitle().startswith("Global Recode · PLACE")
    assert window.codes.table.codes.model.total == 0
    assert not window.codes.isEnabled()
    assert not window.text.isEnabled()
    tabs = window.codes.table.tabs
    assert [tabs.tabText(place) for place in (0, 1)] == ["Codes", "Categories"]
    settle(qtbot, window)
    assert here == []
    assert window.codes.isEnabled()
    view = window.codes.table.codes.view
    assert view.columnWidth(0) > view.fontMetrics().horizontalAdvance("00001") + 8
    assert label(window, "previewNowUnsafe") != "–"
    check(window, 0)


def test_a_truncation_is_shown_applied_undone_and_redone(qtbot: QtBot, window: GlobalRecode, here: list[str]) -> None:
    settle(qtbot, window)
    truncate(qtbot, window, 2)
    assert (text(window).splitlines()[0][:4], label(window, "previewAfterCategories")) == ("000:", "101")
    promised = label(window, "previewAfterUnsafe"), label(window, "previewAfterLoss")
    press(qtbot, window, "apply")
    settle(qtbot, window)
    assert window.document.recipe.recodes == (Recode("PLACE", truncate=2),)
    assert (label(window, "previewNowUnsafe"), label(window, "previewNowLoss")) == promised
    for step, digits in ((window.document.undo, 0), (window.document.redo, 2)):
        step()
        settle(qtbot, window)
        assert here == []
        check(window, digits)
        here.clear()
    assert not window.apply.isEnabled()
    assert window.undo_recode.isEnabled()


def test_a_recode_of_the_session_is_made_apart_and_nothing_can_be_edited_until_then(
    qtbot: QtBot, window: GlobalRecode, here: list[str]
) -> None:
    settle(qtbot, window)
    document = window.document
    document.commit("elsewhere", document.recipe.with_(recodes=(Recode("PLACE", truncate=3),)))
    assert window.text.edit.isReadOnly()
    assert not window.apply.isEnabled()
    window.codes.edited.emit(lambda _: pytest.fail("an edit of what is not there"), [])
    settle(qtbot, window)
    assert here == []
    assert not window.text.edit.isReadOnly()
    assert window.text.source.text() == "applied: truncated by 3"
    check(window, 3)


def test_what_is_clicked_before_an_edit_is_worked_out_comes_after_it(
    qtbot: QtBot, window: GlobalRecode, here: list[str]
) -> None:
    settle(qtbot, window)
    codes = window.codes.table.codes.model
    first, second = (codes.key(row) for row in (3, 4))
    click_rows(qtbot, window, first, second)
    press(qtbot, window, "merge")
    window.show_for(variable="AGE")
    assert window.subject() == "PLACE"
    settle(qtbot, window)
    assert (window.subject(), text(window)) == ("AGE", "")
    here.clear()  # of AGE there are few codes
    window.show_for(variable="PLACE")
    settle(qtbot, window)
    assert text(window) == f"{first}: {first}-{second}"
    press(qtbot, window, "apply")
    wait_idle(qtbot, window.document)
    assert window.document.recipe.recodes == (Recode("PLACE", scheme=f"{first}: {first}-{second}\n"),)
    assert here == []


def test_a_session_that_changes_before_an_edit_is_worked_out_is_said(
    qtbot: QtBot, window: GlobalRecode, here: list[str]
) -> None:
    settle(qtbot, window)
    first, second = (window.codes.table.codes.model.key(row) for row in (3, 4))
    click_rows(qtbot, window, first, second)
    press(qtbot, window, "merge")
    document = window.document
    document.commit("elsewhere", document.recipe.with_(recodes=(Recode("PLACE", truncate=3),)))
    settle(qtbot, window)
    assert window.messages.text == "The session changed."
    assert text(window) == f"{first}: {first}-{second}"
    offer(qtbot, window, "Keep mine")
    settle(qtbot, window)
    assert window.apply.isEnabled()
    assert here == []


def test_a_draft_survives_new_metadata_and_is_made_apart(qtbot: QtBot, window: GlobalRecode, here: list[str]) -> None:
    settle(qtbot, window)
    truncate(qtbot, window, 2)
    document = window.document
    label_of_sex = VariableEdit("SEX", label="Sex of the person")
    document.commit("metadata", document.recipe.with_(variables=(label_of_sex,)))
    settle(qtbot, window)
    assert here == []
    assert window.drafts.all_touched() == ["PLACE"]
    check(window, 2)


def test_stopping_all_work_does_not_leave_the_window_empty(qtbot: QtBot, window: GlobalRecode) -> None:
    window.document.cancel()
    settle(qtbot, window)
    check(window, 0)


def test_the_same_code_works_at_once_and_apart(
    qtbot: QtBot, recode_window: GlobalRecode, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = recode_window
    window.show_for(variable="REGION")
    settle(qtbot, window)
    columns = [shown(window, title) for title in ("Label", "New code", "Records", "Unsafe")]
    window.show_for(variable="AGE")
    monkeypatch.setattr(edits, "FEW_CODES", 0)
    window.codes.table._kept.clear()
    window.show_for(variable="REGION")
    assert window.codes.table.codes.model.total == 0
    settle(qtbot, window)
    assert [shown(window, title) for title in ("Label", "New code", "Records", "Unsafe")] == columns


def test_all_codes_are_selected_and_merged(qtbot: QtBot, window: GlobalRecode, here: list[str]) -> None:
    settle(qtbot, window)
    table = window.codes.table
    table.codes.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    table.codes.view.selectAll()
    valid = window.draft.column.codes[: window.draft.column.n_valid]
    assert table.codes.selected_keys == [*reversed(valid), *window.draft.column.codes[len(valid) :]]
    assert table.selected_codes == list(valid)
    table.codes.filter.setText("0007")
    table.codes.view.selectAll()
    press(qtbot, window, "merge")
    settle(qtbot, window)
    chosen = [code for code in valid if "0007" in code]
    assert [code for code, new in shown(window, "New code").items() if new] == chosen[::-1]
    assert here == []
