"""The one catalogue of translatable texts, shared by core and gui (gettext).

Babel extracts them (`docs/catalogue`): ``python -m docs.catalogue update``.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from numbers import Real
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

_LOCALES = Path(__file__).resolve().parents[2] / "resources" / "locale"
_ENGLISH = gettext.NullTranslations()
_program_language = "en"
_language_of_outputs = ""
_language: ContextVar[str] = ContextVar("language", default="")


class Marks(NamedTuple):
    """What stands in numbers before their decimals, and between the groups of three digits before that."""

    decimal: str
    group: str


_ENGLISH_MARKS = Marks(".", ",")
_MARKS = {
    "de": Marks(",", "."),
    "eo": Marks(",", "\u00a0"),
    "es": Marks(",", "."),
    "fr": Marks(",", "\u202f"),
    "it": Marks(",", "."),
    "nl": Marks(",", "."),
}
"""By language, of those that write numbers otherwise than English."""
_marks: ContextVar[Callable[[], Marks]] = ContextVar("marks of numbers", default=lambda: _ENGLISH_MARKS)
_NUMBER = re.compile(r"(?<![\w.])(\d+)(?:\.(\d+))?")
_BEFORE_THREE = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")
_AS_TYPED = frozenset((
    "line", "row", "column", "position", "start", "end", "seed", "value", "code", "low", "high", "bottom", "top",
    "base",
))  # fmt: skip
"""Places of sentences whose whole numbers are found again in a file or box: as they stand there."""
_LANGUAGE_CODE = re.compile(r"[A-Za-z]{2,3}([_-][A-Za-z0-9]+)*")


def use_language(language: str | None) -> None:
    """Translate from now on into `language` (for example ``"nl"``); None or an unknown one means English."""
    global _program_language
    _catalogue.cache_clear()  # there may be others in their folder by now
    _program_language = language or "en"


@contextmanager
def messages_as_environment(environment: Mapping[str, str]) -> Iterator[None]:
    """While it lasts, messages are in the language that ``LC_ALL``, ``LC_MESSAGES`` or ``LANG`` says.

    What is written is not: a recipe gives the same outputs wherever it is carried out, in English where it names no
    language.
    """
    global _language_of_outputs, _program_language
    named = next((named for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (named := environment.get(name))), "")
    language = re.split("[.@]", named)[0]
    before = _program_language, _language_of_outputs
    _language_of_outputs = "en"
    if re.split("[-_]", language)[0] in languages():
        _program_language = language
    try:
        with _marks_of(_program_language):
            yield
    finally:
        _program_language, _language_of_outputs = before


@contextmanager
def language_in_use(language: str, grouped: bool = True) -> Iterator[None]:
    """Translate into this language in this thread while it lasts, and write numbers as it does.

    `grouped` : digits in groups, as people read them; False: for files that programs read.
    """
    before = _language.set(language)
    try:
        with _marks_of(language, grouped):
            yield
    finally:
        _language.reset(before)


@contextmanager
def _marks_of(language: str, grouped: bool = True) -> Iterator[None]:
    marks = _MARKS.get(re.split("[-_]", language)[0], _ENGLISH_MARKS)
    marks = marks if grouped else Marks(marks.decimal, "")
    before = _marks.set(lambda: marks)
    try:
        yield
    finally:
        _marks.reset(before)


def current_language() -> str:
    """The language that texts are now translated into here, as it was asked for (``"nl"``, ``"de_AT"``)."""
    return _language.get() or _program_language


def named_language() -> str:
    """The language that is named for a while here, whatever the program's is; empty: none."""
    return _language.get()


def found_language() -> str:
    """The language that texts are really in here: English where the one that was asked for has no catalogue."""
    return str(_catalogue(current_language()).info().get("language", "en"))


def language_of_outputs() -> str:
    """The language of what is written where the recipe names none: that of the windows; without windows English."""
    return _language_of_outputs or found_language()


@lru_cache(maxsize=16)
def _catalogue(language: str, domain: str = "pavo") -> gettext.NullTranslations:
    if language == "en" or not _LANGUAGE_CODE.fullmatch(language):  # a recipe may say anything, a path for example
        return _ENGLISH
    return gettext.translation(domain, _LOCALES, [language.replace("-", "_")], fallback=True)


def of_guide(text: str) -> str:
    """A piece of the guide in the language in use; what the program says in the same words is found there."""
    found = _catalogue(current_language(), "guide").gettext(text)
    return found if found != text else translate(text)


def languages() -> tuple[str, ...]:
    """Languages that the texts are there in, English first."""
    return ("en", *sorted(path.parents[1].name for path in _LOCALES.glob("*/LC_MESSAGES/pavo.mo")))


def translate(text: str) -> str:
    """The text in the language in use; the text itself where there is no translation."""
    if isinstance(text, _Plural):
        return _catalogue(current_language()).ngettext(text.one, text.many, text.number)
    if isinstance(text, Phrase):
        return filled(text.template, text.values, shown=True)
    if isinstance(text, Series):
        return ", ".join(map(shown, text.texts))
    return _catalogue(current_language()).gettext(text) if text else ""


class DecimalText(str):
    """A decimal number that was written with a point, in as many digits as it shall be shown with."""


def use_marks(marks: Callable[[], Marks]) -> None:
    """Show numbers in this thread's sentences with what `marks` says then; files keep the point, without groups."""
    _marks.set(marks)


def in_groups(digits: str, group: str) -> str:
    """A whole number's digits with `group` between each three of them, from four digits on."""
    return _BEFORE_THREE.sub(group, digits)


def with_marks(text: str, grouped: bool = True) -> str:
    """A number, or several, written with a point: with the marks in use, in groups from four digits on."""
    marks = _marks.get()() if grouped else Marks(_marks.get()().decimal, "")

    def written(found: re.Match[str]) -> str:
        whole, decimals = found.groups()
        whole = in_groups(whole, marks.group)
        return whole if decimals is None else f"{whole}{marks.decimal}{decimals}"

    return _NUMBER.sub(written, text)


class _Typed(int):
    """A whole number that is not grouped."""


class _Shown(Formatter):
    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        value, used = super().get_field(field_name, args, kwargs)
        return (_Typed(value) if field_name in _AS_TYPED and isinstance(value, int) else value), used

    def format_field(self, value: Any, format_spec: str) -> str:
        text = str(super().format_field(value, format_spec))
        is_plain = isinstance(value, (bool, _Typed)) or not isinstance(value, (Real, DecimalText))
        return text if is_plain else with_marks(text)


def filled(template: str, values: Mapping[str, Any], shown: bool) -> str:
    """The template, translated, with its places filled; `shown`: its numbers with the marks in use."""
    text = translate(template)
    if not values:
        return text
    values = {place: _of_program(v, shown) if isinstance(v, _OF_PROGRAM) else v for place, v in values.items()}
    return _Shown().vformat(text, (), values) if shown else text.format(**values)


def _of_program(text: str, shown: bool) -> str:
    """A text of the program that fills a place, translated, its own places filled in the same way."""
    if isinstance(text, Phrase):
        return filled(text.template, text.values, shown)
    if isinstance(text, Series):
        return ", ".join(_of_program(each, shown) if isinstance(each, _OF_PROGRAM) else each for each in text.texts)
    return translate(text)


class _Plural(str):
    """The English text for a number of things, with what `translate` needs to make another language's of it."""

    number: int
    one: str
    many: str

    def __new__(cls, number: int, one: str, many: str) -> _Plural:
        self = super().__new__(cls, one if number == 1 else many)
        self.number, self.one, self.many = int(number), one, many
        return self

    def __getnewargs__(self) -> tuple[int, str, str]:  # type: ignore[override]
        return self.number, self.one, self.many


def plural(number: int, one: str, many: str) -> str:
    """A marked text about a number of things, of which every language has as many forms as it needs.

    Parameters
    ----------
    number : of the things; no other number in the text decides its form
    one, many : the English literals (or those of `mark_plural`), for one of them and for none or several
    """
    return _Plural(number, one, many)


class _Marked(str):
    """An English literal of the program, to be translated where it is shown; also where it fills a place."""


def mark(text: str) -> str:
    """Mark a literal for extraction without translating it yet; `filled` translates it where it fills a place, too."""
    return _Marked(text)


def shown(text: str) -> str:
    """A text of the program translated, one of the user as it is: for names that either can give."""
    return translate(text) if isinstance(text, _OF_PROGRAM) else text


class Phrase(str):
    """A text with its places filled, in English, with what `translate` needs to fill another language's."""

    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> Phrase:
        """Fill the template's places by `values`."""
        self = super().__new__(cls, str(template).format(**values))
        self.template, self.values = template, values
        return self

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any]]:  # type: ignore[override]
        return self.template, self.values


class Series(str):
    """Texts with commas between them, each of which is translated where they are shown."""

    texts: tuple[str, ...]

    def __new__(cls, texts: Iterable[str]) -> Series:
        """Join the texts."""
        texts = tuple(texts)
        self = super().__new__(cls, ", ".join(texts))
        self.texts = texts
        return self

    def __getnewargs__(self) -> tuple[tuple[str, ...]]:  # type: ignore[override]
        return (self.texts,)


_OF_PROGRAM = (_Marked, _Plural, Phrase, Series)


def phrase(text: str, **values: Any) -> str:
    """A text of the program with its places filled that is translated where it is shown, as a value of another text.

    What is kept may be shown in several languages: a warning in that of the program, of the report, and in English.
    """
    return Phrase(text, values)


def series(texts: Iterable[str]) -> str:
    """Texts with commas between them, as a value of another text; those of the program are translated there."""
    return Series(texts)


def mark_plural(one: str, many: str) -> tuple[str, str]:
    """Mark the two literals of a `plural` text where they stand apart from the number."""
    return one, many
