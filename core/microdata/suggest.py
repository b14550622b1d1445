"""Uses of variables proposed from their names and contents, each with its reason; for review, never by themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from core.errors import Notice
from core.microdata.codes import unused_missing_code
from core.microdata.profile import Profile
from core.microdata.survey import Survey
from core.microdata.uses import Use, uses_of, with_use
from core.microdata.variables import Metadata, Variable
from core.texts import mark

Labels = Mapping[str, Mapping[str, str]]

MANY = 0.9
"""Share of different values from which a column is nearly unique."""
ENOUGH = 20
"""Records below which nothing is told from how often values occur."""


@dataclass(frozen=True)
class Suggestion:
    """One proposal.

    Attributes
    ----------
    variable : str
    use : what it would be used for; empty where only attributes change
    proposal, reason : sentences
    changes : attributes of the variable, as (name, value)
    """

    variable: str
    use: Use | None
    proposal: Notice
    reason: Notice
    changes: tuple[tuple[str, object], ...]


def suggest(metadata: Metadata, survey: Survey, labels: Labels) -> tuple[Suggestion, ...]:
    """Proposals for variables that are not used so yet, in file order.

    Parameters
    ----------
    metadata : Metadata, as described so far
    survey : Survey of the file
    labels : labels of codes by variable
    """
    found: list[Suggestion] = []
    takers: dict[Use, str] = {}
    for role in ("weight", "household-id"):
        holder = next((v.name for v in metadata.variables if v.role == role), None)
        if holder:
            takers[role] = holder
    for variable in metadata.variables:
        profile = survey.profiles.get(variable.name)
        if variable.removed or (uses_of(variable) != ("keep",) and uses_of(variable) != ("key",)):
            continue
        found += _of(variable, profile, survey, labels.get(variable.name, {}), takers, metadata)
    return tuple(found)


def _of(
    variable: Variable,
    profile: Profile | None,
    survey: Survey,
    labels: Mapping[str, str],
    takers: dict[Use, str],
    metadata: Metadata,
) -> Iterator[Suggestion]:
    now = variable
    for use, reason in _likely_uses(variable, profile, survey, labels, takers):
        if use in ("weight", "household-id"):
            takers[use] = variable.name
        changed = with_use(variable, use)
        yield Suggestion(
            variable.name, use, Notice.of(f"suggest-{use}", _PROPOSALS[use]), reason, _changes(now, changed)
        )
        now = changed
    if uses_of(now) in (("keep",), ("sensitive",)):
        yield from _numerical(variable, profile)
    if "key" in uses_of(now) and metadata.format == "fixed" and not now.missing and now.length > 0:
        yield from _missing_code(now, profile)


_PROPOSALS: dict[Use, str] = {
    "key": mark("Key"),
    "weight": mark("Weight"),
    "household-id": mark("Household identifier"),
    "household": mark("Household variable"),
    "sensitive": mark("Sensitive"),
    "direct-identifier": mark("Direct identifier"),
}


def _changes(old: Variable, new: Variable) -> tuple[tuple[str, object], ...]:
    names = (field.name for field in fields(Variable))
    return tuple((name, getattr(new, name)) for name in names if getattr(new, name) != getattr(old, name))


def _likely_uses(
    variable: Variable,
    profile: Profile | None,
    survey: Survey,
    labels: Mapping[str, str],
    takers: Mapping[Use, str],
) -> Iterator[tuple[Use, Notice]]:
    if uses_of(variable) == ("keep",):
        for use, test in _SINGLE:
            reason = None if use in takers else test(variable, profile)
            if reason is not None:
                yield use, reason
                return
        reason = _key(variable, profile, labels)
        if reason is not None:
            yield "key", reason
        elif _by_name(_SENSITIVE, variable):
            yield "sensitive", _says_name(variable)
    if variable.categorical and profile is not None and _is_of_households(profile, survey):
        text = mark("All {households} households have one value each.")
        yield "household", Notice.of("suggest-household-reason", text, households=survey.households)


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
_KEY = _pattern(
    "region", "regio", "reg", "province", "provincie", "prov", "state", "county", "district", "municipality", "munic",
    "gemeente", "gem", "commune", "comune", "gemeinde", "kreis", "bundesland", "city", "town", "residence", "nuts",
    "postcode", "postalcode", "zip", "zipcode", "plz", "urban", "rural", "urbrur", "sex", "gender", "geslacht",
    "geschlecht", "sexe", "sesso", "age", "leeftijd", "alter", "eta", "ageclass", "agegroup", "birth", "birthyear",
    "yearofbirth", "birthdate", "geboortejaar", "geburtsjahr", "marstat", "maritalstatus", "marital", "burgst",
    "burgerlijkestaat", "familienstand", "nationality", "nation", "nationaliteit", "citizenship", "citizen",
    "ethnicity", "ethnic", "etni", "race", "origin", "herkomst", "birthcountry", "country", "countryofbirth", "occup",
    "occupation", "occucode", "isco", "beroep", "beruf", "profession", "job", "educ", "education", "edu", "educ1",
    "educ2", "isced", "opleiding", "bildung", "industry", "nace", "branch", "sector", "compcode", "hhsize",
    "householdsize", "hhtype", "kindpers", "hhpos", "relation", "workclass", "lstat", "labourstatus", "roof", "walls",
)  # fmt: skip
_SENSITIVE = _pattern(
    "income", "inkomen", "einkommen", "revenu", "reddito", "wage", "wages", "salary", "loon", "lohn", "gehalt",
    "earnings", "health", "illness", "disease", "diagnosis", "gezondheid", "gesundheit", "ziekte", "krankheit",
    "disability", "handicap", "religion", "godsdienst", "konfession", "politics", "party", "vote", "crime", "offence",
    "conviction", "debt", "debts", "schulden", "assets", "savings", "wealth", "vermogen", "benefit", "benefits",
    "uitkering", "drugs", "alcohol", "hiv", "abuse", "expenditure", "turnover", "profit",
)  # fmt: skip


def _by_name(pattern: re.Pattern[str], variable: Variable) -> bool:
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", variable.name)
    return any(pattern.search(text.casefold()) for text in (split, variable.name, variable.label) if text)


def _says_name(variable: Variable) -> Notice:
    called = variable.label if variable.label else variable.name
    return Notice.of("suggest-name", mark("It is called {name}."), name=called)


def _weight(variable: Variable, profile: Profile | None) -> Notice | None:
    if not _by_name(_WEIGHT, variable):
        return None
    if profile is None:
        return _says_name(variable)
    numbers = profile.numbers
    if not numbers.only or numbers.negatives or numbers.count < profile.records:
        return None
    text = mark("It is called {name} and holds positive numbers, in all {total}.")
    return Notice.of("suggest-weight-reason", text, name=variable.label or variable.name, total=f"{numbers.total:.10g}")


def _household_id(variable: Variable, profile: Profile | None) -> Notice | None:
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

    Nearly unique text, nearly unique whole numbers of equal length, or a name that says so and many values.
    """
    if profile is None or profile.records < ENOUGH:
        return None
    filled = profile.records - profile.missing
    share = profile.distinct / max(filled, 1)
    values: dict[str, Any] = {"distinct": profile.distinct, "records": filled}
    if _by_name(_IDENTIFIER, variable) and share > 0.2:
        text = mark("It is called {name}, and {records} records have {distinct} different values.")
        return Notice.of("identifier-by-name", text, name=variable.label or variable.name, **values)
    if share < MANY:
        return None
    if profile.numbers.others > filled / 2:
        text = mark("Nearly every record has a text of its own: {distinct} different ones in {records} records.")
        return Notice.of("identifier-text", text, **values)
    lengths = {len(code) for code in profile.codes[: profile.n_valid]}
    numbers = profile.numbers
    if numbers.only and numbers.whole and numbers.minimum >= 0 and lengths == {profile.longest} and profile.longest > 5:
        text = mark("Nearly every record has a number of its own, all of {length} digits: {distinct} in {records}.")
        return Notice.of("identifier-number", text, length=profile.longest, **values)
    return None


_Test = Callable[[Variable, Profile | None], Notice | None]
_SINGLE: tuple[tuple[Use, _Test], ...] = (
    ("weight", _weight),
    ("household-id", _household_id),
    ("direct-identifier", identifies),
)

_SEXES = re.compile(r"^(m|f|v|w|male|female|man|woman|men|women|vrouw|mann|frau|homme|femme)$", re.IGNORECASE)


def _key(variable: Variable, profile: Profile | None, labels: Mapping[str, str]) -> Notice | None:
    if profile is not None and (profile.distinct < 2 or _is_amount(profile)):
        return None
    if _by_name(_KEY, variable):
        return _says_name(variable)
    if profile is None:
        return None
    valid = profile.codes[: profile.n_valid]
    texts = [labels.get(code, code) for code in valid]
    if len(texts) == 2 and all(_SEXES.match(text.strip()) for text in texts):
        text = mark("Its values are {values}.")
        return Notice.of("suggest-sexes", text, values=", ".join(texts))
    return None


def _is_amount(profile: Profile) -> bool:
    """Numbers measured, not coded: with decimals, or many whole ones written with different numbers of digits."""
    numbers = profile.numbers
    if not numbers.only or not numbers.whole:
        return numbers.only
    lengths = {len(code) for code in profile.codes[: profile.n_valid]}
    return profile.distinct > max(200, 0.05 * profile.records) and max(lengths) - min(lengths) > 1


def _is_of_households(profile: Profile, survey: Survey) -> bool:
    shared = survey.households > 1 and survey.records > survey.households
    return shared and profile.varying == 0 and profile.distinct > 1


def _numerical(variable: Variable, profile: Profile | None) -> Iterator[Suggestion]:
    if profile is None or variable.numeric or variable.role != "other" or not _is_amount(profile):
        return
    changed = (("categorical", False), ("numeric", True))
    text = mark("It holds numbers from {low} to {high}, {distinct} different ones.")
    numbers = profile.numbers
    values: dict[str, Any] = {
        "low": f"{numbers.minimum:.10g}",
        "high": f"{numbers.maximum:.10g}",
        "distinct": profile.distinct,
    }
    reason = Notice.of("suggest-numerical-reason", text, **values)
    proposal = Notice.of("suggest-numerical", mark("Numerical"))
    yield Suggestion(variable.name, None, proposal, reason, changed if variable.categorical else changed[1:])


def _missing_code(variable: Variable, profile: Profile | None) -> Iterator[Suggestion]:
    code = unused_missing_code(profile, variable.length)
    if code:
        proposal = Notice.of("suggest-missing", mark("Missing code {code}"), code=code)
        reason = Notice.of("suggest-missing-reason", mark("Suppression writes a missing code; no record has this one."))
        yield Suggestion(variable.name, None, proposal, reason, (("missing", (code,)),))
