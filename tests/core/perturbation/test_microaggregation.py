"""Microaggregation: groups against plain twins and published figures, and what is promised of the written numbers."""

from __future__ import annotations

import csv
import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.base.errors import DataError, RecipeError
from core.base.progress import SILENT
from core.data.columns import EncodedColumn
from core.data.variables import Metadata, Variable
from core.perturbation import microaggregation
from core.perturbation.method import PerturbationInput
from core.perturbation.micro_groups import (
    blocks,
    group_means,
    least_within,
    mdav,
    optimal,
    principal_component,
    within,
)
from core.perturbation.numbers import numbers_of
from core.recipe.model import Combination, Input, Output, Perturbation, Recipe, Suppression
from core.release.run import carry_out
from core.session import Session
from tests.benchmarks.bench_perturbation import correlation_loss, eigen, il1s, interval_risk
from tests.core.perturbation.test_numbers import column, texts_of

Floats = NDArray[np.float64]


def plain_mdav(points: Floats, k: int) -> list[int]:
    """The definition, record by record."""
    scaled = points / np.where(points.std(axis=0) > 0, points.std(axis=0), 1)
    left, groups, group = list(range(len(points))), [0] * len(points), 0

    def near(to: Floats) -> list[int]:
        return sorted(left, key=lambda i: (float(((scaled[i] - to) ** 2).sum()), i))[:k]

    def farthest(to: Floats) -> int:
        return max(left, key=lambda i: (float(((scaled[i] - to) ** 2).sum()), -i))

    while len(left) >= 2 * k:
        first = farthest(scaled[left].mean(axis=0))
        second, both = farthest(scaled[first]), len(left) >= 3 * k
        for seed in (first, second)[: 2 if both else 1]:
            for i in near(scaled[seed]):
                groups[i] = group
                left.remove(i)
            group += 1
    for i in left:
        groups[i] = group
    return groups


def partition(groups: NDArray[np.int64] | list[int]) -> set[frozenset[int]]:
    found: dict[int, list[int]] = {}
    for i, group in enumerate(groups):
        found.setdefault(int(group), []).append(i)
    return {frozenset(rows) for rows in found.values()}


@given(st.data(), st.integers(1, 40), st.integers(1, 3), st.integers(2, 5))
def test_mdav_groups_as_its_definition(data: st.DataObject, n: int, p: int, k: int) -> None:
    # Powers of two as spreads keep the distances of the twin exact, so that ties are ties.
    whole = data.draw(st.lists(st.integers(0, 7), min_size=n * p, max_size=n * p))
    points = np.array(whole, np.float64).reshape(n, p)
    spread = points.std(axis=0)
    found = mdav(points, k)
    sizes = np.bincount(found)
    assert sizes.min() >= min(k, n)
    assert sizes.max() <= 2 * k - 1 or n < 2 * k
    if np.all((spread == 0) | (np.log2(np.where(spread > 0, spread, 1)) % 1 == 0)):
        assert partition(found) == partition(plain_mdav(points, k))


def test_mdav_groups_numbers_of_no_ties_as_its_definition() -> None:
    random = np.random.default_rng(3)
    for n, k in ((7, 2), (30, 3), (61, 4), (100, 7)):
        points = random.normal(size=(n, 3)) * [1, 100, 0.01]
        assert partition(mdav(points, k)) == partition(plain_mdav(points, k))


def least_by_all_partitions(values: Floats, k: int) -> float:
    """Over all ways to cut the sorted values into groups of at least k."""
    ordered, n = np.sort(values), len(values)
    best = np.inf
    for cuts in itertools.product((False, True), repeat=n - 1):
        ends = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), n]
        parts = [ordered[a:b] for a, b in itertools.pairwise(ends)]
        if min(map(len, parts)) >= min(k, n):
            best = min(best, sum(float(((part - part.mean()) ** 2).sum()) for part in parts))
    return best


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=10), st.integers(2, 4))
def test_the_optimal_groups_lose_least_of_all(values: list[int], k: int) -> None:
    numbers = np.array(values, np.float64)
    groups = optimal(numbers, k)
    assert np.bincount(groups).min() >= min(k, len(values))
    assert within(numbers, group_means(numbers, groups)) == pytest.approx(least_by_all_partitions(numbers, k), abs=1e-9)


@given(st.lists(st.floats(-100, 100), min_size=6, max_size=30), st.integers(2, 3))
def test_no_grouping_loses_less_than_the_bound(values: list[float], k: int) -> None:
    numbers = np.array(values)
    points = np.column_stack([numbers, numbers[::-1] ** 2])
    for groups in (mdav(points, k), blocks(principal_component(points), k), blocks(numbers, k)):
        for j in (0, 1):
            assert within(points[:, j], group_means(points[:, j], groups)) >= least_within(points[:, j], k) - 1e-6


def test_the_component_has_loadings_above_zero_in_sum() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=50)
    points = np.column_stack([-x, -x + random.normal(size=50) / 10])
    assert np.corrcoef(principal_component(points), -x)[0, 1] > 0.9
    assert not principal_component(np.ones((4, 2))).any()


@pytest.fixture(scope="module")
def tarragona(shared: Path) -> Floats:
    with (shared / "data" / "Tarragona.csv").open(newline="") as file:
        return np.array([[float(text) for text in row] for row in list(csv.reader(file))[1:]])


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("name", ["mdav", "onedims", "pca"])
def test_figures_of_tarragona(tarragona: Floats, shared: Path, name: str, k: int) -> None:
    golden = json.loads((shared / "golden" / "perturbation.json").read_text())["tarragona"][f"{name}_{k}"]
    same = {"mdav": lambda: mdav(tarragona, k), "pca": lambda: blocks(principal_component(tarragona), k)}
    groups = same[name]() if name in same else None
    made = np.column_stack([group_means(c, blocks(c, k) if groups is None else groups) for c in tarragona.T])
    assert made[:5] == pytest.approx(np.array(golden["first5"]), rel=1e-10, abs=1e-9)
    assert made.sum(axis=0) == pytest.approx(np.array(golden["colsum"]), rel=1e-10)
    assert (made**2).sum(axis=0) == pytest.approx(np.array(golden["colsumsq"]), rel=1e-10)
    if name != "mdav":
        rows = np.arange(1, len(made) + 1)
        assert rows @ made == pytest.approx(np.array(golden["weighted"]), rel=1e-10)
    risks = {f"dRisk_{width:g}": interval_risk(tarragona, made, width) for width in (0.05, 0.1)}
    losses = {f.__name__: f(tarragona, made) for f in (il1s, eigen)} | {"IL_correl": correlation_loss(tarragona, made)}
    for figure, found in (risks | losses).items():
        said = golden[{"il1s": "IL1s"}.get(figure, figure)]
        assert found == pytest.approx(said, rel=1e-10), figure


def test_optimal_groups_of_tarragona_lose_less_than_blocks(tarragona: Floats) -> None:
    assets = tarragona[:, 0]
    assert least_within(assets, 3) == pytest.approx(4604709131689.4, rel=1e-12)
    assert within(assets, group_means(assets, blocks(assets, 3))) == pytest.approx(4611830243232.67, rel=1e-12)


def input_of(
    columns: dict[str, EncodedColumn], strata: list[int] | None = None, households: list[int] | None = None,
    of_households: tuple[str, ...] = (), **parameters: object,
) -> PerturbationInput:  # fmt: skip
    described = tuple(Variable(name, numeric=True, household=name in of_households) for name in columns)
    return PerturbationInput(
        columns=columns,
        metadata=Metadata("delimited", described),
        parameters={"algorithm": "mdav", "k": 2} | parameters,
        seed=lambda _entry: (1,),
        progress=SILENT,
        strata=None if strata is None else np.array(strata),
        households=None if households is None else np.array(households),
    )


def test_missing_numbers_stay_missing_and_join_the_nearest_group() -> None:
    asked = input_of({"X": column(["1", "2", "10", "11", "99"]), "Y": column(["1", "1", "5", "99", "7"])})
    made = microaggregation.perturb(asked)
    # Records 1 and 2 are together, with record 3, as three complete ones are one group; 4 and 5 join it.
    assert texts_of(made.columns["X"]) == ["6", "6", "6", "6", "99"]
    assert texts_of(made.columns["Y"]) == ["4", "4", "4", "99", "4"]
    assert not list(microaggregation.broken(asked, made.columns))


def test_a_missing_number_does_not_spread_over_its_group() -> None:
    asked = input_of({"X": column(["1", "2", "99", "10", "11"])}, algorithm="individual-ranking")
    assert texts_of(microaggregation.perturb(asked).columns["X"]) == ["2", "2", "99", "10", "10"]


def test_the_number_minus_999_is_a_number() -> None:
    asked = input_of({"X": column(["-999", "-997", "10", "12"], ())}, algorithm="optimal")
    assert texts_of(microaggregation.perturb(asked).columns["X"]) == ["-998", "-998", "11", "11"]


def test_means_are_of_doubles() -> None:
    """Large numbers passed through floats of 32 bits would lose their last digits."""
    asked = input_of({"X": column(["16777217", "16777217", "99999999", "99999999"], ())}, algorithm="optimal")
    assert set(texts_of(microaggregation.perturb(asked).columns["X"])) == {"16777217", "99999999"}


def test_distances_are_of_doubles() -> None:
    """sdcMicro holds distances in 32 bits, to which these four numbers are one."""
    points = np.array([[1e8], [1e8 + 3], [1e8 + 1], [1e8 + 4]])
    assert mdav(points, 2).tolist() in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_a_group_lies_in_one_stratum_however_its_size_divides() -> None:
    """The blocks of sdcMicro's clusters run on from one cluster into the next."""
    strata = [0] * 5 + [1] * 4
    numbers = [str(v) for v in (1, 2, 3, 4, 10, 11, 12, 13, 14)]
    asked = input_of({"X": column(numbers)}, strata, algorithm="individual-ranking")
    after = texts_of(microaggregation.perturb(asked).columns["X"])
    assert after == ["2", "2", "6", "6", "6", "12", "12", "14", "14"]  # halves to even


def test_a_constant_variable_is_no_obstacle() -> None:
    """mu-ARGUS refuses it."""
    asked = input_of({"X": column(["1", "9", "2", "8"]), "Y": column(["5"] * 4)})
    made = microaggregation.perturb(asked)
    assert texts_of(made.columns["X"]) == ["2", "8", "2", "8"]
    assert texts_of(made.columns["Y"]) == ["5"] * 4


def test_sorted_and_tied_values_of_any_number_are_grouped() -> None:
    for values in (np.arange(200_000, dtype=np.float64), np.zeros(200_000)):
        assert np.bincount(optimal(values, 3)).min() == 3
        assert np.bincount(blocks(values, 3)).min() == 3


def test_groups_lie_within_strata_and_too_small_ones_are_named() -> None:
    strata = [0, 1, 0, 1, 1]
    made = microaggregation.perturb(input_of({"X": column(["1", "2", "3", "4", "6"])}, strata))
    assert texts_of(made.columns["X"]) == ["2", "4", "2", "4", "4"]
    assert made.invariants["groups"] == 2
    with pytest.raises(DataError, match="only 1 record of a stratum has values, and groups need 2"):
        microaggregation.perturb(input_of({"X": column(["1", "2", "3"])}, [0, 0, 1]))


def test_a_household_variable_is_one_number_a_household() -> None:
    asked = input_of(
        {"RENT": column(["1", "1", "1", "4", "10", "15"])}, None, [0, 0, 0, 1, 2, 3], ("RENT",), algorithm="optimal"
    )
    made = microaggregation.perturb(asked)
    assert texts_of(made.columns["RENT"]) == ["2"] * 3 + ["2"] + ["12"] * 2
    assert not list(microaggregation.broken(asked, made.columns))
    with pytest.raises(DataError, match="members of 1 household have different values"):
        microaggregation.perturb(input_of({"RENT": column(["1", "2"])}, None, [0, 0], ("RENT",)))


def test_what_cannot_be_done_is_refused() -> None:
    both = {"X": column(["1", "2"]), "Y": column(["1", "2"])}
    with pytest.raises(RecipeError, match="is for one variable"):
        microaggregation.perturb(input_of(both, algorithm="optimal"))
    with pytest.raises(RecipeError, match="Y is a household variable, and X is not"):
        microaggregation.perturb(input_of(both, None, [0, 1], ("Y",)))


@given(
    st.lists(st.integers(0, 98), min_size=4, max_size=30), st.sampled_from(["mdav", "individual-ranking", "optimal"])
)
def test_what_is_promised_holds_of_the_written_numbers(values: list[int], algorithm: str) -> None:
    asked = input_of({"X": column([str(v) for v in values], ())}, algorithm=algorithm, k=3)
    made = microaggregation.perturb(asked)
    assert not list(microaggregation.broken(asked, made.columns))
    written = numbers_of(made.columns["X"])
    assert made.invariants["smallest_group"] >= 3
    assert made.invariants["information_lost"] >= made.invariants["least_information_lost"] - 0.5
    assert made.invariants["largest_change_of_mean"] == pytest.approx(abs(written.mean() - np.mean(values)), abs=1e-9)


@given(st.data(), st.sampled_from(["mdav", "individual-ranking"]))
def test_weighted_groups_keep_the_weighted_mean_of_each_stratum(data: st.DataObject, algorithm: str) -> None:
    n = data.draw(st.integers(8, 30))
    values = data.draw(st.lists(st.integers(100, 9999), min_size=n, max_size=n))
    weights = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 3.0, 40.0]), min_size=n, max_size=n)))
    strata = np.arange(n) % 2
    asked = input_of(
        {"X": column([f"{v}.00" for v in values], ())}, strata.tolist(), algorithm=algorithm, weighted=True
    )
    asked = replace(asked, weights=weights)
    made = microaggregation.perturb(asked)
    assert not list(microaggregation.broken(asked, made.columns))
    written = numbers_of(made.columns["X"])
    for own in (strata == 0, strata == 1):
        if weights[own].any():
            kept = np.average(np.array(values)[own], weights=weights[own])
            assert np.average(written[own], weights=weights[own]) == pytest.approx(kept, abs=0.005)
    assert made.invariants["largest_change_of_stratum_mean"] <= 0.005 + 1e-9


def test_plain_groups_do_not_promise_weighted_means() -> None:
    asked = replace(input_of({"X": column(["1", "5", "20", "26"], ())}), weights=np.array([1.0, 9.0, 1.0, 1.0]))
    weighed = replace(asked, parameters={**asked.parameters, "weighted": True})
    plain, found = microaggregation.perturb(asked), microaggregation.perturb(weighed)
    assert texts_of(plain.columns["X"]) != texts_of(found.columns["X"])
    assert {each.id for each in microaggregation.broken(weighed, {"X": column(["9", "9", "12", "12"], ())})} == {
        "microaggregation-mean"
    }


def test_numbers_changed_behind_its_back_are_found() -> None:
    asked = input_of({"X": column(["1", "2", "10", "11"])})
    wrong = {"X": column(["2", "2", "20", "31"])}
    assert {notice.id for notice in microaggregation.broken(asked, wrong)} == {
        "microaggregation-rare",
        "microaggregation-mean",
    }


def test_a_recipe_that_microaggregates(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    rows = [f"{i % 3},{v:.1f}\n" for i, v in enumerate(random.lognormal(8, 1, 60))]
    (tmp_path / "d.csv").write_text("A,X\n" + "".join(rows))
    recipe = Recipe(
        input=Input(data=tmp_path / "d.csv"),
        combinations=(Combination(("A",), "frequency"),),
        suppression=Suppression(criterion="none"),
        perturbations=(Perturbation("microaggregation", ("X",), (("k", 4), ("within", ("A",)))),),
        output=Output(data=tmp_path / "safe.csv"),
    )
    done = carry_out(Session(), recipe)
    assert done.summary["verified"]
    told = done.summary["perturbations"][0]
    assert told["invariants"]["smallest_group"] == 4
    with (tmp_path / "safe.csv").open(newline="") as file:
        found = [(row["A"], row["X"]) for row in csv.DictReader(file)]
    assert min(found.count(pair) for pair in set(found)) >= 4
