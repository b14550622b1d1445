"""The page *What's new*: the version in use in a few sentences, in every language, and its changelog, in English."""

from __future__ import annotations

import re
from functools import cache

from core import __version__
from core.base.texts import found_language, mark, translate
from gui.places import RESOURCES

PAGE = "whats-new"
_NEW = (
    mark("The program and its reports speak German, Spanish, French, Italian and Dutch."),
    mark("Everything can be done by keyboard and with a screen reader, and charts tell their figures."),
    mark("The guide has three tutorials, and leads over from μ-ARGUS, sdcMicro and ARX."),
    mark("*Perturb* changes values at random: PRAM, microaggregation, swapping, noise, shuffling, synthetic data."),
    mark("*Find a Plan* compares all codings of the keys and shows those that none beats."),
    mark("*Utility* shows what the safe file still says, before it is written."),
    mark("Files in parts are opened, protected, written and checked part by part."),
    mark("The release checklist asks what each column holds, before it is released as it is."),
    mark("Release profiles check the safe file by the rules of an office."),
    mark("Reports are written for outsiders and for users of the file, too, and as PDF for screen readers."),
    mark("A memo tells what changed since the last release."),
    mark("Pavo can be installed without Python."),
)
"""Of version 0.1; a version has at most fifteen."""
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
    return bool(_NEW)


def page() -> str:
    """The page as Markdown; the changelog, which nobody translates, stands below where English is read."""
    said = "\n".join(f"- {translate(sentence)}" for sentence in _NEW)
    if found_language() != "en":
        more = translate(mark("All changes stand in English in the file CHANGELOG.md."))
    else:
        more = _changes()
    return f"# {title()}\n\n{said}\n\n{more}\n"
