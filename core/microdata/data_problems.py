"""What is wrong or odd in a description only in view of the data that it describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.errors import MetadataError, Notice
from core.microdata.problems import Problem, Severity
from core.microdata.profile import Profile
from core.microdata.survey import Survey
from core.microdata.variables import Metadata, Variable
from core.texts import mark

_EXAMPLES = 5


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
            found += _of_variable(variable, profile, survey, labels.get(variable.name, {}))
    found += _of_columns(metadata, survey)
    order = {"error": 0, "warning": 1, "notice": 2}
    return sorted(found, key=lambda problem: order[problem.severity])


def _said(severity: Severity, variable: str, field: str, id: str, template: str, **values: object) -> Problem:
    return Problem(severity, variable, field, Notice.of(id, template, where=variable, variable=variable, **values))


def _of_variable(variable: Variable, profile: Profile, survey: Survey, labels: Mapping[str, str]) -> Iterator[Problem]:
    if variable.role == "weight":
        yield from _of_weight(variable, profile)
    elif variable.numeric and profile.numbers.others:
        text = mark("{variable} is numerical, but holds something else in {count} record(s), for example {code}.")
        numbers = profile.numbers
        values = {"count": numbers.others, "code": numbers.example}
        yield _said("warning", variable.name, "numeric", "not-numerical", text, **values)
    if variable.household and profile.varying:
        text = mark("{variable} is a household variable, but has several values in {count} of {households} households.")
        values = {"count": profile.varying, "households": survey.households}
        yield _said("warning", variable.name, "household", "household-variable-varies", text, **values)
    if variable.categorical and labels:
        lacking = [code for code in profile.codes[: profile.n_valid] if code not in labels and code]
        if lacking:
            shown = ", ".join(lacking[:_EXAMPLES]) + (", …" if len(lacking) > _EXAMPLES else "")
            text = mark("{variable}: {count} code(s) are absent from the codelist: {codes}.")
            values = {"count": len(lacking), "codes": shown}
            yield _said("warning", variable.name, "codelist", "codes-not-in-codelist", text, **values)


def _of_weight(variable: Variable, profile: Profile) -> Iterator[Problem]:
    numbers = profile.numbers
    bad = numbers.others, numbers.negatives, profile.records - numbers.count - numbers.others
    texts = (
        ("weight-not-a-number", mark("The weight {variable} is not a number in {count} record(s).")),
        ("weight-negative", mark("The weight {variable} is negative in {count} record(s).")),
        ("weight-empty", mark("The weight {variable} is empty or missing in {count} record(s).")),
    )
    for count, (id, text) in zip(bad, texts, strict=True):
        if count:
            hint = mark("Correct the data, or choose another weight variable.")
            error = MetadataError(id, text, hint, variable=variable.name, count=count)
            yield Problem("error", variable.name, "role", error)
    if any(bad):
        return
    if numbers.zeros:
        text = mark("The weight {variable} is zero in {count} record(s).")
        yield _said("warning", variable.name, "role", "zero-weights", text, count=numbers.zeros)
    if looks_normalised(profile):
        text = mark(
            "The weights {variable} look normalised: they add up to {total} over {records} records. "
            "Population frequencies need weights that add up to the population."
        )
        values = {"total": f"{numbers.total:.6g}", "records": profile.records}
        yield _said("warning", variable.name, "role", "weights-look-normalised", text, **values)


def looks_normalised(profile: Profile) -> bool:
    """Whether weights add up to the number of records, or to 1."""
    total, n = profile.numbers.total, profile.records
    return n > 1 and (abs(total / n - 1) < 0.01 or abs(total - 1) < 0.01)


def _of_households(metadata: Metadata, survey: Survey) -> Iterator[Problem]:
    identifier = metadata.household_id
    if identifier is not None and survey.scattered:
        text = mark(
            "The members of {count} of {households} households of {variable} do not stand together in the file."
        )
        values = {"count": survey.scattered, "households": survey.households}
        yield _said("warning", identifier.name, "role", "households-scattered", text, **values)


def _of_columns(metadata: Metadata, survey: Survey) -> Iterator[Problem]:
    if not survey.undescribed:
        return
    shown = ", ".join(survey.undescribed[:12]) + (", …" if len(survey.undescribed) > 12 else "")
    text = mark("No variable describes the columns {columns}; they are never copied to the safe file.")
    if metadata.format == "fixed":
        text = mark("No variable describes the positions {columns}; they are never copied to the safe file.")
    yield Problem("notice", "", "", Notice.of("undescribed-columns", text, columns=shown))
