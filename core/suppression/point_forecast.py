"""What protection costs at one threshold, where no staircase says it: by released keys, and with gaps closed.

A search by released keys settles one threshold only, and closing gaps depends on all records that lose something. So
the plan of the one table is made at the threshold that is asked about, by the search that protects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, times_of
from .costs import Costs
from .forecast import Point
from .households.sharing import HouseholdProblem, couples
from .individual import UnprotectableRecords
from .joint.least_sizes import ReleasedRisks
from .joint.optimise import JointSettings, problem_of, releases
from .joint.problem import demands
from .joint.search import WithoutReleasedKey, gone_by
from .models import Models, optimise_models
from .plan import Plan
from .problem import ProtectedTable, Rules, build_units

WORK = 1 << 19
"""Cells times sets of keys up to which a release is searched for as far as the recipe asks."""
SHORT = 200
"""Effort of the search beyond that."""


def point_forecast(
    table: ProtectedTable,
    threshold: float | None,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: JointSettings,
    homes: HouseholdProblem | None = None,
    gapless: bool = False,
    progress: Progress = SILENT,
) -> Point:
    """The cost of protecting one table at `threshold`, by the search that makes the plan.

    Small tables are searched with the effort of `settings`: the figures are then those of the plan, unless the recipe
    asks for an exact solution. Large ones are searched with the effort `SHORT` at most.

    Parameters
    ----------
    table : its thresholds are those to be met; `threshold` is only noted in the result
    settings : of the recipe; `by_released_keys` says how records are judged
    gapless : whether no suppressed value may be inferred from the rules; only by the original file

    Raises
    ------
    RecipeError
        Members of households are coupled, in a file in parts; or too many keys to close gaps.
    ProtectionError
        A variable to be suppressed has no missing code.
    """
    size = len(table.cells) << min(len(table.cells.cards), 20)
    effort = settings.effort if size <= WORK else min(settings.effort, SHORT)
    settings = replace(settings, effort=effort, thorough=False, rows=None)
    coupled = homes is not None and couples((table,), rules, homes)
    if settings.by_released_keys and not coupled:
        return _released(table, threshold, columns, costs, rules, settings, progress)
    if coupled and not times_of(columns.values()).are_one:
        raise RecipeError(
            "no-forecast",
            mark("There is no forecast where members of a household are coupled in a file in parts."),
            mark("The plan itself says what it costs."),
        )
    try:
        plan = optimise_models(
            Models(risk=(table,)), columns, costs, rules, progress, homes, settings, gapless and not coupled
        )
    except (UnprotectableRecords, WithoutReleasedKey) as error:
        times = times_of(columns.values())
        left = times.count(error.flags) if isinstance(error, UnprotectableRecords) else int(error.values["records"])
        return _unmet(threshold, left, costs, ())
    return _of_plan(plan, threshold)


def _released(
    table: ProtectedTable,
    threshold: float | None,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: JointSettings,
    progress: Progress,
) -> Point:
    """By released keys where nobody's household decides: counts only, so that no record has to be drawn."""
    units = build_units((table,), columns, costs, rules)
    need = ReleasedRisks(table, progress).least_sizes()[units.cells[0]]
    problem = problem_of(units, costs, rules, demands(need, 0, settings.least_records))
    try:
        (found,) = releases([problem], settings, settings.reach(), progress)
    except WithoutReleasedKey as error:
        return _unmet(threshold, int(problem.records[error.units].sum()), costs, units.variables)
    gone = gone_by(problem, found)
    records = found.records.astype(np.int64)
    by_variable = {
        name: int(records[(gone >> np.uint64(v) & np.uint64(1)).astype(np.bool_)].sum())
        for v, name in enumerate(units.variables)
    }
    return Point(
        threshold=threshold,
        by_variable=by_variable,
        total=sum(by_variable.values()),
        records_touched=int(records[gone != 0].sum()),
        unsafe_left=0,
        loss=costs.loss(by_variable),
        entropy_loss=costs.entropy_loss(by_variable),
        exact=found.optimal,
    )


def _of_plan(plan: Plan, threshold: float | None) -> Point:
    return Point(
        threshold, plan.by_variable, plan.total, plan.records_touched, plan.unsafe_left, plan.loss, plan.entropy_loss,
        plan.exact,
    )  # fmt: skip


def _unmet(threshold: float | None, records: int, costs: Costs, names: tuple[str, ...]) -> Point:
    """What is said where no suppression meets the threshold for so many records."""
    nothing = dict.fromkeys(names, 0)
    return Point(threshold, nothing, 0, 0, records, costs.loss(nothing), costs.entropy_loss(nothing), False)
