"""Whether what moves by itself keeps still: as the program's setting says, or as the system's user wishes.

Qt does not tell that wish, so each system is asked in its own way, and nobody waits for the answer: it is a file, a
call of the system, or what a small program of the desktop says.
"""

from __future__ import annotations

import configparser
import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QStandardPaths

from core.base.program import system_libraries
from gui.settings import REDUCED_MOTION, settings

_CLIENT_AREA_ANIMATION = 0x1042
"""SPI_GETCLIENTAREAANIMATION: *Animation effects* of Windows."""
_ASKED = {
    "darwin": (("defaults", "read", "com.apple.universalaccess", "reduceMotion"), "1"),
    "linux": (("gsettings", "get", "org.gnome.desktop.interface", "enable-animations"), "false"),
}
"""What is started, and what it says where less is to move."""
_LIKE_GNOME = {"gnome", "unity", "budgie", "x-cinnamon", "pantheon"}


class _Wish:
    of_system = False


def is_reduced() -> bool:
    """Whether nothing shall move by itself."""
    return _Wish.of_system or bool(settings.get(REDUCED_MOTION))


def ask_system(parent: QObject, reduced: Callable[[], None]) -> None:
    """Find out what the system's user wishes; `reduced` is called where less is to move, at once or soon."""
    _Wish.of_system = False

    def wished() -> None:
        _Wish.of_system = True
        reduced()

    if sys.platform == "win32":
        if _windows_is_still():
            wished()
    elif sys.platform != "darwin" and said_in_files(_config_folder()):
        wished()
    elif sys.platform == "darwin" or _LIKE_GNOME & set(os.environ.get("XDG_CURRENT_DESKTOP", "").lower().split(":")):
        _ask_program(parent, wished)


def said_in_files(folder: Path) -> bool:
    """Whether KDE's or GTK's settings in the user's `folder` say that nothing moves."""
    for name, section, key, still in (
        ("kdeglobals", "KDE", "animationdurationfactor", {"0", "0.0"}),
        ("gtk-4.0/settings.ini", "Settings", "gtk-enable-animations", {"0", "false"}),
        ("gtk-3.0/settings.ini", "Settings", "gtk-enable-animations", {"0", "false"}),
    ):
        found = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
        try:
            found.read(folder / name, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError, OSError):  # it is the desktop's, and may be anything
            continue
        if (found.get(section, key, fallback="") or "").strip().lower() in still:
            return True
    return False


def _config_folder() -> Path:
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation))


def _windows_is_still() -> bool:
    moves = ctypes.c_int(1)
    user32 = ctypes.WinDLL("user32")  # type: ignore[attr-defined, unused-ignore]
    return bool(user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(moves), 0)) and not moves.value


def _ask_program(parent: QObject, wished: Callable[[], None]) -> None:
    (program, *arguments), answer = _ASKED["darwin" if sys.platform == "darwin" else "linux"]
    path = QStandardPaths.findExecutable(program)
    if not path:
        return
    process = QProcess(parent)

    def ended() -> None:
        if bytes(process.readAllStandardOutput().data()).decode("utf-8", "replace").strip() == answer:
            wished()
        process.deleteLater()

    process.finished.connect(ended)
    with system_libraries():
        process.start(path, arguments)
