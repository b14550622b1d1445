"""The safe file: from the plan to what is written in place of each value, in which layout and order."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.derive.released import after_suppression
from core.derive.results import Derived, Protection
from core.derive.risk_columns import risk_columns
from core.io.files import read, safe_layout
from core.io.writing import FieldEdit
from core.microdata.columns import EncodedColumn
from core.microdata.variables import Metadata, Variable
from core.progress import SILENT, Progress
from core.recipe.model import Output


@dataclass(frozen=True, eq=False)
class SafeFile:
    """What is to be written.

    Attributes
    ----------
    edits : new contents by variable; the others are copied
    added : columns that the original does not have, by variable
    layout : metadata of the safe file
    order : (n,) int64, which record of the original stands at each place; None: as in the original
    """

    edits: Mapping[str, FieldEdit]
    added: Mapping[str, EncodedColumn]
    layout: Metadata
    order: NDArray[np.int64] | None


def safe_file(protection: Protection, progress: Progress = SILENT) -> SafeFile:
    """The safe file that `protection` and the recipe's ``[output]`` ask for."""
    derived = protection.derived
    edits = field_edits(derived, protection.plan.suppressed)
    layout = safe_layout(derived.metadata, edits, removed_variables(derived))
    suppressed = protection.plan.suppressed
    variables = tuple(_released(variable, derived, suppressed) for variable in layout.variables)
    added: dict[str, EncodedColumn] = {}
    if derived.recipe.output.add_risk:
        more, columns = risk_columns(derived, protection.plan, progress)
        variables += _placed(more, variables)
        added = {column.name: column for column in columns}
        edits |= {column.name: FieldEdit(column.values, column.codes) for column in columns}
    return SafeFile(edits, added, replace(layout, variables=variables), record_order(derived, progress))


def with_texts(layout: Metadata, names: Mapping[str, object]) -> Metadata:
    """`layout` with the variables `names` read as codes, so that they can be compared as they were written."""
    return replace(
        layout,
        variables=tuple(
            replace(v, categorical=True, numeric=False, missing=()) if v.name in names else v for v in layout.variables
        ),
    )


def field_edits(derived: Derived, suppressed: Mapping[str, NDArray[np.bool_]]) -> dict[str, FieldEdit]:
    """Contents of the variables that are recoded or have suppressed values."""
    edits = {}
    for name, column in derived.columns.items():
        after = after_suppression(column, suppressed)
        if name in derived.recodings:
            edits[name] = FieldEdit(after.values, after.codes)
        elif after is not column:
            edits[name] = FieldEdit(after.values, after.codes, suppressed[name])
    return edits


def removed_variables(derived: Derived) -> frozenset[str]:
    """Variables that the recipe's output leaves out, beside those that the metadata call removed."""
    household = derived.metadata.household_id
    if household is None or derived.recipe.output.household_id != "remove":
        return frozenset()
    return frozenset({household.name})


def record_order(derived: Derived, progress: Progress = SILENT) -> NDArray[np.int64] | None:
    """A seeded random order of the records, members of a household kept together; None where none is asked for."""
    output: Output = derived.recipe.output
    if not output.shuffle:
        return None
    random = np.random.Generator(np.random.PCG64(output.seed))
    order: NDArray[np.int64] = random.permutation(derived.records)
    household = derived.metadata.household_id
    if household is None or not output.keep_households_together:
        return order
    members = _household_of_record(derived, household, progress)
    place = random.permutation(int(members.max()) + 1)
    return order[np.argsort(place[members[order]], kind="stable")]


def _placed(more: tuple[Variable, ...], before: tuple[Variable, ...]) -> tuple[Variable, ...]:
    """`more` in the places behind those of `before`."""
    fixed = before[0].start > 0
    start = max(v.start + v.length for v in before)
    placed = []
    for column, variable in enumerate(more, len(before) + 1):
        placed.append(replace(variable, start=start) if fixed else replace(variable, length=0, column=column))
        start += variable.length
    return tuple(placed)


def _released(variable: Variable, derived: Derived, suppressed: Mapping[str, NDArray[np.bool_]]) -> Variable:
    """The variable as the safe file describes it."""
    variable = replace(variable, labels=_released_labels(variable, derived, suppressed))
    recoding = derived.recodings.get(variable.name)
    if recoding is None:
        return variable
    column = recoding.column
    missing, valid = column.codes[column.n_valid :], column.codes[: column.n_valid]
    ranges = variable.missing_ranges
    if not within(missing, ranges) or within(valid, ranges):
        ranges = ()
    return replace(variable, missing=missing, codelist=recoding.codelist, missing_ranges=ranges)


def _released_labels(
    variable: Variable, derived: Derived, suppressed: Mapping[str, NDArray[np.bool_]]
) -> tuple[tuple[str, str], ...]:
    """Labels, but of no code that the original holds and the safe file does not: they would tell what was removed."""
    labels = derived.labels.get(variable.name, {})
    before, now = derived.microdata.columns.get(variable.name), derived.columns.get(variable.name)
    if before is None or now is None:
        return tuple(labels.items())
    after = after_suppression(now, suppressed)
    left = {code for code, count in zip(after.codes, after.counts.tolist(), strict=True) if count}
    gone = {code for code, count in zip(before.codes, before.counts.tolist(), strict=True) if count} - left
    return tuple((code, label) for code, label in labels.items() if code not in gone)


def within(codes: Iterable[str], ranges: Iterable[tuple[float, float]]) -> bool:
    """Whether one of `codes` is a number in one of `ranges`."""
    numbers = []
    for code in codes:
        with contextlib.suppress(ValueError):
            numbers.append(float(code))
    return any(low <= number <= high for number in numbers for low, high in ranges)


def _household_of_record(derived: Derived, household: Variable, progress: Progress) -> NDArray[np.int64]:
    metadata = derived.metadata
    as_codes = tuple(replace(v, categorical=True) if v == household else v for v in metadata.variables)
    microdata = read(derived.microdata.source.path, replace(metadata, variables=as_codes), (household.name,), progress)
    return microdata.columns[household.name].values.astype(np.int64)
