"""A small reader of R code: its tokens, and a refusal of what R could not read. Enough for our scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\n]+)|(?P<comment>\#[^\n]*)|(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>[A-Za-z.][A-Za-z0-9._]*)
    |(?P<operator><-|<=|>=|==|!=|&&|\|\||[-+*/^!<>=&|$,:@])
    |(?P<open>[(\[{])|(?P<close>[)\]}])""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r'\\(?:u(?P<u>[0-9a-f]{4})|U(?P<U>[0-9a-f]{8})|(?P<plain>["\\n]))')
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str


@dataclass(frozen=True)
class Call:
    """A call of a function by its name, with the names of its arguments ("" for one without)."""

    function: str
    arguments: tuple[str, ...]


def tokens(code: str) -> list[Token]:
    """Tokens without blanks and comments; AssertionError where R would find something that is none."""
    found, at = [], 0
    open_: list[str] = []
    while at < len(code):
        match = _TOKEN.match(code, at)
        assert match is not None, f"no R here: {code[at : at + 60]!r}"
        kind = match.lastgroup or ""
        if kind == "open":
            open_.append(match.group())
        elif kind == "close":
            assert open_ and open_.pop() == _PAIRS[match.group()], f"wrong bracket: {code[at - 60 : at + 1]!r}"
        if kind not in ("blank", "comment"):
            found.append(Token(kind, match.group()))
        at = match.end()
    assert not open_, f"not closed: {open_}"
    return found


def value(literal: str) -> str:
    """The text that a string literal means."""

    def meant(match: re.Match[str]) -> str:
        if match["plain"]:
            return {"n": "\n"}.get(match["plain"], match["plain"])
        return chr(int(match["u"] or match["U"], 16))

    inner = literal[1:-1]
    assert inner.isascii()
    assert "\\" not in _ESCAPE.sub("", inner), literal
    return _ESCAPE.sub(meant, inner)


def strings(code: str) -> list[str]:
    """The texts of all string literals."""
    return [value(token.text) for token in tokens(code) if token.kind == "string"]


def calls(code: str) -> list[Call]:
    """Every call, an outer one before those within it."""
    found = tokens(code)
    return [
        Call(token.text, _arguments(found, at + 2))
        for at, token in enumerate(found[:-1])
        if token.kind == "name" and found[at + 1].text == "(" and token.text not in ("if", "for", "while", "function")
    ]


def _arguments(found: list[Token], at: int) -> tuple[str, ...]:
    names: list[str] = []
    depth, first = 0, True
    while depth or found[at].text != ")":
        token = found[at]
        if depth == 0 and token.text == ",":
            first = True
        elif first:
            names.append(token.text if found[at + 1].text == "=" else "")
            first = False
        depth += (token.kind == "open") - (token.kind == "close")
        at += 1
    return tuple(names)
