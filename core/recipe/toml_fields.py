"""Reading one TOML table strictly: known keys are taken by type and range, what is left over is refused."""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NoReturn, cast

from ..base.errors import Notice, RecipeError
from ..base.texts import mark, phrase, translate
from .model import ByCode

LARGEST = 2**63 - 1
"""Whole numbers of TOML go no further."""

_SHA256 = re.compile("[0-9a-fA-F]{64}")

_TYPE_NAMES = {
    bool: mark("true or false"),
    int: mark("a whole number"),
    float: mark("a number"),
    str: mark("a text in quotes"),
    list: mark("a list"),
    dict: mark("a table"),
    date: mark("a date such as 2026-11-23, without quotes"),
}


def absolute_path(text: str | Path, folder: Path) -> Path:
    """`text` as an absolute path, relative ones taken from `folder` (itself with symbolic links resolved)."""
    # only the folder is resolved: a link that the text names stays a link
    return Path(os.path.abspath(folder.resolve() / text))  # noqa: PTH100


def relative_text(path: Path, folder: Path) -> str:
    """`path` as a recipe in `folder` writes it: relative where that is possible, with ``/`` in any case."""
    try:
        return Path(os.path.relpath(path, folder.resolve())).as_posix()
    except ValueError:
        return path.as_posix()


class TomlTable:
    """A TOML table being read.

    Every method takes one key away and returns its value, or None where the table has no such key; `finish`
    refuses the keys that nobody took. All raise `RecipeError` naming the key's path.

    Parameters
    ----------
    values : mapping
        As tomllib gives it.
    where : str
        Path of the table, for example ``"combinations[1]"`` (elements counted from 1); empty for the whole recipe.
    folder : Path
        Folder of the recipe, from which relative paths are taken.
    file : Path, optional
        The recipe, where it stands in a file.

    Attributes
    ----------
    read_as : list
        A notice for each former key that is read as another one, in this table or any inside.
    """

    def __init__(self, values: Mapping[str, Any], where: str, folder: Path, file: Path | None = None) -> None:
        self._rest = dict(values)
        self._known: list[str] = []
        self.where = where
        self.folder = folder
        self.file = file
        self.read_as: list[Notice] = []

    def path_of(self, key: str) -> str:
        """Path of `key`, as errors name it."""
        return f"{self.where}.{key}" if self.where else key

    def refuse(self, key: str, value: object, expected: str, nearest: str = "") -> NoReturn:
        """Raise the error of a value outside what `key` may hold."""
        raise RecipeError(
            "recipe-bad-value",
            mark("The recipe's {key} is {value}, but must be {expected}.{nearest}"),
            "",
            key=self.path_of(key),
            value=_shown(value),
            expected=expected,
            nearest=nearest,
        )

    def _take(self, key: str, *kinds: type) -> Any:
        self._known.append(key)
        if key not in self._rest:
            return None
        value = self._rest.pop(key)
        if type(value) not in kinds:
            self.refuse(key, value, _TYPE_NAMES[kinds[0]])
        return value

    def boolean(self, key: str) -> bool | None:
        """True or false; a number is neither."""
        return cast("bool | None", self._take(key, bool))

    def integer(self, key: str, low: int, high: int | None = None) -> int | None:
        """A whole number from `low` to `high` (both included; None: the largest that TOML knows)."""
        value = self._take(key, int)
        if value is not None and not low <= value <= (LARGEST if high is None else high):
            open_end = high is None and value < low
            self.refuse(key, value, f">= {low}" if open_end else f"{low} .. {LARGEST if high is None else high}")
        return cast("int | None", value)

    def number(
        self,
        key: str,
        low: float,
        high: float = math.inf,
        *,
        low_included: bool = True,
        high_included: bool = True,
    ) -> float | None:
        """A finite number from `low` to `high`; whole numbers are accepted."""
        value = self._take(key, float, int)
        if value is None:
            return None
        below = value < low or (value == low and not low_included)
        above = value > high or (value == high and not high_included)
        if below or above or not _finite(value):
            sign, upper = ">=" if low_included else ">", "<=" if high_included else "<"
            lower = f"{sign} {low:g}" if math.isfinite(low) else mark("a finite number")
            self.refuse(key, value, lower if math.isinf(high) else f"{lower}, {upper} {high:g}")
        return float(value)

    def number_by_code(self, key: str, low: float, high: float, *, low_included: bool = True) -> float | ByCode | None:
        """A finite number from `low` to `high`, or a table of such numbers by code, sorted by code."""
        if not isinstance(self._rest.get(key), dict):
            return self.number(key, low, high, low_included=low_included)
        codes = sorted(self._rest[key])
        if not codes:
            self.refuse(key, {}, mark("a number, or a table that says a number for each of some codes"))
        table = cast(TomlTable, self.table(key))
        said = {code: table.number(code, low, high, low_included=low_included) for code in codes}
        return ByCode({code: number for code, number in said.items() if number is not None})

    def text(self, key: str) -> str | None:
        """Any text."""
        return cast("str | None", self._take(key, str))

    def secret(self, key: str) -> str | None:
        """128 bits as 32 hexadecimal digits in quotes; the error does not show what stands there."""
        self._known.append(key)
        if key not in self._rest:
            return None
        said = self._rest.pop(key)
        if not isinstance(said, str) or not re.fullmatch("[0-9a-fA-F]{32}", said):
            raise RecipeError(
                "recipe-bad-secret",
                mark("The recipe's {key} must be 32 hexadecimal digits (0 to 9, a to f) in quotes, and is not."),
                mark("Restore the secret from an earlier recipe of this survey, or remove the key."),
                key=self.path_of(key),
            )
        return said

    def text_or_integer(self, key: str) -> str | None:
        """Any text; a whole number is one, too."""
        value = self._take(key, str, int)
        return None if value is None else str(value)

    def choice(self, key: str, choices: Iterable[str], retired: Mapping[str, str] | None = None) -> Any:
        """One of `choices`; `retired`: values that are offered no longer, and what to do instead."""
        value = self._take(key, str)
        known = tuple(choices)
        if retired and value in retired:
            self.refuse_retired(key, value, retired[value])
        if value is not None and value not in known:
            self.refuse(key, value, " | ".join(known), _did_you_mean(value, known))
        return value

    def retired(self, key: str, unchanged: Iterable[str], instead: Mapping[str, str]) -> None:
        """Take a key that decides nothing any more; `instead`: what to do where it said one of these values."""
        self.choice(key, unchanged, instead)

    def refuse_retired(self, key: str, value: object, instead: str) -> NoReturn:
        """Raise the error of a value that is offered no longer; `instead`: what to do."""
        raise RecipeError(
            "recipe-retired",
            mark("{file}: {key} = {value} is no longer offered."),
            instead,
            file=mark("The recipe") if self.file is None else str(self.file),
            key=self.path_of(key),
            value=_shown(value),
        )

    def note_former(self, key: str, value: object, now: str, variable: str = "") -> None:
        """Note that `key` with this `value`, said of `variable`, is an earlier form of `now`."""
        text = mark("The recipe's {key} = {said} is an earlier form of {now}, and read as that.")
        values = {"key": self.path_of(key), "said": _shown(value), "now": now}
        self.read_as.append(Notice.of("recipe-read-as", text, where=variable, **values))

    def path(self, key: str) -> Path | None:
        """A path, absolute in memory."""
        value = self._take(key, str)
        if value is None:
            return None
        path = _path_of(value, self.folder)
        if path is None:
            self.refuse(key, value, mark("the path of a file"))
        return path

    def name_or_path(self, key: str, names: Iterable[str]) -> str | Path | None:
        """One of `names`, or the path of a TOML file, absolute in memory."""
        value, known = cast("str | None", self._take(key, str)), tuple(names)
        if value is None or value in known:
            return value
        path = _path_of(value, self.folder) if value.lower().endswith(".toml") else None
        if path is None:
            expected = phrase("{names}, or the path of a file whose name ends in .toml", names=" | ".join(known))
            self.refuse(key, value, expected, _did_you_mean(value, known))
        return path

    def date(self, key: str) -> date | None:
        """A date without a time."""
        return cast("date | None", self._take(key, date))

    def paths(self, key: str) -> tuple[Path, ...]:
        """A list of paths, absolute in memory; none where `key` is not there or no list."""
        if type(self._rest.get(key)) is not list:
            return ()
        named = self.texts(key, distinct=True, empty=False) or ()
        for text in named:
            if not text.strip() or "\0" in text:
                self.refuse(key, text, mark("the path of a file"))
        return tuple(absolute_path(text, self.folder) for text in named)

    def texts(self, key: str, *, distinct: bool = False, empty: bool = True) -> tuple[str, ...] | None:
        """A list of texts."""
        value = self._take(key, list)
        if value is None:
            return None
        if not all(type(item) is str for item in value):
            self.refuse(key, value, mark("a list of texts in quotes"))
        if not empty and not value:
            self.refuse(key, value, mark("a list with at least one entry"))
        if distinct and len(set(value)) < len(value):
            self.refuse(key, value, mark("a list in which nothing stands twice"))
        return tuple(value)

    def sets(self, key: str) -> tuple[tuple[str, ...], ...] | None:
        """A list of lists of texts; in no list stands one twice, and none is empty or there twice."""
        value = self._take(key, list)
        if value is None:
            return None
        lists = value and all(type(each) is list and each for each in value)
        if not lists or any(type(item) is not str or each.count(item) > 1 for each in value for item in each):
            self.refuse(key, value, mark("a list of lists of texts in quotes, in each of which nothing stands twice"))
        if len({frozenset(each) for each in value}) < len(value):
            self.refuse(key, value, mark("a list in which no set stands twice"))
        return tuple(map(tuple, value))

    def matrix(self, key: str) -> tuple[tuple[float, ...], ...] | None:
        """A list of rows of finite numbers, all equally long."""
        value = self._take(key, list)
        if value is None:
            return None
        rows = value and all(type(row) is list and row and len(row) == len(value[0]) for row in value)
        if not rows or any(type(x) not in (int, float) or not _finite(x) for row in value for x in row):
            self.refuse(key, value, mark("a list of rows of numbers, all equally long"))
        return tuple(tuple(map(float, row)) for row in value)

    def checksum(self, key: str) -> str | None:
        """A SHA-256 in hexadecimal digits, small letters."""
        text = self.text(key)
        if text is not None and not _SHA256.fullmatch(text):
            self.refuse(key, text, mark("64 hexadecimal digits"))
        return None if text is None else text.lower()

    def checksums(self, key: str) -> tuple[tuple[Path, str], ...]:
        """A table of checksums by path, in the order of the file; empty where there is none."""
        table = self.table(key)
        found: dict[Path, str] = {}
        for text in [] if table is None else list(table._rest):
            assert table is not None
            path, said = _path_of(text, self.folder), table.checksum(text)
            if path is None or path in found:
                table.refuse(text, text, mark("the path of a file, each once"))
            found[path] = said or ""
        return tuple(found.items())

    def table(self, key: str) -> TomlTable | None:
        """A table inside this one."""
        value = self._take(key, dict)
        return None if value is None else self._inner(value, self.path_of(key))

    def tables(self, key: str) -> list[TomlTable]:
        """An array of tables; empty where there is none."""
        value = self._take(key, list)
        if value is None:
            return []
        if not all(type(item) is dict for item in value):
            self.refuse(key, value, f"[[{self.path_of(key)}]]")
        return [self._inner(item, f"{self.path_of(key)}[{i}]") for i, item in enumerate(value, 1)]

    def _inner(self, values: Mapping[str, Any], where: str) -> TomlTable:
        table = TomlTable(values, where, self.folder, self.file)
        table.read_as = self.read_as
        return table

    def named_tables(self) -> list[tuple[str, TomlTable]]:
        """All that is in this table, each a table under a free name, in the order of the file."""
        names = list(self._rest)
        return [(name, cast(TomlTable, self.table(name))) for name in names]

    def rest(self) -> dict[str, Any]:
        """What nobody took so far, taken away."""
        rest, self._rest = self._rest, {}
        return rest

    def require(self, key: str) -> None:
        """Refuse a table without `key`."""
        if key not in self._rest:
            raise RecipeError(
                "recipe-missing-key",
                mark("The recipe does not say {key}."),
                mark("Add it: it is required there."),
                key=self.path_of(key),
            )

    def finish(self) -> None:
        """Refuse keys that nobody took, naming the nearest known one."""
        for key in self._rest:
            raise RecipeError(
                "recipe-unknown-key",
                mark("The recipe has an unknown key {key}.{nearest}"),
                mark("Known there: {known}."),
                key=self.path_of(key),
                nearest=_did_you_mean(key, self._known),
                known=", ".join(self._known),
            )


def _path_of(text: str, folder: Path) -> Path | None:
    """The path that a recipe in `folder` says; None where it says none."""
    return absolute_path(text, folder) if text.strip() and "\0" not in text else None


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floating point numbers
        return False


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 60 else f'"{value[:57]}..."'
    if isinstance(value, dict):
        return mark("a table")
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return " " + translate('Did you mean "{word}"?').format(word=near[0]) if near else ""
