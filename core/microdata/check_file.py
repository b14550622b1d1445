"""*Check my file*: what often goes wrong in a file and its description, for a person to decide on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.errors import Notice
from core.microdata.codes import looks_missing
from core.microdata.data_problems import looks_normalised
from core.microdata.profile import Profile
from core.microdata.suggest import Suggestion, identifies, suggest
from core.microdata.survey import Survey
from core.microdata.uses import with_use
from core.microdata.variables import Metadata, Variable
from core.texts import mark

SPREAD = 1000
"""Largest weight over smallest from which it is remarkable."""


@dataclass(frozen=True)
class Finding:
    """One thing to look at.

    Attributes
    ----------
    variable : str
    field : the attribute concerned, by its name in the recipe
    notice : what was found
    proposal : what could be done about it; None where nothing simple
    changes : attributes of the variable that would do it, as (name, value)
    """

    variable: str
    field: str
    notice: Notice
    proposal: Notice | None = None
    changes: tuple[tuple[str, object], ...] = ()


def check_file(metadata: Metadata, survey: Survey, labels: Mapping[str, Mapping[str, str]]) -> tuple[Finding, ...]:
    """Undeclared missing codes, odd weights, likely direct identifiers and keys, constant and empty columns.

    Parameters
    ----------
    metadata : Metadata, as described so far
    survey : Survey of the file under this description
    labels : labels of codes by variable
    """
    found: list[Finding] = []
    for variable in metadata.variables:
        profile = survey.profiles.get(variable.name)
        if profile is None or variable.removed or variable.role == "direct-identifier":
            continue
        found += _identifier(variable, profile)
        found += _missing(variable, profile, dict(labels.get(variable.name, {})))
        found += _weight(variable, profile)
        found += _constant(variable, profile)
    said = {finding.variable for finding in found if finding.notice.id == "check-identifier"}
    keys = [s for s in suggest(metadata, survey, labels) if s.use == "key" and s.variable not in said]
    return (*found, *map(_key, keys))


def _finding(variable: Variable, field: str, id: str, template: str, **values: object) -> Finding:
    return Finding(variable.name, field, Notice.of(id, template, where=variable.name, variable=variable.name, **values))


def _key(suggestion: Suggestion) -> Finding:
    text = mark("{variable} is likely to be a key: an outsider could know it. {reason}")
    values = {"variable": suggestion.variable, "reason": suggestion.reason.text}
    notice = Notice.of("check-key", text, where=suggestion.variable, **values)
    return Finding(suggestion.variable, "role", notice, Notice.of("use-key", mark("Make it a key")), suggestion.changes)


def _identifier(variable: Variable, profile: Profile) -> Iterator[Finding]:
    if variable.role != "other":
        return
    reason = identifies(variable, profile)
    if reason is None:
        return
    text = mark("{variable} is likely to identify persons directly. {reason}")
    notice = Notice.of("check-identifier", text, where=variable.name, variable=variable.name, reason=reason.text)
    changed = with_use(variable, "direct-identifier")
    names = ("role", "identification_level", "household", "sensitive")
    changes = tuple((n, getattr(changed, n)) for n in names if getattr(changed, n) != getattr(variable, n))
    proposal = Notice.of("use-direct-identifier", mark("Make it a direct identifier"))
    yield Finding(variable.name, "role", notice, proposal, changes)


def _missing(variable: Variable, profile: Profile, labels: dict[str, str]) -> Iterator[Finding]:
    if variable.role in ("weight", "household-id"):
        return
    for code in looks_missing(profile, labels):
        count = profile.count_of(code)
        if code in labels:
            text = mark(
                "{variable}: the code {code} ({label}) looks like missing and is not declared; {count} records."
            )
        else:
            text = mark("{variable}: the code {code} looks like missing and is not declared; {count} records.")
        found = _finding(variable, "missing", "check-missing", text, code=code, label=labels.get(code, ""), count=count)
        missing = (*variable.missing, code)
        proposal = Notice.of("declare-missing", mark("Declare {code} missing"), code=code)
        yield Finding(found.variable, found.field, found.notice, proposal, (("missing", missing),))


def _weight(variable: Variable, profile: Profile) -> Iterator[Finding]:
    numbers = profile.numbers
    if variable.role != "weight" or not numbers.only or numbers.negatives:
        return
    if numbers.zeros:
        text = mark("The weight {variable} is zero in {count} record(s): they stand for nobody.")
        yield _finding(variable, "role", "check-zero-weights", text, count=numbers.zeros)
    if looks_normalised(profile):
        text = mark("The weights {variable} add up to {total} over {records} records: they look normalised.")
        total = f"{numbers.total:.6g}"
        yield _finding(variable, "role", "check-normalised", text, total=total, records=profile.records)
    if 0 < numbers.minimum == numbers.maximum and profile.records > 1:
        text = mark("The weight {variable} is {value} in every record.")
        yield _finding(variable, "role", "check-equal-weights", text, value=f"{numbers.minimum:.6g}")
    elif 0 < numbers.minimum < numbers.maximum / SPREAD:
        text = mark("The weights {variable} go from {low} to {high}: are some of them wrong?")
        values = {"low": f"{numbers.minimum:.6g}", "high": f"{numbers.maximum:.6g}"}
        yield _finding(variable, "role", "check-weight-spread", text, **values)


def _constant(variable: Variable, profile: Profile) -> Iterator[Finding]:
    if profile.records < 2 or variable.role == "weight":
        return
    if profile.missing == profile.records or profile.blank == profile.records:
        yield _finding(variable, "", "check-empty", mark("{variable} is empty or missing in every record."))
    elif profile.distinct == 1 and not profile.missing:
        text = mark("{variable} has the same value in every record: {code}.")
        yield _finding(variable, "", "check-constant", text, code=profile.codes[0] or "“”")
