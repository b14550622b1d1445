"""The pieces windows are made of: number box, settings, crash dialog, progress, window registry."""

from __future__ import annotations

import os
import sys
import threading
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from core.base.errors import PavoError
from core.recipe.model import Recipe
from gui import numbers
from gui.document.document import Document
from gui.errors import REPORT, CrashDialog, CrashHandler, details
from gui.main_window.work_indicator import WorkIndicator
from gui.settings import DECIMALS, RECENT_SESSIONS, Setting, settings
from gui.shared import windows as registry
from gui.shared.message_area import MessageArea
from gui.shared.number_box import NumberBox
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.tool_window import ToolWindow
from gui.shared.windows import WindowEntry, Windows
from gui.theme import theme
from tests.gui.conftest import FakeSession


class Box:
    """A number box whose owner accepts 0..1 and rounds nothing."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        self.box = NumberBox("risk", numbers.format_exact, numbers.parse_number, self.window)
        self.other = QLineEdit(self.window)
        self.taken: list[float] = []
        self.box.entered.connect(self._take)
        qtbot.addWidget(self.window)
        self.window.show()
        self.window.activateWindow()
        self.box.setFocus()

    def _take(self, value: float) -> None:
        if not 0 < value <= 1:
            self.box.refuse("must lie between 0 and 1")
            return
        self.taken.append(value)
        self.box.set_value(value)

    def type(self, qtbot: QtBot, text: str, key: Qt.Key | None = Qt.Key.Key_Return) -> None:
        self.box.setFocus()
        self.box.selectAll()
        qtbot.keyClicks(self.box, text)
        if key is not None:
            qtbot.keyClick(self.box, key)


@pytest.fixture
def box(qtbot: QtBot) -> Box:
    return Box(qtbot)


def test_a_typed_number_is_taken_on_enter_and_on_leaving_to_the_last_bit(qtbot: QtBot, box: Box) -> None:
    box.type(qtbot, "0.00125190354")
    box.type(qtbot, "0.25", None)
    assert box.taken == [0.00125190354]
    box.other.setFocus()
    assert box.taken == [0.00125190354, 0.25]
    assert box.box.message.objectName() == "riskMessage"


def test_nonsense_is_refused_beside_the_box_and_the_last_good_number_stays(qtbot: QtBot, box: Box) -> None:
    box.box.set_value(0.5)
    box.type(qtbot, "abc")
    assert "“abc” is not a number" in box.box.message.text()
    assert box.box.value == 0.5
    box.type(qtbot, "7")
    assert box.box.message.text() == "must lie between 0 and 1"
    assert box.box.text() == "7"
    assert box.taken == []
    qtbot.keyClick(box.box, Qt.Key.Key_Escape)
    assert box.box.text() == "0.5"
    assert box.box.message.text() == ""


def test_a_number_that_was_refused_is_judged_again_when_it_is_typed_again(qtbot: QtBot, box: Box) -> None:
    """What stood against it may have gone; leaving the box is enough to ask."""
    box.type(qtbot, "7")
    assert box.box.is_refused
    box.type(qtbot, "7", None)
    assert not box.box.is_refused
    box.other.setFocus()
    assert box.box.message.text() == "must lie between 0 and 1"


def test_refused_text_goes_when_the_number_becomes_another_one(qtbot: QtBot, box: Box) -> None:
    box.box.set_value(0.5)
    box.type(qtbot, "abc")
    box.box.follow(0.5)
    assert (box.box.text(), box.box.is_refused) == ("abc", True)
    box.box.follow(0.25)
    assert (box.box.text(), box.box.message.text(), box.box.is_refused) == ("0.25", "", False)
    box.type(qtbot, "0.1", None)
    box.box.follow(0.75)
    assert box.box.text() == "0.1"


def test_an_empty_box_asks_for_a_number(qtbot: QtBot, box: Box) -> None:
    box.box.set_value(0.5)
    box.box.setFocus()
    box.box.selectAll()
    qtbot.keyClick(box.box, Qt.Key.Key_Delete)
    qtbot.keyClick(box.box, Qt.Key.Key_Return)
    assert box.box.message.text() == "Type a number."


def test_a_program_s_number_is_understood_and_shown_back(qtbot: QtBot, box: Box) -> None:
    QLocale.setDefault(QLocale("de_DE"))
    box.type(qtbot, "0.25")
    assert box.taken == [0.25]
    assert box.box.text() == "0,25"
    assert box.box.message.text() == "Understood as 0,25."


def test_showing_fewer_decimals_changes_no_value(box: Box) -> None:
    box.box.set_value(0.00125190354)
    box.box.set_show(lambda value: numbers.format_number(value, 3))
    assert box.box.text() == "0.001"
    assert box.box.value == 0.00125190354
    assert box.taken == []


def test_undo_belongs_to_the_box_only_while_it_is_being_typed_in(
    qtbot: QtBot, box: Box, document: Document, recipe: Recipe
) -> None:
    undone: list[bool] = []
    from PySide6.QtGui import QAction, QKeySequence

    undo = QAction(box.window)
    undo.setShortcut(QKeySequence(QKeySequence.StandardKey.Undo))
    undo.triggered.connect(lambda: undone.append(True))
    box.window.addAction(undo)
    box.box.set_value(0.5)
    box.type(qtbot, "0.2", None)
    qtbot.keyClick(box.box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == []
    box.box.drop_typing()
    qtbot.keyClick(box.box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [True]


def test_settings_come_back_with_their_types_and_defaults_are_not_written() -> None:
    settings.set(DECIMALS, 3)
    settings.set(RECENT_SESSIONS, ["/a b/c.pavo"])
    settings.set_widths("overviewCodes", [40, 120])
    settings.save()
    settings.forget_file()
    assert settings.get(DECIMALS) == 3
    assert settings.get(RECENT_SESSIONS) == ["/a b/c.pavo"]
    assert settings.widths("overviewCodes") == [40, 120]
    assert settings.recent_sessions() == []
    settings.set(DECIMALS, DECIMALS.default)
    assert not settings._file().contains(DECIMALS.key)


@pytest.mark.parametrize("text", ["{", '"five"', "[1]"])
def test_a_damaged_setting_is_its_default(text: str) -> None:
    settings._file().setValue(DECIMALS.key, text)
    assert settings.get(DECIMALS) == DECIMALS.default


def test_settings_of_a_newer_program_are_neither_misread_nor_changed() -> None:
    number = Setting("view/x", 1)
    settings.set(number, 2)
    settings._file().setValue("version", 99)
    settings.save()
    newer = Path(settings._file().fileName())
    before = newer.read_bytes()
    settings.forget_file()
    assert settings.get(number) == 1
    settings.set(number, 3)
    settings.save()
    assert newer.read_bytes() == before
    settings.forget_file()
    assert settings.get(number) == 3


def failing() -> None:
    raise KeyError("0613 SECRET")


def test_the_crash_text_names_places_and_no_data() -> None:
    try:
        failing()
    except KeyError as error:
        text = details(type(error), error.__traceback__)
    assert "SECRET" not in text
    assert "builtins.KeyError" in text
    assert "tests/gui/test_pieces.py" in text
    assert "failing" in text


@pytest.fixture
def crashes(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[CrashHandler, list[str]]]:
    said: list[str] = []
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    owner = QLabel()
    handler = CrashHandler(lambda: said.append("kept"), lambda error: said.append(error.id), owner)
    handler.install()
    yield handler, said
    handler.uninstall()


def test_a_crash_keeps_the_session_and_shows_one_dialog(
    qtbot: QtBot, crashes: tuple[CrashHandler, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, said = crashes
    for _ in range(2):
        try:
            failing()
        except KeyError:
            sys.excepthook(*sys.exc_info())
    qtbot.waitUntil(lambda: said == ["kept", "kept"])
    dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, CrashDialog) and w.isVisible()]
    assert len(dialogs) == 1
    qtbot.mouseClick(dialogs[0].findChild(QPushButton, "copyDetails"), Qt.MouseButton.LeftButton)
    assert "KeyError" in QGuiApplication.clipboard().text()
    assert "SECRET" not in QGuiApplication.clipboard().text()
    assert "SECRET" not in capsys.readouterr().err
    dialogs[0].reject()


def planted(kind: int, value: str) -> None:
    """An unexpected error that quotes a value, as libraries raise them."""
    if kind == 0:
        float(value)
    elif kind == 1:
        {}[value]
    elif kind == 2:
        Path(value).read_text()
    elif kind == 3:
        value.encode("ascii")
    else:
        try:
            float(value)
        except ValueError as error:
            raise RuntimeError(f"record 17 holds {value}") from error


def test_no_report_of_a_crash_holds_a_value_of_the_file(
    home: Path, crashes: tuple[CrashHandler, list[str]], qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    _, said = crashes
    value, file = "SECRÉT 0613", home / "state" / REPORT
    for kind in range(5):
        try:
            planted(kind, value)
        except (ValueError, KeyError, OSError, RuntimeError):
            caught, error, trace = sys.exc_info()
        found = types.SimpleNamespace(exc_type=caught, exc_value=error, exc_traceback=trace)
        if kind % 2:
            threading.excepthook(found)  # type: ignore[arg-type]
        else:
            sys.excepthook(caught, error, trace)  # type: ignore[arg-type]
        qtbot.waitUntil(lambda kind=kind: len(said) == kind + 1)  # type: ignore[misc]
        sys.unraisablehook(found)  # type: ignore[arg-type]
        (dialog,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, CrashDialog) and w.isVisible())
        shown = "".join(label.text() for label in dialog.findChildren(QLabel)) + dialog.details.toPlainText()
        told = [shown, file.read_text("utf-8"), capsys.readouterr().err]
        assert [part.count("planted") for part in told] == [1, 1, 2] and str(file) in shown
        assert not any(part in one for one in told for part in ("SECR", "0613", "record 17"))
        assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600
        dialog.reject()


def test_an_expected_error_that_nobody_caught_is_shown_as_one(
    qtbot: QtBot, crashes: tuple[CrashHandler, list[str]]
) -> None:
    _, said = crashes
    sys.excepthook(PavoError, PavoError("expected", "It is so."), None)
    qtbot.waitUntil(lambda: said == ["expected"])


def test_messages_offer_buttons_and_go_away(qtbot: QtBot) -> None:
    area = MessageArea()
    qtbot.addWidget(area)
    pressed: list[str] = []
    area.show_error(PavoError("x", "File {f} is gone.", "Find it.", f="a"), [("Locate…", lambda: pressed.append("l"))])
    assert area.text == "File a is gone. Find it."
    qtbot.mouseClick(area.findChild(QPushButton, "messageOffer1"), Qt.MouseButton.LeftButton)
    assert pressed == ["l"]
    area.clear()
    assert not area.isVisible()


def test_progress_shows_after_a_while_and_cancel_later_still(
    qtbot: QtBot, document: Document, recipe: Recipe, fake: FakeSession
) -> None:
    indicator = WorkIndicator(document)
    qtbot.addWidget(indicator)
    indicator.show()
    bar, cancel = indicator.findChild(QWidget, "workBar"), indicator.findChild(QPushButton, "workCancel")
    fake.slow_to_read = True
    document.start("Open", recipe)
    assert not bar.isVisible()
    qtbot.waitUntil(bar.isVisible, timeout=2000)
    assert not cancel.isVisible()
    qtbot.waitUntil(cancel.isVisible, timeout=3000)
    qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not document.busy)
    assert not bar.isVisible()
    assert document.recipe == Recipe()


class Sample(ToolWindow):
    name = "sample"
    title = "Sample"

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.figure = QLabel("1")
        self.content.addWidget(self.figure)
        self.greyed(self.figure)
        self.asked: list[str] = []
        self.results = 0

    def show_for(self, variable: str = "") -> None:
        self.asked.append(variable)

    def results_changed(self) -> None:
        self.results += 1


@pytest.fixture
def windows(document: Document, monkeypatch: pytest.MonkeyPatch) -> Iterator[Windows]:
    module = types.ModuleType("gui.sample")
    module.Sample = Sample  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gui.sample", module)
    monkeypatch.setitem(registry.WINDOWS, "sample", WindowEntry("sample", "Sample", "Sample", "nothing"))
    made = Windows(document)
    yield made
    made.close_all()


def test_a_window_is_made_once_found_by_name_and_forgotten_when_closed(windows: Windows, document: Document) -> None:
    assert windows.window_named("sample") is None
    window = windows.open_window("sample", variable="REGION")
    assert isinstance(window, Sample)
    assert window.isWindow()
    assert window.parent() is None
    assert windows.open_window("sample") is window
    assert windows.window_named("sample") is window
    assert window.asked == ["REGION"]
    assert "sample" in document.session.looked_at
    window.close()
    assert windows.window_named("sample") is None


def test_a_window_greys_what_is_not_true_and_is_told_when_it_is(
    qtbot: QtBot, windows: Windows, document: Document, recipe: Recipe, fake: FakeSession
) -> None:
    window = windows.open_window("sample")
    assert isinstance(window, Sample)
    fake.held = True
    document.start("Open", recipe)
    assert window.figure.property("greyed")
    before = window.results
    fake.held = False
    qtbot.waitUntil(lambda: not document.busy)
    assert not window.figure.property("greyed")
    assert window.results > before
    assert window.windowTitle() == "Sample — survey"


def test_escape_never_closes_a_page(qtbot: QtBot, windows: Windows) -> None:
    window = windows.open_window("sample")
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert windows.window_named("sample") is window
    assert window.isVisible()


def test_a_box_shows_back_what_it_understood_or_says_how_to_write_it(qtbot: QtBot, box: Box) -> None:
    QLocale.setDefault(QLocale("C"))
    box.type(qtbot, "0,05")
    assert (box.box.value, box.box.text(), box.box.message.text()) == (0.05, "0.05", "Understood as 0.05.")
    box.type(qtbot, "1,234")
    assert box.box.message.text() == "Does 1,234 mean 1234 or 1.234? Write it so."
    assert (box.box.value, box.taken) == (0.05, [0.05])
    for name in ("de_DE", "nl_NL", "fr_FR"):
        QLocale.setDefault(QLocale(name))
        box.box.set_value(None)
        box.type(qtbot, "0,05")
        assert (box.box.value, box.box.text(), box.box.message.text()) == (0.05, "0,05", "")
        box.box.set_value(None)
        box.type(qtbot, "0.05")
        assert (box.box.value, box.box.text()) == (0.05, "0,05")
        assert box.box.message.text() == "Understood as 0,05."


def test_a_box_for_a_count_asks_for_a_whole_number(qtbot: QtBot) -> None:
    box = NumberBox("count", lambda count: numbers.format_typed(int(count)), numbers.parse_count)
    qtbot.addWidget(box)
    qtbot.keyClicks(box, "1.5")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.message.text() == "“1.5” is not a whole number."


def test_columns_that_just_do_not_fit_give_up_room_to_spare(qtbot: QtBot) -> None:
    table = DataTable("fitted")
    qtbot.addWidget(table)
    table.resize(900, 200)
    table.show()
    names = ["ABCDEFGH", "IJKLMNOP", "A_VARIABLE_NAME"]
    table.set_columns([Column(name, ["x"], number=name == "ABCDEFGH") for name in names])
    header = table.view.horizontalHeader()
    wide = header.length()
    assert [header.model().headerData(i, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) for i in range(3)] == [
        None,
        None,
        "A_VARIABLE_NAME",
    ]
    frame = table.width() - table.view.viewport().width()
    table.resize(wide - 6 + frame, 200)
    qtbot.wait(10)
    assert header.length() <= table.view.viewport().width()
    assert not table.view.horizontalScrollBar().isVisible()
    table.resize(900, 200)
    qtbot.wait(10)
    assert header.length() == wide


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_what_is_not_chosen_looks_empty(qtbot: QtBot, choice: str) -> None:
    theme.use(choice)
    try:
        button = QRadioButton()
        qtbot.addWidget(button)
        button.resize(40, 24)
        shades = {}
        for chosen in (False, True):
            button.setChecked(chosen)
            picture = button.grab().toImage()
            shades[chosen] = {picture.pixelColor(x, 12).lightness() for x in range(20)}
        assert max(shades[False]) - min(shades[False]) > 40, "its outline can be seen"
        assert shades[True] != shades[False]
    finally:
        theme.use("light")
