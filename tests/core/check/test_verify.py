"""The check of a written file against counting by the definition, and what it must notice."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.check import individual_risk, recount
from core.check.judged import CheckSpec, Verification
from core.check.verify import verify
from core.data.columns import EncodedColumn, Microdata, Source, Weights
from core.data.variables import Metadata
from core.suppression.plan import Plan
from tests.core.suppression.files import Case, cases, optimise
from tests.core.suppression.test_individual import levels, small
from tests.naive_suppression import frequencies, risk


def written(case: Case, plan: Plan, order: np.ndarray[Any, Any] | None = None) -> Microdata:
    """The safe file as it would be read back."""
    n = len(case.weights)
    order = np.arange(n) if order is None else order
    columns = {}
    for name, column in case.columns.items():
        flags = plan.suppressed.get(name, np.zeros(n, np.bool_))
        values = np.where(flags, column.n_valid, column.values).astype(column.values.dtype)[order]
        columns[name] = replace(column, values=values)
    weights = Weights((np.array(case.weights, np.int64)[order],), (0,))
    return Microdata(Metadata("fixed", ()), Source(Path("safe"), "", 0, 0, n), columns, weights)


def checked(case: Case, plan: Plan, file: Microdata, threshold: float | None, **options: Any) -> Verification:
    weights = Weights((np.array(case.weights, np.int64),), (0,))
    judged = CheckSpec(case.keys[0], threshold, case.rule, case.alpha)
    return verify(file, case.columns, weights, plan.suppressed, [judged], **options)


@given(cases(), st.data())
def test_figures_are_those_of_the_definitions(case: Case, data: st.DataObject) -> None:
    threshold = data.draw(st.sampled_from(levels(case)))
    try:
        plan = optimise(case.tables(threshold), case.columns, case.coded_costs, case.rules)
    except ProtectionError:
        assume(False)
    order = np.array(data.draw(st.permutations(range(len(case.weights)))))
    found = checked(case, plan, written(case, plan, order), threshold, order=order)
    assert found.verified and not found.problems
    rows = case.rows_of(case.keys[0])
    left = [
        tuple(None if plan.suppressed[name][i] else v for name, v in zip(case.keys[0], row, strict=True))
        for i, row in enumerate(rows)
    ]
    alpha = Fraction(case.alpha).limit_denominator(100)
    by_mode = [risk(*frequencies(rows, case.weights, row, case.rule, alpha)) for row in left]
    released = [risk(*frequencies(left, case.weights, row, "wildcard", Fraction(1))) for row in left]
    own = [sum(w for w, other in zip(case.weights, left, strict=True) if other == row) for row in left]
    group = [risk(Fraction(left.count(row)), Fraction(weight)) for row, weight in zip(left, own, strict=True)]
    after = found.after[0]
    for state, naive in ((after.by_mode, by_mode), (after.released, released)):
        assert state is not None and state.individual is not None
        assert state.individual.max_risk == pytest.approx(max(naive), rel=1e-11)
        assert state.individual.expected == pytest.approx(sum(naive), rel=1e-11)
        assert state.individual.rate == pytest.approx(sum(naive) / len(naive), rel=1e-11)
        assert state.unsafe == state.individual.unsafe == sum(r >= threshold * (1 - 1e-12) for r in naive)
    assert after.by_mode is not None and after.by_mode.unsafe == 0
    assert after.group_max == pytest.approx(max(group), rel=1e-11)
    assert after.group_unsafe == sum(r >= threshold * (1 - 1e-12) for r in group)


def changed(file: Microdata, name: str, record: int, code: int) -> Microdata:
    values = file.columns[name].values.copy()
    values[record] = code
    columns: dict[str, EncodedColumn] = dict(file.columns)
    columns[name] = replace(columns[name], values=values)
    return replace(file, columns=columns)


def test_a_value_that_was_not_suppressed_is_noticed() -> None:
    case = small()
    plan = optimise(case.tables(0.1), case.columns, case.coded_costs)
    file = written(case, plan)
    assert checked(case, plan, file, 0.1).verified
    found = checked(case, plan, changed(file, "A", 1, 1), 0.1)
    assert not found.verified and found.after == ()
    assert found.problems[0].text.startswith("1 values of A in the written file are not what was decided")
    assert dict(found.problems[0].values)["record"] == 2


def test_a_value_lost_without_need_is_noticed() -> None:
    case = small()
    plan = optimise(case.tables(0.1), case.columns, case.coded_costs)
    assert not checked(case, plan, changed(written(case, plan), "B", 3, 3), 0.1).verified


def test_another_missing_code_is_noticed() -> None:
    case = small()
    plan = optimise(case.tables(0.1), case.columns, case.coded_costs)
    file = written(case, plan)
    codes = (*file.columns["A"].codes[:-1], "y")
    other = replace(file, columns={**file.columns, "A": replace(file.columns["A"], codes=codes)})
    assert not checked(case, plan, other, 0.1).verified


def test_a_plan_that_leaves_a_record_unsafe_is_noticed_unless_nothing_was_to_be_protected() -> None:
    case = small()
    nothing = optimise(case.tables(None), case.columns, case.coded_costs)
    found = checked(case, nothing, written(case, nothing), 0.1)
    assert not found.verified and found.problems[0].id == "written-records-unsafe"
    assert "1 of 4 written records" in found.problems[0].text
    assert checked(case, nothing, written(case, nothing), 0.1, must_be_safe=False).verified


def test_records_lost_are_noticed() -> None:
    case = small()
    nothing = optimise(case.tables(None), case.columns, case.coded_costs)
    file = replace(written(case, nothing), source=Source(Path("safe"), "", 0, 0, 3))
    assert checked(case, nothing, file, None).problems[0].id == "written-records-differ"


def test_an_order_that_writes_a_record_twice_is_noticed() -> None:
    case = small()
    nothing = optimise(case.tables(None), case.columns, case.coded_costs)
    twice = np.array([0, 1, 1, 3])
    found = checked(case, nothing, written(case, nothing, twice), None, order=twice)
    assert not found.verified and found.after == ()
    assert [problem.id for problem in found.problems] == ["written-order-differs"]


def test_without_a_threshold_nothing_is_unsafe() -> None:
    case = small()
    nothing = optimise(case.tables(None), case.columns, case.coded_costs)
    after = checked(case, nothing, written(case, nothing), None).after[0]
    assert after.by_mode is not None and after.by_mode.individual is not None and after.group_max is not None
    assert after.by_mode.unsafe is after.by_mode.individual.unsafe is after.group_unsafe is None


def test_a_million_million_codes_do_not_overflow() -> None:
    rng = np.random.default_rng(2)
    columns = [rng.integers(1, 1000, 500) for _ in range(9)]
    columns[0][:250] = columns[0][250:]
    for column in columns[1:]:
        column[:250] = column[250:]
    rows, before, _ = recount.tabulate_both(columns, columns, [1001] * 9, [None, None])
    assert len(rows.patterns) == 250
    f, population = recount.frequencies(rows, before.present(), before, 1.0)
    assert f.tolist() == population.tolist() == [2.0] * 250


@pytest.mark.parametrize(
    "sizes",
    [(3, 4), (70, 70), (1 << 20, 1 << 20), (1 << 31, 1 << 31, 4)],
    ids=["dense", "flagged", "sparse", "long"],
)
def test_keys_are_counted_block_by_block(sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recount, "_CHUNK", 7)
    rng = np.random.default_rng(3)
    original, released = ([rng.integers(0, 3, 40) * ((size - 1) // 2) for size in sizes] for _ in range(2))
    weights = rng.integers(1, 9, 40)
    rows, before, now, place = recount.tabulate_records(original, released, sizes, [((weights,), (1,)), None])
    keys = [*zip(*(code.tolist() for code in rows.codes), strict=True)]
    theirs, ours = ([*zip(*(column.tolist() for column in file), strict=True)] for file in (original, released))
    assert sorted(keys) == sorted({*theirs, *ours})
    assert [keys[row] for row in place.tolist()] == [*theirs, *ours]
    for row, key in enumerate(keys):
        assert (before.count[row], now.count[row]) == (theirs.count(key), ours.count(key))
        assert before.weight[row] == pytest.approx(sum(weights[[each == key for each in theirs]]) / 10)


@pytest.mark.parametrize("wide", [1, 1 << 25, 1 << 32], ids=["dense", "sparse", "long"])
@pytest.mark.parametrize("alpha", [0.0, 0.25, 1.0])
def test_frequencies_some_rows_at_a_time_are_those_of_all_at_once(
    alpha: float, wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(11)
    sizes = tuple(3 * wide + 1 for _ in range(3))
    original, released = ([rng.integers(0, 4, 60) * wide for _ in sizes] for _ in range(2))
    for theirs, ours in zip(original, released, strict=True):
        ours[:] = np.where(rng.random(60) < 0.7, theirs, ours)
    weights, records = rng.integers(1, 90_000, (2, 60)), rng.integers(1, 300, 60)
    both = [([limb, limb % 7], (1, 3)) for limb in weights]
    found = {}
    for chunk, otherwise in (
        (1 << 16, {}),
        (7, {"_MERGE_AT": 5, "_RARE": 1, "_FEW": 1, "_HELD_ROWS": 0, "_FLAGS": 4}),
    ):
        for name, value in {"_CHUNK": chunk, **otherwise}.items():
            monkeypatch.setattr(recount, name, value)
        rows, before, now = recount.tabulate_both(original, released, sizes, both, records=records)
        asked = now.present()
        of_file = (recount.frequencies(rows, asked, file, alpha) for file in (before, now))
        found[chunk] = [values.tobytes() for pair in of_file for values in pair]
    assert found[7] == found[1 << 16]
    theirs = [*zip(*(column.tolist() for column in original), strict=True)]
    f, population = recount.frequencies(rows, asked, before, alpha)
    for number, key in enumerate(zip(*(code[asked].tolist() for code in rows.codes), strict=True)):
        counts = [_counts(key, other, alpha) for other in theirs]
        assert f[number] == pytest.approx(np.dot(counts, records))
        assert population[number] == pytest.approx(np.dot(counts, weights[0] / 10 + weights[0] % 7 / 1000))


def _counts(key: tuple[int, ...], other: tuple[int, ...], alpha: float) -> float:
    """How much a record with the key `other` counts for `key`; 0 is missing."""
    if any(mine and theirs and mine != theirs for mine, theirs in zip(key, other, strict=True)):
        return 0.0
    return alpha if any(mine and not theirs for mine, theirs in zip(key, other, strict=True)) else 1.0


def test_weights_too_large_for_one_float_sum_are_exact() -> None:
    limb = np.array([2**53, 1, 1, 3], np.int64)
    ones = [np.ones(4, np.int64)]
    _, before, _ = recount.tabulate_both(ones, ones, [2], [([limb], [0]), None])
    assert before.weight.tolist() == [float(2**53 + 4)]


def test_sums_beyond_four_bytes_and_below_zero_are_exact() -> None:
    limb, ones = np.array([2**40, -3, 2**40, 5], np.int64), [np.array([1, 1, 2, 2])]
    _, before, _ = recount.tabulate_both(ones, ones, [3], [([limb], [0]), None])
    assert before.weight.tolist() == [float(2**40 - 3), float(2**40 + 5)]


def test_risks_may_be_written_over_the_frequencies() -> None:
    f, population = np.array([1.0, 2.0, 3.5, 50.0]), np.array([40.0, 2.0, 90.0, 60.0])
    plain = individual_risk.risks(f, population, False)
    assert f.tolist() == [1.0, 2.0, 3.5, 50.0]
    assert individual_risk.risks(f, population, False, out=f) is f
    assert f.tolist() == plain.tolist()


@pytest.mark.parametrize("f", [1, 1.0001, 1.5, 2, 2.5, 3.5, 7, 20.25, 39, 39.5, 40, 200, 1e5])
@pytest.mark.parametrize("p", [1e-9, 1e-5, 0.01, 0.3, 0.4999, 0.5, 0.9, 1 - 1e-9])
def test_risk(f: float, p: float) -> None:
    # 2F1 at q close to 1 and f close to an integer needs many digits.
    with mpmath.workdps(60):
        population = mpmath.mpf(f / p)
        share = mpmath.mpf(f) / population
        expected = float(share / f * mpmath.hyp2f1(1, 1, mpmath.mpf(f) + 1, 1 - share))
    assert individual_risk.risks(np.array([f]), np.array([f / p]), False)[0] == pytest.approx(expected, rel=1e-12)


def test_truncated_risk_cuts_the_series_after_seven_terms() -> None:
    f, population = 4.0, 4000.0
    p, total, term = f / population, 1.0, 1.0
    for n in range(1, 8):
        term *= n * (1 - p) / (f + n)
        total += term
    assert individual_risk.risks(np.array([f]), np.array([population]), True)[0] == pytest.approx(
        p / f * total, rel=1e-14
    )
    exact = individual_risk.risks(np.array([3.0]), np.array([population]), False)[0]
    assert individual_risk.risks(np.array([3.0]), np.array([population]), True)[0] == exact
