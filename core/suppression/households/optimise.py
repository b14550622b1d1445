"""Suppression judged by the original file where records belong to households."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.suppression.costs import Costs
from core.suppression.households.choose import household_plan
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.individual import all_of, check_rule, optimise
from core.suppression.plan import Plan, merge
from core.suppression.problem import ProtectedTable, Rules, build_units, coupled


def optimise_households(
    tables: Sequence[ProtectedTable],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    homes: HouseholdProblem,
    progress: Progress = SILENT,
) -> Plan:
    """The suppressions of least loss after which every record and every household is below its thresholds.

    As `optimise`, but a household variable is suppressed for all members, and a table's household threshold is met
    by the rule of `homes`: under ``sufficient`` every member of an unsafe household with r_i >= t / size is brought
    below t / size ([P04] section 7.4.1); under ``exact`` the household's own risk is brought below t.

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
    return merge(plans, homes.households.records, costs)


def couples(group: Sequence[ProtectedTable], rules: Rules, homes: HouseholdProblem) -> bool:
    """Whether members of a household are coupled in these tables."""
    names = {name for table in group for key in table.cells.variables for name in rules.closure(key)}
    return bool(names & homes.variables) or any(table.household_threshold is not None for table in group)
