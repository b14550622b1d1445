"""The plan of suppression judged by the released file, a blank matching anything: for comparison only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice, RecipeError
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn, Weights
from core.suppression.costs import Costs
from core.suppression.counts.problem import CountsProblem, CountsTable, Rule, build, ways_of
from core.suppression.counts.search import Losses, losses_of
from core.suppression.households.optimise import couples
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.individual import StayUnsafe, check_missing_codes
from core.suppression.plan import Plan, merge, plan_of
from core.suppression.problem import ProtectedTable, Rules, build_units, coupled
from core.suppression.reach import Reach


@dataclass(frozen=True)
class CountsSettings:
    """How the blanks are searched for.

    Attributes
    ----------
    effort : work, in thousandths of the usual one; >= 0
    seed : of the search
    most : values that one record may lose; more only where nothing else makes a record safe
    thorough : whether small tables are solved exactly after the search
    """

    effort: int = 1000
    seed: int = 1
    most: int = 1
    thorough: bool = False

    def reach(self) -> Reach:
        """How far searches go by these settings."""
        return Reach(self.effort, self.thorough)


def optimise_released_counts(
    tables: Sequence[ProtectedTable],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: CountsSettings,
    weights: Weights | None,
    homes: HouseholdProblem | None = None,
    progress: Progress = SILENT,
    reach: Reach | None = None,
) -> Plan:
    """Suppressions after which every record is below the threshold, counted in the released file.

    Parameters
    ----------
    tables : risk tables without a common key variable, missing rule ``wildcard``
    columns : encoded columns after recoding: all keys, and the variables related to them
    costs, rules : what suppression costs, and what limits it
    weights : of the records; None: every record is for itself
    reach : how far searches go; None: as the settings say

    Raises
    ------
    RecipeError
        Tables coupled by a relation; household variables among the keys, or a household threshold.
    StayUnsafe
        Records that are too rare by whatever they keep.
    """
    asked = []
    for group in coupled(tables, rules):
        names = [name for table in group for name in table.cells.variables]
        if len(group) > 1 or (homes is not None and couples(group, rules, homes)):
            raise not_together(names)
        asked.append(_Asked(group[0], columns, costs, rules, settings, weights, progress))
    problems = [one.problem for one in asked if one.problem is not None]
    found = iter(losses_of(problems, settings.seed, reach or settings.reach(), progress))
    plans = [one.plan(None if one.problem is None else next(found)) for one in asked]
    return merge(plans, len(tables[0].cell_index) if tables else 0, costs)


def not_together(names: Sequence[str]) -> RecipeError:
    """The error of tables that are coupled, or whose variables go for all members of a household."""
    return RecipeError(
        "released-counts-coupled",
        mark("Suppression judged by the released file takes risk tables one by one; these variables are in households "
             "or are coupled with other tables: {names}."),
        mark('Choose mode = "original-counts".'),
        names=", ".join(dict.fromkeys(names)),
    )  # fmt: skip


class _Asked:
    """What is asked of one table, and the plan that answers it."""

    def __init__(
        self, table: ProtectedTable, columns: Mapping[str, EncodedColumn], costs: Costs, rules: Rules,
        settings: CountsSettings, weights: Weights | None, progress: Progress,
    ) -> None:  # fmt: skip
        cells, of_record = table.cells, table.cell_index.of_record
        self._columns, self._costs, self._rules, self._most = columns, costs, rules, settings.most
        units = build_units((table,), columns, costs, rules)
        self._names, self._keys, self._of_record = units.variables, units.n_keys, of_record
        bits = {name: 1 << v for v, name in enumerate(self._names)}
        self._closures = [sum(bits.get(other, 0) for other in rules.closure(name)) for name in self._names]
        self.problem: CountsProblem | None = None
        if table.threshold is not None:
            fixed = sum(bit for name, bit in bits.items() if name in rules.fixed)
            ways = ways_of([costs[name] for name in self._names], self._closures, units.n_keys, fixed)
            people, rule = _in_people(weights, len(of_record)), Rule.by_risk(table.threshold, progress)
            codes = [code.astype(np.uint32, copy=False) for code in cells.codes]
            asked = codes, cells.cards, of_record, cells.f, cells.F, people, rule, ways, settings.most
            self.problem = build(CountsTable(*asked), progress)

    def plan(self, found: Losses | None) -> Plan:
        """The plan by which records lose what was found, if anything was asked."""
        names, of_record = self._names, self._of_record
        lacking = [self._columns[name].values >= self._columns[name].n_valid for name in names]
        newly = np.zeros(len(of_record), np.uint64)
        if found is None:
            return plan_of(names, newly, lacking, self._costs, 0.0, True)
        if found.left.any():
            raise _too_rare(found.left[of_record], names, self._rules)
        if found.lost.any():
            check_missing_codes(names, self._columns, self._rules)
        for j in range(self._keys):
            newly[found.lost >> j & 1 == 1] |= np.uint64(self._closures[j])
        for v, flags in enumerate(lacking):
            newly[flags] &= ~np.uint64(1 << v)
        # What is missing already costs nothing more, which the search does not know.
        bound = 0.0 if any(flags.any() for flags in lacking) else found.bound
        exact = not found.lost.any() or (bound > 0 and found.optimal)
        said = tuple(_beyond(found.beyond, self._most))
        return plan_of(names, newly, lacking, self._costs, bound, exact, said)


def _in_people(weights: Weights | None, records: int) -> NDArray[np.float64]:
    return np.ones(records) if weights is None else weights.as_floats()


def _too_rare(flags: NDArray[np.bool_], names: Sequence[str], rules: Rules) -> StayUnsafe:
    fixed = tuple(name for name in names if name in rules.fixed)
    return StayUnsafe(
        "records-stay-unsafe",
        mark("{records} of {total} records stay unsafe by whatever they keep."),
        mark("Allow suppression of more variables, recode more coarsely, or raise the threshold."),
        records=int(flags.sum()),
        total=len(flags),
    ).about(flags, fixed)


def _beyond(records: int, most: int) -> list[Notice]:
    if not records:
        return []
    return [
        Notice.of(
            "more-than-max-per-record",
            mark("{records} records lose more than {most} values (max_per_record): fewer do not make them safe."),
            records=records,
            most=most,
        )
    ]
