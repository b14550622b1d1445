"""From a file to its report in each language of the program, in its windows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.base.texts import translate, use_language
from core.recipe.model import Combination, Output
from docs.catalogue.extraction import extracted
from docs.catalogue.languages import LANGUAGES, catalogue_file, forms
from gui import language, numbers
from gui.main_window.window import MainWindow
from tests.gui.make_protected_file.hand import keep_all
from tests.gui.seen_texts import seen_texts
from tests.gui.waiting import wait_idle
from tests.pseudo import PSEUDO, pseudo_language

PAGES = {
    "specifyMetadata": "Specify Metadata",
    "selectCombinations": "Select Combinations",
    "riskChart": "Risk Chart",
    "makeProtectedFile": "Make Protected File",
    "report": "View Report",
}
"""Windows in the order of work, and what they are called in English."""


@pytest.fixture(params=[*LANGUAGES, PSEUDO])
def spoken(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A language that the program has a catalogue of, and the one that nobody speaks."""
    code = str(request.param)
    if code == PSEUDO:
        with pseudo_language(tmp_path / "locale", monkeypatch):
            yield code
        return
    if not catalogue_file(code, "pavo").with_suffix(".mo").is_file():
        pytest.skip(f"nothing is translated into {language.own_name(code)} yet")
    yield code
    use_language(None)


def _speak(code: str) -> None:
    use_language(code)
    QLocale.setDefault(QLocale(code))


@cache
def _sentences() -> frozenset[str]:
    return frozenset(text for message in extracted("pavo") for text in forms(message.id) if len(text.split()) > 3)


def _escaped(window: QWidget) -> set[str]:
    """Sentences that are shown in English though they have another translation."""
    translated = {text for text in _sentences() if translate(text) != text}
    assert len(translated) > 100
    return {text for _, text in seen_texts(window)} & translated


def test_from_file_to_report(
    qtbot: QtBot, open_window: Callable[..., MainWindow], survey: Path, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.app.application.speak", lambda _language: _speak(spoken))
    main = open_window(survey / "survey.pavo")
    _speak(spoken)
    assert numbers.format_number(1.5, 1) == "1,5"
    document, out = main.document, survey / "out"
    keep_all(main, qtbot)
    output = Output(data=out / "safe.asc", report=out / "safe.html", summary=out / "safe.json")
    few = (Combination(("REGION", "SEX", "MARSTAT")),)
    document.commit("Few keys", document.recipe.with_(combinations=few, recodes=(), utility=(), output=output))
    wait_idle(qtbot, document)
    out.mkdir()
    for name, title in PAGES.items():
        if name == "report":
            document.make_protected_file()
            wait_idle(qtbot, document)
            assert document.session.released is not None
        window = main.windows.open_window(name)
        wait_idle(qtbot, document)
        assert window.windowTitle().startswith(translate(title))
        assert _escaped(window) == set()
        window.close()
    assert translate("Select Combinations") != "Select Combinations"
    page = (out / "safe.html").read_text("utf-8")
    assert f'<html lang="{spoken}">' in page
    assert translate("Contents") in page
    assert re.search(r"\d,\d", page)
    assert not re.search(r"\d\.\d+ %", page)
