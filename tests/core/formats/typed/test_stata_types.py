"""NumPy's letter of a type differs between systems: int32 is ``i`` on Linux and ``l`` on Windows."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np

from core.formats.typed.columns import BASES, STEPS, extended, extended_bits, np_type

STORAGES = ("int8", "int16", "int32", "float", "double")


def test_types_of_stata_are_named_by_kind_and_width() -> None:
    widths = {np_type(storage).str[1:] for storage in STORAGES}

    assert set(BASES) == set(STEPS) == widths


def test_missing_values_of_every_type_come_back() -> None:
    for storage in STORAGES:
        kind = np_type(storage)
        values = np.concatenate([np.ones(1, kind), extended_bits(kind, 0), extended_bits(kind, 26)])
        assert extended(values).tolist() == [-1, 0, 26], storage


def test_no_type_is_looked_up_by_its_letter(repo: Path) -> None:
    sources = (path for folder in ("core", "gui") for path in sorted((repo / folder).rglob("*.py")))
    texts = {path.relative_to(repo): path.read_text("utf-8") for path in sources}
    found = [
        f"{path}:{node.lineno}"
        for path, text in texts.items()
        if "char" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == "char"
        if not (isinstance(node.value, ast.Name) and node.value.id == "np")  # a module of NumPy
    ]

    assert found == []
