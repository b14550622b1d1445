"""What outsiders get is the same whatever was suppressed: no file that the original may have been is excluded by it."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pytest

from core.report.outside import rounded_up
from tests.completions import tried

FILES, ALTERNATIVES = 36, 6


@pytest.mark.parametrize("first", range(0, FILES, 6))
def test_no_suppressed_value_is_told_by_what_outsiders_get(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Reports, codebook, schema, metadata and codelists beside the safe file are the same to a byte."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr("os.fsync", lambda _file: None)  # thousands of files that nobody keeps
    found = [tried(seed, tmp_path / str(seed), ALTERNATIVES) for seed in range(first, first + 6)]
    assert [done.differs for done in found if done.excluded] == []
    possible, told_inside = (sum(getattr(done, name) for done in found) for name in ("possible", "told_inside"))
    assert possible >= 3, "nothing was tried"
    assert told_inside, f"the internal report would tell nothing either: {[astuple(done) for done in found]}"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.00125, 0.00125), (0.1, 0.1), (0.00125190354, 0.002), (0.13431, 0.2), (0.9999, 1.0), (1.0, 1.0), (1e-7, 1e-7)],
)
def test_thresholds_taken_from_the_original_are_rounded_up(value: float, shown: float) -> None:
    assert rounded_up(value) == shown
