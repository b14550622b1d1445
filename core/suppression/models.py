"""Suppression by several models at once: individual risk, threshold rule and k-anonymity, alone or together.

Tables that share no variable, not even one suppressed with a key, are protected apart. Individual risk tables that
share none with tables of another kind go to `core.suppression.individual`. For all others:

- *Threshold rule and individual risk* are judged record by record in the original file, and both say which sets of
  values may not remain together (`core.suppression.demands`). So each record's best suppression is a hitting set of
  least weight over all its tables' sets: exact, also where tables of both kinds share variables. Members of a
  household are decided together (`core.suppression.households.models`).
- *k-anonymity* (missing rule ``category``) depends on the whole released file and comes last: what a record lost for
  the other models stays lost, more may follow, which leaves the record safe by them. That is a heuristic. Whoever is
  rare in k-anonymity's sense must lose at least what brings the count of the remaining values in the *original* file
  to k, since released records of one key agree on what they keep; the hitting set of these and all other demands is
  the lower bound. For one table alone there is a better one (`core.suppression.k_anonymity`).

Ties: least loss within 1e-9, then fewest newly missing values, then the keys that come first, a record's keys being
ordered by their first appearance in the combinations. In a household loss and values are those of all members; given
what goes for all, each member takes its first choice, and of several sets that may go for all the one by which the keys
that go in any member come first. Where the household's own risk decides (rule ``exact``), loss and values alone do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from core.base.errors import ProtectionError, RecipeError
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn, Weights
from core.suppression.costs import Costs
from core.suppression.counts.optimise import CountsSettings, not_together, optimise_released_counts
from core.suppression.demands import UNSOLVED, Choices, Demands, hitting_sets, rare_demands, risk_demands, together
from core.suppression.households.gaps import GapDemands
from core.suppression.households.models import Found, Group, protect_households
from core.suppression.households.optimise import couples, optimise_households
from core.suppression.households.sharing import HouseholdProblem, spread
from core.suppression.individual import StayUnsafe, all_of, check_missing_codes, check_rule, gaps_coupled, optimise
from core.suppression.joint.optimise import JointSettings, optimise_released_keys, tables_share
from core.suppression.k_anonymity import KeyVariables, least_shares, make_k_anonymous
from core.suppression.plan import Plan, merge, plan_of
from core.suppression.problem import MAX_VARIABLES, ProtectedTable, Rules
from core.tables.margins import UnsafeSpec
from core.tables.tabulate import tabulate

Masks = NDArray[np.uint64]


@dataclass(frozen=True)
class Anonymous:
    """A table of which every key, missing values included, has to occur at least k times in the released file."""

    variables: tuple[str, ...]
    k: int


@dataclass(frozen=True, eq=False)
class Models:
    """The tables to protect, by model.

    Attributes
    ----------
    risk : individual risk tables
    rare : tables of the threshold rule
    anonymous : tables of k-anonymity
    order : all their variables in order of first appearance in the recipe's combinations
    """

    risk: tuple[ProtectedTable, ...] = ()
    rare: tuple[UnsafeSpec, ...] = ()
    anonymous: tuple[Anonymous, ...] = ()
    order: tuple[str, ...] = ()

    def tables(self) -> list[tuple[str, ...]]:
        """The variables of all tables."""
        return [
            *(table.cells.variables for table in self.risk),
            *(spec.variables for spec in self.rare),
            *(table.variables for table in self.anonymous),
        ]


def optimise_models(
    models: Models,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules | None = None,
    progress: Progress = SILENT,
    homes: HouseholdProblem | None = None,
    joint: JointSettings | None = None,
    gapless: bool = False,
    counts: CountsSettings | None = None,
    weights: Weights | None = None,
) -> Plan:
    """The suppressions after which every record is safe by every model.

    Parameters
    ----------
    models : the tables
    columns : encoded columns after recoding: all keys, and the variables related to them
    costs, rules : what suppression costs, and what limits it
    homes : the households, whose household variables go for all members or for none
    joint : where risk tables are judged by released keys; None: by the original file
    gapless : whether no value of a risk table may be told by the rules, where these judge by the original file
    counts, weights : where risk tables are judged by counts on the released file, and the records' weights

    Returns
    -------
    Plan
        Optimal without k-anonymity but for the limits of size in `core.suppression.households.models` and
        `core.suppression.households.choose`; else with a proven bound.

    Raises
    ------
    ProtectionError, RecipeError
        As `core.suppression.individual.optimise`; and where k-anonymity cannot be reached.
    """
    rules = rules or Rules()
    for table in models.risk:
        check_rule(table)
    groups = coupled_models(models, rules)
    for group in groups:
        if counts is not None and group.risk and (group.rare or group.anonymous):
            raise not_together(group.order)
        if joint is not None and group.risk and (group.rare or group.anonymous):
            raise tables_share(group.order)
        if gapless and group.risk and (group.rare or group.anonymous):
            raise gaps_coupled(group.order)
    alone = [table for group in groups if not group.rare and not group.anonymous for table in group.risk]
    several = [group for group in groups if group.rare or group.anonymous]
    tasks = [_Joint(group, columns, costs, rules, progress, homes).plan for group in several]
    if gapless and homes:
        in_homes = [table for table in alone if couples((table,), rules, homes)]
        alone = [table for table in alone if table not in in_homes]
        tasks += [_Joint(group, columns, costs, rules, progress, homes).plan_without_gaps for group in groups
                  if group.risk and group.risk[0] in in_homes]  # fmt: skip
    if joint is not None and alone:
        tasks.append(partial(optimise_released_keys, alone, columns, costs, rules, joint, homes, progress))
    elif counts is not None and alone:
        tasks.append(partial(optimise_released_counts, alone, columns, costs, rules, counts, weights, homes, progress))
    elif alone and homes and not gapless:
        tasks.append(partial(optimise_households, alone, columns, costs, rules, homes, progress))
    elif alone:
        tasks.append(partial(optimise, alone, columns, costs, rules, progress, gapless))
    plans = all_of(tasks)
    records = max((len(column.values) for column in columns.values()), default=0)
    return merge(plans, records, costs)


def coupled_models(models: Models, rules: Rules) -> list[Models]:
    """The tables in groups: those that share a variable, or couple through related ones, stand together."""
    found: list[tuple[set[str], Models]] = []
    parts = [
        *(Models(risk=(table,)) for table in models.risk),
        *(Models(rare=(spec,)) for spec in models.rare),
        *(Models(anonymous=(table,)) for table in models.anonymous),
    ]
    for part in parts:
        names = {name for key in part.tables()[0] for name in rules.closure(key)}
        touched = [group for group in found if group[0] & names]
        found = [group for group in found if not group[0] & names]
        members = [group[1] for group in touched] + [part]
        together_ = Models(
            tuple(table for member in members for table in member.risk),
            tuple(spec for member in members for spec in member.rare),
            tuple(table for member in members for table in member.anonymous),
        )
        found.append((names.union(*(group[0] for group in touched)), together_))
    used = [({name for table in group.tables() for name in table}, group) for _, group in found]
    return [replace(group, order=tuple(n for n in models.order if n in names)) for names, group in used]


class _Joint:
    """One group of coupled tables; bit v of every mask is ``names[v]``, keys first, then related variables."""

    def __init__(
        self, models: Models, columns: Mapping[str, EncodedColumn], costs: Costs, rules: Rules, progress: Progress,
        homes: HouseholdProblem | None = None,
    ) -> None:  # fmt: skip
        keys = models.order
        outside = tuple(dict.fromkeys(name for key in keys for name in rules.closure(key) if name not in keys))
        self._models, self._costs, self._rules, self._progress = models, costs, rules, progress
        self.names = keys + outside
        if len(self.names) > MAX_VARIABLES:
            raise _too_many(self.names)
        self._columns = {name: columns[name] for name in self.names}
        self._bits = {name: v for v, name in enumerate(self.names)}
        self._fixed = self._mask(name for name in self.names if name in rules.fixed)
        closures = tuple(self._mask(n for n in rules.closure(name) if n in self._bits) for name in self.names)
        prices = tuple(costs[name] for name in self.names)
        self._choices = Choices(len(keys), closures, prices, self._fixed)
        self._lacking = [column.values >= column.n_valid for column in self._columns.values()]
        self._homes = homes
        self._together = {v: closures[v] for v, name in enumerate(self.names) if homes and name in homes.variables}

    def _mask(self, names: Iterable[str]) -> int:
        return sum(1 << self._bits[name] for name in names)

    def plan(self) -> Plan:
        """The best plan that was found, and its bound."""
        parts = rare_demands(self._models.rare, self._columns, self._bits, self._progress)
        parts += [risk_demands(table, self._bits, self._progress) for table in self._models.risk]
        first = self._hit(parts)
        if not self._models.anonymous:
            return self._carried_out(first)
        for anonymous in self._models.anonymous:
            own = UnsafeSpec(anonymous.variables, anonymous.k - 1)
            parts += rare_demands([own], self._columns, self._bits, self._progress)
        bound = max(self._hit(parts).bound, self._bound_of_keys())
        found = [
            replace(first, newly=self._anonymised(first.newly, borrow), bound=bound, exact=False)
            for borrow in (True, False)
        ]
        plans = [self._carried_out(one) for one in found]
        return min(plans, key=lambda plan: (plan.loss, plan.total))

    def plan_without_gaps(self) -> Plan:
        """The plan of one risk table with household variables, after which the rules tell no value if that can be."""
        homes = self._homes
        assert homes is not None
        if len(self._models.risk) != 1 or self._models.risk[0].household_threshold is not None:
            raise gaps_coupled(self._models.order)
        risky = [risk_demands(table, self._bits, self._progress) for table in self._models.risk]
        shared = frozenset(name for key in homes.variables for name in self._rules.closure(key))
        more = GapDemands([self._columns[name] for name in self._models.order], shared, self._rules, self._progress)
        first = found = self._hit(risky)
        while more.grow(found.newly):
            found = self._hit([*risky, more.demands])
        return self._carried_out(replace(found, bound=first.bound, exact=first.exact and found.loss <= first.loss))

    def _bound_of_keys(self) -> float:
        """What one table of k-anonymity alone must cost at least, as its groups do; 0 where others judge as well."""
        models = self._models
        if models.risk or models.rare or len(models.anonymous) != 1:
            return 0.0
        (table,) = models.anonymous
        cells = tabulate([self._columns[name] for name in table.variables], None, "category", progress=self._progress)
        shares = least_shares(cells, table.k, [self._costs[name] for name in table.variables], self._progress)
        if shares is None or np.isinf(shares).any():
            return 0.0
        return math.fsum(shares * cells.count)

    def _hit(self, parts: Sequence[Demands]) -> Found:
        """What each record loses to meet all demands, and households their thresholds, at the least loss."""
        records = len(self._lacking[0])
        demands = together(parts, records, self._progress)
        newly = np.zeros(records, np.uint64)
        if len(demands.masks) > 1:
            check_missing_codes(self.names, self._columns, self._rules)
            newly = hitting_sets(demands, self._lacking, self._choices, self._progress)
            left = newly == UNSOLVED
            if left.any():
                raise self._stay_unsafe(left)
        homes = self._homes
        judged = any(table.household_threshold is not None for table in self._models.risk)
        if homes is None or not (judged or self._together):
            return Found.best(newly, self._loss(newly))
        group = Group(
            self.names, self._choices, self._lacking, self._columns, self._costs, self._rules, homes, self._progress
        )
        return protect_households(group, [demands], self._models.risk)

    def _anonymised(self, newly: Masks, borrow: bool) -> Masks:
        """More suppressions, table by table until none has a rare key."""
        newly = newly.copy()
        done = 0
        for table in cycle(self._models.anonymous):
            if done == len(self._models.anonymous):
                break
            lost = self._rare_keys_lost(table, newly, borrow)
            done = 0 if lost.any() else done + 1
            newly |= lost
            if self._homes is not None and self._together and lost.any():
                newly = spread(newly, self._together, self._lacking, self._homes.households)
        return newly

    def _rare_keys_lost(self, table: Anonymous, newly: Masks, borrow: bool) -> Masks:
        places = [self._bits[name] for name in table.variables]
        codes = [self._codes(v, newly) for v in places]
        found = make_k_anonymous(codes, self._keys(table, places), table.k, borrow=borrow, progress=self._progress)
        lost = np.zeros_like(newly)
        for j, v in enumerate(places):
            here = (found >> np.uint64(j) & np.uint64(1)).astype(np.bool_)
            for other, column in enumerate(self._lacking):
                if self._choices.closures[v] >> other & 1:
                    lost[here & ~column] |= np.uint64(1 << other)
        if lost.any():
            check_missing_codes(self.names, self._columns, self._rules)
        return lost & ~newly

    def _codes(self, v: int, newly: Masks) -> NDArray[np.uint32]:
        column = self._columns[self.names[v]]
        codes: NDArray[np.uint32] = np.minimum(column.values, column.n_valid).astype(np.uint32)
        codes[(newly >> np.uint64(v) & np.uint64(1)).astype(np.bool_)] = column.n_valid
        return codes

    def _keys(self, table: Anonymous, places: Sequence[int]) -> KeyVariables:
        """The table's keys as it sees them: bit j is its j-th variable."""
        closures = [self._choices.closures[v] for v in places]
        return KeyVariables(
            names=table.variables,
            cards=tuple(self._columns[name].n_valid for name in table.variables),
            closures=tuple(sum(1 << j for j, v in enumerate(places) if closure >> v & 1) for closure in closures),
            costs=tuple(sum(c for w, c in enumerate(self._choices.costs) if closure >> w & 1) for closure in closures),
            fixed=sum(1 << j for j, closure in enumerate(closures) if closure & self._fixed),
        )

    def _stay_unsafe(self, left: NDArray[np.bool_]) -> ProtectionError:
        fixed = [name for name in self.names if name in self._rules.fixed]
        if not fixed:  # only k-anonymity asks for more than losing every key: fewer than k records
            return ProtectionError(
                "records-stay-rare",
                mark("{records} of {total} records cannot be made k-anonymous."),
                mark("Choose a smaller k."),
                records=int(left.sum()),
                total=len(self._lacking[0]),
            )
        return StayUnsafe(
            "records-stay-unsafe",
            mark("{records} of {total} records stay unsafe, because {variables} may not be suppressed."),
            mark("Allow suppression of {variables}, recode more coarsely, or change counts or thresholds."),
            records=int(left.sum()),
            total=len(self._lacking[0]),
            variables=", ".join(fixed),
        ).about(left, fixed)

    def _loss(self, newly: Masks) -> float:
        return self._costs.loss(self._by_variable(newly))

    def _by_variable(self, newly: Masks) -> dict[str, int]:
        return {name: int(np.count_nonzero(newly >> np.uint64(v) & np.uint64(1))) for v, name in enumerate(self.names)}

    def _carried_out(self, found: Found) -> Plan:
        """The plan in which record i loses ``found.newly[i]``."""
        loss = self._loss(found.newly)
        exact = found.exact or (bool(self._models.anonymous) and loss <= found.bound * (1 + 1e-12))
        return plan_of(self.names, found.newly, self._lacking, self._costs, found.bound, exact, found.notices)


def _too_many(names: Sequence[str]) -> RecipeError:
    return RecipeError(
        "too-many-coupled-variables",
        mark("{number} variables share tables by which values are suppressed; at most {most} are possible: {names}."),
        mark("Use fewer variables, or tables that have none in common."),
        number=len(names),
        most=MAX_VARIABLES,
        names=", ".join(names),
    )
