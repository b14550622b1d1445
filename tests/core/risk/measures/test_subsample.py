"""Release of a subsample: the printed example, the mean over all samples, and what is drawn."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import DataError, RecipeError
from core.recipe.model import Input, Measure, Output, Recipe, Report
from core.release.run import carry_out
from core.report.words import headline
from core.risk.measures.shown import CurvePicture
from core.risk.subsampling import FileSizes, check_weights, classification, sample_risk
from core.session import Session
from tests.core.risk.measures.taken import taken
from tests.naive_measures import sampled

# (10,M) (30,M) (20,M) (20,F) (10,F) (25,F) (20,M) (25,F) (10,M) (20,M), numbered as cells
FILE = [0, 1, 2, 3, 4, 5, 2, 5, 0, 2]
IN_FILE = np.bincount(FILE)
WEIGHTS = [
    np.array([[10.0]]),
    np.full((5, 5), 0.4),
    np.array([[6.0, 2.0], [0.0, 2.0]]),
    np.array([[3.0, 1.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]]),
]
PRINTED = {
    (1, 2, 3, 4, 5): ("0.3", "0.383", "0.316", "0.316"),
    (1, 3, 6, 7, 9): ("0", "0.2166", "0.05", "0.116"),
    (1, 3, 7, 9, 10): ("0", "0.2", "0.033", "0.2"),
}


def cut(value: float, like: str) -> str:
    decimals = len(like.partition(".")[2])
    return f"{math.floor(value * 10**decimals + 1e-9) / 10**decimals:.{decimals}f}"


@pytest.mark.parametrize("sample", PRINTED)
def test_the_printed_example(sample: tuple[int, ...]) -> None:
    matrix = classification(np.bincount([FILE[i - 1] for i in sample], minlength=6), IN_FILE)
    assert {
        (i + 1, j + 1): matrix[i, j] for i, j in zip(*np.nonzero(matrix), strict=True)
    } == sampled(FILE, [i - 1 for i in sample])  # fmt: skip
    found = [sample_risk(matrix, 10, weights) for weights in WEIGHTS]
    assert tuple(cut(each.weighted, like) for each, like in zip(found, PRINTED[sample], strict=True)) == PRINTED[sample]
    assert found[0].weighted == found[0].least
    assert found[1].weighted == pytest.approx(found[0].most)
    assert all(each.least <= each.weighted * (1 + 1e-12) and each.weighted <= each.most * (1 + 1e-12) for each in found)


def test_the_mean_over_all_samples_and_what_is_drawn() -> None:
    file, weights = FileSizes.of(IN_FILE), WEIGHTS[3]
    assert file.records == 10
    every = [
        classification(np.bincount([FILE[i] for i in chosen], minlength=6), IN_FILE)
        for chosen in combinations(range(10), 4)
    ]
    np.testing.assert_allclose(file.expected(0.4, 3), np.mean(every, axis=0), atol=1e-12)
    risks = np.array([list(vars(sample_risk(matrix, 10, weights)).values()) for matrix in every])
    np.testing.assert_allclose(list(vars(file.mean_risk(0.4, weights)).values()), risks.mean(axis=0))
    drawn = file.simulated([0.4], 600, 7, weights)[0.4]
    np.testing.assert_allclose(drawn.mean(axis=0), risks.mean(axis=0), atol=4 * risks.std(axis=0).max() / 600**0.5)
    np.testing.assert_allclose(drawn.std(axis=0), risks.std(axis=0), rtol=0.15)
    np.testing.assert_array_equal(drawn, file.simulated([0.4], 600, 7, weights)[0.4])
    assert (drawn != file.simulated([0.4], 600, 8, weights)[0.4]).any()


BROKEN = [
    ([[0.0, 0.0]], "w(1,1) > 0: w(1,1) is 0"),
    ([[2.0, -1.0]], "no weight is negative: w(1,2) is -1"),
    ([[2.0, 1.0, 1.5]], "w(i,j) >= w(i,j+1): w(1,3) is 1.5"),
    ([[2.0, 1.0], [0.0, 2.5]], "w(i,i) >= w(i+1,i+1): w(2,2) is 2.5"),
]


@pytest.mark.parametrize(("rows", "says"), BROKEN)
def test_weights_that_break_a_condition_are_refused_by_it(rows: list[list[float]], says: str, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("A\n1\n", encoding="utf-8")
    weights = tuple(map(tuple, rows))
    recipe = Recipe(
        input=Input(data=tmp_path / "d.csv"),
        measures=(Measure("subsample", ("A",), (("fraction", 0.5), ("weights", weights))),),
    )
    with pytest.raises(RecipeError) as caught:
        carry_out(Session(), recipe)
    assert caught.value.values["key"] == "measures[1].weights"
    assert says in str(caught.value)


def test_weights_are_taken_by_their_proportions() -> None:
    matrix = classification(np.bincount([0, 1, 2], minlength=6), IN_FILE)
    for weights in WEIGHTS:
        check_weights(weights, "weights")
        assert sample_risk(matrix, 10, weights).weighted == pytest.approx(sample_risk(matrix, 10, 7 * weights).weighted)


def test_figures_and_what_is_shown() -> None:
    rows = [(0, 0)] * 3 + [(0, 1)] * 2 + [(1, 0), (1, 1), (1, 2)]
    _table, found = taken("subsample", rows, fraction=0.25, repeats=50, weights=((2.0, 1.0), (0.0, 1.0)))
    figures = found.figures
    assert [row["fraction"] for row in figures["curve"]] == [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert figures["at_one"] == pytest.approx({"dr_min": 3 / 8, "dr_max": 5 / 8, "dr_w": (3 + 1 / 2) / 8})
    assert figures["dr_min"] == pytest.approx(0.25 * 3 / 8)
    assert figures["dr_max"] == pytest.approx(0.25 * 5 / 8)
    assert figures["dr_min"] <= figures["dr_w"] <= figures["dr_max"]
    assert np.sum(figures["matrix"]) == pytest.approx(2)
    last = figures["curve"][-1]
    assert last["dr_max"] == pytest.approx(5 / 8) and last["dr_max_sd"] == pytest.approx(0, abs=1e-12)
    assert figures["slope"]["dr_max"] == pytest.approx(5 / 8, rel=0.1)
    assert found.headline is not None and isinstance(found.picture, CurvePicture)
    sentence = headline(found.headline).replace("\u00a0", " ")
    assert sentence == "In a sample of 25.0 % of the records, 9.38 % to 15.6 % of all 8 records would be at risk."
    assert found.behind is not None and len(found.behind.columns) == 7
    _table, found = taken("subsample", rows, fraction=0.25, repeats=2)
    assert "dr_w" not in found.figures and found.behind is not None and len(found.behind.columns) == 5


@pytest.mark.parametrize(("fraction", "least"), [(0.12, "0.13"), (0.01, "0.13"), (1e-6, "0.13")])
def test_a_sample_of_less_than_one_record_is_refused(fraction: float, least: str) -> None:
    rows = [(i % 2, 0) for i in range(8)]
    with pytest.raises(DataError, match=f"less than one record.*at least {least}"):
        taken("subsample", rows, fraction=fraction, repeats=2)
    taken("subsample", rows, fraction=float(least), repeats=2)


def test_in_a_recipe_and_without_its_seed_for_outsiders(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("A\n1\n1\n2\n3\n", encoding="utf-8")
    said = (("fraction", 0.5), ("repeats", 5), ("seed", 777))
    output = Output(report=tmp_path / "r.html")
    recipe = Recipe(input=Input(data=tmp_path / "d.csv"), measures=(Measure("subsample", ("A",), said),), output=output)
    (found,) = carry_out(Session(), recipe).summary["measures"]
    assert found["seed"] == 777 and len(found["curve"]) == 10
    assert "777" in (tmp_path / "r.html").read_text(encoding="utf-8")
    carry_out(Session(), recipe.with_(report=Report(variant="external")))
    report = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "777" not in report and "subsample: A" in report and "Risk by the sampling fraction" not in report
