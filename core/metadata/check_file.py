"""*Check my file*: what often goes wrong in a file and its description, for a person to decide on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.base.errors import Notice
from core.base.texts import mark, plural
from core.data.variable_uses import uses_of, with_use
from core.data.variables import Metadata, Variable
from core.metadata.data_problems import looks_normalised
from core.metadata.guess_use import ENOUGH, are_dates, grouped_number, identifies, why_left_out
from core.metadata.missing_codes import looks_missing
from core.metadata.profile import Profile
from core.metadata.suggest import UseSuggestion, left_out, suggest
from core.metadata.survey import Survey

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
    parts : the same for each variable, where one sentence is about several; `variable` is the first of them
    """

    variable: str
    field: str
    notice: Notice
    proposal: Notice | None = None
    changes: tuple[tuple[str, object], ...] = ()
    parts: tuple[Finding, ...] = ()

    @property
    def each(self) -> tuple[Finding, ...]:
        """What is said, variable by variable."""
        return self.parts or (self,)


def check_file(metadata: Metadata, survey: Survey, labels: Mapping[str, Mapping[str, str]]) -> tuple[Finding, ...]:
    """Direct identifiers and free text, odd weights, likely keys, undeclared missing codes, constant and empty columns.

    What endangers persons comes first: in a file of many variables the rest fills screens.

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
    said = {finding.variable for finding in found if finding.notice.id in _FIRST}
    suggested = suggest(metadata, survey, labels)
    keys = [s for s in suggested if s.use == "key" and s.variable not in said]
    found += _written(metadata, survey, {suggestion.variable for suggestion in suggested})
    return tuple(sorted(_together((*found, *map(_key, keys))), key=lambda finding: _gravity(finding.notice.id)))


def _together(found: Sequence[Finding]) -> Iterator[Finding]:
    """Say once what is true of several variables, where the first of them stands."""
    alike: dict[object, list[Finding]] = {}
    for place, finding in enumerate(found):
        values = dict(finding.notice.values)
        is_common = finding.notice.id in _TOGETHER
        same = (finding.notice.id, values.get("code"), values.get("label")) if is_common else place
        alike.setdefault(same, []).append(finding)
    for parts in alike.values():
        yield parts[0] if len(parts) == 1 else _one_of(parts)


def _one_of(parts: list[Finding]) -> Finding:
    first = parts[0]
    names = ", ".join(part.variable for part in parts)
    values = {**dict(first.notice.values), "count": len(parts), "names": names}
    text = _TOGETHER[first.notice.id]
    if values.get("label"):
        text = mark("The code {code} ({label}) looks like missing and is not declared in {count} variables: {names}.")
    proposal = None
    if first.proposal is not None:
        text_of_all = mark("Declare {code} missing in all {count}")
        proposal = Notice.of("declare-missing", text_of_all, code=values["code"], count=len(parts))
    notice = Notice.of(first.notice.id, text, where=first.variable, **values)
    return Finding(first.variable, first.field, notice, proposal, parts=tuple(parts))


_TOGETHER = {
    "check-missing": mark("The code {code} looks like missing and is not declared in {count} variables: {names}."),
    "check-empty": mark("{count} variables are empty or missing in every record: {names}."),
}


_FIRST = ("check-identifier", "check-free-text", "check-left-out")


def _gravity(id: str) -> int:
    if id in _FIRST:
        return 0
    return {"check-key": 2, "check-missing": 3, "check-constant": 4, "check-empty": 4}.get(id, 1)


def _finding(variable: Variable, field: str, id: str, template: str, **values: object) -> Finding:
    return Finding(variable.name, field, Notice.of(id, template, where=variable.name, variable=variable.name, **values))


def _key(suggestion: UseSuggestion) -> Finding:
    text = mark("{variable} is likely to be a key: an outsider could know it. {reason}")
    if suggestion.reason.id == "suggest-plain-name":
        text = mark("{variable} is likely to be a key: an outsider could know it.")
    values = {"variable": suggestion.variable, "reason": suggestion.reason.text}
    notice = Notice.of("check-key", text, where=suggestion.variable, **values)
    return Finding(suggestion.variable, "role", notice, Notice.of("use-key", mark("Make it a key")), suggestion.changes)


def _written(metadata: Metadata, survey: Survey, told: Collection[str]) -> Iterator[Finding]:
    """Texts that are dates (of variables for which nothing is proposed) or numbers with marks in them."""
    for variable in metadata.variables:
        profile = survey.profiles.get(variable.name)
        if profile is None or profile.records < ENOUGH or variable.removed or variable.role == "direct-identifier":
            continue
        example = grouped_number(profile)
        if example:
            text = mark(
                "{variable} holds numbers with marks between the thousands, such as {example}, which are taken for "
                "texts: write them without these marks."
            )
            yield _finding(variable, "numeric", "check-grouped", text, example=example)
        elif are_dates(profile) and variable.name not in told and uses_of(variable) == ("keep",):
            text = mark(
                "{variable} holds {distinct} different dates: leave it out, or make it a key and recode it, where "
                "outsiders may know them."
            )
            yield _finding(variable, "role", "check-dates", text, distinct=profile.distinct)


def _identifier(variable: Variable, profile: Profile) -> Iterator[Finding]:
    if variable.role != "other":
        return
    reason = identifies(variable, profile)
    if reason is None:
        yield from _left_out(variable, profile)
        return
    text = mark("{variable} is likely to identify persons directly. {reason}")
    if reason.id == "identifier-number":
        text = mark("{variable}: check whether this is a number of a person. {reason}")
    notice = Notice.of("check-identifier", text, where=variable.name, variable=variable.name, reason=reason.text)
    changed = with_use(variable, "direct-identifier")
    names = ("role", "identification_level", "household", "sensitive")
    changes = tuple((n, getattr(changed, n)) for n in names if getattr(changed, n) != getattr(variable, n))
    proposal = Notice.of("use-direct-identifier", mark("Make it a direct identifier"))
    yield Finding(variable.name, "role", notice, proposal, changes)


def _left_out(variable: Variable, profile: Profile) -> Iterator[Finding]:
    reason = why_left_out(variable, profile)
    if reason is None:
        return
    id, text = "check-left-out", mark("{variable} is best left out of the safe file. {reason}")
    if reason.id == "free-text":
        id = "check-free-text"
        text = mark("{variable} looks like free text: what people wrote may tell who they are. {reason}")
    found = _finding(variable, "removed", id, text, reason=reason.text)
    yield replace(found, proposal=left_out(), changes=(("removed", True),))


_MISSING = {
    (False, False): mark("{variable}: the code {code} looks like missing and is not declared; {count} records."),
    (False, True): mark("{variable}: the code {code} looks like missing and is not declared; one record."),
    (True, False): mark(
        "{variable}: the code {code} ({label}) looks like missing and is not declared; {count} records."
    ),
    (True, True): mark("{variable}: the code {code} ({label}) looks like missing and is not declared; one record."),
}
"""By whether the code has a label and whether one record only has it."""


def _missing(variable: Variable, profile: Profile, labels: dict[str, str]) -> Iterator[Finding]:
    if variable.role in ("weight", "household-id"):
        return
    for code in looks_missing(profile, labels):
        count = profile.count_of(code)
        text = _MISSING[code in labels, count == 1]
        found = _finding(variable, "missing", "check-missing", text, code=code, label=labels.get(code, ""), count=count)
        missing = (*variable.missing, code)
        proposal = Notice.of("declare-missing", mark("Declare {code} missing"), code=code)
        yield Finding(found.variable, found.field, found.notice, proposal, (("missing", missing),))


def _weight(variable: Variable, profile: Profile) -> Iterator[Finding]:
    numbers = profile.numbers
    if variable.role != "weight" or not numbers.only or numbers.negatives:
        return
    if numbers.zeros:
        text = plural(
            numbers.zeros,
            "The weight {variable} is zero in one record: it stands for nobody.",
            "The weight {variable} is zero in {count} records: they stand for nobody.",
        )
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
