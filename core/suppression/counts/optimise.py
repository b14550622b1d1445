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
from core.suppression.counts.problem import CountsTable, Rule, build, ways_of
from core.suppression.counts.search import losses
from core.suppression.households.optimise import couples
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.individual import StayUnsafe, check_missing_codes
from core.suppression.plan import Plan, merge, plan_of
from core.suppression.problem import ProtectedTable, Rules, build_units, coupled


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


def optimise_released_counts(
    tables: Sequence[ProtectedTable],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: CountsSettings,
    weights: Weights | None,
    homes: HouseholdProblem | None = None,
    progress: Progress = SILENT,
) -> Plan:
    """Suppressions after which every record is below the threshold, counted in the released file.

    Parameters
    ----------
    tables : risk tables without a common key variable, missing rule ``wildcard``
    columns : encoded columns after recoding: all keys, and the variables related to them
    costs, rules : what suppression costs, and what limits it
    weights : of the records; None: every record is for itself

    Raises
    ------
    RecipeError
        Tables coupled by a relation; household variables among the keys, or a household threshold.
    StayUnsafe
        Records that are too rare by whatever they keep.
    """
    plans = []
    for group in coupled(tables, rules):
        names = [name for table in group for name in table.cells.variables]
        if len(group) > 1 or (homes is not None and couples(group, rules, homes)):
            raise not_together(names)
        plans.append(_plan(group[0], columns, costs, rules, settings, weights, progress))
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


def _plan(
    table: ProtectedTable,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    settings: CountsSettings,
    weights: Weights | None,
    progress: Progress,
) -> Plan:
    cells, of_record = table.cells, table.cell_index.of_record
    units = build_units((table,), columns, costs, rules)
    names = units.variables
    lacking = [columns[name].values >= columns[name].n_valid for name in names]
    newly = np.zeros(len(of_record), np.uint64)
    if table.threshold is None:
        return plan_of(names, newly, lacking, costs, 0.0, True)
    bits = {name: 1 << v for v, name in enumerate(names)}
    closures = [sum(bits.get(other, 0) for other in rules.closure(name)) for name in names]
    fixed = sum(bit for name, bit in bits.items() if name in rules.fixed)
    ways = ways_of([costs[name] for name in names], closures, units.n_keys, fixed)
    asked = CountsTable(cells.codes, cells.cards, of_record, cells.f, cells.F, _in_people(weights, len(of_record)),
                        Rule.by_risk(table.threshold, progress), ways, settings.most)  # fmt: skip
    found = losses(build(asked, progress), settings.effort, settings.seed, settings.thorough, progress)
    if found.left.any():
        raise _too_rare(found.left[of_record], names, rules)
    if found.lost.any():
        check_missing_codes(names, columns, rules)
    for j in range(units.n_keys):
        newly[found.lost >> j & 1 == 1] |= np.uint64(closures[j])
    for v, flags in enumerate(lacking):
        newly[flags] &= ~np.uint64(1 << v)
    # What is missing already costs nothing more, which the search does not know.
    bound = 0.0 if any(flags.any() for flags in lacking) else found.bound
    said = tuple(_beyond(found.beyond, settings.most))
    return plan_of(names, newly, lacking, costs, bound, not found.lost.any() or (bound > 0 and found.optimal), said)


def _in_people(weights: Weights | None, records: int) -> NDArray[np.float64]:
    if weights is None:
        return np.ones(records)
    parts = (limb / 10.0**places for limb, places in zip(weights.limbs, weights.decimals, strict=True))
    return np.asarray(sum(parts), np.float64)


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
