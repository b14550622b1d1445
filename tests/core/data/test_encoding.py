"""The growing dictionary: exact, and as small as its codes allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.data.columns import EncodedColumn
from core.data.encoding import ColumnEncoder
from core.data.variables import Variable


def encode(texts: list[bytes], block: int, variable: Variable | None = None, fixed: bool = False) -> EncodedColumn:
    encoder = ColumnEncoder(variable or Variable("A"), fixed=fixed)
    for first in range(0, len(texts), block):
        part = texts[first : first + block]
        lengths = np.array([len(text) for text in part], dtype=np.int32)
        data = np.frombuffer(b"".join(part) + b"\n", dtype=np.uint8)
        encoder.add(data, (np.cumsum(lengths) - lengths).astype(np.int32), lengths)
    return encoder.finish()[0]


@given(st.lists(st.binary(max_size=20).map(bytes.hex).map(str.encode), max_size=60), st.integers(1, 20))
def test_like_a_dictionary(texts: list[bytes], block: int) -> None:
    column = encode(texts, block)
    assert [column.codes[i].encode() for i in column.values] == texts
    assert len(set(column.codes)) == len(column.codes)
    assert list(column.padded) == sorted(column.padded)


@pytest.mark.parametrize(
    ("distinct", "type_"), [(255, np.uint8), (256, np.uint16), (65535, np.uint16), (65536, np.uint32)]
)
def test_storage_grows_with_the_codes(distinct: int, type_: type) -> None:
    texts = [b"%d" % i for i in range(distinct)]
    column = encode(texts + texts[:7], 10_000)
    assert column.values.dtype == type_
    assert [column.codes[i].encode() for i in column.values] == texts + texts[:7]
    assert column.counts.sum() == distinct + 7
    assert list(column.padded) == sorted(column.padded)
    assert column.width == len(str(distinct - 1))


def test_missing_codes_count_for_the_storage() -> None:
    variable = Variable("A", missing=("x", "y"))
    column = encode([b"%d" % i for i in range(255)], 100, variable)
    assert (column.values.dtype, column.n_valid, column.codes[-2:]) == (np.uint16, 255, ("x", "y"))


def test_long_codes_are_compared_to_the_end() -> None:
    texts = [b"a" * 5000 + tail for tail in (b"1", b"2", b"", b"1", b"11")]
    assert encode(texts, 2).counts.tolist() == [1, 2, 1, 1]


def test_missing_codes_come_last_in_their_order() -> None:
    variable = Variable("A", length=2, missing=("9 ", "99", "9", "0"))
    column = encode([b" 9", b"0 ", b" 1", b"0 "], 3, variable, fixed=True)
    assert column.codes == ("1", "9", "99", "0")
    assert column.padded == (" 1", " 9", "99", "0 ")
    assert (column.n_valid, column.n_missing_codes, column.has_missing) == (1, 3, True)
    assert column.values.tolist() == [1, 3, 0, 3]


def test_no_records() -> None:
    column = encode([], 1, Variable("A", missing=("9",)))
    assert (column.codes, column.counts.tolist(), len(column.values)) == (("9",), [0], 0)


def test_free_text_is_not_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.data.encoding.FORM_BYTES", 30)
    assert encode([b"0123456789", b"1", b"2"], 2).width == 10
    with pytest.raises(DataError, match="4 different codes of up to 10 bytes"):
        encode([b"0123456789", b"1", b"2", b"3"], 2)
