"""Noise on the weight: what the window previews is what is written, and the seed alone does not tell it."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import RecipeError
from core.data.columns import EncodedColumn
from core.data.variables import Variable
from core.perturbation.values import digests_of
from core.perturbation.weight_noise import NumericWithNoise, with_noise
from core.recipe.model import (
    Combination,
    Input,
    NumericEdit,
    Output,
    Perturbation,
    Recipe,
    Suppression,
    TopBottomCode,
    VariableEdit,
)
from core.release.run import carry_out
from core.results.drawing import noise_seed
from core.session import Session

NOISE = Perturbation("weight-noise", ("W",), (("share", 0.2),))
WEIGHTS = [f"{100 + 7 * i}.25" for i in range(40)]


CODES = tuple(WEIGHTS)
COLUMN = EncodedColumn(
    "W", np.arange(len(CODES), dtype=np.uint8), CODES, CODES, np.ones(len(CODES), np.int64), len(CODES), 6
)


def recipe_of(folder: Path, last: str = WEIGHTS[-1]) -> Recipe:
    folder.mkdir(exist_ok=True)
    rows = [f"{i % 3},{weight}\n" for i, weight in enumerate((*WEIGHTS[:-1], last))]
    (folder / "d.csv").write_text("A,W\n" + "".join(rows))
    return Recipe(
        input=Input(data=folder / "d.csv"),
        variables=(VariableEdit("W", role="weight", decimals=2),),
        combinations=(Combination(("A",), "frequency"),),
        suppression=Suppression(criterion="none"),
        perturbations=(NOISE,),
        output=Output(data=folder / "safe.csv"),
    )


def released(recipe: Recipe) -> list[str]:
    carry_out(Session(), recipe)
    assert recipe.output.data is not None
    with recipe.output.data.open(newline="") as file:
        return [row["W"] for row in csv.DictReader(file)]


def guessed(seed: int | tuple[int, ...]) -> list[str]:
    """The weights that somebody makes who knows the original ones and has this seed."""
    made = with_noise(COLUMN, 0.2, Variable("W", decimals=2, role="weight"), seed=seed)
    return [made.codes[i] for i in made.values]


def test_the_seed_alone_does_not_tell_the_noise(tmp_path: Path) -> None:
    recipe = recipe_of(tmp_path / "one")
    found = released(recipe)
    assert found != WEIGHTS
    assert found != guessed(recipe.output.seed)
    digest = digests_of({"W": COLUMN}, ".")(["W"])
    assert found != guessed((recipe.output.seed, int(digest, 16)))
    assert found == guessed(noise_seed(recipe.output, NOISE, digest, lambda _name: digest))


def test_other_weights_have_other_noise_and_the_same_ones_the_same(tmp_path: Path) -> None:
    found = released(recipe_of(tmp_path / "one"))
    assert found == released(recipe_of(tmp_path / "two"))
    assert found[:-1] != released(recipe_of(tmp_path / "three", last="2"))[:-1]


def test_the_preview_is_the_output(tmp_path: Path) -> None:
    recipe = recipe_of(tmp_path / "one")
    shown = Session().compare_numbers(recipe, NumericWithNoise("W", noise=0.2))
    written = np.array([float(text) for text in released(recipe)])
    assert shown.after.mean == pytest.approx(written.mean(), rel=1e-12)
    assert (shown.after.least, shown.after.greatest) == (written.min(), written.max())
    assert shown.changed == sum(text != before for text, before in zip(released(recipe), WEIGHTS, strict=True))


@pytest.mark.parametrize(("missing", "replacement", "said"), [(("999",), " 999 ", True), (("999",), "99", False)])
def test_a_replacement_that_is_a_missing_code_is_warned_of(
    tmp_path: Path, missing: tuple[str, ...], replacement: str, said: bool
) -> None:
    plain = recipe_of(tmp_path / "one")
    edits = (*plain.variables, VariableEdit("A", numeric=True, missing=missing))
    recipe = plain.with_(
        variables=edits,
        combinations=(),
        numeric=(NumericEdit("A", top=TopBottomCode(2.0, replacement), bottom=TopBottomCode(0.0, "1")),),
    )
    found = [notice for notice in Session().derive(recipe).notices if notice.id == "numeric-replaced-by-missing"]
    assert [(notice.where, dict(notice.values)["key"]) for notice in found] == [("A", "numeric[1].top")] * said


def test_a_base_of_too_many_decimals_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    recipe = recipe_of(tmp_path / "one").with_(numeric=(NumericEdit("W", round=1e-300),))
    with pytest.raises(RecipeError, match=r"^numeric\[1\].round: 1e-300 needs 300 decimals in W"):
        Session().derive(recipe)
