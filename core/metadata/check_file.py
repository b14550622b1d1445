"""*Check my file*: all that is proposed for a file's variables or has to be looked at, what matters most first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..base.errors import Notice
from ..base.texts import DecimalText, mark, plural
from ..data.variable_uses import uses_of
from ..data.variables import Metadata, Variable
from .data_problems import looks_normalised
from .guess_use import ENOUGH, are_dates, grouped_number
from .profile import Profile
from .suggest import UseSuggestion, generate
from .survey import Survey

SPREAD = 1000
"""Largest weight over smallest from which it is remarkable."""
FEW = 3
"""So many variables of which the same is proposed stand in rows of their own; more of them are one row."""


@dataclass(frozen=True)
class Finding:
    """One thing to decide on, or to look at.

    Attributes
    ----------
    variables : str, those concerned; most often one
    field : the attribute concerned, by its name in the recipe
    reason : what was found
    suggestions : what would be done, in order; empty where there is nothing simple to do
    rank : what matters most has the smallest
    """

    variables: tuple[str, ...]
    field: str
    reason: Notice
    suggestions: tuple[UseSuggestion, ...] = ()
    rank: int = 0

    @property
    def proposal(self) -> Notice | None:
        """What would be done; None where nothing simple."""
        return self.suggestions[0].proposal if self.suggestions else None

    @property
    def is_sure(self) -> bool:
        """Whether it is proposed to be followed unless the user says otherwise."""
        return bool(self.suggestions) and all(suggestion.sure for suggestion in self.suggestions)

    @property
    def is_size(self) -> bool:
        """Whether it is about lengths and decimals, which only saved metadata need."""
        return any(suggestion.kind == "size" for suggestion in self.suggestions)


def check_file(metadata: Metadata, survey: Survey, labels: Mapping[str, Mapping[str, str]]) -> tuple[Finding, ...]:
    """Everything that is proposed or odd, in one list: what endangers persons first, lengths last.

    Direct identifiers and what is best left out; weight and household identifier; keys; sensitive and household
    variables; codes that look like missing; types and orders; constant and empty columns. What is the same of many
    variables is said once.

    Parameters
    ----------
    metadata : Metadata, as described so far
    survey : Survey of the file under this description
    labels : labels of codes by variable
    """
    suggestions = generate(metadata, survey, labels)
    found = list(map(_of_suggestion, suggestions))
    proposed = {suggestion.variable for suggestion in suggestions if suggestion.kind == "use"}
    for variable in metadata.variables:
        profile = survey.profiles.get(variable.name)
        if profile is None or variable.removed or variable.role == "direct-identifier":
            continue
        found += _weight(variable, profile)
        found += _written(variable, profile, variable.name in proposed)
        found += _constant(variable, profile)
    return tuple(sorted(_together(found), key=lambda finding: finding.rank))


def coordinates(findings: Iterable[Finding], survey: Survey) -> tuple[str, ...]:
    """Names of the numbers that are proposed to be left out as coordinates: those that one grid can have."""
    named = (name for finding in findings if finding.reason.id == "coordinates" for name in finding.variables)
    return tuple(name for name in named if survey.profiles[name].numbers.only)


_OF_USE = {"direct-identifier": 0, "weight": 1, "household-id": 1, "key": 2, "sensitive": 3, "household": 3}
_OF_KIND = {"use": 0, "related": 2, "missing": 4, "type": 5, "order": 5, "size": 7}  # a use that is none: leaving out
_ODD = 1
"""Of an odd weight, and of dates."""
_EMPTY = 6


def _of_suggestion(suggestion: UseSuggestion) -> Finding:
    rank = _OF_USE[suggestion.use] if suggestion.use in _OF_USE else _OF_KIND[suggestion.kind]
    names = [name for name, _ in suggestion.changes]
    fields = {
        "related": "related",
        "missing": "missing",
        "type": "numeric",
        "order": "ordered",
        "size": next(iter(names), ""),
    }
    field = fields.get(suggestion.kind, "removed" if "removed" in names else "role")
    return Finding((suggestion.variable,), field, suggestion.reason, (suggestion,), rank)


def _together(found: Iterable[Finding]) -> Iterator[Finding]:
    """Say once what is true of many variables, where the first of them stands."""
    alike: dict[object, list[Finding]] = {}
    for place, finding in enumerate(found):
        alike.setdefault(_alike(finding) or place, []).append(finding)
    for parts in alike.values():
        if len(parts) > FEW:
            yield _one_of(parts)
        else:
            yield from parts


def _alike(finding: Finding) -> object:
    """What findings have in common that are said once; None for those that are always said by themselves."""
    id, proposal = finding.reason.id, finding.proposal
    if id in ("check-empty", "suggest-order-True", "suggest-order-False"):
        return id
    if id == "suggest-looks-missing" and proposal is not None:
        return id, proposal.text, dict(finding.reason.values).get("label")
    return None


_OF_MANY = {
    "check-empty": mark("{count} variables are empty or missing in every record."),
    "suggest-looks-missing": mark("It looks like missing in {count} variables: is it?"),
    "suggest-order-True": mark("Codes of {count} variables are numbers of something: neighbours may be merged."),
    "suggest-order-False": mark("Codes of {count} variables are names: that two are neighbours means nothing."),
}


def _one_of(parts: list[Finding]) -> Finding:
    first = parts[0]
    values = {**dict(first.reason.values), "count": len(parts)}
    text = _OF_MANY[first.reason.id]
    if values.get("label"):
        text = mark("It is called “{label}” in {count} variables: is it missing?")
    names = tuple(name for part in parts for name in part.variables)
    suggestions = tuple(suggestion for part in parts for suggestion in part.suggestions)
    reason = Notice.of(first.reason.id, text, where=first.variables[0], **values)
    return Finding(names, first.field, reason, suggestions, first.rank)


def _finding(variable: Variable, field: str, rank: int, id: str, template: str, **values: object) -> Finding:
    reason = Notice.of(id, template, where=variable.name, variable=variable.name, **values)
    return Finding((variable.name,), field, reason, rank=rank)


def _written(variable: Variable, profile: Profile, is_told: bool) -> Iterator[Finding]:
    """Texts that are dates (of variables for which no use is proposed) or numbers with marks in them."""
    if profile.records < ENOUGH:
        return
    example = grouped_number(profile)
    if example:
        text = mark(
            "{variable} holds numbers with marks between the thousands, such as {example}, which are taken for "
            "texts: write them without these marks."
        )
        yield _finding(variable, "numeric", _ODD, "check-grouped", text, example=example)
    elif are_dates(profile) and not is_told and uses_of(variable) == ("keep",):
        text = mark(
            "{variable} holds {distinct} different dates: leave it out, or make it a key and recode it, where "
            "outsiders may know them."
        )
        yield _finding(variable, "role", _ODD, "check-dates", text, distinct=profile.distinct)


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
        yield _finding(variable, "role", _ODD, "check-zero-weights", text, count=numbers.zeros)
    if looks_normalised(profile):
        text = mark("The weights {variable} add up to {total} over {records} records: they look normalised.")
        total = DecimalText(f"{numbers.total:.6g}")
        yield _finding(variable, "role", _ODD, "check-normalised", text, total=total, records=profile.records)
    if 0 < numbers.minimum == numbers.maximum and profile.records > 1:
        text = mark("The weight {variable} is {value} in every record.")
        yield _finding(variable, "role", _ODD, "check-equal-weights", text, value=DecimalText(f"{numbers.minimum:.6g}"))
    elif 0 < numbers.minimum < numbers.maximum / SPREAD:
        text = mark("The weights {variable} go from {low} to {high}: are some of them wrong?")
        values = {"low": DecimalText(f"{numbers.minimum:.6g}"), "high": DecimalText(f"{numbers.maximum:.6g}")}
        yield _finding(variable, "role", _ODD, "check-weight-spread", text, **values)


def _constant(variable: Variable, profile: Profile) -> Iterator[Finding]:
    if profile.records < 2 or variable.role == "weight":
        return
    if profile.missing == profile.records or profile.blank == profile.records:
        yield _finding(variable, "", _EMPTY, "check-empty", mark("{variable} is empty or missing in every record."))
    elif profile.distinct == 1 and not profile.missing:
        text = mark("{variable} has the same value in every record: {code}.")
        yield _finding(variable, "", _EMPTY, "check-constant", text, code=profile.codes[0] or "“”")
