"""What the program stands on: Python and the libraries, with their versions and licences, as they are installed."""

from __future__ import annotations

import platform
import re
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

NEEDED = (
    "PySide6-Essentials", "pyqtgraph", "numpy", "pandas", "pyarrow", "pyreadstat", "openpyxl", "scipy", "numba",
    "tomli-w", "jinja2", "platformdirs", "typst",
)  # fmt: skip
"""What the program itself imports; those of ``installer/requirements.in``."""

TEXTS = Path(__file__).resolve().parents[2] / "licences"
"""Further licence texts that come with an installed program: of Python, Qt and the system's libraries."""

_TEXT_NAMES = re.compile(r"(licen[cs]e|copying|notice|copyright)", re.IGNORECASE)


@dataclass(frozen=True)
class Library:
    """One library: its name, version, licence (an SPDX expression where it gives one) and files of licence texts."""

    name: str
    version: str
    licence: str
    texts: tuple[Path, ...] = ()

    def text(self) -> str:
        """All of its licence texts, one behind the other; empty where none came with it."""
        return "\n\n\n".join(path.read_text("utf-8", errors="replace").strip() for path in self.texts)


def libraries() -> tuple[Library, ...]:
    """The installed ones that the program needs, those included that others need, by name."""
    found: dict[str, Library] = {}
    waiting = list(NEEDED)
    while waiting:
        name = waiting.pop()
        if _plain(name) in found:
            continue
        try:
            one = distribution(name)
        except PackageNotFoundError:  # needed on other systems only
            continue
        found[_plain(name)] = Library(one.metadata["Name"], one.version, _licence(one), tuple(_texts(one)))
        waiting += [re.split(r"[ ;<>=!~(\[]", line)[0] for line in one.requires or () if "extra ==" not in line]
    return tuple(found[name] for name in sorted(found))


def python() -> Library:
    """Python itself."""
    places = (TEXTS / "Python.txt", Path(sysconfig.get_path("stdlib"), "LICENSE.txt"), Path(sys.prefix, "LICENSE.txt"))
    texts = tuple(path for path in places if path.is_file())[:1]
    return Library("Python", platform.python_version(), "PSF-2.0", texts)


def others() -> tuple[Library, ...]:
    """Libraries of the system that came with an installed program, by the files of their licences."""
    folder = TEXTS / "system"
    found = []
    for file in sorted(folder.glob("*_*.txt")) if folder.is_dir() else []:
        name, _, version = file.stem.partition("_")
        found.append(Library(name, version, "see the text", (file,)))
    return tuple(found)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _licence(one: Distribution) -> str:
    said = one.metadata
    for field in ("License-Expression", "License"):
        short = str(said[field] or "") if field in said else ""
        if short and "\n" not in short and len(short) < 80 and not short.startswith("Copyright"):
            return short
    classes = [line.rpartition(" :: ")[2] for line in said.get_all("Classifier") or () if line.startswith("License ::")]
    return ", ".join(classes) or "see the text"


def _texts(one: Distribution) -> Iterator[Path]:
    """Texts in its folder of metadata, and of Qt those that come with the program."""
    found = getattr(one, "_path", None)  # where it was read: its list of files does not come with an installed program
    if isinstance(found, Path) and found.is_dir():
        yield from sorted(path for path in found.rglob("*") if path.is_file() and _TEXT_NAMES.search(path.name))
    if _plain(one.metadata["Name"]) in ("pyside6-essentials", "shiboken6"):
        yield from sorted(TEXTS.glob("*GPL*.txt"))
