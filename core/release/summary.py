"""``summary.json``: the figures of a run, in the order and under the names of the recipe's documentation.

What does not apply is left out; nothing is null. Numbers are written at full precision.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..base.errors import Notice
from ..check.judged import TableVerification
from ..data.risk_figures import RiskFigures, TableState
from ..perturbation.done import PerturbationDone
from ..perturbation.registry import parameters_used
from ..perturbation.told import entry_of_released, parameters_told
from ..recipe.edits import searches_jointly
from ..recipe.model import OUTPUT_FILES, Recipe
from ..recipe.toml_fields import relative_text
from ..results.input_files import Checksums
from ..results.results import Protection, Results, RiskTable
from ..results.risk_tables import asks_individual, sample_uniques
from ..results.second_opinions import TableEstimate, unsafe_by_opinion
from ..results.unsafe_records import judged_unsafe
from ..risk.distribution import Interval, RiskDistribution
from ..risk.household import HouseholdRisk
from ..risk.measures.k_anonymity import KAnonymityProfile
from ..risk.released_opinion import ReleasedOpinion
from ..risk.second_opinion import ModelEstimate
from ..tables.cells import Cells
from ..tables.margins import Overview
from ..utility.own import Compared
from ..verdict.model import ReleaseVerdict, TargetRule
from ..warnings.checklist import ChecklistEntry
from ..warnings.told_of_perturbed import KEPT_INSIDE

PROGRAM = "Pavo"


def summary_text(summary: Mapping[str, Any]) -> str:
    """The summary as JSON text with a final line feed."""
    return json.dumps(summary, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def file_part(derived: Results, recipe: Recipe, recipe_sha256: str, inputs: Checksums) -> dict[str, Any]:
    """What was read, and by which program.

    Outsiders get no checksum of what was read, nor of the recipe, which holds these: with one, whoever guesses the
    original can check the guess.
    """
    inside = recipe.report.reader == "internal"
    return {
        "records": derived.records,
        "variables": len(derived.metadata.variables),
        "program": {"name": PROGRAM, "version": __version__},
        **({"recipe_sha256": recipe_sha256} if recipe_sha256 and inside else {}),
        **({"input_sha256": derived.microdata.source.sha256} if inside else {}),
        **({"inputs": [written_file_part(recipe, path, sha256) for path, sha256 in inputs]} if inside else {}),
    }


def written_file_part(recipe: Recipe, path: Path, sha256: str) -> dict[str, str]:
    """A file by its path from the folder of the summary; where that goes to standard output by its whole path."""
    summary = recipe.output.summary
    if summary is None:
        return {"path": str(path), "sha256": sha256}
    folder = Path(os.path.realpath(summary.parent))
    # the folder of the file, too: links on the way do not keep one from finding it
    return {"path": relative_text(Path(os.path.realpath(path.parent)) / path.name, folder), "sha256": sha256}


_OF_THE_HOUSE = ("released_sha256", "targets_sha256")
"""Figures of measures that are checksums of files that were read."""


def measure_part(recipe: Recipe, figures: dict[str, Any]) -> dict[str, Any]:
    """A measure's figures; outsiders get no checksum of a file that was read."""
    if recipe.report.reader == "internal":
        return figures
    return {name: value for name, value in figures.items() if name not in _OF_THE_HOUSE}


def combination_part(
    derived: Results,
    index: int,
    cells: Cells,
    opinion: TableEstimate | None = None,
    later: ReleasedOpinion | None = None,
) -> dict[str, Any]:
    """The figures of one combination, from its `cells`, whatever its model; those of the written file come behind.

    Parameters
    ----------
    opinion, later : the other estimate of the risk, before suppression and of the safe file
    """
    combination = derived.recipe.combinations[index]
    part: dict[str, Any] = {"variables": list(combination.variables), "model": combination.model}
    if combination.criterion.has_missing_rule:
        part["missing_rule"] = combination.missing_rule
    part |= {"cells": cells.judged, "sample_uniques": sample_uniques(cells)}
    part |= overview_part(derived.overviews[index], combination.variables)
    table = derived.tables[index]
    if table is not None:
        part |= _risk_part(table, opinion)
        if later is not None:
            part["second_opinion"]["after"] = _later_part(later)
    elif later is not None:
        part["second_opinion"] = {"estimator": later.estimator, "after": _later_part(later)}
    if combination.k is not None:
        part["k_anonymity"] = {"k": combination.k, "violations": violations(cells, combination.k)}
    if combination.sensitive is not None and (unsafe := judged_unsafe(derived, index)) is not None:
        violations_of_l = derived.times.count(unsafe)
        part["l_diversity"] = {"l": combination.l, "sensitive": combination.sensitive, "violations": violations_of_l}
    if table is not None and table.rate_observed is not None:
        part["rate_observed"] = table.rate_observed
    return part


def overview_part(overview: Overview, names: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Unsafe combinations by dimension and by variable, the variables in the order of `names`."""
    dimensions = range(1, overview.counted + 1)
    found = {variable.name: variable.unsafe_by_dimension for variable in overview.variables}
    return {
        "unsafe_by_dimension": {str(d): overview.unsafe_by_dimension.get(d, 0) for d in dimensions},
        "unsafe_by_variable": {
            name: {str(d): found[name].get(d) or 0 for d in dimensions} for name in names or tuple(found)
        },
    }


def violations(cells: Cells, k: int) -> int:
    """Records with a sample frequency below `k`."""
    return KAnonymityProfile.from_cells(cells.f, cells.count).violations(k)


def after_part(found: TableVerification) -> dict[str, Any]:
    """The figures of the written file by one combination."""
    part: dict[str, Any] = {} if found.by_mode is None else {"by_mode": _state_part(found.by_mode)}
    part["released"] = _state_part(found.released)
    if found.original is not None:
        part["original"] = _state_part(found.original)
    if found.group_max is not None:
        unsafe = {} if found.group_unsafe is None else {"unsafe_records": found.group_unsafe}
        part["group"] = {"max_risk": found.group_max} | unsafe
    return part


def _state_part(state: TableState) -> dict[str, Any]:
    """Unsafe records stand behind the risk that has a threshold, that of records before that of households."""
    individual, household = state.individual, state.household
    unsafe = {} if state.unsafe is None else {"unsafe_records": state.unsafe}
    part: dict[str, Any] = {} if individual is None else {"individual_risk": _figures_part(individual)}
    if individual is not None and individual.unsafe is not None:
        part |= unsafe
    if household is not None:
        part["household_risk"] = {"households": household.households, **_figures_part(household)}
        if household.unsafe_households is not None:
            part["unsafe_households"] = household.unsafe_households
    return part | unsafe


def _figures_part(figures: RiskFigures | None) -> dict[str, float]:
    """Largest risk, expected re-identifications and rate; the risk is left out where no record has one."""
    if figures is None:
        return {"expected_reidentifications": 0.0, "rate": 0.0}
    return {"max": figures.max_risk, "expected_reidentifications": figures.expected, "rate": figures.rate}


def _risk_part(table: RiskTable, opinion: TableEstimate | None) -> dict[str, Any]:
    part: dict[str, Any] = {"individual_risk": _figures_part(table.staircase.figures(None))}
    if opinion is not None and opinion.opinion is not None:
        part["second_opinion"] = _opinion_part(table, opinion, opinion.opinion)
    elif opinion is not None and opinion.individual is not None:
        part["second_opinion"] = _individual_part(table, opinion.individual)
    household = table.household
    if household is not None:
        stairs = household.staircase
        part["household_risk"] = {"households": stairs.households, **_figures_part(stairs.figures(None))}
        if stairs.undefined:
            part["household_risk"]["undefined"] = stairs.undefined
    asked_household = household is not None and household.asked
    individual = _threshold_part(table) if asks_individual(table.asked) else {}
    of_households = _household_threshold_part(household) if household and asked_household else {}
    if individual and of_households:
        part["threshold"] = individual | {"household": of_households}
    elif individual or of_households:
        part["threshold"] = individual or of_households
    return part


def _opinion_part(table: RiskTable, found: TableEstimate, opinion: ModelEstimate) -> dict[str, Any]:
    expected, individual = opinion.expected_reidentifications, table.staircase.expected_reidentifications
    low, high = opinion.interval
    unsafe = unsafe_by_opinion(table, found)
    return {
        "estimator": "calibrated",
        "max": opinion.maximum,
        "expected_reidentifications": expected,
        "rate": expected / table.staircase.n if table.staircase.n else 0.0,
        "interval": {"low": low, "high": high},
        **({} if opinion.a is None else {"a": opinion.a}),
        "edges": [list(edge) for edge in opinion.edges],
        "tau1": opinion.population_uniques,
        "tau2": opinion.correct_matches,
        **({} if unsafe is None else {"unsafe_records": unsafe}),
        **({"ratio": opinion.ratio(individual)} if individual else {}),
    }


def _individual_part(table: RiskTable, other: RiskDistribution) -> dict[str, Any]:
    """The individual risk beside that of a model."""
    own = table.staircase.expected_reidentifications
    unsafe = {} if table.threshold is None else {"unsafe_records": other.unsafe(table.threshold)}
    ratio = {"ratio": other.expected_reidentifications / own} if own else {}
    return {"estimator": "exact", **_figures_part(other.figures(None)), **unsafe, **ratio}


def _later_part(later: ReleasedOpinion) -> dict[str, Any]:
    """The other estimate of the risk of the safe file."""
    interval = {} if later.interval is None else {"interval": dict(zip(("low", "high"), later.interval, strict=True))}
    unsafe = {} if later.unsafe is None else {"unsafe_records": later.unsafe}
    figures = {"max": later.maximum, "expected_reidentifications": later.expected, "rate": later.rate}
    return {**figures, **interval, **unsafe}


def _threshold_part(table: RiskTable) -> dict[str, Any]:
    threshold, staircase = table.threshold, table.staircase
    return {
        **({} if threshold is None else {"individual_risk": threshold}),
        **({} if table.promise is None else {"exceedance": table.promise.exceedance}),
        "rate": staircase.rate_at(threshold),
        "unsafe_records": staircase.unsafe(threshold),
        "interval": _interval_part(staircase.interval(threshold)),
        **({} if table.promise is not None else _actual_part(staircase, threshold, "individual_risk")),
    }


def _household_threshold_part(household: HouseholdRisk) -> dict[str, Any]:
    threshold, staircase = household.threshold, household.staircase
    return {
        **({} if threshold is None else {"household_risk": threshold}),
        "unsafe_households": staircase.unsafe_households(threshold),
        "unsafe_records": staircase.unsafe(threshold),
        "rate": staircase.rate_at(threshold),
        "interval": _interval_part(staircase.interval(threshold)),
        **_actual_part(staircase, threshold, "household_risk"),
    }


def _actual_part(staircase: RiskDistribution, threshold: float | None, risk: str) -> dict[str, Any]:
    """The highest risk that stays, under the name of that risk, and its rate; nothing where none stays."""
    actual = staircase.actual(threshold)
    return {} if actual is None else {"actual": {risk: actual.level, "rate": actual.rate}}


def _interval_part(interval: Interval) -> dict[str, float]:
    ends = (("low", interval.low), ("high", interval.high))
    return {name: value for name, value in ends if value is not None}


def warnings_part(recipe: Recipe, notices: tuple[Notice, ...]) -> list[dict[str, str]]:
    """All that was accepted and has to be said; a summary is passed on, so it names nobody.

    Outsiders are not told what came of perturbations.
    """
    inside = recipe.report.reader == "internal"
    return [{"id": notice.id, "text": notice.public} for notice in notices if inside or notice.id not in KEPT_INSIDE]


def inference_parts(protection: Protection) -> dict[int, dict[str, Any]]:
    """What elimination leaves of the suppressed values, by place of the combination; ``before``: with gaps."""
    before = protection.with_gaps.inferences if protection.with_gaps else {}
    return {
        index: {"inference": told.summary() | ({"before": before[index].summary()} if index in before else {})}
        for index, told in protection.inferences.items()
    }


def suppression_part(recipe: Recipe, protection: Protection) -> dict[str, Any]:
    """What local suppression did."""
    plan = protection.plan
    criterion = recipe.suppression.criterion
    part: dict[str, Any] = {"criterion": criterion}
    if criterion != "none":
        part["mode"] = recipe.suppression.mode
    part |= {
        "total": plan.total,
        "by_variable": plan.by_variable,
        "records_touched": plan.records_touched,
        "loss": plan.loss,
        "entropy_loss": plan.entropy_loss,
    }
    if criterion != "none":
        part |= {"lower_bound": plan.lower_bound, "gap": plan.gap}
    if criterion != "none" and (recipe.suppression.mode != "original-counts" or searches_jointly(recipe)):
        part |= {"effort": recipe.suppression.effort, "seed": recipe.suppression.seed}
    if protection.with_gaps is not None:
        before = protection.with_gaps.plan
        cost = {"total": before.total, "loss": before.loss, "entropy_loss": before.entropy_loss}
        part |= {"close_gaps": True, "before": cost}
    return part


def perturbations_part(
    recipe: Recipe, done: Sequence[PerturbationDone], released: Collection[str]
) -> list[dict[str, Any]]:
    """What was perturbed, in the order of the recipe, with the parameters as they were used.

    Outsiders get those that they may know, of variables that the safe file has, and nothing of what came of it.

    Parameters
    ----------
    released : names of the variables of the safe file
    """
    if recipe.report.reader != "internal":
        return [
            {"method": each.entry.method, "variables": [name for name in each.variables if name in released]}
            | parameters_told(entry_of_released(each.entry, released))
            for each in done
        ]
    return [
        {"method": each.entry.method, "variables": list(each.variables), "changed": each.changed}
        | parameters_used(each.entry)
        | ({"invariants": each.figures} if each.figures else {})
        for each in done
    ]


def utility_part(recipe: Recipe, compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """The own tables, means and models in the order of the recipe; outsiders get no estimate and no code."""
    inside = recipe.report.reader == "internal"
    return [each.summary(inside) for each in compared]


def verdict_part(recipe: Recipe, verdict: ReleaseVerdict, released: Collection[str]) -> dict[str, Any]:
    """The verdict; outsiders get no number, no name and no reason, and no variable that the safe file does not have.

    Parameters
    ----------
    released : names of the variables of the safe file
    """
    inside = recipe.report.reader == "internal"
    known = {*released, *(name for combination in recipe.combinations for name in combination.variables)}
    rules = [_rule_part(rule, inside, known) for rule in verdict.rules if inside or known.issuperset(rule.named)]
    return {"target": verdict.target, "state": verdict.state, "rules": rules}


def _rule_part(rule: TargetRule, inside: bool, known: Collection[str]) -> dict[str, Any]:
    about = [name for name in rule.about if inside or name in known]
    part: dict[str, Any] = {"id": rule.id, "level": rule.level, "state": rule.state, "about": about}
    if not inside:
        return part | {"text": rule.words}
    cause = f"{rule.cause.rstrip('.')}." if rule.cause else ""
    part["text"] = f"{rule.words} {cause}".strip()
    part |= {} if rule.number is None or rule.state == "holds" else {"number": rule.number}
    return part | ({"by": rule.by, "on": str(rule.on), "reason": rule.reason} if rule.state == "accepted" else {})


def checklist_part(recipe: Recipe, entries: Sequence[ChecklistEntry]) -> list[dict[str, str]]:
    """The released columns that no model judges; who decided is not told where the report is for outsiders."""
    inside = recipe.report.reader == "internal"
    return [
        {"variable": entry.variable, "holds": entry.contents.holds.public}
        | ({"decision": entry.decision} if entry.decision else {})
        | ({"by": entry.by} if entry.by and inside else {})
        for entry in entries
        if entry.released
    ]


def files_part(recipe: Recipe, codelists: Mapping[str, tuple[Path, str]], sums: Mapping[str, str]) -> dict[str, Any]:
    """The other files that were written, each as path and checksum; outsiders get nothing of that of single records.

    Parameters
    ----------
    codelists : path and role by variable
    sums : SHA-256 by role
    """
    inside = recipe.report.reader == "internal"
    roles = [role for role in OUTPUT_FILES if role != "summary" and (inside or role != "records")]
    named: dict[str, Any] = {
        role: written_file_part(recipe, path, sums[role])
        for role in roles
        if (path := getattr(recipe.output, role)) and role in sums
    }
    beside = {name: written_file_part(recipe, path, sums[role]) for name, (path, role) in codelists.items()}
    return named | ({"codelists": beside} if beside else {})


def peak_rss_mib() -> float | None:
    """The most memory that the process used so far, MiB; None where the system does not say."""
    if sys.platform == "win32":
        return None
    import resource

    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
