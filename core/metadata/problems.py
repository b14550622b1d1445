"""Problems of a description of variables, all at once: everything that is wrong or odd."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..base.errors import MetadataError, Notice
from ..base.texts import mark
from ..data.variable_uses import uses_of
from ..data.variables import Metadata, Variable
from ..formats.argus.codelist import read_codelist

Severity = Literal["error", "warning", "notice"]
Changes = tuple[tuple[str, tuple[tuple[str, object], ...]], ...]
"""Attributes and their new values, by variable."""

_OF_DATA = (
    "weight-not-a-number", "weight-negative", "weight-empty", "zero-weights", "weights-look-normalised",
    "not-numerical", "household-variable-varies", "households-scattered", "codes-not-in-codelist",
    "household-undeclared", "household-id-empty",
    "undescribed-columns", "codelist-unreadable", "missing-code-in-codelist",
)  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """One finding: an error stops the session, a warning is to be looked at, a notice is only said.

    `field` is the attribute of `variable` concerned, by its name in the recipe; both are empty where a finding
    concerns no one variable. `proposal` says what could be done about it, `changes` would do it.
    """

    severity: Severity
    variable: str
    field: str
    finding: MetadataError | Notice
    proposal: Notice | None = None
    changes: Changes = ()

    @property
    def id(self) -> str:
        """Stable identifier of the finding."""
        return self.finding.id

    @property
    def is_of_data(self) -> bool:
        """Whether it was found in the file, or in a codelist: a description alone does not tell it."""
        return self.id in _OF_DATA

    @property
    def text(self) -> str:
        """What is wrong and, for an error, what to do; translated."""
        return str(self.finding) if isinstance(self.finding, MetadataError) else self.finding.text


def all_problems(metadata: Metadata, combined: Collection[str] = (), *, codelists: bool = True) -> list[Problem]:
    """All findings, errors first, then warnings, then notices; within these by kind and in file order.

    Parameters
    ----------
    metadata : Metadata
    combined : names of variables that a combination uses: keys, whatever their identification level
    codelists : bool
        Whether codelist files are looked into.
    """
    found = [problem for check in _CHECKS for problem in check(metadata)]
    found += _no_missing_code(metadata, combined)
    if codelists:
        found += _codelists(metadata)
    order = {"error": 0, "warning": 1, "notice": 2}
    return sorted(found, key=lambda problem: order[problem.severity])


def _error(variable: Variable | None, field: str, id: str, template: str, hint: str, **values: Any) -> Problem:
    name = variable.name if variable else ""
    return Problem("error", name, field, MetadataError(id, template, hint, **{"variable": name, **values}))


def _said(severity: Severity, variable: str, field: str, id: str, template: str, **values: Any) -> Problem:
    notice = Notice.of(id, template, where=variable, **{"variable": variable, **values})
    return Problem(severity, variable, field, notice)


def _names(metadata: Metadata) -> Iterator[Problem]:
    if not metadata.variables:
        yield _error(
            None, "", "no-variables", mark("No variable is described."), mark("Describe at least one variable.")
        )
    seen: dict[str, str] = {}
    for variable in metadata.variables:
        if not variable.name.strip():
            yield _error(
                variable, "name", "empty-name", mark("A variable has no name."), mark("Give every variable a name.")
            )
        elif variable.name.casefold() in seen:
            yield _error(
                variable,
                "name",
                "duplicate-name",
                mark("Two variables have the same name, {variable} (the first is written {other})."),
                mark("Give each its own name; upper and lower case make no difference."),
                other=seen[variable.name.casefold()],
            )
        seen.setdefault(variable.name.casefold(), variable.name)


def _layout(metadata: Metadata) -> Iterator[Problem]:
    if metadata.format == "fixed":
        for variable in metadata.variables:
            for field, value in (("start", variable.start), ("length", variable.length)):
                if value < 1:
                    yield _error(
                        variable,
                        field,
                        f"bad-{field}",
                        mark("The {attribute} of {variable} is {value}."),
                        mark("In a fixed file it is 1 or more."),
                        attribute=field,
                        value=value,
                    )
        yield from _overlaps_and_gaps(metadata)
    elif metadata.format == "delimited":
        yield from _columns(metadata)


def _overlaps_and_gaps(metadata: Metadata) -> Iterator[Problem]:
    placed = sorted((v for v in metadata.variables if v.start > 0 and v.length > 0), key=lambda v: v.start)
    end, last = 0, None
    for variable in placed:
        if last is not None and variable.start <= end:
            yield _error(
                variable,
                "start",
                "overlap",
                mark("{variable} begins at {start}, inside {other}, which reaches to {end}."),
                mark("Correct the start or the length of one of them."),
                start=variable.start,
                other=last.name,
                end=end,
            )
        elif variable.start > end + 1:
            yield _said(
                "notice",
                variable.name,
                "start",
                "gap",
                mark("No variable describes positions {first} to {last}, before {variable}; they are not released."),
                first=end + 1,
                last=variable.start - 1,
            )
        if variable.start + variable.length - 1 > end:
            end, last = variable.start + variable.length - 1, variable


def _columns(metadata: Metadata) -> Iterator[Problem]:
    seen: dict[int, str] = {}
    for variable in metadata.variables:
        if variable.column < 1:
            yield _error(
                variable,
                "column",
                "bad-column",
                mark("The column of {variable} is {column}."),
                mark("Columns count from 1."),
                column=variable.column,
            )
        elif seen.get(variable.column, variable.name).casefold() != variable.name.casefold():  # else told as such
            yield _error(
                variable,
                "column",
                "same-column",
                mark("{variable} and {other} are both column {column}."),
                mark("Correct one of them."),
                other=seen[variable.column],
                column=variable.column,
            )
        seen.setdefault(variable.column, variable.name)


def _roles(metadata: Metadata) -> Iterator[Problem]:
    texts = {
        "weight": mark("{variable} is a second weight variable beside {other}."),
        "household-id": mark("{variable} is a second household identifier beside {other}."),
    }
    for role, text in texts.items():
        holders = [v for v in metadata.variables if v.role == role]
        for variable in holders[1:]:
            hint = mark("Keep one of them.")
            yield _error(variable, "role", f"second-{role}", text, hint, other=holders[0].name)
    for variable in metadata.variables:
        if variable.role == "weight" and variable.categorical:
            text = mark("{variable} is the weight and yet marked categorical.")
            yield _said("warning", variable.name, "categorical", "weight-categorical", text)
        if variable.household and metadata.household_id is None:
            text = mark("{variable} is a household variable, but there is no household identifier.")
            yield _said("warning", variable.name, "household", "household-without-identifier", text)


def _numbers(metadata: Metadata) -> Iterator[Problem]:
    ranges = (("identification_level", 0, 5), ("suppression_weight", 0, 100), ("decimals", 0, 15))
    for variable in metadata.variables:
        for field, low, high in ranges:
            value = getattr(variable, field)
            if not low <= value <= high:
                yield _error(
                    variable,
                    field,
                    f"bad-{field.replace('_', '-')}",
                    mark("The {attribute} of {variable} is {value}."),
                    mark("It lies between {low} and {high}."),
                    attribute=field,
                    value=value,
                    low=low,
                    high=high,
                )


def _missing(metadata: Metadata) -> Iterator[Problem]:
    for variable in metadata.variables:
        if metadata.format != "fixed" or variable.length < 1:
            continue
        for code in variable.missing:
            if _bytes(code, metadata.encoding) > variable.length:
                yield _error(
                    variable,
                    "missing",
                    "missing-too-long",
                    mark("The missing code {code} of {variable} is longer than its field ({length})."),
                    mark("Correct the code or the length."),
                    code=code,
                    length=variable.length,
                )


def _no_missing_code(metadata: Metadata, combined: Collection[str]) -> Iterator[Problem]:
    """Local suppression writes into keys only, and into those of them that are released."""
    for variable in metadata.variables:
        if variable.role != "other" or variable.removed or not variable.categorical or variable.missing:
            continue
        if variable.name in combined or "key" in uses_of(variable):
            text = mark("{variable} has no missing code; local suppression needs one.")
            yield _said("warning", variable.name, "missing", "no-missing-code", text)


def _bytes(code: str, encoding: str) -> int:
    try:
        return len(code.encode(encoding))
    except (LookupError, UnicodeError):
        return len(code)


def _related(metadata: Metadata) -> Iterator[Problem]:
    related = {v.name: v.related for v in metadata.variables}
    for variable in metadata.variables:
        if variable.related is None:
            continue
        if variable.related not in related or variable.related == variable.name:
            yield _error(
                variable,
                "related",
                "unknown-related",
                mark("{variable} is related to itself.")
                if variable.related == variable.name
                else mark("{variable} is related to {other}, which is not a variable."),
                mark("Choose another variable, or none."),
                other=variable.related,
            )
        elif variable.name in _reached(variable.related, related):
            text = mark("{variable} and {other} are related in a circle: suppressing one suppresses all of the circle.")
            yield _said("warning", variable.name, "related", "related-circle", text, other=variable.related)


def _reached(name: str, related: dict[str, str | None]) -> set[str]:
    reached: set[str] = set()
    step: str | None = name
    while step is not None and step not in reached:
        reached.add(step)
        step = related.get(step)
    return reached


def _codelists(metadata: Metadata) -> Iterator[Problem]:
    files: dict[Path, dict[str, str] | MetadataError] = {}
    for variable in metadata.variables:
        if variable.codelist is None:
            continue
        if variable.codelist not in files:
            files[variable.codelist] = _labels(variable.codelist)
        labels = files[variable.codelist]
        if isinstance(labels, MetadataError):
            text = mark("The codelist of {variable} cannot be used, its labels stay blank: {reason}")
            reason = labels.sentence
            yield _said("warning", variable.name, "codelist", "codelist-unreadable", text, reason=reason)
            continue
        for code in variable.missing:
            if code in labels:
                text = mark("The codelist of {variable} calls its missing code {code} {label}.")
                said = {"code": code, "label": labels[code]}
                yield _said("notice", variable.name, "missing", "missing-code-in-codelist", text, **said)


def _labels(path: Path) -> dict[str, str] | MetadataError:
    try:
        return read_codelist(path)
    except MetadataError as error:
        return error


_CHECKS: Iterable[Callable[[Metadata], Iterator[Problem]]] = (
    _names,
    _layout,
    _roles,
    _numbers,
    _missing,
    _related,
)
