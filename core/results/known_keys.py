"""What the released codes of a perturbation tell, once they are recoded and to whoever knows the recipe's keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.progress import Progress
from ..perturbation.done import PerturbationDone
from ..perturbation.links import true_given_known
from ..perturbation.registry import parameters_used
from ..perturbation.strata import strata_of
from ..recipe.set_keys import columns_of
from .perturbed_columns import names_of_perturbed
from .recoded_codes import recoded_codes
from .results import RecodedData

SLACK = 1e-9
"""`core.perturbation.pram_matrix` reaches a wanted probability to so much."""


def sets_known(prepared: RecodedData) -> tuple[tuple[str, ...], ...]:
    """Keys that somebody may know together: those of each combination without what is perturbed, each set once."""
    perturbed = names_of_perturbed(prepared.recipe, prepared.metadata)
    found = (
        tuple(name for name in columns_of(prepared.recipe, combination.variables)
              if name not in perturbed and name in prepared.columns)
        for combination in prepared.recipe.combinations
    )  # fmt: skip
    return tuple(dict.fromkeys(names for names in found if names))


def told_with_keys(
    done: PerturbationDone, prepared: RecodedData, known: Sequence[tuple[str, ...]], progress: Progress
) -> dict[str, Any]:
    """The largest P(true | released) once codes are recoded, and of whoever knows one of the sets `known`.

    With it the records above ``protect``. Keys and codes are as they are released, recoded.
    """
    if done.links is None or not len(done.links.records):
        return {}
    codes = recoded_codes(done, done.links, prepared)
    recoded = None if codes is None else codes.of_code
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
