"""Global recode schemes (``.grc``): ``NEW : code, low - high, - high, low -``, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from ...base.errors import MetadataError, Notice
from ...base.texts import mark, plural
from .text_files import BLANKS, read_text, split_lines

_WHERE = "Recode scheme"
_ITEM_TOKEN = re.compile(r'"(?:[^"]|"")*"|[^ \t,:"-][^ \t,:-]*|[,:"-]')
_NEW_CODE = re.compile(r'"(?:[^"]|"")*"|[^ \t,:"][^ \t,:]*|"')
_MISSING_TOKEN = re.compile(r'"(?:[^"]|"")*"|[^ \t,"][^ \t,]*|"')
_PLAIN = re.compile(r'[^ \t,:"<\ufeff-][^ \t,:-]*')
_KEYWORD = re.compile(r"<[^>]*>?")


@dataclass(frozen=True)
class SchemeItem:
    """One item: the code `low` (`is_range` false), or all codes from `low` to `high`, None being no bound.

    Texts are as written between quotes, blanks included; `line` and `column` (1-based) say where.
    """

    low: str | None
    high: str | None
    is_range: bool
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    @property
    def text(self) -> str:
        """The item as a scheme writes it."""
        if not self.is_range:
            return quoted_code(self.low or "")
        low, high = (quoted_code(bound) if bound is not None else "" for bound in (self.low, self.high))
        return f"{low}-{high}"


@dataclass(frozen=True)
class SchemeLine:
    """``NEW : item, item``. `line` and `column` (1-based) say where the new code stands."""

    code: str
    items: tuple[SchemeItem, ...]
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Scheme:
    """A recode: lines in order (a later one wins), new missing codes, and the codelist as written."""

    lines: tuple[SchemeLine, ...]
    missing: tuple[str, ...] = ()
    codelist: str | None = None
    where: str = field(default=_WHERE, compare=False)
    """What messages call the scheme, for example its file name."""


def read_scheme(path: Path) -> Scheme:
    """The scheme in a ``.grc`` file; errors name the file, line and position. See `parse_scheme`."""
    return parse_scheme(read_text(path), path.name)


def parse_scheme(text: str, where: str = _WHERE) -> Scheme:
    """The scheme that `text` describes.

    Blanks around ``:``, ``,`` and ``-`` mean nothing, empty lines neither, a new code may stand on several lines.
    A code with a blank, comma, hyphen or colon stands in quotes, within which ``""`` is one quote; in a new code a
    hyphen needs none. ``<MISSING> a b`` (or ``a, b``) gives new missing codes, ``<CODELIST> file`` the codelist.

    Raises
    ------
    MetadataError
        With values `line` and `column` (1-based): no colon, empty item, two codes without a hyphen between them,
        two hyphens, a quote left open, no recode at all, an unknown ``<keyword>``.
    """
    parts = _Parts()
    for number, line in enumerate(split_lines(text.removeprefix("\ufeff")), start=1):
        if line.strip(BLANKS):
            _LineParser(line, number, where).parse(parts)
    if not parts.lines:
        _LineParser("", 1, where).fail(
            0,
            "scheme-empty",
            mark("{where}, line {line}, position {column}: no code is recoded."),
            mark("Write at least one line such as 1: 1-10."),
        )
    return Scheme(tuple(parts.lines), parts.missing, parts.codelist, where)


def parse_missing(text: str) -> tuple[str, ...]:
    """The missing codes that `text` names as after ``<MISSING>``.

    Raises
    ------
    MetadataError
        With the value `column` (1-based): a quote left open.
    """
    return _LineParser(text, 1, _WHERE)._missing(0)


def missing_text(codes: Iterable[str]) -> str:
    """`codes` as `parse_missing` reads them."""
    return " ".join(map(quoted_code, codes))


def read_otherwise(scheme: Scheme) -> tuple[Notice, ...]:
    """What μ-ARGUS reads otherwise of `scheme_text`, or not at all."""
    found = []
    if len(scheme.missing) > 2:
        text = mark("μ-ARGUS reads two missing codes only: without {codes}.")
        found.append(Notice.of("scheme-more-missing", text, codes=missing_text(scheme.missing[2:])))
    named = [line.code for line in scheme.lines]
    items = [item for line in scheme.lines for item in line.items]
    named += [bound for item in items for bound in (item.low, item.high) if bound is not None]
    quoted = [code for code in dict.fromkeys((*named, *scheme.missing)) if '"' in code and quoted_code(code) != code]
    if quoted:
        text = plural(
            len(quoted),
            "μ-ARGUS cannot read a quoted code that holds a quote: {codes}.",
            "μ-ARGUS cannot read quoted codes that hold a quote: {codes}.",
        )
        found.append(Notice.of("scheme-quotes", text, codes=", ".join(quoted)))
    return tuple(found)


def scheme_text(scheme: Scheme) -> str:
    """Text of `scheme` that reads back the same: lines, then missing codes, then the codelist.

    μ-ARGUS reads the first two missing codes, and no code that holds both a quote and a blank or separator.

    Raises
    ------
    MetadataError
        A code holds an end of line.
    """
    lines = [f"{quoted_code(line.code)}: {', '.join(item.text for item in line.items)}" for line in scheme.lines]
    if scheme.missing:
        lines.append(f"<MISSING> {missing_text(scheme.missing)}")
    if scheme.codelist is not None:
        name = scheme.codelist
        lines.append(f"<CODELIST> {name}" if '"' in name else f'<CODELIST> "{name}"')
    return "".join(f"{line}\n" for line in lines)


def quoted_code(code: str) -> str:
    """`code` as a scheme writes it: in quotes where it would be read otherwise."""
    if "\n" in code or "\r" in code:
        raise MetadataError(
            "scheme-unwritable",
            mark("Code {code} holds an end of line: a recode scheme cannot name it."),
            mark("Change the code in the data file."),
            code=repr(code),
        )
    return code if _PLAIN.fullmatch(code) else '"' + code.replace('"', '""') + '"'


@dataclass
class _Parts:
    """The parts of a scheme read so far."""

    lines: list[SchemeLine] = field(default_factory=list)
    missing: tuple[str, ...] = ()
    codelist: str | None = None


@dataclass(frozen=True)
class _Token:
    text: str
    index: int

    @property
    def is_code(self) -> bool:
        return self.text not in (",", ":", "-", '"')

    @property
    def code(self) -> str:
        return _unquoted(self.text)


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text


@dataclass(frozen=True)
class _LineParser:
    """One line of a scheme."""

    text: str
    number: int
    where: str

    def parse(self, parts: _Parts) -> None:
        """Add what this line says to `parts`."""
        start = self._skip_blanks(0)
        keyword = _KEYWORD.match(self.text, start)
        name = keyword.group().upper() if keyword else ""
        if keyword is None:
            parts.lines.append(self._recode_line(start))
        elif name == "<MISSING>":
            self._refuse_second(bool(parts.missing), start, name)
            parts.missing = self._missing(keyword.end())
        elif name == "<CODELIST>":
            self._refuse_second(parts.codelist is not None, start, name)
            parts.codelist = self._codelist(keyword.end())
        else:
            self.fail(
                start,
                "scheme-unknown-keyword",
                mark("{where}, line {line}, position {column}: {keyword} is not known here."),
                mark("Known are <MISSING> and <CODELIST>; put a code that starts with < in quotes."),
                keyword=keyword.group(),
            )

    def fail(self, index: int, id: str, template: str, hint: str, **values: Any) -> NoReturn:
        """Refuse the scheme for what stands at `index` (0-based) of this line."""
        raise MetadataError(id, template, hint, where=self.where, line=self.number, column=index + 1, **values)

    def _skip_blanks(self, index: int) -> int:
        while self.text[index : index + 1] in (" ", "\t"):
            index += 1
        return index

    def _refuse_second(self, given: bool, start: int, keyword: str) -> None:
        if given:
            self.fail(
                start,
                "scheme-keyword-twice",
                mark("{where}, line {line}, position {column}: {keyword} stands here a second time."),
                mark("Keep one of the two lines."),
                keyword=keyword,
            )

    def _recode_line(self, start: int) -> SchemeLine:
        found = _NEW_CODE.match(self.text, start)
        if found is None:
            self._fail_empty(start)
        if found.group() == '"':
            self._fail_open_quote(start)
        colon = self._skip_blanks(found.end())
        if self.text[colon : colon + 1] != ":":
            self.fail(
                colon,
                "scheme-no-colon",
                mark("{where}, line {line}, position {column}: there is no colon after the new code {code}."),
                mark("Write the new code, a colon, and the codes that become it: 1: 1-10."),
                code=found.group(),
            )
        code = _unquoted(found.group()).strip(BLANKS)
        return SchemeLine(code, self._items(colon + 1), self.number, start + 1)

    def _items(self, start: int) -> tuple[SchemeItem, ...]:
        items: list[SchemeItem] = []
        group: list[_Token] = []
        for found in _ITEM_TOKEN.finditer(self.text, start):
            token = _Token(found.group(), found.start())
            if token.text == ",":
                items.append(self._item(group, token.index))
                group = []
            else:
                self._check(token, group)
                group.append(token)
        items.append(self._item(group, len(self.text)))
        return tuple(items)

    def _check(self, token: _Token, before: list[_Token]) -> None:
        """Refuse `token` where it cannot follow what stands `before` it in the same item."""
        if token.text == '"':
            self._fail_open_quote(token.index)
        if token.text == ":":
            self.fail(
                token.index,
                "scheme-second-colon",
                mark("{where}, line {line}, position {column}: this line has a second colon."),
                mark("Begin a new line for each new code; put a code with a colon in quotes."),
            )
        if token.is_code and before and before[-1].is_code:
            self.fail(
                token.index,
                "scheme-two-codes",
                mark("{where}, line {line}, position {column}: a comma is missing between two codes."),
                mark("Separate codes by commas, as in 1: 98, 99; put a code with a blank in quotes."),
            )
        if token.text == "-" and any(other.text == "-" for other in before):
            self.fail(
                token.index,
                "scheme-two-hyphens",
                mark("{where}, line {line}, position {column}: a second hyphen in one range."),
                mark("Separate ranges by commas; put a code with a hyphen in quotes."),
            )

    def _item(self, group: list[_Token], end: int) -> SchemeItem:
        if not group:
            self._fail_empty(end)
        line, column = self.number, group[0].index + 1
        if len(group) == 1 and group[0].is_code:
            return SchemeItem(group[0].code, None, False, line, column)
        low = group[0].code if group[0].is_code else None
        high = group[-1].code if group[-1].is_code else None
        if low is None and high is None:
            self.fail(
                group[0].index,
                "scheme-no-bounds",
                mark("{where}, line {line}, position {column}: a hyphen with no code on either side."),
                mark("Write low - high, low -, or - high; put a code that is a hyphen in quotes."),
            )
        return SchemeItem(low, high, True, line, column)

    def _missing(self, start: int) -> tuple[str, ...]:
        codes: list[str] = []
        for found in _MISSING_TOKEN.finditer(self.text, start):
            if found.group() == '"':
                self._fail_open_quote(found.start())
            codes.append(_unquoted(found.group()).strip(BLANKS))
        return tuple(dict.fromkeys(codes))

    def _codelist(self, start: int) -> str:
        index = self._skip_blanks(start)
        name = self.text[index:].strip(BLANKS)
        if name.startswith('"'):
            name, quote, _ = name[1:].partition('"')
            if not quote:
                self._fail_open_quote(index)
        if not name:
            self.fail(
                index,
                "scheme-no-codelist",
                mark("{where}, line {line}, position {column}: <CODELIST> names no file."),
                mark("Write the file name on the same line."),
            )
        return name

    def _fail_empty(self, index: int) -> NoReturn:
        self.fail(
            index,
            "scheme-empty-item",
            mark("{where}, line {line}, position {column}: a code is expected here."),
            mark("Write a code or a range, or remove the comma or colon; an empty code is written as two quotes."),
        )

    def _fail_open_quote(self, index: int) -> NoReturn:
        self.fail(
            index,
            "scheme-open-quote",
            mark("{where}, line {line}, position {column}: this quote is not closed."),
            mark("Close it on the same line."),
        )
