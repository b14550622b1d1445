from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fuzz.files import MAKERS, fuzz

CASES = int(os.environ.get("PAVO_FUZZ_CASES", "60"))
"""Of each of the ten kinds of file; `python -m tests.fuzz.files` does ten thousand."""


@pytest.mark.parametrize("name", list(MAKERS))
def test_damaged_files_are_refused_or_read_right(tmp_path: Path, name: str) -> None:
    outcomes = fuzz(name, CASES, 2, tmp_path)
    assert outcomes.total() == CASES
    assert len(outcomes) > 1
