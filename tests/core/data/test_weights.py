"""Weights are exact decimals, or refused."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError, Notice
from core.data.columns import Weights
from core.data.variables import Variable
from core.data.weights import WeightReader
from core.formats.typed.columns import TypedField
from core.formats.typed.columns import texts as typed_texts


def read(
    texts: list[str], block: int = 3, decimal: str = ".", missing: tuple[str, ...] = (), known: Weights | None = None
) -> tuple[Weights, list[Notice]]:
    reader = WeightReader(Variable("W", role="weight", missing=missing), decimal, "utf-8", Path("data.asc"), known)
    for first in range(0, len(texts), block):
        part = [text.encode() for text in texts[first : first + block]]
        ends = np.cumsum([len(text) for text in part])
        lengths = np.array([len(text) for text in part], dtype=np.int32)
        data = np.frombuffer(b"".join(part) + b"\n", dtype=np.uint8)
        lines = np.arange(first + 11, first + 11 + len(part), dtype=np.int64)
        reader.add(data, (ends - lengths).astype(np.int32), lengths, lines)
    return reader.finish()


def exact(weights: Weights) -> list[Decimal]:
    """The weights as Decimals; every limb's sum over the file must fit int64."""
    assert all(sum(limb.tolist()) < 2**63 and limb.min() >= 0 for limb in weights.limbs)
    limbs = list(zip(weights.limbs, weights.decimals, strict=True))
    return [
        sum((Decimal(int(limb[i])).scaleb(-places) for limb, places in limbs), Decimal()) for i in range(len(weights))
    ]


fixed_point = st.decimals(0, 10**9, allow_nan=False, places=6).map(lambda value: f"{value:f}")
floats = st.floats(0, 1e8).filter(lambda value: value == 0 or value > 1e-8).map(repr)
forms = st.sampled_from(["5", " 7.50 ", "+2", ".5", "5.", "007.10", "1e3", "2.5E-2", "-0", "-0.00", "0e5", "1E+2"])


@given(st.lists(st.one_of(fixed_point, floats, forms), min_size=1, max_size=10))
def test_weights_are_exact(texts: list[str]) -> None:
    weights, _ = read(texts)
    assert exact(weights) == [Decimal(text.strip()) for text in texts]
    assert len(weights.limbs) <= 2


@given(st.lists(st.one_of(fixed_point.map(float), floats.map(float), st.just(-0.0)), min_size=1, max_size=10))
def test_numbers_are_their_shortest_decimals(values: list[float]) -> None:
    reader = WeightReader(Variable("W", role="weight"), ".", "utf-8", Path("data.parquet"))
    texts = list(typed_texts(TypedField("W"), pa.array(values)))
    if all(reader.add_numbers(np.array(values[first : first + 3])) for first in range(0, len(values), 3)):
        found, expected = reader.finish(), read([str(text) for text in texts])
        assert found[0].decimals == expected[0].decimals and found[1] == expected[1]
        assert [limb.tolist() for limb in found[0].limbs] == [limb.tolist() for limb in expected[0].limbs]


def test_numbers_that_are_no_plain_weights_are_read_as_texts() -> None:
    for values in ([-1.0], [np.nan], [np.inf], [1e15], [1 / 3], [1e-10]):
        reader = WeightReader(Variable("W", role="weight"), ".", "utf-8", Path("data.parquet"))
        assert not reader.add_numbers(np.array(values))
    assert not WeightReader(Variable("W", role="weight", missing=("9",)), ".", "utf-8", Path("a")).add_numbers(
        np.ones(1)
    )
    assert WeightReader(Variable("W", role="weight"), ".", "utf-8", Path("a")).add_numbers(np.array([12.5, 0.0, 3.0]))


@pytest.mark.parametrize(
    ("texts", "alike"),
    [
        (["1.50", "2", "3", "4.0", "5.25"], True),
        (["1.5", "2", "3", "4", "5.5"], False),
        (["1.5", "2", "3", "4", "5.250001"], False),
        (["1.5", "2", "3", "4"], False),
        (["1.5", "2", "3", "4", "5.25", "0", "1"], False),
        (["1.5", "2", "3", "4", "8000000000.1234567890123"], False),
    ],
)
def test_weights_that_are_known_stand_in_memory_once(texts: list[str], alike: bool) -> None:
    known, _ = read(["1.5", "2", "3", "4", "5.25"])
    (found, notices), alone = read(texts, known=known), read(texts)
    assert (found.limbs[0] is known.limbs[0]) == alike
    assert (found.decimals, notices) == (alone[0].decimals, alone[1])
    assert [limb.tolist() for limb in found.limbs] == [limb.tolist() for limb in alone[0].limbs]


def test_decimals_are_those_written() -> None:
    weights, _ = read(["118.30", "7", "2.5"])
    assert (weights.decimals, weights.limbs[0].tolist()) == ((2,), [11830, 700, 250])


def test_a_second_limb_where_one_cannot_hold_the_sum() -> None:
    texts = ["8000000000.1234567890123", "0.9999999999999", "3.3333333333333335e-05"]
    weights, _ = read(texts)
    assert len(weights.limbs) == 2
    assert exact(weights) == [Decimal(text) for text in texts]


def test_trailing_zeros_need_no_second_limb() -> None:
    weights, _ = read(["8000000000.500000000000000000", "1.250000000000000000"])
    assert weights.decimals == (2,)
    assert exact(weights) == [Decimal("8000000000.5"), Decimal("1.25")]


def test_tiny_weights_that_add_up_to_one() -> None:
    texts = ["3.3333333333333335e-05", "0.0000000000000000000000000001", "0.9999", "1e-30"]
    weights, notices = read(texts)
    assert exact(weights) == [Decimal(text) for text in texts]
    assert [notice.id for notice in notices] == ["weights-look-normalised"]


REFUSED = [
    (["1", "x", "2", "1,5", "0x10"], "weight-not-a-number", 12, "2, 4, 5", 3),
    (["1", "nan", "inf", "1e", "--1", "1 2", "1e9999"], "weight-not-a-number", 12, "2, 3, 4, 5, 6, 7", 6),
    (["1", "-2", "3", "-1e3", "-.5"], "weight-negative", 12, "2, 4, 5", 3),
    (["1", "", "  "], "weight-empty", 12, "2, 3", 2),
    (["1", "99", "NA"], "weight-empty", 12, "2, 3", 2),
    ([""] * 12, "weight-empty", 11, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …", 12),
]


@pytest.mark.parametrize(("texts", "id", "line", "records", "count"), REFUSED)
def test_refusals_list_the_records(texts: list[str], id: str, line: int, records: str, count: int) -> None:
    with pytest.raises(DataError) as caught:
        read(texts, missing=("", "99", "NA"))
    values = caught.value.values
    assert (caught.value.id, values["line"], values["records"], values["count"]) == (id, line, records, count)
    assert "W" in caught.value.sentence


@pytest.mark.parametrize(
    "texts",
    [["1e30", "1"], ["1e-40"], ["5000000000000000000"], ["4000000000000000000", "1e-18", "1e-18", "1e-18", "1e-18"]],
)
def test_more_digits_than_can_be_added_exactly(texts: list[str]) -> None:
    with pytest.raises(DataError, match="more digits than can be added up exactly"):
        read(texts)


def test_a_decimal_comma() -> None:
    assert exact(read(["1,5", "2,25e1"], decimal=",")[0]) == [Decimal("1.5"), Decimal("22.5")]
    with pytest.raises(DataError):
        read(["1.5"], decimal=",")


def test_notices() -> None:
    assert [(notice.id, dict(notice.values)["count"]) for notice in read(["0", "5", "0.0"])[1]] == [("zero-weights", 2)]
    for texts in (["0.5", "1.5", "1.001"], ["0.25", "0.5", "0.25"]):
        assert [(notice.id, notice.where) for notice in read(texts)[1]] == [("weights-look-normalised", "W")]
    assert read(["10", "20"])[1] == []
