"""Noise on numbers: its definitions over many draws, figures of other programs, and that theirs are not our defects."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.base.errors import DataError, RecipeError
from core.perturbation import noise
from core.perturbation.method import Perturbed, broken_promises
from core.perturbation.normal_noise import correlations, moments_of, noise_like, towards_mean
from tests.core.perturbation.inputs import given_of
from tests.core.perturbation.test_numbers import texts_of

Floats = NDArray[np.float64]
REPEATS = 400


@pytest.fixture(scope="module")
def tarragona(shared: Path) -> Floats:
    return np.loadtxt(shared / "data" / "Tarragona.csv", delimiter=",", skiprows=1)


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "golden" / "perturbation.json").read_text())["noise"]
    return found


def released(values: Floats, kind: str, share: float, random: np.random.Generator) -> Floats:
    """The definition, by the functions of the method."""
    one = np.zeros(len(values), np.int64)
    draws = [random.standard_normal(len(values)) for _ in values.T]
    moments, joint = moments_of(values, one), None if kind == "independent" else correlations(values, one)
    made = values + math.sqrt(share) * noise_like(moments, one, draws, joint)
    return towards_mean(made, moments, one, 1 / math.sqrt(1 + share)) if kind == "moments-kept" else made


def il1s(before: Floats, after: Floats) -> float:
    return float((np.abs(before - after) / (math.sqrt(2) * before.std(axis=0, ddof=1))).sum())


def test_moments_are_those_of_the_file(tarragona: Floats, golden: dict[str, Any]) -> None:
    one = np.zeros(len(tarragona), np.int64)
    found = moments_of(tarragona, one)
    assert found.mean[0] == pytest.approx(golden["noise"]["mean"], rel=1e-13)
    assert found.sd[0] == pytest.approx(golden["noise"]["sd"], rel=1e-13)
    covariance = correlations(tarragona, one)[0] * np.outer(found.sd[0], found.sd[0])
    assert covariance[:3, :3] == pytest.approx(np.array(golden["noise"]["cov_first3"]), rel=1e-12)


EXPECTED = [("independent", 1.5, "additive"), ("correlated", 1.5, "correlated"), ("moments-kept", 0.5, "kept")]


@pytest.mark.parametrize(("kind", "share", "as_"), EXPECTED)
def test_moments_over_many_draws_are_those_of_the_definition(
    tarragona: Floats, kind: str, share: float, as_: str
) -> None:
    """Means, and every variance and covariance, within four standard errors of what the definition says."""
    values, random = tarragona[:, :5], np.random.default_rng(7)
    covariance = np.cov(values.T)
    wanted = {
        "additive": covariance + share * np.diag(np.diag(covariance)),
        "correlated": (1 + share) * covariance,
        "kept": covariance,
    }[as_]
    means, covariances = [], []
    for _ in range(REPEATS):
        made = released(values, kind, share, random)
        means.append(made.mean(axis=0))
        covariances.append(np.cov(made.T))
    for found, expected in ((np.array(means), values.mean(axis=0)), (np.array(covariances), wanted)):
        error = found.std(axis=0, ddof=1) / math.sqrt(REPEATS)
        assert (np.abs(found.mean(axis=0) - expected) <= 4 * error).all()


def test_share_means_the_same_in_all_kinds(tarragona: Floats, golden: dict[str, Any]) -> None:
    """sdcMicro's `noise` scales the variance by a in `correlated`, by a^2 in `additive`; ours by the share in both."""
    random = np.random.default_rng(1)
    values = tarragona[:, :6]
    for kind in ("independent", "correlated"):
        made = [released(values, kind, 1.5, random).std(axis=0, ddof=1) / values.std(axis=0, ddof=1) for _ in range(60)]
        assert np.mean(made) == pytest.approx(golden["behaviour_correlated_150"]["sd_ratio"], rel=0.01)
    squared = [released(values, "independent", 2.25, random).std(axis=0, ddof=1) for _ in range(60)]
    ratio = np.mean(np.array(squared) / values.std(axis=0, ddof=1))
    assert ratio == pytest.approx(golden["behaviour_additive_150"]["sd_ratio"], rel=0.01)


RESTR = [(1.5, 1248.911952), (0.1, 158.212377)]


@pytest.mark.parametrize(("share", "sums"), RESTR)
def test_each_variable_is_drawn_towards_its_own_mean(tarragona: Floats, share: float, sums: float) -> None:
    """sdcMicro's `restr` recycles the vector of means down the rows; without noise ours gives the definition's IL1s."""
    n, one = len(tarragona), np.zeros(len(tarragona), np.int64)
    c = math.sqrt((n - 1) / (n + n * share - 1))
    made = towards_mean(tarragona, moments_of(tarragona, one), one, c)
    assert il1s(tarragona, made) == pytest.approx(sums, rel=5e-9)
    assert made.mean(axis=0) == pytest.approx(tarragona.mean(axis=0), rel=1e-12)
    assert np.corrcoef(made.T) == pytest.approx(np.corrcoef(tarragona.T), abs=1e-12)


def test_moments_kept_masks(tarragona: Floats, golden: dict[str, Any]) -> None:
    """sdcMicro's `restr` has no random part at all, and its `correlated2` loses correlations; neither is so here."""
    random, values = np.random.default_rng(2), tarragona[:, :4]
    made = [released(values, "moments-kept", 0.25, random) for _ in range(40)]
    assert il1s(made[0], made[1]) > 0.1 * values.size
    shift = [np.abs(np.corrcoef(each.T) - np.corrcoef(values.T)).max() for each in made]
    assert np.mean(shift) < golden["behaviour_correlated2_0.5"]["cor_shift"] / 2


def numbers(texts: list[str]) -> list[float]:
    return [math.nan if text in ("99", "98") else float(text) for text in texts]


def test_missing_stays_missing_and_whole_numbers_stay_whole() -> None:
    texts = {"A": ["1", "20", "99", "40", "55", "98", "70"], "B": ["1.50", "2", "3", "99", "5", "6", "7"]}
    for kind in ("independent", "correlated", "moments-kept"):
        given = given_of("noise", texts, kind=kind, share=0.2)
        made = noise.perturb(given)
        for name, before in texts.items():
            after = texts_of(made.columns[name])
            assert [text for text in after if text in ("99", "98")] == [text for text in before if text in ("99", "98")]
            assert np.isnan(numbers(after)).tolist() == np.isnan(numbers(before)).tolist()
        assert all("." not in text for text in texts_of(made.columns["A"]))
        assert all(len(text.partition(".")[2]) == 2 for text in texts_of(made.columns["B"]) if text != "99")
        assert list(broken_promises(noise, given, made)) == []


def test_what_is_never_negative_stays_so_and_that_is_told() -> None:
    texts = {"A": ["0"] * 30 + ["100"] * 30, "D": ["-5", "5"] * 30}
    made = noise.perturb(given_of("noise", texts, share=0.5))
    assert min(numbers(texts_of(made.columns["A"]))) == 0
    assert min(numbers(texts_of(made.columns["D"]))) < -5
    told = made.invariants["set_to_zero"]
    assert set(told) == {"A"}
    assert 5 < told["A"] <= texts_of(made.columns["A"]).count("0")


def test_what_is_told_is_true_of_the_written_values() -> None:
    texts = {"A": [str(i * i + 200) for i in range(40)], "B": [str(200 + 3 * i + i % 5) for i in range(40)]}
    made = noise.perturb(given_of("noise", texts, kind="correlated", share=0.3))
    for name, before in texts.items():
        old, new = np.array(numbers(before)), np.array(numbers(texts_of(made.columns[name])))
        sd = old.std(ddof=1)
        assert made.invariants["mean_shift"][name] == pytest.approx((new.mean() - old.mean()) / sd)
        assert made.invariants["sd_ratio"][name] == pytest.approx(new.std(ddof=1) / sd)
    one, other = (
        np.array([numbers(each[n]) for n in "AB"]) for each in (texts, {n: texts_of(made.columns[n]) for n in "AB"})
    )
    shift = abs(np.corrcoef(one)[0, 1] - np.corrcoef(other)[0, 1])
    assert made.invariants["correlation_shift"] == pytest.approx(shift)


def test_members_of_a_household_get_one_draw_of_household_variables() -> None:
    homes = [i // 3 for i in range(30)]
    texts = {"P": [str(10 * i) for i in range(30)], "RENT": [str(100 + 7 * home) for home in homes]}
    made = noise.perturb(given_of("noise", texts, households=homes, shared=["RENT"], kind="correlated", share=0.2))
    rents = texts_of(made.columns["RENT"])
    assert all(len(set(rents[i : i + 3])) == 1 for i in range(0, 30, 3))
    assert rents != texts["RENT"]
    moved = [float(new) - float(old) for old, new in zip(texts["P"], texts_of(made.columns["P"]), strict=True)]
    assert len(set(moved)) > 20


def test_strata_that_part_households_are_refused() -> None:
    texts = {"RENT": ["1", "1", "2", "2"]}
    with pytest.raises(RecipeError, match="part members of one household"):
        noise.perturb(given_of("noise", texts, [0, 1, 0, 0], [0, 0, 1, 1], ["RENT"], share=0.2))


def test_noise_is_as_wide_as_its_stratum_and_a_constant_one_is_no_exception() -> None:
    narrow, wide, constant = (
        [str(i % 10) for i in range(200)],
        [str(1000 * (i % 10)) for i in range(200)],
        ["500"] * 200,
    )
    given = given_of("noise", {"A": [*narrow, *wide, *constant]}, [0] * 200 + [1] * 200 + [2] * 200, share=0.1)
    made = np.array(numbers(texts_of(noise.perturb(given).columns["A"])))
    moved = np.abs(made - np.array(numbers([*narrow, *wide, *constant])))
    assert moved[:200].max() < 10 < moved[200:400].max()
    assert (moved[400:] > 0).mean() > 0.9


def test_another_variable_draws_nothing_anew_for_the_first_and_another_share_does() -> None:
    """Two releases whose noise differs could be averaged."""
    texts = {"A": [str(100 * i) for i in range(20)], "B": [str(7 * i % 50) for i in range(20)]}
    alone = texts_of(noise.perturb(given_of("noise", {"A": texts["A"]}, share=0.2)).columns["A"])
    both = noise.perturb(given_of("noise", texts, share=0.2))
    assert texts_of(both.columns["A"]) == alone
    said = noise.perturb(given_of("noise", {"A": texts["A"]}, share=0.2, kind="independent", seed=1))
    assert texts_of(said.columns["A"]) == alone
    for other in ({"share": 0.21}, {"share": 0.2, "seed": 2}, {"share": 0.2, "kind": "moments-kept"}):
        assert texts_of(noise.perturb(given_of("noise", {"A": texts["A"]}, **other)).columns["A"]) != alone


def test_one_variable_follows_from_another() -> None:
    texts = {"A": [str(300 + i) for i in range(50)], "B": [str(2 * i + 300) for i in range(50)], "C": ["5"] * 50}
    made = noise.perturb(given_of("noise", texts, kind="moments-kept", share=0.3))
    one, two = (np.array(numbers(texts_of(made.columns[name]))) for name in "AB")
    assert np.corrcoef(one, two)[0, 1] > 0.99
    assert set(texts_of(made.columns["C"])) == {"5"}


def test_a_text_that_is_no_number_is_named() -> None:
    with pytest.raises(DataError, match='A has the value "x"'):
        noise.perturb(given_of("noise", {"A": ["1", "x"]}, share=0.1))


BROKEN = [
    (["1.5", "2", "99"], "noise-decimals"),
    (["-1", "2", "99"], "noise-negative"),
    (["1", "99", "99"], "perturbation-missing"),
    (["1", "2", "98"], "perturbation-missing"),
]


@pytest.mark.parametrize(("texts", "id"), BROKEN)
def test_broken_promises_are_found(texts: list[str], id: str) -> None:
    given = given_of("noise", {"A": ["1", "2", "99"]}, share=0.1)
    other = Perturbed(given_of("noise", {"A": texts}, share=0.1).columns)
    assert [notice.id for notice in broken_promises(noise, given, other)] == [id]


@pytest.mark.parametrize("kind", ["correlated", "moments-kept"])
def test_in_strata_of_two_nobody_who_knows_one_value_is_told_the_other(kind: str) -> None:
    """Both released points lay on the line through the two original ones."""
    random = np.random.default_rng(0)
    before = np.round(random.normal((1000, 500), (200, 100), (40, 2)), 3)
    texts = {name: [f"{value:.3f}" for value in column] for name, column in zip("XY", before.T, strict=True)}
    done = noise.perturb(given_of("noise", texts, strata=[i // 2 for i in range(40)], kind=kind, share=1.0))
    after = np.array([[float(text) for text in texts_of(done.columns[name])] for name in "XY"]).T
    slope = np.repeat(np.diff(after[:, 1])[::2] / np.diff(after[:, 0])[::2], 2)
    guessed = after[:, 1] + slope * (before[:, 0] - after[:, 0])
    assert np.median(np.abs(guessed - before[:, 1])) > 10
