"""The safe file as documentation of data describes it: what each variable holds, and what was done to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..base.texts import translate as _
from ..data.variables import Metadata, Variable
from ..recipe.edits_checklist import judged_variables
from ..report.build_changes import modifications
from ..report.words import counted
from ..results.results import Protection
from .safe_file import SafeFile


@dataclass(frozen=True)
class DescribedCode:
    """A code of a variable; `records` that have it in the safe file, None where that is not told or not counted."""

    code: str
    label: str
    missing: bool
    records: int | None = None


@dataclass(frozen=True)
class DescribedVariable:
    """A variable of the safe file, its categories in order, and in sentences what was done to it."""

    variable: Variable
    categories: tuple[DescribedCode, ...]
    done: tuple[str, ...]


@dataclass(frozen=True)
class DescribedFile:
    """The safe file: its name, layout and number of records, and its variables in order."""

    name: str
    layout: Metadata
    records: int
    variables: tuple[DescribedVariable, ...]


def described(protection: Protection, safe: SafeFile, data: Path | None) -> DescribedFile:
    """What there is to say of the safe file `data`; in the external variant without numbers of records.

    None: no safe file is written, and the original is described as it would be.
    """
    derived, name = protection.derived, "" if data is None else data.name
    weight = derived.metadata.weight.name if derived.metadata.weight else ""
    changes = modifications(derived.recipe, "", weight, outside=True)
    told = derived.recipe.report.reader == "internal"
    variables, columns = [], safe.read
    for variable in safe.layout.variables:
        column = columns.get(variable.name)
        counts = None if column is None else dict(zip(column.codes, column.counts.tolist(), strict=True))
        done = [
            f"{change.method}: {change.remarks}." for change in changes if variable.name in change.variables.split(", ")
        ]
        done += _recoded_and_suppressed(protection, variable, counts)
        variables.append(DescribedVariable(variable, _categories(variable, counts, told), tuple(done)))
    return DescribedFile(name, safe.layout, derived.records, tuple(variables))


def _recoded_and_suppressed(protection: Protection, variable: Variable, counts: Mapping[str, int] | None) -> list[str]:
    name, done = variable.name, []
    if name in protection.derived.recodings:
        codes = protection.derived.recodings[name].column.n_valid
        if counts is not None:  # one more than there are would tell of a code that was suppressed in all records
            codes = sum(count > 0 for code, count in counts.items() if code and code not in variable.missing)
        done.append(counted(codes, "Recoded: {n} category is left.", "Recoded: {n} categories are left."))
    missing = sum(count for code, count in (counts or {}).items() if not code or code in variable.missing)
    if missing and _may_be_suppressed(protection, name):  # how many of them were is a figure of the original
        done.append(
            counted(
                missing,
                "{n} value is missing in the file, suppressed values included.",
                "{n} values are missing in the file, suppressed values included.",
            )
        )
    if protection.derived.metadata.household_id is not None:
        identifier = protection.derived.metadata.household_id.name
        if name == identifier and protection.derived.recipe.output.household_id == "sequence":
            done.append(_("Replaced by 1, 2, 3 …"))
    return done


def _may_be_suppressed(protection: Protection, name: str) -> bool:
    """Whether values of the variable are suppressed where that is needed: of keys, and of what goes with them."""
    recipe = protection.derived.recipe
    if recipe.suppression.criterion == "none":
        return False
    judged = judged_variables(recipe)
    return name in judged | protection.derived.metadata.suppressed_with(judged)


def _categories(variable: Variable, counts: Mapping[str, int] | None, told: bool) -> tuple[DescribedCode, ...]:
    """Codes that occur, or have a label, or are missing; of a variable that is no category only its missing codes."""
    labels = dict(variable.labels)
    if not variable.categorical:
        codes = [code for code in variable.missing if code]
    elif counts is None:
        codes = [code for code in dict.fromkeys((*labels, *variable.missing)) if code]
    else:
        occurring = [code for code, count in counts.items() if count]
        codes = [code for code in dict.fromkeys((*occurring, *variable.missing)) if code]
    missing = set(variable.missing)
    shown = counts if told and counts is not None and variable.categorical else None
    return tuple(
        DescribedCode(code, labels.get(code, ""), code in missing, None if shown is None else shown.get(code, 0))
        for code in codes
    )
