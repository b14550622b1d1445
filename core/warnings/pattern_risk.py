"""A warning of what the mode does not judge: the risk seen by somebody who knows that a blank is a suppression."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.errors import Notice
from ..base.one_in import tries
from ..base.texts import plural
from ..check.judged import TableVerification
from ..recipe.model import Recipe

ABOVE = "group-risk-above-threshold"


def group_risks(recipe: Recipe, found: Sequence[TableVerification]) -> Iterator[Notice]:
    """One warning for each combination of which records are at or above the threshold by their group risk.

    Parameters
    ----------
    found : by combination, what the check of the written file found; empty where none was written
    """
    for combination, state in zip(recipe.combinations, found, strict=False):
        if not state.group_unsafe or state.group_max is None:
            continue
        text = plural(
            state.group_unsafe,
            "For somebody who reasons from the blanks themselves, {unsafe} record of {combination} is at or above the "
            "threshold; its risk is 1 in {tries} by that measure. The mode that judges by what is released, or "
            "closing the gaps, protects against that.",
            "For somebody who reasons from the blanks themselves, {unsafe} records of {combination} are at or above "
            "the threshold; the largest risk is 1 in {tries} by that measure. The mode that judges by what is "
            "released, or closing the gaps, protects against that.",
        )
        names = " x ".join(combination.variables)
        yield Notice.of(ABOVE, text, unsafe=state.group_unsafe, combination=names, tries=tries(state.group_max))
