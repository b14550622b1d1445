"""Metadata files (``.rda``, and ``.rds`` for a safe file): read and written in the grammar of μ-ARGUS."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...base.errors import MetadataError, Notice
from ...base.texts import mark
from ...data.variables import Metadata, Variable
from ...recipe.model import Format
from .rda_writer import rda_text
from .text_files import BLANKS, find_beside, read_text, split_lines

__all__ = ["rda_text", "read_rda_with_notices"]

_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_ONE_CHARACTER_TOKENS = ",|()"
_DEFAULT_DELIMITER = ";"


@dataclass(frozen=True)
class _Token:
    text: str
    quoted: bool


def read_rda_with_notices(path: Path) -> tuple[Metadata, tuple[Notice, ...]]:
    """Metadata of an ``.rda`` or ``.rds`` file, and what was accepted but should be said.

    The header decides the format: nothing is fixed, ``<SEPARATOR>`` delimited, ``<NAMESINFRONT>`` delimited with
    a header line, ``<SPSS>`` spss. Any number of missing codes may follow a variable; blanks or commas separate
    them, quotes protect both. Codelist names are relative to the file's folder, whatever their case. What is
    merely contradictory (overlaps, duplicate names, unknown related variables) is left to
    `core.metadata.problems`, so that it can be repaired.

    Raises
    ------
    MetadataError
        The file is absent, empty or binary, or a line cannot be understood: names file, line and variable.
    """
    reader = _Reader(path)
    for number, line in enumerate(split_lines(read_text(path, empty_allowed=False)), start=1):
        reader.line = number
        reader.read(line)
    return reader.metadata(), tuple(reader.notices)


@dataclass
class _Reader:
    path: Path
    line: int = 0
    format: Format = "fixed"
    delimiter: str | None = None
    header: bool = False
    variables: list[Variable] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def read(self, text: str) -> None:
        stripped = text.strip(BLANKS)
        if not stripped or stripped.startswith("//"):
            return
        tokens = self._tokens(stripped)
        if tokens[0].quoted or not tokens[0].text.startswith("<"):
            self._variable_line(tokens)
        else:
            self._keyword_line(tokens)

    def metadata(self) -> Metadata:
        if not self.variables:
            self.line = 0
            self._fail("rda-no-variables", mark("{file} describes no variable."), mark("Choose another file."))
        if self.header and self.delimiter is None:
            self._say(
                "rda-no-separator",
                mark("{file} names no separator; {delimiter} is taken."),
                delimiter=_DEFAULT_DELIMITER,
            )
        names = {variable.name.casefold(): variable.name for variable in reversed(self.variables)}
        variables = tuple(
            replace(v, related=names.get(v.related.casefold(), v.related)) if v.related else v for v in self.variables
        )
        if self.format == "delimited":
            variables = tuple(
                replace(v, column=position, missing=v.missing or ("",)) for position, v in enumerate(variables, start=1)
            )
        return Metadata(self.format, variables, self.delimiter or _DEFAULT_DELIMITER, self.header)

    def _tokens(self, text: str) -> list[_Token]:
        tokens: list[_Token] = []
        position = 0
        while position < len(text):
            character = text[position]
            if character in " \t":
                position += 1
                continue
            end = self._token_end(text, position, first=not tokens)
            quoted = character == '"'
            tokens.append(_Token(text[position + 1 : end - 1] if quoted else text[position:end], quoted))
            position = end
        return tokens

    def _token_end(self, text: str, start: int, *, first: bool) -> int:
        character = text[start]
        if character == '"':
            end = text.find('"', start + 1)
            if end < 0:
                self._fail(
                    "rda-open-quote",
                    mark("{file}, line {line}: a quote is opened and not closed."),
                    mark("Close the quote."),
                )
            return end + 1
        if character in _ONE_CHARACTER_TOKENS:
            return start + 1
        closing = text.find(">", start)
        if first and character == "<" and closing > 0:
            return closing + 1
        blank = re.compile(r"[ \t]").search(text, start)
        return blank.start() if blank else len(text)

    def _variable_line(self, tokens: list[_Token]) -> None:
        name = tokens[0].text.strip(BLANKS)
        if not name:
            self._fail("rda-no-name", mark("{file}, line {line}: the variable has no name."), mark("Give it a name."))
        self.variables.append(Variable(name))
        rest = tokens[1:]
        start = length = 0
        if self.format == "fixed":
            start, length = self._integer(rest[:1], "start"), self._integer(rest[1:2], "length")
            rest = rest[2:]
        elif self.format == "delimited":
            length = self._integer(rest[:1], "length") if rest else 0
            rest = rest[1:]
        else:
            start, length, *_ = [self._integer([token], "length") for token in rest[:2]] + [0, 0]
            rest = rest[2:]
        self.variables[-1] = Variable(name, start=start, length=length, missing=self._missing(rest))

    def _missing(self, tokens: list[_Token]) -> tuple[str, ...]:
        codes: list[str] = []
        for token in tokens:
            if token.quoted:
                # "" says "none"; a blank field of fixed format is declared missing by quoted blanks.
                codes += [token.text.strip(BLANKS)] if token.text or self.format != "fixed" else []
            else:
                codes += [part.strip(BLANKS) for part in token.text.split(",") if part.strip(BLANKS)]
        return tuple(dict.fromkeys(codes))

    def _keyword_line(self, tokens: list[_Token]) -> None:
        keyword, arguments = tokens[0].text.upper(), tokens[1:]
        if keyword in _HEADER:
            if self.variables:
                self._fail(
                    "rda-late-header",
                    mark("{file}, line {line}: {keyword} stands after the first variable, {variable}."),
                    mark("Move the line to the top of the file."),
                    keyword=keyword,
                    variable=self.variables[0].name,
                )
            _HEADER[keyword](self, arguments)
        elif keyword not in _ATTRIBUTES:
            self._say(
                "rda-unknown-keyword",
                mark("{file}, line {line}: the keyword {keyword} is not known and was ignored."),
                keyword=keyword,
            )
        elif not self.variables:
            self._say(
                "rda-early-keyword",
                mark("{file}, line {line}: {keyword} stands before the first variable and was ignored."),
                keyword=keyword,
            )
        else:
            changes = _ATTRIBUTES[keyword](self, arguments)
            self.variables[-1] = replace(self.variables[-1], **changes)

    def _spss(self, arguments: list[_Token]) -> None:
        self.format = "spss"

    def _separator(self, arguments: list[_Token]) -> None:
        text = arguments[0].text if arguments else ""
        if not text or text[0] == '"':
            self._fail(
                "rda-separator",
                mark("{file}, line {line}: <SEPARATOR> names no character."),
                mark('Write for example <SEPARATOR> ",".'),
            )
        if len(text) > 1:
            self._say(
                "rda-long-separator",
                mark("{file}, line {line}: of the separator {text} only the first character is used."),
                text=text,
            )
        self.format, self.delimiter = "delimited", text[0]

    def _names_in_front(self, arguments: list[_Token]) -> None:
        self.format, self.header = "delimited", True

    def _codelist(self, arguments: list[_Token]) -> dict[str, Any]:
        name = arguments[0].text.strip(BLANKS) if arguments else ""
        if not name:
            self._say("rda-no-codelist", mark("{file}, line {line}: <CODELIST> names no file and was ignored."))
            return {}
        return {"codelist": find_beside(self.path.absolute().parent, name)}

    def _related(self, arguments: list[_Token]) -> dict[str, Any]:
        name = arguments[0].text.strip(BLANKS) if arguments else ""
        if not name:
            self._say("rda-no-related", mark("{file}, line {line}: <RELATED> names no variable and was ignored."))
        return {"related": name or None}

    def _weight(self, arguments: list[_Token]) -> dict[str, Any]:
        self._refuse_second_role("household-id")
        return {"role": "weight", "numeric": True}

    def _house_id(self, arguments: list[_Token]) -> dict[str, Any]:
        self._refuse_second_role("weight")
        return {"role": "household-id"}

    def _refuse_second_role(self, other: str) -> None:
        if self.variables[-1].role == other:
            self._fail(
                "rda-two-roles",
                mark("{file}, line {line}: {variable} is both the weight and the household identifier."),
                mark("Remove <WEIGHT> or <HOUSE_ID> there."),
            )

    def _integer(self, tokens: list[_Token], what: str) -> int:
        text = tokens[0].text.strip(BLANKS) if tokens else ""
        if not _INTEGER.fullmatch(text):
            self._fail(
                "rda-not-an-integer",
                mark("{file}, line {line}: the {what} of {variable} is {text}, which is not an integer.")
                if text
                else mark("{file}, line {line}: the {what} of {variable} is absent."),
                mark("Write a whole number."),
                what=what,
                text=text,
            )
        return int(text)

    def _place(self) -> dict[str, Any]:
        name = self.variables[-1].name if self.variables else ""
        return {"file": self.path.name, "line": self.line, "variable": name}

    def _fail(self, id: str, template: str, hint: str, **values: Any) -> None:
        raise MetadataError(id, template, hint, **{**self._place(), **values})

    def _say(self, id: str, template: str, **values: Any) -> None:
        place = self._place()
        self.notices.append(Notice.of(id, template, where=place["variable"], **{**place, **values}))


_Attribute = Callable[[_Reader, list[_Token]], dict[str, Any]]


def _flag(name: str) -> _Attribute:
    return lambda reader, arguments: {name: True}


def _number(name: str, what: str) -> _Attribute:
    return lambda reader, arguments: {name: reader._integer(arguments, what)}


_HEADER: dict[str, Callable[[_Reader, list[_Token]], None]] = {
    "<SPSS>": _Reader._spss,
    "<SEPARATOR>": _Reader._separator,
    "<NAMESINFRONT>": _Reader._names_in_front,
}
_ATTRIBUTES: dict[str, _Attribute] = {
    "<RECODABLE>": _flag("categorical"),
    "<RECODEABLE>": _flag("categorical"),
    "<NUMERIC>": _flag("numeric"),
    "<DECIMALS>": _number("decimals", mark("number of decimals")),
    "<WEIGHT>": _Reader._weight,
    "<HOUSE_ID>": _Reader._house_id,
    "<HOUSEHOLD>": _flag("household"),
    "<RELATED>": _Reader._related,
    "<TRUNCABLE>": _flag("truncable"),
    "<IDLEVEL>": _number("identification_level", mark("identification level")),
    "<SUPPRESSPRIORITY>": _number("suppression_weight", mark("suppression priority")),
    "<SUPPRESSWEIGHT>": _number("suppression_weight", mark("suppression priority")),
    "<CODELIST>": _Reader._codelist,
}
