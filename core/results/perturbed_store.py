"""Columns of a file after the perturbations before recodes, kept by what decides them; others as they were read."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from ..base.progress import Progress
from ..data.columns import EncodedColumn, Microdata
from ..data.households import HouseholdRows, Households, households_of
from ..data.variables import Metadata
from ..perturbation.done import PerturbationStep, PerturbedColumns
from ..perturbation.method import PerturbationInput
from ..perturbation.registry import before_recodes
from ..recipe.model import Perturbation, Recipe
from .cache import Cache
from .column_store import ColumnStore
from .households import with_identifier
from .numeric import as_codes
from .perturbed_columns import (
    PerturbationSource,
    changed_by,
    input_of,
    names_of_perturbed,
    names_to_read,
    perturbation_step,
    read_by,
)


class PerturbedStore:
    """Columns as everything after the perturbations finds them.

    Parameters
    ----------
    staying : whether what was perturbed stays for good, whatever memory it takes
    """

    def __init__(self, cache: Cache, columns: ColumnStore, staying: bool = False) -> None:
        self._cache = cache
        self._columns = columns
        self._staying = staying

    def key(self, recipe: Recipe, metadata: Metadata, name: str) -> Hashable:
        """All that the column `name` depends on, perturbed or not, before it is recoded."""
        return self._key(recipe, metadata, name, len(recipe.perturbations))

    def households_key(self, recipe: Recipe, metadata: Metadata, before: int | None = None) -> Hashable:
        """All that the households depend on; `before`: as they are before the perturbation of that place."""
        identifier = metadata.household_id
        if identifier is None:
            return "households", None, recipe.households
        place = len(recipe.perturbations) if before is None else before
        column = self._key(recipe, metadata, identifier.name, place)
        return "households", column, recipe.households

    def households(
        self, recipe: Recipe, metadata: Metadata, columns: Mapping[str, EncodedColumn], progress: Progress,
        before: int | None = None,
    ) -> Households | None:  # fmt: skip
        """The households, by the identifier that is among `columns`; None without one.

        Parameters
        ----------
        before : the columns are those before the perturbation of that place; None: after all
        """
        identifier = metadata.household_id
        if identifier is None:
            return None
        column, key = columns[identifier.name], self.households_key(recipe, metadata, before)
        if isinstance(column, HouseholdRows):
            return column.households
        return self._cache.made(key, lambda: households_of(column, recipe.households, progress))

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
        found = self._columns.microdata(recipe.input, described, names, progress, passing)
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
        microdata = self._columns.microdata(recipe.input, described, names, progress)
        original = {name: microdata.columns[name] for name in wanted}
        now, done = dict(original), []
        for number, entry in enumerate(entries):
            key = self._step_key(recipe, metadata, number)
            step: PerturbationStep | None = self._cache.get(key)
            if step is None:
                living = self.households(recipe, metadata, {**microdata.columns, **now}, progress, number)
                source = PerturbationSource.of(replace(microdata, metadata=metadata), living)
                made = perturbation_step(entry, now, source, progress, entries[:number])
                step = self._cache.put(key, made, self._staying)
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
        microdata = self._columns.microdata(recipe.input, described, names, progress)
        now = {} if earlier is None else earlier.columns
        columns = {name: now.get(name, microdata.columns[name]) for name in wanted}
        living = self.households(recipe, metadata, {**microdata.columns, **now}, progress)
        source = PerturbationSource.of(replace(microdata, metadata=metadata), living)
        given = input_of(entry, columns, source, progress, before_recodes(recipe))
        return given, _of(columns, besides)

    def _key(self, recipe: Recipe, metadata: Metadata, name: str, before: int) -> Hashable:
        """All that the column `name` depends on before the perturbation of place `before`."""
        entries = before_recodes(recipe)[:before]
        last = next((i for i, entry in reversed([*enumerate(entries)]) if name in changed_by(entry, metadata)), None)
        if last is None:
            return self._columns.key(recipe.input, metadata, name)
        return "perturbed", name, metadata[name].categorical, self._step_key(recipe, metadata, last)

    def _step_key(self, recipe: Recipe, metadata: Metadata, number: int) -> Hashable:
        """All that one perturbation depends on."""
        entry = before_recodes(recipe)[number]
        names = read_by(entry, metadata)
        described = as_codes(metadata, list(names))
        columns = tuple(self._key(recipe, described, name, number) for name in names)
        own = tuple(replace(metadata[name], decision=None, decided_by="", reason="") for name in names)
        weight = metadata.weight
        return (
            "perturbation",
            entry,
            columns,
            own,
            self.households_key(recipe, metadata, number),
            None if weight is None else self._columns.key(recipe.input, metadata, weight.name),
        )


def _of(columns: Mapping[str, EncodedColumn], names: Sequence[str]) -> dict[str, EncodedColumn]:
    return {name: columns[name] for name in names}
