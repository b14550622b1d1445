"""The words by which variables are called, by what they mean: those of ``resources/vocabulary.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..base.errors import MetadataError
from ..base.texts import mark

FILE = Path(__file__).resolve().parents[2] / "resources" / "vocabulary.toml"

NAMES = (
    "weight", "household_id", "identifier", "numbering", "person_number", "remark", "day", "interviewer", "stratum",
    "cluster", "coordinate", "classification", "counted",
)  # fmt: skip
PLACES = (
    mark("region"), mark("province"), mark("state"), mark("district"), mark("municipality"),
    mark("place of residence"), mark("postal code"),
)  # fmt: skip
VISIBLE = (mark("sex"), mark("age"), mark("date of birth"), mark("ethnic group"))
TOLD = (
    mark("age"), mark("urban or rural"), mark("marital status"), mark("nationality"), mark("country of birth"),
    mark("origin"), mark("language"), mark("occupation"), mark("education"), mark("branch of industry"),
    mark("size of the household"), mark("type of household"), mark("place in the household"), mark("labour status"),
    mark("dwelling"),
)  # fmt: skip
SENSITIVE = (
    mark("income"), mark("health"), mark("religion"), mark("politics"), mark("crime"), mark("debts"), mark("wealth"),
    mark("benefits"), mark("drugs"), mark("money"),
)  # fmt: skip
AMOUNTS = (mark("amount"),)
LABELS = ("none", "scale")
_MEASURED = ("income", "debts", "wealth", "benefits", "money")

Ideas = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Vocabulary:
    """Words by meaning; ideas are in the order in which they are looked for.

    Attributes
    ----------
    names : patterns of names that say what a variable is for, by `NAMES`
    places, visible, told : ideas of key variables: where a person lives, what can be seen, what others know
    sensitive : ideas of sensitive variables
    amounts : ideas of variables that are measured
    labels : patterns of codes' labels, by `LABELS`
    """

    names: Mapping[str, re.Pattern[str]]
    places: Ideas
    visible: Ideas
    told: Ideas
    sensitive: Ideas
    amounts: Ideas
    labels: Mapping[str, re.Pattern[str]]

    @property
    def keys(self) -> Ideas:
        """What an outsider may know about a person."""
        age = (*self.told["age"], *self.visible["age"])
        return {**self.told, **self.places, **self.visible, "age": age}


_CASES = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_SIGNS = re.compile(r"[\W_]+")
_SPECIAL = frozenset(r"\.^$*+?{}[]|()")
_LIGATURES = str.maketrans({"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae", "ø": "o", "Ø": "O"})


def without_accents(text: str) -> str:
    """The text with its letters bare: État is Etat, Größe is Große."""
    marks = unicodedata.normalize("NFKD", text.translate(_LIGATURES))
    return "".join(letter for letter in marks if not unicodedata.combining(letter))


def folded(name: str) -> tuple[str, str]:
    """A name as words are looked for in it: in parts where its case changes too, and as a whole.

    Case and accents are gone, and every run of signs is a blank.
    """
    bare = without_accents(name)
    parts, whole = (_SIGNS.sub(" ", text.casefold()).strip() for text in (_CASES.sub(" ", bare), bare))
    return parts, whole


@cache
def pattern(*words: str) -> re.Pattern[str]:
    """Any of the words as a whole part of a name: between signs, digits, changes of case, or at its ends.

    A blank inside a word may be missing in the name.
    """
    either = "|".join(without_accents(word).replace(" ?", " ").replace(" ", " ?") for word in words)
    return re.compile(rf"(?:^|[\W\d_])(?:{either})(?:[\W\d_]|$)")


@cache
def vocabulary() -> Vocabulary:
    """The program's vocabulary.

    Raises
    ------
    MetadataError
        As `read_vocabulary`.
    """
    return read_vocabulary(FILE)


def read_vocabulary(file: Path) -> Vocabulary:
    """The vocabulary in `file`.

    Raises
    ------
    MetadataError
        The file cannot be read, lacks a line, has one that the program does not know, or a word that is none.
    """
    try:
        said = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise MetadataError(
            "vocabulary-unreadable",
            mark("The vocabulary {file} cannot be read: {reason}"),
            mark("Correct it, or install the program again."),
            file=file.name,
            reason=str(error),
        ) from None
    sections = {
        "names": NAMES, "places": PLACES, "visible": VISIBLE, "told": TOLD, "sensitive": SENSITIVE, "amounts": AMOUNTS,
        "labels": LABELS,
    }  # fmt: skip
    _check_names(file, "", said, sections)
    read = {section: _ideas(file, section, said[section], ideas) for section, ideas in sections.items()}
    names, labels = ({name: pattern(*words) for name, words in read[part].items()} for part in ("names", "labels"))
    measured = {idea: read["sensitive"][idea] for idea in _MEASURED}
    amounts = {**measured, **read["amounts"]}
    return Vocabulary(names, read["places"], read["visible"], read["told"], read["sensitive"], amounts, labels)


def _ideas(file: Path, section: str, said: object, ideas: tuple[str, ...]) -> Ideas:
    """The words of each idea, in the program's order."""
    if not isinstance(said, dict):
        raise _wrong(file, section, mark("{file}: {key} is no section."))
    _check_names(file, f"{section}.", said, ideas)
    return {idea: _words(file, f"{section}.{idea}", said[idea]) for idea in ideas}


def _words(file: Path, key: str, said: Any) -> tuple[str, ...]:
    words = said if isinstance(said, list) else []
    if not words or not all(isinstance(word, str) and word for word in words):
        raise _wrong(file, key, mark("{file}: {key} is no list of words."))
    for word in words:
        try:
            if not _SPECIAL.isdisjoint(word):  # any other word is one; compiling hundreds takes as long as reading data
                re.compile(word)
        except re.error:
            raise _wrong(
                file, key, mark("{file}: {key} has a word that is no regular expression: {word}"), word=word
            ) from None
        if word != word.casefold():
            raise _wrong(file, key, mark("{file}: {key} has a word that is not in lower case: {word}"), word=word)
    return tuple(words)


def _check_names(file: Path, prefix: str, said: Mapping[str, object], known: Collection[str]) -> None:
    for name in known:
        if name not in said:
            raise _wrong(file, prefix + name, mark("{file}: {key} is missing."))
    for name in said:
        if name not in known:
            raise _wrong(file, prefix + name, mark("{file}: {key} is not known."))


def _wrong(file: Path, key: str, template: str, **values: str) -> MetadataError:
    return MetadataError(
        "vocabulary-wrong",
        template,
        mark("Correct the vocabulary, or install the program again."),
        file=file.name,
        key=key,
        **values,
    )
