"""What a variable is likely to be, told from its name and its contents; each judgement with its reason."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from core.errors import Notice
from core.microdata.profile import Profile
from core.microdata.uses import KEY_LEVEL
from core.microdata.variables import Variable
from core.texts import mark, translate

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


@cache
def _pattern(*words: str) -> re.Pattern[str]:
    """Any of the words as a whole part of a name: between signs, digits, changes of case, or at its ends."""
    return re.compile(rf"(?:^|[^a-z])(?:{'|'.join(words)})(?:[^a-z]|$)")


_WEIGHT = _pattern(
    "weights?", "wgt", "wt", "pweight", "gewicht", "weging", "ophoogfactor", "hochrechnungsfaktor", "poids", "peso",
    "ponderation", "pond", "raisingfactor", "expansionfactor", "grossingfactor", "w",
)  # fmt: skip
_HOUSEHOLD_ID = _pattern(
    "hhid", "hh", "hhnr", "hhno", "hid", "householdid", "household", "householdnumber", "householdno", "huishouden",
    "huishoudnr", "hhnummer", "haushalt", "haushaltsnr", "haushaltsnummer", "menage", "famiglia", "familyid", "famid",
)  # fmt: skip
_IDENTIFIER = _pattern(
    "name", "firstname", "lastname", "surname", "familyname", "naam", "voornaam", "achternaam", "vorname", "nachname",
    "nom", "prenom", "cognome", "address", "adres", "adresse", "street", "straat", "strasse", "phone", "telephone",
    "telefoon", "telefon", "mobile", "email", "e?mail", "ssn", "bsn", "sofinr", "nino", "iban", "passport", "taxid",
    "personid", "personno", "personnr", "persnr", "pid", "nationalid", "socialsecurity", "licence", "licenseplate",
)  # fmt: skip
_NUMBERING = _pattern(
    "id", "ident", "identifier", "no", "nr", "num", "number", "numero", "nummer", "serial", "seq", "sequence", "recno",
    "recordno", "respid", "respno", "respnr", "respondentid", "caseid", "caseno", "recid", "recordid", "uid", "uuid",
)  # fmt: skip
_PERSON_NUMBER = _pattern(
    "persnr", "persno", "persnum", "pernum", "pernr", "perno", "personnr", "personno", "personnumber", "pnr", "pno",
    "memberno", "membernr", "membernumber", "memno", "hhmember", "lineno", "linenr", "linenumber",
)  # fmt: skip
_REMARK = _pattern(
    "remarks?", "comments?", "notes?", "opmerking(?:en)?", "toelichting", "bemerkung(?:en)?", "remarques?",
    "osservazioni", "freetext", "verbatim", "specify",
)  # fmt: skip
_DAY = _pattern(
    "date", "dat", "datum", "day", "interview", "intdate", "intdat", "interviewdate", "dateint", "dateofinterview",
    "interviewdatum", "surveydate", "visitdate", "timestamp",
)  # fmt: skip
_DATE = re.compile(r"(\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{4}[-./]?\d{2}[-./]?\d{2})([T ][\d:.]+)?")
_GROUPED = re.compile(
    r"[+-]?(?:0|[1-9]\d{0,2}(?:(?P<mark>[.,' \xa0\u202f\u2019])\d{3}(?:(?P=mark)\d{3})*)?)(?P<decimals>[.,]\d+)?"
)
_PLACES: dict[str, tuple[str, ...]] = {
    mark("region"): ("region", "regio", "reg", "nuts"),
    mark("province"): ("province", "provincie", "prov"),
    mark("state"): ("state", "bundesland"),
    mark("district"): ("county", "district", "kreis"),
    mark("municipality"): ("municipality", "munic", "gemeente", "gem", "commune", "comune", "gemeinde"),
    mark("place of residence"): ("city", "town", "residence"),
    mark("postal code"): ("postcode", "postalcode", "zip", "zipcode", "plz"),
}
_VISIBLE: dict[str, tuple[str, ...]] = {
    mark("sex"): ("sex", "gender", "geslacht", "geschlecht", "sexe", "sesso"),
    mark("age"): ("age", "leeftijd", "alter", "eta"),
    mark("date of birth"): ("birth", "birthyear", "yearofbirth", "birthdate", "geboortejaar", "geburtsjahr"),
    mark("ethnic group"): ("ethnicity", "ethnic", "etni", "race"),
}
_TOLD: dict[str, tuple[str, ...]] = {
    mark("age"): ("ageclass", "agegroup"),
    mark("urban or rural"): ("urban", "rural", "urbrur"),
    mark("marital status"): (
        "marstat", "maritalstatus", "marital", "burgst", "burgerlijkestaat", "familienstand",
    ),
    mark("nationality"): ("nationality", "nation", "nationaliteit", "citizenship", "citizen"),
    mark("country of birth"): (
        "birth ?country", "birthctry", "birthcntry", "country ?of ?birth", "ctrybirth", "cob", "birthplace",
        "place ?of ?birth", "geboorteland", "geburtsland",
    ),
    mark("origin"): ("origin", "herkomst", "country", "ctry", "cntry", "migration", "herkunft"),
    mark("language"): ("language", "mothertongue", "taal", "sprache"),
    mark("occupation"): (
        "occup", "occupation", "occucode", "isco", "beroep", "beruf", "profession", "job", "workclass",
    ),
    mark("education"): ("educ", "education", "edu", "educ1", "educ2", "isced", "opleiding", "bildung"),
    mark("branch of industry"): ("industry", "nace", "branch", "sector", "compcode"),
    mark("size of the household"): ("hhsize", "householdsize"),
    mark("type of household"): ("hhtype",),
    mark("place in the household"): ("kindpers", "hhpos", "relation"),
    mark("labour status"): ("lstat", "labourstatus", "empstat", "employment", "employmentstatus"),
    mark("dwelling"): ("roof", "walls"),
}  # fmt: skip
_KEY = {**_TOLD, **_PLACES, **_VISIBLE, mark("age"): (*_TOLD["age"], *_VISIBLE["age"])}
"""What an outsider may know about a person, and the words by which variables are called after it."""
_SENSITIVE: dict[str, tuple[str, ...]] = {
    mark("income"): (
        "income", "inkomen", "einkommen", "revenu", "reddito", "wage", "wages", "salary", "loon", "lohn", "gehalt",
        "earnings",
    ),
    mark("health"): (
        "health", "illness", "disease", "diagnosis", "gezondheid", "gesundheit", "ziekte", "krankheit", "disability",
        "handicap", "hiv",
    ),
    mark("religion"): ("religion", "godsdienst", "konfession"),
    mark("politics"): ("politics", "party", "vote"),
    mark("crime"): ("crime", "offence", "conviction", "abuse"),
    mark("debts"): ("debt", "debts", "schulden"),
    mark("wealth"): ("assets", "savings", "wealth", "vermogen"),
    mark("benefits"): ("benefit", "benefits", "uitkering"),
    mark("drugs"): ("drugs", "alcohol"),
    mark("money"): ("expenditure", "turnover", "profit"),
}  # fmt: skip


def _texts(variable: Variable) -> tuple[str, ...]:
    """What a variable is called: its name, also in parts where the case changes, and its label."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", variable.name)
    return tuple(text.casefold() for text in (split, variable.name, variable.label) if text)


def _by_name(pattern: re.Pattern[str], variable: Variable) -> bool:
    return any(pattern.search(text) for text in _texts(variable))


def _idea(ideas: Mapping[str, Sequence[str]], variable: Variable) -> str:
    """What a variable's name or label says that it is about; empty where it says nothing of these."""
    for text in _texts(variable):
        for idea, words in ideas.items():
            if _pattern(*words).search(text):
                return idea
    return ""


def _says_name(variable: Variable, idea: str) -> Notice:
    """That the name tells it; in other words than the name's own, or not at all."""
    said = translate(idea)
    if not _idea({idea: _WORDS[idea]}, replace(variable, label="")):
        return Notice.of("suggest-label", mark("Its label says “{idea}”."), idea=said)
    if said.casefold() == variable.name.casefold():
        return Notice.of("suggest-plain-name", mark("Its name says so."))
    return Notice.of("suggest-name", mark("Its name says “{idea}”."), idea=said)


_AMOUNTS: dict[str, tuple[str, ...]] = {
    **{idea: _SENSITIVE[idea] for idea in ("income", "debts", "wealth", "benefits", "money")},
    mark("amount"): (
        "amount", "bedrag", "betrag", "montant", "importo", "price", "prijs", "preis", "prix", "cost", "costs", "rent",
        "huur", "miete", "loyer", "tax", "taxes", "revenue", "sales", "pension", "eur", "euro",
        "euros", "usd", "spending", "consumption", "expenses",
    ),
}  # fmt: skip
_WORDS = {**_KEY, **_SENSITIVE}


def key_level(variable: Variable) -> int:
    """Identification level to propose for a key: 1 for where a person lives, 2 for what can be seen, 3 for others."""
    return 1 if _idea(_PLACES, variable) else 2 if _idea(_VISIBLE, variable) else KEY_LEVEL


def is_sensitive(variable: Variable) -> Notice | None:
    """Why a variable is likely to be sensitive; None where it is not."""
    idea = _idea(_SENSITIVE, variable)
    return _says_name(variable, idea) if idea else None


def may_be_household_id(variable: Variable) -> bool:
    """Whether a variable is called like a household identifier."""
    return _by_name(_HOUSEHOLD_ID, variable)


def is_weight(variable: Variable, profile: Profile | None) -> Notice | None:
    """Why a variable is likely to be the weight; None where it is not."""
    if not _by_name(_WEIGHT, variable):
        return None
    if profile is None:
        return Notice.of("suggest-weight-name", mark("It is called {name}."), name=variable.label or variable.name)
    numbers = profile.numbers
    if not numbers.only or numbers.negatives or numbers.count < profile.records:
        return None
    text = mark("It is called {name} and holds positive numbers, in all {total}.")
    return Notice.of("suggest-weight-reason", text, name=variable.label or variable.name, total=f"{numbers.total:.10g}")


def is_household_id(variable: Variable, profile: Profile | None) -> Notice | None:
    """Why a variable is likely to identify households; None where it is not."""
    if profile is None or not _by_name(_HOUSEHOLD_ID, variable):
        return None
    if profile.records < ENOUGH or profile.missing or not 1 < profile.records / max(profile.distinct, 1) < 12:
        return None
    text = mark("It is called {name}, and {records} records have {distinct} different values.")
    return Notice.of(
        "suggest-household-id-reason", text, name=variable.name, records=profile.records, distinct=profile.distinct
    )


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
    called = _by_name(_IDENTIFIER, variable) and (share > MODERATE or _has_names(variable, profile, filled))
    counted = share >= MANY and profile.numbers.only and profile.numbers.whole
    if called or (counted and _by_name(_NUMBERING, variable)):
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
    if alike and profile.longest > 5 and not _are_amounts(variable, profile):
        text = mark("Nearly every record has a number of its own, all of {length} digits: {distinct} in {records}.")
        return Notice.of("identifier-number", text, length=profile.longest, **values)
    return None


def _are_amounts(variable: Variable, profile: Profile) -> bool:
    """Whether whole numbers of equal length are measured, not given to persons.

    By what the variable is called or declared; else they are round, several are zero, or few are large: a number out
    of line alone, as of nines, makes no amounts.
    """
    if variable.numeric or _idea(_AMOUNTS, variable):
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
    if not (several and is_long) or (_idea(_KEY, variable) and 2 * sum(n >= SENTENCE for n in words) < len(codes)):
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
    if _by_name(_REMARK, variable) and numbers.others > numbers.count:
        text = mark("It is called {name}: what people wrote may tell who they are.")
        return Notice.of("remark-by-name", text, **values)
    if _by_name(_PERSON_NUMBER, variable) and numbers.only and numbers.whole:
        text = mark("It is called {name}: it tells members of a household apart, and how many they are.")
        return Notice.of("person-number", text, **values)
    if _by_name(_DAY, variable) and _mostly(_DATE, profile) and not _idea(_KEY, variable):
        text = mark("It holds {distinct} different dates: whoever knows that day of a person finds the record.")
        return Notice.of("dates", text, **values)
    return None


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
    return profile.numbers.others > filled / 2 and profile.distinct > NAMES and not _idea(_KEY, variable)


_SEXES = re.compile(r"^(m|f|v|w|male|female|man|woman|men|women|vrouw|mann|frau|homme|femme)$", re.IGNORECASE)


def is_key(variable: Variable, profile: Profile | None, labels: Mapping[str, str]) -> Notice | None:
    """Why an outsider is likely to know a variable; None where that is not told."""
    if profile is not None and (profile.distinct < 2 or is_amount(profile)):
        return None
    idea = _idea(_KEY, variable)
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


def is_amount(profile: Profile) -> bool:
    """Numbers measured, not coded: with decimals, or many whole ones written with different numbers of digits."""
    numbers = profile.numbers
    if not numbers.only or not numbers.whole:
        return numbers.only
    lengths = {len(code) for code in profile.codes[: profile.n_valid]}
    return profile.distinct > max(200, 0.05 * profile.records) and max(lengths) - min(lengths) > 1
