"""Whether bytes are text, as Python's own decoders judge it."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from core.kernels.lines import check_bytes, check_utf8, lone_return

chunks = st.lists(
    st.one_of(
        st.text(max_size=4).map(str.encode),
        st.binary(max_size=3),
        st.sampled_from(
            [b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"a" * 70]
        ),
    ),
    max_size=6,
)


@given(chunks.map(b"".join), st.integers(0, 40))
@example(b"a" * 63 + "é".encode(), 0)
@example(b"a" * 64 + b"\0", 64)
def test_the_first_byte_that_is_not_utf8(text: bytes, cut: int) -> None:
    expected = text.index(0) if 0 in text else len(text)
    try:
        text[:expected].decode()
    except UnicodeDecodeError as error:
        expected = error.start
    data = np.frombuffer(text, dtype=np.uint8)
    bad, resume = check_utf8(data[:cut].copy(), 0)
    if bad < 0:
        bad, resume = check_utf8(data, resume)
    if bad < 0 and resume < len(text):
        bad = resume
    assert bad == (expected if expected < len(text) else -1)


def test_the_first_byte_a_table_does_not_allow() -> None:
    allowed = np.ones(256, dtype=np.bool_)
    allowed[0x81] = False
    data = np.frombuffer(b"ab\x81c\x81", dtype=np.uint8)
    assert [check_bytes(data, begin, allowed) for begin in (0, 3, 5)] == [2, 4, -1]


_QUOTED = re.compile(rb'(?:(?<![^,\n]))( *)("(?:[^"]|"")*(?:"|\Z))')
_RETURN = re.compile(rb"\r[^\x00-\x08\x0a-\x1f]")


@given(
    st.lists(st.sampled_from([b'"', b"\r", b"\n", b"a", b"\t", b" ", b"\x1a", b"\xff", b","]), max_size=12).map(
        b"".join
    )
)
@example(b'"a\rb"\r\n"c""\r"\rd')
@example(b'5" pipe,"a\rb"')
def test_the_first_lone_carriage_return_outside_quotes(text: bytes) -> None:
    data = np.frombuffer(text, dtype=np.uint8)
    plain = _RETURN.search(_QUOTED.sub(lambda found: b"x" * len(found[0]), text))
    assert lone_return(data, ord(",")) == (plain.start() if plain else -1)
    anywhere = _RETURN.search(text)
    assert lone_return(data, -1) == (anywhere.start() if anywhere else -1)
