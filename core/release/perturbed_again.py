"""The check of what was perturbed: done once more from recipe, seed and original file, which is read anew."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..data.encoding_many_codes import as_bytes
from ..data.households import households_of
from ..formats.registry import read_again
from ..perturbation.done import PerturbedColumns
from ..perturbation.method import broken_promises
from ..perturbation.registry import REGISTRY
from ..results.households import with_identifier
from ..results.numeric import as_codes
from ..results.perturbed_columns import PerturbationSource, all_steps, names_to_read
from ..results.results import RecodedData


def not_as_perturbed(derived: RecodedData, progress: Progress = SILENT) -> Iterator[Notice]:
    """What of the perturbed columns in `derived` is not what the recipe says, or breaks what its method promises.

    That the safe file has the columns of `derived`, recoded and suppressed, is seen when it is read back.

    Raises
    ------
    DataError
        The original has changed since it was read.
    """
    kept, metadata = derived.perturbed, derived.metadata
    if kept is None:
        return
    names = names_to_read(derived.recipe, metadata)
    wanted = with_identifier(names, metadata)
    described = as_codes(metadata, list(names))
    fresh = read_again(derived.microdata.source, described, _with_weight(wanted, derived), progress)
    identifier = metadata.household_id
    living = None
    if identifier is not None:
        living = households_of(fresh.columns[identifier.name], derived.recipe.households, progress)
    weights = None if fresh.weights is None else fresh.weights.as_floats()
    source = PerturbationSource(metadata, living, weights)
    again, steps = all_steps(derived.recipe, fresh.columns, source, progress)
    yield from _differences(kept, again)
    for given, made in steps:
        progress.check()
        assert given.entry is not None
        yield from broken_promises(REGISTRY[given.entry.method], given, made)


def _with_weight(names: tuple[str, ...], derived: RecodedData) -> tuple[str, ...]:
    weight = derived.metadata.weight
    return names if weight is None else tuple(dict.fromkeys((*names, weight.name)))


def _differences(kept: PerturbedColumns, again: PerturbedColumns) -> Iterator[Notice]:
    for name, column in again.columns.items():
        records = _other_texts(kept.columns[name], column)
        if records:
            yield Notice.of(
                "perturbation-differs",
                mark("{records} values of {variable} are not those that the recipe's perturbations give."),
                where=name,
                records=records,
                variable=name,
            )
    for number, (one, other) in enumerate(zip(kept.done, again.done, strict=True), 1):
        if (one.changed, dict(one.invariants), one.published) != (
            other.changed,
            dict(other.invariants),
            other.published,
        ):
            yield Notice.of(
                "perturbation-told-wrongly",
                mark("What is told of the perturbation {number}, {method}, is not what came of it."),
                number=number,
                method=one.entry.method,
            )


def _other_texts(one: EncodedColumn, other: EncodedColumn) -> int:
    """Records with another text, or missing in one column only."""
    absent = (one.values >= one.n_valid) != (other.values >= other.n_valid)
    plain = as_bytes(one.codes), as_bytes(other.codes)
    if plain[0] is not None and plain[1] is not None:
        return int(((plain[0][one.values] != plain[1][other.values]) | absent).sum())
    old, new = (np.array(each.codes, dtype=object)[each.values] for each in (one, other))
    return int(((old != new) | absent).sum())
