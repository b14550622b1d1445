"""Linkage by probability: counts of pairs and links against every pair, and EM on files of known parameters."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.risk.linkage.agreement import LinkageKeys, pair_patterns
from core.risk.linkage.distance import nearest_own
from core.risk.linkage.fellegi_sunter import MatchModel, fitted, likeliest_own
from core.risk.linkage.one_to_one import assigned_own
from tests.naive_linkage import patterns

CARDS = (2, 3, 2)
Row = tuple[int | None, ...]
ROWS = st.lists(st.tuples(*(st.none() | st.integers(0, card - 1) for card in CARDS)), min_size=1, max_size=9)


def keys(rows: list[Row]) -> LinkageKeys:
    filled = [[card if v is None else v for v, card in zip(row, CARDS, strict=True)] for row in rows]
    return LinkageKeys.of([np.array(column, np.uint32) for column in zip(*filled, strict=True)], CARDS)


@given(ROWS, ROWS)
def test_patterns_are_those_of_every_pair(mine: list[Row], theirs: list[Row]) -> None:
    counted = Counter(patterns(a, b) for a, b in product(mine, theirs))
    found = pair_patterns(keys(mine), keys(theirs))
    listed = zip(found.agree.tolist(), found.unknown.tolist(), found.pairs.tolist(), strict=True)
    assert {(agree, unknown): pairs for agree, unknown, pairs in listed} == counted


M, U = np.array([0.9, 0.8, 0.7]), np.array([0.5, 0.3, 0.75])


@given(ROWS, ROWS, st.data())
def test_the_likeliest_is_that_of_every_pair(mine: list[Row], theirs: list[Row], data: st.DataObject) -> None:
    """In the third variable an agreement speaks against a match: it counts for nothing."""
    places = st.lists(st.integers(-1, len(theirs) - 1), min_size=len(mine), max_size=len(mine))
    place = data.draw(places)
    found = likeliest_own(keys(mine), keys(theirs), np.array(place), MatchModel(M, U, True))
    for i, record in enumerate(mine):
        weights = []
        for other in theirs:
            agree, unknown = patterns(record, other)
            known = [j for j in (0, 1) if not unknown >> j & 1]
            ratios = [M[j] / U[j] if agree >> j & 1 else (1 - M[j]) / (1 - U[j]) for j in known]
            weights.append(float(np.log(ratios).sum()) if unknown < 0b111 else -np.inf)
        best = [k for k, weight in enumerate(weights) if np.isfinite(weight) and weight > max(weights) - 1e-9]
        assert found[i] == pytest.approx(1 / len(best) if place[i] in best else 0)


def test_a_record_without_values_is_linked_to_nobody_by_any_method() -> None:
    """Nor is a record to a released one without values, though all others disagree."""
    mine, theirs = [(None, None, None), (0, 0, 0), (1, 1, 1)], [(1, 2, 1), (None, None, None), (1, 1, 1)]
    place = np.arange(3)
    numbers = [np.array([[np.nan if v is None else v for v in row] for row in rows], float) for rows in (mine, theirs)]
    by_probability = likeliest_own(keys(mine), keys(theirs), place, MatchModel(M, U, True))
    for found in (by_probability, nearest_own(*numbers, place), assigned_own(*numbers, place)):
        assert found.tolist() == [0.0, 0.0, 1.0]


def test_parameters_of_simulated_files_are_recovered() -> None:
    """3000 persons in both files, each value written anew with some probability."""
    draw = np.random.default_rng(5)
    n, cards, wrong = 3000, (12, 40, 7, 25, 31), (0.05, 0.2, 0.1, 0.3, 0.15)
    truth = [draw.integers(0, card, n) for card in cards]
    files = [
        [
            np.where(draw.random(n) < error, draw.integers(0, card, n), column).astype(np.uint32)
            for column, card, error in zip(truth, cards, again, strict=True)
        ]
        for again in ((0.0,) * 5, wrong)
    ]
    mine, theirs = (LinkageKeys.of(columns, cards) for columns in files)
    model = fitted(pair_patterns(mine, theirs), 5, 1 / n)
    agreed = [float(np.mean(a == b)) for a, b in zip(*files, strict=True)]
    assert model.converged
    assert model.m == pytest.approx(agreed, abs=0.02)
    assert model.u == pytest.approx([1 / card for card in cards], rel=0.03)


def test_variables_that_go_together_make_no_class_of_their_own() -> None:
    """Of a file with itself each record finds those equal to it, though most pairs alike are alike by chance."""
    draw = np.random.default_rng(7)
    age = draw.integers(0, 60, 2000)
    columns = [age, age // 20, draw.integers(0, 2, 2000), np.minimum(age // 10, draw.integers(0, 6, 2000))]
    file = LinkageKeys.of([column.astype(np.uint32) for column in columns], (60, 3, 2, 6))
    model = fitted(pair_patterns(file, file), 4, 1 / 2000)
    found = likeliest_own(file, file, np.arange(2000), model)
    assert found == pytest.approx(1 / file.records[file.of_record])
