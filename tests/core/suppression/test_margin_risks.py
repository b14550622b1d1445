"""Which margins are kept, and what they take."""

from __future__ import annotations

import numpy as np
import pytest

from core.suppression import margin_risks
from core.suppression.margin_risks import MarginRisks
from tests.core.suppression.files import Case


def _case() -> Case:
    rng = np.random.default_rng(5)
    rows = {name: rng.integers(0, 3, 200).tolist() for name in "ABCD"}
    costs = dict.fromkeys("ABCD", 1.0)
    return Case((tuple("ABCD"),), rows, rng.integers(1, 90, 200).tolist(), "observed", 1.0, costs, {}, frozenset())


def test_what_margins_share_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (table,) = _case().tables(None)
    everything = MarginRisks(table)
    margins = [everything.of(keep) for keep in reversed(range(15))]
    of_cells = {id(margin.first.base): margin.first.nbytes for margin in margins}
    assert len(of_cells) < len(margins)
    taken = sum(of_cells.values()) + sum(
        margin.risk.nbytes + (0 if margin.then is None else margin.then.nbytes) for margin in margins
    )
    for room, kept in ((taken, True), (taken - 1, False)):
        monkeypatch.setattr(margin_risks, "KEPT_BYTES", room)
        risks = MarginRisks(table)
        first, *_ = (risks.of(keep) for keep in reversed(range(15)))
        assert (risks.of(14) is first) == kept
