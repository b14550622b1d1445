"""What the released codes of a perturbation tell, once they are recoded and to whoever knows the recipe's keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.progress import Progress
from core.perturbation.done import PerturbationDone
from core.perturbation.links import Links, true_given_known
from core.perturbation.registry import parameters_used
from core.perturbation.strata import strata_of
from core.recipe.set_keys import columns_of
from core.recoding.recode import recode
from core.results.perturbed_columns import names_of_perturbed
from core.results.results import PreparedData

SLACK = 1e-9
"""`core.perturbation.pram_matrix` reaches a wanted probability to so much."""


def sets_known(prepared: PreparedData) -> tuple[tuple[str, ...], ...]:
    """Keys that somebody may know together: those of each combination without what is perturbed, each set once."""
    perturbed = names_of_perturbed(prepared.recipe, prepared.metadata)
    found = (
        tuple(name for name in columns_of(prepared.recipe, combination.variables)
              if name not in perturbed and name in prepared.columns)
        for combination in prepared.recipe.combinations
    )  # fmt: skip
    return tuple(dict.fromkeys(names for names in found if names))


def told_with_keys(
    done: PerturbationDone, prepared: PreparedData, known: Sequence[tuple[str, ...]], progress: Progress
) -> dict[str, Any]:
    """The largest P(true | released) once codes are recoded, and of whoever knows one of the sets `known`.

    With it the records above ``protect``. Keys and codes are as they are released, recoded.
    """
    if done.links is None or not len(done.links.records):
        return {}
    recoded = _recoded(done, done.links, prepared)
    figures: dict[str, Any] = {}
    if recoded is not None:
        told = true_given_known(done.links, np.zeros(prepared.records, np.int64), recoded)
        figures["largest_true_of_recoded_codes"] = float(told[recoded[done.links.after] >= 0].max(initial=0.0))
    if not known:
        return figures
    protect = parameters_used(done.entry).get("protect")
    largest, above = 0.0, np.zeros(len(done.links.records), np.bool_)
    for names in known:
        progress.check()
        parts = strata_of([prepared.columns[name] for name in names])
        assert parts is not None
        told = true_given_known(done.links, parts, recoded)
        if recoded is not None:
            told[recoded[done.links.after] < 0] = 0.0
        largest = max(largest, float(told.max()))
        if protect is not None:
            above |= told > protect + SLACK
    figures["largest_true_given_released_and_keys"] = largest
    return figures if protect is None else figures | {"records_above_protect_given_keys": int(above.sum())}


def _recoded(done: PerturbationDone, links: Links, prepared: PreparedData) -> NDArray[np.int64] | None:
    """(codes,) what each code of `done` is recoded to afterwards, several variables together; -1: all to missing.

    None where nothing is, and where other perturbations change the variables, too: of their codes no link is known.
    """
    specs = {spec.variable: spec for spec in prepared.recipe.recodes}
    perturbed = prepared.perturbed
    if perturbed is None or not specs.keys() & set(done.variables):
        return None
    if any(set(done.variables) & set(each.variables) for each in perturbed.done if each.entry is not done.entry):
        return None
    columns = [
        recode(column, specs[column.name], prepared.metadata[column.name]).column if column.name in specs else column
        for column in (perturbed.before[name] for name in done.variables)
    ]
    after = strata_of(columns)
    assert after is not None
    after[np.logical_and.reduce([column.values >= column.n_valid for column in columns])] = -1
    codes, first = np.unique(links.before, return_index=True)
    found = np.zeros(int(codes.max()) + 1, np.int64)
    found[codes] = after[links.records[first]]
    return found
