"""``[[numeric]]`` and perturbations at writing: numerical variables as the safe file has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..data.variables import Metadata, Variable
from ..formats.registry import read_again
from ..perturbation.done import PerturbationDone
from ..perturbation.method import PerturbationInput
from ..perturbation.registry import REGISTRY, at_writing
from ..perturbation.values import digests_of, everybody_alone, in_order_of_records
from ..recipe.available import written_format
from ..recipe.model import NumericEdit, Perturbation, Recipe
from ..recoding.numerical import modify, places, plain, records_changed
from .drawing import noise_seed
from .households import members_apart
from .released_columns import after_suppression
from .results import Results


@dataclass(frozen=True, eq=False)
class ChangedNumbers:
    """Variables after the changes of ``[[numeric]]`` and of perturbations at writing.

    Attributes
    ----------
    columns : by name, their texts as codes
    perturbed : one for each perturbation at writing, in order
    """

    columns: Mapping[str, EncodedColumn]
    perturbed: tuple[PerturbationDone, ...] = ()


def names_of_changed(recipe: Recipe, metadata: Metadata) -> tuple[str, ...]:
    """Names of the variables that ``[[numeric]]`` and perturbations at writing change."""
    named = [spec.variable for spec in recipe.numeric]
    for entry in at_writing(recipe):
        named += REGISTRY[entry.method].variables(entry, metadata)
    return tuple(dict.fromkeys(named))


def change_numbers(
    originals: Mapping[str, EncodedColumn], recipe: Recipe, metadata: Metadata, progress: Progress = SILENT,
    households: NDArray[np.integer] | None = None,
) -> ChangedNumbers:  # fmt: skip
    """`originals`, all or some of `names_of_changed`, after their changes.

    Parameters
    ----------
    households : (n,) the household of each record, from 0; None where there are none

    Raises
    ------
    DataError
        A value that is no number.
    """
    specs = {name: NumericEdit(name) for name in originals} | {spec.variable: spec for spec in recipe.numeric}
    columns = {
        name: modify(column, specs[name], metadata[name], decimal=metadata.decimal)
        for name, column in originals.items()
    }
    living = None if households is None or members_apart(recipe) else in_order_of_records(households)
    # of the numbers that get noise, whatever was rounded or cut before; alone, one draw a household is one a record
    together = None if living is None or everybody_alone(living) else living
    digest = digests_of(dict(columns), metadata.decimal, together)

    def seed(entry: Perturbation) -> Sequence[int]:
        return noise_seed(
            recipe.output, entry, digest(entry.variables), lambda name: digest([name]) if name in columns else name
        )

    perturbed = []
    for entry in at_writing(recipe):
        method = REGISTRY[entry.method]
        names = tuple(name for name in method.variables(entry, metadata) if name in columns)
        before = {name: columns[name] for name in names}
        parameters = method.DECLARATION.used(entry)
        given = PerturbationInput(before, metadata, parameters, seed, progress, entry, households=living)
        made = method.perturb(given)
        columns |= made.columns
        changed = {name: records_changed(before[name], made.columns[name]) for name in names}
        there = {name: int(before[name].counts[: before[name].n_valid].sum()) for name in names}
        unchanged = {name: (there[name] - changed[name], there[name]) for name in names}
        total = sum(changed.values())
        perturbed.append(PerturbationDone(entry, names, total, made.invariants, made.published, unchanged))
    return ChangedNumbers(columns, tuple(perturbed))


def modified_columns(
    derived: Results, suppressed: Mapping[str, NDArray[np.bool_]], progress: Progress = SILENT
) -> ChangedNumbers:
    """The variables that ``[[numeric]]`` and perturbations change, after that, suppressed values missing.

    Perturbed ones that were encoded as keys are left out unless something else changes them: `derived` has them.

    Raises
    ------
    DataError
        A value that is no number, or the file has changed.
    """
    recipe, metadata = derived.recipe, derived.metadata
    perturbed = {} if derived.perturbed is None else derived.perturbed.columns
    others = [name for name in perturbed if name not in derived.columns]
    identifier = metadata.household_id
    if identifier is not None and recipe.output.household_id != "keep":  # numbered anew, or not written
        others = [name for name in others if name != identifier.name]
    names = names_of_changed(recipe, metadata)
    if not names and not others:
        return ChangedNumbers({})
    columns = dict(perturbed)
    unread = [name for name in names if name not in columns]
    if unread:
        columns |= read_again(derived.microdata.source, as_codes(metadata, unread), unread, progress).columns
    before = {name: after_suppression(columns[name], suppressed) for name in (*names, *others)}
    originals = {name: before[name] for name in names}
    living = None if derived.households is None else derived.households.household_of_record
    found = change_numbers(originals, recipe, metadata, progress, living)
    return as_written(replace(found, columns=before | dict(found.columns)), recipe, metadata)


def as_written(found: ChangedNumbers, recipe: Recipe, metadata: Metadata) -> ChangedNumbers:
    """The same as the safe file has it: where it has types, numbers in their plain form."""
    if written_format(recipe.output.data, metadata.format) in ("fixed", "delimited"):
        return found
    return replace(found, columns={name: plain(column, metadata.decimal) for name, column in found.columns.items()})


def as_codes(metadata: Metadata, names: list[str]) -> Metadata:
    """`metadata` with the variables `names` read as codes, whatever else they are."""
    variables = tuple(replace(v, categorical=True) if v.name in names else v for v in metadata.variables)
    return replace(metadata, variables=variables)


def with_decimals(variable: Variable, recipe: Recipe) -> Variable:
    """`variable` with room for the decimals that rounding gives it."""
    bases = [spec.round for spec in recipe.numeric if spec.variable == variable.name and spec.round is not None]
    return replace(variable, decimals=max([variable.decimals, *map(places, bases)])) if bases else variable
