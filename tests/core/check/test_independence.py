"""The check shares no code with what it checks: seen in what is loaded, for imports inside functions count, too."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]
CHECK = sorted(path.stem for path in (REPO / "core" / "check").glob("*.py") if path.stem != "__init__")
CHECKED = ("suppression", "tables", "risk", "results", "whatif", "perturbation", "recoding", "utility")
READ_FILES = {"unchanged_fields", "written_columns"}
"""Files of the check that read the written file themselves, by the readers of the program."""

LOAD = """
import importlib, json, pkgutil, sys
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), name + "."):
        importlib.import_module(module.name)
print(json.dumps(sorted(sys.modules)))
"""


def loaded(*names: str) -> list[str]:
    """What is loaded when modules, and all that is in packages, are imported by a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", LOAD, *names], capture_output=True, text=True, check=True, cwd=REPO)
    found: list[str] = json.loads(done.stdout)
    return found


def within(modules: list[str], *packages: str) -> list[str]:
    return [name for name in modules if any(name == each or name.startswith(each + ".") for each in packages)]


def test_the_check_loads_nothing_of_what_it_checks() -> None:
    modules = loaded("core.check")
    assert len(within(modules, "core.check")) == len(CHECK) + 1
    assert within(modules, *(f"core.{name}" for name in CHECKED)) == []


def test_the_check_counts_without_kernels() -> None:
    modules = loaded(*(f"core.check.{name}" for name in CHECK if name not in READ_FILES))
    assert within(modules, "core.kernels", "numba") == []
    assert within(modules, "core.formats") == []


def test_what_is_checked_loads_nothing_of_the_check() -> None:
    modules = loaded(*(f"core.{name}" for name in CHECKED))
    for name in CHECKED:
        assert len(within(modules, f"core.{name}")) > 1, name
    assert within(modules, "core.check") == []


def test_the_reading_order_names_every_file_and_its_length() -> None:
    text = (REPO / "docs" / "security.md").read_text("utf-8")
    told = re.findall(r"^\| `core/check/(\w+)\.py` \| (\d+) \|", text, re.MULTILINE)
    assert sorted(name for name, _lines in told) == CHECK
    for name, lines in told:
        found = len((REPO / "core" / "check" / f"{name}.py").read_text("utf-8").splitlines())
        assert abs(found - int(lines)) <= max(20, found // 10), name
