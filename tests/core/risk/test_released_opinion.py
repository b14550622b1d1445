"""The population model on a safe file: the same sums on any number of threads, and work that can be stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from core.base.progress import Cancelled
from core.risk.population_model import PopulationModel, weights_above_one
from core.risk.released_opinion import model_risks
from core.tables.tabulate import tabulate_records
from tests import naive_tables

SUMS = """
import numpy as np
from core.risk.released_opinion import ModelRisks, by_model
random = np.random.default_rng(1)
risk, records = random.random(200_001), random.integers(0, 5, 200_001)
risks = ModelRisks(risk, records.astype(float), risk, 0.9 * risk, 0.8 * risk)
found = by_model(risks, np.ones(200_001), records, 9, 0.5)
print(found.expected.hex(), *(end.hex() for end in found.interval))
"""


def test_the_number_of_threads_changes_no_figure() -> None:
    found = {
        subprocess.run(
            (sys.executable, "-c", SUMS),
            env={**os.environ, "OPENBLAS_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in (1, 2)
    }
    assert len(found) == 1 and "0x" in found.pop()


class Stopped:
    """Progress of a run that somebody stops while the first key set is fitted."""

    fitting = False

    def report(self, done: float, total: float, text: str) -> None:
        """Nobody looks."""

    def check(self) -> None:
        if self.fitting:
            raise Cancelled


def test_fitting_a_key_set_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    rows = [tuple(random.integers(0, 3, 2).tolist()) for _ in range(50)]
    weights = naive_tables.weights_of([Fraction(5)] * 50)
    table = tabulate_records(naive_tables.columns_of(rows, [3, 3]), weights, "observed")
    model, progress = PopulationModel(table.cells, weights_above_one(table, weights)), Stopped()
    fit = model.key_set

    def stopped_while_fitted(*args: Any) -> Any:
        progress.fitting = True
        found = fit(*args)
        pytest.fail("it was fitted to the end")
        return found

    monkeypatch.setattr(model, "key_set", stopped_while_fitted)
    with pytest.raises(Cancelled):
        model_risks(model, {3: np.arange(len(table.cells))}, progress)


def test_closed_risks_are_the_largest_over_key_sets() -> None:
    random = np.random.default_rng(3)
    rows = [tuple(random.choice(4, 3, p=[0.1, 0.6, 0.2, 0.1]).tolist()) for _ in range(400)]  # 3: missing
    weights = naive_tables.weights_of([Fraction(int(each)) for each in random.integers(1, 30, 400)])
    table = tabulate_records(naive_tables.columns_of(rows, [3, 3, 3]), weights, "observed")
    model = PopulationModel(table.cells, weights_above_one(table, weights))
    asked = {mask: np.flatnonzero((table.cells.missing & mask) == 0) for mask in range(8)}
    found = model_risks(model, asked)
    largest = {mask: np.zeros(len(cells)) for mask, cells in asked.items()}
    for mask, cells in asked.items():
        for part in (part for part in range(mask + 1) if part & mask == part):
            key_set = model.key_set(part)
            own = key_set.risk()[key_set.groups.group_of_cell[cells]]
            largest[mask] = np.maximum(largest[mask], own)
            if part == mask:
                np.testing.assert_array_equal(found[mask].own, own)
        np.testing.assert_array_equal(found[mask].risk, largest[mask])
    raised = sum(int((each.risk > each.own).sum()) for each in found.values())
    assert 0 < raised < sum(map(len, asked.values()))  # by some smaller key sets, not by all
