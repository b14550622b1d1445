"""Where delimiters, line feeds and quotes stand, against a search byte by byte."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from core.kernels.fields import _WINDOW, _find_marks

# The marks themselves, and bytes that differ from them in one bit or by one.
near = st.sampled_from([44, 10, 34, 43, 45, 9, 11, 33, 35, 0, 255, 44 | 128, 10 | 128, 34 | 128, 59, 32])
texts = st.one_of(st.lists(near, max_size=60).map(bytes), st.binary(max_size=60))


@given(texts, st.integers(0, 20), st.integers(0, 1), st.sampled_from([44, 59, 9, 32]))
@example(b"", 0, 0, 44)
@example(b",,,,,,,,,\n", 0, 1, 44)
def test_every_mark_is_found(text: bytes, begin: int, windows: int, delimiter: int) -> None:
    data = np.frombuffer(b"a" * begin + text * (1 + windows * (_WINDOW // max(len(text), 1) + 2)), dtype=np.uint8)
    marks = np.empty(_WINDOW + 8, dtype=np.int32)
    count = _find_marks(data, begin, delimiter, marks)
    window = data[begin : begin + _WINDOW]
    expected = begin + np.flatnonzero(np.isin(window, [delimiter, 10, 34]))
    assert marks[:count].tolist() == expected.tolist()
