"""Numbers of suppressed values that somebody who knows the rules can fill in again, table by table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..risk.individual import lowest_unsafe
from ..suppression.households.sharing import couples
from ..suppression.inference.counting import possible_by_counting
from ..suppression.inference.elimination import Inference, possible_by_released_keys, possible_values
from ..suppression.models import Models, coupled_models
from ..suppression.plan import Plan
from ..suppression.problem import ProtectedTable
from .results import Results
from .suppression_problem import costs_of, homes_of, models_of, rules_of

CERTAIN = "blanks-certain"
"""Id of the warning that suppressed values can be filled in with certainty."""


def inferences(
    derived: Results, plan: Plan, progress: Progress = SILENT, at_most: bool = False
) -> dict[int, Inference]:
    """What elimination leaves of the suppressed values of each table, by its place in the recipe.

    Tables that are coupled, by a variable or by a relation, are decided together and looked at together: their key is
    that of all of them. Where records are judged by their released keys, an intact key excludes nothing. Left out are
    tables that lost nothing; k-anonymity, which lends records of safe keys as well; household thresholds, by which
    members of one key are treated differently; and tables with a derived key that the safe file does not tell. With
    `at_most` these latter two are looked at, too: what is ruled out then is more than can be known.
    """
    found: dict[int, Inference] = {}
    rules, homes = rules_of(derived), homes_of(derived)
    living = homes.households.household_of_record if homes else None
    for group in coupled_models(models_of(derived), rules):
        names = group.order
        if group.whole_file or (not at_most and (rules.unseen & set(names) or judges_households(group.risk))):
            continue
        of_households = homes.variables if homes else frozenset()
        shared = {name for key in of_households for name in rules.closure(key)}
        columns = [derived.columns[name] for name in names if name not in rules.unseen]
        if group.risk and derived.recipe.suppression.mode != "original-counts":
            possible = possible_by_released_keys(columns, plan.suppressed)
        else:
            possible = possible_values(columns, plan.suppressed, shared, progress, living, of_households)
        counted = None if at_most else _by_counting(derived, plan, group, progress)
        possible = _of_records(derived, plan, possible)
        counted = counted if counted is None else _of_records(derived, plan, counted)
        for index, combination in enumerate(derived.recipe.combinations):
            numbers = [possible[name] for name in combination.variables if name in possible]
            if numbers and set(combination.variables) <= set(names):
                told = Inference.of(numbers)
                if counted is not None:
                    ones = sum(int(((possible[n] == 1) | (counted[n] == 1)).sum()) for n in counted)
                    told = replace(told, counted=ones if ones > told.certain else None)
                found[index] = told
    return found


def _of_records(derived: Results, plan: Plan, found: dict[str, NDArray[np.int64]]) -> dict[str, NDArray[np.int64]]:
    """Numbers of each blank of the rows as those of each blank of the records that they stand for."""
    times = derived.times
    return {name: times.repeat(numbers, plan.suppressed[name]) for name, numbers in found.items()}


def _by_counting(
    derived: Results, plan: Plan, group: Models, progress: Progress
) -> dict[str, NDArray[np.int64]] | None:
    """What counting in the safe file leaves of each blank; None where not only a record's own table decides."""
    rules, homes, names = rules_of(derived), homes_of(derived), group.order
    if derived.recipe.suppression.mode != "original-counts" or len(group.risk) != 1 or group.rare:
        return None
    (table,), closures = group.risk, [rules.closure(name) for name in names]
    known = table.estimator == "exact" and table.population is None and table.cells.rule == "observed"
    outside = any(name not in names for closure in closures for name in closure)
    if not known or outside or table.threshold is None or (homes and couples(group.risk, rules, homes)):
        return None
    costs, bits = costs_of(derived), {name: 1 << j for j, name in enumerate(names)}
    return possible_by_counting(
        [derived.columns[name] for name in names],
        plan.suppressed,
        _floats(derived),
        lowest_unsafe(table.threshold),
        [sum(bits[name] for name in closure) for closure in closures],
        [costs[name] for name in names],
        sum(bit for name, bit in bits.items() if name in rules.fixed),
        progress,
    )


def _floats(derived: Results) -> NDArray[np.float64]:
    """The weight of every row, (n,); 1 a record without weights."""
    weights = derived.microdata.weights
    if weights is None:
        return derived.times.as_array(derived.records).astype(np.float64)
    return weights.as_floats()


def judges_households(tables: Iterable[ProtectedTable]) -> bool:
    """Whether a table has a household threshold."""
    return any(table.household_threshold is not None for table in tables)


def certain_blanks(derived: Results, found: Mapping[int, Inference]) -> Iterator[Notice]:
    """Warnings about tables with suppressed values that can be filled in with certainty; one for the same variables."""
    said: set[frozenset[str]] = set()
    for index, inference in found.items():
        names = frozenset(derived.recipe.combinations[index].variables)
        if not (inference.certain or inference.counted) or names in said:
            continue
        said.add(names)
        yield Notice.of(
            CERTAIN,
            _sentence(derived, inference),
            certain=inference.certain,
            counted=inference.counted or 0,
            blanks=inference.blanks,
            combination=" x ".join(derived.recipe.combinations[index].variables),
        )


def _sentence(derived: Results, inference: Inference) -> str:
    if derived.recipe.suppression.close_gaps:
        return _left_open(derived)
    if inference.counted:
        return mark(
            "{counted} of {blanks} suppressed values of {combination} can be filled in with certainty by someone who "
            "knows the rules and counts in the safe file, {certain} of them without counting: with every other value "
            "the rules would have suppressed something else, or nothing. Leave no value that the rules tell "
            "(close_gaps), or consider a coarser recoding, or k-anonymity."
        )
    return mark(
        "{certain} of {blanks} suppressed values of {combination} can be filled in with certainty by someone "
        "who knows the rules: every other value would make a key that stands unsuppressed in the safe file, "
        "and records with such a key lose nothing. Consider a coarser recoding, or k-anonymity."
    )


def _left_open(derived: Results) -> str:
    """What is said where the gaps were to be closed."""
    if judges_households(models_of(derived).risk):
        return mark(
            "Up to {certain} of {blanks} suppressed values of {combination} can still be filled in by someone who "
            "knows the rules, although the gaps were to be closed (close_gaps): of their records nothing more may go "
            "that would help. Allow suppression of more variables, or recode more coarsely."
        )
    return mark(
        "{certain} of {blanks} suppressed values of {combination} can still be filled in with certainty by someone who "
        "knows the rules, although the gaps were to be closed (close_gaps): of their records nothing more may go that "
        "would help. Allow suppression of more variables, or recode more coarsely."
    )
