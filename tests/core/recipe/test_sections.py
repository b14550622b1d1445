"""A section of the recipe costs one declaration: a throw-away one is read, written and refused from it alone."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal

import pytest

from core.base.errors import RecipeError
from core.recipe import model, sections, toml
from core.recipe.model import Recipe, key
from core.recipe.sections import SECTIONS, RecipeSection
from tests.core.recipe.strategies import FOLDER


@dataclass(frozen=True)
class Assignment:
    """A section that no recipe has."""

    name: str = field(metadata=key("What it is called."))
    data: Path | None = field(default=None, metadata=key("The file."))
    of: tuple[str, ...] = field(default=(), metadata=key("Its variables."))
    copies: int = field(default=1, metadata=key("How many.", low=1, high=9, always=True))
    to: Literal["public", "house"] = field(default="house", metadata=key("Who gets it."))
    is_last: bool | None = field(default=None, metadata=key("Whether none follows."))


@dataclass(frozen=True)
class Longer(Recipe):
    """A recipe with it."""

    releases: tuple[Assignment, ...] = ()


@pytest.fixture(autouse=True)
def _declared(monkeypatch: pytest.MonkeyPatch) -> None:
    section = RecipeSection("releases", "", Assignment, "tables", required=("name",))
    monkeypatch.setattr(toml, "SECTIONS", (*SECTIONS, section))
    monkeypatch.setattr(toml, "Recipe", Longer)
    monkeypatch.setattr(model, "Release", Assignment, raising=False)


SAID = '[[releases]]\nname = "A"\ndata = "a.csv"\nof = ["SEX", "AGE"]\ncopies = 1\nto = "public"\nis_last = true\n'


def test_it_is_read_and_written_as_it_was() -> None:
    text = f"recipe = 1\n\n{SAID}"
    recipe = toml.parse(text, FOLDER)
    assert isinstance(recipe, Longer)
    assert recipe.releases == (Assignment("A", FOLDER / "a.csv", ("SEX", "AGE"), 1, "public", True),)
    assert toml.dumps(recipe, FOLDER) == text


@pytest.mark.parametrize(
    ("line", "id", "says"),
    [
        ("", "recipe-missing-key", "releases[1].name"),
        ('name = "A"\ncopy = 2', "recipe-unknown-key", 'Did you mean "copies"?'),
        ('name = "A"\ncopy = 2', "recipe-unknown-key", "Known there: name, data, of, copies, to, is_last."),
        ('name = "A"\ncopies = 10', "recipe-bad-value", "1 .. 9"),
        ('name = "A"\ncopies = "2"', "recipe-bad-value", "a whole number"),
        ('name = "A"\nto = "hous"', "recipe-bad-value", 'public | house. Did you mean "house"?'),
        ('name = "A"\nof = ["B", "B"]', "recipe-bad-value", "a list in which nothing stands twice"),
        ('name = "A"\ndata = ""', "recipe-bad-value", "the path of a file"),
    ],
)
def test_what_it_cannot_say_is_refused(line: str, id: str, says: str) -> None:
    with pytest.raises(RecipeError) as refused:
        toml.parse(f"recipe = 1\n[[releases]]\n{line}\n", FOLDER)
    assert refused.value.id == id
    assert says in str(refused.value)


def test_every_attribute_of_a_section_is_a_key_or_stands_for_one() -> None:
    no_keys = {"VariableEdit": {"name"}, "Input": {"parts"}}
    owners = {section.owner for section in (*SECTIONS, sections.CUT) if section.owner is not None}
    for owner in owners:
        unsaid = {each.name for each in fields(owner) if "sentence" not in each.metadata}
        assert unsaid == no_keys.get(owner.__name__, set()), owner
    assert len(owners) > 10


def test_every_section_is_an_attribute_of_the_recipe() -> None:
    assert {section.name for section in SECTIONS} == {each.name for each in fields(Recipe)} - {"read_as"}
