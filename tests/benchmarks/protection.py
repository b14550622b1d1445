"""Who still stands at or above a threshold after protection, by what judges the records, where the truth is known.

Samples of the populations of `tests.benchmarks.estimators` are protected by local suppression. A released record is
above the threshold where the true 1/F of its remaining values reaches it. The oracle protects the same sample by F
itself: nobody could do with less and keep everybody below.

Run as ``python -m tests.benchmarks.protection [r* ...] [POPULATION ...]`` to print the table for other thresholds or
populations, as `tests.benchmarks.estimators` takes them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn, Weights
from core.data.variables import Metadata
from core.risk.individual import individual_risk, is_unsafe
from core.risk.population_model import PopulationModel, weights_above_one
from core.risk.population_risks import PopulationRisks
from core.suppression.costs import Costs
from core.suppression.problem import ProtectedTable
from core.tables.cells import Cells
from core.tables.tabulate import tabulate_records
from tests.benchmarks import estimators
from tests.benchmarks.estimators import Population, Random
from tests.core.suppression.files import optimise

JUDGES = ("individual risk", "calibrated", "exceedance 0.05")
THRESHOLDS = (0.1, 0.02)
EXCEEDANCE = 0.05
LEAST_UNSAFE = 20
"""Records that are truly unsafe, from which on a share of them tells something."""


class Truth:
    """1/F of a table and of its margins, F the persons of the population with the same values."""

    def __init__(self, people: Population, cells: Cells) -> None:
        self._people, self._cells = people, cells

    def of_cells(self, mask: int, progress: Progress = SILENT) -> np.ndarray:
        progress.check()
        cards = self._people.cards
        kept = [
            code if mask >> j & 1 else np.full(len(code), card)
            for j, (code, card) in enumerate(zip(self._cells.codes, cards, strict=True))
        ]
        return 1.0 / estimators.matching(self._people, kept)

    def of_table(self, cells: Cells, progress: Progress = SILENT) -> np.ndarray:
        return self.of_cells((1 << len(cells.codes)) - 1, progress)


@dataclass(frozen=True)
class Protected:
    """One sample protected by each of `JUDGES`.

    Attributes
    ----------
    unsafe : records that are truly at or above the threshold before
    above : by judge the share of all released records that still are
    suppressed, needed : values suppressed by judge, and by the oracle
    """

    population: str
    design: str
    threshold: float
    records: int
    unsafe: int
    above: tuple[float, ...]
    suppressed: tuple[int, ...]
    needed: int


def protect(random: Random, people: Population, design: str, fraction: float, threshold: float) -> Protected:
    """Draw a sample without missing values and protect it at `threshold` by every judge and by the oracle."""
    rows, weight = estimators.draw(random, people, design, fraction)
    columns: dict[str, EncodedColumn] = {}
    for j, card in enumerate(people.cards):
        values = people.codes[j][rows].astype(np.uint32)
        codes, counts = (*(str(code) for code in range(card)), "x"), np.bincount(values, minlength=card + 1)
        columns[f"K{j}"] = EncodedColumn(f"K{j}", values, codes, codes, counts, card, 4)
    weights = Weights((np.rint(weight * 10**4).astype(np.int64),), (4,))
    cells, cell_index = table = tabulate_records(list(columns.values()), weights)
    model = PopulationModel(cells, weights_above_one(table, weights))
    truth = Truth(people, cells)
    margins: list[Any] = [
        None,
        PopulationRisks(model, "calibrated"),
        PopulationRisks(model, "calibrated", EXCEEDANCE),
        truth,
    ]
    costs = Costs.of("entropy", columns.values(), Metadata("delimited", ()))
    above, suppressed = [], []
    for of in margins:
        risk = individual_risk(cells.f, cells.F) if of is None else of.of_table(cells)
        judged = ProtectedTable(cells, cell_index, threshold, risk=risk, population=cast("PopulationRisks | None", of))
        plan = optimise([judged], columns, costs)
        left = [
            np.where(plan.suppressed[name], column.n_valid, column.values) if name in plan.suppressed else column.values
            for name, column in columns.items()
        ]
        above.append(float(is_unsafe(1.0 / estimators.matching(people, left), threshold).mean()))
        suppressed.append(sum(int(flags.sum()) for flags in plan.suppressed.values()))
    assert above.pop() == 0.0, "the oracle knows"
    unsafe = int(cells.count[is_unsafe(truth.of_table(cells), threshold)].sum())
    return Protected(
        people.name, design, threshold, len(rows), unsafe, tuple(above), tuple(suppressed[:-1]), suppressed[-1]
    )


def tasks(
    source: Iterator[tuple[Random, Population]],
    thresholds: Sequence[float] = THRESHOLDS,
    designs: Sequence[str] = estimators.DESIGNS,
) -> list[Protected]:
    """Every design once for each population at a random fraction, at every threshold; where enough is at stake."""
    found = []
    for random, people in source:
        for design in designs:
            low, high = estimators.FRACTIONS
            fraction = low * (high / low) ** random.random()
            state = random.bit_generator.state
            for threshold in thresholds:
                random.bit_generator.state = state  # the same sample
                found.append(protect(random, people, design, fraction, threshold))
    return [task for task in found if task.unsafe >= LEAST_UNSAFE]


def _row(name: str, some: Sequence[Protected]) -> str:
    shares = np.array([task.above for task in some])
    more = np.array([[count / task.needed for count in task.suppressed] for task in some])
    of_judges = " | ".join(
        f"{100 * shares[:, j].mean():.1f} | {100 * shares[:, j].max():.1f} | {np.median(more[:, j]):.2f}"
        for j in range(len(JUDGES))
    )
    return f"| {name} | {len(some)} | {of_judges} |"


def _size_class(records: int) -> str:
    return "below 1,000 records" if records < 1000 else "1,000 records or more"


def results(found: Sequence[Protected]) -> list[str]:
    """The table, over all samples, by threshold, population and design."""
    heads = " | ".join(f"{name}: mean % | most % | suppressions" for name in JUDGES)
    classes = (
        ["all samples"] * len(found),
        [f"r* = {task.threshold:g}" for task in found],
        [_size_class(task.records) for task in found],
        [f"population: {task.population}" for task in found],
        [f"design: {task.design}" for task in found],
    )
    lines = [f"| after protection | cases | {heads} |", "|---|---|" + "---|" * (3 * len(JUDGES))]
    for names in classes:
        members = {name: [task for task, of in zip(found, names, strict=True) if of == name] for name in names}
        lines += [_row(name, some) for name, some in members.items()]
    return lines


HEAD = """
## After protection at a threshold

Samples of all these populations and designs, each protected at r* = {thresholds} by local suppression (original counts,
entropy): the {cases} cases in which {least} records or more are truly unsafe. Shares are of all released records: how \
many per
cent still stand at a true 1/F of r* or more, in the mean of the cases and in the worst; suppressions are over those of
an oracle that knows F, in the median.
"""


def page() -> list[str]:
    """Its part of docs/estimators.md."""
    found = tasks(estimators.populations())
    thresholds = " and ".join(f"{threshold:g}" for threshold in THRESHOLDS)
    return [HEAD.format(cases=len(found), thresholds=thresholds, least=LEAST_UNSAFE), *results(found)]


def main() -> None:
    """Print the table for the thresholds and population files named."""
    thresholds, paths = [], []
    for argument in sys.argv[1:]:
        if argument.replace(".", "", 1).isdigit():
            thresholds.append(float(argument))
        else:
            paths.append(Path(argument))
    source = estimators.known(paths) if paths else estimators.populations()
    print("\n".join(results(tasks(source, thresholds or THRESHOLDS))))


if __name__ == "__main__":
    main()
