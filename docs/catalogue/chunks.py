"""Pieces of a catalogue for translators who work at the same time: plain JSON, out and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message

from docs.catalogue.checks import faults
from docs.catalogue.languages import forms

Entry = dict[str, Any]


def identity(message: Message) -> str:
    """By which an entry is found again: it depends on the English text alone."""
    return hashlib.sha256("\0".join(forms(message.id)).encode()).hexdigest()[:12]


def untranslated(catalogue: Catalog) -> list[Entry]:
    """The entries without a translation, in the order of the sources."""
    return [_entry(catalogue, each) for each in catalogue if each.id and not all(forms(each.string))]


def _entry(catalogue: Catalog, message: Message) -> Entry:
    text, *many = forms(message.id)
    places = list(dict.fromkeys(place for place, _ in message.locations))
    return {
        "id": identity(message),
        "text": text,
        "plural": many[0] if many else None,
        "comment": "; ".join([*message.auto_comments, *message.user_comments, *places]),
        "translation": [""] * catalogue.num_plurals if many else "",
    }


def write_chunks(entries: list[Entry], name: str, folder: Path, size: int) -> Iterator[Path]:
    """Write so many entries a file, and say which files those are."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, start in enumerate(range(0, len(entries), size), 1):
        path = folder / f"{name}-{number:03d}.json"
        text = json.dumps(entries[start : start + size], ensure_ascii=False, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
        yield path


def merge(catalogue: Catalog, entries: Iterable[Entry], domain: str) -> tuple[int, list[str]]:
    """Put translations into a catalogue; how many, and what was wrong with each that was not taken."""
    known = {identity(each): each for each in catalogue if each.id}
    merged, refused = 0, []
    for entry in entries:
        given = entry.get("translation")
        texts = tuple(given) if isinstance(given, list) else (str(given or ""),)
        if not any(texts):
            continue
        message = known.get(str(entry.get("id")))
        if message is None:
            refused.append(f"{entry.get('id')}: no such text (any more): {entry.get('text')!r}")
            continue
        tried = Message(message.id, texts if message.pluralizable else texts[0])
        wrong = faults(tried, str(catalogue.locale), domain)
        if wrong:
            refused.append(f"{entry['id']}: {'; '.join(wrong)}\n  {forms(message.id)[-1]!r}\n  {texts[-1]!r}")
        else:
            message.string = tried.string
            merged += 1
    return merged, refused
