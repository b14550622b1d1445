"""Perturbations before recodes and tables: each on what the one before left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import Progress
from ..data.columns import EncodedColumn, Microdata
from ..data.households import Households, households_of
from ..data.variables import Metadata
from ..perturbation.as_read import as_read
from ..perturbation.done import PerturbationDone, PerturbationStep, PerturbedColumns
from ..perturbation.method import PerturbationInput, Perturbed
from ..perturbation.numbers import numbers_of
from ..perturbation.registry import REGISTRY, before_recodes
from ..perturbation.strata import strata_of
from ..perturbation.values import digests_of, everybody_alone, in_order_of_records, in_order_of_values
from ..recipe.declared import variables_of
from ..recipe.model import Output, Perturbation, Recipe
from ..recoding.numerical import records_changed
from .drawing import noise_seed


@dataclass(frozen=True, eq=False)
class PerturbationSource:
    """What perturbations need of a file beside the columns that they are given.

    Attributes
    ----------
    households : None without an identifier
    weights : (n,) sampling weights; None where there are none
    """

    metadata: Metadata
    households: Households | None = None
    weights: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, microdata: Microdata, households: Households | None) -> PerturbationSource:
        """That of the file that `microdata` was read from."""
        weights = None if microdata.weights is None else microdata.weights.as_floats()
        return cls(microdata.metadata, households, weights)


def changed_by(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Names of the variables that `entry` changes."""
    return REGISTRY[entry.method].variables(entry, metadata)


def read_by(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Names of the variables that `entry` changes, and of all others that it names."""
    named = (name for _key, name in variables_of("perturbations", entry))
    return tuple(dict.fromkeys((*changed_by(entry, metadata), *named)))


def names_of_perturbed(recipe: Recipe, metadata: Metadata) -> tuple[str, ...]:
    """Names of the variables that are perturbed before recodes and tables."""
    return tuple(dict.fromkeys(name for entry in before_recodes(recipe) for name in changed_by(entry, metadata)))


def names_to_read(recipe: Recipe, metadata: Metadata) -> tuple[str, ...]:
    """Names of all variables that perturbations before recodes and tables need."""
    return tuple(dict.fromkeys(name for entry in before_recodes(recipe) for name in read_by(entry, metadata)))


def input_of(
    entry: Perturbation,
    columns: Mapping[str, EncodedColumn],
    source: PerturbationSource,
    progress: Progress,
    earlier: Sequence[Perturbation] = (),
) -> PerturbationInput:
    """What the method of `entry` is given; `columns`: those of `read_by`, as they are after `earlier` entries."""
    method, metadata = REGISTRY[entry.method], source.metadata
    names, used = changed_by(entry, metadata), method.DECLARATION.used(entry)
    every = {name: in_order_of_values(columns[name], metadata.decimal) for name in read_by(entry, metadata)}
    within = used.get("within", ())
    declared = method.DECLARATION
    shared = declared.of_households or declared.of_the_weight or any(_of_households(metadata, name) for name in names)
    living: NDArray[np.int64] | None = None
    if source.households is not None and shared and used.get("households", True):
        living = in_order_of_records(source.households.household_of_record)
    digest = digests_of(every, metadata.decimal)
    strata = strata_of([every[name] for name in within])
    if strata is not None:
        strata = in_order_of_records(strata)  # whatever variables part the records so

    def of_values(name: str) -> str:
        return digest([name]) if name in every else name

    return PerturbationInput(
        columns={name: every[name] for name in names},
        metadata=metadata,
        parameters=used,
        seed=partial(_seed, tuple(earlier), _data_of(entry, names, every, metadata, living, strata), of_values),
        progress=progress,
        entry=entry,
        others={name: column for name, column in every.items() if name not in names},
        strata=strata,
        households=living,
        weights=source.weights,
        digest=of_values,
    )


def identifier_changed(names: Iterable[str], metadata: Metadata) -> bool:
    """Whether the household identifier is among `names`: whoever changes it makes other households."""
    return metadata.household_id is not None and metadata.household_id.name in names


def _of_households(metadata: Metadata, name: str) -> bool:
    """Whether a change of the variable `name` needs to know who lives together."""
    return metadata[name].household or identifier_changed((name,), metadata)


def _data_of(
    entry: Perturbation,
    names: tuple[str, ...],
    columns: Mapping[str, EncodedColumn],
    metadata: Metadata,
    living: NDArray[np.int64] | None,
    strata: NDArray[np.int64] | None,
) -> Callable[[Perturbation], str]:
    """A function that gives the digest of all values from which the draws for a part of `entry` make something.

    The same values give the same draws, in whatever file; where any is another, all draws are: what is made of the same
    draws by another standard deviation, say, would together with the first give the value itself. Of variables that
    `entry` changes besides nothing follows, nor of weights, which no method that draws uses.
    """
    declared, anew = REGISTRY[entry.method].DECLARATION, identifier_changed(names, metadata)
    if living is not None and everybody_alone(living) and not anew:
        living = None  # one draw a household is one a record
    apart = anew or (declared.missing_apart and len(names) > 1)
    digest = digests_of(columns, metadata.decimal, living, strata, apart)
    digest_of_records = digest if living is None else digests_of(columns, metadata.decimal, None, strata, apart)
    whole = declared.of_households or anew
    changed = names
    # households are the same whatever identifies them
    names = tuple(name for name in names if not identifier_changed((name,), metadata))

    def data_of(spec: Perturbation) -> str:
        own = names if spec.variables == entry.variables else spec.variables
        shared = whole or any(metadata[name].household for name in own)
        said = dict(spec.parameters)
        said = dict(declared.plainly(spec.variables, said)) if declared.plainly is not None else said
        # strata count as what they part
        named = variables_of("perturbations", replace(spec, parameters=tuple(said.items())))
        read = {name for key, name in named if key != "within"}
        others = tuple(name for name in columns if name not in changed and name in read)
        return (digest if shared else digest_of_records)((*own, *others))

    return data_of


def _seed(
    earlier: tuple[Perturbation, ...],
    data_of: Callable[[Perturbation], str],
    of_values: Callable[[str], str],
    spec: Perturbation,
) -> tuple[int, ...]:
    """What the draws of `spec` follow from; where an earlier entry says the same, from how many do, too.

    The same draws once more would undo the first: who was swapped with a rank would be swapped back.
    """
    data = data_of(spec)
    found = noise_seed(Output(), spec, data, of_values)
    times = sum(
        noise_seed(Output(), replace(each, variables=spec.variables), data, of_values) == found
        for each in earlier
        if each.method == spec.method and set(spec.variables) <= set(each.variables)
    )
    return (*found, times) if times else found


def perturbation_step(
    entry: Perturbation,
    columns: Mapping[str, EncodedColumn],
    source: PerturbationSource,
    progress: Progress,
    earlier: Sequence[Perturbation] = (),
) -> PerturbationStep:
    """Carry out one perturbation after `earlier` ones.

    Raises
    ------
    DataError
        A value that the method cannot take, or one that does not fit its field afterwards, naming the variable.
    RecipeError
        Parameters that cannot be met with these data.
    """
    return step_of(entry, input_of(entry, columns, source, progress, earlier))


def step_of(entry: Perturbation, given: PerturbationInput) -> PerturbationStep:
    """Carry out `entry` on what it is given; refuses as `perturbation_step` does."""
    made = REGISTRY[entry.method].perturb(given)
    after = {name: as_read(made.columns[name], before, given.metadata) for name, before in given.columns.items()}
    # the numbers of new households are no values
    values = {name: c for name, c in given.columns.items() if not identifier_changed((name,), given.metadata)}
    changed = {name: _changed(before, after[name], given.metadata) for name, before in values.items()}
    there = {name: int(before.counts[: before.n_valid].sum()) for name, before in values.items()}
    unchanged = {name: (there[name] - changed[name], there[name]) for name in changed}
    return PerturbationStep(
        after,
        PerturbationDone(
            entry, tuple(given.columns), sum(changed.values()), made.invariants, made.published, unchanged, made.links
        ),
    )


def _changed(before: EncodedColumn, after: EncodedColumn, metadata: Metadata) -> int:
    """Records with another code in `after`; of numbers with another number, as 5 and 5.00 are none."""
    variable = metadata[before.name]
    if variable.numeric or not variable.categorical:
        try:
            old, new = (numbers_of(column, metadata.decimal) for column in (before, after))
        except DataError:
            return records_changed(before, after)
        return int((~(np.isnan(old) | (old == new))).sum())
    return records_changed(before, after)


def all_steps(
    recipe: Recipe, columns: Mapping[str, EncodedColumn], source: PerturbationSource, progress: Progress
) -> tuple[PerturbedColumns, list[tuple[PerturbationInput, Perturbed]]]:
    """All perturbations before recodes of `columns`, those of `names_to_read`; with what each was given and gave."""
    now, done, told = dict(columns), [], []
    entries = before_recodes(recipe)
    for number, entry in enumerate(entries):
        given = input_of(entry, now, source, progress, entries[:number])
        step = perturbation_step(entry, now, source, progress, entries[:number])
        told.append((given, Perturbed(step.columns, step.done.invariants, step.done.published)))
        now |= step.columns
        done.append(step.done)
        identifier = source.metadata.household_id
        if identifier is not None and identifier.name in step.columns:
            living = households_of(now[identifier.name], recipe.households, progress)
            source = replace(source, households=living)
    names = names_of_perturbed(recipe, source.metadata)
    before, after = ({name: each[name] for name in names} for each in (columns, now))
    return PerturbedColumns(before, after, tuple(done)), told


def in_order(
    entries: Sequence[Perturbation], early: Sequence[PerturbationDone], late: Sequence[PerturbationDone]
) -> tuple[PerturbationDone, ...]:
    """What was done of `entries`, all of a recipe, in their order: `early` before recodes, `late` at writing."""
    waiting = {False: iter(early), True: iter(late)}
    return tuple(next(waiting[REGISTRY[entry.method].DECLARATION.at_writing]) for entry in entries)
