"""Every public function and class of core says what it is, and what it takes where that is more than a little."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _public(tree: ast.Module | ast.ClassDef, owner: str = "") -> Iterator[tuple[str, Definition]]:
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield owner + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from _public(node, f"{owner}{node.name}.")


def _is_overload(node: Definition) -> bool:
    names = {ast.unparse(decorator) for decorator in node.decorator_list}
    return bool(names & {"overload", "typing.overload"})


def undocumented(source: str) -> list[str]:
    """Names of the public functions and classes, and the module, that have no docstring."""
    tree = ast.parse(source)
    found = [] if ast.get_docstring(tree) else ["the module"]
    return found + [name for name, node in _public(tree) if not _is_overload(node) and not ast.get_docstring(node)]


def _sources(repo: Path) -> list[Path]:
    return [repo / "main.py", *sorted((repo / "core").rglob("*.py"))]


def test_public_names_of_core_are_documented(repo: Path) -> None:
    missing = {str(file.relative_to(repo)): undocumented(file.read_text(encoding="utf-8")) for file in _sources(repo)}
    assert {file: names for file, names in missing.items() if names} == {}


def test_the_check_finds_what_is_missing() -> None:
    source = '"""M."""\nclass A:\n    """A."""\n    def f(self): ...\n    def _g(self): ...\ndef h(): ...\n'
    assert undocumented(source) == ["A.f", "h"]
    assert undocumented("x = 1\n") == ["the module"]
