"""Published and measured figures for Demodata, r* = 0.00125."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.suppression.costs import Costs, entropy
from core.suppression.forecast import forecast
from core.suppression.problem import ProtectedTable
from core.tables.tabulate import tabulate_records
from tests.core.suppression.demodata import KEYS, load
from tests.core.suppression.files import optimise

MUARGUS = {True: (0, 146, 0, 247), False: (950, 290, 2756, 278)}
"""Suppressions by the μ-ARGUS engine with entropy: recoded, raw."""


def run(shared: Path, recoded: bool, criterion: str, estimator: str) -> tuple[tuple[int, ...], float, Costs]:
    columns, weights = load(shared / "data" / "demodata", recoded)
    table = ProtectedTable(*tabulate_records([columns[name] for name in KEYS], weights), 0.00125, estimator)  # type: ignore[arg-type]
    entropies = {name: entropy(column) for name, column in columns.items()}
    costs = Costs(criterion, dict.fromkeys(KEYS, 50.0), entropies)  # type: ignore[arg-type]
    plan = optimise([table], columns, costs)
    point = forecast(table, columns, costs).at(0.00125)
    assert (point.by_variable, point.loss, point.entropy_loss) == (plan.by_variable, plan.loss, plan.entropy_loss)
    return tuple(plan.by_variable.values()), plan.entropy_loss, costs


@pytest.mark.parametrize(
    ("criterion", "estimator", "counts", "loss"),
    [
        ("weights", "exact", (379, 0, 11, 7), None),
        ("entropy", "exact", (0, 150, 0, 247), 473.7),
        ("weights", "truncated", (375, 0, 11, 7), 1561.4),
        ("entropy", "truncated", (0, 146, 0, 247), 469.7),
    ],
)
def test_recoded(shared: Path, criterion: str, estimator: str, counts: tuple[int, ...], loss: float | None) -> None:
    found, entropy_loss, _ = run(shared, True, criterion, estimator)
    assert found == counts
    if loss is not None:
        assert entropy_loss == pytest.approx(loss, abs=0.05)


@pytest.mark.parametrize("recoded", [True, False])
def test_never_dearer_than_muargus(shared: Path, recoded: bool) -> None:
    _, loss, costs = run(shared, recoded, "entropy", "truncated")
    assert loss <= costs.loss(dict(zip(KEYS, MUARGUS[recoded], strict=True))) + 1e-6


def test_entropies(shared: Path) -> None:
    for recoded, bits in ((False, (6.8268, 0.99970, 5.8343, 1.3106)), (True, (4.0654, 0.99970, 2.5202, 1.3106))):
        columns, _ = load(shared / "data" / "demodata", recoded)
        assert [entropy(columns[name]) for name in KEYS] == pytest.approx(bits, abs=5e-5)
