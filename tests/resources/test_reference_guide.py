"""The guide's pages of the recipe and of the command say what the program reads."""

from __future__ import annotations

import pytest

from core.base.errors import RecipeError
from core.recipe.toml import parse
from tests import command_guide, recipe_guide


def test_the_page_of_the_recipe_is_that_of_its_reader() -> None:
    assert recipe_guide.PAGE.read_text("utf-8") == recipe_guide.page()


def test_the_page_of_the_command_is_that_of_its_parsers() -> None:
    assert command_guide.PAGE.read_text("utf-8") == command_guide.page()


@pytest.mark.parametrize("section", ["input", "threshold", "suppression", "report", "output", "households"])
def test_a_section_knows_the_keys_of_the_page_and_no_other(section: str, tmp_path: object) -> None:
    from pathlib import Path

    with pytest.raises(RecipeError) as refused:
        parse(f"recipe = 1\n[{section}]\nno_such_key = 1\n", Path(str(tmp_path)))
    known = str(refused.value).split("Known there: ")[1].rstrip(".").split(", ")
    assert {*recipe_guide.SAID[section], *(["answers"] if section == "report" else [])} == set(known)
