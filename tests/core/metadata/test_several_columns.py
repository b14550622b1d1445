"""Columns of one stem with the same codes are proposed as one key."""

from __future__ import annotations

from collections.abc import Mapping

from core.data.variables import Metadata, Variable
from core.metadata.several_columns import several_columns
from tests.core.data.test_encoding import encode


def proposed(described: Mapping[str, tuple[str, ...]], *taken: str, **attributes: object) -> dict[str, tuple[str, ...]]:
    """Proposals for columns with these codes; `attributes`: of the variables of these names, as keyword arguments."""
    variables = tuple(
        Variable(name, categorical=True, **attributes.get(name, {}))  # type: ignore[arg-type]
        for name in described
    )
    columns = {name: encode([code.encode() for code in codes], 9, Variable(name)) for name, codes in described.items()}
    return {key.name: key.columns for key in several_columns(Metadata("delimited", variables), columns, taken)}


def test_by_stem_and_codes() -> None:
    columns = {
        "LANG1": ("1", "2"),
        "lang_02": ("2", "3"),
        "LANG3": ("3",),
        "AGE1": ("20",),
        "AGE2": ("30",),
        "X": ("1",),
    }
    assert proposed(columns) == {"LANG": ("LANG1", "lang_02", "LANG3")}
    assert proposed(columns, "LANG3") == {"LANG": ("LANG1", "lang_02")}
    assert proposed(columns, "LANG1", "LANG3") == {}


def test_not_what_is_described_otherwise() -> None:
    columns = {"Q1": ("1", "2"), "Q2": ("1", "2"), "Q3": ("1", "2")}
    assert proposed(columns, Q2={"labels": (("1", "yes"),)}) == {"Q": ("Q1", "Q3")}
    assert proposed(columns, Q2={"role": "direct-identifier"}, Q3={"removed": True}) == {}


def test_under_a_name_that_is_free() -> None:
    columns = {"LANG": ("1",), "LANG1": ("1",), "LANG2": ("1",)}
    assert proposed(columns) == {"LANG_2": ("LANG1", "LANG2")}
    assert proposed(columns, "lang_2") == {"LANG_3": ("LANG1", "LANG2")}


def test_blanks_alone_are_nothing_in_common() -> None:
    assert proposed({"A1": ("1", ""), "A2": ("2", "")}) == {}
