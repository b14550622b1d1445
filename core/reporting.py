"""What a report says, taken from a run's results."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import core
from core.derive.released import released_cells, staircase_after
from core.derive.results import Derived, Protection, RiskTable
from core.derive.risks import sample_uniques
from core.errors import Notice
from core.microdata.variables import Metadata, Variable
from core.recipe.model import Combination, Recipe
from core.recoding.recoding import Recoding
from core.report.inputs import (
    Figures,
    Key,
    Layout,
    NamedFile,
    RecodeFacts,
    ReportInput,
    SafeVariable,
    State,
    SuppressionFacts,
    TableFacts,
)
from core.risk.k_anonymity import KAnonymity
from core.risk.staircase import Staircase
from core.summary import PROGRAM
from core.suppression.costs import entropy
from core.tables.cells import Cells

Curve = tuple[NDArray[np.float64], NDArray[np.float64], bool]
CLASSES = 20
"""Classes of the report's histograms over the range of risks."""


@dataclass(frozen=True, eq=False)
class Facts:
    """All that a run found out.

    Attributes
    ----------
    derived : of the recipe
    before : of the recipe without recodes, None where there are none
    cells : of each combination, after recoding
    cells_before : the same before recoding; empty where `before` is None
    protection : None where nothing is protected
    layout : metadata of the safe file, likewise
    after : for each combination the figures of the written file, as in the summary
    curves : for each combination thresholds, losses and whether they are exact, where known
    measures : figures, kind and variables first
    """

    derived: Derived
    before: Derived | None
    cells: Sequence[Cells]
    cells_before: Sequence[Cells]
    notices: tuple[Notice, ...]
    protection: Protection | None = None
    layout: Metadata | None = None
    after: Sequence[Mapping[str, Any]] = ()
    curves: Sequence[Curve | None] = ()
    measures: Sequence[dict[str, Any]] = ()
    verified: bool | None = None
    recipe_text: str = ""
    recipe_sha256: str = ""
    recipe_path: Path | None = None


def report_input(facts: Facts) -> ReportInput:
    """The report's input; see `core.report.compose`."""
    derived, recipe = facts.derived, facts.derived.recipe
    metadata = derived.metadata
    return ReportInput(
        program=PROGRAM,
        version=core.__version__,
        created=now(),
        records=derived.records,
        variables=len(metadata.variables),
        details=recipe.report,
        language=recipe.report.language or "en",
        files=_files(facts),
        weight=metadata.weight.name if metadata.weight else "",
        household_id=metadata.household_id.name if metadata.household_id else "",
        keys=tuple(_key(facts, name) for name in key_variables(recipe)),
        tables=tuple(_table(facts, index) for index in range(len(recipe.combinations))),
        recodes=tuple(_recode(derived, name, done) for name, done in derived.recodings.items()),
        suppression=_suppression(facts),
        measures=tuple(facts.measures),
        warnings=tuple(notice.text for notice in facts.notices),
        verified=facts.verified,
        unsafe_left=facts.protection.unsafe_left if facts.protection else 0,
        layout=_layout(facts),
        recipe_text=facts.recipe_text,
        recipe_sha256=facts.recipe_sha256,
    )


def now() -> datetime:
    """The time that outputs carry: that of SOURCE_DATE_EPOCH where the environment sets it, else now."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC).astimezone()


def key_variables(recipe: Recipe) -> tuple[str, ...]:
    """All variables that combinations use, in the order of their first use."""
    return tuple(dict.fromkeys(name for combination in recipe.combinations for name in combination.variables))


def _files(facts: Facts) -> tuple[NamedFile, ...]:
    source, output = facts.derived.recipe.input, facts.derived.recipe.output
    named = (
        ("data", source.data, facts.derived.microdata.source.sha256),
        ("metadata", source.metadata, ""),
        ("recipe", facts.recipe_path, facts.recipe_sha256),
        ("safe-data", output.data, ""),
        ("safe-metadata", output.metadata, ""),
        ("report", output.report, ""),
        ("summary", output.summary, ""),
        ("records", output.records, ""),
    )
    return tuple(NamedFile(role, path, sha) for role, path, sha in named if path is not None)  # type: ignore[arg-type]


def _key(facts: Facts, name: str) -> Key:
    derived = facts.derived
    variable: Variable = derived.metadata[name]
    column, original = derived.columns[name], derived.microdata.columns[name]
    plan = facts.protection.plan if facts.protection else None
    return Key(
        name=name,
        label=variable.label,
        categories=column.n_valid,
        categories_before=original.n_valid,
        missing_codes=column.n_missing_codes,
        household=variable.household,
        related=variable.related or "",
        suppression_weight=variable.suppression_weight,
        entropy=entropy(column),
        missing_before=int(column.counts[column.n_valid :].sum()),
        suppressed=plan.by_variable.get(name, 0) if plan else 0,
        suppressible=variable.suppressible,
    )


def _table(facts: Facts, index: int) -> TableFacts:
    combination = facts.derived.recipe.combinations[index]
    table = facts.derived.tables[index]
    before = facts.before.tables[index] if facts.before else None
    safe = staircase_after(table, facts.protection.plan) if table and facts.protection else None
    threshold = table.threshold if table else None
    now = table.staircase if table else None
    first = before.staircase if before else None
    edges = _edges([staircase for staircase in (first, now, safe) if staircase], threshold)
    return TableFacts(
        **_common(facts, combination, index),
        **(_risk_facts(table) if table else {}),
        original=_state(first, facts.cells_before[index], edges, threshold) if facts.before else None,
        recoded=_state(now, facts.cells[index], edges, threshold),
        **_after(facts, index, safe, edges, threshold),
        edges=edges,
        **_curve(facts, index),
    )


def _after(
    facts: Facts, index: int, safe: Staircase | None, edges: tuple[float, ...], threshold: float | None
) -> dict[str, Any]:
    """States of the written file: judged as it was protected, and counted by itself."""
    if safe is None or facts.protection is None:
        return {}
    names = facts.derived.recipe.combinations[index].variables
    cells = released_cells(facts.derived, names, facts.protection.plan)
    group = facts.after[index].get("group", {}) if facts.after else {}
    return {
        "safe": _state(safe, cells, edges, threshold),
        "released": State(individual=_figures_of(facts.after[index].get("released")) if facts.after else None),
        "group_max": group.get("max_risk"),
        "group_unsafe": group.get("unsafe_records"),
    }


def _figures_of(found: Mapping[str, Any] | None) -> Figures | None:
    if not found:
        return None
    risk = found["individual_risk"]
    return Figures(risk["max"], risk["expected_reidentifications"], risk["rate"], found.get("unsafe_records"))


def _common(facts: Facts, combination: Combination, index: int) -> dict[str, Any]:
    found = facts.derived.overviews[index].unsafe_by_dimension
    return {
        "variables": combination.variables,
        "model": combination.model,
        "missing_rule": combination.missing_rule,
        "alpha": combination.alpha,
        "estimator": combination.estimator,
        "count_threshold": combination.count_threshold,
        "k": combination.k,
        "unsafe_combinations": tuple(sorted(found.items())),
    }


def _risk_facts(table: RiskTable) -> dict[str, Any]:
    if not table.asked:
        return {"rate_observed": table.rate_observed}
    return {
        "threshold": table.threshold,
        "threshold_rate": table.staircase.rate_at(table.threshold),
        "actual_level": table.staircase.interval(table.threshold).low,
        "rate_observed": table.rate_observed,
    }


def _curve(facts: Facts, index: int) -> dict[str, Any]:
    known = facts.curves[index] if facts.curves else None
    if known is None:
        return {}
    thresholds, losses, exact = known
    return {"curve": tuple(zip(thresholds.tolist(), losses.tolist(), strict=True)), "curve_exact": exact}


def _state(staircase: Staircase | None, cells: Cells, edges: tuple[float, ...], threshold: float | None) -> State:
    return State(
        individual=figures(staircase, threshold) if staircase else None,
        cells=len(cells),
        sample_uniques=sample_uniques(cells),
        violations=KAnonymity.from_cells(cells.f, cells.count).profile(),
        histogram=histogram(staircase, edges) if staircase and edges else (),
    )


def figures(staircase: Staircase, threshold: float | None) -> Figures | None:
    """A staircase's figures; None where no record has a risk."""
    if not staircase.n:
        return None
    return Figures(
        staircase.max_risk, staircase.expected_reidentifications, staircase.rate, staircase.unsafe(threshold)
    )


def histogram(staircase: Staircase, edges: tuple[float, ...]) -> tuple[int, ...]:
    """Records in the classes between `edges`; what lies outside counts in the first or last class."""
    records = np.diff(staircase.cumulative_records, prepend=0)
    place = np.searchsorted(np.array(edges[1:-1]) * (1 - 1e-12), staircase.levels, "right")
    total = np.zeros(len(edges) - 1, np.int64)
    np.add.at(total, place, records)
    return tuple(total.tolist())


def _edges(staircases: Sequence[Staircase], threshold: float | None) -> tuple[float, ...]:
    """Class limits of equal width in log risk, over all of `staircases`, the threshold among them."""
    known = [staircase for staircase in staircases if staircase.n]
    if not known:
        return ()
    lowest, highest = min(s.min_risk for s in known), max(s.max_risk for s in known)
    if threshold is not None:
        lowest, highest = min(lowest, threshold), max(highest, threshold)
    anchor = lowest if threshold is None else threshold
    step = max(np.log(highest / lowest) / CLASSES, 1e-6)
    first = np.floor(np.log(lowest / anchor) / step - 1e-9)
    last = max(np.ceil(np.log(highest / anchor) / step + 1e-9), first + 1)
    places = np.arange(first, last + 1)
    return tuple(np.where(places == 0, anchor, anchor * np.exp(places * step)).tolist())


def _recode(derived: Derived, name: str, done: Recoding) -> RecodeFacts:
    codelist = done.codelist.name if done.codelist else ""
    column = done.column
    if done.kind == "truncate":
        return RecodeFacts(name, sentence=done.text, untouched=done.untouched, codelist=codelist)
    lines = tuple(
        (new.strip().strip('"'), derived.labels.get(name, {}).get(new.strip().strip('"'), ""), old.strip())
        for new, found, old in (line.partition(":") for line in done.text.splitlines())
        if found and not new.lstrip().startswith("<")
    )
    return RecodeFacts(
        name, lines=lines, missing=column.codes[column.n_valid :], untouched=done.untouched, codelist=codelist
    )


def _suppression(facts: Facts) -> SuppressionFacts | None:
    if facts.protection is None:
        return None
    asked, plan = facts.derived.recipe.suppression, facts.protection.plan
    if asked.criterion == "none":
        return SuppressionFacts("none", asked.mode)
    return SuppressionFacts(
        asked.criterion,
        asked.mode,
        plan.total,
        plan.records_touched,
        plan.loss,
        plan.entropy_loss,
        plan.lower_bound,
        plan.gap,
    )


def _layout(facts: Facts) -> Layout | None:
    if facts.layout is None:
        return None
    fixed = facts.layout.format == "fixed"
    kept = facts.layout.names
    return Layout(
        facts.layout.format,
        tuple(
            SafeVariable(v.name, v.label, v.start if fixed else None, v.length if fixed else None, v.decimals)
            for v in facts.layout.variables
        ),
        "" if fixed else facts.layout.delimiter,
        tuple(name for name in facts.derived.metadata.names if name not in kept),
    )
