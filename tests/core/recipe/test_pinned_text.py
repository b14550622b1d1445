"""Checksums in the text of a recipe: read back as they were written, and nothing else of the text is touched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.recipe.model import Recipe
from core.recipe.pinned_text import pinned
from core.recipe.toml import dumps, parse
from tests.core.recipe.strategies import FOLDER, checksums, digests, recipes

OLD, NEW, OTHER = "0a" * 32, "1b" * 32, "2c" * 32

TEXT = f'''# made by hand
recipe = 1   # the form
[input]      # what is read
data = "a.asc"
sha256 = '{OLD}'   # of the data
metadata = "a.rda"

# what was read
[input.checksums] # table
"a.rda" = "{OLD}"

[[combinations]]
variables = [
  "A",  # [input]
  "B",
]
[report]
remarks = """
[input]
sha256 = "{OLD}"
[input.checksums]
"""
'''


@given(recipes, digests, checksums)
def test_any_recipe_gets_its_checksums(recipe: Recipe, data: str, others: tuple[tuple[Path, str], ...]) -> None:
    text, _kept = pinned(dumps(recipe, FOLDER), FOLDER, data, others)
    assert parse(text, FOLDER) == recipe.with_(input=replace(recipe.input, sha256=data, checksums=others))
    assert pinned(text, FOLDER, data, others) == (text, True)


@given(recipes, digests, checksums)
def test_what_save_writes_is_kept_as_it_stands(recipe: Recipe, data: str, others: tuple[tuple[Path, str], ...]) -> None:
    recipe = recipe.with_(input=replace(recipe.input, data=FOLDER / "d", sha256=data, checksums=others))
    text = dumps(recipe, FOLDER)
    new = dumps(recipe.with_(input=replace(recipe.input, sha256=NEW)), FOLDER)
    assert pinned(text, FOLDER, NEW, others) == (new, True)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("stop", ["", "\n"])
def test_only_the_checksums_change(end: str, stop: str) -> None:
    before = (TEXT.rstrip("\n") + stop).replace("\n", end)
    text, kept = pinned(before, FOLDER, NEW, ((FOLDER / "a.rda", OTHER), (FOLDER / 'b"\\é.cdl', NEW)))
    assert kept
    expected = TEXT.replace(f"'{OLD}'", f'"{NEW}"', 1)
    table = f'[input.checksums]\n"a.rda" = "{OTHER}"\n"b\\"\\\\é.cdl" = "{NEW}"\n'
    expected = expected.replace(f'[input.checksums] # table\n"a.rda" = "{OLD}"\n', table, 1)
    assert text.rstrip("\r\n") == expected.rstrip("\n").replace("\n", end)


def test_a_recipe_without_checksums_gets_them_behind_its_input() -> None:
    before = '# mine\nrecipe = 1\n[input]\ndata = [\n  "a",\n  "b",\n] # parts\n# the end\n\n[output]\n'
    text, kept = pinned(before, FOLDER, NEW, ((FOLDER / "a.rda", OTHER),))
    assert kept
    added = f'sha256 = "{NEW}"\n\n[input.checksums]\n"a.rda" = "{OTHER}"\n'
    assert text == before.replace("# parts\n", f"# parts\n{added}")


@pytest.mark.parametrize(
    "said",
    [
        'input = { data = "a" }\n',
        'input.data = "a"\n',
        f'[input]\ndata = "a"\nchecksums = {{ "a.rda" = "{OLD}" }}\n',
        f'[input]\ndata = "a"\nchecksums."a.rda" = "{OLD}"\n',
        '[input]\ndata = "a"\n"sh\\u0061256" = "' + OLD + '"\n',
        f'[input.checksums]\n"a.rda" = "{OLD}"\n',
    ],
)
def test_other_ways_of_saying_it_are_understood(said: str) -> None:
    text, _kept = pinned("# mine\nrecipe = 1\n" + said, FOLDER, NEW, ((FOLDER / "a.rda", OTHER),))
    found = parse(text, FOLDER).input
    assert (found.sha256, found.checksums) == (NEW, ((FOLDER / "a.rda", OTHER),))


@pytest.mark.parametrize(
    "line", [f'"a" = "{OLD[:-1]}"', '"a" = 1', f'"" = "{OLD}"', f'" " = "{OLD}"', f'"a" = "{OLD}"\n"./a" = "{OLD}"',
             f'"a\\u0000" = "{OLD}"'],
)  # fmt: skip
def test_what_is_no_checksum_is_refused(line: str) -> None:
    with pytest.raises(RecipeError, match=r"checksums"):
        parse(f"recipe = 1\n[input.checksums]\n{line}\n", FOLDER)


@given(st.text(max_size=60))
def test_any_key_of_the_table_is_read_or_refused(key: str) -> None:
    text = dumps(Recipe(), FOLDER)
    try:
        found = parse(f'{text}[input.checksums]\n{_quoted(key)} = "{OLD}"\n', FOLDER)
    except RecipeError:
        return
    assert parse(dumps(found, FOLDER), FOLDER) == found
    assert len(found.input.checksums) == 1


def _quoted(key: str) -> str:
    return '"' + "".join(f"\\U{ord(sign):08x}" for sign in key) + '"'
