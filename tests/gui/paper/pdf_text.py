"""The text of a PDF file as Qt writes it, read from its glyphs and their table of letters."""

from __future__ import annotations

import re
import zlib

_OBJECT = re.compile(rb"(?s)\b(\d+) 0 obj\b(.*?)\bendobj\b")
_SHOWN = re.compile(rb"/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)> Tj|\bBT\b")
_MAPPED = re.compile(rb"<([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)>(?: <([0-9A-Fa-f]+)>| \[([^]]*)\])?")


def page_texts(pdf: bytes) -> list[str]:
    """What is written on each page, a line for each run of text."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    pages = [body for body in objects.values() if re.search(rb"/Type\s*/Page\b", body)]
    return [_text(page, objects) for page in pages]


def _text(page: bytes, objects: dict[int, bytes]) -> str:
    fonts = {
        name: _letters(_stream(objects[_reference(rb"/ToUnicode", objects[int(number)])]))
        for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", _resources(page, objects))
    }
    letters: dict[int, str] = {}
    found: list[str] = []
    for font, glyphs in _SHOWN.findall(_stream(objects[_reference(rb"/Contents", page)])):
        if font:
            letters = fonts[font]
        elif glyphs:
            found += [letters[int(glyphs[i : i + 4], 16)] for i in range(0, len(glyphs), 4)]
        else:
            found.append("\n")
    return "".join(found).replace("\t", " ")


def _resources(page: bytes, objects: dict[int, bytes]) -> bytes:
    found = re.search(rb"/Resources (\d+) 0 R", page)
    return page if found is None else objects[int(found[1])]


def _reference(key: bytes, body: bytes) -> int:
    found = re.search(key + rb" (\d+) 0 R", body)
    assert found is not None, body[:200]
    return int(found[1])


def _stream(body: bytes) -> bytes:
    found = re.search(rb"(?s)\bstream\r?\n(.*)\r?\nendstream", body)
    assert found is not None
    return zlib.decompressobj().decompress(found[1]) if b"/FlateDecode" in body else found[1]


def _letters(table: bytes) -> dict[int, str]:
    """Letters by the number of their glyph."""
    found: dict[int, str] = {}
    for part in re.findall(rb"(?s)beginbfrange(.*?)endbfrange", table):
        for low, high, first, several in _MAPPED.findall(part):
            numbers = range(int(low, 16), int(high, 16) + 1)
            if first:
                found |= {n: chr(int(first, 16) + k) for k, n in enumerate(numbers)}
            else:
                texts = re.findall(rb"<([0-9A-Fa-f]+)>", several)
                found |= {n: bytes.fromhex(t.decode()).decode("utf-16-be") for n, t in zip(numbers, texts, strict=True)}
    for part in re.findall(rb"(?s)beginbfchar(.*?)endbfchar", table):
        for glyph, letter in re.findall(rb"<([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)>", part):
            found[int(glyph, 16)] = bytes.fromhex(letter.decode()).decode("utf-16-be")
    return found
