"""What elimination leaves of suppressed values: against every completion, and published figures."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.check.inferable_values import told_values
from core.risk.individual import lowest_unsafe
from core.suppression.candidates import candidates, positions
from core.suppression.costs import Costs, entropy
from core.suppression.inference import elimination, released_key_file
from core.suppression.inference.counting import possible_by_counting
from core.suppression.inference.elimination import Inference, possible_values
from core.suppression.problem import ProtectedTable
from core.tables.tabulate import tabulate_records
from tests.core.suppression.demodata import KEYS, column, load
from tests.core.suppression.files import Case, cases, optimise
from tests.core.suppression.test_individual import levels
from tests.naive_elimination import Row, left, possible, possible_in_households, released
from tests.naive_suppression import frequencies, risk


def found(
    rows: list[Row], lost: list[set[int]], cards: list[int], shared: frozenset[int] = frozenset()
) -> dict[tuple[int, int], int]:
    """What the program says of each blank."""
    columns = [
        column(f"V{j}", np.array([card if row[j] is None else row[j] for row in rows]), card)
        for j, card in enumerate(cards)
    ]
    suppressed = {f"V{j}": np.array([j in gone for gone in lost]) for j in range(len(cards))}
    told = possible_values(columns, suppressed, {f"V{j}" for j in shared})
    assert set(told) == {name for name, flags in suppressed.items() if flags.any()}
    return {
        (int(record), j): int(number)
        for j in range(len(cards))
        if f"V{j}" in told
        for record, number in zip(np.flatnonzero(suppressed[f"V{j}"]), told[f"V{j}"], strict=True)
    }


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_as_by_trying_every_completion(data: st.DataObject) -> None:
    keys = data.draw(st.integers(1, 4))
    cards = data.draw(st.lists(st.sampled_from([1, 2, 2, 3, 200]), min_size=keys, max_size=keys))
    row = st.tuples(*(st.sampled_from([0, 0, card - 1, min(1, card - 1), None]) for card in cards))
    rows = data.draw(st.lists(row, min_size=1, max_size=30))
    choice = st.one_of(st.just(set()), st.sets(st.integers(0, keys - 1)))
    lost = [{j for j in data.draw(choice) if row[j] is not None} for row in rows]
    shared = frozenset(data.draw(st.sets(st.integers(0, keys - 1), max_size=1)))
    block = data.draw(st.sampled_from([3, elimination.BLOCK]))
    with patch.object(elimination, "BLOCK", block), patch.object(released_key_file, "BLOCK", block):
        assert found(rows, lost, cards, shared) == possible(rows, lost, shared)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_households_as_by_trying_every_world(data: st.DataObject) -> None:
    """The elimination and the check of the written file, which share no code, against all that could have been."""
    keys = data.draw(st.integers(2, 3))
    cards = data.draw(st.lists(st.integers(2, 3), min_size=keys, max_size=keys))
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=6))
    same = frozenset(data.draw(st.sets(st.integers(0, keys - 1), min_size=1, max_size=2)))
    rows: list[Row] = []
    lost: list[set[int]] = []
    for size in sizes:
        of_all = {j: data.draw(st.sampled_from([*range(cards[j]), None])) for j in same}
        gone = data.draw(st.sets(st.sampled_from(sorted(same))))
        for _ in range(size):
            row = tuple(
                of_all[j] if j in same else data.draw(st.sampled_from([*range(card), 0, None]))
                for j, card in enumerate(cards)
            )
            own = data.draw(st.sets(st.integers(0, keys - 1), max_size=1)) - same
            rows.append(row)
            lost.append({j for j in gone | own if row[j] is not None})
    household = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
    twin = possible_in_households(rows, lost, same, same, household.tolist())
    coded = [np.array([cards[j] if row[j] is None else row[j] for row in rows]) for j in range(keys)]
    columns = [column(f"V{j}", codes, cards[j]) for j, codes in enumerate(coded)]
    suppressed = {f"V{j}": np.array([j in gone for gone in lost]) for j in range(keys)}
    names = {f"V{j}" for j in same}
    told = possible_values(columns, suppressed, names, household_of_record=household, same=names)
    numbers = {(i, j): 0 for i, gone in enumerate(lost) for j in gone}
    for j in range(keys):
        if f"V{j}" in told:
            numbers |= {
                (int(i), j): int(n) for i, n in zip(np.flatnonzero(suppressed[f"V{j}"]), told[f"V{j}"], strict=True)
            }
    assert numbers == twin
    original = [np.where(codes == card, 0, codes + 1) for codes, card in zip(coded, cards, strict=True)]
    written = [np.where(suppressed[f"V{j}"], 0, codes) for j, codes in enumerate(original)]
    counted = told_values(original, written, [card + 1 for card in cards], sorted(same), sorted(same), household)
    assert counted == list(twin.values()).count(1)


def test_a_single_person_tells_what_only_household_variables_lost() -> None:
    """Whoever lives alone and lost the region was unsafe with it: in the other one such keys stand."""
    rows: list[Row] = [(0, 0), (0, 0), (1, 0), (1, 1), (0, 1)]
    columns = [column(f"V{j}", np.array([row[j] for row in rows]), 2) for j in range(2)]
    suppressed, alone = {"V0": np.array([False, False, True, False, False])}, np.arange(5, dtype=np.uint32)
    assert possible_values(columns, suppressed, {"V0"})["V0"].tolist() == [2]
    assert possible_values(columns, suppressed, {"V0"}, household_of_record=alone, same={"V0"})["V0"].tolist() == [1]


@settings(max_examples=150, deadline=None)
@given(cases(limits=False), st.data())
def test_a_value_that_was_suppressed_is_never_thought_impossible(case: Case, data: st.DataObject) -> None:
    """Also where values were missing before: a margin whose completions are all safe is safe."""
    threshold = data.draw(st.sampled_from(levels(case)))
    try:
        plan = optimise(case.tables(threshold), case.columns, case.coded_costs, case.rules)
    except ProtectionError:
        return
    names, rows = case.keys[0], case.rows_of(case.keys[0])
    lost = [{j for j, name in enumerate(names) if plan.suppressed[name][record]} for record in range(len(rows))]
    safe = released(rows, lost)
    for (record, j), values in left(rows, lost).items():
        assert rows[record][j] in values or rows[record][j] not in {row[j] for row in safe}


def test_one_value_left_is_certain() -> None:
    rows: list[Row] = [(0, 0), (0, 0), (0, 1), (1, 1), (2, 1)]
    lost: list[set[int]] = [set(), set(), {1}, set(), {1}]
    assert found(rows, lost, [3, 2]) == {(2, 1): 1, (4, 1): 2}


def test_a_code_that_no_record_has_any_more_is_known_all_the_same() -> None:
    rows: list[Row] = [(0, 0), (0, 1), (0, 2), (1, 0)]
    lost: list[set[int]] = [set(), {1}, {1}, set()]
    assert found(rows, lost, [2, 3]) == {(1, 1): 2, (2, 1): 2}


def test_two_blanks_are_looked_at_together() -> None:
    """(0, 0), (0, 1) and (1, 0) stand there: who lost both is (1, 1)."""
    rows: list[Row] = [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1)]
    lost: list[set[int]] = [set(), set(), set(), {0, 1}, set()]
    assert found(rows, lost, [2, 2, 2]) == {(3, 0): 1, (3, 1): 1}


def test_a_value_missing_before_is_filled_in_like_a_suppressed_one() -> None:
    rows: list[Row] = [(0, 0), (0, 1), (1, 0), (1, None)]
    assert found(rows, [set(), set(), set(), {0}], [2, 2]) == {(3, 0): 1}


def test_without_suppression_there_is_nothing_to_tell() -> None:
    assert found([(0, 1)], [set()], [1, 2]) == {}
    assert Inference.of([]).summary() == {"blanks": 0, "certain": 0, "candidates": {}}


@settings(max_examples=100, deadline=None)
@given(cases(limits=False), st.data())
def test_counting_as_by_trying_every_value(case: Case, data: st.DataObject) -> None:
    """Of records with one blank; the value that was suppressed is never thought impossible."""
    threshold = data.draw(st.sampled_from(levels(case)))
    try:
        plan = optimise(case.tables(threshold), case.columns, case.coded_costs)
    except ProtectionError:
        return
    names, rows, n = case.keys[0], case.rows_of(case.keys[0]), len(case.keys[0])
    keys = [case.columns[name] for name in names]
    given = [1 << j for j in range(n)], [case.costs[name] for name in names], 0
    weights, limit = np.array(case.weights, np.float64), lowest_unsafe(threshold)
    told = possible_by_counting(keys, plan.suppressed, weights, limit, *given) or {}
    lost = [{j for j, name in enumerate(names) if plan.suppressed[name][i]} for i in range(len(rows))]
    safe = released(rows, lost)
    sets = [set(positions(candidate.keys)) for candidate in candidates(n, *given[:2], 0, 0)]
    for i, gone in enumerate(lost):
        if case.rule != "observed" or len(gone) != 1 or None in rows[i]:
            continue
        (j,) = gone
        left = set()
        for value in {row[j] for row in safe} - {None}:
            key = (*rows[i][:j], value, *rows[i][j + 1 :])
            asked = [tuple(None if k in some else v for k, v in enumerate(key)) for some in sets[: sets.index(gone)]]
            counted = [frequencies(safe, case.weights, one, "observed", Fraction(0)) for one in asked]
            if all(f == 0 or risk(f, people) >= limit for f, people in counted):
                left.add(value)
        own, vanished = rows[i][j], {row[j] for row in rows} - {row[j] for row in safe} - {None}
        assert own in left | vanished
        place = int(plan.suppressed[names[j]][:i].sum())
        assert told[names[j]][place] == len(left | (vanished if own in vanished else set()))


@pytest.mark.parametrize(
    ("criterion", "threshold", "certain", "blanks", "counted"),
    [
        ("entropy", 0.00125, 59, 397, 72),
        ("entropy", 0.005, 50, 144, 56),
        ("entropy", 0.02, 28, 58, 31),
        ("weights", 0.00125, 16, 397, 21),
    ],
)
def test_demodata(shared: Path, criterion: str, threshold: float, certain: int, blanks: int, counted: int) -> None:
    columns, weights = load(shared / "data" / "demodata", recoded=True)
    keys = [columns[name] for name in KEYS]
    costs = Costs(criterion, dict.fromkeys(KEYS, 50.0), {key.name: entropy(key) for key in keys})  # type: ignore[arg-type]
    plan = optimise([ProtectedTable(*tabulate_records(keys, weights), threshold)], columns, costs)
    inference = Inference.of(possible_values(keys, plan.suppressed).values())
    assert (inference.certain, inference.blanks) == (certain, blanks)
    people = weights.limbs[0] / 10.0 ** weights.decimals[0]
    given = [1, 2, 4, 8], [costs[name] for name in KEYS], 0
    told = possible_by_counting(keys, plan.suppressed, people, lowest_unsafe(threshold), *given)
    assert told is not None and Inference.of(told.values()).certain == counted
    if (criterion, threshold) == ("entropy", 0.00125):
        assert inference.summary()["candidates"] == {"1": 59, "2": 134, "3": 200, "4": 4}
