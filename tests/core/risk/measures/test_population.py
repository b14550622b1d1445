"""Population models on populations that are known, against ARX, and as a recipe asks for them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import DataError
from core.base.progress import SILENT
from core.recipe.model import Measure
from core.results.second_opinions import population_model
from core.risk import population_uniqueness as models
from core.risk.measures import population
from core.risk.measures.evaluation import MeasureInput
from core.risk.population_uniqueness import SampleSizes, Uniqueness
from core.risk.second_opinion import second_opinion
from core.tables.tabulate import tabulate_records
from tests.naive_tables import columns_of, weights_of
from tests.reference.files import KEYS, demodata, small_file

ARX = {0.01: 2057.17, 0.1: 1105.94, 0.2: 917.47, 0.5: 716.69, 1.0: 594.55}
"""Pitman's population uniques of the adult data, 30,162 records in 1690 keys, by sampling fraction."""


def sampled(sizes: np.ndarray[Any, Any], fraction: float, seed: int = 3) -> tuple[SampleSizes, Uniqueness]:
    """A sample of a population with cells of these sizes, and what is true of it."""
    f = np.random.default_rng(seed).binomial(sizes, fraction)
    of_sample = SampleSizes(*np.unique(f[f > 0], return_counts=True), float(sizes.sum()))
    alone = sizes[f == 1]
    return of_sample, Uniqueness((sizes == 1).sum(), (alone == 1).sum(), (1 / alone).sum(), (f / sizes).sum())


@pytest.mark.parametrize("fraction", [0.2, 0.5, 1.0])
@pytest.mark.parametrize(("shape", "chance"), [(0.5, 0.05), (2.0, 0.3), (0.2, 0.01)])
def test_the_slide_negative_binomial_finds_its_population(shape: float, chance: float, fraction: float) -> None:
    sizes = 1 + np.random.default_rng(1).negative_binomial(shape, chance, 30_000)
    sample, true = sampled(sizes, fraction)
    found = models.slide_negative_binomial(sample)
    assert found is not None
    assert found.population_uniques == pytest.approx(true.population_uniques, rel=0.2)
    assert found.tau1 == pytest.approx(true.tau1, rel=0.2)
    assert found.tau2 == pytest.approx(true.tau2, rel=0.06)
    assert found.expected == pytest.approx(true.expected, rel=0.04)


def of_pitman(people: int, theta: float, alpha: float) -> np.ndarray[Any, Any]:
    """The sizes of cells when people come one after the other and sit down by Pitman's rule."""
    rng = np.random.default_rng(1)
    sizes: list[int] = []
    cell_of: list[int] = []
    for seated, (new, place, stay) in enumerate(rng.random((people, 3)).tolist()):
        if new * (theta + seated) < theta + alpha * len(sizes):
            sizes.append(0)
            cell = len(sizes) - 1
        else:
            cell = cell_of[int(place * seated)]
            while stay < alpha / sizes[cell]:
                place, stay = rng.random(2).tolist()
                cell = cell_of[int(place * seated)]
        sizes[cell] += 1
        cell_of.append(cell)
    return np.array(sizes)


def test_pitman_finds_its_population() -> None:
    sizes = of_pitman(40_000, 100.0, 0.4)
    for fraction in (0.1, 0.4):
        sample, true = sampled(sizes, fraction)
        found = models.pitman(sample)
        assert found is not None
        for name, value in vars(true).items():
            assert vars(found)[name] == pytest.approx(value, rel=0.12), name


def test_pitman_as_arx() -> None:
    """α follows from two of its figures, θ from α, the records and the keys; all five figures follow from these."""
    alpha = math.log(ARX[0.01] / ARX[1.0]) / math.log(100)
    theta = models.pitman_theta(alpha, 1690, 30162)
    for fraction, uniques in ARX.items():
        assert models.pitman_uniques(alpha, theta, 30162 / fraction) == pytest.approx(uniques, rel=2e-5)


def test_zayatz_by_hand() -> None:
    """Six of twelve people: cells of 1, 1, 1, 3; one of i is in the sample by the hypergeometric distribution."""
    sample = SampleSizes(np.array([1, 3]), np.array([3, 1]), 12.0)
    one, three = 6 / 12, 3 * math.comb(9, 5) / math.comb(12, 6)
    found = models.zayatz(sample)
    assert found is not None
    assert found.tau1 == pytest.approx(3 * 3 * one / (3 * one + three))
    assert found.population_uniques == pytest.approx(found.tau1 * 2)
    assert found.tau2 == pytest.approx(3 * (3 * one + three / 3) / (3 * one + three))
    # in a census they are those of the file: 543 of the adult data
    whole = models.zayatz(SampleSizes(np.array([1, 2]), np.array([543, 10]), 563.0))
    assert whole is not None and whole.population_uniques == 543


@pytest.mark.parametrize("sizes", [([1], [5]), ([2], [5]), ([7], [1])])
def test_what_has_no_solution_says_so(sizes: tuple[list[int], list[int]]) -> None:
    sample = SampleSizes(np.array(sizes[0]), np.array(sizes[1]), 100.0)
    assert models.pitman(sample) is None
    assert models.slide_negative_binomial(sample) is None


def test_the_choice_of_dankar() -> None:
    few, more = Uniqueness(5, 1, 1), Uniqueness(9, 1, 1)
    assert models.dankar(0.1, {"zayatz": few, "pitman": more, "snb": few}) == "pitman"
    assert models.dankar(0.1, {"zayatz": more, "pitman": None, "snb": few}) == "zayatz"
    assert models.dankar(0.2, {"zayatz": more, "pitman": more, "snb": few}) == "snb"
    assert models.dankar(0.2, {"zayatz": few, "pitman": more, "snb": more}) == "zayatz"
    assert models.dankar(0.2, {"zayatz": few, "pitman": more, "snb": None}) == "zayatz"
    assert models.dankar(0.2, {"zayatz": None, "pitman": more, "snb": None}) is None


def test_correct_given_unique_as_skinner_and_elliot() -> None:
    assert models.correct_given_unique(30, 20, 0.1) == pytest.approx(0.1 * 30 / (0.1 * 30 + 2 * 0.9 * 20))
    assert models.correct_given_unique(30, 0, 1.0) == 1.0
    assert math.isnan(models.correct_given_unique(0, 0, 0.5))


def taken_on(columns: Any, weights: Any = None, units: Any = None, **said: Any) -> dict[str, Any]:
    measure = Measure("population", tuple(column.name for column in columns), tuple(said.items()))
    parameters = population.DECLARATION.used(measure)
    table = tabulate_records(columns, weights, parameters["missing_rule"])
    found = population.evaluate(MeasureInput(table, {}, parameters, SILENT, weights=weights, units=units))
    return dict(found.figures)


def test_demodata_has_the_figures_of_its_second_opinion(shared: Path) -> None:
    _metadata, microdata = demodata(shared)
    columns = [microdata.columns[name] for name in KEYS]
    found = taken_on(columns, microdata.weights)
    rows = {row["name"]: row for row in found["models"]}
    assert list(rows) == ["calibrated", "log-linear", "zayatz", "pitman", "snb", "theta"]
    assert rows["calibrated"]["expected"] == pytest.approx(227.931707244, rel=1e-9)
    assert rows["calibrated"]["tau2"] == pytest.approx(212.691895643, rel=1e-9)
    assert rows["log-linear"]["expected"] == pytest.approx(231.514009481, rel=1e-9)
    table = tabulate_records(columns, microdata.weights)
    opinion = second_opinion(table.cells, population_model(table, microdata.weights))
    assert rows["calibrated"]["tau1"] == opinion.population_uniques
    assert 0 < rows["log-linear"]["tau1"] < rows["log-linear"]["tau2"] < opinion.log_linear
    assert found["sample_uniques"] == 3014 and found["size"] == pytest.approx(1010466.1)
    pi = 4000 / found["size"]
    assert rows["theta"]["correct"] == pytest.approx(pi * 3014 / (pi * 3014 + 2 * (1 - pi) * 362))
    assert [name for name, row in rows.items() if row["chosen"]] == [
        "pitman" if rows["pitman"]["converged"] else "zayatz"
    ]
    figure = {name: "correct" if name == "theta" else "tau2" for name in rows}
    assert all(row["converged"] == (figure[name] in row) for name, row in rows.items())
    assert "tau2" not in rows["theta"]  # n₁² / Σ F, which is below Σ 1/F over uniques


def test_the_ten_records_of_the_practice_guide(shared: Path) -> None:
    columns, weights = small_file(shared / "data" / "table41.csv", ("Residence", "Gender", "Educ", "Lstat"), "Weights")
    found = taken_on(columns, weights)
    F = np.array([360, 360, 215, 152, 186, 152, 180, 215, 262, 262])
    assert found["prosecutor"] == {"max": 1.0, "mean": pytest.approx(0.7)}
    assert found["journalist"] == {"max": 1 / 152, "mean": pytest.approx(max(7 / 1570, (1 / F).mean()))}
    assert found["marketer"] == pytest.approx((1 / F).mean())
    assert not {row["name"]: row for row in found["models"]}["theta"]["converged"]


def test_a_weight_for_everybody_is_the_size_of_the_population() -> None:
    rows = [(i % 2, i % 7, i % 11) for i in range(40)] + [(0, 0, None)]
    columns = columns_of(rows, (2, 7, 11))
    by_size = taken_on(columns, units="sample", population=410.0)
    by_weight = taken_on(columns, weights_of([10] * 41))  # type: ignore[list-item]
    assert by_size["size"] == by_weight["size"] == 410
    for one, other in zip(by_size["models"], by_weight["models"], strict=True):
        assert one.pop("name") == other.pop("name")
        assert one == pytest.approx(other, rel=1e-7)
    assert by_size["journalist"] == pytest.approx(by_weight["journalist"])


def test_a_file_that_is_its_population_is_certain_of_its_uniques() -> None:
    columns = columns_of([(0, 0), (0, 1), (1, 1), (1, 1), (0, 2), (0, 2)], (2, 3))
    found = taken_on(columns, units="population")
    rows = {row["name"]: row for row in found["models"]}
    for name in ("calibrated", "log-linear", "zayatz"):
        assert (rows[name]["tau1"], rows[name]["tau2"]) == (2, 2), name
    assert rows["zayatz"]["chosen"] or rows["snb"]["chosen"]
    assert rows["calibrated"]["expected"] == pytest.approx(4)


@pytest.mark.parametrize(("said", "id"), [({}, "population-unknown"), ({"population": 1.0}, "population-too-small")])
def test_a_population_that_is_not_known_is_asked_for(said: dict[str, Any], id: str) -> None:
    with pytest.raises(DataError) as caught:
        taken_on(columns_of([(0,), (1,)], (2,)), units="sample", **said)
    assert caught.value.id == id
