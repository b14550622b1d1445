"""Households, and key variables that follow from them alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..base.errors import Notice
from ..base.progress import Progress
from ..data.columns import EncodedColumn, Microdata
from ..data.households import Households, Varying, constant, undeclared_notices, varying, varying_notices
from ..recipe.model import HouseholdKey, Recipe
from ..recipe.set_keys import columns_of
from ..results.households import derived_column, members_apart, together_all_the_same, with_derived
from ..suppression.problem import Rules
from .perturbed import column_before, households_before
from .stage import Facts, Given, Pipeline, Request, stage


@stage("household key", needs=lambda facts, _spec: (households_before(facts),))
def HOUSEHOLD_KEY(given: Given, spec: HouseholdKey) -> EncodedColumn:
    """Size or type of each record's household."""
    return derived_column(spec, given.get(households_before(given.facts)))


def _columns_in_households(facts: Facts, names: Iterable[str]) -> Iterator[Request[Any]]:
    yield households_before(facts)
    for name in names:
        yield column_before(facts, name)


def _columns_of(given: Given, names: Iterable[str]) -> dict[str, EncodedColumn]:
    return {name: given.get(column_before(given.facts, name)) for name in names}


@stage("varying", needs=_columns_in_households)
def VARYING(given: Given, names: tuple[str, ...]) -> tuple[Varying, ...]:
    """Which of these variables vary within households."""
    return varying(given.get(households_before(given.facts)), _columns_of(given, names), given.progress)


@stage("undeclared", needs=_columns_in_households)
def UNDECLARED(given: Given, names: tuple[str, ...]) -> tuple[str, ...]:
    """Which of these variables have one value a household."""
    return constant(given.get(households_before(given.facts)), _columns_of(given, names), given.progress)


def with_households(
    pipeline: Pipeline, facts: Facts, microdata: Microdata, households: Households, names: Sequence[str],
    progress: Progress,
) -> Microdata:  # fmt: skip
    """`microdata` with the keys that follow from the households, and without an identifier that is not in `names`.

    Types by members' values are left out: what they are made of is recoded first.
    """
    identifier = facts.metadata.household_id
    assert identifier is not None, "by it there are households"
    at_hand = {households_before(facts): households}
    derived = {
        spec.name: pipeline.get(HOUSEHOLD_KEY(spec), facts, progress, at_hand)
        for spec in facts.recipe.household_keys
        if not spec.members
    }
    return with_derived(microdata, derived, identifier.name, names)


def notices_of_households(
    pipeline: Pipeline, facts: Facts, microdata: Microdata, households: Households | None, progress: Progress
) -> tuple[Notice, ...]:
    """What is to be said about the households, and about variables that vary within them or never do."""
    if households is None:
        return ()
    at_hand: dict[Request[Any], Any] = {
        column_before(facts, name): column for name, column in microdata.columns.items() if name in facts.metadata
    }
    at_hand[households_before(facts)] = households
    names = tuple(v.name for v in facts.metadata.variables if v.household and v.name in microdata.columns)
    found = pipeline.get(VARYING(names), facts, progress, at_hand)
    free = _undeclared(facts, microdata.columns)
    suggested: Iterator[Notice] = iter(())
    if free is not None:
        suggested = undeclared_notices(pipeline.get(UNDECLARED(free), facts, progress, at_hand))
    together = together_all_the_same(facts.recipe, households)
    return (*households.notices, *varying_notices(found), *suggested, *together)


def _undeclared(facts: Facts, columns: Mapping[str, EncodedColumn]) -> tuple[str, ...] | None:
    """Variables that may be suppressed and are not declared those of a household; None: nothing is said of them."""
    recipe: Recipe = facts.recipe
    metadata = facts.metadata
    if members_apart(recipe):
        return None
    keys = (name for combination in recipe.combinations for name in combination.variables)
    used = {name for name in columns_of(recipe, keys) if name in metadata}
    rules = Rules.of(metadata)
    suppressed = {name for key in used for name in rules.closure(key)} - rules.fixed
    free = (v.name for v in metadata.variables if v.name in suppressed and v.role == "other" and not v.household)
    return tuple(name for name in free if name in columns)
