"""Suppression by released keys: the plan that follows from the joint search, for tables that share no variable.

Which records of a cell get which of its patterns of blanks is drawn at random, before anybody looks at weights: nothing
then tells the members of a released key apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...base.errors import Notice, ProtectionError, RecipeError
from ...base.progress import SILENT, Progress
from ...base.texts import mark
from ...data.columns import EncodedColumn
from ...risk.individual import lowest_unsafe
from ..costs import Costs
from ..households.limits import told_apart
from ..households.sharing import HouseholdProblem, couples, demand, shared
from ..individual import check_missing_codes
from ..margin_risks import MarginRisks
from ..plan import Plan, ValueMasks, merge, plan_of
from ..problem import ProtectedTable, RecordClasses, Rules, build_units
from ..record_draws import DrawnByPlace, RecordDraw
from ..search_budget import USUAL_EFFORT, SearchBudget
from .code_order import Ranks, in_code_order, ranked
from .exact import thoroughly
from .least_sizes import ReleasedRisks
from .member_choices import member_choices
from .problem import ReleaseProblem, demands
from .repair import repair
from .row_draws import Portions, RowDraws
from .search import ROUNDING, Assignment, AssignmentSearch, Effort, WithoutReleasedKey


@dataclass(frozen=True)
class JointSettings:
    """How a release is searched for.

    Attributes
    ----------
    effort : work, in thousandths of the usual one; >= 0
    seed : of the search
    thorough : whether small tables are solved exactly after the search
    least_records : every released key of a risk table has so many records at least; >= 1
    by_released_keys : whether risk tables are judged by released keys; else by the original file
    draw : by which numbers it is drawn which records of a cell lose which values
    rows : what was drawn where rows stand for several records; None: each row is a record
    usual : what the effort 1000 is
    """

    effort: int = USUAL_EFFORT
    seed: int = 1
    thorough: bool = False
    least_records: int = 1
    draw: RecordDraw = field(default_factory=DrawnByPlace)
    by_released_keys: bool = True
    rows: RowDraws | None = None
    usual: Effort = field(default_factory=Effort)

    def reach(self) -> SearchBudget:
        """How far searches go by these settings."""
        return SearchBudget(self.effort, self.thorough)


def optimise_released_keys(
    tables: Sequence[ProtectedTable],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: JointSettings,
    homes: HouseholdProblem | None = None,
    progress: Progress = SILENT,
    reach: SearchBudget | None = None,
) -> Plan:
    """Suppressions after which every key with records of an unsafe cell has as many records as that cell demands.

    Parameters
    ----------
    tables : risk tables that are not coupled, missing rule ``observed``
    columns : encoded columns after recoding: all keys, and the variables related to them
    costs, rules : what suppression costs, and what limits it
    homes : the households, whose household variables go for all members or for none
    reach : how far searches go; None: as the settings say

    Returns
    -------
    Plan
        The best that was found, with a proven bound.

    Raises
    ------
    ProtectionError
        Records that no released key can hold; a variable to be suppressed that has no missing code.
    """
    reach = reach or settings.reach()
    plans: dict[int, Plan] = {}
    waiting: dict[int, tuple[RecordClasses, ReleaseProblem]] = {}
    for place, table in enumerate(tables):
        if homes is not None and couples((table,), rules, homes):
            plans[place] = repair_households(table, columns, costs, rules, settings, homes, progress, reach)
            continue
        units, ranks = in_code_order(build_units((table,), columns, costs, rules), columns)
        need = ReleasedRisks(table, progress).least_sizes()[units.cells[0]]
        waiting[place] = units, problem_of(units, costs, rules, demands(need, 0, settings.least_records), ranks)
    try:
        found = releases([problem for _, problem in waiting.values()], settings, reach, progress)
    except WithoutReleasedKey as error:
        raise with_least_threshold(error, [tables[place] for place in waiting], rules, progress) from None
    for (place, (units, problem)), one in zip(waiting.items(), found, strict=True):
        plans[place] = _plan_of(one, problem, units, columns, costs, rules, settings, progress)
    return merge([plans[place] for place in range(len(tables))], costs)


def with_least_threshold(
    error: ProtectionError, tables: Sequence[ProtectedTable], rules: Rules, progress: Progress = SILENT
) -> ProtectionError:
    """The error with what stands against it: the first table whose threshold cannot be met, and the least that can."""
    for table in tables:
        lowest = ReleasedRisks(table, progress).least_reachable(rules.fixed)
        if table.threshold is None or lowest < lowest_unsafe(table.threshold):
            continue
        shown, enough = told_apart(table.threshold, lowest)
        return ProtectionError(
            error.id,
            mark(
                "{records} of {total} records cannot be released under a key that enough records share: the threshold "
                "{shown} of {combination} cannot be met."
            ),
            mark(
                "The least threshold that can be met is {enough}. Choose it or a higher one, allow suppression of more "
                "variables, or recode more coarsely."
            )
            if enough
            else mark("No threshold can be met as the file is. Allow suppression of more variables, or recode."),
            **error.values,
            shown=shown,
            enough=enough,
            combination=" x ".join(table.cells.variables),
            lowest=lowest,
        )
    return error


def repair_households(
    table: ProtectedTable,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: JointSettings,
    homes: HouseholdProblem,
    progress: Progress,
    reach: SearchBudget,
) -> Plan:
    """The same for one table where members of a household are coupled.

    Members of households at or above a household threshold t need what makes them safe at t / size, or at the table's
    own threshold if that is lower; the household's risk is then below t.
    """
    units, ranks = in_code_order(build_units((table,), columns, costs, rules), columns)
    found = demand((table,), [MarginRisks(table, progress)], homes, progress)
    if not found.affected.any() and settings.least_records <= 1:
        need = np.zeros(len(units.records), np.int32)
        problem = problem_of(units, costs, rules, need, ranks)
        (nothing,) = releases([problem], settings, reach, progress)
        return _plan_of(nothing, problem, units, columns, costs, rules, settings, progress)
    limits, limit_of_record = np.unique(found.limits[0], return_inverse=True)
    both = units.unit_of_record.astype(np.int64) * len(limits) + limit_of_record
    kinds, unit_of_record, records = np.unique(both, return_inverse=True, return_counts=True)
    base = kinds // len(limits)
    risks = ReleasedRisks(table, progress)
    need = risks.least_sizes_below(units.cells[0][base], limits[kinds % len(limits)])
    kept = problem_of(units, costs, rules, np.zeros(len(units.records), np.int32), ranks)
    problem = replace(
        kept,
        codes=[code[base] for code in kept.codes],
        records=records.astype(np.int32),
        need=demands(need, 0, settings.least_records),
        missing=kept.missing[base],
    )
    joint = shared(units, rules, homes.variables)
    choices = member_choices(problem, joint, progress)
    unit = unit_of_record.astype(np.int32)
    best = repair(
        problem,
        choices,
        unit,
        homes.households,
        lambda asked: settings.draw.numbers(asked, unit[asked], table.cells.variables, progress),
        joint.all,
        None,
        settings.seed,
        progress,
        reach,
    )
    if best.newly.any():
        check_missing_codes(units.variables, columns, rules)
    lent = best.newly & np.uint64(joint.all) != 0
    said = (_told_by_size(table, lent, homes),) if lent.any() else ()
    exact = best.loss <= best.bound * (1 + 2 * ROUNDING) + 1e-9
    return plan_of(ValueMasks(units.variables, best.newly), columns, costs, best.bound, exact, said)


def _told_by_size(table: ProtectedTable, lent: NDArray[np.bool_], homes: HouseholdProblem) -> Notice:
    # A household variable costs a value of each member, so single persons lend wherever there are any.
    alone = homes.households.size[homes.households.household_of_record] == 1
    return Notice.of(
        "lenders-told-by-size",
        mark(
            "{combination}: household variables are suppressed for all members, so that mostly single persons lend "
            "themselves to a key: of the {records} records that lost one, {alone} % live alone; of all records "
            "{usual} % do. Whoever sees how many members a household has can often tell which suppressed values "
            "were unsafe. Make the household size a key variable, remove the household identifier, or judge by the "
            "original file."
        ),
        combination=" x ".join(table.cells.variables),
        records=int(lent.sum()),
        alone=round(100 * float(alone[lent].mean())),
        usual=round(100 * float(alone.mean())),
    )


def problem_of(
    units: RecordClasses, costs: Costs, rules: Rules, need: NDArray[np.int32], ranks: Ranks | None = None
) -> ReleaseProblem:
    """The units of one table as the joint search takes them; `need` by unit, `ranks` of the codes of each key."""
    (cells,) = (table.cells for table in units.tables)
    bits = {name: 1 << v for v, name in enumerate(units.variables)}
    return ReleaseProblem(
        [
            ranked(code[units.cells[0]].astype(np.uint32, copy=False), each)
            for code, each in zip(cells.codes, ranks or [None] * len(cells.codes), strict=True)
        ],
        cells.cards,
        units.records.astype(np.int32),
        need,
        [costs[name] for name in units.variables],
        [sum(bits.get(other, 0) for other in rules.closure(name)) for name in units.variables],
        units.missing,
        sum(bit for name, bit in bits.items() if name in rules.fixed),
    )


def _plan_of(
    found: Assignment,
    problem: ReleaseProblem,
    units: RecordClasses,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: JointSettings,
    progress: Progress = SILENT,
) -> Plan:
    """The plan of a release of `problem`, the records of each unit drawn at random."""
    if found.blanks:
        check_missing_codes(units.variables, columns, rules)
    keys = units.variables[: len(problem.codes)]
    newly = drawn(found, problem, units.unit_of_record, settings, keys, progress=progress)
    return plan_of(
        ValueMasks(units.variables, newly), columns, costs, found.bound, found.optimal, few_suppressions(found, keys)
    )


def releases(
    problems: Sequence[ReleaseProblem], settings: JointSettings, reach: SearchBudget, progress: Progress = SILENT
) -> list[Assignment]:
    """The releases that are found for problems which go on side by side.

    Raises
    ------
    ProtectionError
        As `core.suppression.joint.search.AssignmentSearch`.
    SearchAgain
        As `reach` says.
    """

    def search() -> list[Assignment]:
        parts = [
            AssignmentSearch(problem, settings.usual, settings.seed, reach.effort, progress) for problem in problems
        ]
        reach.search(parts, progress)
        found = [part.finish(reach.effort, progress) for part in parts]
        return reach.solve(problems, found, lambda one, best: thoroughly(one, best, stop=reach.stop, progress=progress))

    if settings.rows is None:
        return search()
    return settings.rows.releases(problems, settings.seed, reach, search)


def few_suppressions(found: Assignment, keys: Sequence[str]) -> tuple[Notice, ...]:
    """What has to be said of a release for which not all sets of keys were looked at."""
    if found.complete:
        return ()
    said = Notice.of(
        "few-blanks-tried",
        mark(
            "{combination}: of its {number} variables a record loses at most {most}, or the cheapest ones or all; "
            "other sets are too many to be tried. The lower bound holds for them, too."
        ),
        combination=" x ".join(keys),
        number=len(keys),
        most=found.most,
    )
    return (said,)


def drawn(
    found: Assignment,
    problem: ReleaseProblem,
    unit_of_record: NDArray[np.unsignedinteger],
    settings: JointSettings,
    variables: Sequence[str],
    turn: int = 0,
    progress: Progress = SILENT,
) -> NDArray[np.uint64]:
    """What every record loses, (n,) masks: each unit's records take its patterns one by one, in the order drawn.

    Parameters
    ----------
    variables : of the combination
    turn : what tells draws for the same combination from each other

    Raises
    ------
    RowsToDraw
        As `settings.rows` says, where rows stand for several records.
    """
    if settings.rows is not None:
        return settings.rows.lost(found, problem, unit_of_record, variables, turn)

    def numbers(asked: NDArray[np.int64]) -> NDArray[np.uint64]:
        return settings.draw.numbers(asked, unit_of_record[asked], variables, progress)

    return Portions.of(found, problem).of_records(unit_of_record, numbers)


def refuse_households(table: ProtectedTable, rules: Rules, homes: HouseholdProblem | None) -> None:
    """Refuse a table that is coupled with others where households have a say."""
    if homes is None or not couples((table,), rules, homes):
        return
    names = (name for key in table.cells.variables for name in rules.closure(key) if name in homes.variables)
    raise RecipeError(
        "released-keys-households",
        mark("Where members of a household are coupled ({names}), suppression judged by released keys takes no "
             "combinations that share variables in this version."),
        mark('Put them into one combination, or choose mode = "original-counts".'),
        names=", ".join(dict.fromkeys(names)) or ", ".join(table.cells.variables),
    )  # fmt: skip
