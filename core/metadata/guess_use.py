"""Likely use of a variable, told from its name and its contents; each judgement with its reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ..base.errors import Notice
from ..base.texts import DecimalText, mark, translate
from ..data.variable_uses import KEY_LEVEL
from ..data.variables import Variable
from .profile import Profile
from .vocabulary import PLACES, Ideas, folded, pattern, vocabulary

MANY = 0.9
"""Share of different values from which a column is nearly unique."""
MODERATE = 0.2
"""Share of different values from which a column that is called a name or a number of persons holds such."""
NAMES = 30
"""Different texts from which they may be names of persons, however often each occurs."""
ENOUGH = 20
"""Records below which nothing is told from how often values occur."""
FEW_TEXTS = 10
"""Texts of one record each below which a variable is not taken for free text."""
LONG = 12
"""Mean number of characters from which texts of several words are long."""
FEW_DATES = 50
"""Different dates up to which a variable of dates is proposed as a key."""
SENTENCE = 4
"""Words that names of places and occupations rarely have."""

_DATE = re.compile(r"(\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{4}[-./]?\d{2}[-./]?\d{2})([T ][\d:.]+)?")
_GROUPED = re.compile(
    r"[+-]?(?:0|[1-9]\d{0,2}(?:(?P<mark>[.,' \xa0\u202f\u2019])\d{3}(?:(?P=mark)\d{3})*)?)(?P<decimals>[.,]\d+)?"
)


def _texts(variable: Variable) -> tuple[str, ...]:
    """What a variable is called: its name, also in parts where the case changes, and its label."""
    return tuple(text for text in (*folded(variable.name), folded(variable.label)[1]) if text)


def _by_name(name: str, variable: Variable) -> bool:
    """Whether a variable is called by one of the vocabulary's words for `name`."""
    words = vocabulary().names[name]
    return any(words.search(text) for text in _texts(variable))


def _idea(ideas: Ideas, variable: Variable) -> str:
    """What a variable's name or label says that it is about; empty where it says nothing of these."""
    for text in _texts(variable):
        for idea, words in ideas.items():
            if pattern(*words).search(text):
                return idea
    return ""


def _says_name(variable: Variable, idea: str) -> Notice:
    """That the name tells it; in other words than the name's own, or not at all."""
    said, known = translate(idea), vocabulary()
    words = {**known.keys, **known.sensitive}[idea]
    if not _idea({idea: words}, replace(variable, label="")):
        return Notice.of("suggest-label", mark("Its label says “{idea}”."), idea=said)
    if said.casefold() == variable.name.casefold():
        return Notice.of("suggest-plain-name", mark("Its name says so."))
    return Notice.of("suggest-name", mark("Its name says “{idea}”."), idea=said)


def says_none(label: str) -> bool:
    """Whether the label of a code says that there is nothing of the kind: "No job", "Not applicable"."""
    return vocabulary().labels["none"].search(folded(label)[1]) is not None


def key_level(variable: Variable) -> int:
    """Identification level to propose for a key: 1 for where a person lives, 2 for what can be seen, 3 for others."""
    known = vocabulary()
    idea = _idea(known.keys, variable)
    if idea == "age":
        return KEY_LEVEL if _idea({idea: known.told[idea]}, variable) else 2
    return 1 if idea in known.places else 2 if idea in known.visible else KEY_LEVEL


def is_sensitive(variable: Variable) -> Notice | None:
    """Why a variable is likely to be sensitive; None where it is not."""
    idea = _idea(vocabulary().sensitive, variable)
    return _says_name(variable, idea) if idea else None


def is_birth_date(variable: Variable, profile: Profile | None) -> bool:
    """Whether a variable is called a date of birth and holds dates to the day: the source of a key, and none itself."""
    if profile is None or not profile.n_valid or _idea(vocabulary().keys, variable) != "date of birth":
        return False
    return _mostly(_DATE, profile)


_QUANTITIES = ("age", "date of birth", "size of the household")
_UNORDERED = (
    *PLACES, "occupation", "branch of industry", "nationality", "country of birth", "origin", "language",
    "ethnic group", "marital status", "place in the household", "type of household", "labour status",
    "religion", "politics",
)  # fmt: skip


def is_quantity(variable: Variable) -> bool:
    """Whether a variable is called by the vocabulary's words for a number that is counted or measured.

    What a name is about comes first, and a label says it more clearly: the country of birth is no date of birth.
    """
    known = vocabulary()
    if _idea(known.amounts, variable) or _by_name("counted", variable):
        return True
    return _idea(known.keys, variable) in _QUANTITIES and not _is_idea_named(variable)


def _is_idea_named(variable: Variable) -> bool:
    """Whether the name or the label is about something that is named."""
    known = vocabulary()
    ideas = {**known.keys, **known.sensitive}
    parts = replace(variable, label=""), replace(variable, name=variable.label, label="")
    return any(part.name and _idea(ideas, part) in _UNORDERED for part in parts)


def is_nominal(variable: Variable) -> bool:
    """Whether a variable's values are codes without order, of which no mean, band or greatest one means anything.

    As the metadata says; where they do not, by what the variable is called, and never of what is declared numerical.
    """
    return is_named(variable) and not (variable.numeric and variable.ordered is None)


def is_named(variable: Variable) -> bool:
    """The same of any variable, declared numerical or not."""
    return not variable.ordered if variable.ordered is not None else is_called_nominal(variable)


def is_called_nominal(variable: Variable) -> bool:
    """Whether a variable is called by a word for something that is named, not counted: a country, an occupation."""
    if is_quantity(variable):
        return False
    return _is_idea_named(variable) or called("classification", variable)


def is_classification(variable: Variable) -> bool:
    """Whether a variable is called like a classification whose codes begin with the code of the broader group."""
    ideas = vocabulary().keys
    return called("classification", variable) or _idea(ideas, variable) in ("occupation", "branch of industry")


def likely_order(variable: Variable, profile: Profile | None, labels: Mapping[str, str] | None = None) -> bool | None:
    """Whether neighbouring codes of a key may be merged, as ages may and communes may not; None where nothing tells.

    Evidence is what the variable is called, and labels that name classes of numbers or degrees.
    """
    if profile is None:
        return None
    if profile.numbers.only and is_quantity(variable):
        return True
    if is_called_nominal(variable):
        return False
    return True if _are_degrees(profile, labels or {}) else None


_FIRST_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def _are_degrees(profile: Profile, labels: Mapping[str, str]) -> bool:
    """Whether the labels of the codes, in the order of the codes, are classes of numbers that rise, or degrees."""
    named = [labels[code] for code in profile.codes[: profile.n_valid] if code in labels]
    named = [label for label in named if not says_none(label)]
    if len(named) < 3:
        return False
    scale = vocabulary().labels["scale"]
    if 2 * sum(scale.search(folded(label)[1]) is not None for label in named) > len(named):
        return True
    found = [_FIRST_NUMBER.search(label) for label in named]
    numbers = [float(re.sub(r"[.,]", "", match[0])) for match in found if match is not None]
    return len(numbers) == len(named) and all(a < b for a, b in pairwise(numbers))


def may_be_household_id(variable: Variable) -> bool:
    """Whether a variable is called like a household identifier."""
    return _by_name("household_id", variable)


def called(name: str, variable: Variable) -> bool:
    """Whether a variable is called by one of the words of `core.metadata.vocabulary.NAMES`."""
    return _by_name(name, variable)


def is_place(variable: Variable) -> bool:
    """Whether a variable is called like an area or a place."""
    return bool(_idea(vocabulary().places, variable))


def is_age(variable: Variable) -> bool:
    """Whether a variable is called like age."""
    return _idea(vocabulary().keys, variable) == "age"


def tells_members(variable: Variable) -> bool:
    """Whether a variable is called like age or sex: by these the members of a household are told apart."""
    return _idea(vocabulary().keys, variable) in ("age", "sex")


def key_idea(variable: Variable) -> str:
    """What a variable is about, of what an outsider may know of a person; empty where its name does not say."""
    return _idea(vocabulary().keys, variable)


def is_called_key(variable: Variable) -> bool:
    """Whether a variable is called like what an outsider may know about a person."""
    return bool(_idea(vocabulary().keys, variable))


def is_weight(variable: Variable, profile: Profile | None) -> Notice | None:
    """Why a variable is likely to be the weight; None where it is not."""
    if not _by_name("weight", variable):
        return None
    if profile is None:
        return Notice.of("suggest-weight-name", mark("It is called {name}."), name=variable.label or variable.name)
    numbers = profile.numbers
    if not numbers.only or numbers.negatives or numbers.count < profile.records:
        return None
    text = mark("It is called {name} and holds positive numbers, in all {total}.")
    return Notice.of(
        "suggest-weight-reason", text, name=variable.label or variable.name, total=DecimalText(f"{numbers.total:.10g}")
    )


def is_household_id(variable: Variable, profile: Profile | None) -> Notice | None:
    """Why a variable is likely to identify households; None where it is not."""
    if profile is None or not _by_name("household_id", variable):
        return None
    if profile.records < ENOUGH or profile.missing or not 1 < profile.records / max(profile.distinct, 1) < 12:
        return None
    text = mark("It is called {name}, and {records} records have {distinct} different values.")
    return Notice.of(
        "suggest-household-id-reason", text, name=variable.name, records=profile.records, distinct=profile.distinct
    )


_CONTACTS = (
    (mark("e-mail addresses"), re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]{2,}")),
    (mark("telephone numbers"), re.compile(r"(?:\+|\(0)[\d\s()./-]{6,18}\d|0\d{1,5}[\s/-]\d[\d\s/-]{3,12}\d")),
    (
        mark("postal addresses"),
        re.compile(
            r"(?:\d+\w?,?\s+)?.*(?:\b(?:street|st\.?|road|rd\.?|avenue|ave\.?|lane|drive|rue|boulevard|chemin|via|viale"
            r"|piazza|corso|calle|avenida|plaza|paseo)\b|(?:strasse|straße|str\.|weg|gasse|platz|allee|straat|laan|plein)"
            r"\b).*\d.*|\d+\w?,?\s+\S.*\b(?:street|st\.?|road|rd\.?|avenue|ave\.?|lane|drive|rue|boulevard|chemin)\b.*",
            re.IGNORECASE,
        ),
    ),
)
"""What reaches a person, by how it is written."""
_POINT = re.compile(r"(?:POINT ?)?\(?\s*-?\d{1,3}\.\d{3,}\s*[,; ]\s*-?\d{1,3}\.\d{3,}\s*\)?", re.IGNORECASE)


def identifies(variable: Variable, profile: Profile | None) -> Notice | None:
    """Why a variable is likely to identify persons directly; None where it is not.

    Nearly unique text other than dates and amounts, nearly unique whole numbers that count the records or are of equal
    length, or a name that says so and many values.
    """
    if profile is None or profile.records < ENOUGH:
        return None
    filled = profile.records - profile.missing
    share = profile.distinct / max(filled, 1)
    values: dict[str, Any] = {"distinct": profile.distinct, "records": filled}
    for told, pattern_ in _CONTACTS:
        if profile.n_valid and _mostly(pattern_, profile) and not _mostly(_DATE, profile):
            text = mark("Its values are {told}.")
            return Notice.of("identifier-contact", text, told=translate(told))
    called = _by_name("identifier", variable) and (share > MODERATE or _has_names(variable, profile, filled))
    counted = share >= MANY and profile.numbers.only and profile.numbers.whole
    if called or (counted and _by_name("numbering", variable)):
        text = mark("It is called {name}, and {records} records have {distinct} different values.")
        return Notice.of("identifier-by-name", text, name=variable.label or variable.name, **values)
    if share < MANY:
        return None
    if profile.numbers.others > filled / 2:
        if are_dates(profile) or grouped_number(profile):
            return None
        text = mark("Nearly every record has a text of its own: {distinct} different ones in {records} records.")
        return Notice.of("identifier-text", text, **values)
    numbers = profile.numbers
    if numbers.only and numbers.whole and numbers.maximum - numbers.minimum + 1 == profile.distinct == filled:
        text = mark("Every record has a number of its own, from {first} to {last}.")
        first, last = f"{numbers.minimum:.0f}", f"{numbers.maximum:.0f}"
        outside = mark("Every record has a number of its own, without gaps.")
        return Notice.of("identifier-count", text, outside, first=first, last=last)
    lengths = {len(code) for code in profile.codes[: profile.n_valid]}
    alike = numbers.only and numbers.whole and numbers.minimum >= 0 and lengths == {profile.longest}
    if alike and profile.longest > 5 and not is_birth_date(variable, profile) and not _are_amounts(variable, profile):
        text = mark("Nearly every record has a number of its own, all of {length} digits: {distinct} in {records}.")
        return Notice.of("identifier-number", text, length=profile.longest, **values)
    return None


def _are_amounts(variable: Variable, profile: Profile) -> bool:
    """Whether whole numbers of equal length are measured, not given to persons.

    By what the variable is called or declared; else they are round, several are zero, or few are large: a number out
    of line alone, as of nines, makes no amounts.
    """
    if variable.numeric or _idea(vocabulary().amounts, variable):
        return True
    numbers, valid = profile.numbers, profile.codes[: profile.n_valid]
    if numbers.zeros > 1 or all(code.endswith("0") for code in valid):
        return True
    has_tail = sum(count > 0 for count in profile.bars[len(profile.bars) // 2 :].tolist()) > 2
    return has_tail and numbers.mean - numbers.minimum < (numbers.maximum - numbers.minimum) / 4


def is_free_text(variable: Variable, profile: Profile | None) -> Notice | None:
    """Why a variable is likely to hold what people wrote; None where it is not.

    Texts of several words, long ones, of which most and at least `FEW_TEXTS` occur in one record only. What is called
    like a key is taken for a classification, unless most texts have `SENTENCE` words.
    """
    if profile is None or profile.records < ENOUGH:
        return None
    numbers = profile.numbers
    if numbers.others <= numbers.count or profile.once < max(FEW_TEXTS, 0.7 * profile.distinct):
        return None
    codes = [code for code in profile.codes[: profile.n_valid] if code]
    words = [len(code.split()) for code in codes if any(map(str.isalpha, code))]
    several = 2 * sum(n > 1 for n in words) >= len(codes)
    is_long = sum(map(len, codes)) > LONG * len(codes) or 2 * sum(n > 2 for n in words) >= len(codes)
    if not (several and is_long) or (
        _idea(vocabulary().keys, variable) and 2 * sum(n >= SENTENCE for n in words) < len(codes)
    ):
        return None
    text = mark("It holds {distinct} different texts in {records} records, {once} of them in one record only.")
    values: dict[str, Any] = {"distinct": profile.distinct, "records": numbers.count + numbers.others}
    return Notice.of("free-text", text, once=profile.once, **values)


def why_left_out(variable: Variable, profile: Profile | None) -> Notice | None:
    """Why a variable is best left out of a safe file, though it identifies nobody by itself; None where it is not.

    Free text, by contents or by name; dates to the day of what is not called like a key; numbers of persons in a
    household.
    """
    found = is_free_text(variable, profile)
    if found is not None or profile is None or profile.records < ENOUGH or not profile.n_valid:
        return found
    numbers = profile.numbers
    values: dict[str, Any] = {"name": variable.label or variable.name, "distinct": profile.distinct}
    if is_coordinate(variable, profile) and variable.decision != "round":
        text = mark(
            "It holds coordinates: {distinct} different values show where persons live. Leave out both coordinates, or "
            "round both to one coarse grid."
        )
        return Notice.of("coordinates", text, **values)
    if _by_name("remark", variable) and numbers.others > numbers.count:
        text = mark("It is called {name}: what people wrote may tell who they are.")
        return Notice.of("remark-by-name", text, **values)
    if _by_name("person_number", variable) and numbers.only and numbers.whole:
        text = mark("It is called {name}: it tells members of a household apart, and how many they are.")
        return Notice.of("person-number", text, **values)
    if _by_name("day", variable) and _mostly(_DATE, profile) and not _idea(vocabulary().keys, variable):
        text = mark("It holds {distinct} different dates: whoever knows that day of a person finds the record.")
        return Notice.of("dates", text, **values)
    return None


def is_coordinate(variable: Variable, profile: Profile | None) -> bool:
    """Whether a variable holds one coordinate or both: by its name and its numbers, or by how it is written."""
    if profile is None or not profile.n_valid:
        return False
    numbers = profile.numbers
    if not numbers.only:
        return _mostly(_POINT, profile)
    measured = not numbers.whole or (numbers.maximum >= 1000 and profile.distinct > NAMES)
    return _by_name("coordinate", variable) and measured


def _mostly(pattern: re.Pattern[str], profile: Profile) -> bool:
    """Whether more than nine of ten valid codes are written so."""
    codes = profile.codes[: profile.n_valid]
    return 10 * sum(pattern.fullmatch(code.strip()) is not None for code in codes) > 9 * len(codes)


def are_dates(profile: Profile) -> bool:
    """Whether the values are dates, not numbers of eight digits."""
    return profile.numbers.others > profile.numbers.count and _mostly(_DATE, profile)


def grouped_number(profile: Profile) -> str:
    """One of the values, where they are numbers with marks between the thousands, as in 39.375,76; else empty.

    Without decimals, and all of as many digits, they may as well be numbers of persons.
    """
    if profile.numbers.others <= profile.numbers.count or not _mostly(_GROUPED, profile):
        return ""
    codes = [code.strip() for code in profile.codes[: profile.n_valid]]
    found = [code for code in codes if (match := _GROUPED.fullmatch(code)) and match["mark"]]
    has_decimals = any(match["decimals"] for code in found if (match := _GROUPED.fullmatch(code)))
    return found[0] if found and (has_decimals or len(set(map(len, found))) > 1) else ""


def _has_names(variable: Variable, profile: Profile, filled: int) -> bool:
    """Whether the values may be names of persons: texts, of more kinds than a classification of few has."""
    return profile.numbers.others > filled / 2 and profile.distinct > NAMES and not _idea(vocabulary().keys, variable)


_SEXES = re.compile(r"^(m|f|v|w|male|female|man|woman|men|women|vrouw|mann|frau|homme|femme)$", re.IGNORECASE)


def is_key(variable: Variable, profile: Profile | None, labels: Mapping[str, str]) -> Notice | None:
    """Why an outsider is likely to know a variable; None where that is not told."""
    if profile is not None and (profile.distinct < 2 or is_amount(profile, variable)):
        return None
    idea = _idea(vocabulary().keys, variable)
    if idea:
        return _says_name(variable, idea)
    if profile is None:
        return None
    valid = profile.codes[: profile.n_valid]
    texts = [labels.get(code, code) for code in valid]
    if len(texts) == 2 and all(_SEXES.match(text.strip()) for text in texts):
        text = mark("Its values are {values}.")
        return Notice.of("suggest-sexes", text, values=", ".join(texts))
    if profile.distinct <= FEW_DATES and profile.records >= ENOUGH and are_dates(profile):
        return Notice.of("suggest-dates", mark("It holds {distinct} different dates."), distinct=profile.distinct)
    return None


def is_amount(profile: Profile, variable: Variable | None = None) -> bool:
    """Numbers measured, not coded: with decimals, or many whole ones written with different numbers of digits.

    Whole numbers are no amounts where they number something, or `variable` is called by a word for what is named.
    """
    numbers = profile.numbers
    if not numbers.only or not numbers.whole:
        return numbers.only
    lengths = {len(code) for code in profile.codes[: profile.n_valid]}
    if profile.distinct <= max(200, 0.05 * profile.records) or max(lengths) - min(lengths) <= 1:
        return False
    if variable is None:
        return not _is_numbering(profile)
    if is_called_nominal(variable) or any(_by_name(name, variable) for name in _NUMBERED):
        return False
    return is_quantity(variable) or not _is_numbering(profile)


_NUMBERED = "household_id", "numbering", "cluster", "interviewer"
_GAPS, _MIDDLE = 1.5, 0.1
"""Numbers run on that reach at most so many times as far as there are of them, with a mean so near to the middle."""


def _is_numbering(profile: Profile) -> bool:
    """Whether whole numbers run on without many gaps, each about as often: they number households, say."""
    numbers = profile.numbers
    extent = numbers.maximum - numbers.minimum + 1
    middle = (numbers.maximum + numbers.minimum) / 2
    return extent <= _GAPS * profile.distinct and abs(numbers.mean - middle) <= _MIDDLE * extent


_QUANTITIES = ("age", "date of birth", "size of the household")


def is_date(code: str) -> bool:
    """Whether a code is a day, by its signs or as eight digits of a year, month and day of our time."""
    if code.isdigit() and len(code) == 8:
        return 1850 <= int(code[:4]) <= 2100 and 1 <= int(code[4:6]) <= 12 and 1 <= int(code[6:]) <= 31
    return not code.isdigit() and _DATE.fullmatch(code) is not None
