"""The safe file: from the plan to what is written in place of each value, in which layout and order."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..data.households import sequence_numbers
from ..data.variables import Metadata, Variable
from ..formats.registry import safe_layout
from ..formats.text.writing import FieldEdit
from ..perturbation.done import PerturbationDone
from ..results.numeric import ChangedNumbers, modified_columns, with_decimals
from ..results.perturbed_columns import in_order
from ..results.record_order import record_order
from ..results.released_columns import released_columns
from ..results.results import Protection, Results
from ..whatif.risk_columns import risk_columns

_BY_NATURE = re.compile(r"\.[a-z_]")
"""Missing values of Stata and SAS, which nobody declares."""


@dataclass(frozen=True, eq=False)
class SafeFile:
    """What is to be written.

    Attributes
    ----------
    edits : new contents by variable; the others are copied
    added : columns that the original does not have, by variable
    modified : numerical variables as they are to be read back, by variable
    layout : metadata of the safe file
    order : (n,) int64, which record of the original stands at each place; None: as in the original
    released : the encoded columns after suppression, by variable; the same one where nothing is suppressed
    perturbed : one for each perturbation, in order
    """

    edits: Mapping[str, FieldEdit]
    added: Mapping[str, EncodedColumn]
    modified: Mapping[str, EncodedColumn]
    layout: Metadata
    order: NDArray[np.int64] | None
    released: Mapping[str, EncodedColumn]
    perturbed: tuple[PerturbationDone, ...] = ()

    @property
    def read(self) -> dict[str, EncodedColumn]:
        """The variables that were read, as they are in the safe file."""
        return {**self.released, **self.modified}


def safe_file(protection: Protection, progress: Progress = SILENT, changed: ChangedNumbers | None = None) -> SafeFile:
    """The safe file that `protection` and the recipe's ``[output]`` ask for.

    `changed` : the numerical variables, where they are changed already; None: they are read and changed.
    """
    derived, suppressed = protection.derived, protection.plan.suppressed
    released = released_columns(derived, suppressed)
    order = record_order(derived)
    edits = field_edits(derived, released, suppressed) | identifier_edit(derived, order, progress)
    changed = changed or modified_columns(derived, suppressed, progress)
    modified = changed.columns
    edits |= {name: FieldEdit(column.values, column.codes) for name, column in modified.items()}
    layout = safe_layout(derived.metadata, edits, removed_variables(derived), derived.recipe.output.data)
    described = (with_decimals(variable, derived.recipe) for variable in layout.variables)
    text = layout.format in ("fixed", "delimited") and layout.format != derived.metadata.format
    held = {**released, **modified}
    variables = tuple(_released(variable, derived, held, text) for variable in described)
    added: dict[str, EncodedColumn] = {}
    if derived.recipe.output.add_risk:
        more, columns = risk_columns(protection, progress)
        variables += _placed(more, variables)
        added = {column.name: column for column in columns}
        edits |= {column.name: FieldEdit(column.values, column.codes) for column in columns}
    done = in_order(
        derived.recipe.perturbations, derived.perturbed.done if derived.perturbed else (), changed.perturbed
    )
    return SafeFile(edits, added, modified, replace(layout, variables=variables), order, released, done)


def with_texts(layout: Metadata, names: Mapping[str, object]) -> Metadata:
    """`layout` with the variables `names` read as codes, so that they can be compared as they were written."""
    return replace(
        layout,
        variables=tuple(
            replace(v, categorical=True, numeric=False, missing=()) if v.name in names else v for v in layout.variables
        ),
    )


def field_edits(
    derived: Results, released: Mapping[str, EncodedColumn], suppressed: Mapping[str, NDArray[np.bool_]]
) -> dict[str, FieldEdit]:
    """Contents of the variables that are perturbed, recoded or have suppressed values; `released` as in `SafeFile`."""
    edits = {}
    perturbed = derived.perturbed.columns if derived.perturbed else {}
    derived_keys = {spec.name for spec in derived.recipe.derived}
    for name, column in derived.columns.items():
        if name in derived_keys:
            continue
        after = released[name]
        if name in derived.recodings or name in perturbed:
            edits[name] = FieldEdit(after.values, after.codes)
        elif after is not column:
            edits[name] = FieldEdit(after.values, after.codes, _written_alike(after, after.values != column.values))
    return edits


def _written_alike(after: EncodedColumn, changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The changed records and those that had the code before: quotes, blanks or a null would tell them apart."""
    written = np.zeros(len(after.codes), dtype=np.bool_)
    written[after.values[changed]] = True
    alike: NDArray[np.bool_] = written[after.values]
    return alike


def removed_variables(derived: Results) -> frozenset[str]:
    """Variables that the recipe's output leaves out, beside those that the metadata call removed."""
    household = derived.metadata.household_id
    if household is None or derived.recipe.output.household_id != "remove":
        return frozenset()
    return frozenset({household.name})


def identifier_edit(
    derived: Results, order: NDArray[np.int64] | None, progress: Progress = SILENT
) -> dict[str, FieldEdit]:
    """The household identifier as 1, 2, 3, … in the order of the safe file, where that is asked for."""
    identifier, households = derived.metadata.household_id, derived.households
    if identifier is None or households is None or derived.recipe.output.household_id != "sequence":
        return {}
    if households.kind_of_household is not None:  # numbered as the parts are written; how wide that gets is known
        nowhere = np.zeros(len(households.household_of_record), np.uint32)
        return {identifier.name: FieldEdit(nowhere, ("1", str(households.number)))}
    numbers = sequence_numbers(households, order, progress)
    codes = tuple(map(str, range(1, len(households) + 1)))
    values = (numbers - 1).astype(np.uint32)[households.household_of_record]
    return {identifier.name: FieldEdit(values, codes)}


def _placed(more: tuple[Variable, ...], before: tuple[Variable, ...]) -> tuple[Variable, ...]:
    """`more` in the places behind those of `before`."""
    fixed = before[0].start > 0
    start = max(v.start + v.length for v in before)
    placed = []
    for column, variable in enumerate(more, len(before) + 1):
        placed.append(replace(variable, start=start) if fixed else replace(variable, length=0, column=column))
        start += variable.length
    return tuple(placed)


def _released(variable: Variable, derived: Results, held: Mapping[str, EncodedColumn], text: bool) -> Variable:
    """The variable as the safe file describes it.

    `held` : the columns of the safe file that were read; `text` where what is missing by nature becomes plain text
    """
    if variable.role == "household-id" and derived.recipe.output.household_id == "sequence":
        return replace(variable, missing=(), missing_ranges=(), labels=(), codelist=None)
    labels = tuple(derived.labels.get(variable.name, {}).items())
    recoding = derived.recodings.get(variable.name)
    if recoding is None:
        column = derived.columns.get(variable.name)
        absent = () if column is None or not text else column.codes[column.n_valid :]
        made = replace(variable, missing=tuple(dict.fromkeys((*variable.missing, *absent))), labels=labels)
        return _labelled_as_held(made, held.get(variable.name))
    column = recoding.column
    missing, valid = tuple(column.codes[column.n_valid :]), column.codes[: column.n_valid]
    ranges = variable.missing_ranges
    if not within(missing, ranges) or within(valid, ranges):
        ranges = ()
    made = replace(variable, missing=missing, codelist=recoding.codelist, missing_ranges=ranges, labels=labels)
    return _labelled_as_held(made, held.get(variable.name))


def _labelled_as_held(variable: Variable, column: EncodedColumn | None) -> Variable:
    """With labels of missing codes and of codes that a record of the safe file has.

    Beside the survey's own codelist, labels that lack just the codes that were suppressed in all records would name
    these: so codes that no record ever had have none either. Of a column that was not read nothing was changed.
    """
    if column is None:
        return variable
    missing = {*variable.missing, *column.missing_codes}
    kept = _found(column) | {code for code in missing if not _BY_NATURE.fullmatch(code)}  # those are found or unknown
    labels = (
        (code, label) for code, label in variable.labels if code in kept or within((code,), variable.missing_ranges)
    )
    return replace(variable, labels=tuple(labels))


def _found(column: EncodedColumn) -> set[str]:
    """Codes that at least one record has."""
    return {code for code, count in zip(column.codes, column.counts.tolist(), strict=True) if count}


def occurring_codes(safe: SafeFile, names: Iterable[str]) -> dict[str, set[str]]:
    """Codes that at least one record of the safe file has, by variable: of those of `names` that were read."""
    columns = safe.read
    return {name: _found(columns[name]) for name in names if name in columns}


def within(codes: Iterable[str], ranges: Iterable[tuple[float, float]]) -> bool:
    """Whether one of `codes` is a number in one of `ranges`."""
    numbers = []
    for code in codes:
        with contextlib.suppress(ValueError):
            numbers.append(float(code))
    return any(low <= number <= high for number in numbers for low, high in ranges)
