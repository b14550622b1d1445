"""The same walk in English and in a language of strange letters leaves the same files behind, byte for byte."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.base.texts import use_language
from core.recipe.model import Analysis, Combination, Measure, Output, Perturbation
from gui.document.autosave import Autosave
from gui.main_window.window import MainWindow
from tests.gui.make_protected_file.hand import keep_all
from tests.gui.waiting import wait_idle
from tests.pseudo import PSEUDO, pseudo, pseudo_language

OF_THE_REPORT = {"safe.html", "safe.xml", "schema.json"}
"""Files that are in its language."""


class Walk:
    """What is done in windows, and what it leaves in a folder."""

    def __init__(self, qtbot: QtBot, main: MainWindow, folder: Path) -> None:
        self.qtbot, self.main, self.folder, self.document = qtbot, main, folder, main.document

    def window(self, name: str, **arguments: Any) -> Any:
        for other in ("riskChart", "globalRecode", "perturb", "utility", "riskLaboratory", "makeProtectedFile"):
            if (left := self.main.window_named(other)) is not None:
                left.close()  # else every later step is computed for all of them
        found = self.main.windows.open_window(name, **arguments)
        wait_idle(self.qtbot, self.document)
        QApplication.processEvents()
        return found

    def type(self, window: Any, name: str, text: str) -> None:
        box = window.findChild(QLineEdit, name)
        box.setText(text)
        box.textEdited.emit(text)
        box.returnPressed.emit()
        wait_idle(self.qtbot, self.document)

    def edit(self) -> None:
        """Edits in many windows, each an undo step that is called after what it changes."""
        keep_all(self.main, self.qtbot)
        few = self.document.recipe.with_(combinations=(Combination(("REGION", "SEX", "MARSTAT")),), recodes=())
        self.document.commit("Fewer keys", few.with_(utility=()))
        wait_idle(self.qtbot, self.document)
        self.type(self.window("riskChart"), "riskThreshold", "0.0625")
        recode = self.window("globalRecode", variable="MARSTAT")
        self.qtbot.waitUntil(lambda: not recode.preview.is_waiting and not self.document.busy, timeout=60_000)
        recode.text.edit.setPlainText("1: 1-2\n2: 3-4")
        self.qtbot.waitUntil(lambda: not recode.preview.is_waiting and not self.document.busy, timeout=60_000)
        recode._apply()
        wait_idle(self.qtbot, self.document)
        perturb = self.window("perturb")
        perturb.draft.take(Perturbation("noise", ("INCOME",), (("share", 0.125), ("seed", 5))))
        perturb.show_draft()
        perturb._commit()
        utility = self.window("utility")
        utility._enter(Analysis(table=("REGION", "SEX")))
        utility._remove(0)
        measured = self.window("riskLaboratory")
        self.document.commit("Measures", self.document.recipe.with_(measures=(Measure("suda", ("REGION", "SEX")),)))
        measured._remove(0)
        details = self.window("reportDetails")
        details.findChild(QPlainTextEdit, "reportRemarks").setPlainText("Seen.")
        details.findChild(QPushButton, "accept").click()
        protect = self.window("makeProtectedFile")
        entry = protect.checklist._entries[0]
        protect.checklist._decide(entry.variable, "leave-out")
        protect.checklist._decide(entry.variable, "keep")
        wait_idle(self.qtbot, self.document)

    def leave(self) -> dict[str, bytes]:
        """The files of a session that was edited, saved and released."""
        keeper = Autosave(self.document)
        keeper.write()
        content = keeper.file.read_bytes()
        keeper.finish()
        out = self.folder / "out"
        out.mkdir()
        target = Output(
            data=out / "safe.csv", metadata=out / "safe.rds", report=out / "safe.html", summary=out / "safe.json",
            ddi=out / "safe.xml", table_schema=out / "schema.json", records=out / "records.csv",
        )  # fmt: skip
        self.document.commit("Outputs", self.document.recipe.with_(output=target))
        wait_idle(self.qtbot, self.document)
        self.document.make_protected_file()
        wait_idle(self.qtbot, self.document)
        assert self.document.session.released is not None
        self.document.save(self.folder / "saved.pavo")
        files = {path.name: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        return files | {"autosave": content}


def _summary(text: bytes) -> dict[str, Any]:
    """But for what differs between two runs, and checksums of files in the report's language."""
    found = {name: value for name, value in json.loads(text).items() if name not in {"seconds", "peak_rss_mib"}}
    files = found.pop("files")
    codelists = files.pop("codelists", {})
    sums = {each["path"]: each["sha256"] for each in (*files.values(), *codelists.values())}
    return found | {"files": {path: "" if path in OF_THE_REPORT else sum_ for path, sum_ in sums.items()}}


def test_files_are_the_same_in_every_language(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path, home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1760000000")
    monkeypatch.setattr("gui.app.application.speak", lambda _language: None)
    for module in ("checklist", "output_form"):
        monkeypatch.setattr(f"gui.make_protected_file.{module}.random_seed", lambda: 7)
    folder, left, labels = tmp_path / "work", [], []
    main = open_window()

    def walk() -> None:
        shutil.copytree(demo, folder)
        main.document.open_session(folder / "survey.pavo")
        wait_idle(qtbot, main.document)
        walker = Walk(qtbot, main, folder)
        walker.edit()
        labels.append([step.label for step in main.document.session.history.steps])
        left.append(walker.leave())
        main.document.close()
        shutil.rmtree(folder)

    walk()
    with pseudo_language(tmp_path / "locale", monkeypatch):
        QLocale.setDefault(QLocale(PSEUDO))
        use_language(PSEUDO)
        walk()
        kept = [path for path in home.rglob("*") if path.is_file()]
        assert kept
        assert [path for path in kept if "⟦" in path.read_text("utf-8", "replace")] == []
    english, other = left
    assert pseudo("Report details") in labels[1]
    assert len(labels[0]) == len(labels[1]) > 8
    assert english.keys() == other.keys() >= {"autosave", "saved.pavo", "safe.csv", "safe.rds", "schema.json"}
    assert _summary(english.pop("safe.json")) == _summary(other.pop("safe.json"))
    assert {name for name in english if english[name] != other[name]} == OF_THE_REPORT
