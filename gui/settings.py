"""Settings: what is remembered of the use; declared once, written only where it differs.

Of the data they hold two numbers: how many records a recent session has, and how many of them are unsafe.
"""

from __future__ import annotations

import copy
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, Signal

from gui.places import documents

VERSION = 1
RECENT = 8
TABLES = 80
"""So many tables are remembered; records of another file are another table."""

T = TypeVar("T")


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A key, its type by its default, and the default."""

    key: str
    default: T


THEME = Setting("view/theme", "auto")
DECIMALS = Setting("view/decimals", 5)
FONT_SIZE = Setting("view/font_size", 0)
"""In points; 0: the system's."""
LANGUAGE = Setting("view/language", "")
"""A code such as "en"; empty: the system's."""
REDUCED_MOTION = Setting("view/reduced_motion", False)
DATA_FOLDER = Setting("files/data_folder", "")
SAFE_FOLDER = Setting("files/safe_folder", "")
"""Where safe files are proposed; empty: beside the data."""
CHECK_AFTER = Setting("open/check_file", True)
OPEN_NEXT = Setting("view/open_next", True)
LAST_FOLDER = Setting("files/last_folder", "")
RECENT_SESSIONS: Setting[list[str]] = Setting("files/recent_sessions", [])
RECENT_STANDINGS: Setting[dict[str, list[Any]]] = Setting("files/recent_standings", {})
"""By session: when its file was written, the step that comes next, and how many of how many records are unsafe."""
COLUMN_WIDTHS: Setting[dict[str, list[int]]] = Setting("view/column_widths", {})
WORKSPACE: Setting[dict[str, Any]] = Setting("view/workspace", {})
"""Which page was put beside which, which have windows of their own, and the per cent that the first of two has."""
HINTS_KNOWN: Setting[list[str]] = Setting("view/hints_known", [])
"""Pages of which the hint was dismissed, or what it says was done."""
LAST_VERSION = Setting("version_in_use", "")
"""Version of the program that was started last; empty at the first start."""
FOLDED: Setting[dict[str, bool]] = Setting("view/folded", {})


class _Told(QObject):
    """`changed(key)`: a setting has another value."""

    changed = Signal(str)


class Settings:
    """The settings file of this user; values are JSON so that each comes back with its type."""

    def __init__(self) -> None:
        self._store: QSettings | None = None
        self.told = _Told()

    def get(self, setting: Setting[T]) -> T:
        """The value; the default where there is none or it is of another type."""
        text = self._file().value(setting.key)
        try:
            value = json.loads(str(text)) if text is not None else copy.copy(setting.default)
        except ValueError:
            return setting.default
        return value if isinstance(value, type(setting.default)) else setting.default

    def set(self, setting: Setting[T], value: T) -> None:
        """Remember a value; the default is not written."""
        before = self.get(setting)
        if value == setting.default:
            self._file().remove(setting.key)
        else:
            self._file().setValue(setting.key, json.dumps(value))
        if value != before:
            self.told.changed.emit(setting.key)

    def geometry(self, window: str) -> QByteArray | None:
        """Where a window stood when it was last closed."""
        value = self._file().value(f"geometry/{window}")
        return value if isinstance(value, QByteArray) else None

    def set_geometry(self, window: str, geometry: QByteArray) -> None:
        """Remember where a window stands."""
        self._file().setValue(f"geometry/{window}", geometry)

    def widths(self, table: str) -> list[int]:
        """Column widths of a table, by its name; empty where none are kept."""
        kept = self.get(COLUMN_WIDTHS).get(table, [])
        return kept if all(isinstance(width, int) for width in kept) else []

    def set_widths(self, table: str, widths: list[int]) -> None:
        """Remember the column widths of a table."""
        remembered = self.get(COLUMN_WIDTHS)
        remembered.pop(table, None)
        newest = [*remembered.items(), (table, widths)][-TABLES:]
        self.set(COLUMN_WIDTHS, dict(newest))

    def recent_sessions(self) -> list[Path]:
        """Sessions opened or saved lately that still exist, newest first."""
        return [Path(text) for text in self.get(RECENT_SESSIONS) if Path(text).is_file()]

    def add_recent_session(self, path: Path) -> None:
        """Put a session first in the list."""
        others = [text for text in self.get(RECENT_SESSIONS) if text != str(path)]
        self.set(RECENT_SESSIONS, [str(path), *others][:RECENT])

    def save(self) -> None:
        """Write to disk now."""
        self._file().sync()

    def file_name(self) -> str:
        """The file in which they are kept."""
        return self._file().fileName()

    def _file(self) -> QSettings:
        if self._store is None:
            folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
            self._store = _open(Path(folder))
        return self._store

    def forget_file(self) -> None:
        """Look for the settings file anew (the application's name or a test's folder changed)."""
        self._store = None


def _open(folder: Path) -> QSettings:
    """The settings file; beside one written by a newer program, a file of our own that leaves that one alone."""
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    version: Any = store.value("version", VERSION)
    if str(version).isdigit() and int(version) > VERSION:
        store = QSettings(str(folder / f"settings-{VERSION}.ini"), QSettings.Format.IniFormat)
    store.setValue("version", VERSION)
    return store


settings = Settings()


def folder_for_safe_files(data: Path | None, session: Path | None = None) -> Path:
    """Where safe files are proposed: in the folder that the user chose, beside a saved session, beside the data.

    Where nothing can be written there, in the documents.
    """
    chosen = Path(settings.get(SAFE_FOLDER)) if settings.get(SAFE_FOLDER) else None
    for folder in (chosen, *(path.parent for path in (session, data) if path is not None)):
        if folder is not None and folder.is_dir() and os.access(folder, os.W_OK):
            return folder
    return documents()
