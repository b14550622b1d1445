from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.base.errors import RecipeError
from core.tables import cells as cells_module
from core.tables.cells import Cells
from core.tables.tabulate import Margins, tabulate, tabulate_records, with_rule
from tests import naive_tables as naive
from tests.naive_tables import Row

RULES = ("observed", "wildcard", "category", "listwise")


@st.composite
def files(draw: st.DrawFn) -> tuple[list[Row], list[int], list[Fraction]]:
    cards = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    codes = [st.sampled_from([None, *range(card)]) for card in cards]
    rows = draw(st.lists(st.tuples(*codes), min_size=1, max_size=12))
    weight = st.decimals(0, 300, places=2).map(Fraction)
    return rows, cards, draw(st.lists(weight, min_size=len(rows), max_size=len(rows)))


def matches(found: float, exact: Fraction, alpha: Fraction) -> bool:
    """Correctly rounded; with alpha between 0 and 1 the rounded sum of two correctly rounded parts."""
    if alpha in (0, 1):
        return bool(found == exact.numerator / exact.denominator)
    return abs(found - exact) <= Fraction(1, 2**51) * exact


@given(files(), st.sampled_from(RULES), st.sampled_from(["0", "0.25", "0.7", "1"]).map(Fraction))
def test_frequencies_by_the_definition(
    file: tuple[list[Row], list[int], list[Fraction]], rule: Any, alpha: Fraction
) -> None:
    rows, cards, weights = file
    cells, index = tabulate_records(naive.columns_of(rows, cards), naive.weights_of(weights), rule, float(alpha))
    for record, row in enumerate(rows):
        cell = index.of_record[record]
        f, population = naive.frequencies(rows, weights, row, rule, alpha)
        if rule == "listwise" and None in row:
            assert np.isnan(cells.f[cell])
            assert np.isnan(cells.F[cell])
            continue
        assert matches(cells.f[cell], f, alpha), (row, f)
        assert matches(cells.F[cell], population, alpha), (row, population)


@given(files(), st.sampled_from(RULES), st.sampled_from(["0", "0.25", "1"]).map(Fraction), st.data())
def test_margins_by_the_definition(
    file: tuple[list[Row], list[int], list[Fraction]], rule: Any, alpha: Fraction, data: st.DataObject
) -> None:
    rows, cards, weights = file
    cells, index = tabulate_records(naive.columns_of(rows, cards), naive.weights_of(weights))
    margins = Margins(cells, rule, float(alpha))
    for keep in data.draw(st.permutations(range(1 << len(cards)))):
        margin = margins.frequencies(keep)
        used = [(r, w) for r, w in zip(rows, weights, strict=True) if rule != "listwise" or None not in r]
        kept = [tuple(v for j, v in enumerate(row) if keep >> j & 1) for row, _ in used]
        plain_rule = "observed" if rule == "listwise" else rule
        for record, row in enumerate(rows):
            mine = tuple(v for j, v in enumerate(row) if keep >> j & 1)
            group = margin.group_of_cell[index.of_record[record]]
            if None in mine and rule != "category":
                assert group == -1
                continue
            f, population = naive.frequencies(kept, [w for _, w in used], mine, plain_rule, alpha)
            assert matches(margin.f[group], f, alpha)
            assert matches(margin.F[group], population, alpha)


@given(files())
def test_cells_are_the_distinct_keys(file: tuple[list[Row], list[int], list[Fraction]]) -> None:
    rows, cards, weights = file
    cells, index = tabulate_records(naive.columns_of(rows, cards), naive.weights_of(weights))
    keys = sorted({tuple(card if v is None else v for v, card in zip(row, cards, strict=True)) for row in rows})
    assert list(zip(*(codes.tolist() for codes in cells.codes), strict=True)) == keys
    assert [keys[c] for c in index.of_record] == [
        tuple(card if v is None else v for v, card in zip(row, cards, strict=True)) for row in rows
    ]
    for cell, key in enumerate(keys):
        mine = [w for c, w in zip(index.of_record, weights, strict=True) if c == cell]
        assert cells.count[cell] == len(mine)
        assert matches(cells.weight[cell], sum(mine, Fraction(0)), Fraction(1))
        bits = sum(1 << j for j, (code, card) in enumerate(zip(key, cards, strict=True)) if code == card)
        assert cells.missing[cell] == bits


@given(files(), st.randoms())
def test_the_order_of_records_makes_no_difference(
    file: tuple[list[Row], list[int], list[Fraction]], random: Any
) -> None:
    rows, cards, weights = file
    order = list(range(len(rows)))
    random.shuffle(order)
    one = tabulate(naive.columns_of(rows, cards), naive.weights_of(weights), "wildcard", 0.3)
    shuffled = naive.columns_of([rows[i] for i in order], cards)
    other = tabulate(shuffled, naive.weights_of([weights[i] for i in order]), "wildcard", 0.3)
    assert_array_equal(one.F, other.F)
    assert_array_equal(one.f, other.f)


def test_an_all_missing_record_counts_everyone_whatever_alpha() -> None:
    rows: list[Row] = [(None, None), (0, None), (0, 1), (1, 0)]
    for rule in ("observed", "wildcard"):
        cells, index = tabulate_records(naive.columns_of(rows, [2, 2]), naive.weights_of([Fraction(5)] * 4), rule, 0.5)
        cell = index.of_record[0]
        assert (cells.f[cell], cells.F[cell]) == (4.0, 20.0)


@given(files(), st.sampled_from(RULES), st.booleans())
def test_frequencies_that_are_not_kept_are_the_same(
    file: tuple[list[Row], list[int], list[Fraction]], rule: Any, weighted: bool
) -> None:
    rows, cards, exact = file
    weights = naive.weights_of(exact) if weighted else None
    kept = tabulate(naive.columns_of(rows, cards), weights, rule, 0.5)
    with patch.object(cells_module, "_KEPT_ROWS", 0):
        made = tabulate(naive.columns_of(rows, cards), weights, rule, 0.5)
        for name in ("f", "F", "weight", "judged"):
            assert_array_equal(getattr(made, name), getattr(kept, name))


@pytest.mark.parametrize(("card", "read", "kind"), [(3, "u1", "u1"), (255, "u1", "u1"), (256, "u1", "u2"),
                                                    (65_536, "u2", "u4")])  # fmt: skip
def test_codes_of_cells_take_few_bytes_and_could_be_the_missing_one(card: int, read: str, kind: str) -> None:
    """What is suppressed later has the number of valid codes for its code."""
    for records in ([card - 1, 0, card - 1], [0, card - 1]):  # of the latter each is a cell, in the order of the cells
        cells = tabulate([naive.column("A", records, card, missing=0, dtype=read)], None)
        assert cells.codes[0].dtype == kind
        assert cells.codes[0].tolist() == [0, card - 1]


def test_rows_that_are_cells_are_not_copied() -> None:
    records = np.array([3, 1, 2])
    column = replace(naive.column("A", [0, 1, 2], 3), records=records)
    cells = tabulate([column], None)
    assert cells.codes[0] is column.values and cells.count is records


def test_cells_with_two_missing_codes_have_one() -> None:
    column = naive.column("A", [0, None], 2, missing=1)
    counts = np.array([1, 0, 0, 1])
    other = replace(column, values=np.array([0, 3], np.uint8), codes=(*column.codes, "x"), counts=counts)
    assert tabulate([other], None).codes[0].tolist() == [0, 2]


def test_without_weights_a_record_weighs_one() -> None:
    rows: list[Row] = [(0, 1), (0, 1), (None, 1)]
    cells = tabulate(naive.columns_of(rows, [2, 2]), None, "wildcard", 0.5)
    assert_array_equal(cells.weight, cells.count)
    assert_array_equal(cells.F, cells.f)
    assert cells.weight_limbs == ()
    assert cells.f.tolist() == [2.5, 3.0]


def test_changing_the_rule_afterwards_is_the_same_as_starting_with_it() -> None:
    rows: list[Row] = [(0, 1), (0, None), (None, 1), (1, 1), (None, None)]
    columns, weights = naive.columns_of(rows, [2, 2]), naive.weights_of([Fraction(k) for k in range(1, 6)])
    start = tabulate(columns, weights, "wildcard")
    for rule in RULES:
        fresh, changed = tabulate(columns, weights, rule, 0.5), with_rule(start, rule, 0.5)
        assert_array_equal(fresh.f, changed.f)
        assert_array_equal(fresh.F, changed.F)
        assert (fresh.rule, fresh.alpha) == (changed.rule, changed.alpha)


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4"])
@pytest.mark.parametrize("cards", [(182, 2, 60, 4), (250,) * 7, (250,) * 12])
def test_large_tables_against_numpy(cards: tuple[int, ...], dtype: str) -> None:
    """Dense, 10**16 possible cells, and past 2**63."""
    random = np.random.default_rng(len(cards))
    picks = [random.integers(0, card + 1, 3) for card in cards]
    rows = np.stack([pick[random.integers(0, 3, 5000)] for pick in picks], axis=1)
    values = [[None if v == card else int(v) for v in rows[:, j]] for j, card in enumerate(cards)]
    columns = [naive.column(str(j), v, cards[j], dtype=dtype) for j, v in enumerate(values)]
    cells = tabulate(columns, None, "category")
    distinct, count = np.unique(rows, axis=0, return_counts=True)
    assert_array_equal(np.stack(cells.codes, axis=1), distinct)
    assert_array_equal(cells.count, count)


def test_a_forgotten_margin_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    rows: list[Row] = [tuple(random.integers(0, 3, 4).tolist()) for _ in range(200)]
    cells = tabulate(naive.columns_of(rows, [3] * 4), None)
    kept = [Margins(cells).frequencies(keep).f for keep in range(16)]
    monkeypatch.setattr("core.tables.projections._CACHE_BYTES", 1)
    small = Margins(cells)
    for keep in (*range(16), *range(15, -1, -1)):
        assert_allclose(small.frequencies(keep).f, kept[keep])


@pytest.mark.parametrize(
    ("arguments", "id"),
    [(("nonsense", 1.0), "unknown-missing-rule"), (("wildcard", 1.5), "alpha-out-of-range"),
     (("wildcard", float("nan")), "alpha-out-of-range")],
)  # fmt: skip
def test_impossible_rules_are_refused(arguments: tuple[Any, float], id: str) -> None:
    with pytest.raises(RecipeError) as error:
        tabulate(naive.columns_of([(0,)], [1]), None, *arguments)
    assert error.value.id == id
    assert str(error.value)


@pytest.mark.parametrize("number", [0, 65])
def test_impossible_numbers_of_key_variables_are_refused(number: int) -> None:
    with pytest.raises(RecipeError) as error:
        tabulate(naive.columns_of([(0,) * number], [1] * number), None)
    assert error.value.id == "number-of-key-variables"


def test_sixty_four_key_variables() -> None:
    rows: list[Row] = [(0,) * 63 + (None,), (0,) * 64]
    cells: Cells = tabulate(naive.columns_of(rows, [1] * 64), None)
    assert cells.missing.tolist() == [0, 1 << 63]
    assert cells.f.tolist() == [1.0, 2.0]
