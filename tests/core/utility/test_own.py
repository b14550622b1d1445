"""The user's own tables, means and regressions, against known formulas and by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import stdtrit

from core.recipe.model import Analysis
from core.utility.compared import ComparedFile, ComparedVariable
from core.utility.intervals import Estimate, estimate, overlap
from core.utility.least_squares import independent
from core.utility.own import AnalysisFold, NotCompared, compared, goal_sentence, keeps_goal
from core.utility.own_models import ComparedModel
from core.utility.own_tables import ComparedMeans, ComparedTable, failing
from tests.core.utility.inputs import file, variable

rng = np.random.default_rng(11)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((0, 1), (0, 1), 1.0),
        ((0, 1), (0.5, 1.5), 0.5),
        ((0, 4), (1, 2), (1 / 4 + 1) / 2),  # one within the other
        ((0, 1), (1, 2), 0.0),
        ((0, 1), (3, 5), (-2 / 1 - 2 / 2) / 2),  # apart
    ],
)
def test_overlap_by_hand(before: tuple[float, float], after: tuple[float, float], expected: float) -> None:
    one, two = Estimate(0, 1, *before), Estimate(0, 1, *after)
    assert overlap(one, two) == overlap(two, one) == expected


def test_overlap_of_what_has_no_interval() -> None:
    assert overlap(Estimate(1), Estimate(1, 0.1, 0.9, 1.1)) is None
    assert overlap(Estimate(1, 0, 1, 1), Estimate(1, 0, 1, 1)) == 1.0
    assert overlap(Estimate(1, 0, 1, 1), Estimate(2, 0, 2, 2)) is None
    assert estimate(1.0, 2.0, 0) == Estimate(1.0)
    assert estimate(1.0, 2.0, 10).high == pytest.approx(1 + 2 * 2.2281388519649385, rel=1e-9)


def test_a_table_tells_its_cells_and_what_became_of_them() -> None:
    both = file(
        variable("A", [1, 1, 2, 2, 3], [1, None, 2, 2, 1]),
        variable("B", ["x", "y", "x", "x", "y"], ["x", "y", "x", "x", "z"]),
        weights=[1, 2, 3, 4, 5],
    )
    found = compared(both, Analysis(table=("A", "B")))
    assert isinstance(found, ComparedTable)
    assert found.cells == (("1", "x"), ("1", "y"), ("1", "z"), ("2", "x"), ("3", "y"))
    assert found.before == (1, 2, 0, 7, 5) and found.after == (1, 0, 5, 7, 0)
    assert found.changes == (0.0, -1.0, None, 0.0, -1.0)
    assert found.summary() == {
        "table": ["A", "B"], "cells": 4, "new_cells": 1, "empty_cells": 2, "max_change": 1.0, "mean_change": 0.5
    }  # fmt: skip


def test_means_by_group_with_intervals_and_the_group_that_changed_most() -> None:
    x, w, g = [1.0, 2, 4, 10, 12, None], [1.0, 2, 1, 1, 1, 9], [1, 1, 1, 2, 2, 2]
    both = file(variable("X", x, [1.0, 2, 4, 10, 8, 1], True), variable("G", g), weights=w)
    found = compared(both, Analysis(mean="X", by=("G",)))
    assert isinstance(found, ComparedMeans) and found.groups == (("1",), ("2",))
    mean = (1 + 2 * 2 + 4) / 4
    error = math.sqrt(3 / 2 * sum((v * (y - mean)) ** 2 for y, v in zip(x[:3], w[:3], strict=True))) / 4
    first = found.before[0]
    assert first is not None and first.value == mean and first.error == pytest.approx(error, rel=1e-14)
    assert first.low == pytest.approx(mean - stdtrit(2, 0.975) * error)
    assert found.overlaps[0] == 1.0 and found.changes == (0.0, pytest.approx(((10 + 8 + 9) / 11 - 11) / 11))
    assert found.summary()["worst"] == {"group": {"G": "2"}, "change": found.changes[1]}
    assert "worst" not in found.summary(inside=False)
    whole = compared(both, Analysis(mean="X"))
    assert isinstance(whole, ComparedMeans) and whole.groups == ((),) and "worst" not in whole.summary()


def model(found: object) -> ComparedModel:
    assert isinstance(found, ComparedModel), getattr(found, "reason", found)
    return found


def test_weighted_least_squares_is_that_of_the_normal_equations() -> None:
    n = 60
    age, sex, w = rng.integers(20, 60, n), rng.integers(1, 4, n), rng.uniform(1, 9, n)
    y = 3 + 0.5 * age + 2 * (sex == 3) + rng.normal(size=n)
    other = y + rng.normal(size=n)
    both = file(
        variable("Y", y.tolist(), other.tolist(), True), variable("AGE", age.tolist(), number=True),
        variable("SEX", sex.tolist()), weights=w,
    )  # fmt: skip
    found = model(compared(both, Analysis(model="Y ~ AGE*SEX")))
    assert found.coefficients == ("(intercept)", "AGE", "SEX[2]", "SEX[3]", "AGE:SEX[2]", "AGE:SEX[3]")
    assert found.kind == "least-squares" and found.records == (n, n)
    x = np.column_stack([np.ones(n), age, sex == 2, sex == 3, age * (sex == 2), age * (sex == 3)]).astype(float)
    for side, left in ((found.before, y), (found.after, other)):
        inverse = np.linalg.inv(x.T @ (w[:, None] * x))
        b = inverse @ x.T @ (w * left)
        score = x * (w * (left - x @ b))[:, None]
        variance = n / (n - 1) * inverse @ score.T @ score @ inverse
        assert [e.value for e in side if e] == pytest.approx(b.tolist(), rel=1e-8)
        assert [e.error for e in side if e] == pytest.approx(np.sqrt(np.diag(variance)).tolist(), rel=1e-7)
    summary = found.summary()
    assert summary["records"] == {"before": n, "after": n} and summary["kind"] == "least-squares"
    assert summary["mean_overlap"] == pytest.approx(math.fsum(o for o in found.overlaps if o is not None) / 6)
    assert {*found.summary(inside=False)["coefficients"][0]} == {"name", "overlap"}


def test_a_logistic_regression_has_the_largest_likelihood() -> None:
    n = 200
    age, w = rng.normal(size=n), rng.uniform(1, 3, n)
    hit = rng.random(n) < 1 / (1 + np.exp(-(0.3 + age)))
    both = file(
        variable("JOB", np.where(hit, "yes", "no").tolist()), variable("AGE", age.tolist(), number=True), weights=w
    )
    found = model(compared(both, Analysis(model="JOB ~ AGE")))
    assert found.kind == "logistic" and found.overlaps == (1.0, 1.0)
    x = np.column_stack([np.ones(n), age])
    best = minimize(lambda b: (w * np.logaddexp(0, np.where(hit, -1, 1) * (x @ b))).sum(), [0, 0], tol=1e-12)
    assert [e.value for e in found.before if e] == pytest.approx(best.x.tolist(), abs=1e-5)
    chance = 1 / (1 + np.exp(-(x @ [e.value for e in found.before if e])))
    assert x.T @ (w * (hit - chance)) == pytest.approx([0, 0], abs=1e-7)
    inverse = np.linalg.inv(x.T @ ((w * chance * (1 - chance))[:, None] * x))
    score = x * (w * (hit - chance))[:, None]
    errors = np.sqrt(np.diag(n / (n - 1) * inverse @ score.T @ score @ inverse))
    assert [e.error for e in found.before if e] == pytest.approx(errors.tolist(), rel=1e-7)


def test_a_saturated_logistic_regression_is_the_log_odds() -> None:
    both = file(variable("Y", [0] * 3 + [1] * 5 + [0] * 4 + [1] * 2, number=True), variable("G", [1] * 8 + [2] * 6))
    found = model(compared(both, Analysis(model="Y ~ G")))
    assert [e.value for e in found.before if e] == pytest.approx([math.log(5 / 3), math.log(2 / 4) - math.log(5 / 3)])
    assert not found.weighted


def test_records_without_a_value_are_left_out_of_their_file_only() -> None:
    both = file(variable("Y", [1, 2, 4, 8], [1, 2, 4, None], True), variable("X", [1, 2, 3, 4], [1, 2, 3, 4], True))
    found = model(compared(both, Analysis(model="Y ~ X")))
    assert found.records == (4, 3)
    assert found.after[1] is not None and found.after[1].value == pytest.approx(1.5)


def test_what_is_wrong_with_the_original_is_said_first() -> None:
    """Whichever of the two files shows earlier that no model can be fitted to it."""
    both = file(variable("Y", [0, 0, 1, 1], [None] * 4, True), variable("X", [1, 1, 2, 2]))
    found = compared(both, Analysis(model="Y ~ X"))
    assert isinstance(found, NotCompared)
    assert found.reason.sentence.startswith("In the original the right side tells")


@pytest.mark.parametrize("seed", range(4))
def test_records_may_be_given_some_at_a_time(seed: int) -> None:
    """To the figures of all at once, to the last bit."""
    draw = np.random.default_rng(seed)
    n = 500
    texts = {
        "A": draw.integers(0, 9, n).tolist(),
        "B": [None if each < 1 else each for each in draw.integers(0, 4, n).tolist()],
        "X": draw.integers(0, 900, n).tolist(),
    }
    released = {name: np.where(draw.random(n) < 0.1, None, each).tolist() for name, each in texts.items()}
    weights = np.round(draw.gamma(4, 5, n), 2)
    both = file(*(variable(name, texts[name], released[name], name == "X") for name in texts), weights=weights)
    for entry in (Analysis(table=("A", "B")), Analysis(mean="X", by=("A",)), Analysis(model="X ~ A + B")):
        fold = AnalysisFold(both, entry)
        while fold.waiting:
            for some in np.array_split(np.arange(n), 7):
                fold.add(SomeRecords(both, some))
            fold.turn()
        assert fold.found() == compared(both, entry)


@dataclass(frozen=True, eq=False)
class SomeRecords:
    """Some rows of a file in memory."""

    file: ComparedFile
    rows: np.ndarray[Any, np.dtype[np.intp]]

    @property
    def weights(self) -> Any:
        assert self.file.weights is not None
        return tuple(each[self.rows] for each in self.file.weights)

    def __len__(self) -> int:
        return len(self.rows)

    def of_records(self, _name: str, values: Any) -> Any:
        return values[self.rows]

    def numbers(self, variable: ComparedVariable, side: int) -> Any:
        return variable.numbers[side][self.rows]

    def once(self, _key: object, make: Any) -> Any:
        return make()


def test_what_says_nothing_of_its_own_has_no_coefficient() -> None:
    y, x = [1, 2, 4, 8, 9], [1, 2, 3, 4, 6]
    both = file(
        variable("Y", y, number=True), variable("X", x, number=True),
        variable("Z", [2 * each for each in x], number=True), variable("G", [1, 1, 2, 2, 2], [1] * 5),
    )  # fmt: skip
    found = model(compared(both, Analysis(model="Y ~ X + Z + G")))
    assert [e is None for e in found.before] == [False, False, True, False]
    assert [e is None for e in found.after] == [False, False, True, True]
    assert found.overlaps[2:] == (None, None)
    columns = rng.normal(size=(6, 3))
    design = np.column_stack([columns, columns @ [1, 2, 3], columns[:, 0] * 0, columns[:, 1] ** 2])
    assert independent(design.T @ design).tolist() == [0, 1, 2, 5]


def test_codes_as_numbers_and_numbers_as_codes() -> None:
    age, y = [1, 1, 2, 2, 3, 3], [1.0, 2, 3, 5, 4, 4]
    both = file(variable("AGE", age), variable("N", age, number=True), variable("Y", y, number=True))
    assert model(compared(both, Analysis(model="Y ~ C(N)"))).coefficients == ("(intercept)", "N[2]", "N[3]")
    assert model(compared(both, Analysis(model="AGE ~ Y"))).kind == "least-squares"
    assert model(compared(both, Analysis(model="Y ~ 1"))).coefficients == ("(intercept)",)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (Analysis(table=("A", "GONE")), "The safe file has no GONE"),
        (Analysis(mean="T"), "T has no numbers"),
        (Analysis(model="T ~ A"), "T, on the left side, has 3 different values"),
        (Analysis(model="C(A) ~ T"), "A, on the left side, has 4 different values"),
        (Analysis(model="R ~ A"), "R, on the left side, has 3 different values"),
        (Analysis(model="TWO ~ A"), "the right side tells the two values of the left side apart"),
        (Analysis(model="A ~ N"), "No record of the released file"),
    ],
)
def test_what_cannot_be_made_of_both_files_says_why(entry: Analysis, said: str) -> None:
    recoded = variable("R", [1, 2, 3, 3])
    both = file(
        variable("A", [1, 2, 3, 4], number=True), variable("T", ["a", "b", "c", "c"]), variable("TWO", [0, 0, 1, 1]),
        variable("N", [1, 2, 3, 4], [None] * 4, True),
        ComparedVariable(recoded.before, recoded.after, unrecoded=recoded.before),
    )  # fmt: skip
    found = compared(both, entry)
    assert isinstance(found, NotCompared) and said in str(found.reason)
    assert said in found.summary()["not_possible"]


def test_a_model_of_too_many_coefficients_is_not_fitted() -> None:
    many = variable("M", list(range(40)))
    found = compared(file(many, variable("K", list(range(40))), variable("Y", list(range(40)), number=True)),
                     Analysis(model="Y ~ M*K"))  # fmt: skip
    assert isinstance(found, NotCompared) and "1,600 coefficients; at most 500" in str(found.reason)


def test_a_goal_is_kept_or_names_the_groups_that_fail() -> None:
    both = file(
        variable("X", [10, 20, 30, 40, 5, 0], [10, 20.2, 30, 44, None, 0], number=True),
        variable("G", ["a", "a", "b", "b", "c", "d"], ["a", "a", "b", "b", "c", "d"]),
        weights=[1, 1, 1, 3, 2, 1],
    )
    entry = Analysis(mean="X", by=("G",), goal=0.01)
    found = compared(both, entry)
    assert isinstance(found, ComparedMeans)
    assert [found.groups[place] for place in found.failing] == [("c",), ("b",)], "what is lost changed most"
    assert keeps_goal(found) is False
    assert found.summary()["goal"] == {
        "at_most": 0.01, "kept": False, "failing": 2,
        "groups": [{"group": {"G": "c"}}, {"group": {"G": "b"}, "change": pytest.approx(12 / 150)}],
    }  # fmt: skip
    assert found.summary(inside=False)["goal"] == {"at_most": 0.01, "kept": False, "failing": 2}
    assert "in 2 groups: G c (new or lost), G b (+8%)" in goal_sentence(found, "{:.0%}".format)
    of_a = compared(both, Analysis(table=("G",), goal=1e-9))
    assert keeps_goal(of_a) is True and goal_sentence(of_a).startswith("The goal is kept: no count")
    gone = compared(both, Analysis(mean="NOWHERE", goal=0.1))
    assert isinstance(gone, NotCompared) and keeps_goal(gone) is False
    assert gone.summary()["goal"] == {"at_most": 0.1, "kept": False}
    assert keeps_goal(compared(both, Analysis(mean="X"))) is None


def test_a_count_that_was_none_fails_and_rounding_of_sums_does_not() -> None:
    assert failing((0.0, 2.0, None, 0.0), (1.0, 2.0, 5.0, 0.0), 0.5) == (0,)
    assert failing((0.3,), (0.1 + 0.2,), 1e-15) == ()
    assert failing((100.0,), (101.0,), 0.01) == (), "exactly as much as is allowed"
