"""What is wrong or odd in a description only in view of the data that it describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..base.errors import MetadataError, Notice
from ..base.texts import DecimalText, mark, mark_plural, plural
from ..data.variables import Metadata, Variable
from .guess_use import identifies, why_left_out
from .missing_codes import unused_missing_code
from .problems import Problem, Severity
from .profile import Profile
from .survey import Survey
from .undescribed import undescribed_notice

_EXAMPLES = 5
_NAMES = 12


def data_problems(metadata: Metadata, survey: Survey, labels: Mapping[str, Mapping[str, str]]) -> list[Problem]:
    """Findings about weights, households, numbers, codelists and columns; errors first, then warnings, then notices.

    Parameters
    ----------
    metadata : Metadata, contradictions included
    survey : Survey of the file under this description
    labels : labels of codes by variable
    """
    found = list(_of_households(metadata, survey))
    for variable in metadata.variables:
        profile = survey.profiles.get(variable.name)
        if profile is not None:
            found += _of_household_variable(metadata, variable, profile, survey)
            found += _of_variable(variable, profile, labels.get(variable.name, {}))
    found += _of_columns(metadata, survey)
    order = {"error": 0, "warning": 1, "notice": 2}
    return sorted(found, key=lambda problem: order[problem.severity])


def _said(severity: Severity, variable: str, field: str, id: str, template: str, **values: object) -> Problem:
    return Problem(severity, variable, field, Notice.of(id, template, where=variable, variable=variable, **values))


def _of_variable(variable: Variable, profile: Profile, labels: Mapping[str, str]) -> Iterator[Problem]:
    if variable.role == "weight":
        yield from _of_weight(variable, profile)
    elif variable.numeric and profile.numbers.others:
        numbers = profile.numbers
        text = plural(
            numbers.others,
            "{variable} is numerical, but holds something else in one record: {code}.",
            "{variable} is numerical, but holds something else in {count} records, for example {code}.",
        )
        values = {"count": numbers.others, "code": numbers.example}
        yield _said("warning", variable.name, "numeric", "not-numerical", text, **values)
    if variable.categorical and labels and _names_values(variable, profile, labels):
        lacking = [code for code in profile.codes[: profile.n_valid] if code not in labels and code]
        if lacking:
            shown = ", ".join(lacking[:_EXAMPLES]) + (", …" if len(lacking) > _EXAMPLES else "")
            text = plural(
                len(lacking),
                "{variable}: one code is absent from the codelist: {codes}.",
                "{variable}: {count} codes are absent from the codelist: {codes}.",
            )
            values = {"count": len(lacking), "codes": shown}
            yield _said("warning", variable.name, "codelist", "codes-not-in-codelist", text, **values)


def _names_values(variable: Variable, profile: Profile, labels: Mapping[str, str]) -> bool:
    """Whether labels are meant for the values; not where they only name what is missing, or special numbers."""
    named = sum(not _is_missing(code, variable) for code in labels)
    if variable.numeric or not named:
        return False
    return variable.codelist is not None or not profile.numbers.only or 2 * named >= profile.distinct


def _is_missing(code: str, variable: Variable) -> bool:
    if code in variable.missing:
        return True
    try:
        number = float(code)
    except ValueError:
        return False
    return any(low <= number <= high for low, high in variable.missing_ranges)


_WRONG_WEIGHTS = (
    (
        "weight-not-a-number",
        mark_plural(
            "The weight {variable} is not a number in one record.",
            "The weight {variable} is not a number in {count} records.",
        ),
    ),
    (
        "weight-negative",
        mark_plural(
            "The weight {variable} is negative in one record.", "The weight {variable} is negative in {count} records."
        ),
    ),
    (
        "weight-empty",
        mark_plural(
            "The weight {variable} is empty or missing in one record.",
            "The weight {variable} is empty or missing in {count} records.",
        ),
    ),
)


def _of_weight(variable: Variable, profile: Profile) -> Iterator[Problem]:
    numbers = profile.numbers
    bad = numbers.others, numbers.negatives, profile.records - numbers.count - numbers.others
    for count, (id, forms) in zip(bad, _WRONG_WEIGHTS, strict=True):
        if count:
            text = plural(count, *forms)
            hint = mark("Correct the data, or choose another weight variable.")
            error = MetadataError(id, text, hint, variable=variable.name, count=count)
            yield Problem("error", variable.name, "role", error)
    if any(bad):
        return
    if numbers.zeros:
        text = plural(
            numbers.zeros,
            "The weight {variable} is zero in one record.",
            "The weight {variable} is zero in {count} records.",
        )
        yield _said("warning", variable.name, "role", "zero-weights", text, count=numbers.zeros)
    if looks_normalised(profile):
        text = mark(
            "The weights {variable} look normalised: they add up to {total} over {records} records. "
            "Population frequencies need weights that add up to the population."
        )
        values = {"total": DecimalText(f"{numbers.total:.6g}"), "records": profile.records}
        yield _said("warning", variable.name, "role", "weights-look-normalised", text, **values)


def looks_normalised(profile: Profile) -> bool:
    """Whether weights add up to the number of records, or to 1."""
    total, n = profile.numbers.total, profile.records
    return n > 1 and (abs(total / n - 1) < 0.01 or abs(total - 1) < 0.01)


def _of_households(metadata: Metadata, survey: Survey) -> Iterator[Problem]:
    identifier = metadata.household_id
    if identifier is None:
        return
    if survey.unidentified:
        text = plural(
            survey.unidentified,
            "The household identifier {variable} is empty or missing in one record.",
            "The household identifier {variable} is empty or missing in {count} records.",
        )
        yield _said("warning", identifier.name, "role", "household-id-empty", text, count=survey.unidentified)
    if survey.scattered:
        text = mark(
            "The members of {count} of {households} households of {variable} do not stand together in the file; "
            "they are gathered by {variable}."
        )
        values = {"count": survey.scattered, "households": survey.households}
        yield _said("warning", identifier.name, "role", "households-scattered", text, **values)
    yield from _undeclared(metadata, survey)


def _of_household_variable(
    metadata: Metadata, variable: Variable, profile: Profile, survey: Survey
) -> Iterator[Problem]:
    inside = profile.within
    if metadata.household_id is None or not variable.household or inside is None or not inside.varying:
        return
    more = inside.varying - len(inside.first)
    text = mark(
        "{variable} is a household variable, but has several values in {count} of {households} households: "
        "{identifier} {identifiers}."
    )
    if more:
        text = mark(
            "{variable} is a household variable, but has several values in {count} of {households} households: "
            "{identifier} {identifiers} and {more} others."
        )
    values = {
        "count": inside.varying,
        "households": survey.households,
        "identifier": survey.identifier,
        "identifiers": ", ".join(inside.first),
        "more": more,
    }
    yield _said("warning", variable.name, "household", "household-variable-varies", text, **values)


def _undeclared(metadata: Metadata, survey: Survey) -> Iterator[Problem]:
    """Variables that never vary within households and are not declared so, in one sentence."""
    found = [variable.name for variable in metadata.variables if _could_be_of_households(variable, survey)]
    if not found:
        return
    shown = ", ".join(found[:_NAMES]) + (", …" if len(found) > _NAMES else "")
    text = plural(
        len(found),
        "No household has two values of {names}: a household variable that is not declared?",
        "No household has two values of {names}: household variables that are not declared?",
    )
    notice = Notice.of("household-undeclared", text, where=found[0], names=shown, count=len(found))
    proposal = Notice.of(
        "use-household",
        plural(len(found), "Make {names} a household variable", "Make them household variables ({count})"),
        names=shown,
        count=len(found),
    )
    changes = tuple((name, (("household", True),)) for name in found)
    yield Problem("notice", found[0], "household", notice, proposal, changes)


def _could_be_of_households(variable: Variable, survey: Survey) -> bool:
    profile = survey.profiles.get(variable.name)
    if profile is None or profile.within is None or variable.household or variable.removed:
        return False
    free = variable.role == "other" and variable.categorical
    if not (free and profile.distinct > 1 and profile.within.constant):
        return False
    return identifies(variable, profile) is None and why_left_out(variable, profile) is None


def with_proposals(problems: Iterable[Problem], metadata: Metadata, survey: Survey) -> list[Problem]:
    """The problems; those about a missing code that is lacking propose one that the file does not use."""
    found = []
    for problem in problems:
        if problem.id == "no-missing-code" and problem.variable in metadata:
            variable = metadata[problem.variable]
            code: str | None = ""
            proposal = Notice.of("use-empty", mark("Take empty as missing"))
            if metadata.format == "fixed":
                code = unused_missing_code(survey.profiles.get(variable.name), max(variable.length, 1)) or None
                proposal = Notice.of("use-missing", mark("Take {code} as missing"), code=code)
            if code is not None:
                problem = replace(problem, proposal=proposal, changes=((variable.name, (("missing", (code,)),)),))
        found.append(problem)
    return found


def _of_columns(metadata: Metadata, survey: Survey) -> Iterator[Problem]:
    if not survey.undescribed:
        return
    name, field, fixed = "", "", metadata.format == "fixed"
    if fixed:
        name, field = _beside(metadata, int(survey.undescribed[0].split("–")[0]))
    yield Problem("notice", name, field, undescribed_notice(survey.undescribed, fixed))


def _beside(metadata: Metadata, position: int) -> tuple[str, str]:
    """Where a gap can be closed: the start of the variable behind it, else the length of the last one."""
    placed = sorted((v for v in metadata.variables if v.start > 0), key=lambda v: v.start)
    behind = next((v.name for v in placed if v.start > position), "")
    return (behind, "start") if behind else (placed[-1].name if placed else "", "length")
