"""Record swapping: who has to move, with whom, and what no swap changes."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.base.errors import DataError, RecipeError
from core.base.progress import SILENT
from core.data.variables import Metadata, Variable
from core.perturbation import record_swapping
from core.perturbation.method import PerturbationInput
from core.perturbation.record_swapping import Swaps, swapped
from core.recipe.model import Perturbation
from tests.core.perturbation.test_microaggregation import input_of
from tests.core.perturbation.test_numbers import column, texts_of

Ints = NDArray[np.int64]


@pytest.fixture(scope="module")
def survey(repo: Path) -> tuple[Ints, NDArray[np.float64], Ints]:
    """Areas, risks and sizes of the households of the demonstration survey, by sex and age group."""
    with (repo / "resources" / "demo" / "survey.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    numbers: dict[str, int] = {}
    living = np.array([numbers.setdefault(row["HHID"], len(numbers)) for row in rows])
    first = np.unique(living, return_index=True)[1]
    risks, areas = [], []
    for digits in (2, 4):
        keys = [(row["REGION"][:digits], row["SEX"], int(row["AGE"]) // 10) for row in rows]
        counts, risk = Counter(keys), np.zeros(len(first))
        for household, key in zip(living, keys, strict=True):
            risk[household] = max(risk[household], 1 / counts[key])
        risks.append(risk)
        codes = sorted({key[0] for key in keys})
        areas.append([codes.index(keys[record][0]) for record in first.tolist()])
    return np.array(areas).T, np.array(risks).T, np.bincount(living)


def swap(survey: tuple[Ints, NDArray[np.float64], Ints], k: int, rate: float, seed: int) -> Swaps:
    areas, risks, size = survey
    known = np.ones(len(size), np.bool_)
    return swapped(areas, risks, [size], known, k, rate, np.random.default_rng(seed), SILENT)


@pytest.mark.parametrize(("k", "must"), [(0, [0, 0]), (2, [2, 96]), (3, [4, 213]), (5, [19, 450])])
@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_households_of_the_survey(
    survey: tuple[Ints, NDArray[np.float64], Ints], k: int, must: list[int], rate: float
) -> None:
    """The rare ones are those of the targeted swapping of others; both the rate and the rare ones are reached."""
    areas, _risks, size = survey
    for seed in range(4):
        found = swap(survey, k, rate, seed)
        moved = found.partner != np.arange(len(size))
        assert found.rare.tolist() == must
        assert found.without == 0
        assert (found.partner[found.partner] == np.arange(len(size))).all()
        assert (size[found.partner] == size).all()
        assert (areas[found.partner[moved], 1] != areas[moved, 1]).all()
        assert moved.sum() >= max(sum(must), rate * len(size) - 2)
        if k == 0:
            assert abs(moved.sum() - rate * len(size)) <= 2


def test_households_are_drawn_in_proportion_to_their_risk() -> None:
    areas, size = np.array([[0], [1], [1], [1]]), np.ones(4, np.int64)
    risks = np.array([[1.0], [0.1], [0.2], [0.4]])
    partners = Counter(
        int(swapped(areas, risks, [size], size > 0, 2, 0.0, np.random.default_rng(s), SILENT).partner[0])
        for s in range(7000)
    )
    for household, share in ((1, 1 / 7), (2, 2 / 7), (3, 4 / 7)):
        assert abs(partners[household] - 7000 * share) < 4 * np.sqrt(7000 * share * (1 - share))


def test_the_rate_is_met_in_every_area_over_400_seeds() -> None:
    """On average, to within four standard errors, and the same households on any machine with the same seed."""
    areas, moved = np.repeat(np.arange(8), 15)[:, None], []
    alike, known = [np.zeros(120, np.int64)], np.ones(120, np.bool_)
    for seed in range(400):
        found = swapped(areas, np.full((120, 1), 0.5), alike, known, 0, 0.1, np.random.default_rng(seed), SILENT)
        moved.append(np.bincount(areas[found.partner != np.arange(120), 0], minlength=8))
    each = np.array(moved)
    for counts, wanted in ((each, 1.5), (each.sum(axis=1), 12.0)):
        error = counts.std(axis=0, ddof=1) / 20
        assert (np.abs(counts.mean(axis=0) - wanted) <= 4 * error + 1e-12).all()
    again = swapped(areas, np.full((120, 1), 0.5), alike, known, 0, 0.1, np.random.default_rng(399), SILENT)
    assert again.partner.tolist() == found.partner.tolist()


def swapping_input(
    rows: list[tuple[int, str, str, str]], households: bool = True, **parameters: object
) -> PerturbationInput:
    """Rows of household, province, region and size."""
    named = {name: column([row[i] for row in rows]) for i, name in enumerate(("P", "R", "S"), 1)}
    asked = input_of(
        named, None, [row[0] for row in rows] if households else None, ("P", "R", "S"),
        **({"geography": ("P", "R"), "similar": (("S",),), "risk_variables": (), "k": 0, "rate": 1.0} | parameters),
    )  # fmt: skip
    entry = Perturbation("record-swapping", (), (("geography", ("P", "R")),))
    changed = {name: named[name] for name in record_swapping.variables(entry, asked.metadata)}
    return replace(asked, columns=changed, others={"S": named["S"]}, entry=entry)


ROWS = [(0, "1", "11", "2"), (0, "1", "11", "2"), (1, "2", "21", "2"), (1, "2", "21", "2"), (2, "2", "22", "1")]


def test_all_members_go_with_all_their_geography() -> None:
    made = record_swapping.perturb(swapping_input(ROWS))
    assert texts_of(made.columns["P"]) == ["2", "2", "1", "1", "2"]
    assert texts_of(made.columns["R"]) == ["21", "21", "11", "11", "22"]
    assert made.invariants["swapped"] == 2
    assert made.invariants["largest_change_of_a_count_of_persons"] == 2


def test_households_are_alike_by_all_their_members() -> None:
    """sdcMicro compares the first record of each household only."""
    rows = [(0, "1", "11", "1"), (0, "1", "11", "2"), (1, "2", "21", "1"), (1, "2", "21", "3"), (2, "3", "31", "2"),
            (2, "3", "31", "1")]  # fmt: skip
    asked = swapping_input(rows, k=9, rate=0.0)
    of_persons = Metadata("delimited", tuple(replace(v, household=v.name != "S") for v in asked.metadata.variables))
    made = record_swapping.perturb(replace(asked, metadata=of_persons))
    assert texts_of(made.columns["P"]) == ["3", "3", "2", "2", "1", "1"]


def test_households_change_places_within_strata() -> None:
    rows = [(h, str(h % 4 // 2 + 1), str(h % 4 + 1), "2") for h in range(40)]
    stratum = column([str(h % 3 + 1) for h in range(40)])
    asked = swapping_input(rows, k=0, rate=1.0)
    parameters = {**asked.parameters, "within": ("T",)}
    metadata = replace(asked.metadata, variables=(*asked.metadata.variables, Variable("T", household=True)))
    others = {**asked.others, "T": stratum}
    made = record_swapping.perturb(replace(asked, metadata=metadata, parameters=parameters, others=others))
    kinds = [Counter(zip(texts_of(stratum), texts_of(each.columns["R"]), strict=True)) for each in (asked, made)]
    assert made.invariants["swapped"] > 20
    assert kinds[0] == kinds[1]
    free = record_swapping.perturb(asked).columns["R"]
    assert kinds[0] != Counter(zip(texts_of(stratum), texts_of(free), strict=True))


def test_somebody_rare_for_whom_nobody_is_left_stays_and_is_told() -> None:
    made = record_swapping.perturb(swapping_input(ROWS, k=5, rate=0.0))
    assert made.invariants["rare"] == {"P": 3, "R": 0}
    assert made.invariants["without_partner"] == 1


def test_a_household_in_an_unknown_place_is_not_swapped() -> None:
    made = record_swapping.perturb(swapping_input([*ROWS, (3, "99", "99", "1")]))
    assert texts_of(made.columns["P"])[-2:] == ["2", "99"]


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)), min_size=1, max_size=25),
    st.integers(0, 4),
    st.sampled_from([0.0, 0.3, 1.0]),
)
def test_every_area_keeps_its_households_and_persons(drawn: list[tuple[int, int, int]], k: int, rate: float) -> None:
    rows = [(h, str(p), f"{p}{r}", str(s)) for h, (p, r, s) in enumerate(drawn) for _ in range(s)]
    asked = swapping_input(rows, k=k, rate=rate)
    made = record_swapping.perturb(asked)
    after = list(zip(texts_of(made.columns["P"]), texts_of(made.columns["R"]), (row[3] for row in rows), strict=True))
    assert Counter(after) == Counter((p, r, s) for _, p, r, s in rows)
    assert len({(row[0], place) for row, place in zip(rows, after, strict=True)}) == len(drawn)
    assert not list(record_swapping.broken(asked, made.columns))
    moved = sum(row[2] != place[1] for row, place in zip(rows, after, strict=True))
    assert moved <= made.invariants["swapped"] * 3


def test_what_cannot_be_swapped_is_refused() -> None:
    with pytest.raises(RecipeError, match='no variable has the role "household-id"'):
        record_swapping.perturb(swapping_input(ROWS, households=False))
    with pytest.raises(DataError, match="P: the members of 1 household have different values"):
        record_swapping.perturb(swapping_input([(0, "1", "11", "2"), (0, "2", "11", "2")]))


def test_areas_that_lost_households_are_found() -> None:
    asked = swapping_input(ROWS)
    wrong = {"P": column(["1"] * 5), "R": asked.columns["R"]}
    assert [notice.id for notice in record_swapping.broken(asked, wrong)] == ["record-swapping-households"]
