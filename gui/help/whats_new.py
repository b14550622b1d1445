"""The page *What's new*: what the changelog says of the version in use."""

from __future__ import annotations

import re
from functools import cache

from core import __version__
from core.base.texts import mark, translate
from gui.places import RESOURCES

PAGE = "whats-new"
CHANGELOG = RESOURCES.parent / "CHANGELOG.md"
_SECTION = re.compile(r"^## +\[?([^\]\s]+)", re.MULTILINE)


def section_of(changelog: str, version: str) -> str:
    """What a changelog says of `version`, without the heading; where it has no such section, of the newest."""
    _, *parts = _SECTION.split(changelog)  # name and text in turn
    bodies = {name: text.partition("\n")[2].strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}
    return bodies.get(version) or next(filter(None, bodies.values()), "")


def title() -> str:
    """Heading of the page."""
    return translate(mark("What's new in Pavo {version}")).format(version=__version__)


@cache
def _changes() -> str:
    """The section of this version; empty where the program came without its changelog."""
    try:
        return section_of(CHANGELOG.read_text("utf-8"), __version__).replace("\n### ", "\n## ").removeprefix("#")
    except (OSError, UnicodeDecodeError):
        return ""


def is_there() -> bool:
    """Whether there is anything to say."""
    return bool(_changes())


def page() -> str:
    """The page as Markdown."""
    return f"# {title()}\n\n{_changes()}\n"
