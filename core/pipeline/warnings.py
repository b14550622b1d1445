"""Warnings about a plan that take a pass over the file."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ..base.errors import Notice
from ..suppression.plan import Plan
from ..warnings.given_away import given_away_by_others
from ..warnings.told_of_perturbed import told_of_perturbed
from .columns import WEIGHTS
from .perturbed import households_before
from .recodes import RECODED
from .stage import Facts, Given, Request, stage


def _needs(facts: Facts, names: tuple[str, ...], *_others: Any) -> Iterator[Request[Any]]:
    yield from map(RECODED, names)
    yield households_before(facts)
    yield WEIGHTS()


def _released(facts: Facts, *_parameters: Any) -> tuple[Hashable, ...]:
    recipe = facts.recipe
    output = replace(recipe.output, report=None, summary=None, records=None)
    keys = tuple(combination.variables for combination in recipe.combinations)
    return facts.metadata, facts.place, keys, recipe.numeric, recipe.perturbations, output


@stage("given away", reads=_released, needs=_needs)
def GIVEN_AWAY(given: Given, _names: tuple[str, ...], plan: Plan) -> tuple[Notice, ...]:
    """What other released variables tell of suppressed values; the columns at hand are `names`."""
    derived = given.results
    read = partial(given.pipeline.codes, derived, given.progress)
    return tuple(given_away_by_others(derived, plan, read, given.progress))


@stage(
    "told of perturbed",
    reads=lambda facts, _names: (
        facts.metadata, facts.place, facts.recipe.perturbations, facts.recipe.output.household_id
    ),
    needs=_needs,
)  # fmt: skip
def TOLD_OF_PERTURBED(given: Given, _names: tuple[str, ...]) -> tuple[Notice, ...]:
    """What released variables tell of those that are perturbed; the columns at hand are `names`."""
    derived = given.results
    read = partial(given.pipeline.codes, derived, given.progress)
    return tuple(told_of_perturbed(derived, read, given.progress))
