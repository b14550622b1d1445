"""Suppression by several models at once: individual risk, threshold rule and k-anonymity, alone or together.

Tables that share no variable, not even one suppressed with a key, are protected apart. Individual risk tables that
share none with tables of another kind go to `core.suppression.individual`, those in which members of a household are
coupled to `core.suppression.households.choose`: the candidates are tried in their order. For all others:

- *Threshold rule and individual risk* are judged record by record in the original file, and both say which sets of
  values may not remain together (`core.suppression.unsafe_sets`). So each record's best suppression is a hitting set of
  least weight over all its tables' sets: exact, also where tables of both kinds share variables. Members of a
  household are decided together (`core.suppression.households.models`). It is what the order of candidates would find,
  and one engine finds both (`core.suppression.cover`).
- *k-anonymity* (missing rule ``category``), and individual risk where it is judged by released keys, depend on the
  whole released file and come last: what a record lost for the other models stays lost, more may follow, which leaves
  the record safe by them. A joint search with a proven bound (`core.suppression.joint`); several such tables take
  turns (`core.suppression.joint.tables`).

Ties: least loss within 1e-9, then fewest newly missing values, then the keys that come first, a record's keys being
ordered by their first appearance in the combinations. In a household loss and values are those of all members; given
what goes for all, each member takes its first choice, and of several sets that may go for all the one by which the keys
that go in any member come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..base.errors import ProtectionError, RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, times_of
from ..tables.margins import UnsafeSpec
from .candidates import Choices
from .costs import Costs
from .cover import UNSOLVED, SetsToHit, cover_records
from .criteria.whole_file import WholeFileCriterion
from .households.choose import Found, household_plan
from .households.models import Group, protect_households
from .households.prevent_inference import InferableSets
from .households.sharing import HouseholdProblem, couples, spread
from .individual import UnprotectableRecords, all_of, check_missing_codes, check_rule, optimise
from .joint.code_order import code_ranks, ranked
from .joint.least_sizes import ReleasedRisks
from .joint.optimise import (
    JointSettings,
    optimise_released_keys,
    refuse_households,
    with_least_threshold,
)
from .joint.problem import MOST_KEYS, demands
from .joint.search import ROUNDING
from .joint.tables import KeyTable, KeyTables, RecordsWithoutKey, SuppressibleVariables
from .plan import Plan, ValueMasks, merge, plan_of
from .prevent_inference import fits
from .problem import MAX_VARIABLES, ProtectedTable, Rules
from .search_budget import SearchBudget
from .unsafe_sets import UnsafeSets, key_demands, rare_demands, risk_demands, together

Masks = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Models:
    """The tables to protect, by model.

    Attributes
    ----------
    risk : individual risk tables
    rare : tables of the threshold rule
    whole_file : tables by which the whole released file is judged
    order : all their variables in order of first appearance in the recipe's combinations
    """

    risk: tuple[ProtectedTable, ...] = ()
    rare: tuple[UnsafeSpec, ...] = ()
    whole_file: tuple[WholeFileCriterion, ...] = ()
    order: tuple[str, ...] = ()

    def tables(self) -> list[tuple[str, ...]]:
        """The variables of all tables."""
        return [
            *(table.cells.variables for table in self.risk),
            *(spec.variables for spec in self.rare),
            *(table.variables for table in self.whole_file),
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
    reach: SearchBudget | None = None,
) -> Plan:
    """The suppressions after which every record is safe by every model.

    Parameters
    ----------
    models : the tables
    columns : encoded columns after recoding: all keys, and the variables related to them
    costs, rules : what suppression costs, and what limits it
    homes : the households, whose household variables go for all members or for none
    joint : how releases are searched for, and whether risk tables are judged by released keys; None: as usual, and
        by the original file
    gapless : whether no value may be told by the rules, where records are judged by the original file
    reach : how far searches go; None: as `joint` says

    Returns
    -------
    Plan
        Optimal without k-anonymity and released keys but for the limits of size in
        `core.suppression.cover.cover_households`; else with a proven bound.

    Raises
    ------
    ProtectionError, RecipeError
        As `core.suppression.individual.optimise`; and where k-anonymity or a released key cannot be reached.
    SearchAgain
        As `reach` says.
    """
    rules = rules or Rules()
    for table in models.risk:
        check_rule(table)
    joint = joint or JointSettings(by_released_keys=False)
    reach = reach or joint.reach()
    released = joint.by_released_keys
    groups = coupled_models(models, rules)
    for group in groups:
        if gapless and group.risk and group.whole_file:
            raise _gaps_of_whole_file(group.order)
    by_candidates = [group for group in groups if _is_by_candidates(group, rules, homes, released, gapless)]
    tasks: list[Callable[[], Plan]] = [
        _Joint(group, columns, costs, rules, joint, progress, homes, reach, gapless).plan
        for group in groups
        if group not in by_candidates
    ]

    def plan(tables: tuple[ProtectedTable, ...]) -> Plan:
        if homes and couples(tables, rules, homes):
            return household_plan(tables, columns, costs, rules, homes, progress)
        return optimise(tables, columns, costs, rules, progress, gapless)

    alone = sorted(([models.risk.index(table) for table in group.risk] for group in by_candidates), key=min)
    in_order = [tuple(models.risk[place] for place in sorted(places)) for places in alone]
    if released and alone:
        tables = [table for (table,) in in_order]
        tasks.append(partial(optimise_released_keys, tables, columns, costs, rules, joint, homes, progress, reach))
    elif alone:
        tasks.append(lambda: merge(all_of(partial(plan, tables) for tables in in_order), costs))
    return merge(_all_in_records(tasks, columns), costs, times_of(columns.values()))


def _is_by_candidates(
    group: Models, rules: Rules, homes: HouseholdProblem | None, released: bool, gapless: bool
) -> bool:
    """Whether a group is of risk tables only, and decided without unsafe sets: by the order of candidates."""
    if group.rare or group.whole_file or (released and len(group.risk) > 1):
        return False
    if not gapless:
        return True
    return len(group.risk) == 1 and fits(group.risk[0]) and not (homes and couples(group.risk, rules, homes))


def _all_in_records(tasks: Iterable[Callable[[], Plan]], columns: Mapping[str, EncodedColumn]) -> list[Plan]:
    """The plans of all tasks; who stays unsafe is counted in the records that the rows of `columns` stand for."""
    try:
        return all_of(tasks)
    except UnprotectableRecords as error:
        times = times_of(columns.values())
        if not times.are_one:
            error.values |= {"records": times.count(error.flags), "total": times.total(len(error.flags))}
        raise


def coupled_models(models: Models, rules: Rules) -> list[Models]:
    """The tables in groups: those that share a variable, or couple through related ones, stand together."""
    found: list[tuple[set[str], Models]] = []
    parts = [
        *(Models(risk=(table,)) for table in models.risk),
        *(Models(rare=(spec,)) for spec in models.rare),
        *(Models(whole_file=(table,)) for table in models.whole_file),
    ]
    for part in parts:
        names = {name for key in part.tables()[0] for name in rules.closure(key)}
        touched = [group for group in found if group[0] & names]
        found = [group for group in found if not group[0] & names]
        members = [group[1] for group in touched] + [part]
        together_ = Models(
            tuple(table for member in members for table in member.risk),
            tuple(spec for member in members for spec in member.rare),
            tuple(table for member in members for table in member.whole_file),
        )
        found.append((names.union(*(group[0] for group in touched)), together_))
    used = [({name for table in group.tables() for name in table}, group) for _, group in found]
    return [replace(group, order=tuple(n for n in models.order if n in names)) for names, group in used]


class _Joint:
    """One group of coupled tables; bit v of every mask is ``names[v]``, keys first, then related variables."""

    def __init__(
        self, models: Models, columns: Mapping[str, EncodedColumn], costs: Costs, rules: Rules, joint: JointSettings,
        progress: Progress, homes: HouseholdProblem | None, reach: SearchBudget, gapless: bool,
    ) -> None:  # fmt: skip
        keys = models.order
        outside = tuple(dict.fromkeys(name for key in keys for name in rules.closure(key) if name not in keys))
        self._models, self._costs, self._rules, self._progress = models, costs, rules, progress
        self.names = keys + outside
        if len(self.names) > MAX_VARIABLES:
            raise _too_many(self.names)
        self._columns = {name: columns[name] for name in self.names}
        self._beside = {name: columns[name] for table in models.whole_file for name in table.beside}
        self._times = times_of(self._columns.values())
        self._bits = {name: v for v, name in enumerate(self.names)}
        self._fixed = self._mask(name for name in self.names if name in rules.fixed)
        closures = tuple(self._mask(n for n in rules.closure(name) if n in self._bits) for name in self.names)
        prices = tuple(costs[name] for name in self.names)
        self._choices = Choices(len(keys), closures, prices, self._fixed)
        self._lacking = [column.values >= column.n_valid for column in self._columns.values()]
        self._homes, self._joint, self._reach = homes, joint, reach
        self._gapless = gapless and not models.whole_file
        self._released = models.risk if joint.by_released_keys else ()
        self._together = {v: closures[v] for v, name in enumerate(self.names) if homes and name in homes.variables}

    def _mask(self, names: Iterable[str]) -> int:
        return sum(1 << self._bits[name] for name in names)

    def plan(self) -> Plan:
        """The best plan that was found, and its bound."""
        if self._gapless:
            return self._plan_without_gaps()
        for table in self._released:
            refuse_households(table, self._rules, self._homes)
        parts = rare_demands(self._models.rare, self._columns, self._bits, self._progress)
        if not self._released:
            parts += [risk_demands(table, self._bits, self._progress) for table in self._models.risk]
        first, whole = self._hit(parts), self._models.whole_file
        if not self._released and not whole:
            return self._carried_out(first)
        by_size = all(table.is_of_size for table in whole)
        if by_size and not parts:
            return self._carried_out(self._with_keys(first, 0.0))  # the search itself knows of all that size asks
        least = self._hit([*parts, *self._key_demands()])
        found = self._with_keys(first, least.bound)
        if not by_size and not found.exact:
            # The search looks at sizes only. From what records must lose anyway it is often cheaper, but not always:
            # what it begins with stays.
            with suppress(ProtectionError):
                found = min(found, self._with_keys(least, found.bound), key=lambda each: each.loss)
        return self._carried_out(found)

    def _plan_without_gaps(self) -> Plan:
        """The plan after which the rules tell no value, where more can be suppressed."""
        models, progress = self._models, self._progress
        parts = rare_demands(models.rare, self._columns, self._bits, progress)
        parts += [risk_demands(table, self._bits, progress) for table in models.risk]
        asked = together(parts, len(self._lacking[0]), progress)
        alike = all(table.household_threshold is None for table in models.risk)
        keys = [self._columns[name] for name in models.order]
        more = InferableSets(keys, self._rules, self._homes, asked, alike, progress)
        first = found = self._hit([asked])
        while more.grow(found.newly):
            try:
                found = self._hit([asked, *more.demands])
            except ProtectionError:  # a member of the household cannot give up what another one would have to
                break
        return self._carried_out(replace(found, bound=first.bound, exact=first.exact and found.loss <= first.loss))

    def _key_demands(self) -> list[UnsafeSets]:
        """Which values no released key can do for, by the original file: each record loses some, whatever others do."""
        columns, progress = {**self._columns, **self._beside}, self._progress
        return [
            key_demands(table.variables, table.beside, table.too_rare, columns, self._bits, progress)
            for table in self._models.whole_file
            if len(table.variables) <= MOST_KEYS
        ]

    def _with_keys(self, first: Found, bound: float) -> Found:
        """More losses, so that every released key is large enough."""
        rows = len(first.newly)
        tables = [
            KeyTable(
                self._places(table.variables),
                table.least_sizes(self._beside, rows),
                None if table.is_of_size else partial(table.unmet, columns=self._beside),
            )
            for table in self._models.whole_file
        ]
        for table in self._released:
            need = ReleasedRisks(table, self._progress).least_sizes()[table.cell_index.of_record]
            tables.append(KeyTable(self._places(table.cells.variables), demands(need, 0, self._joint.least_records)))
        columns = self._columns.values()
        variables = SuppressibleVariables(
            self.names,
            [
                ranked(np.minimum(column.values, column.n_valid).astype(np.uint32), code_ranks(column))
                for column in columns
            ],
            [column.n_valid for column in columns],
            self._choices,
            self._spread,
            self._times.records,
        )
        try:
            found = KeyTables(tables, variables, self._joint, self._progress, self._reach).protect(first.newly)
        except RecordsWithoutKey as stuck:
            if self._choices.fixed:
                raise self._stay_unsafe(stuck.flags) from None
            if stuck.table >= len(self._models.whole_file):
                raise with_least_threshold(stuck.error, self._released, self._rules, self._progress) from None
            whole = self._models.whole_file[stuck.table]
            raise whole.refused(self._times.count(stuck.flags), self._times.total(rows)) from None
        if (found.newly & ~first.newly).any():
            check_missing_codes(self.names, self._columns, self._rules)
        loss, bound = self._loss(found.newly), max(bound, found.bound)
        exact = loss <= bound * (1 + 2 * ROUNDING) + 1e-9
        return Found(found.newly, loss, min(bound, loss), exact, found.notices)

    def _places(self, names: Iterable[str]) -> tuple[int, ...]:
        return tuple(self._bits[name] for name in names)

    def _spread(self, newly: Masks) -> Masks:
        """`newly` with what goes for all members of a household."""
        if self._homes is None or not self._together:
            return newly
        return spread(newly, self._together, self._lacking, self._homes.households)

    def _hit(self, parts: Sequence[UnsafeSets]) -> Found:
        """What each record loses to meet all demands, and households their thresholds, at the least loss."""
        records = len(self._lacking[0])
        asked = together(parts, records, self._progress)
        newly = np.zeros(records, np.uint64)
        if len(asked.masks) > 1:
            check_missing_codes(self.names, self._columns, self._rules)
            demands = SetsToHit(asked.masks, asked.of_record, self._choices, self._progress)
            unsafe = np.flatnonzero(asked.of_record)
            newly[unsafe] = cover_records(demands, self._missing(), unsafe)
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
        return protect_households(group, [asked], () if self._released else self._models.risk)

    def _missing(self) -> Masks:
        """What each record lacks of the variables that others take with them: what it loses depends on no more."""
        missing = np.zeros(len(self._lacking[0]), np.uint64)
        for v, flags in enumerate(self._lacking):
            if any(closure >> v & 1 for u, closure in enumerate(self._choices.closures) if u != v):
                missing |= flags.astype(np.uint64) << np.uint64(v)
        return missing

    def _stay_unsafe(self, left: NDArray[np.bool_]) -> UnprotectableRecords:
        """The error of records that would have to lose what may not go."""
        fixed = [name for name in self.names if name in self._rules.fixed]
        return UnprotectableRecords(
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
        return ValueMasks(self.names, newly).by_variable(self._times)

    def _carried_out(self, found: Found) -> Plan:
        """The plan in which record i loses ``found.newly[i]``."""
        return plan_of(
            ValueMasks(self.names, found.newly), self._columns, self._costs, found.bound, found.exact, found.notices
        )


def _gaps_of_whole_file(names: Sequence[str]) -> RecipeError:
    """The error of tables whose gaps cannot be closed, because safe records lose values, too."""
    return RecipeError(
        "close-gaps-coupled",
        mark(
            "suppression.close_gaps cannot reckon with k-anonymity, by which safe records lose values, too, but these "
            "variables are in one group of tables with it: {names}."
        ),
        mark("Leave close_gaps out, or the k-anonymity of a combination that shares variables with a risk table."),
        names=", ".join(names),
    )


def _too_many(names: Sequence[str]) -> RecipeError:
    return RecipeError(
        "too-many-coupled-variables",
        mark("{number} variables share tables by which values are suppressed; at most {most} are possible: {names}."),
        mark("Use fewer variables, or tables that have none in common."),
        number=len(names),
        most=MAX_VARIABLES,
        names=", ".join(names),
    )
