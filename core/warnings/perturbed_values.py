"""What has to be said of what perturbations made: values that are as they were, or that the file still tells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..perturbation.done import PerturbationDone
from ..perturbation.numbers import numbers_of
from ..perturbation.pram import RARE
from ..perturbation.registry import REGISTRY
from ..results.households import members_apart
from ..results.known_keys import SLACK
from ..results.perturbed_columns import identifier_changed
from ..results.results import RecodedData

LEFT_VALUES = "perturbation-left-values"
ORDER = "perturbed-order"
BY_PERSON = "perturbed-by-person"
COUNTS_TOLD = "pram-tells-counts"
STAYED = "record-swapping-stayed"
WITH_KEYS = "pram-tells-with-keys"
RECODED = "pram-tells-recoded"
OF_THE_HOUSE = (LEFT_VALUES, ORDER, BY_PERSON, STAYED, COUNTS_TOLD, WITH_KEYS, RECODED)
"""Warnings that would tell outsiders where to look."""

_MOST_LEFT = 0.5
"""Of numbers, all of which are to be changed, a larger share that stays is said."""
_SORTED = 0.95
"""Share of neighbouring records with different values that go the same way, from which on a file is sorted."""
_RUNS = 0.1
"""Runs of equal codes as a share of those that a random order has, below which a file stands in blocks."""
_ALIKE = 0.95
"""Share of households whose members all have one value, from which on it is one of the household."""
_FEW = 20
"""Fewer neighbours or households than these say nothing."""


def of_perturbed_values(derived: RecodedData) -> Iterator[Notice]:
    """Variables that are mostly as they were, that the order of records tells, or that members of a household tell."""
    if derived.perturbed is None:
        return
    for done in derived.perturbed.done:
        yield from left_values(done, derived.metadata)
        yield from _stayed(done)
        yield from _counts_told(done)
        yield from _told_recoded(done)
        yield from _told_with_keys(done)
    together = None if members_apart(derived.recipe) else derived.households
    whole = {
        name
        for done in derived.perturbed.done
        if REGISTRY[done.entry.method].DECLARATION.of_households or identifier_changed(done.variables, derived.metadata)
        for name in done.variables
    }
    for name, before in derived.perturbed.before.items():
        if identifier_changed((name,), derived.metadata):
            continue
        if not derived.recipe.output.shuffle and told_by_order(before, values_of(before, derived.metadata)):
            yield Notice.of(
                ORDER,
                mark(
                    "The file is in the order of {variable}, which is perturbed: a record's place tells about its true "
                    "value. Let the safe file be in random order (shuffle)."
                ),
                where=name,
                variable=name,
            )
        shared = derived.metadata[name].household or name in whole
        if together is not None and not shared and _of_households(before, together.household_of_record):
            yield Notice.of(
                BY_PERSON,
                mark(
                    "{variable} is the same for all members of nearly every household, but each member gets a draw of "
                    "its own: together they tell the true value. Say in Specify Metadata that it is a household "
                    "variable."
                ),
                where=name,
                variable=name,
            )


def left_values(done: PerturbationDone, metadata: Metadata) -> Iterator[Notice]:
    """Variables that are as they were, or numbers more than half of which are."""
    declared = REGISTRY[done.entry.method].DECLARATION
    for name, (same, there) in done.unchanged.items():
        variable = metadata[name]
        numbers = variable.numeric or variable.role == "weight"
        all_change = numbers and not (declared.unjudged or declared.of_households)
        if not there or same < there * (_MOST_LEFT if all_change else 1):
            continue
        yield Notice.of(
            LEFT_VALUES,
            mark(
                "{method} left {same} of {there} values of {variable} as they were: they are not protected by it. "
                "Change more (a larger share, window or group, coarser strata), or protect {variable} otherwise."
            ),
            mark("{variable} is perturbed, but half of its values or more are as they were, and not protected by it."),
            where=name,
            method=done.entry.method,
            same=same,
            there=there,
            variable=name,
        )


def _stayed(done: PerturbationDone) -> Iterator[Notice]:
    """Households that were to change places for certain, and did not."""
    without = done.invariants.get("without_partner", 0)
    if without and REGISTRY[done.entry.method].DECLARATION.of_households:
        yield Notice.of(
            STAYED,
            plural(
                without,
                "{n} household that is rare in its area stays there: no household that is alike by similar is left. "
                "Say a coarser set of variables at the end of similar, or protect {variable} otherwise.",
                "{n} households that are rare in their areas stay there: no households that are alike by similar are "
                "left. Say a coarser set of variables at the end of similar, or protect {variable} otherwise.",
            ),
            mark("Not all households that are rare in their areas could change places."),
            where=done.variables[0],
            n=without,
            variable=done.variables[0],
        )


def _counts_told(done: PerturbationDone) -> Iterator[Notice]:
    """Codes of so few records that the published matrix tells their numbers."""
    rare = done.invariants.get("rare_codes", 0)
    if rare:
        yield Notice.of(
            COUNTS_TOLD,
            plural(
                rare,
                "{method} of {variables}: from the probabilities that users are told follow the counts of the codes, "
                "and {n} of them has fewer than {least} records in its stratum. What is told of a released code is "
                "then less than all the codes of the stratum tell together. Recode, or take coarser strata.",
                "{method} of {variables}: from the probabilities that users are told follow the counts of the codes, "
                "and {n} of them have fewer than {least} records in their strata. What is told of a released code is "
                "then less than all the codes of the stratum tell together. Recode, or take coarser strata.",
            ),
            where=done.variables[0],
            method=done.entry.method,
            variables=", ".join(done.variables),
            n=rare,
            least=RARE,
        )


def _told_recoded(done: PerturbationDone) -> Iterator[Notice]:
    """Codes of which, once they are recoded, more is told than ``protect``."""
    largest, protect = done.with_keys.get("largest_true_of_recoded_codes"), dict(done.entry.parameters).get("protect")
    if largest is not None and protect is not None and largest > protect + SLACK:
        yield Notice.of(
            RECODED,
            mark(
                "{method} of {variables}: protect = {protect} is the most that a released code tells before it is "
                "recoded, rounded or cut. Afterwards it is the true one with a probability of up to {largest}, since "
                "codes that became others may then be the same. Say a smaller protect, or recode, round or cut less."
            ),
            where=done.variables[0],
            method=done.entry.method,
            variables=", ".join(done.variables),
            protect=f"{protect:g}",
            largest=f"{largest:.3g}",
        )


def _told_with_keys(done: PerturbationDone) -> Iterator[Notice]:
    """Records in which the keys tell more of a released code than ``protect``."""
    above = done.with_keys.get("records_above_protect_given_keys", 0)
    if above:
        yield Notice.of(
            WITH_KEYS,
            plural(
                above,
                "{method} of {variables}: protect = {protect} is the most that a released code tells whoever knows "
                "nothing else of the person. Whoever knows the keys, too, and how frequent codes are among those who "
                "have them, is surer in {n} record, with a probability of up to {largest}. Name keys in within, recode "
                "them, or say a smaller protect.",
                "{method} of {variables}: protect = {protect} is the most that a released code tells whoever knows "
                "nothing else of the person. Whoever knows the keys, too, and how frequent codes are among those who "
                "have them, is surer in {n} records, with a probability of up to {largest}. Name keys in within, "
                "recode them, or say a smaller protect.",
            ),
            where=done.variables[0],
            method=done.entry.method,
            variables=", ".join(done.variables),
            n=above,
            protect=f"{dict(done.entry.parameters)['protect']:g}",
            largest=f"{done.with_keys['largest_true_given_released_and_keys']:.3g}",
        )


def values_of(column: EncodedColumn, metadata: Metadata) -> NDArray[np.float64]:
    """(n,) numbers where the variable has numbers, else places of codes; nan where missing."""
    variable = metadata[column.name]
    if variable.numeric or not variable.categorical:
        try:
            return numbers_of(column, metadata.decimal)
        except DataError:
            pass
    return np.where(column.values < column.n_valid, column.values.astype(np.float64), np.nan)


def told_by_order(column: EncodedColumn, values: NDArray[np.float64]) -> bool:
    """Whether records are sorted by a variable, be it within a few blocks, or equal values stand together."""
    steps = np.diff(values[~np.isnan(values)])
    other = steps[steps != 0]
    if len(steps) < _FEW:
        return False
    up = np.count_nonzero(other > 0) / max(len(other), 1)
    if len(other) >= _FEW and max(up, 1 - up) >= _SORTED:
        return True
    share = column.counts[: column.n_valid] / max(int(column.counts[: column.n_valid].sum()), 1)
    expected = len(steps) * (1 - float((share**2).sum()))
    return expected >= _FEW and len(other) < _RUNS * expected


def _of_households(column: EncodedColumn, living: NDArray[np.uint32]) -> bool:
    """Whether the members of nearly all households have one value, and not because nearly everybody has it."""
    size = np.bincount(living)
    codes = column.values.astype(np.int64)
    first = np.full(len(size), -1, np.int64)
    first[living[::-1]] = codes[::-1]
    differ = np.bincount(living, codes != first[living], len(size)) > 0
    several = (size > 1) & (first < column.n_valid)
    share = column.counts / max(int(column.counts.sum()), 1)
    if several.sum() < _FEW or float((share**2).sum()) > _ALIKE**2:
        return False
    return bool((~differ[several]).mean() >= _ALIKE)
