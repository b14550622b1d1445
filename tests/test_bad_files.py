from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bad_files import DOCUMENT, READ, document, sentence


def test_the_page_of_bad_files_says_what_the_program_says() -> None:
    page = document()
    assert "| read |" not in page
    assert page == DOCUMENT.read_text(encoding="utf-8"), "run: python -m tests.bad_files"


@pytest.mark.parametrize(("name", "make"), [(name, make) for _, name, make in READ])
def test_what_only_looks_odd_is_read(tmp_path: Path, name: str, make: Callable[[Path], object]) -> None:
    assert sentence(make, tmp_path / name) == "read"
