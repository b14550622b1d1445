"""Where the program keeps its own files, and where a user's documents are."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths, QUrl

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


def typed_path(text: str) -> Path | None:
    """The path that was typed or pasted (in quotes, as a URL); None for nothing."""
    plain = text.strip().strip('"')
    if not plain:
        return None
    if plain.startswith("file:"):
        plain = QUrl(plain).toLocalFile() or plain
    try:
        return Path(plain).expanduser().absolute()
    except RuntimeError:  # no such user's home
        return Path(plain).absolute()


def typed_folder(text: str) -> Path | None:
    """The folder of a path that was typed; None where there is none."""
    path = typed_path(text)
    return path.parent if path is not None and path.parent.is_dir() else None
