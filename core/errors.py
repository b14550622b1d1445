"""What a user can cause: a sentence that says what is wrong and where, and a hint that says what to do.

An error carries an identifier, a template and values, never a finished sentence: the text is made when it is
shown, in the language then in use. Values name files, lines, variables and codes; never a whole record.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.texts import translate


def _fill(template: str, values: dict[str, Any]) -> str:
    text = translate(template)
    return text.format(**values) if values else text


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
        return _fill(self.template, self.values)

    @property
    def advice(self) -> str:
        """What to do, translated; empty where there is nothing to add."""
        return _fill(self.hint, self.values)

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
    where the sentence itself names identifiers or values of persons.
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
        return _fill(self.template, dict(self.values))

    @property
    def public(self) -> str:
        """The sentence as it may leave the house, translated: without identifiers or values of persons."""
        return _fill(self.outside or self.template, dict(self.values))
