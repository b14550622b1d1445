"""Where the program keeps its own files, and where a user's documents are."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths

RESOURCES = Path(__file__).resolve().parent.parent / "resources"


def app_data(*parts: str) -> Path:
    """A folder of the program's own, made if necessary."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation), *parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def documents() -> Path:
    """The user's documents, else the home folder."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return folder if folder.is_dir() else Path.home()
