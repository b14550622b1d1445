"""Every text of the sources, as a catalogue without translations."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog

from docs.catalogue.languages import PROJECT, forms
from gui.help.paragraphs import paragraphs

FORMS = {
    "mark": (0,),
    "translate": (0,),
    "phrase": (0,),
    "_": (0,),
    "plural": (1, 2),
    "counted": (1, 2),
    "mark_plural": (0, 1),
}
"""Functions that texts stand in, and which of their arguments are the text, or the forms of one."""

DECLARED = {"Guide": ("assumes", "not_for", "formula")}
"""Declarations all of whose texts are translated where they are shown, and which of their fields are texts."""

NOTES = {"core/recipe/key_words.py": "a key of the recipe in words; a heading gets a capital by itself"}
"""What translators are told of all texts of a file."""

COMMENT = "# translators:"
"""How a comment above a text begins that translators shall read."""


def extracted(domain: str) -> Catalog:
    """What there is to translate, by source file and in its order."""
    return _guide() if domain == "guide" else _program()


def _program() -> Catalog:
    found = Catalog(domain="pavo")
    sources = [path for part in ("core", "gui") for path in sorted((PROJECT / part).rglob("*.py"))]
    for path in [*sources, PROJECT / "main.py"]:
        place = path.relative_to(PROJECT).as_posix()
        for line, text, comment in _texts(path):
            told = [each for each in (comment, NOTES.get(place, "")) if each]
            found.add(text, None, [(place, line)], auto_comments=told)
    for path in sorted((PROJECT / "resources" / "profiles").glob("*.toml")):
        profile = tomllib.loads(path.read_text("utf-8"))
        for key in ("name", "description"):
            if profile.get(key):
                place = path.relative_to(PROJECT).as_posix()
                found.add(profile[key], None, [(place, 1)], auto_comments=[f"the {key} of a release profile"])
    return found


@cache
def _texts(path: Path) -> tuple[tuple[int, str | tuple[str, ...], str], ...]:
    """Line, text and what translators are told of it; Babel's own extraction loses literals in brackets."""
    return tuple(_marked(path.read_text("utf-8")))


def _marked(source: str) -> Iterator[tuple[int, str | tuple[str, ...], str]]:
    lines = source.splitlines()
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        for field in call.keywords:
            if field.arg in DECLARED.get(name, ()) and isinstance(field.value, ast.Constant):
                yield field.value.lineno, str(field.value.value), ""
        places = FORMS.get(name, ())
        given = [call.args[place] for place in places if place < len(call.args)]
        texts = tuple(each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str))
        if texts and len(texts) == len(places) and texts[0]:
            above = lines[call.lineno - 2].strip() if call.lineno > 1 else ""
            comment = above.removeprefix(COMMENT).strip() if above.startswith(COMMENT) else ""
            yield call.lineno, texts if len(texts) > 1 else texts[0], comment


def _guide() -> Catalog:
    found = Catalog(domain="guide")
    said_by_program = {forms(message.id)[0] for message in _program() if message.id}
    for path in sorted((PROJECT / "resources" / "help").glob("*.md")):
        heading = ""
        for piece in paragraphs(path.read_text("utf-8")):
            if piece.is_heading:
                heading = piece.text
            if piece.text and piece.text not in said_by_program:
                said = [piece.kind] if piece.is_heading or not heading else [f"{piece.kind}, below “{heading}”"]
                found.add(piece.text, None, [(path.relative_to(PROJECT).as_posix(), piece.line)], auto_comments=said)
    return found
