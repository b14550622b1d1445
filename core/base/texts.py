"""The one catalogue of translatable texts, shared by core and gui (gettext; extracted with Babel)."""

from __future__ import annotations

import gettext
from pathlib import Path

_LOCALES = Path(__file__).resolve().parents[2] / "resources" / "locale"
_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(language: str | None) -> None:
    """Translate from now on into `language` (for example ``"nl"``); None or an unknown one means English."""
    global _catalogue
    languages = [language] if language else []
    _catalogue = gettext.translation("pavo", _LOCALES, languages=languages, fallback=True)


def translate(text: str) -> str:
    """The text in the language in use; the text itself where there is no translation."""
    return _catalogue.gettext(text) if text else ""


def by_count(count: int, one: str, many: str) -> str:
    """Which of two marked texts suits a number of things."""
    return one if count == 1 else many


def mark(text: str) -> str:
    """Mark a literal for extraction without translating it yet."""
    return text
