"""The guide's pages of the recipe and of the command say what the program reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from core.base.errors import RecipeError
from core.recipe import model
from core.recipe.toml import parse
from tests import command_guide, recipe_guide


def test_the_page_of_the_recipe_is_that_of_its_reader() -> None:
    assert recipe_guide.PAGE.read_text("utf-8") == recipe_guide.page()


def test_the_page_of_the_command_is_that_of_its_parsers() -> None:
    assert command_guide.PAGE.read_text("utf-8") == command_guide.page()


@pytest.mark.parametrize("section", ["input", "threshold", "suppression", "report", "output", "households"])
def test_a_section_knows_the_keys_of_the_page_and_no_other(section: str, tmp_path: Path) -> None:
    with pytest.raises(RecipeError) as refused:
        parse(f"recipe = 1\n[{section}]\nno_such_key = 1\n", tmp_path)
    known = str(refused.value).split("Known there: ")[1].rstrip(".").split(", ")
    text = recipe_guide.page().split(f"\n## `[{section}]`")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)`", text, re.MULTILINE)
    assert {*rows, *(["answers"] if section == "report" else [])} == set(known)


@pytest.mark.parametrize("choices", [model.Model, model.Estimator, model.Mode])
def test_every_model_has_its_formula_assumptions_and_source(choices: object) -> None:
    text = (recipe_guide.PAGE.parent / "models.md").read_text("utf-8")
    entries = text.split("\n### ")[1:]
    for name in get_args(choices):
        own = [entry for entry in entries if f"`{name}`" in entry.splitlines()[0]]
        assert len(own) == 1, name
        assert [said for said in ("It assumes", "Not for", "Formula", "Source") if f"**{said}:**" not in own[0]] == []
