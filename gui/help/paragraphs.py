"""Pages of the guide, piece by piece: what of their Markdown is text, and the page with other text in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_OPENING = re.compile(r"(?P<sign>#{1,6} +|[ ]{0,3}(?:[-*+]|\d+\.) +|> ?)")
_LABEL = re.compile(r"(\*\*[^*]+:\*\*) ")
"""What a paragraph is about, and is said of many."""
_CELL = re.compile(r"(?:`[^`]*`|\\.|[^|\\`]|`)+")
_RULER = re.compile(r"[\s|:-]+")
_CODE_OR_PICTURE = re.compile(r"`[^`]*`|!\[[^\]]*\]\([^)]*\)")
_INDENT = "    "
_BREAK = "\\"
_BEHIND = re.compile(r"(: `[^`]*`)?\\?\s*$")
"""What stays behind a text: the name in recipes of what a heading is about, a break of the line."""


@dataclass(frozen=True)
class Piece:
    """A piece of a page.

    Attributes
    ----------
    text : what can be translated: a heading, paragraph, list item or table cell without its signs; else empty
    before, after : what stands around it and stays: signs, code, spaces, ends of lines
    kind : ``heading``, ``paragraph``, ``list item``, ``table cell``, or empty where there is no text
    line : where it begins, from 1
    """

    text: str
    before: str = ""
    after: str = ""
    kind: str = ""
    line: int = 1

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading."""
        return self.kind == "heading"


def paragraphs(markdown: str) -> list[Piece]:
    """The pieces of a page, in order; put together again they are the page (lines of one paragraph joined)."""
    return list(_pieces(markdown.splitlines()))


def in_language(markdown: str, translated: Callable[[str], str]) -> str:
    """The page with every text in its translation; code, pictures, numbers and signs stay."""
    return "".join(
        f"{piece.before}{translated(piece.text) if piece.text else ''}{piece.after}" for piece in paragraphs(markdown)
    )


def has_words(text: str) -> bool:
    """Whether there is something to translate beside code and pictures."""
    return bool(re.search(r"[^\W\d_]{2}", _CODE_OR_PICTURE.sub("", text)))


def _pieces(lines: list[str]) -> Iterator[Piece]:
    at, is_after_blank = 0, True
    while at < len(lines):
        line, start = lines[at], at
        if line.startswith("```"):
            at = next((n + 1 for n in range(at + 1, len(lines)) if lines[n].startswith("```")), len(lines))
            yield Piece("", "\n".join(lines[start:at]), "\n", line=start + 1)
        elif not line.strip() or (is_after_blank and line.startswith(_INDENT)):
            at += 1
            yield Piece("", line, "\n", line=start + 1)
        elif line.startswith("|"):
            at += 1
            yield from _cells(line, start + 1)
        else:
            at = _end(lines, at)
            yield from _paragraph(
                " ".join(part.strip() if n else part for n, part in enumerate(lines[start:at])), start + 1
            )
        is_after_blank = not line.strip() or (is_after_blank and line.startswith(_INDENT))


def _end(lines: list[str], at: int) -> int:
    """Behind the last line of the paragraph that begins at a line; a heading is a line."""
    is_heading = lines[at].startswith("#")
    at += 1
    while not is_heading and at < len(lines) and lines[at].strip() and not lines[at - 1].endswith(_BREAK):
        if lines[at].startswith(("|", "```")) or _OPENING.match(lines[at]):
            break
        at += 1
    return at


def _paragraph(text: str, line: int) -> Iterator[Piece]:
    found = _OPENING.match(text)
    sign = found["sign"] if found else ""
    kind = "heading" if sign.startswith("#") else "list item" if sign else "paragraph"
    rest = text[len(sign) :]
    if not has_words(rest):
        yield Piece("", text, "\n", line=line)
        return
    if label := _LABEL.match(rest):
        yield Piece(label[1], sign, " ", kind, line)
        sign, rest = "", rest[label.end() :]
    stays = _BEHIND.search(rest)
    end = stays.start() if stays else len(rest)
    yield Piece(rest[:end], sign, rest[end:] + "\n", kind, line)


def _cells(row: str, line: int) -> Iterator[Piece]:
    if _RULER.fullmatch(row):
        yield Piece("", row, "\n", line=line)
        return
    at = 0
    for found in _CELL.finditer(row):
        text = found[0].strip()
        if has_words(text):
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            yield Piece(text, row[at:start], "", "table cell", line)
            at = start + len(text)
    yield Piece("", row[at:], "\n", line=line)
