"""Coding, recoding and ranks against sdcMicro's figures: where ours are the same, and where they differ by design."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.data.columns import EncodedColumn
from core.data.variables import Metadata, Variable
from core.formats.argus.recode_scheme import Scheme
from core.perturbation import rank_swapping
from core.perturbation.micro_groups import blocks, group_means, mdav, optimal, within
from core.perturbation.numbers import numbers_of
from core.perturbation.pram_matrix import neighbours, uniform_matrix
from core.perturbation.rank_swapping import swapped_ranks
from core.recipe.model import NumericEdit, Perturbation, TopBottomCode
from core.recoding.grouping import outcome
from core.recoding.intervals import by_breaks
from core.recoding.numerical import modify
from tests.core.perturbation.test_microaggregation import input_of
from tests.core.perturbation.test_numbers import column, texts_of

Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "golden" / "perturbation.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def tarragona(shared: Path) -> Floats:
    return np.loadtxt(shared / "data" / "Tarragona.csv", delimiter=",", skiprows=1)


@pytest.fixture(scope="module")
def sales(tarragona: Floats) -> EncodedColumn:
    return column([f"{value:.0f}" for value in tarragona[:, 6]], ())


@pytest.fixture(scope="module")
def age(shared: Path) -> EncodedColumn:
    rows = (shared / "data" / "testdata.csv").read_text(encoding="utf-8").splitlines()
    place = rows[0].replace('"', "").split(",").index("age")
    return column([f"{float(row.split(',')[place]):.0f}" for row in rows[1:]], ())


def test_top_and_bottom_coding_as_published_and_a_value_at_the_bound_is_coded(
    sales: EncodedColumn, golden: dict[str, Any]
) -> None:
    """sdcMicro leaves a value that is equal to the bound; ours, like mu-ARGUS, codes it."""
    said, variable = golden["coding"]["topbot"], Variable("SALES", numeric=True)
    for cut, changed, total in (
        (NumericEdit("SALES", top=TopBottomCode(said["q95"], "1000000")), said["changed_top"], said["sum_top"]),
        (NumericEdit("SALES", bottom=TopBottomCode(said["q05"], "0")), said["changed_bottom"], said["sum_bottom"]),
    ):
        made = modify(sales, cut, variable)
        after = numbers_of(made)
        assert int((after != numbers_of(sales)).sum()) == changed
        assert after.sum() == pytest.approx(total, rel=1e-10)
    assert said["at_value_is_changed"] is False
    largest = int(numbers_of(sales).max())
    made = modify(sales, NumericEdit("SALES", top=TopBottomCode(largest, "1")), variable)
    assert texts_of(made).count("1") == texts_of(sales).count("1") + 1


def counts_of(age: EncodedColumn, scheme: Scheme) -> list[int]:
    made = outcome(age, scheme).column
    lows = sorted(range(made.n_valid), key=lambda code: float(made.codes[code].split("-")[0]))
    return [int(made.counts[code]) for code in lows]


@pytest.mark.parametrize(("name", "beyond"), [("equidistant", 1), ("equalAmount", 1), ("logEqui", 0)])
def test_classes_of_age_as_published(age: EncodedColumn, golden: dict[str, Any], name: str, beyond: int) -> None:
    """sdcMicro's classes end at a break, ours begin there: of whole numbers the same ones with breaks one larger.

    Its classes of logarithms are labelled with rounded ends, but made with those before rounding: (1,3] holds 1 and 2.
    """
    published = golden["coding"][f"globalRecode_age_6_{name}"]
    ends = [int(level.strip("[]()").split(",")[1]) for level in published["levels"]]
    assert counts_of(age, by_breaks(age, [end + beyond for end in ends[:-1]])) == published["counts"]


def test_the_lowest_and_the_highest_numbers_are_in_a_class(age: EncodedColumn, golden: dict[str, Any]) -> None:
    """With breaks 0, 17 and 64 sdcMicro makes 267 records missing: those of age 0, and those above the last break."""
    published = golden["coding"]["globalRecode_age_breaks"]
    assert counts_of(age, by_breaks(age, [18, 65])) == published["counts"]
    numbers = numbers_of(age)
    assert published["na"] == (numbers == 0).sum() + (numbers > 64).sum()


@pytest.mark.parametrize(
    ("text", "base", "rounded"),
    [("2.5", 1, "3"), ("-2.5", 1, "-3"), ("2.4999999999999", 1, "2"), ("1.005", 0.01, "1.01")],
)
def test_halves_are_found_exactly_and_not_within_a_slack(text: str, base: float, rounded: str) -> None:
    """mu-ARGUS adds 1e-10 before it rounds halves away from zero: numbers that are just below a half go up, too."""
    assert texts_of(modify(column([text], ()), NumericEdit("X", round=base), Variable("X"))) == [rounded]


def test_ends_coded_to_their_means_as_published(tarragona: Floats, golden: dict[str, Any]) -> None:
    """sdcMicro's rank swapping with R0 = 1 swaps nothing and codes both ends; ours does so in a window of no rank."""
    published = golden["rank_swapping"]["rankSwap_R0_1_only_coding"]
    made = []
    for values in tarragona.T:
        asked = input_of({"X": column([f"{v:.0f}" for v in values], ())}, percent=0.1, top=5.0, bottom=5.0)
        described = Metadata("delimited", (Variable("X", numeric=True, decimals=9),))
        done = rank_swapping.perturb(replace(asked, metadata=described, entry=Perturbation("rank-swapping", ("X",))))
        made.append(numbers_of(done.columns["X"]))
    found = np.array(made).T
    assert found[:5] == pytest.approx(np.array(published["first5"]), rel=1e-10, abs=5e-8)
    assert found.sum(axis=0) == pytest.approx(np.array(published["colsum"]), rel=1e-10)
    assert (found**2).sum(axis=0) == pytest.approx(np.array(published["colsumsq"]), rel=1e-10)
    assert (found != tarragona).sum(axis=0).tolist() == published["changed_per_variable"]


@pytest.mark.parametrize("percent", [5, 10, 15])
def test_the_window_of_ranks_is_the_one_of_mu_argus(golden: dict[str, Any], percent: int) -> None:
    said = golden["rank_swapping"]["largest_rank_gap"][f"argus_{percent}"]
    gaps = []
    for seed in range(20):
        parameters = {"percent": float(percent), "top": 0.0, "bottom": 0.0}
        _order, partner, _low, _high = swapped_ranks(np.arange(834.0), parameters, np.random.default_rng(seed))
        gaps.append(int(np.abs(partner - np.arange(834)).max()))
    assert max(gaps) == said["limit"] == said["max_rank_gap"]


def test_groups_of_mu_argus(tarragona: Floats, golden: dict[str, Any]) -> None:
    """Of equally near records the first of the file, as mu-ARGUS has it; sdcMicro takes the last."""
    published, groups = golden["tarragona"]["argus_mic_3"], mdav(tarragona, 3)
    made = np.column_stack([group_means(c, groups) for c in tarragona.T])
    assert made[:5] == pytest.approx(np.array(published["first5"]), rel=1e-10, abs=1e-9)
    assert np.arange(1, 835) @ made == pytest.approx(np.array(published["weighted"]), rel=1e-10)
    best = golden["tarragona"]["argus_opt_first_3"]
    means = group_means(tarragona[:, 0], optimal(tarragona[:, 0], 3))
    assert len(np.unique(means.round(6))) == best["groups"]
    assert means.sum() == pytest.approx(best["sum"], rel=1e-13)


@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize(("name", "place"), [("FIXED.ASSETS", 0), ("SALES", 6)])
def test_blocks_of_one_variable_as_published(
    tarragona: Floats, golden: dict[str, Any], name: str, place: int, k: int
) -> None:
    values = tarragona[:, place]
    made = group_means(values, blocks(values, k))
    published = golden["tarragona"][f"one_{name}_{k}"]
    assert made[:5] == pytest.approx(published["first5"], rel=1e-10, abs=1e-9)
    assert within(values, made) == pytest.approx(published["sse"], rel=1e-10)
    assert within(values, group_means(values, optimal(values, k))) <= published["sse"] * (1 + 1e-12)


def test_a_matrix_that_keeps_nine_tenths_gives_the_published_counts(golden: dict[str, Any]) -> None:
    matrix = uniform_matrix(np.full(5, 0.9), neighbours(np.arange(5)[:, None], 0))
    counts = np.array(golden["pram"]["pram_roof"]["freq"])
    assert counts @ matrix == pytest.approx(golden["pram"]["pram_matrix_0.9"]["expected_after"], rel=1e-12)
