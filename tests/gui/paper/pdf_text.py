"""The text of a PDF file as Qt writes it, read from its glyphs and their table of letters."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

_OBJECT = re.compile(rb"(?s)\b(\d+) 0 obj\b(.*?)\bendobj\b")
_SHOWN = re.compile(rb"/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)> Tj|\bBT\b")
_MAPPED = re.compile(rb"<([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)>(?: <([0-9A-Fa-f]+)>| \[([^]]*)\])?")


def page_texts(pdf: bytes) -> list[str]:
    """What is written on each page, a line for each run of text."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    pages = [body for body in objects.values() if re.search(rb"/Type\s*/Page\b", body)]
    return [_text(page, objects) for page in pages]


def read_aloud(pdf: bytes) -> list[tuple[str, str]]:
    """What a screen reader is given: the role of each part that has a text, and the text, in the order of reading."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    pages = {number: body for number, body in objects.items() if re.search(rb"/Type\s*/Page\b", body)}
    texts = {number: _tagged(page, objects) for number, page in pages.items()}
    (root,) = (body for body in objects.values() if b"/Type /StructTreeRoot" in body)
    return list(_aloud(_reference(rb"/K", root), objects, texts))


def _aloud(number: int, objects: dict[int, bytes], texts: dict[int, dict[int, str]]) -> Iterator[tuple[str, str]]:
    body = objects[number]
    role = re.search(rb"/S /(\w+)", body)
    kids = re.search(rb"/K \[(.*?)\]", body)
    own = re.search(rb"/Pg (\d+) 0 R", body)
    assert role is not None and kids is not None
    said, inner = "", list[tuple[str, str]]()
    for page, there, kid, mark in re.findall(rb"<< /Type /MCR /Pg (\d+) 0 R /MCID (\d+) >>|(\d+) 0 R|(\d+)", kids[1]):
        if kid:
            inner += _aloud(int(kid), objects, texts)
        else:
            said += texts[int(page or own[1])][int(there or mark)] + "\n"  # type: ignore[index]
    if said.strip():
        yield role[1].decode(), said.strip()
    yield from inner


def _tagged(page: bytes, objects: dict[int, bytes]) -> dict[int, str]:
    """The texts of a page by the numbers of their tags."""
    content = _stream(objects[_reference(rb"/Contents", page)])
    parts = re.findall(rb"(?s)/\w+ << /MCID (\d+) >> BDC\n(.*?)\bEMC\n", content)
    return {int(number): _shown(part, _fonts(page, objects)) for number, part in parts}


def _text(page: bytes, objects: dict[int, bytes]) -> str:
    return _shown(_stream(objects[_reference(rb"/Contents", page)]), _fonts(page, objects))


def _fonts(page: bytes, objects: dict[int, bytes]) -> dict[bytes, dict[int, str]]:
    return {
        name: _letters(_stream(objects[_reference(rb"/ToUnicode", objects[int(number)])]))
        for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", _resources(page, objects))
    }


def _shown(content: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    letters: dict[int, str] = {}
    found: list[str] = []
    for font, glyphs in _SHOWN.findall(content):
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
