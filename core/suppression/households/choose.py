"""The plan of households whose members are coupled: by shared variables or by a household threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.errors import Notice
from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ..costs import Costs
from ..cover import Demands, RiskLimits, cover_households
from ..margin_risks import MarginRisks
from ..plan import Plan, ValueMasks, plan_of
from ..problem import ProtectedTable, RecordClasses, Rules, build_units
from .limits import check_protectable, without_choice
from .sharing import AffectedHouseholds, HouseholdProblem, Shared, affected_people, demand, shared


@dataclass(frozen=True, eq=False)
class Found:
    """What the records of households lose.

    Attributes
    ----------
    newly : (n,) uint64, masks of newly missing variables
    loss : what that costs
    bound : no choice that meets the demands has less loss
    exact : whether every household's choice is proven to be the best
    notices : what has to be said of those that are not
    """

    newly: NDArray[np.uint64]
    loss: float
    bound: float
    exact: bool
    notices: tuple[Notice, ...] = ()

    @classmethod
    def best(cls, newly: NDArray[np.uint64], loss: float) -> Found:
        """A choice that is proven to be the best."""
        return cls(newly, loss, loss, True)


def choose(
    units: RecordClasses, demands: Demands, people: AffectedHouseholds, joint: Shared,
    homes: HouseholdProblem, progress: Progress = SILENT,
) -> Found:  # fmt: skip
    """The best choice of each household.

    Parameters
    ----------
    demands : of the units of `people`, which are made of `units`
    joint : what can be suppressed for all members at once

    Raises
    ------
    ProtectionError
        ``households-without-choice``
    """
    found = cover_households(demands, people, joint, progress)
    stay = np.isinf(found.loss)
    if stay.any():
        raise without_choice(units, homes, _households_like(people, stay, homes))
    loss, proven = float((found.loss * people.times).sum()), not found.unproven.any()
    newly = people.to_records(found.newly, homes.households.records)
    return Found(newly, loss, loss if proven else float((found.bound * people.times).sum()), proven)


def household_plan(
    tables: tuple[ProtectedTable, ...],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    homes: HouseholdProblem,
    progress: Progress = SILENT,
) -> Plan:
    """The suppressions of least loss after which every record and every household is below its thresholds.

    As `core.suppression.individual.optimise`, but a household variable is suppressed for all members, and to meet a
    table's household threshold t every member of an unsafe household with r_i >= t / size is brought below t / size
    ([P04] section 7.4.1).

    Parameters
    ----------
    tables : coupled tables, as of `core.suppression.individual.optimise`

    Raises
    ------
    ProtectionError
        A threshold that cannot be met, naming how many households or records, which and why.
    """
    units = build_units(tables, columns, costs, rules)
    risks = [MarginRisks(table, progress) for table in tables]
    asked = demand(tables, risks, homes, progress)
    if not asked.affected.any():
        nothing = np.zeros(homes.households.records, np.uint64)
        return plan_of(ValueMasks(units.variables, nothing), columns, costs, 0.0, True)
    check_protectable(units, risks, asked, homes, columns, rules)
    joint = shared(units, rules, homes.variables)
    people = affected_people(units, asked, homes.households, progress)
    demands = RiskLimits(units, [cells[people.base] for cells in units.cells], risks, people.limits, progress=progress)
    found = choose(units, demands, people, joint, homes, progress)
    return plan_of(ValueMasks(units.variables, found.newly), columns, costs, 0.0, found.exact)


def _households_like(
    people: AffectedHouseholds, which: NDArray[np.bool_], homes: HouseholdProblem
) -> NDArray[np.bool_]:
    """The households of the file that are as those of `people`."""
    flags = np.repeat(which, people.size).astype(np.uint64)
    found = np.zeros(len(homes.households), np.bool_)
    records = np.flatnonzero(people.to_records(flags, homes.households.records))
    found[homes.households.household_of_record[records]] = True
    return found
