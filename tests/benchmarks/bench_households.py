"""How long households take: ``python -m tests.benchmarks.bench_households [RECORDS] [THRESHOLD]``.

Persons in households of 1 to 8 with skewed codes, a region that members share, and household size as a key. Each
figure is given twice, the second time with everything compiled; seconds of the processor stand beside the clock's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data.columns import EncodedColumn, Weights
from core.data.households import Households, households_of
from core.recipe.model import HouseholdKey
from core.results.households import derived_column, household_risks
from core.risk.individual import individual_risk
from core.suppression.costs import Costs, entropy
from core.suppression.households.forecast import household_forecast
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.problem import ProtectedTable, Rules
from core.tables.tabulate import tabulate_records
from tests.core.suppression.files import optimise

SIZES = (0.39, 0.33, 0.12, 0.1, 0.04, 0.01, 0.006, 0.004)
"""Shares of households by size: 2.2 members in the mean."""
CARDS = {"REGION": 100, "SEX": 2, "AGE": 60, "MARSTAT": 4, "OCCUP": 10, "EDUC": 17}


def draw(n: int) -> tuple[dict[str, EncodedColumn], Weights, Households]:
    """A file of about n records, their weights with two decimals, and the households."""
    generator = np.random.default_rng(1)
    size = generator.choice(len(SIZES), int(n / 2.2), p=SIZES) + 1
    household = np.repeat(np.arange(len(size)), size)[:n]
    columns = {}
    for name, card in CARDS.items():
        shares = generator.dirichlet(np.full(card, 2.0))
        values = generator.choice(card, len(household), p=shares)
        columns[name] = _encoded(name, values[household] if name == "REGION" else values, card)
    homes = households_of(_identifier(household))
    columns["SIZE"] = derived_column(HouseholdKey("SIZE", "household-size"), homes)
    return columns, Weights((generator.integers(5_000, 30_000, len(household)),), (2,)), homes


def _encoded(name: str, values: NDArray[np.int64], card: int) -> EncodedColumn:
    codes = (*(f"{code:03}" for code in range(card)), "x")
    return EncodedColumn(name, values.astype(np.uint8), codes, codes, np.bincount(values, minlength=card + 1), card, 3)


def _identifier(household: NDArray[np.int64]) -> EncodedColumn:
    codes = tuple(map(str, range(int(household[-1]) + 1)))
    return EncodedColumn("HH", household.astype(np.uint32), codes, codes, np.bincount(household), len(codes), 7)


def timed(text: str, run: Callable[[], Any], times: int = 2) -> Any:
    """Run, print the seconds, return the result."""
    clock, processor = time.perf_counter(), time.process_time()
    result = run()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    print(f"{text:44} {clock:8.3f} s ({processor:.3f} s of processor)", flush=True)
    return timed(text, run, times - 1) if times > 1 else result


def main(n: int = 1_000_000, threshold: float = 0.0) -> None:
    """Print the figures for one file."""
    columns, weights, households = draw(n)
    print(f"{households.records} persons in {len(households)} households")
    costs = Costs("entropy", dict.fromkeys(columns, 50.0), _entropies(columns))
    cells, cell_index = timed("tabulate", lambda: tabulate_records(list(columns.values()), weights), 1)
    risk = individual_risk(cells.f, cells.F)
    found = timed("household risks and staircase", lambda: household_risks(cell_index, risk, households))
    staircase = found.staircase
    rules = Rules(fixed=frozenset({"SIZE"}))
    half = threshold or staircase.threshold_for_households(len(households) // 2)
    table = ProtectedTable(cells, cell_index, None, "exact", half)
    print(f"{len(cells)} cells; threshold {half}: {staircase.unsafe_households(half)} households are unsafe")
    _protect(table, columns, costs, rules, HouseholdProblem(households, frozenset({"REGION", "SIZE"})))


def _protect(
    table: ProtectedTable, columns: Mapping[str, EncodedColumn], costs: Costs, rules: Rules, homes: HouseholdProblem
) -> None:
    given = columns, costs, rules, homes
    plan = timed("protect", lambda: optimise([table], *given))
    print(f"    {plan.total} suppressions, loss {plan.loss:.0f}, gap {plan.gap:.4f}", *map(str, plan.notices))
    forecast = timed("forecast", lambda: household_forecast(table, *given))
    point = forecast.at(table.household_threshold)
    print(f"    {len(forecast.levels)} levels; loss {point.loss:.0f}, exact: {point.exact}")


def _entropies(columns: Mapping[str, EncodedColumn]) -> dict[str, float]:
    return {name: entropy(column) for name, column in columns.items()} | {"SIZE": 0.0}


if __name__ == "__main__":
    main(*(kind(value) for kind, value in zip((int, float), sys.argv[1:], strict=False)))
