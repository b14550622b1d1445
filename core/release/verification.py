"""What the check of the written file needs, gathered: the file read back once, and by what to judge it."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice, ProtectionError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..check.households import HouseholdIdentifiers, verify_households
from ..check.judged import CheckSpec, Verification
from ..check.population import ClaimedModel
from ..check.sets import DeclaredSet, blank_columns, with_sets
from ..check.unchanged_fields import differences
from ..check.verify import verify
from ..check.written_columns import LabelledCodes, other_columns
from ..data.columns import Microdata, Source, Weights
from ..data.variables import Metadata
from ..formats.registry import read, read_again
from ..formats.text.writing import check_unchanged
from ..results.households import household_names
from ..results.released_columns import sets_of_one_missing_code
from ..results.results import Protection, Results, RiskTable
from ..results.risk_tables import asks_individual
from ..results.suppression_problem import homes_of, models_of, rules_of
from ..suppression.inference.elimination import Inference
from ..suppression.models import coupled_models
from .perturbed_again import not_as_perturbed
from .safe_file import SafeFile, with_texts


def verified(path: Path, protection: Protection, safe: SafeFile, progress: Progress = SILENT) -> Verification:
    """The check of the safe file at `path`, which `protection` and `safe` say how to write.

    Raises
    ------
    ProtectionError
        The file is not what was decided.
    DataError
        The original has changed since it was read.
    """
    layout, derived, plan = safe.layout, protection.derived, protection.plan
    identifier, weight = derived.metadata.household_id, derived.metadata.weight
    given, anew = _given_anew(derived), {**safe.added, **safe.modified}
    sets = [DeclaredSet(spec.name, spec.columns, spec.separator) for spec in derived.recipe.set_keys]
    original = with_sets(derived.columns, sets, progress)
    as_one = sets_of_one_missing_code(derived)
    lost = {**plan.suppressed, **blank_columns(original, sets, plan.suppressed, as_one)}
    decided = {name: column for name, column in {**original, **anew}.items() if name not in given}
    names = [*decided, *(variable.name for variable in (weight, identifier) if variable is not None)]
    weights = derived.microdata.weights
    written = read_back(
        path, layout, names, anew, None if identifier is None else identifier.name, sets, progress, weights
    )
    judged = judged_tables(derived, protection.inferences, protection.hidden)
    must_be_safe = derived.recipe.suppression.criterion != "none"
    checked = verify(
        written,
        decided,
        weights,
        lost,
        judged,
        order=safe.order,
        must_be_safe=must_be_safe,
        living=derived.households.household_of_record if derived.households else None,
        progress=progress,
    )
    identifiers = None if checked.problems else household_identifiers(derived, progress)
    if identifiers is not None:
        checked = verify_households(
            checked,
            written,
            original,
            weights,
            lost,
            judged,
            identifiers,
            order=safe.order,
            must_be_safe=must_be_safe,
            progress=progress,
        )
    problems = checked.problems or LabelledCodes.of(written.source, written.columns, layout).problems()
    of_file = written.source
    del written  # what follows reads both files once more
    if not problems:
        problems = tuple(not_as_perturbed(derived, progress))
    refuse_others(
        problems, derived.microdata.source, derived.metadata, of_file, layout,
        derived.columns.keys() | given | anew.keys(), safe.order, progress,
    )  # fmt: skip
    return replace(checked, sha256=of_file.sha256)


def read_back(
    path: Path,
    layout: Metadata,
    names: Iterable[str],
    anew: Iterable[str],
    identifier: str | None,
    sets: Sequence[DeclaredSet],
    progress: Progress = SILENT,
    weights: Weights | None = None,
) -> Microdata:
    """The columns `names` of a written file, or of a part of one, as far as it has them.

    Parameters
    ----------
    anew : those that are compared as texts
    identifier : the household identifier; None: there is none
    sets : keys that are made of what was read
    weights : as of `core.formats.registry.read`
    """
    described = with_texts(layout, dict.fromkeys(anew))
    if identifier is not None:
        described = read_as_codes(described, identifier)
    wanted = tuple(dict.fromkeys(name for name in names if name in layout))
    found = read(path, described, wanted, progress, weights)
    return replace(found, columns=with_sets(found.columns, sets, progress))


def refuse_others(
    problems: tuple[Notice, ...],
    source: Source,
    metadata: Metadata,
    written: Source,
    layout: Metadata,
    known: Container[str],
    order: NDArray[np.int64] | None,
    progress: Progress = SILENT,
) -> None:
    """Refuse a written file, or a part of one, that has `problems`, or has them in columns that nothing changed.

    Parameters
    ----------
    source, written : the original and what was written, as they were read
    known : the columns that were compared
    order : of the records that were written; None: that of the original

    Raises
    ------
    ProtectionError
        It is not what was decided.
    DataError
        The original has changed since it was read.
    """
    problems = problems or other_columns(written, layout, progress)
    if not problems:
        others = [name for name in layout.names if name in metadata and name not in known]
        path, records = written.path, source.records
        problems = differences(source.path, metadata, path, layout, others, order, progress, records)
    if problems:
        check_unchanged(source, progress)  # else they are no fault of the written file
        raise failed(problems)


def _given_anew(derived: Results) -> set[str]:
    """The household identifier, where it is replaced by a sequence number: checked by the groups that it makes."""
    identifier = derived.metadata.household_id
    sequence = derived.recipe.output.household_id == "sequence"
    return {identifier.name} if identifier is not None and sequence else set()


def household_identifiers(derived: Results, progress: Progress = SILENT) -> HouseholdIdentifiers | None:
    """What tells who lives together; None without a household identifier.

    Raises
    ------
    DataError
        The original has changed since it was read.
    """
    identifier, recipe = derived.metadata.household_id, derived.recipe
    if identifier is None:
        return None
    described = read_as_codes(derived.metadata, identifier.name)
    if derived.perturbed is not None and identifier.name in derived.perturbed.columns:
        # other households: that these are what the recipe makes of the original is checked with the perturbations
        original = derived.perturbed.columns[identifier.name]
    else:
        read_anew = read_again(derived.microdata.source, described, (identifier.name,), progress)
        original = read_anew.columns[identifier.name]
    variables = tuple(sorted(household_names(recipe, derived.metadata)))
    return HouseholdIdentifiers(original, recipe.households, recipe.output.household_id == "sequence", variables)


def read_as_codes(metadata: Metadata, name: str) -> Metadata:
    """`metadata` with the household identifier `name` read as codes, whatever else it is."""
    variables = (replace(v, categorical=True, numeric=False) if v.name == name else v for v in metadata.variables)
    return replace(metadata, variables=tuple(variables))


def judged_tables(
    derived: Results, inferences: Mapping[int, Inference], hidden: Mapping[int, int] | None = None
) -> list[CheckSpec]:
    """By what the written file is judged, one entry a combination.

    Parameters
    ----------
    inferences : what the plan says can be told
    hidden : how many records it says only their own household makes safe; None: it says nothing
    """
    together = _decided_together(derived) if derived.recipe.suppression.close_gaps else {}
    return [
        replace(
            _judged(derived, index),
            told=inferences[index].certain if index in together and index in inferences else None,
            told_with=together.get(index, ()),
            hidden=None if hidden is None else hidden.get(index),
        )
        for index in range(len(derived.tables))
    ]


def _decided_together(derived: Results) -> dict[int, tuple[str, ...]]:
    """By place of the combination the variables of all tables with which it is decided, those of which one can see."""
    rules, found = rules_of(derived), {}
    for group in coupled_models(models_of(derived), rules):
        names = tuple(name for name in group.order if name not in rules.unseen)
        for index, combination in enumerate(derived.recipe.combinations):
            if set(combination.variables) <= set(group.order):
                found[index] = names
    return found


def _judged(derived: Results, index: int) -> CheckSpec:
    combination, table = derived.recipe.combinations[index], derived.tables[index]
    household = table.household if table else None
    return CheckSpec(
        combination.variables,
        _limit(table.threshold, asks_individual(table.asked)) if table else None,
        combination.missing_rule,
        combination.alpha,
        combination.estimator,
        combination.model,
        combination.count_threshold,
        combination.k or 1,
        _limit(household.threshold, household.asked) if household else None,
        _claimed(table),
        derived.recipe.suppression.mode,
        derived.recipe.suppression.least_records,
        table.asked.exceedance if table else None,
        l=combination.l or 1,
        sensitive=combination.sensitive,
        shared=_for_others(derived),
        same=homes.variables if (homes := homes_of(derived)) else frozenset(),
    )


def _for_others(derived: Results) -> frozenset[str]:
    """Variables that records may lose for the sake of other members of their household."""
    homes, rules = homes_of(derived), rules_of(derived)
    return frozenset(name for key in (homes.variables if homes else ()) for name in rules.closure(key))


def _claimed(table: RiskTable | None) -> ClaimedModel | None:
    """What the plan took of the population model."""
    if table is None or table.population is None:
        return None
    risks = table.population
    risks.of_margin(risks.model.full)  # of every set of variables that a record may be left with
    return ClaimedModel(risks.model.scores(), risks.shapes, summed=risks.estimator == "log-linear")


def _limit(threshold: float | None, asked: bool) -> float | None:
    return math.inf if threshold is None and asked else threshold  # asked, and above every risk: nothing is unsafe


def failed(problems: Sequence[Notice]) -> ProtectionError:
    """The error that a written file is not what was decided."""
    return ProtectionError(
        "verification-failed",
        mark("The written file is not what was decided, so nothing was kept: {problems}"),
        mark("Please report this as a defect of the program."),
        problems=" ".join(problem.text for problem in problems),
    )
