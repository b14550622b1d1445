"""Sets of values in several columns, or in one, like Python's sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.check.sets import DeclaredSet, with_sets
from core.data.columns import EncodedColumn
from core.data.set_values import value_sets
from core.data.variables import Variable
from tests.core.data.test_encoding import encode
from tests.naive_sets import codes_of_sets, sets_of_records

MISSING = (("8", "9"), ("9",), ())
CELLS = st.sampled_from(["", "1", "2", "11", "8", "9", "1;2", "2; 1;", ";", "9;1"])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=40)


def columns_of(rows: list[tuple[str, ...]]) -> list[EncodedColumn]:
    described = (Variable(f"L{i}", missing=codes) for i, codes in enumerate(MISSING, 1))
    cells = ([text.encode() for text in column] for column in zip(*rows, strict=True))
    return [encode(texts, 7, variable) for texts, variable in zip(cells, described, strict=True)]


@given(ROWS, st.sampled_from(["", ";"]))
def test_like_pythons_sets(rows: list[tuple[str, ...]], separator: str) -> None:
    found = value_sets("SET", columns_of(rows), separator)
    expected = sets_of_records(rows, MISSING, separator)
    column = found.column
    assert [column.codes[i] for i in column.values] == codes_of_sets(expected)
    assert [frozenset(found.contents[i]) if i < column.n_valid else frozenset() for i in column.values] == expected
    assert column.counts.tolist() == [list(column.values).count(i) for i in range(len(column.codes))]
    assert list(column.padded[: column.n_valid]) == sorted(column.padded[: column.n_valid])


@given(ROWS, st.sampled_from(["", ";"]))
def test_the_check_reads_the_same_sets_by_its_own_code(rows: list[tuple[str, ...]], separator: str) -> None:
    columns = {column.name: column for column in columns_of(rows)}
    read = with_sets(columns, [DeclaredSet("SET", tuple(columns), separator)])["SET"]
    expected = sets_of_records(rows, MISSING, separator)
    texts = ["\x1f".join(sorted(values)) for values in expected]
    assert [read.codes[i] for i in read.values] == texts
    assert [i >= read.n_valid for i in read.values] == [not values for values in expected]


def test_labelled_by_what_it_holds() -> None:
    texts = [[b"DE", b"FR", b"DE", b"9"], [b"FR", b"DE", b"9", b"9"]]
    columns = [encode(cells, 9, Variable(name, missing=("9",))) for name, cells in zip("AB", texts, strict=True)]
    found = value_sets("SET", columns)
    assert found.labels(columns, {"B": {"DE": "German", "9": "unknown"}, "A": {"DE": ""}}) == {
        "1": "German + FR",
        "2": "German",
        "": "(missing)",
    }
