"""The guide's page of perturbations says what they declare."""

from __future__ import annotations

from tests.perturbations_guide import PAGE, page


def test_the_page_is_that_of_the_declarations() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
