"""An intruder who knows every record's keys, against each mode: the published figures of recoded Demodata."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.attack import Row, by_count, by_risk
from tests.core.suppression.demodata import KEYS, load


@pytest.fixture(scope="module")
def rows(shared: Path) -> dict[str, dict[str, Row]]:
    columns, weights = load(shared / "data" / "demodata", recoded=True)
    keys = {name: columns[name] for name in KEYS}
    return {"risk": by_risk(keys, weights, 0.00125, "weights"), "k": by_count(keys, 3)}


@pytest.mark.parametrize(
    ("file", "mode", "hit", "pinned"),
    [
        ("risk", "none", 0.55, 0.29),
        ("risk", "original-counts", 0.10, 0.025),
        ("k", "none", 0.74, 0.475),
        ("k", "original-counts", 0.13, 0.017),
        ("k", "category", 0.13, 0.0),
    ],
)
def test_published_figures(rows: dict[str, dict[str, Row]], file: str, mode: str, hit: float, pinned: float) -> None:
    found = rows[file][mode]
    assert found.hit == pytest.approx(hit, abs=0.025)
    assert found.pinned == pytest.approx(pinned, abs=0.025)


def test_what_each_mode_promises(rows: dict[str, dict[str, Row]]) -> None:
    found = rows["risk"]
    assert (found["original-counts"].certain, found["original-counts, close_gaps"].certain) == (16, 0)
    assert found["original-counts, close_gaps"].hit < found["original-counts"].hit
    held = found["released-keys"]
    assert (held.pinned, held.alone, held.certain, held.small) == (0, 0, 0, 0)
    anonymous = rows["k"]["category"]
    assert (anonymous.pinned, anonymous.certain, anonymous.small) == (0, 0, 0)
