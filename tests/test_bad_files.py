from __future__ import annotations

from tests.bad_files import DOCUMENT, document


def test_the_page_of_bad_files_says_what_the_program_says() -> None:
    page = document()
    assert "| read |" not in page
    assert page == DOCUMENT.read_text(encoding="utf-8"), "run: python -m tests.bad_files"
