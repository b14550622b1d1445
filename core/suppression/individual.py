"""Least-loss suppression when every record is judged by the original file (mode ``original-counts``).

The risk of a record after suppression is that of its remaining values in the original file's marginal table, so
records do not influence one another: each unit takes the first candidate of the global order that meets the
threshold of every table concerned. That is the optimum. Records that no candidate makes safe are counted over all
tables before anything is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.errors import ProtectionError, RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..risk.individual import lowest_unsafe
from .costs import Costs
from .cover import UNSOLVED, RiskLimits, cover_records
from .margin_risks import MarginRisks
from .plan import Plan, ValueMasks, plan_of
from .prevent_inference import close_gaps
from .problem import ProtectedTable, RecordClasses, Rules, build_units

Found = TypeVar("Found")


class UnprotectableRecords(ProtectionError):
    """Records stay unsafe by some tables.

    Attributes
    ----------
    flags : (n,) bool, these records
    fixed : variables of the tables that may not be suppressed
    """

    flags: NDArray[np.bool_]
    fixed: tuple[str, ...]

    def about(self, flags: NDArray[np.bool_], fixed: Sequence[str]) -> UnprotectableRecords:
        """The same error, which says which records and variables it is about."""
        self.flags, self.fixed = flags, tuple(fixed)
        return self


def all_of(tasks: Iterable[Callable[[], Found]]) -> list[Found]:
    """What each of the tasks returns; where records stay unsafe in some, one refusal that counts those of all.

    Raises
    ------
    StayUnsafe
        After all tasks were tried.
    """
    found, refused = [], []
    for task in tasks:
        try:
            found.append(task())
        except UnprotectableRecords as error:
            refused.append(error)
    if refused:
        raise _together(refused)
    return found


def _together(refused: Sequence[UnprotectableRecords]) -> UnprotectableRecords:
    if len(refused) == 1:
        return refused[0]
    fixed = tuple(dict.fromkeys(name for error in refused for name in error.fixed))
    flags = np.logical_or.reduce([error.flags for error in refused])
    return UnprotectableRecords(
        "records-stay-unsafe" if fixed else "threshold-cannot-be-met",
        mark("{records} of {total} records stay unsafe, because {variables} may not be suppressed.")
        if fixed
        else mark("{records} of {total} records stay unsafe, even without all values that may be suppressed."),
        mark("Allow suppression of {variables}, recode more coarsely, or change counts or thresholds.")
        if fixed
        else mark("Recode more coarsely, or change counts or thresholds."),
        records=int(flags.sum()),
        total=len(flags),
        variables=", ".join(fixed),
    ).about(flags, fixed)


def check_rule(table: ProtectedTable) -> None:
    """Refuse a missing rule under which a suppressed value could not count as missing."""
    if table.cells.rule not in ("observed", "wildcard"):
        raise RecipeError(
            "suppression-missing-rule",
            mark(
                "Suppression judged by the original file is not possible under the missing rule {rule} "
                "of the combination {combination}."
            ),
            mark("Choose observed or wildcard."),
            rule=table.cells.rule,
            combination=" x ".join(table.cells.variables),
        )


def optimise(
    tables: tuple[ProtectedTable, ...],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    progress: Progress = SILENT,
    gapless: bool = False,
) -> Plan:
    """The suppressions of least loss after which every record is below the threshold of every table.

    Parameters
    ----------
    tables : coupled risk tables without a common key variable, missing rule ``observed`` or ``wildcard``; where
        `gapless` one only, that `core.suppression.prevent_inference.fits`
    columns : encoded columns after recoding: all keys, and the variables related to them
    costs, rules : what suppression costs, and what limits it
    progress : told, and asked to stop
    gapless : whether no value may be told by the rules; see `core.suppression.prevent_inference`

    Returns
    -------
    Plan
        Optimal by loss, then number of newly missing values, then the order of `core.suppression.candidates`; where
        `gapless`, with the loss of that one as its bound.

    Raises
    ------
    ProtectionError
        A threshold that even records without any key value do not meet; records that stay unsafe because variables
        may not be suppressed; a variable to be suppressed that has no missing code.
    """
    assert not gapless or len(tables) == 1
    units = build_units(tables, columns, costs, rules)
    risks = [MarginRisks(table, progress) for table in tables]
    limits = [lowest_unsafe(table.threshold) for table in tables]
    of_units = np.zeros(len(units.records), np.bool_)
    for table, risk, limit, cells in zip(tables, risks, limits, units.cells, strict=True):
        if table.threshold is not None:
            of_units |= risk.own()[cells] >= limit
    unsafe, newly = np.flatnonzero(of_units), np.zeros(len(of_units), np.uint64)
    if len(unsafe):
        for table, risk, limit in zip(tables, risks, limits, strict=True):
            if limit < np.inf:
                check_reachable(table, risk)
        check_missing_codes(units.variables, columns, rules)
        demands = RiskLimits(units, units.cells, risks, limits, True, progress)
        newly[unsafe] = cover_records(demands, units.missing, unsafe)
        left = newly == UNSOLVED
        if left.any():
            raise _stay_unsafe(units, left)
    plan = _carried_out(units, newly, columns, costs)
    if not (gapless and plan.total):
        return plan
    close_gaps(units, unsafe, risks[0], limits[0], newly, progress)
    closed = _carried_out(units, newly, columns, costs)
    return replace(closed, lower_bound=plan.loss, exact=closed.loss <= plan.loss and closed.total == plan.total)


def check_reachable(table: ProtectedTable, risks: MarginRisks) -> None:
    """Refuse a threshold that even records without any key value do not meet."""
    lowest = float(risks.of(0).risk[0])
    if lowest >= lowest_unsafe(table.threshold):
        raise ProtectionError(
            "threshold-cannot-be-met",
            mark(
                "The threshold {threshold} of the combination {combination} cannot be met: a record without any "
                "key value still has the risk {lowest}."
            ),
            mark("Choose a threshold above {lowest}."),
            threshold=table.threshold,
            lowest=lowest,
            combination=" x ".join(table.cells.variables),
        )


def check_missing_codes(names: Iterable[str], columns: Mapping[str, EncodedColumn], rules: Rules) -> None:
    """Refuse variables that may be suppressed but have no missing code."""
    for name in names:
        if name not in rules.fixed and columns[name].n_missing_codes == 0:
            raise ProtectionError(
                "no-missing-code",
                mark("The variable {variable} has no missing code, so its values cannot be suppressed."),
                mark("Declare a missing code for {variable}, or say that it may not be suppressed."),
                variable=name,
            )


def _stay_unsafe(units: RecordClasses, left: NDArray[np.bool_]) -> UnprotectableRecords:
    fixed = [name for v, name in enumerate(units.variables) if units.choices.fixed >> v & 1]
    thresholds = ", ".join(str(table.threshold) for table in units.tables if table.threshold is not None)
    return UnprotectableRecords(
        "records-stay-unsafe",
        mark(
            "{records} of {total} records cannot be brought below the threshold {thresholds}, because {variables} "
            "may not be suppressed."
        ),
        mark("Allow suppression of {variables}, recode more coarsely, or raise the threshold."),
        records=int(units.records[left].sum()),
        total=int(units.records.sum()),
        thresholds=thresholds,
        variables=", ".join(fixed),
    ).about(left[units.unit_of_record], fixed)


def _carried_out(
    units: RecordClasses, newly: NDArray[np.uint64], columns: Mapping[str, EncodedColumn], costs: Costs
) -> Plan:
    """The plan in which each unit suppresses the variables in its mask `newly`."""
    masks = ValueMasks(units.variables, newly).of_rows(units.unit_of_record)
    return plan_of(masks, columns, costs, 0.0, True)
