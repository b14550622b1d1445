"""A language that nobody speaks: every text of the program in letters that no English one has, and 40 % longer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from core.base.texts import use_language
from docs.catalogue.extraction import extracted
from docs.catalogue.files import as_mo
from docs.catalogue.languages import DOMAINS, forms

PSEUDO = "eo"
"""Under this name; Babel and Qt know the language, the program has none of its own."""

LONGER = 0.4

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_STRANGE = "àƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
_LETTERS = str.maketrans(_PLAIN, _STRANGE)
_KEPT = re.compile(r"(\{[^{}]*\}|</?[a-zA-Z][^<>]*>|&\w+;|&\w|`[^`]*`|\]\([^)]*\))")


def pseudo(text: str) -> str:
    """The text in strange letters and longer; places, tags, keys, code and targets of links as they are."""
    bare = text.strip()
    if not bare:
        return text
    start = text.index(bare[0])
    parts = _KEPT.split(bare)
    written = "".join(part if place % 2 else part.translate(_LETTERS) for place, part in enumerate(parts))
    more = max(round(LONGER * len(bare)) - 2, 0)
    tail = "".join("~" if place % 9 else " " for place in range(more + 1)) if more > 1 else ""
    end = "…" if written.endswith("…") else ""
    return f"{text[:start]}⟦{written.removesuffix(end) if end else written}{tail}⟧{end}{text[start + len(bare) :]}"


@cache
def catalogues() -> dict[str, bytes]:
    """What the program reads of that language, by domain."""
    made = {}
    for domain in DOMAINS:
        found = Catalog(locale=PSEUDO, domain=domain)
        for message in extracted(domain):
            if message.id:
                texts = tuple(map(pseudo, forms(message.id)))
                found.add(message.id, texts if len(texts) > 1 else texts[0])
        made[domain] = as_mo(found)
    return made


@contextmanager
def pseudo_language(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The program speaks it while this lasts; `folder` is one that may be written to."""
    place = folder / PSEUDO / "LC_MESSAGES"
    place.mkdir(parents=True)
    for domain, compiled in catalogues().items():
        (place / f"{domain}.mo").write_bytes(compiled)
    with monkeypatch.context() as patched:
        patched.setattr("core.base.texts._LOCALES", folder)
        use_language(PSEUDO)
        try:
            yield
        finally:
            use_language(None)
