"""PRAM on records: what is drawn, for whom, what is told of it, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.base.errors import DataError, RecipeError
from core.base.progress import SILENT
from core.data.variables import Metadata, Variable
from core.perturbation.method import PerturbationInput, Perturbed
from core.perturbation.pram import DECLARATION, StratumMatrix, broken, draw, perturb
from core.perturbation.pram_matrix import neighbours, true_given_released, uniform_matrix
from core.recipe.declared import check_entry
from core.recipe.model import ByCode, Perturbation
from core.recipe.toml import parse
from core.recipe.toml_writer import dumps
from tests.core.perturbation.test_numbers import column, texts_of

MISSING = ("99", "98")


def given_for(
    variables: Mapping[str, Sequence[str]],
    *,
    within: Sequence[str] = (),
    households: Sequence[int] | None = None,
    of_households: Sequence[str] = (),
    seed: int = 1,
    **said: Any,
) -> PerturbationInput:
    """Variables of a small file, perturbed with what is `said`; `within` is the code of one stratum variable."""
    columns = {name: replace(column(list(texts), MISSING), name=name) for name, texts in variables.items()}
    metadata = Metadata("delimited", tuple(Variable(n, missing=MISSING, household=n in of_households) for n in columns))
    entry = Perturbation("pram", tuple(columns), tuple(sorted(said.items())))
    region = column(list(within)) if within else None
    parameters = DECLARATION.used(entry) | ({"within": ("REGION",)} if within else {})
    return PerturbationInput(
        columns, metadata, parameters, lambda entry: (seed, 7), SILENT, entry,
        others={"REGION": region} if region else {},
        strata=region.values.astype(np.int64) if region else None,
        households=None if households is None else np.array(households, np.int64),
    )  # fmt: skip


def released(done: Perturbed) -> list[list[str]]:
    return [texts_of(each) for each in done.columns.values()]


def matrix_of(done: Perturbed, labels: int = 1) -> NDArray[np.float64]:
    return np.array([row[labels:] for row in done.published[0].rows], np.float64)


@given(
    st.lists(st.sampled_from(["1", "2", "3", "99", "98", ""]), min_size=1, max_size=40),
    st.booleans(),
    st.integers(0, 2),
    st.integers(0, 99),
)
def test_missing_codes_never_change_and_no_value_becomes_one(
    texts: list[str], invariant: bool, band: int, seed: int
) -> None:
    done = perturb(given_for({"A": texts}, keep=0.3, invariant=invariant, band=band, seed=seed))
    (after,) = released(done)
    valid = set(texts) - {"", *MISSING}
    for before, now in zip(texts, after, strict=True):
        assert now == before if before not in valid else now in valid
    assert done.columns["A"].counts.tolist() == [after.count(code) for code in done.columns["A"].codes]
    told = done.invariants
    assert told["changes"] == sum(a != b for a, b in zip(texts, after, strict=True))
    assert told["draws"] == sum(text in valid for text in texts)
    if invariant:
        assert told["largest_change_of_an_expected_count"] < 1e-12 * len(texts)


def test_the_seed_and_not_the_clock_decides() -> None:
    """mu-ARGUS seeds by the clock."""
    texts = ["1", "2", "3"] * 100
    one = released(perturb(given_for({"A": texts}, keep=0.5)))
    assert one == released(perturb(given_for({"A": texts}, keep=0.5)))
    assert one != released(perturb(given_for({"A": texts}, keep=0.5, seed=2)))


def test_the_matrix_is_not_drawn() -> None:
    """sdcMicro draws its diagonal anew for each variable and stratum."""
    texts = ["1", "2", "3", "3"] * 10
    one, other = (perturb(given_for({"A": texts}, keep=0.5, seed=seed)).published for seed in (1, 2))
    assert one == other


def test_counts_and_changes_are_those_expected_over_400_seeds() -> None:
    t = np.array([30, 9, 15])
    done = perturb(given_for({"A": ["1"] * 30 + ["2"] * 9 + ["3"] * 15}, keep=0.7))
    matrix = matrix_of(done)
    assert t @ matrix == pytest.approx(t, abs=1e-12)
    stratum, codes = np.zeros(54, np.int64), np.repeat([0, 1, 2], t)
    each = StratumMatrix(np.arange(3), t.astype(np.float64), matrix)
    drawn = [draw([each], stratum, codes, np.random.default_rng(seed)) for seed in range(400)]
    counts = np.array([np.bincount(after, minlength=3) for after in drawn])
    error = np.sqrt((t[:, None] * matrix * (1 - matrix)).sum(axis=0) / 400)
    assert (np.abs(counts.mean(axis=0) - t) < 4 * error).all()
    changed = np.array([np.count_nonzero(after != codes) for after in drawn])
    kept = np.diag(matrix)
    assert done.invariants["expected_changes"] == pytest.approx(t @ (1 - kept))
    assert abs(changed.mean() - t @ (1 - kept)) < 4 * np.sqrt(t @ (kept * (1 - kept)) / 400)


def test_what_an_intruder_who_knows_the_matrix_learns_is_what_is_told() -> None:
    t = np.array([120000, 20000, 60000])
    matrix = uniform_matrix(np.array([0.9, 0.4, 0.6]), neighbours(np.arange(3)[:, None], 0))
    codes = np.repeat([0, 1, 2], t)
    each = StratumMatrix(np.arange(3), t.astype(np.float64), matrix)
    after = draw([each], np.zeros(len(codes), np.int64), codes, np.random.default_rng(3))
    told = true_given_released(t.astype(np.float64), matrix)
    for released_code in range(3):
        true = codes[after == released_code]
        shares = np.bincount(true, minlength=3) / len(true)
        error = np.sqrt(told[:, released_code] * (1 - told[:, released_code]) / len(true))
        assert (np.abs(shares - told[:, released_code]) < 4 * error).all()


def test_small_probabilities_are_drawn() -> None:
    """mu-ARGUS takes whole per cent, and draws of 15 bits."""
    matrix = uniform_matrix(np.full(4, 1 - 3e-5), neighbours(np.arange(4)[:, None], 0))
    codes = np.arange(10**6) % 4
    each = StratumMatrix(np.arange(4), np.full(4, 250000.0), matrix)
    after = draw([each], np.zeros(len(codes), np.int64), codes, np.random.default_rng(1))
    assert abs(np.count_nonzero(after != codes) - 30) < 4 * np.sqrt(30)


def test_a_draw_next_to_one_stays_in_its_row() -> None:
    class Highest(np.random.Generator):
        def random(self, size: Any = None, *args: Any, **kwargs: Any) -> Any:
            return np.full(size, np.nextafter(1.0, 0))

    matrix = np.array([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 0.4]])
    each = StratumMatrix(np.arange(3), np.ones(3), matrix)
    strata = [each] * 3000
    stratum = np.repeat(np.arange(3000), 3)
    drawn = draw(strata, stratum, np.tile([0, 1, 2], 3000), Highest(np.random.PCG64(1)))
    assert drawn.reshape(3000, 3).tolist() == [[1, 1, 2]] * 3000


@pytest.mark.parametrize("band", [0, 1])
def test_a_variable_with_one_code_is_left_as_it_is(band: int) -> None:
    """mu-ARGUS divides by zero, or loops for ever."""
    for invariant in (True, False):
        done = perturb(given_for({"A": ["7", "7", "99"]}, keep=0.1, invariant=invariant, band=band))
        assert released(done) == [["7", "7", "99"]]
        assert done.invariants["largest_true_given_released"] == 1


def test_a_file_without_values_is_left_as_it_is() -> None:
    done = perturb(given_for({"A": ["99", "98"]}, keep=0.1))
    assert released(done) == [["99", "98"]]
    assert done.invariants["draws"] == 0


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["1", "2", "3", "99"])), min_size=1, max_size=40))
def test_members_of_a_household_change_together(persons: list[tuple[int, str]]) -> None:
    """mu-ARGUS changes a household variable for each member apart."""
    numbers, texts = [number for number, _ in persons], [text for _, text in persons]
    done = perturb(given_for({"A": texts}, keep=0.3, households=numbers, of_households=["A"]))
    (after,) = released(done)
    one: dict[tuple[int, str], str] = {}
    for number, before, now in zip(numbers, texts, after, strict=True):
        assert one.setdefault((number, before), now) == now
    assert done.invariants["drawn_for"] == "households"
    assert done.invariants["draws"] == len({person for person in persons if person[1] != "99"})


def test_households_are_counted_not_their_members() -> None:
    texts, numbers = ["1"] * 5 + ["2", "2", "1"], [0] * 5 + [1, 2, 3]
    by_household = matrix_of(perturb(given_for({"A": texts}, keep=0.5, households=numbers, of_households=["A"])))
    assert by_household == pytest.approx(np.full((2, 2), 0.5))
    for of_households in ([], ["A"]):
        alone = perturb(given_for({"A": texts}, keep=0.5, of_households=of_households,
                                  households=None if of_households else numbers))  # fmt: skip
        assert alone.invariants["drawn_for"] == "records"
        assert matrix_of(alone)[0, 0] == pytest.approx(1 - 1 / 6)


def test_the_matrix_of_every_stratum_is_published() -> None:
    """sdcMicro keeps the matrix of the last stratum only."""
    texts, regions = ["1", "1", "2", "2", "2", "3"], ["N", "N", "N", "S", "S", "S"]
    done = perturb(given_for({"A": texts}, within=regions, keep=0.5))
    matrix, told = done.published
    assert matrix.headings == ("REGION", "A", "1", "2", "3")
    assert [row[:2] for row in matrix.rows] == [("N", "1"), ("N", "2"), ("S", "2"), ("S", "3")]
    assert matrix_of(done, 2) == pytest.approx(
        np.array([[0.75, 0.25, 0], [0.5, 0.5, 0], [0, 0.75, 0.25], [0, 0.5, 0.5]])
    )
    assert [row[2] for row in told.rows] == pytest.approx([0.75, 0.5, 0.75, 0.5])
    without_codes = perturb(replace(given_for({"A": texts}, within=regions, keep=0.5), others={})).published[0]
    assert [row[:2] for row in without_codes.rows] == [("1", "1"), ("1", "2"), ("2", "2"), ("2", "3")]
    assert without_codes.headings[0] == "Stratum"
    (after,) = released(done)
    assert {*after[:3]} <= {"1", "2"}
    assert {*after[3:]} <= {"2", "3"}


@given(
    st.lists(st.tuples(*[st.sampled_from(["1", "2", "3", "99"])] * 3), min_size=1, max_size=30),
    st.booleans(),
    st.integers(0, 1),
)
def test_combinations_that_do_not_occur_stay_impossible(
    records: list[tuple[str, ...]], invariant: bool, band: int
) -> None:
    variables = {name: [record[place] for record in records] for place, name in enumerate("ABC")}
    done = perturb(given_for(variables, keep=0.2, invariant=invariant, band=band))
    for before, now in zip(records, zip(*released(done), strict=True), strict=True):
        assert now in records
        assert [code == "99" for code in now] == [code == "99" for code in before]
        if band:
            valid = [sorted({r[place] for r in records}) for place in range(3)]
            apart = [abs(codes.index(a) - codes.index(b)) for codes, a, b in zip(valid, before, now, strict=True)]
            assert max(apart) <= band


def test_what_stands_beside_a_missing_value_is_changed_too_and_told() -> None:
    """Else who lacks one of the variables could be told to have the others for certain."""
    done = perturb(given_for({"A": ["99"] * 40 + ["1"] * 40, "B": ["1", "2"] * 40}, keep=0.5))
    first, second = released(done)
    assert first == ["99"] * 40 + ["1"] * 40
    assert 5 < sum(before != now for before, now in zip(["1", "2"] * 20, second[:40], strict=True)) < 35
    alone = perturb(given_for({"A": ["99"] + ["1"] * 40, "B": ["1", *["1", "2"] * 20]}, keep=0.5))
    assert alone.invariants["largest_true_given_released"] == 1
    assert ("99 × 1", 1.0, "99 × 1", 1.0) in alone.published[1].rows


def test_probabilities_belong_to_codes_by_name() -> None:
    """mu-ARGUS keeps them by place; codes that a table does not name are kept."""
    texts = ["1"] * 50 + ["2"] * 50 + ["3"] * 50
    done = perturb(given_for({"A": texts}, keep=ByCode({"1": 0.5, "2": 0.8}), invariant=False))
    assert matrix_of(done) == pytest.approx(np.array([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [0, 0, 1]]))
    done = perturb(given_for({"A": texts}, keep=ByCode({"1": 0.5, "2": 0.8})))
    assert matrix_of(done) == pytest.approx(np.array([[0.8, 0.2, 0], [0.2, 0.8, 0], [0, 0, 1]]))
    assert "largest_change_of_an_expected_count" in done.invariants


def test_what_users_are_told_of_a_released_code() -> None:
    texts = ["1"] * 90 + ["2"] * 10
    _, told = perturb(given_for({"A": texts}, keep=0.5, invariant=False)).published
    assert told.rows[0] == ("1", pytest.approx(0.9), "1", pytest.approx(0.9))
    assert told.rows[1] == ("2", pytest.approx(0.1), "1", pytest.approx(0.9))
    # a code that always becomes another one, which never becomes it
    _, told = perturb(given_for({"A": texts}, keep=ByCode({"1": 0.0}), invariant=False)).published
    assert told.rows[0] == ("1", 0, "", 0)
    assert told.rows[1] == ("2", pytest.approx(0.1), "1", pytest.approx(0.9))


REFUSED: list[tuple[type[Exception], dict[str, Any], str]] = [
    (RecipeError, {"keep": 0.0, "protect": 0.7, "A": ["1"] * 90 + ["2"] * 10}, "at least 0.888889"),
    (RecipeError, {"keep": 0.0, "protect": 0.7, "A": ["1"]}, "at least 1."),
    (RecipeError, {"keep": 0.8, "protect": 0.85, "A": ["1"] * 90 + ["2"] * 10}, "at least 0.977778"),
    (RecipeError, {"keep": ByCode({"7": 0.5}), "A": ["1", "2"]}, 'names the code "7", which A does not have'),
    (RecipeError, {"keep": ByCode({"99": 0.5}), "A": ["1", "99"]}, 'names the code "99"'),
    (RecipeError, {"keep": ByCode({"1": 0.5}), "A": ["1", "2"], "B": ["1", "2"]}, "A × B: a table of keep"),
    (DataError, {"keep": 0.5, "A": [str(number) for number in range(1000, 1501)]}, "A has too many codes"),
]


@pytest.mark.parametrize(("kind", "said", "told"), REFUSED, ids=lambda each: each if isinstance(each, str) else "")
def test_what_cannot_be_done_is_refused_saying_what_can(kind: type[Exception], said: dict[str, Any], told: str) -> None:
    variables = {name: said[name] for name in ("A", "B") if name in said}
    rest = {name: value for name, value in said.items() if name not in variables}
    with pytest.raises(kind) as caught:
        perturb(given_for(variables, **rest))
    assert told in str(caught.value)


def test_a_protection_that_one_stratum_cannot_reach_is_refused_with_what_all_can() -> None:
    texts = ["1"] * 6 + ["2"] * 4 + ["1"] * 9 + ["2"]
    with pytest.raises(RecipeError) as caught:
        perturb(given_for({"A": texts}, within=["N"] * 10 + ["S"] * 10, keep=0.0, protect=0.1))
    assert caught.value.values["least"] == "0.888889"
    done = perturb(given_for({"A": texts}, within=["N"] * 10 + ["S"] * 10, keep=0.0, protect=0.888889))
    assert done.invariants["largest_true_given_released"] <= 0.888889 + 1e-9


def test_household_and_personal_variables_are_not_changed_together() -> None:
    with pytest.raises(DataError, match="B is a household variable and A is not"):
        perturb(given_for({"A": ["1"], "B": ["1"]}, keep=0.5, households=[0], of_households=["B"]))
    perturb(given_for({"A": ["1"], "B": ["1"]}, keep=0.5, of_households=["B"]))


def test_keep_above_protect_is_refused_before_anything_is_read() -> None:
    for keep in (0.9, ByCode({"1": 0.2, "2": 0.9})):
        entry = Perturbation("pram", ("A",), (("keep", keep), ("protect", 0.8)))
        with pytest.raises(RecipeError, match=r"keep = 0\.9 is above protect = 0\.8"):
            check_entry("perturbations", 1, entry)
    with pytest.raises(RecipeError, match="belongs to invariant = true only"):
        check_entry(
            "perturbations", 1, Perturbation("pram", ("A",), (("invariant", False), ("keep", 0.1), ("protect", 0.8)))
        )


def test_a_recipe_says_keep_as_a_number_or_by_code(tmp_path: Path) -> None:
    head = 'recipe = 1\n[[perturbations]]\nmethod = "pram"\nvariables = ["A"]\n'
    by_code = parse(head + 'keep = { 2 = 0.5, 1 = 1, "a b" = 0.25 }\n', tmp_path)
    assert by_code.perturbations[0].parameters == (("keep", ByCode({"1": 1.0, "2": 0.5, "a b": 0.25})),)
    assert by_code == parse(head + '[perturbations.keep]\n1 = 1.0\n2 = 0.5\n"a b" = 0.25\n', tmp_path)
    assert parse(dumps(by_code, tmp_path), tmp_path) == by_code
    assert len({by_code.perturbations[0], parse(dumps(by_code, tmp_path), tmp_path).perturbations[0]}) == 1
    for wrong, told in (("{}", "a number, or a table"), ("{ 1 = 2 }", r"keep\.1 is 2"), ('{ 1 = "x" }', r"keep\.1 is")):
        with pytest.raises(RecipeError, match=told):
            parse(head + f"keep = {wrong}\n", tmp_path)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["1", "2", "3", "99"])), min_size=1, max_size=30),
    st.integers(0, 1),
)
def test_what_was_drawn_breaks_no_promise(persons: list[tuple[int, str]], band: int) -> None:
    numbers, texts = [number for number, _ in persons], [text for _, text in persons]
    asked = given_for({"A": texts}, keep=0.3, households=numbers, of_households=["A"], band=band)
    assert not list(broken(asked, perturb(asked).columns))


def test_a_written_file_that_no_draw_gives_is_found() -> None:
    texts, regions = ["1", "1", "2", "2", "3", "3"], ["N"] * 4 + ["S"] * 2
    asked = given_for({"A": texts}, within=regions, households=[0, 0, 1, 1, 2, 2], of_households=["A"], keep=0.3)

    def found(*written: str) -> list[str]:
        return [notice.id for notice in broken(asked, {"A": column(list(written), MISSING)})]

    assert found("2", "2", "1", "1", "3", "3") == []
    assert found("3", "3", "1", "1", "3", "3") == ["pram-impossible"]
    assert found("7", "7", "1", "1", "3", "3") == ["pram-impossible"]
    assert found("2", "1", "1", "1", "3", "3") == ["pram-household"]
