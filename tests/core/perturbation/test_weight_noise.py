"""Noise on the weight: its size, its draws, and that the former key of a recipe means the same."""

from __future__ import annotations

import csv
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.data.variables import Variable
from core.perturbation.weight_noise import NumericWithNoise, with_changes, with_noise, with_noise_on
from core.recipe.model import Input, NumericEdit, Output, Perturbation, Recipe, TopBottomCode, VariableEdit
from core.recipe.toml import parse
from core.recoding.numerical import modify
from core.release.run import carry_out
from core.results.drawing import Sources, order_seed, what_decides
from core.session import Session
from tests.core.recoding.test_numerical import column, texts_of
from tests.core.results.test_numeric import WEIGHTS, recipe_of, released


@given(
    st.lists(st.decimals(0, 1000, places=2).map(str), min_size=1, max_size=40),
    st.floats(0.01, 1),
    st.integers(0, 50),
)
def test_noise_stays_within_its_share_and_follows_the_seed(texts: list[str], share: float, seed: int) -> None:
    weight = Variable("X", decimals=1, role="weight")
    made = texts_of(with_noise(column([*texts, "99999"]), share, weight, seed=seed))
    assert made.pop() == "99999"
    for before, after in zip(texts, made, strict=True):
        assert abs(Fraction(after) - Fraction(before)) <= Fraction(before) * Fraction(share) + Fraction(1, 200)
        assert len(after.partition(".")[2]) == 2
    assert made == texts_of(with_noise(column([*texts, "99999"]), share, weight, seed=seed))[:-1]


def test_noise_is_spread_evenly_and_drawn_record_by_record() -> None:
    before, weight = column(["1000"] * 4000), Variable("X", decimals=4, role="weight")
    made = with_noise(before, 0.1, weight)
    changes = np.array([float(text) / 1000 - 1 for text in texts_of(made)])
    assert abs(changes.mean()) < 0.004
    assert np.histogram(changes, 4, (-0.1, 0.1))[0] == pytest.approx([1000] * 4, abs=130)
    assert len(set(texts_of(made))) > 3900
    other = with_noise(before, 0.1, weight, seed=2)
    assert texts_of(other) != texts_of(made)
    with_checksum = with_noise(before, 0.1, weight, seed=(1, 2))
    assert texts_of(with_checksum) not in (texts_of(other), texts_of(made))


def test_members_of_a_household_get_one_draw_and_strangers_with_the_same_weight_do_not() -> None:
    """The mean of what members got was nearer to their weight; strangers' equal weights would tell their stratum."""
    living = np.repeat(np.arange(500), 4)
    texts = ["310", "310.0", "55", "310"] * 500
    weight = Variable("X", decimals=3, role="weight")
    made = texts_of(with_noise(column(texts), 0.2, weight, households=living))
    homes = np.array(made, object).reshape(500, 4)
    assert (homes[:, 0] == homes[:, 1]).all() and (homes[:, 0] == homes[:, 3]).all()
    assert len(set(homes[:, 0])) > 480
    factors = homes.astype(float) / [310, 310, 55, 310]
    assert abs(np.corrcoef(factors[:, 0], factors[:, 2])[0, 1]) < 0.15, "another weight has another draw"
    assert texts_of(with_noise(column(texts), 0.2, weight, households=living[::-1].copy())) == made, (
        "by who, not by name"
    )


APART = Output(household_id="remove", shuffle=True, keep_households_together=False)


@pytest.mark.parametrize(
    ("output", "together"),
    [(Output(), True), (Output(household_id="remove"), True), (APART, False)],
    ids=["identifier", "side by side", "apart"],
)
def test_who_lives_together_is_not_told_by_equal_weights(tmp_path: Path, output: Output, together: bool) -> None:
    (tmp_path / "d.csv").write_text("HH,N,W\n" + "".join(f"{i // 2},{i},{100 + i // 8}.00\n" for i in range(80)))
    recipe = Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=(VariableEdit("HH", role="household-id"), VariableEdit("W", role="weight", decimals=2)),
        perturbations=(NOISE,),
        output=replace(output, data=tmp_path / "safe.csv"),
    )
    carry_out(Session(), recipe)
    with (tmp_path / "safe.csv").open(newline="") as file:
        found = {int(row["N"]): row["W"] for row in csv.DictReader(file)}
    assert sum(found[i] == found[i + 1] for i in range(0, 80, 2)) == (40 if together else 0)
    assert len(set(found.values())) > 30
    shown = Session().compare_numbers(recipe, NumericWithNoise("W", noise=0.2))
    assert (shown.after.least, shown.after.greatest) == (
        min(map(float, found.values())),
        max(map(float, found.values())),
    )


def test_no_weight_becomes_missing() -> None:
    before = column(["4", "4.0"], missing=("5", "6", "5.0"))
    made = {text for seed in range(40) for text in texts_of(with_noise(before, 0.9, Variable("X"), seed=seed))}
    assert len(made) > 20 and not made & {"5", "6", "5.0", "6.0"}
    assert {"3", "4", "7"} <= made


def test_texts_that_are_no_number_stay() -> None:
    assert texts_of(with_noise(column(["7", "", "x", "99999"]), 0.5, Variable("X")))[1:] == ["", "x", "99999"]


def test_noise_comes_last_and_works_on_the_replacement() -> None:
    weight = Variable("X", decimals=2, role="weight")
    made = texts_of(
        with_noise(
            modify(column(["7000", "50"]), NumericEdit("X", top=TopBottomCode(100, "100")), weight), 0.01, weight
        )
    )
    assert 99 <= float(made[0]) <= 101
    assert made[0] != "100"


NOISE = Perturbation("weight-noise", (), (("share", 0.2),))
ROUNDED = NumericEdit("W", round=0.5)


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("more", [(), (ROUNDED,)], ids=["alone", "rounded"])
def test_former_noise_is_the_perturbation(tmp_path: Path, more: tuple[NumericEdit, ...], shuffle: bool) -> None:
    plain = recipe_of(tmp_path / "one")
    plain = plain.with_(output=Output(data=plain.output.data, shuffle=shuffle))
    rounded = "round = 0.5\n" if more else ""
    read = parse(f'recipe = 1\n[[numeric]]\nvariable = "W"\n{rounded}noise = 0.2\n', tmp_path)
    assert read.numeric == more
    old = plain.with_(numeric=read.numeric, perturbations=read.perturbations, read_as=read.read_as)
    found = released(plain.with_(numeric=more, perturbations=(NOISE,)))
    assert found == released(old)
    assert sorted(found) != sorted(WEIGHTS)
    (told,) = [notice for notice in Session().derive(old).notices if notice.id == "recipe-read-as"]
    assert told.text == (
        'The recipe\'s numeric[1].noise = 0.2 is an earlier form of [[perturbations]] method = "weight-noise", '
        "and read as that."
    )


def test_former_noise_makes_the_file_of_before(tmp_path: Path) -> None:
    """Weights as the version wrote them that still had a path of its own for the former key."""
    plain = recipe_of(tmp_path / "one")
    read = parse('recipe = 1\n[[numeric]]\nvariable = "W"\nround = 0.5\nnoise = 0.2\n', tmp_path)
    found = released(plain.with_(numeric=read.numeric, perturbations=read.perturbations))
    assert found[:4] == ["119.76", "97.19", "97.23", "125.65"]


def test_the_summary_says_what_was_perturbed(tmp_path: Path) -> None:
    recipe = recipe_of(tmp_path / "one")
    texts = released(recipe)
    changed = sum(text != before for text, before in zip(texts, WEIGHTS, strict=True))
    told = carry_out(Session(), recipe).summary["perturbations"]
    assert told == [{"method": "weight-noise", "variables": ["W"], "changed": changed, "share": 0.2}]


def test_a_file_of_numbers_is_written_and_verified(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    recipe = recipe_of(tmp_path / "one")
    done = carry_out(Session(), recipe.with_(output=Output(data=tmp_path / "safe.parquet")))
    assert done.summary["verified"] is True


def test_a_named_weight_decides_nothing() -> None:
    sources = Sources("ab" * 32, weight="W")
    named, new = Recipe(perturbations=(replace(NOISE, variables=("W",)),)), Recipe(perturbations=(NOISE,))
    assert what_decides(named, sources) == what_decides(new, sources) != what_decides(Recipe(), sources)
    assert order_seed(named, sources) == order_seed(new, sources)


@given(st.booleans(), st.none() | st.floats(0.01, 1), st.none() | st.floats(0.01, 1), st.booleans())
def test_changes_of_numbers_hold_the_noise(first: bool, share: float | None, new: float | None, rounded: bool) -> None:
    others = (NumericEdit("A", round=5.0),)
    own = (NumericEdit("W", round=0.5),) if rounded else ()
    said = () if share is None else (Perturbation("weight-noise", (), (("share", share),)),)
    recipe = Recipe(numeric=(*own, *others) if first else (*others, *own), perturbations=said)
    specs = with_noise_on(recipe, "W")
    assert with_changes(recipe, specs) == recipe
    asked = NumericWithNoise("W", round=0.5 if rounded else None, noise=new)
    changed = with_changes(recipe, [*(spec for spec in specs if spec.variable != "W"), asked])
    found = {spec.variable: spec for spec in with_noise_on(changed, "W")}
    assert found.get("W", NumericWithNoise("W")) == asked


WRONG = [
    (Recipe(perturbations=(NOISE, NOISE)), "perturbations[1]", "said twice"),
    (Recipe(perturbations=(NOISE, replace(NOISE, variables=("W",)))), "perturbations[1]", "said twice"),
    (
        Recipe(perturbations=(replace(NOISE, variables=("A",)),)),
        "perturbations[1].variables",
        "noise is for the weight",
    ),
    (
        Recipe(perturbations=(NOISE,), variables=(VariableEdit("W", role="other"),)),
        "perturbations[1]",
        "needs a weight, but no variable has that role",
    ),
    (
        Recipe(perturbations=(NOISE,), variables=(VariableEdit("W", role="weight", removed=True),)),
        "perturbations[1]",
        "removed from the safe file",
    ),
]


@pytest.mark.parametrize(("wrong", "key", "says"), WRONG)
def test_noise_that_cannot_be_is_refused_by_its_key(tmp_path: Path, wrong: Recipe, key: str, says: str) -> None:
    base = recipe_of(tmp_path / "one")
    recipe = wrong.with_(input=Input(data=base.input.data), variables=wrong.variables or base.variables)
    with pytest.raises(RecipeError) as caught:
        Session().derive(recipe)
    assert caught.value.values["key"] == key
    assert says in str(caught.value)
