"""Parsing TOML within bounds: what would take the parser minutes or all memory is refused before."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from .texts import mark, phrase

LARGEST = 1 << 24
"""Characters of a text that is parsed, which takes up to a minute; no sensible recipe has as many."""

MOST_PARTS = 16
"""Names in a dotted key; the parser's memory grows with their square."""

MOST_BITS = 14_000
"""Of a whole number: Python writes none of more than 4,300 decimal digits, as a message would."""

_TOKEN = re.compile(r"""\#[^\n]*|(?P<quote>\"{3}|'{3}|["'])|(?P<dot>\.)|(?P<end>[\n=\[\]{},])""")
_END_OF_STRING = {
    '"""': re.compile(r'\\.|(?P<closed>"{3,5})', re.DOTALL),
    "'''": re.compile("(?P<closed>'{3,5})"),
    '"': re.compile(r'\\.|(?P<closed>")|(?P<broken>\n)', re.DOTALL),
    "'": re.compile(r"(?P<closed>')|(?P<broken>\n)"),
}  # a string's inside is skipped piece by piece: Python before 3.11.4 matches possessive groups wrongly


class TomlBeyondLimits(ValueError):
    """A text has more than is parsed; `reason` says of what, as the end of a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def parse_toml(text: str) -> dict[str, Any]:
    """The values in `text`, whose line ends are single newlines.

    Raises
    ------
    tomllib.TOMLDecodeError
        It is not TOML.
    TomlBeyondLimits
        It is too long, has a key of too many parts, a number of too many digits, or nests too deeply.
    """
    if len(text) > LARGEST:
        raise TomlBeyondLimits(phrase("it is longer than {most} million characters", most=LARGEST >> 20))
    _check_keys(text)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise TomlBeyondLimits(mark("its lists or tables are nested too deeply")) from None
    except ValueError:
        raise _too_many_digits() from None
    _check_numbers(values)
    return values


def _check_keys(text: str) -> None:
    dots = position = 0
    while token := _TOKEN.search(text, position):
        position, kind = token.end(), token.lastgroup
        if kind == "end":
            dots = 0
        elif kind == "dot":
            dots += 1
            if dots >= MOST_PARTS:
                line = text.count("\n", 0, token.start()) + 1
                raise TomlBeyondLimits(
                    phrase("the key in line {line} has more than {most} parts", line=line, most=MOST_PARTS)
                )
        elif kind == "quote":
            position = _end_of_string(text, position, token["quote"])


def _end_of_string(text: str, begin: int, quote: str) -> int:
    """Where the string ends whose content begins at `begin`; the end of `text` where it does not end."""
    for piece in _END_OF_STRING[quote].finditer(text, begin):
        if piece.lastgroup:
            return piece.end() if piece.lastgroup == "closed" else len(text)
    return len(text)


def _check_numbers(values: dict[str, Any]) -> None:
    waiting: list[Any] = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, int) and value.bit_length() > MOST_BITS:
            raise _too_many_digits()


def _too_many_digits() -> TomlBeyondLimits:
    return TomlBeyondLimits(mark("it has a number of too many digits"))
