"""Where the desktop says that nothing shall move, nothing does; the program's own setting says it, too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui import motion
from gui.settings import REDUCED_MOTION, settings


@pytest.fixture(autouse=True)
def nothing_wished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion._Wish, "of_system", False)
    monkeypatch.delenv("XDG_CURRENT_DESKTOP", raising=False)


@pytest.mark.parametrize(
    ("name", "text", "still"),
    [
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n", False),
        ("kdeglobals", "no settings at all", False),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=1\n", False),
        ("other", "", False),
    ],
)
def test_files_of_the_desktop_are_heeded(tmp_path: Path, name: str, text: str, still: bool) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert motion.said_in_files(tmp_path) == still


@pytest.mark.skipif(sys.platform != "linux", reason="what Linux desktops have")
@pytest.mark.parametrize("answer", ["true", "false"])
def test_gnome_is_asked_without_waiting(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication, answer: str
) -> None:
    program = tmp_path / "gsettings"
    program.write_text(f'#!/bin/sh\ntest "$3" = enable-animations && echo {answer}\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
    monkeypatch.setattr(QStandardPaths, "findExecutable", lambda name: str(tmp_path / name))
    told: list[bool] = []
    parent = QObject(qapp)
    motion.ask_system(parent, lambda: told.append(True))
    assert told == [] and not motion.is_reduced(), "nobody waits"
    qtbot.waitUntil(lambda: not parent.children())
    assert (bool(told), motion.is_reduced()) == (answer == "false", answer == "false")
    parent.deleteLater()


def test_the_setting_stills_what_the_system_lets_move() -> None:
    assert not motion.is_reduced()
    settings.set(REDUCED_MOTION, True)
    assert motion.is_reduced()
