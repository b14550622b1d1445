from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fuzz import texts
from tests.fuzz.files import MAKERS, fuzz

CASES = int(os.environ.get("PAVO_FUZZ_CASES", "60"))
"""Of each kind of file; `python -m tests.fuzz.files` and `python -m tests.fuzz.texts` do ten thousand."""


@pytest.mark.parametrize("name", list(MAKERS))
def test_damaged_files_are_refused_or_read_right(tmp_path: Path, name: str) -> None:
    outcomes = fuzz(name, CASES, 2, tmp_path)
    assert outcomes.total() == CASES
    assert len(outcomes) > 1


@pytest.mark.parametrize("kind", list(texts.KINDS))
def test_damaged_descriptions_are_refused_or_read_right(tmp_path: Path, kind: str) -> None:
    outcomes = texts.fuzz(kind, CASES, 2, tmp_path)
    assert outcomes.total() == CASES
    assert len(outcomes) > 1
