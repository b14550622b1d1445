"""The check by threshold rule and k-anonymity against the definition, on files with blanks that nobody planned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.check.by_counts import by_rare_combinations, by_rare_keys, largest_unsafe
from core.check.judged import CheckSpec, KeysOfBothFiles
from core.check.verify import verify
from core.data.columns import EncodedColumn, Microdata, Source
from core.data.risk_figures import TableState
from core.data.variables import Metadata, Variable
from tests import naive_models as naive
from tests.core.suppression.demodata import column

NAMES = ("A", "B", "C")
Row = tuple[int, ...]


@st.composite
def files(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    """A file of codes (0: missing), and the same with some more missing."""
    n = draw(st.integers(1, 12))
    rows = draw(st.lists(st.tuples(*[st.sampled_from([0, 1, 1, 2, 3])] * 3), min_size=n, max_size=n))
    lost = draw(st.lists(st.tuples(*[st.booleans()] * 3), min_size=n, max_size=n))
    released = [tuple(v * (not gone) for v, gone in zip(*pair, strict=True)) for pair in zip(rows, lost, strict=True)]
    return rows, released


def keys_of(original: list[Row], released: list[Row]) -> KeysOfBothFiles:
    sides = [[np.array([row[j] for row in rows], np.int64) for j in range(3)] for rows in (original, released)]
    return KeysOfBothFiles(NAMES, sides[0], sides[1], (4, 4, 4))


@given(files(), st.lists(st.tuples(st.sampled_from([("A", "B", "C"), ("A",), ("B", "A"), ("C", "B")]),
                                   st.integers(0, 3)), max_size=3))  # fmt: skip
def test_unsafe_combinations_are_those_of_the_definition(
    pair: tuple[list[Row], list[Row]], others: list[tuple[tuple[str, ...], int]]
) -> None:
    original, released = pair
    tables = [(NAMES, 1), *others]
    found = by_rare_combinations(keys_of(original, released), largest_unsafe(tables))
    for state, rows in ((found.by_mode, original), (found.released, released)):
        columns = {name: [row[j] or None for row in rows] for j, name in enumerate(NAMES)}
        unsafe = [
            naive.has_unsafe(tables, columns, {n: v for n, v in zip(NAMES, row, strict=True) if v}) for row in released
        ]
        assert state == TableState(unsafe=sum(unsafe))


@given(files(), st.integers(1, 4))
def test_rare_keys_are_those_of_the_definition(pair: tuple[list[Row], list[Row]], k: int) -> None:
    original, released = pair
    keys = keys_of(original, released)

    def agree(mine: Row, his: Row, blanks: bool) -> bool:
        return all(not a or a == b or (blanks and not b) for a, b in zip(mine, his, strict=True))

    count = {
        "category": [released.count(row) for row in released],
        "observed": [sum(agree(row, other, False) for other in released) for row in released],
        "wildcard": [sum(agree(row, other, True) for other in released) for row in released],
        "listwise": [released.count(row) if all(row) else k for row in released],
    }
    for rule, f in count.items():
        found = by_rare_keys(keys, k, rule, 1.0)  # type: ignore[arg-type]
        assert found.by_mode == TableState(unsafe=sum(number < k for number in f))
        assert found.released == TableState(unsafe=sum(number < k for number in count["wildcard"]))


def written(columns: dict[str, EncodedColumn], n: int) -> Microdata:
    source = Source(path=None, sha256="", size=0, mtime_ns=0, records=n)  # type: ignore[arg-type]
    metadata = Metadata("fixed", tuple(Variable(name, categorical=True) for name in columns))
    return Microdata(metadata, source, columns, None)


@pytest.mark.parametrize(
    ("judged", "id"),
    [
        (CheckSpec(("A", "B"), model="frequency"), "written-records-in-unsafe-combinations"),
        (CheckSpec(("A", "B"), model="k-anonymity", k=2, rule="category"), "written-records-rarer-than-k"),
    ],
)
def test_a_plan_that_leaves_one_record_unsafe_fails(judged: CheckSpec, id: str) -> None:
    columns = {"A": column("A", np.array([0, 0, 1, 1, 2]), 3), "B": column("B", np.array([0, 0, 1, 1, 0]), 2)}
    found = verify(written(columns, 5), columns, None, {}, [judged])
    assert [problem.id for problem in found.problems] == [id]
    assert dict(found.problems[0].values)["records"] == 1
    assert not found.verified
    assert verify(written(columns, 5), columns, None, {}, [judged], must_be_safe=False).verified
