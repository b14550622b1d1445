"""What measures show beside their figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.report.words import headline
from core.risk.measures.shown import LISTED, HistogramPicture, Listed, cells_behind
from tests.core.risk.measures.taken import taken
from tests.naive_tables import column

ROWS = ((0, 0), (0, 0), (0, 1), (1, 2), (1, 2), (1, 2), (None, 1))
HEALTH = column("HEALTH", [0, 0, 1, 0, 1, 1, 0], 2)

SAID = {
    "frequencies": ({}, "1 of 7 records is alone with its key in the file."),
    "l-diversity": (
        {"sensitive": (HEALTH.name,)},
        f"The keys of 3 of 7 records give their value of {HEALTH.name} away: all that share a key have the same.",
    ),
    "t-closeness": (
        {"sensitive": (HEALTH.name,)},
        f"The records of one key differ in {HEALTH.name} from the whole file by 0.57; 0 is alike, 1 apart.",
    ),
}


@pytest.mark.parametrize("kind", SAID)
def test_headline_says_the_figures(kind: str) -> None:
    said, sentence = SAID[kind]
    _table, evaluation = taken(kind, ROWS, {HEALTH.name: HEALTH}, **said)
    assert evaluation.headline is not None
    assert headline(evaluation.headline) == sentence


def test_the_histogram_counts_every_record_with_a_risk() -> None:
    table, evaluation = taken("frequencies", ROWS)
    assert isinstance(evaluation.picture, HistogramPicture)
    assert evaluation.picture.counts.sum() == table.cells.count.sum()


def test_a_long_listing_is_cut_and_says_how_long_it_is() -> None:
    score: Any = np.arange(2.0 * LISTED)
    behind = cells_behind("", score, score >= 10, (Listed("", "exact", score),))
    assert behind.total == 2 * LISTED - 10
    assert behind.cells is not None
    assert behind.cells.tolist() == list(range(2 * LISTED - 1, LISTED - 1, -1))
