"""The sections of the verdict: what is read, written and refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from core.base.errors import RecipeError
from core.recipe import toml
from core.recipe.model import Accepted, Recipe, Target
from core.results.drawing import Sources, what_decides
from tests.core.recipe.strategies import FOLDER

POINT = 'rule = "random-order"\nby = "A. Lindqvist"\non = 2026-11-23\nreason = "Needed for the panel"\n'
QUOTED = '"2026-11-23"'
SAID = f'[target]\nprofile = "public-use"\n\n[[accepted]]\n{POINT}number = 12\n'


def test_target_and_accepted_points_are_read_and_written() -> None:
    recipe = toml.parse(f"recipe = 1\n\n{SAID}", FOLDER)
    point = Accepted("random-order", (), "A. Lindqvist", date(2026, 11, 23), "Needed for the panel", 12)
    assert (recipe.target, recipe.accepted) == (Target("public-use"), (point,))
    assert toml.dumps(recipe, FOLDER) == f"recipe = 1\n\n{SAID}"


def test_a_target_is_a_file_where_its_name_ends_so() -> None:
    recipe = toml.parse('recipe = 1\n[target]\nprofile = "rules/office.toml"\n', FOLDER)
    assert recipe.target.profile == FOLDER / "rules" / "office.toml"
    assert toml.dumps(recipe, FOLDER) == 'recipe = 1\n\n[target]\nprofile = "rules/office.toml"\n'


@pytest.mark.parametrize(
    ("text", "id", "says"),
    [
        ("[target]\n", "recipe-missing-key", "target.profile"),
        ('[target]\nprofile = "public-us"\n', "recipe-bad-value", 'Did you mean "public-use"?'),
        ("[target]\nprofile = 1\n", "recipe-bad-value", "a text in quotes"),
        ('[target]\nprofile = "public-use"\nlevel = 1\n', "recipe-unknown-key", "target.level"),
        (f'[profile]\nfile = "p.toml"\n{SAID}', "profile-beside-target", "both [profile] and [target]"),
        (f"[[accepted]]\n{POINT.replace('2026-11-23', QUOTED)}", "recipe-bad-value", "a date such as"),
        (f"[[accepted]]\n{POINT.replace('2026-11-23', '2026-11-23T12:00:00')}", "recipe-bad-value", "a date such as"),
        (f"[[accepted]]\n{POINT.replace('Needed for the panel', 'why not')}", "recipe-bad-value", "10 characters"),
        (f"[[accepted]]\n{POINT.replace('A. Lindqvist', ' ')}", "recipe-bad-value", "the name of a person"),
        (f"[[accepted]]\n{POINT}number = -1\n", "recipe-bad-value", "accepted[1].number"),
        *(
            ("[[accepted]]\n" + "\n".join(line for line in POINT.splitlines() if not line.startswith(key)),
             "recipe-missing-key", f"accepted[1].{key}")
            for key in ("rule", "by", "on", "reason")
        ),
    ],
)  # fmt: skip
def test_what_a_target_cannot_say_is_refused(text: str, id: str, says: str) -> None:
    with pytest.raises(RecipeError) as refused:
        toml.parse(f"recipe = 1\n{text}", FOLDER)
    assert refused.value.id == id
    assert says in str(refused.value)


def test_no_random_draw_follows_from_a_target() -> None:
    point = Accepted("useful", (), "A. Lindqvist", date(2026, 11, 23), "Needed for the panel")
    plain, sources = Recipe(), Sources("0" * 64)
    told = plain.with_(target=Target(Path("/office.toml")), accepted=(point,))
    assert what_decides(told, sources) == what_decides(plain, sources)
    assert what_decides(plain, sources).count(b"target") == 0
