"""Columns after recoding, key variables made of them, and their labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..base.errors import Notice
from ..base.progress import Progress
from ..data.columns import EncodedColumn, Microdata
from ..data.household_types import Composition, household_types
from ..data.households import Households
from ..data.set_values import ValueSets, value_sets
from ..perturbation.done import PerturbedColumns
from ..recipe.model import HouseholdKey, MultiResponseKey, Recode
from ..recoding.labels import labels_with_notices
from ..recoding.labels_made import default_labels
from ..recoding.recode import recode
from ..recoding.recoding import Recoding
from ..results.households import variable_of
from ..results.known_keys import sets_known, told_with_keys
from ..results.results import RecodedData
from .households import HOUSEHOLD_KEY
from .perturbed import column_before, households_before
from .stage import Dependency, Facts, Given, Pipeline, Request, stage


def _sources(facts: Facts, name: str) -> Iterator[Request[Any]]:
    spec = next((spec for spec in facts.recipe.derived if spec.name == name), None)
    if isinstance(spec, MultiResponseKey):
        yield VALUE_SETS(spec)
    elif spec is None:
        yield column_before(facts, name)
    else:
        yield HOUSEHOLD_TYPES(spec) if spec.members else HOUSEHOLD_KEY(spec)
    if facts.rows is not None:
        yield households_before(facts)


COLUMN: Dependency[[str], EncodedColumn] = Dependency(
    "column before recoding", reads=lambda facts, _name: facts.rows, needs=_sources
)
"""A variable, declared or derived, before it is itself recoded."""


def _recode_of(facts: Facts, name: str) -> Recode | None:
    return next((spec for spec in facts.recipe.recodes if spec.variable == name), None)


def _scheme(facts: Facts, name: str) -> tuple[Path | None, ...]:
    spec = _recode_of(facts, name)
    return () if spec is None else (spec.scheme_file,)


@stage(
    "recode",
    reads=lambda facts, name: (_recode_of(facts, name), variable_of(facts.recipe, facts.metadata, name)),
    needs=lambda _facts, name: (COLUMN(name),),
    files=_scheme,
)
def RECODING(given: Given, name: str) -> Recoding:
    """A variable recoded as the recipe says."""
    spec = _recode_of(given.facts, name)
    assert spec is not None
    return recode(given.get(COLUMN(name)), spec, variable_of(given.recipe, given.metadata, name))


RECODED: Dependency[[str], EncodedColumn] = Dependency(
    "recoded column",
    needs=lambda facts, name: (COLUMN(name) if _recode_of(facts, name) is None else RECODING(name),),
)
"""A variable after recoding, recoded or not."""
UNRECODED: Dependency[[str], EncodedColumn] = Dependency(RECODED.name, needs=lambda _facts, name: (COLUMN(name),))
"""The same, its recode thought away: its key is what that of `RECODED` was before it was recoded."""


@stage("sets", needs=lambda _facts, spec: map(RECODED, spec.sources))
def VALUE_SETS(given: Given, spec: MultiResponseKey) -> ValueSets:
    """The key that several columns make."""
    columns = [given.get(RECODED(name)) for name in spec.sources]
    return value_sets(spec.name, columns, spec.separator, given.progress)


@stage(
    "household types",
    needs=lambda facts, spec: (households_before(facts), *map(RECODED, spec.sources)),
)
def HOUSEHOLD_TYPES(given: Given, spec: HouseholdKey) -> Composition:
    """The type of each record's household by values of its members."""
    members = [given.get(RECODED(name)) for name in spec.sources]
    return household_types(spec.name, given.get(households_before(given.facts)), members, given.progress)


def _labelled(facts: Facts, _names: tuple[str, ...]) -> tuple[object, ...]:
    return tuple((v.name, v.missing, v.missing_ranges, v.labels, v.codelist) for v in facts.metadata.variables)


@stage(
    "labels",
    reads=_labelled,
    needs=lambda _facts, names: (*map(RECODING, names), *map(COLUMN, names)),
    files=lambda facts, _names: (v.codelist for v in facts.metadata.variables),
)
def LABELS(given: Given, names: tuple[str, ...]) -> tuple[dict[str, dict[str, str]], tuple[Notice, ...]]:
    """Labels of codes after the recodes of some variables, by variable, and what is to be said of them."""
    recodings = {name: given.get(RECODING(name)) for name in names}
    given.pipeline.inputs.check_unchanged(*(each.codelist for each in recodings.values()))
    return labels_with_notices(given.metadata, recodings, {name: given.get(COLUMN(name)) for name in names})


def _codes_known(
    facts: Facts, _links: object, own: tuple[str, ...], _known: tuple[tuple[str, ...], ...]
) -> tuple[object, ...]:
    return tuple(spec for spec in facts.recipe.numeric if spec.variable in own)


def _known_together(
    facts: Facts, _links: object, own: tuple[str, ...], known: tuple[tuple[str, ...], ...]
) -> Iterator[Request[Any]]:
    recoded = {spec.variable for spec in facts.recipe.recodes}
    yield from (RECODED(name) for names in known for name in names)
    yield from (RECODED(name) for name in own if name in recoded)


@stage("told with keys", reads=_codes_known, needs=_known_together)
def TOLD_WITH_KEYS(
    given: Given, links: object, _own: tuple[str, ...], known: tuple[tuple[str, ...], ...]
) -> dict[str, Any]:
    """What the released codes of the perturbation with some `links` tell whoever knows one of the sets `known`."""
    perturbed = given.derived.perturbed
    assert perturbed is not None
    done = next(each for each in perturbed.done if each.links is links)
    return told_with_keys(done, given.derived, known, given.progress)


def recoded(
    pipeline: Pipeline, facts: Facts, microdata: Microdata, households: Households | None,
    perturbed: PerturbedColumns | None, progress: Progress,
) -> tuple[RecodedData, tuple[Notice, ...]]:  # fmt: skip
    """The columns of `microdata` after the recodes, with keys made of them; and what is to be said of labels."""
    recipe, metadata = facts.recipe, facts.metadata
    at_hand: dict[Request[Any], Any] = {COLUMN(name): column for name, column in microdata.columns.items()}
    if households is not None:
        at_hand[households_before(facts)] = households
    recodings = _recodings(pipeline, facts, microdata, progress, at_hand)
    made: dict[str, Composition | ValueSets] = {}
    specs = [spec for spec in recipe.derived if spec.sources]
    if specs:
        at_hand |= {RECODED(name): column for name, column in microdata.columns.items()}
        at_hand |= {RECODED(name): done.column for name, done in recodings.items()}
    for spec in specs:
        if isinstance(spec, MultiResponseKey):
            made[spec.name] = pipeline.get(VALUE_SETS(spec), facts, progress, at_hand)
        elif households is not None:
            made[spec.name] = pipeline.get(HOUSEHOLD_TYPES(spec), facts, progress, at_hand)
    if made:
        own = {name: each.column for name, each in made.items()}
        microdata = replace(microdata, columns={**microdata.columns, **own})
        at_hand |= {COLUMN(name): column for name, column in own.items()}
        recodings = _recodings(pipeline, facts, microdata, progress, at_hand)
    columns = {**microdata.columns, **{name: done.column for name, done in recodings.items()}}
    at_hand |= {RECODING(name): done for name, done in recodings.items()}
    labels, said = pipeline.get(LABELS(tuple(recodings)), facts, progress, at_hand)
    contents = {
        spec.name: made[spec.name].labels([columns[name] for name in spec.sources], labels)
        for spec in recipe.derived
        if spec.name in made
    }
    labels = {**labels, **_labels_of_derived(made, recodings, contents)}
    found = RecodedData(
        recipe, metadata, microdata, recodings, columns, labels, households,
        labels_of_derived=contents, perturbed=perturbed,
    )  # fmt: skip
    return replace(found, perturbed=_told_with_keys(pipeline, found, progress)), said


def _recodings(
    pipeline: Pipeline, facts: Facts, microdata: Microdata, progress: Progress, at_hand: Mapping[Request[Any], Any]
) -> dict[str, Recoding]:
    """The recodes by variable; not of household types whose members' values are recoded before they are made."""
    names = (spec.variable for spec in facts.recipe.recodes if spec.variable in microdata.columns)
    return {name: pipeline.get(RECODING(name), facts, progress, at_hand) for name in names}


def _labels_of_derived(
    made: Mapping[str, Composition | ValueSets],
    recodings: Mapping[str, Recoding],
    labels: Mapping[str, dict[str, str]],
) -> dict[str, dict[str, str]]:
    """What sets and households of each type consist of (`labels`); of what is recoded, as recodes label others."""
    found = dict(labels)
    for name in labels.keys() & recodings.keys():
        kept = {code: label for code, label in labels[name].items() if code in recodings[name].column.codes}
        found[name] = kept | default_labels(made[name].column, recodings[name], labels[name])
    return found


def _told_with_keys(pipeline: Pipeline, derived: RecodedData, progress: Progress) -> PerturbedColumns | None:
    """What was perturbed, with what its released codes tell whoever knows the keys."""
    perturbed = derived.perturbed
    if perturbed is None or all(done.links is None for done in perturbed.done):
        return perturbed
    known = sets_known(derived)
    own = tuple(sorted({name for each in perturbed.done for name in each.variables}))
    done = tuple(
        each if each.links is None else replace(
            each, with_keys=pipeline.get(TOLD_WITH_KEYS(each.links, own, known), derived, progress)
        )
        for each in perturbed.done
    )  # fmt: skip
    return replace(perturbed, done=done)
