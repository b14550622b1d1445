"""Session files that Compare lists beside the current one: those in its folder, and those that were kept or added."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from core.base.errors import PavoError
from gui.document.session_files import read_recipe
from gui.settings import Setting, settings

KEPT: Setting[dict[str, dict[str, list[str]]]] = Setting("compare/alternatives", {})
"""By data file: paths that were kept or added, and those taken from the list."""
_DATA_FILES = 40


def alternatives_of(data: Path | None, own: Path | None) -> list[Path]:
    """Session files to compare with.

    Those that were kept or added and still exist; those in the folder of the session (without one, of the data) that
    are about the same data, or have the session's name and a hyphen in front; but none taken from the list.

    Parameters
    ----------
    data : the data file of the current session
    own : the current session's file, which is not listed; None before it is saved
    """
    said = _said(data)
    kept = [Path(text) for text in said.get("kept", []) if Path(text).is_file()]
    folder = own.parent if own is not None else data.parent if data is not None else None
    beside = sorted(folder.glob("*.pavo")) if folder is not None else []
    prefix = f"{own.stem}-" if own is not None else None
    removed = set(said.get("removed", []))
    found = [path for path in beside if (prefix and path.name.startswith(prefix)) or _is_about(path, data)]
    listed = dict.fromkeys(path for path in (*found, *kept) if _text(path) not in removed)
    return [path for path in listed if own is None or _text(path) != _text(own)]


def remember(data: Path | None, path: Path) -> None:
    """List a session file from now on."""
    _change(data, path, "kept", "removed")


def forget(data: Path | None, path: Path) -> None:
    """Do not list a session file any more, though it may stand beside the session."""
    _change(data, path, "removed", "kept")


def same_file(one: Path | None, other: Path | None) -> bool:
    """Whether two paths name the same place."""
    return one == other or (one is not None and other is not None and _text(one) == _text(other))


def _is_about(path: Path, data: Path | None) -> bool:
    try:
        return data is not None and same_file(read_recipe(path).input.place, data)
    except PavoError:  # a file that is no session is not offered
        return False


def _change(data: Path | None, path: Path, into: str, out_of: str) -> None:
    if data is None:
        return
    said = _said(data)
    said = {
        into: [*_without(said.get(into, []), path), _text(path)],
        out_of: _without(said.get(out_of, []), path),
    }
    others = settings.get(KEPT)
    others.pop(_text(data), None)
    settings.set(KEPT, dict([*others.items(), (_text(data), said)][-_DATA_FILES:]))


def _said(data: Path | None) -> dict[str, list[str]]:
    said = settings.get(KEPT).get(_text(data), {}) if data is not None else {}
    return said if isinstance(said, dict) else {}


def _without(texts: Iterable[str], path: Path) -> list[str]:
    return [text for text in texts if text != _text(path)]


def _text(path: Path) -> str:
    return os.path.normcase(path.absolute().resolve())
