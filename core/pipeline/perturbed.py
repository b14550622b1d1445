"""Columns of a file after the perturbations before recodes, and the households in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..base.progress import Progress
from ..data.columns import EncodedColumn, Microdata
from ..data.households import HouseholdRows, Households, households_of
from ..data.variables import Metadata
from ..perturbation.done import PerturbationStep, PerturbedColumns
from ..perturbation.method import PerturbationInput
from ..perturbation.registry import before_recodes
from ..recipe.model import Perturbation, Recipe
from ..results.households import with_identifier
from ..results.numeric import as_codes
from ..results.perturbed_columns import (
    PerturbationSource,
    changed_by,
    input_of,
    names_of_perturbed,
    names_to_read,
    perturbation_step,
    read_by,
)
from .columns import FILE_COLUMN, WEIGHTS
from .stage import Dependency, Facts, Given, Pipeline, Request, stage


def column_before(facts: Facts, name: str, before: int | None = None, as_code: bool = False) -> Request[EncodedColumn]:
    """The column `name` before the perturbation of place `before`, or after all, not yet recoded."""
    entries = before_recodes(facts.recipe)[:before]
    for number, entry in reversed([*enumerate(entries)]):
        if name in changed_by(entry, facts.metadata):
            return PERTURBED(name, as_code, number)
    return FILE_COLUMN(name, as_code)


def _step(number: int) -> tuple[Request[PerturbationStep]]:
    return (STEP(number),)


PERTURBED: Dependency[[str, bool, int], EncodedColumn] = Dependency(
    "perturbed",
    by=lambda facts, name, as_code, _number: (name, as_code or facts.metadata[name].categorical),
    needs=lambda _facts, _name, _as_code, number: _step(number),
)
"""A column after the perturbation of a place."""


@stage(
    "households",
    reads=lambda facts, _identifier: (facts.recipe.households, facts.rows),
    needs=lambda _facts, identifier: () if identifier is None else (identifier,),
)
def HOUSEHOLDS(given: Given, identifier: Request[EncodedColumn] | None) -> Households:
    """The households by a column of identifiers."""
    assert identifier is not None
    return households_of(given.get(identifier), given.recipe.households, given.progress)


def households_before(facts: Facts, before: int | None = None) -> Request[Households]:
    """The households as they are before the perturbation of place `before`, or after all."""
    identifier = facts.metadata.household_id
    return HOUSEHOLDS(None if identifier is None else column_before(facts, identifier.name, before))


def _own_variables(facts: Facts, number: int) -> tuple[object, ...]:
    entry = before_recodes(facts.recipe)[number]
    names = read_by(entry, facts.metadata)
    return entry, tuple(replace(facts.metadata[name], decision=None, decided_by="", reason="") for name in names)


def _before_step(facts: Facts, number: int) -> Iterator[Request[Any]]:
    for name in read_by(before_recodes(facts.recipe)[number], facts.metadata):
        yield column_before(facts, name, number, True)
    yield households_before(facts, number)
    yield WEIGHTS()


@stage("perturbation", by=lambda _facts, _number: (), reads=_own_variables, needs=_before_step, stays=True)
def STEP(given: Given, number: int) -> PerturbationStep:
    """What the perturbation of a place makes, on what those before it left."""
    entries, facts = before_recodes(given.recipe), given.facts
    entry, identifier = entries[number], given.metadata.household_id
    names = read_by(entry, given.metadata)
    now = {name: given.get(column_before(facts, name, number, True)) for name in names}
    living = None
    if identifier is not None:
        column = given.get(column_before(facts, identifier.name, number))
        known = column.households if isinstance(column, HouseholdRows) else None
        living = known or given.get(households_before(facts, number))
    weights = given.get(WEIGHTS())
    source = PerturbationSource(given.metadata, living, None if weights is None else weights.as_floats())
    return perturbation_step(entry, now, source, given.progress, entries[:number])


class PerturbedFile:
    """Columns as everything after the perturbations finds them."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    def households(
        self, recipe: Recipe, metadata: Metadata, columns: Mapping[str, EncodedColumn], progress: Progress
    ) -> Households | None:
        """The households, by the identifier that is among `columns`, perturbed; None without one."""
        identifier = metadata.household_id
        if identifier is None:
            return None
        column = columns[identifier.name]
        if isinstance(column, HouseholdRows):
            return column.households
        facts = self._pipeline.facts(recipe, metadata)
        at_hand = {column_before(facts, identifier.name): column}
        return self._pipeline.get(households_before(facts), facts, progress, at_hand)

    def microdata(
        self, recipe: Recipe, metadata: Metadata, names: Sequence[str], progress: Progress, *,
        passing: bool = False, codes: bool = False,
    ) -> Microdata:  # fmt: skip
        """The variables `names` and the weight, encoded, after the perturbations; see `ColumnStore.microdata`.

        Parameters
        ----------
        codes : whether `names` are read as codes, whatever else they are
        """
        described = as_codes(metadata, list(names)) if codes else metadata
        perturbed = None
        if before_recodes(recipe):
            # One pass over the file reads what is asked for and what is perturbed.
            perturbed = self.perturbed(recipe, metadata, progress, () if passing else names)
        found = self._pipeline.columns.microdata(recipe.input, described, names, progress, passing)
        if perturbed is None:
            return found
        changed = {name: perturbed.columns[name] for name in found.columns if name in perturbed.columns}
        return replace(found, columns={**found.columns, **changed})

    def perturbed(
        self, recipe: Recipe, metadata: Metadata, progress: Progress, besides: Sequence[str] = ()
    ) -> PerturbedColumns | None:
        """All that is perturbed before recodes; None: nothing is.

        Parameters
        ----------
        besides : variables that are read in the same pass over the file, if it has to be read

        Raises
        ------
        DataError, RecipeError
            What `core.results.perturbed_columns.perturbation_step` refuses.
        """
        entries = before_recodes(recipe)
        if not entries:
            return None
        wanted = names_to_read(recipe, metadata)
        names = tuple(dict.fromkeys((*wanted, *with_identifier(besides, metadata))))
        described = as_codes(metadata, list(wanted))
        microdata = self._pipeline.columns.microdata(recipe.input, described, names, progress)
        original = {name: microdata.columns[name] for name in wanted}
        now, done = dict(original), []
        facts, identifier = self._pipeline.facts(recipe, metadata), metadata.household_id
        for number, entry in enumerate(entries):
            at_hand: dict[Request[Any], Any] = {WEIGHTS(): microdata.weights}
            if identifier is not None:
                column = now.get(identifier.name, microdata.columns[identifier.name])
                at_hand[column_before(facts, identifier.name, number)] = column
            at_hand |= {column_before(facts, name, number, True): column for name, column in now.items()}
            step = self._pipeline.get(STEP(number), facts, progress, at_hand)
            now |= step.columns
            done.append(replace(step.done, entry=entry))
        changed = names_of_perturbed(recipe, metadata)
        return PerturbedColumns(_of(original, changed), _of(now, changed), tuple(done))

    def given(
        self, recipe: Recipe, metadata: Metadata, entry: Perturbation, progress: Progress, besides: Sequence[str] = ()
    ) -> tuple[PerturbationInput, dict[str, EncodedColumn]]:
        """What `entry` is given after all that `recipe` perturbs before recodes; and `besides`, as they are then."""
        wanted = tuple(dict.fromkeys((*read_by(entry, metadata), *besides)))
        described = as_codes(metadata, list(wanted))
        names = with_identifier(wanted, metadata)
        earlier = self.perturbed(recipe, metadata, progress, names)
        microdata = self._pipeline.columns.microdata(recipe.input, described, names, progress)
        now = {} if earlier is None else earlier.columns
        columns = {name: now.get(name, microdata.columns[name]) for name in wanted}
        living = self.households(recipe, metadata, {**microdata.columns, **now}, progress)
        source = PerturbationSource.of(replace(microdata, metadata=metadata), living)
        given = input_of(entry, columns, source, progress, before_recodes(recipe))
        return given, _of(columns, besides)


def _of(columns: Mapping[str, EncodedColumn], names: Sequence[str]) -> dict[str, EncodedColumn]:
    return {name: columns[name] for name in names}
