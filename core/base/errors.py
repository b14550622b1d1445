"""Errors that a user can cause: a sentence that says what is wrong and where, and a hint that says what to do.

An error carries an identifier, a template and values, never a finished sentence: the text is made when it is
shown, in the language then in use. Values name files, lines, variables and codes; never a whole record.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from .places import may_be_told
from .texts import filled, mark


def _places(template: str) -> set[str]:
    return {place for _text, place, _spec, _conversion in Formatter().parse(template) if place is not None}


class PavoError(Exception):
    """An expected problem, shown to the user as it stands.

    Parameters
    ----------
    id : str
        Stable identifier, kebab-case, for example ``"data-line-too-long"``.
    template : str
        English sentence with ``{named}`` places: what is wrong and where.
    hint : str
        English sentence with the same places: what to do. May be empty.
    **values
        What fills the places.
    """

    def __init__(self, id: str, template: str, hint: str = "", /, **values: Any) -> None:
        self.id = id
        self.template = template
        self.hint = hint
        self.values = values
        super().__init__(id)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.id, self.template, self.hint, self.values)

    @property
    def sentence(self) -> str:
        """What is wrong and where, translated."""
        return self._told(self.template)

    @property
    def advice(self) -> str:
        """What to do, translated; empty where there is nothing to add."""
        return self._told(self.hint)

    def _told(self, template: str) -> str:
        return filled(template, self.values, shown=True)

    def __str__(self) -> str:
        return f"{self.sentence} {self.advice}".strip()


def _rebuild(cls: type[PavoError], id: str, template: str, hint: str, values: dict[str, Any]) -> PavoError:
    error = PavoError(id, template, hint, **values)
    error.__class__ = cls
    return error


class RecipeError(PavoError):
    """The recipe cannot be carried out: unknown key, wrong type, contradiction."""


class MetadataError(PavoError):
    """Metadata, codelist or recode file cannot be used."""


class DataError(PavoError):
    """The microdata file cannot be used."""


class OutputError(PavoError):
    """An output cannot be written."""


class ProtectionError(PavoError):
    """No suppression can reach what the recipe asks for, or the check of the written file failed."""


@dataclass(frozen=True)
class Notice:
    """A warning: the same parts as an error, for what is accepted and said.

    `id` is stable (it stands in ``summary.json``); `values` are what fills the template; `where` optionally names
    the variable concerned, so that a window can lead to it; `outside` is the template of what outsiders are told,
    where the sentence itself names identifiers or values of persons. Without one, a sentence that has a place for
    such a value is not told outside at all.
    """

    id: str
    template: str
    values: tuple[tuple[str, Any], ...] = field(default=())
    where: str = ""
    outside: str = ""

    @classmethod
    def of(cls, id: str, template: str, outside: str = "", /, where: str = "", **values: Any) -> Notice:
        """A notice whose places, and those of `outside`, are filled by `values`."""
        return cls(id, template, tuple(values.items()), where, outside)

    @property
    def text(self) -> str:
        """The sentence, translated."""
        return filled(self.template, dict(self.values), shown=True)

    @property
    def public(self) -> str:
        """The sentence as a summary has it, translated: without codes, identifiers or values of persons."""
        return self._told(outside=False, shown=False)

    @property
    def external(self) -> str:
        """The sentence as it may leave the house, translated: of files nothing either, no name and no line."""
        return self._told(outside=True, shown=True)

    def _told(self, outside: bool, shown: bool) -> str:
        """The first of the notice's sentences that may be told; else that there is one."""
        values = dict(self.values)
        for template in (self.outside or self.template, self.outside and self.template):
            if template and all(may_be_told(place, values.get(place), outside) for place in _places(template)):
                return filled(template, values, shown)
        return filled(mark("There is a warning that the internal report tells: {id}."), {"id": self.id}, shown=False)
