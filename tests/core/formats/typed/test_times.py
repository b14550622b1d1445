"""Times of day as codes, and back."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats.typed.columns import TypedField, typed

TYPES = {pa.time32("s"): 1, pa.time32("ms"): 10**3, pa.time64("us"): 10**6, pa.time64("ns"): 10**9}


@given(st.sampled_from(list(TYPES)), st.lists(st.one_of(st.none(), st.floats(0, 1, exclude_max=True)), max_size=5))
def test_arrow_says_the_same_of_every_time(type: pa.DataType, shares: list[float | None]) -> None:
    counts = [None if share is None else int(share * 86400 * TYPES[type]) for share in shares]
    times = pa.array(counts, pa.int32() if type.bit_width == 32 else pa.int64()).cast(type)
    codes = [text or "" for text in pc.cast(times, pa.string()).to_pylist()]
    made = typed(TypedField("T", storage=str(type)), codes, type)
    assert made is not None and made.equals(times)


@pytest.mark.parametrize("code", ["24:00:00", "1:2:3", "12:60:00", "12:00", "noon", "12:00:00.5", "١٢:00:00"])
def test_other_texts_are_none(code: str) -> None:
    assert typed(TypedField("T", storage="time32[s]"), [code], pa.time32("s")) is None
