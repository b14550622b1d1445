"""The original beside the released variables."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ..base.progress import Progress
from ..data.columns import EncodedColumn
from ..results.numeric import as_codes, modified_columns
from ..results.results import Protection
from ..suppression.plan import Plan
from ..utility.compared import ComparedFile
from ..whatif.utility import compared_file
from .columns import WEIGHTS
from .perturbed import households_before
from .recodes import RECODED
from .stage import Dependency, Facts, Given, Pipeline, Request, stage


def _decided(facts: Facts, *_parameters: Any) -> tuple[Hashable, ...]:
    recipe = facts.recipe
    decided = recipe.numeric, recipe.perturbations, recipe.suppression, recipe.combinations, recipe.output
    return facts.metadata, facts.place, decided


PROTECTION: Dependency[[], Protection] = Dependency("protection")
MODIFIED: Dependency[[], Mapping[str, EncodedColumn]] = Dependency("modified numbers")
"""At hand where the file is written; they follow from the plan and from what is decided."""


@stage(
    "compared",
    reads=_decided,
    needs=lambda facts, _plan, _names, columns: (
        PROTECTION(), MODIFIED(), *map(RECODED, columns), households_before(facts), WEIGHTS()
    ),
)  # fmt: skip
def COMPARED(given: Given, plan: Plan, names: tuple[str, ...], _columns: tuple[str, ...]) -> ComparedFile:
    """Some variables of the original, recoded alike, beside those that a plan releases."""
    protection, modified = given.get(PROTECTION()), given.at_hand.get(MODIFIED())
    recipe, metadata = given.recipe, given.metadata

    def read(lacking: Sequence[str], told: Progress) -> Mapping[str, EncodedColumn]:
        described = as_codes(metadata, list(lacking))
        return given.pipeline.columns.microdata(recipe.input, described, lacking, told).columns if lacking else {}

    if modified is None:
        modified = modified_columns(given.results, plan.suppressed, given.progress).columns
    return compared_file(protection, names, modified, read, given.progress)


def compared_of(
    pipeline: Pipeline, protection: Protection, names: Sequence[str], progress: Progress,
    modified: Mapping[str, EncodedColumn] | None,
) -> ComparedFile:  # fmt: skip
    """The variables `names` of the original beside those that `protection` releases; see `Session.compared_file`."""
    derived = protection.derived
    at_hand: dict[Request[Any], Any] = {PROTECTION(): protection}
    if modified is not None:
        at_hand[MODIFIED()] = modified
    return pipeline.get(COMPARED(protection.plan, tuple(names), tuple(derived.columns)), derived, progress, at_hand)
