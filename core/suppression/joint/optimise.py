"""Suppression by released keys: the plan that follows from the joint search, for tables that share no variable.

Which records of a cell get which of its patterns of blanks is drawn at random, before anybody looks at weights: nothing
then tells the members of a released key apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice, RecipeError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.data.columns import EncodedColumn
from core.suppression.costs import Costs
from core.suppression.households.choose import sufficient_instead
from core.suppression.households.optimise import couples
from core.suppression.households.sharing import HouseholdProblem, demand, shared
from core.suppression.individual import check_missing_codes
from core.suppression.joint.exact import thoroughly
from core.suppression.joint.least_sizes import ReleasedRisks
from core.suppression.joint.member_choices import member_choices
from core.suppression.joint.problem import ReleaseProblem, demands
from core.suppression.joint.repair import Members, repair
from core.suppression.joint.search import ROUNDING, Effort, Release, lost_in_order, release
from core.suppression.margin_risks import MarginRisks
from core.suppression.plan import Plan, merge, plan_of
from core.suppression.problem import ProtectedTable, RecordClasses, Rules, build_units

USUAL_EFFORT = 1000


@dataclass(frozen=True)
class JointSettings:
    """How a release is searched for.

    Attributes
    ----------
    effort : work, in thousandths of the usual one (`core.suppression.joint.search.Effort`); >= 0
    seed : of the search
    thorough : whether small tables are solved exactly after the search
    least_records : every released key of a risk table has so many records at least; >= 1
    by_released_keys : whether risk tables are judged by released keys; else by the original file
    draw : what it is drawn from which records of a cell lose which values; whole numbers >= 0
    """

    effort: int = USUAL_EFFORT
    seed: int = 1
    thorough: bool = False
    least_records: int = 1
    draw: tuple[int, ...] = (1,)
    by_released_keys: bool = True

    @property
    def work(self) -> Effort:
        """The effort in rounds."""
        usual = Effort()
        return Effort(
            usual.rounds * self.effort // USUAL_EFFORT,
            usual.rounds_each * self.effort // USUAL_EFFORT,
            max(1, usual.prices * self.effort // USUAL_EFFORT),
            usual.groups,
        )


def optimise_released_keys(
    tables: Sequence[ProtectedTable],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: JointSettings,
    homes: HouseholdProblem | None = None,
    progress: Progress = SILENT,
) -> Plan:
    """Suppressions after which every key with records of an unsafe cell has as many records as that cell demands.

    Parameters
    ----------
    tables : risk tables that are not coupled, missing rule ``observed``
    columns : encoded columns after recoding: all keys, and the variables related to them
    costs, rules : what suppression costs, and what limits it
    homes : the households, whose household variables go for all members or for none; a household threshold is met by
        the rule ``sufficient``

    Returns
    -------
    Plan
        The best that was found, with a proven bound.

    Raises
    ------
    ProtectionError
        Records that no released key can hold; a variable to be suppressed that has no missing code.
    """
    plans = []
    for table in tables:
        if homes is not None and couples((table,), rules, homes):
            plans.append(repair_households(table, columns, costs, rules, settings, homes, progress))
            continue
        units = build_units((table,), columns, costs, rules)
        need = ReleasedRisks(table, progress).least_sizes()[units.cells[0]]
        problem = problem_of(units, costs, rules, demands(need, 0, settings.least_records))
        plans.append(plan_by_released_keys(problem, units, columns, costs, rules, settings, progress))
    return merge(plans, len(tables[0].cell_index) if tables else 0, costs)


def repair_households(
    table: ProtectedTable,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: JointSettings,
    homes: HouseholdProblem,
    progress: Progress = SILENT,
) -> Plan:
    """The same for one table where members of a household are coupled.

    Members of households at or above a household threshold t need what makes them safe at t / size, or at the table's
    own threshold if that is lower; the household's risk is then below t.
    """
    units = build_units((table,), columns, costs, rules)
    found = demand((table,), [MarginRisks(table, progress)], homes, progress)
    if not found.affected.any() and settings.least_records <= 1:
        need = np.zeros(len(units.records), np.int32)
        return plan_by_released_keys(problem_of(units, costs, rules, need), units, columns, costs, rules, settings)
    limits, limit_of_record = np.unique(found.limits[0], return_inverse=True)
    both = units.unit_of_record.astype(np.int64) * len(limits) + limit_of_record
    kinds, unit_of_record, records = np.unique(both, return_inverse=True, return_counts=True)
    base = kinds // len(limits)
    risks = ReleasedRisks(table, progress)
    need = risks.least_sizes_below(units.cells[0][base], limits[kinds % len(limits)])
    kept = problem_of(units, costs, rules, np.zeros(len(units.records), np.int32))
    problem = replace(
        kept,
        codes=[code[base] for code in kept.codes],
        records=records.astype(np.int32),
        need=demands(need, 0, settings.least_records),
        missing=kept.missing[base],
    )
    joint = shared(units, rules, homes.variables)
    choices = member_choices(problem, joint, progress)
    members = Members.drawn(unit_of_record.astype(np.int32), homes.households, settings.draw)
    best = repair(problem, choices, members, joint.all, settings.work, settings.seed, progress)
    if best.newly.any():
        check_missing_codes(units.variables, columns, rules)
    lacking = [columns[name].values >= columns[name].n_valid for name in units.variables]
    said: tuple[Notice, ...] = ()
    if homes.rule == "exact" and (unsafe := found.unsafe_households[0]).any():
        said = (_sufficient(unsafe, homes),)
    if (lent := best.newly & np.uint64(joint.all) != 0).any():
        said += (_told_by_size(table, lent, homes),)
    exact = best.loss <= best.bound * (1 + 2 * ROUNDING) + 1e-9
    return plan_of(units.variables, best.newly, lacking, costs, best.bound, exact, said)


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


def _sufficient(unsafe: NDArray[np.bool_], homes: HouseholdProblem) -> Notice:
    reason = translate(mark("judged by released keys"))
    return sufficient_instead(int(unsafe.sum()), int(homes.households.size[unsafe].sum()), reason)


def problem_of(units: RecordClasses, costs: Costs, rules: Rules, need: NDArray[np.int32]) -> ReleaseProblem:
    """The units of one table as the joint search takes them; `need` by unit."""
    (cells,) = (table.cells for table in units.tables)
    bits = {name: 1 << v for v, name in enumerate(units.variables)}
    return ReleaseProblem(
        [code[units.cells[0]] for code in cells.codes],
        cells.cards,
        units.records.astype(np.int32),
        need,
        [costs[name] for name in units.variables],
        [sum(bits.get(other, 0) for other in rules.closure(name)) for name in units.variables],
        units.missing,
        sum(bit for name, bit in bits.items() if name in rules.fixed),
    )


def plan_by_released_keys(
    problem: ReleaseProblem,
    units: RecordClasses,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: JointSettings,
    progress: Progress = SILENT,
) -> Plan:
    """The plan of the release that is found for `problem`, the records of each unit drawn at random."""
    found, newly = released_records(problem, units.unit_of_record, settings, progress)
    if found.blanks:
        check_missing_codes(units.variables, columns, rules)
    lacking = [columns[name].values >= columns[name].n_valid for name in units.variables]
    keys = units.variables[: len(problem.codes)]
    return plan_of(units.variables, newly, lacking, costs, found.bound, found.optimal, few_blanks(found, keys))


def released_records(
    problem: ReleaseProblem,
    unit_of_record: NDArray[np.unsignedinteger],
    settings: JointSettings,
    progress: Progress = SILENT,
) -> tuple[Release, NDArray[np.uint64]]:
    """The release that is found for `problem`, and what every record loses by it, (n,) masks.

    Raises
    ------
    ProtectionError
        As `core.suppression.joint.search.release`.
    """
    found = release(problem, settings.work, settings.seed, progress)
    if settings.thorough:
        found = thoroughly(problem, found, progress=progress)
    return found, _drawn(found, problem, unit_of_record, settings.draw)


def few_blanks(found: Release, keys: Sequence[str]) -> tuple[Notice, ...]:
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


def _drawn(
    found: Release, problem: ReleaseProblem, unit_of_record: NDArray[np.unsignedinteger], draw: tuple[int, ...]
) -> NDArray[np.uint64]:
    """What every record loses, (n,) masks: each unit's records are shuffled, then take its patterns one by one."""
    order = np.random.default_rng(draw).permutation(len(unit_of_record))
    return lost_in_order(found, problem, order[np.argsort(unit_of_record[order], kind="stable")])


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
