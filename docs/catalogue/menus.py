"""Letters after & in the menus: each opens one entry only."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from babel.messages.catalog import Catalog

from docs.catalogue.languages import forms
from gui.main_window.actions import MENUS
from gui.shared.mnemonics import letter_of


def translated_by(catalogue: Catalog) -> Callable[[str], str]:
    """What a text is in the language of a catalogue; itself where it has no translation."""

    def translated(text: str) -> str:
        message = catalogue.get(text)
        return (forms(message.string)[0] if message is not None else "") or text

    return translated


def clashes(translated: Callable[[str], str]) -> Iterator[str]:
    """Entries of one menu, or menus of the bar, that have the same letter after &, in words."""
    bar = "the menu bar", [title for title, _ in MENUS]
    for name, texts in (bar, *((title, [item.text for item in items if item.text]) for title, items in MENUS)):
        by_letter: dict[str, list[str]] = {}
        for text in map(translated, texts):
            by_letter.setdefault(letter_of(text), []).append(text)
        for letter, several in by_letter.items():
            if letter and len(several) > 1:
                yield f"{name.replace('&', '')}: {', '.join(map(repr, several))} have the same letter {letter}"
