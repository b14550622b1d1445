"""Which languages there are, and where their catalogues lie."""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog

PROJECT = Path(__file__).resolve().parents[2]
LOCALES = PROJECT / "resources" / "locale"

LANGUAGES = ("de", "es", "fr", "it", "nl")
"""Languages that have catalogues."""

DOMAINS = ("pavo", "guide")
"""The texts of the program, and the pages of its guide by paragraph."""

COMPLETE: dict[str, tuple[str, ...]] = {"pavo": (), "guide": ()}
"""By domain the languages of which the tests ask that no text is without its translation.

While texts are rewritten, none is: what has no translation yet is shown in English.
"""


def catalogue_file(language: str, domain: str) -> Path:
    """The file that translations are kept in; what is compiled from it lies beside it, ending in ``.mo``."""
    return LOCALES / language / "LC_MESSAGES" / f"{domain}.po"


def is_translated(catalogue: Catalog) -> bool:
    """Whether anything in it has a translation."""
    return any(message.id and any(forms(message.string)) for message in catalogue)


def forms(text: object) -> tuple[str, ...]:
    """One text, or the forms of a plural one."""
    return tuple(str(form or "") for form in text) if isinstance(text, (tuple, list)) else (str(text or ""),)
