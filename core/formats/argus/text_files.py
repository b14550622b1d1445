"""Small text files (metadata, codelists, recode schemes): found, read, and given labels in their own signs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import TypeVar

from ...base.errors import MetadataError
from ...base.plain_file import read_plain
from ...base.texts import mark

BLANKS = "".join(map(chr, range(33)))
"""What surrounds a code without being part of it: the blank and control characters."""

_LINE_END = re.compile("\r\n|\r|\n")


def decode(data: bytes) -> str:
    """Text of `data`: UTF-8 (a byte order mark is dropped), else CP1252, else Latin-1; never fails."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def split_lines(text: str) -> list[str]:
    r"""Lines of `text` ended by ``\n``, ``\r\n`` or ``\r`` and by nothing else, without their ends."""
    return _LINE_END.split(text)


def read_text(path: Path, *, empty_allowed: bool = True) -> str:
    """Contents of a small text file.

    Parameters
    ----------
    path : Path
    empty_allowed : bool
        Whether a file of blanks only, or of nothing, is accepted.

    Raises
    ------
    MetadataError
        The file is absent, cannot be opened, holds NUL bytes, or is empty where that is not allowed.
    """
    data = _read_bytes(path)
    if b"\0" in data:
        raise MetadataError(
            "text-file-binary",
            mark("{file} is not a text file."),
            mark("Choose another file, or save it as text in UTF-8."),
            file=path.name,
        )
    text = decode(data).rstrip("\x1a")  # the end-of-file mark of DOS programs
    if not empty_allowed and not text.strip():
        raise MetadataError("text-file-empty", mark("{file} is empty."), mark("Choose another file."), file=path.name)
    return text


def _read_bytes(path: Path) -> bytes:
    try:
        return read_plain(path)
    except FileNotFoundError:
        raise MetadataError(
            "text-file-missing",
            mark("{file} does not exist in {folder}."),
            mark("Check the name, or choose the file again."),
            file=path.name,
            folder=str(path.parent),
        ) from None
    except (OSError, ValueError) as error:
        raise MetadataError(
            "text-file-unreadable",
            mark("{file} cannot be read: {reason}."),
            mark("Check the name and the permissions."),
            file=path.name or str(path),
            reason=getattr(error, "strerror", None) or str(error),
        ) from error


def is_file(path: Path) -> bool:
    """Whether `path` is an existing file; False where the system cannot even ask."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def find_beside(folder: Path, name: str) -> Path:
    r"""Absolute path of the file that `name` means to a file in `folder`.

    The name is absolute or relative to `folder`; ``\`` separates folders as ``/`` does. Where no such file exists,
    one whose name differs in case only is taken; else the path as it was written, for the message that it is absent.
    """
    written = Path(name) if os.name == "nt" else Path(PurePosixPath(name.replace("\\", "/")))
    path = folder / written
    if is_file(path) or not written.name:
        return path
    found = path.parent if written.is_absolute() else _match_folders(folder, written.parts[:-1])
    return _match(found, written.name) or path


def _match_folders(folder: Path, parts: tuple[str, ...]) -> Path:
    for part in parts:
        exact = folder / part
        folder = exact if part == ".." else (_match(folder, part) or exact)
    return folder


def _match(folder: Path, name: str) -> Path | None:
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except (OSError, ValueError):
        return None
    if name in names:
        return folder / name
    return next((folder / found for found in names if found.casefold() == name.casefold()), None)


Key = TypeVar("Key")

_PLAIN = str.maketrans({"–": "-", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"'})


def plain_signs(label: str) -> str:
    """The label with signs that every encoding has for dashes, dots and quotes."""
    return label.translate(_PLAIN)


def made_plain(labels: Iterable[tuple[Key, str]], own: Iterable[tuple[object, str]]) -> Iterator[tuple[Key, str]]:
    """Labels by value or code: those that the program made, which are not among the user's `own`, in plain signs."""
    kept = {label for _, label in own}
    for key, label in labels:
        yield key, label if label in kept else plain_signs(label)
