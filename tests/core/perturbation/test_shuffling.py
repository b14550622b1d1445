"""Shuffling: its model against published figures, and what stays."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.base.errors import DataError
from core.data.columns import EncodedColumn
from core.perturbation import shuffling
from core.perturbation.method import PerturbationInput
from core.perturbation.shuffling import normal_scores, shuffled_scores, shuffling_model
from core.recipe.model import Perturbation
from tests.core.perturbation.test_microaggregation import input_of
from tests.core.perturbation.test_numbers import column, texts_of

Floats = NDArray[np.float64]


def test_the_model_of_published_figures(shared: Path) -> None:
    with (shared / "data" / "testdata.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    golden = json.loads((shared / "golden" / "perturbation.json").read_text())["shuffle"]["shuffle_ds_formulas"]
    numbers = np.array([[float(row[name]) for name in ("expend", "income", "savings")] for row in rows])
    predictors = np.array([[float(row[name]) for name in ("age", "sex", "water")] for row in rows])
    coefficients, sigma = shuffling_model(numbers, predictors)
    assert coefficients.T == pytest.approx(np.array(golden["coefficients"]), abs=1e-10)
    assert sigma == pytest.approx(np.array(golden["Sigma"]), abs=1e-10)


def test_normal_scores_of_tied_and_missing_values() -> None:
    found = normal_scores(np.array([3.0, 1.0, 1.0, np.nan]))
    assert found == pytest.approx([0.967421566, -0.430727300, -0.430727300, 0.0])


def shuffling_input(
    numbers: list[str], predictor: list[str], strata: list[int] | None = None, y: list[str] | None = None
) -> PerturbationInput:
    columns = {"X": column(numbers)} | ({"Y": column(y)} if y else {})
    asked = input_of(columns | {"S": column(predictor, ())}, strata, predictors=("S",))
    others: dict[str, EncodedColumn] = {"S": asked.columns["S"]}
    return replace(
        asked,
        columns=columns,
        others=others,
        entry=Perturbation("shuffling", tuple(columns), (("predictors", ("S",)),)),
    )


@given(st.lists(st.integers(0, 99), min_size=8, max_size=40), st.integers(0, 10**6))
def test_numbers_stay_the_same_and_missing_ones_where_they_are(values: list[int], seed: int) -> None:
    predictor = np.random.default_rng(seed).integers(0, 5, len(values)).astype(str).tolist()
    asked = shuffling_input([str(v) for v in values], predictor)
    made = shuffling.perturb(asked)
    after = texts_of(made.columns["X"])
    assert sorted(after) == sorted(map(str, values))
    assert all((a in ("98", "99")) == (str(b) in ("98", "99")) for a, b in zip(after, values, strict=True))
    assert not list(shuffling.broken(asked, made.columns))


def test_relations_stay_in_ranks_and_records_do_not() -> None:
    random = np.random.default_rng(5)
    s = random.normal(size=4000)
    x = np.exp(0.8 * s + 0.6 * random.normal(size=4000))
    y = 0.5 * np.log(x) + random.normal(size=4000)
    drawn = shuffled_scores(np.column_stack([x, y]), s[:, None], random.standard_normal((4000, 2)))
    before = np.corrcoef(np.column_stack([normal_scores(v) for v in (s, x, y)]).T)
    after = np.corrcoef(np.column_stack([normal_scores(v) for v in (s, drawn[:, 0], drawn[:, 1])]).T)
    assert after == pytest.approx(before, abs=4 / np.sqrt(4000))
    # Given the predictor, the drawn score says nothing of the own number.
    rest = [
        v - np.polyval(np.polyfit(normal_scores(s), v, 1), normal_scores(s)) for v in (normal_scores(x), drawn[:, 0])
    ]
    assert abs(np.corrcoef(rest)[0, 1]) < 4 / np.sqrt(4000)


def test_scores_have_coefficients_and_covariances_of_the_model_over_400_seeds() -> None:
    random = np.random.default_rng(8)
    s = random.normal(size=(80, 2))
    x = np.column_stack([s[:, 0] + random.normal(size=80), random.normal(size=80) - s[:, 1]])
    coefficients, sigma = shuffling_model(x, s)
    scores = np.column_stack([normal_scores(c) for c in s.T])
    slopes, rests = [], []
    for seed in range(400):
        drawn = shuffled_scores(x, s, np.random.default_rng(seed).standard_normal((80, 2)))
        slopes.append(np.linalg.lstsq(scores, drawn, rcond=None)[0])
        rest = drawn - scores @ slopes[-1]
        rests.append(rest.T @ rest / (80 - 2))
    for found, wanted in ((np.array(slopes), coefficients), (np.array(rests), sigma)):
        error = found.std(axis=0, ddof=1) / 20
        assert (np.abs(found.mean(axis=0) - wanted) <= 4 * error).all()


def test_predictors_enter_by_their_scores_and_not_as_they_are() -> None:
    """sdcMicro's `ds_cov` multiplies coefficients of scores by the raw predictors."""
    random = np.random.default_rng(9)
    s, normals = random.normal(size=(50, 1)), random.standard_normal((50, 1))
    x = s + random.normal(size=(50, 1))
    assert shuffled_scores(x, s, normals) == pytest.approx(shuffled_scores(x, 1e6 + np.exp(3 * s), normals))


def test_what_is_missing_is_no_draw_from_the_column() -> None:
    """sdcMicro fills missing numbers at random before it shuffles: what is there would depend on the filling."""
    texts, predictor = [str(v) for v in range(20, 50)], [str(v % 7) for v in range(30)]
    one = texts_of(shuffling.perturb(shuffling_input(["99", *texts[1:]], predictor)).columns["X"])
    other = texts_of(shuffling.perturb(shuffling_input(["98", *texts[1:]], predictor)).columns["X"])
    assert (one[0], other[0]) == ("99", "98")
    assert one[1:] == other[1:]


def test_predictors_that_say_the_same_twice_do_no_harm() -> None:
    s = np.repeat(np.arange(6.0), 5)
    coefficients, sigma = shuffling_model(s[::-1, None].copy(), np.column_stack([s, s, 1 - s]))
    assert np.isfinite(coefficients).all()
    assert sigma == pytest.approx(np.zeros((1, 1)), abs=1e-9)


def test_strata_of_a_few_records_are_refused() -> None:
    with pytest.raises(DataError, match="only 3 records of a stratum have values; at least 4 are needed"):
        shuffling.perturb(shuffling_input(["1", "2", "3"], ["1", "2", "3"]))


def test_numbers_changed_behind_its_back_are_found() -> None:
    asked = shuffling_input(["1", "2", "3"], ["1", "2", "1"])
    assert [n.id for n in shuffling.broken(asked, {"X": column(["1", "2", "4"])})] == ["perturbation-other-numbers"]
