"""Who may import whom, and what may not be imported before the first window shows."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

QT = {"PySide6", "shiboken6", "pyqtgraph"}
HEAVY = {"pandas", "numba", "scipy", "pyqtgraph"}

IMPORT_ALL_OF_CORE = """
import importlib, json, pkgutil, sys
for blocked in ("PySide6", "shiboken6", "pyqtgraph"):
    sys.modules[blocked] = None
import core
names = [module.name for module in pkgutil.walk_packages(core.__path__, "core.")]
for name in names:
    importlib.import_module(name)
print(json.dumps(names))
"""

IMPORT_UNDER_ANOTHER_NAME = """
import importlib, json, pkgutil, sys
sys.modules["core"] = None
import {package} as package
names = [module.name for module in pkgutil.walk_packages(package.__path__, "{package}.")]
for name in names:
    importlib.import_module(name)
from {package}.formats import registry
from {package}.formats.typed import reading
from {package}.recipe import answers, declared
loaded = [registry.format_module("fixed"), reading.typed_format("spss"), declared.registry("measures")]
print(json.dumps([names, answers.question_ids()]))
"""

BUILD_WINDOW = """
import json, sys
import main
application, window = main.build_application(["main.py"])
window.show()
print(json.dumps(sorted({name.partition(".")[0] for name, module in sys.modules.items() if module is not None})))
"""


def _python(repo: Path, code: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(repo), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=repo, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def _imports(source: Path) -> Iterator[str]:
    """Top-level names of everything imported in a file, also inside functions."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


def _importers(repo: Path, names: set[str]) -> set[str]:
    files = [repo / "main.py", *(repo / "core").rglob("*.py"), *(repo / "gui").rglob("*.py")]
    named = (file for file in files if any(name in file.read_text(encoding="utf-8") for name in names))
    return {file.relative_to(repo).as_posix() for file in named if names.intersection(_imports(file))}


def test_core_works_without_qt(repo: Path) -> None:
    names = json.loads(_python(repo, IMPORT_ALL_OF_CORE))
    assert {"core.base.errors", "core.recipe.model", "core.tables.cells"} <= set(names)


def test_core_works_under_another_name(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "microdata").symlink_to(repo / "core", target_is_directory=True)
    names, questions = json.loads(_python(tmp_path, IMPORT_UNDER_ANOTHER_NAME.format(package="microdata")))
    assert {"microdata.base.errors", "microdata.release.run"} <= set(names) and questions


def test_imports_go_round_in_no_circle() -> None:
    """Those inside functions and those for types alone included."""
    graph = grimp.build_graph("core", "gui", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert "core.session" in imports["gui.document.engine"]  # for types alone
    TopologicalSorter(imports).prepare()


def test_numba_only_in_kernels(repo: Path) -> None:
    assert {file for file in _importers(repo, {"numba", "llvmlite"}) if not file.startswith("core/kernels/")} == set()


def test_qt_only_in_gui(repo: Path) -> None:
    # main.py names Qt's types in annotations
    assert {file for file in _importers(repo, QT) if not file.startswith("gui/")} <= {"main.py"}


def test_import_finder_sees_imports_inside_functions(tmp_path: Path) -> None:
    source = tmp_path / "breach.py"
    source.write_text("def f():\n    from PySide6.QtCore import QObject\n    import numba.core\n", encoding="utf-8")
    assert set(_imports(source)) == {"PySide6", "numba"}


def test_version_is_said_without_slow_libraries(repo: Path) -> None:
    command = [sys.executable, "-X", "importtime", "main.py", "--version"]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Pavo ")
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "core" in imported
    assert imported.isdisjoint(HEAVY | QT | {"numpy"})


def test_main_window_shows_without_slow_libraries(repo: Path) -> None:
    assert HEAVY.isdisjoint(json.loads(_python(repo, BUILD_WINDOW)))


@pytest.mark.parametrize("arguments", [["--nonsense"], ["--version", "extra"], ["-h", "--version"]])
def test_wrong_usage_is_status_2(repo: Path, arguments: list[str]) -> None:
    command = [sys.executable, "main.py", *arguments]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage" in done.stderr
