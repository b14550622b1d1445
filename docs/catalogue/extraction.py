"""Every text of the sources, as a catalogue without translations."""

from __future__ import annotations

import tomllib

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file

from docs.catalogue.languages import PROJECT, forms
from gui.help.paragraphs import paragraphs

KEYWORDS = {
    "mark": None,
    "translate": None,
    "_": None,
    "plural": (2, 3),
    "counted": (2, 3),
    "mark_plural": (1, 2),
}
"""Functions that texts stand in, and which of their arguments are the forms of a plural."""

COMMENT = "translators:"
"""How a comment above a text begins that translators shall read."""


def extracted(domain: str) -> Catalog:
    """What there is to translate, by source file and in its order."""
    return _guide() if domain == "guide" else _program()


def _program() -> Catalog:
    found = Catalog(domain="pavo")
    sources = [path for part in ("core", "gui") for path in sorted((PROJECT / part).rglob("*.py"))]
    for path in [*sources, PROJECT / "main.py"]:
        place = path.relative_to(PROJECT).as_posix()
        for line, text, comments, context in extract_from_file(
            "python", path, keywords=KEYWORDS, comment_tags=(COMMENT,), strip_comment_tags=True
        ):
            found.add(text, None, [(place, line)], auto_comments=comments, context=context)
    for path in sorted((PROJECT / "resources" / "profiles").glob("*.toml")):
        profile = tomllib.loads(path.read_text("utf-8"))
        for key in ("name", "description"):
            if profile.get(key):
                place = path.relative_to(PROJECT).as_posix()
                found.add(profile[key], None, [(place, 1)], auto_comments=[f"the {key} of a release profile"])
    return found


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
