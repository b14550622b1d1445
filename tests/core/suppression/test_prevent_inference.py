"""Suppression that leaves no gap: against the rule by definition, and figures of known files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.data.columns import Weights
from core.suppression.candidates import candidates, positions
from core.suppression.costs import Costs, entropy
from core.suppression.inference.elimination import Inference, possible_values
from core.suppression.problem import ProtectedTable
from core.tables.tabulate import tabulate_records
from tests.core.suppression.demodata import KEYS, column, load
from tests.core.suppression.files import optimise
from tests.naive_gaps import Gapless, Key
from tests.naive_suppression import frequencies, risk


@given(st.data())
def test_as_by_definition(data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.integers(2, 3), min_size=2, max_size=3))
    names, size = "ABC"[: len(cards)], data.draw(st.integers(4, 25))
    rows = [tuple(data.draw(st.integers(0, card - 1)) for card in cards) for _ in range(size)]
    costs = [data.draw(st.sampled_from([1.0, 1.5, 2.0])) for _ in cards]
    weights, limit = [10] * size, data.draw(st.sampled_from([0.02, 0.04, 0.06]))
    columns = {n: column(n, np.array([row[j] for row in rows]), cards[j]) for j, n in enumerate(names)}
    counted = Weights((np.array(weights, np.int64),), (0,))
    table = ProtectedTable(*tabulate_records(list(columns.values()), counted), limit)
    by_name = dict(zip(names, costs, strict=True))
    try:
        plan = optimise([table], columns, Costs("weights", by_name, by_name), gapless=True)
    except ProtectionError:
        return

    def safe(key: Key, gone: frozenset[int]) -> bool:
        f, people = frequencies(
            rows, weights, tuple(None if j in gone else v for j, v in enumerate(key)), "observed", Fraction(1)
        )
        return f > 0 and risk(f, people) < limit

    keys = len(cards)
    sets = [frozenset(positions(c.keys)) for c in candidates(keys, [1 << j for j in range(keys)], costs, 0, 0)]
    codes, asked = [set(values) for values in zip(*rows, strict=True)], None
    while asked != codes:
        asked = [set(some) for some in codes]
        rule = Gapless(asked, safe, sets)
        first = {row: next(gone for gone in sets if safe(row, gone)) for row in rows}
        lost = [first[row] if (found := rule.loses(row)) is None else found for row in rows]
        codes = [
            {row[j] for row, gone in zip(rows, lost, strict=True) if j not in gone} & asked[j] for j in range(keys)
        ]
    told = [frozenset(j for j, name in enumerate(names) if plan.suppressed[name][i]) for i in range(size)]
    assert told == lost


@pytest.mark.parametrize(
    ("criterion", "threshold", "before", "blanks", "loss"),
    [
        ("entropy", 0.00125, (59, 397), 411, 532.4929),
        ("entropy", 0.005, (50, 144), 153, 208.5098),
        ("entropy", 0.02, (28, 58), 61, 89.6561),
        ("weights", 0.00125, (16, 397), 414, 20700),
    ],
)
def test_demodata(
    shared: Path, criterion: str, threshold: float, before: tuple[int, int], blanks: int, loss: float
) -> None:
    columns, weights = load(shared / "data" / "demodata", recoded=True)
    keys = [columns[name] for name in KEYS]
    costs = Costs(criterion, dict.fromkeys(KEYS, 50.0), {key.name: entropy(key) for key in keys})  # type: ignore[arg-type]
    table = ProtectedTable(*tabulate_records(keys, weights), threshold)
    plans = [optimise([table], columns, costs, gapless=gapless) for gapless in (False, True)]
    told = [Inference.of(possible_values(keys, plan.suppressed).values()) for plan in plans]
    assert [(found.certain, found.blanks) for found in told] == [before, (0, blanks)]
    assert plans[1].loss == pytest.approx(loss, abs=1e-4)
    assert plans[1].lower_bound == plans[0].loss and not plans[1].exact


def test_what_always_leaves_a_gap_is_left_as_it_was() -> None:
    """One key, two codes: whoever lost it had the one that does not stand there."""
    columns = {"A": column("A", np.array([0] * 9 + [1]), 2)}
    table = ProtectedTable(*tabulate_records(list(columns.values()), None), 0.5)
    plan = optimise([table], columns, Costs("weights", {"A": 1.0}, {"A": 1.0}), gapless=True)
    assert plan.total == 1 and plan.suppressed["A"][9]
    assert Inference.of(possible_values(list(columns.values()), plan.suppressed).values()).certain == 1
