"""TOML within bounds: read as the library reads it, and refused before it takes all memory."""

from __future__ import annotations

import time
import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from core.base.toml_text import LARGEST, MOST_PARTS, TomlBeyondLimits, parse_toml

texts = st.text("ab.\"'\\\n\t#=[]{},é", max_size=30)
values = st.recursive(
    texts | st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(texts, values, max_size=6), st.booleans())
def test_toml_is_read_as_the_library_reads_it(content: dict[str, Any], multiline: bool) -> None:
    text = tomli_w.dumps(content, multiline_strings=multiline)

    assert parse_toml(text) == tomllib.loads(text)


@given(st.text("ab1.\"'\\\n #=[]{},", max_size=MOST_PARTS))
def test_damaged_toml_is_refused_as_the_library_refuses_it(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except ValueError as error:
        with pytest.raises(type(error), match=r"^(?s:.)*$"):
            parse_toml(text)
    else:
        assert parse_toml(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\n{key} = 1",
        "a = 1\n[{key}]",
        "a = 1\n[[{key}]]",
        "a = 1\nb = {{ {key} = 1 }}",
        'a = """\\"""."""\n"x". {key} = 1',
    ],
)
def test_key_of_very_many_parts_is_refused_by_its_line(text: str) -> None:
    """Forty thousand parts took the library four gibibytes."""
    with pytest.raises(TomlBeyondLimits, match="the key in line 2 has more than 16 parts"):
        parse_toml(text.format(key=".".join(["a"] * 40_000)))


@pytest.mark.parametrize("quote", ['"', "'", '"""', "'''"])
def test_dots_in_a_text_or_a_comment_are_no_parts(quote: str) -> None:
    dotted = "1." * 40_000

    assert parse_toml(f"a = {quote}{dotted}{quote} # {dotted}") == {"a": dotted}


def test_key_of_the_most_parts_is_read() -> None:
    assert parse_toml(".".join(["a"] * MOST_PARTS) + " = 1")
    with pytest.raises(TomlBeyondLimits):
        parse_toml(".".join(["a"] * (MOST_PARTS + 1)) + " = 1")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = 1\n" + "#" * LARGEST, "longer than 16 million characters"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a = " + "{a = " * 5000 + "1" + "}" * 5000, "nested too deeply"),
        ("a = " + "9" * 5000, "too many digits"),
        ("a = [{b = [0x" + "f" * 5000 + "]}]", "too many digits"),  # which no message could show
    ],
)
def test_toml_beyond_a_limit_is_refused(text: str, reason: str) -> None:
    with pytest.raises(TomlBeyondLimits, match=reason):
        parse_toml(text)


def test_time_of_the_check_grows_as_the_text() -> None:
    """Texts that do not end, and quotes in great number, are looked at once."""
    begin = time.perf_counter()
    for text in ('a = """' + '\\"""\\' * 200_000, 'a = "' + '\\""""' * 200_000, "a = " + "'" * 1_000_000):
        with pytest.raises(tomllib.TOMLDecodeError):
            parse_toml(text)
    assert time.perf_counter() - begin < 10
