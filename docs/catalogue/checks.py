"""What a translation must have in common with the text that it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message

from docs.catalogue.languages import forms

_PLACE = re.compile(r"\{[^{}\s]*\}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_MNEMONIC = re.compile(r"&(?=[^\W_])(?!\w+;)")
_CODE = re.compile(r"`[^`]*`")
_TARGET = re.compile(r"\]\(([^()\s]*)\)")
_EDGES = re.compile(r"^(\s*).*?(\s*)$", re.DOTALL)
_FIRST_FORM_IS_OF_ONE = {"de", "es", "it", "nl"}
"""Languages whose first form is said of one thing only; in others it needs the number where English needs none."""


def faults(message: Message, language: str, domain: str) -> list[str]:
    """What is wrong with a translation, in words; nothing of a text that has none yet."""
    return list(_faults(message, language, domain)) if any(forms(message.string)) else []


def _faults(message: Message, language: str, domain: str) -> Iterator[str]:
    originals, translations = forms(message.id), forms(message.string)
    if message.fuzzy:
        yield "it is marked fuzzy: look at it, and take the mark away"
    if not all(translations):
        yield "one of its forms is empty"
        return
    if len(originals) > 1:
        wanted = Catalog(locale=language).num_plurals
        if len(translations) != wanted:
            yield f"it has {len(translations)} forms, the language has {wanted}"
            return
    of_one = len(originals) > 1 and language in _FIRST_FORM_IS_OF_ONE
    for number, text in enumerate(translations):
        models = originals if of_one and number == 0 else originals[-1:]
        yield from _places(text, models, originals)
        yield from _signs(text, originals[-1], domain)


def _places(text: str, models: tuple[str, ...], originals: tuple[str, ...]) -> Iterator[str]:
    has = _all(_PLACE, text)
    needed = set.intersection(*(_all(_PLACE, model) for model in models))
    known = set.union(*(_all(_PLACE, original) for original in originals))
    if missing := needed - has:
        yield f"it lacks {' '.join(sorted(missing))}"
    if strange := has - known:
        yield f"it has {' '.join(sorted(strange))}, which the text has not"
    if text.count("{") != text.count("}"):
        yield "its braces are not in pairs"


def _signs(text: str, original: str, domain: str) -> Iterator[str]:
    if _edges(text) != _edges(original):
        yield "it begins or ends with other spaces"
    if sorted(_TAG.findall(text)) != sorted(_TAG.findall(original)):
        yield "its tags are others"
    if text.endswith("…") != original.endswith("…"):
        yield "only one of the two ends with an ellipsis"
    if text.count("\n") != original.count("\n"):
        yield "it has another number of lines"
    if domain == "guide":
        if sorted(_CODE.findall(text)) != sorted(_CODE.findall(original)):
            yield "its code, between backquotes, is not the same"
        if sorted(_TARGET.findall(text)) != sorted(_TARGET.findall(original)):
            yield "its links and pictures lead elsewhere"
        if text.count("**") != original.count("**"):
            yield "it has another number of bold marks"
        if "|" in text and "|" not in original:
            yield "it has a bar, which ends a cell of a table"
    elif len(_MNEMONIC.findall(text)) != len(_MNEMONIC.findall(original)):
        yield "it must have as many letters after & (keys) as the text"


def _all(pattern: re.Pattern[str], text: str) -> set[str]:
    return set(pattern.findall(text.replace("{{", "").replace("}}", "")))


def _edges(text: str) -> tuple[str, ...]:
    found = _EDGES.match(text)
    return found.groups() if found else ()
