"""Names tell one thing: no two public classes are called alike."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_no_public_class_name_stands_for_two_classes() -> None:
    places = defaultdict(list)
    for package in ("core", "gui"):
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.parse(file.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(file.relative_to(ROOT).as_posix())
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
