"""Synthetic values: moments that are exact, tables that are safe, and what is not kept."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.base.errors import DataError, RecipeError
from core.data.variables import Metadata, Variable
from core.perturbation import margins, synthetic
from core.perturbation.ipso import IndefiniteError, synthetic_numbers
from core.perturbation.method import PerturbationInput
from core.perturbation.numbers import numbers_of
from core.recipe.model import ByCode, Perturbation
from tests.core.perturbation.test_microaggregation import input_of
from tests.core.perturbation.test_numbers import column, texts_of

Floats = NDArray[np.float64]


def moments(numbers: Floats, predictors: Floats) -> tuple[Floats, Floats]:
    both = np.column_stack([numbers, predictors])
    return both.mean(axis=0), np.cov(both.T)


@given(st.integers(12, 60), st.integers(1, 3), st.integers(0, 3), st.floats(0, 0.99), st.integers(0, 10**6))
def test_means_and_covariances_are_exact(n: int, p: int, s: int, alpha: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    predictors = random.normal(size=(n, s))
    numbers = random.normal(size=(n, p)) + (predictors.sum(axis=1)[:, None] if s else 0)
    made = synthetic_numbers(numbers, predictors, np.full(p, alpha), random.normal(size=(n, p)))
    for before, after in zip(moments(numbers, predictors), moments(made, predictors), strict=True):
        assert after == pytest.approx(before, abs=1e-12 * max(1.0, float(np.abs(before).max())) * 100)
    assert not np.isclose(made, numbers).all()


def test_moments_of_real_accounts_are_exact(shared: Path) -> None:
    """sdcMicro's EGADP multiplies by inverses where roots belong: a correlation of 0.923 comes out as 0.127."""
    with (shared / "data" / "Tarragona.csv").open(newline="") as file:
        rows = np.array([[float(text) for text in row] for row in list(csv.reader(file))[1:]])
    numbers, predictors = rows[:, :2], rows[:, 2:4]
    made = synthetic_numbers(numbers, predictors, np.full(2, 0.9), np.random.default_rng(1).normal(size=numbers.shape))
    old, new = moments(numbers, predictors), moments(made, predictors)
    spread = np.sqrt(np.diag(old[1]))
    assert np.abs(new[0] - old[0]) / spread == pytest.approx(np.zeros(4), abs=1e-12)
    assert (new[1] - old[1]) / np.outer(spread, spread) == pytest.approx(np.zeros((4, 4)), abs=1e-12)
    assert np.corrcoef(made[:, 0], numbers[:, 0])[0, 1] > 0.9


def test_without_alpha_nothing_of_the_own_number_is_kept_beyond_the_predictors() -> None:
    random = np.random.default_rng(2)
    s = random.normal(size=(3000, 1))
    x = s + random.normal(size=(3000, 1))
    made = synthetic_numbers(x, s, np.zeros(1), random.normal(size=(3000, 1)))
    rest = [(v - s * (np.cov(v[:, 0], s[:, 0])[0, 1] / s.var(ddof=1)))[:, 0] for v in (x, made)]
    assert abs(np.corrcoef(rest)[0, 1]) < 1e-12


def test_alphas_that_leave_no_covariance_are_refused() -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=(50, 1)) + random.normal(size=(50, 2)) / 100
    with pytest.raises(IndefiniteError):
        synthetic_numbers(x, np.zeros((50, 0)), np.array([0.0, 0.99]), random.normal(size=(50, 2)))


def numbers_input(columns: dict[str, list[str]], predictor: list[str], **parameters: object) -> PerturbationInput:
    encoded = {name: column(texts) for name, texts in columns.items()}
    asked = input_of(encoded | {"S": column(predictor, ())}, None,
                     **({"kind": "ipso", "predictors": ("S",), "alpha": 0.0} | parameters))  # fmt: skip
    entry = Perturbation("synthetic", tuple(columns), (("predictors", ("S",)),))
    return replace(asked, columns=encoded, others={"S": asked.columns["S"]}, entry=entry)


def test_written_numbers_keep_their_means_but_for_rounding_and_missing_ones_stay() -> None:
    random = np.random.default_rng(4)
    texts = [f"{v:.1f}" for v in random.lognormal(8, 1, 80)] + ["99"] * 3
    asked = numbers_input({"X": texts}, random.integers(0, 9, 83).astype(str).tolist())
    made = synthetic.perturb(asked)
    after = numbers_of(made.columns["X"])
    assert np.isnan(after[-3:]).all()
    assert abs(np.nanmean(after) - np.nanmean(numbers_of(asked.columns["X"]))) < 0.05
    assert made.invariants["largest_change_of_mean"] < 0.01
    assert not list(synthetic.broken(asked, made.columns))
    wrong = {"X": column([*(["7"] * 80), "99", "99", "99"])}
    assert [notice.id for notice in synthetic.broken(asked, wrong)] == ["synthetic-mean"]


def test_a_record_that_lacks_a_predictor_keeps_nothing_of_its_own() -> None:
    random = np.random.default_rng(5)
    x = [str(v) for v in random.integers(1000, 2000, 60)] + ["777777"]
    other = numbers_input(
        {"X": x, "Y": [str(v) for v in random.integers(10, 90, 60)] + ["99"]}, ["1", "2", "3"] * 20 + ["1"]
    )
    after = texts_of(synthetic.perturb(other).columns["X"])
    assert abs(float(after[-1])) < 100_000


@pytest.mark.parametrize(("rare", "count"), [(1, 1), (2, 2), (3, 0)])
def test_predictors_that_tell_a_record_are_refused(rare: int, count: int) -> None:
    """The only record of a region would keep its number exactly; of two, each could tell the other's."""
    random = np.random.default_rng(6)
    x = [str(v) for v in random.integers(1000, 2000, 60)]
    asked = numbers_input({"X": x}, ["7"] * rare + [str(v % 3) for v in range(60 - rare)])
    asked = replace(
        asked, metadata=Metadata("delimited", (Variable("X", numeric=True), Variable("S", categorical=True)))
    )
    if count:
        with pytest.raises(DataError, match=f"the predictors S tell {count} records? apart"):
            synthetic.perturb(asked)
    else:
        assert not set(x[:rare]) & set(texts_of(synthetic.perturb(asked).columns["X"])[:rare])


def test_an_outlier_among_predictors_that_tells_its_record_is_refused() -> None:
    random = np.random.default_rng(7)
    x = [str(v) for v in random.integers(1000, 2000, 60)]
    with pytest.raises(DataError, match="the predictors S tell 1 record apart"):
        synthetic.perturb(numbers_input({"X": x}, ["100000", *[str(v % 9) for v in range(59)]]))


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(DataError, match="only 3 records of a stratum have all values; 5 are needed"):
        synthetic.perturb(numbers_input({"X": ["1", "2", "3"]}, ["1", "2", "4"]))
    with pytest.raises(RecipeError, match="alpha names Z, which is not among its variables"):
        synthetic.perturb(numbers_input({"X": ["1", "2", "3"]}, ["1", "2", "4"], alpha=ByCode({"Z": 0.5})))
    with pytest.raises(RecipeError, match='does not say its "margins"'):
        synthetic._check("perturbations[1]", {"kind": "margins"})


def codes_input(
    columns: dict[str, list[str]], tables: tuple[tuple[str, ...], ...], **parameters: object
) -> PerturbationInput:
    asked = input_of({name: column(texts) for name, texts in columns.items()}, None,
                     **({"kind": "margins", "margins": tables, "protect": 3} | parameters))  # fmt: skip
    return replace(asked, entry=Perturbation("synthetic", tuple(columns), (("margins", tables),)))


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=5, max_size=200),
    st.integers(1, 5),
    st.integers(),
)
def test_a_protected_table_shows_nothing_below_the_threshold(
    drawn: list[tuple[int, int]], least: int, seed: int
) -> None:
    table = np.zeros((3, 4))
    for i, j in drawn:
        table[i, j] += 1
    safe = margins.protected(table, least, np.random.default_rng(abs(seed)))
    large = table >= least
    assert (safe[large] == table[large]).all()
    small = float(table[~large].sum())
    total = float(safe[~large].sum())
    assert total == pytest.approx(small) if small >= least else total in (0.0, pytest.approx(float(least)))
    # Whether a small cell is empty cannot be seen: it follows from the codes' totals alone.
    if total:
        rows, columns = (np.array([v if v >= least else np.mean([o for o in totals if o < least]) for v in totals])
                         for totals in (table.sum(axis=1), table.sum(axis=0)))  # fmt: skip
        expected = np.outer(rows, columns)[~large]
        if expected.sum():
            assert safe[~large] == pytest.approx(total * expected / expected.sum())


def test_rare_codes_are_not_given_their_own_records_back() -> None:
    """Neither in a table of one variable nor in one of several: independence knows the totals of the codes."""
    random = np.random.default_rng(0)
    assert margins.protected(np.array([50.0, 60, 1, 4, 0]), 5, random) == pytest.approx([50, 60, 5 / 3, 5 / 3, 5 / 3])
    two = margins.protected(np.array([[50.0, 60], [1, 0], [2, 4], [0, 0]]), 5, random)
    assert two[1] == pytest.approx(two[3])
    assert two[:1].tolist() == [[50, 60]]


def test_outsiders_are_told_no_difference_from_small_counts() -> None:
    """As the other counts are kept, it would tell what the small ones are."""
    asked = codes_input({"A": ["1"] * 30 + ["2"] + ["3"] * 4 + ["4"] * 3}, (("A",),), protect=5)
    made = synthetic.perturb(asked)
    after = texts_of(made.columns["A"])
    assert [after.count(code) for code in "1234"] in ([30, 3, 3, 2], [30, 3, 2, 3], [30, 2, 3, 3])
    assert made.published[0].rows[0][2] == pytest.approx(2 / 3)
    assert made.invariants["largest_error_of_a_promised_count"] >= 1


def test_a_small_sum_is_rounded_without_bias() -> None:
    table = np.array([10.0, 1.0, 0.0, 20.0])
    found = [margins.protected(table, 3, np.random.default_rng(seed))[~(table >= 3)].sum() for seed in range(3000)]
    assert set(np.round(found, 9)) == {0.0, 3.0}
    assert abs(np.mean(found) - 1.0) < 4 * np.sqrt(2 / 3000)


def test_fitted_cells_have_the_wanted_tables() -> None:
    random = np.random.default_rng(6)
    truth = random.poisson(20, (3, 4, 2)).astype(float)
    tables = [((0, 1), margins.margin(truth, (0, 1))), ((2, 1), margins.margin(truth, (2, 1)))]
    found = margins.fit((3, 4, 2), tables)
    assert found.deviation < 1e-6
    for axes, wanted in tables:
        assert margins.margin(found.cells, axes) == pytest.approx(wanted)
    # Of all cells with these tables the ones of conditional independence.
    whole = np.einsum("ij,kj,j->ijk", tables[0][1], tables[1][1], 1 / truth.sum(axis=(0, 2)))
    assert found.cells == pytest.approx(whole)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(0, 1000))
def test_draws_differ_from_what_is_expected_by_less_than_one(expected: list[int], seed: int) -> None:
    cells = np.array(expected, np.float64) + 0.3
    records = round(float(cells.sum()))
    counts = np.bincount(margins.draw(cells, records, np.random.default_rng(seed)), minlength=len(cells))
    assert np.abs(counts - cells * records / cells.sum()).max() < 1 + 1e-9


def test_cells_are_drawn_as_often_as_expected_over_400_seeds() -> None:
    cells = np.array([[0.2, 3.7, 10.4], [5.5, 0.0, 1.3]])
    counts = np.array([np.bincount(margins.draw(cells, 21, np.random.default_rng(seed)), minlength=6)
                       for seed in range(400)])  # fmt: skip
    wanted = cells.reshape(-1) * 21 / cells.sum()
    error = counts.std(axis=0, ddof=1) / 20
    assert (np.abs(counts.mean(axis=0) - wanted) <= 4 * error + 1e-12).all()
    assert (counts.sum(axis=1) == 21).all()


def test_promised_tables_are_near_and_the_error_is_told() -> None:
    random = np.random.default_rng(7)
    a = random.integers(0, 4, 2000)
    b = (a + random.integers(0, 2, 2000)) % 4
    c = (b + random.integers(0, 2, 2000)) % 3
    texts = {name: [str(v) for v in values] for name, values in zip("ABC", (a, b, c), strict=True)}
    asked = codes_input(texts, (("A", "B"), ("B", "C")))
    made = synthetic.perturb(asked)
    after = {name: np.array(texts_of(made.columns[name])) for name in "ABC"}
    worst = 0
    for i in map(str, range(4)):
        for j in map(str, range(4)):
            before = (np.array(texts["A"]) == i) & (np.array(texts["B"]) == j)
            worst = max(worst, abs(int(before.sum()) - int(((after["A"] == i) & (after["B"] == j)).sum())))
    table = made.published[0]
    assert table.rows[0][:2] == ("A × B", "promised")
    assert table.rows[0][2] == worst
    assert worst <= 12
    assert not list(synthetic.broken(asked, made.columns))
    assert (after["A"] != np.array(texts["A"])).mean() > 0.5


def test_codes_of_missing_stay_and_others_are_refused() -> None:
    made = synthetic.perturb(
        codes_input({"A": ["1", "2", "1", "99"], "B": ["1", "1", "2", "2"]}, (("A", "B"),), protect=2)
    )
    assert texts_of(made.columns["A"])[3] == "99"
    with pytest.raises(RecipeError, match="names C, which is not among its variables"):
        synthetic.perturb(codes_input({"A": ["1", "2", "1"]}, (("A", "C"),)))
    with pytest.raises(DataError, match="only 2 records of a stratum have all values; 3 are needed"):
        synthetic.perturb(codes_input({"A": ["1", "2"]}, (("A",),)))
    wrong = {"A": column(["1", "2", "7"])}
    assert [n.id for n in synthetic.broken(codes_input({"A": ["1", "2", "1"]}, (("A",),)), wrong)] == [
        "synthetic-codes"
    ]


def test_persons_are_drawn_one_by_one_where_it_is_said() -> None:
    asked = codes_input({"A": ["1", "2"] * 20}, (("A",),))
    living = replace(asked.metadata, variables=(*asked.metadata.variables, Variable("HH", role="household-id")))
    said = replace(asked.entry, parameters=(*asked.entry.parameters, ("households", False), ("kind", "margins")))
    apart = replace(asked, metadata=living, entry=said, households=np.arange(40) // 2)
    made = synthetic.perturb(apart)
    assert list(made.columns) == ["A"]
    assert texts_of(made.columns["A"]).count("1") == 20
