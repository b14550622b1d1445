"""After any sequence of recodes a session that remembers gives what a session that knows nothing gives."""

from __future__ import annotations

import tempfile
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.recipe.model import Combination, Input, Recipe, Recode, Threshold, VariableEdit
from core.results.unsafe_records import unsafe_counts
from core.session import Session

NAMES = ("A", "B", "C")
SCHEMES = (None, "1:1,2", "1:1-3", "x:1\ny:2-4", "1:1-4", "9:1")
CODES = ("1", "2", "3", "4", "9", "8")

rows = st.lists(st.tuples(*[st.sampled_from(CODES) for _ in NAMES], st.integers(10, 99)), min_size=1, max_size=30)
steps = st.lists(st.tuples(*[st.sampled_from(SCHEMES) for _ in NAMES]), min_size=2, max_size=5)
COMBINATIONS = (
    (Combination(("C", "A", "B")),),
    (Combination(("A", "B"), missing_rule="wildcard"), Combination(("C",), "k-anonymity", k=2)),
    (Combination(("B", "A", "C")), Combination(("A", "B"), "frequency", count_threshold=2)),
)


def assert_same(found: object, expected: object) -> None:
    if isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(found, expected)  # type: ignore[arg-type]
    elif is_dataclass(expected):
        for field in (field for field in fields(expected) if field.compare):
            assert_same(getattr(found, field.name), getattr(expected, field.name))
    elif isinstance(expected, dict):
        assert list(found) == list(expected)  # type: ignore[call-overload]
        for key in expected:
            assert_same(found[key], expected[key])  # type: ignore[index]
    elif isinstance(expected, tuple):
        assert isinstance(found, tuple)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    else:
        assert found == expected


@given(rows, steps, st.sampled_from(COMBINATIONS))
def test_recodes_one_after_the_other(
    data: list[tuple[str, str, str, int]], path: list[tuple[str | None, ...]], combinations: tuple[Combination, ...]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "d.csv"
        file.write_text("A,B,C,W\n" + "".join(f"{a},{b},{c},{w / 10}\n" for a, b, c, w in data))
        edits = tuple(VariableEdit(each, missing=("9", "8")) for each in NAMES)
        recipe = Recipe(
            input=Input(data=file),
            variables=(*edits, VariableEdit("W", role="weight")),
            combinations=combinations,
            threshold=Threshold(individual_risk=0.4),
        )
        session = Session()
        session.derive(recipe)
        for schemes in path:
            recodes = tuple(Recode(n, scheme=s) for n, s in zip(NAMES, schemes, strict=True) if s is not None)
            changed = recipe.with_(recodes=recodes)
            found, expected = session.derive(changed), Session().derive(changed)
            assert_same(found.tables, expected.tables)
            assert_same(found.overview, expected.overview)
            assert_same(tuple(found.overviews), tuple(expected.overviews))
            assert_same(unsafe_counts(found)[0], unsafe_counts(expected)[0])
            forecast = session.forecast(changed, 0)
            assert_same(forecast, Session().forecast(changed, 0))
