"""Suppression judged by the original file where records belong to households."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ..costs import Costs
from ..individual import all_of, check_rule, optimise
from ..plan import Plan, merge
from ..problem import ProtectedTable, Rules, build_units, coupled
from .choose import household_plan
from .sharing import HouseholdProblem


def optimise_households(
    tables: Sequence[ProtectedTable],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    homes: HouseholdProblem,
    progress: Progress = SILENT,
) -> Plan:
    """The suppressions of least loss after which every record and every household is below its thresholds.

    As `optimise`, but a household variable is suppressed for all members, and to meet a table's household threshold t
    every member of an unsafe household with r_i >= t / size is brought below t / size ([P04] section 7.4.1).

    Raises
    ------
    ProtectionError
        ``households-unprotectable``, naming them; and what `optimise` refuses.
    RecipeError
        A missing rule that is for measuring only.
    """
    for table in tables:
        check_rule(table)

    def plan(group: tuple[ProtectedTable, ...]) -> Plan:
        if couples(group, rules, homes):
            units = build_units(group, columns, costs, rules)
            return household_plan(units, columns, costs, rules, homes, progress)
        return optimise(group, columns, costs, rules, progress)

    plans = all_of(partial(plan, group) for group in coupled(tables, rules))
    return merge(plans, costs)


def couples(group: Sequence[ProtectedTable], rules: Rules, homes: HouseholdProblem) -> bool:
    """Whether members of a household are coupled in these tables."""
    names = {name for table in group for key in table.cells.variables for name in rules.closure(key)}
    return bool(names & homes.variables) or any(table.household_threshold is not None for table in group)
