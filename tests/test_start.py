"""The program as a user starts it: the demonstration without a display, and a window on a real one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SHOW_WINDOW = """
import main
application, window = main.build_application(["main.py"])
window.show()
application.processEvents()
picture = window.grab().toImage()
colours = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3)}
print(application.platformName(), window.objectName(), window.isVisible(), len(colours) > 3)
window.close()
"""

RUN = """
import json, sys
import main
assert main.main(["main.py", "run", sys.argv[1], "--out", sys.argv[2], "--quiet"]) == 0
print(json.dumps([name for name, module in sys.modules.items() if module is not None]))
"""

REFUSE = """
import json, sys
import main
assert main.main(["main.py", "run", "missing.pavo"]) == 1
print(json.dumps(sorted({"numba", "numpy", "pandas", "scipy"} & set(sys.modules))))
"""


@pytest.fixture(scope="module")
def carried_out(repo: Path, demo: Path, _compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Outputs of both recipes, each in a folder of its own, made from a strange working folder."""
    folder = tmp_path_factory.mktemp("carried out")
    for name in ("survey", "survey-csv"):
        command = [sys.executable, repo / "main.py", "run", demo / f"{name}.pavo", "--out", folder / name, "--quiet"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


def _summary(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def test_the_demonstration_writes_what_it_says(carried_out: Path) -> None:
    written = {file.name for file in (carried_out / "survey").iterdir()}
    described = ("AGE", "EDUC", "HHPOS", "ILLNESS", "MARSTAT", "OCCUP", "REGION", "SEX")
    codelists = {f"survey_{name}.cdl" for name in described}
    assert written == {"survey.saf", "survey.rds", "survey.html", "summary.json", *codelists}


def test_the_demonstration_is_worth_looking_at(carried_out: Path) -> None:
    summary = _summary(carried_out / "survey")
    assert summary["verified"] is True
    assert summary["unsafe_left"] == 0
    assert 0.03 < summary["combinations"][0]["threshold"]["unsafe_records"] / summary["records"] < 0.15
    assert 100 < summary["suppression"]["total"] < 1000
    assert [warning for warning in summary["warnings"] if "weight" in warning["id"]] == []


def test_fixed_and_delimited_give_the_same_decision(carried_out: Path) -> None:
    fixed, delimited = (_summary(carried_out / name) for name in ("survey", "survey-csv"))
    for part in ("combinations", "suppression", "overview"):
        assert fixed[part] == delimited[part]


def test_the_safe_file_holds_no_person_numbers(carried_out: Path, demo: Path) -> None:
    first = (demo / "survey.csv").read_text("utf-8").splitlines()[1].split(",")[1]
    for file in carried_out.glob("*/*"):
        assert first not in file.read_text("utf-8")
    assert "PERSONNO" not in (carried_out / "survey-csv" / "survey-safe.csv").read_text("utf-8")


@pytest.mark.xvfb
def test_the_main_window_shows_on_a_real_display(repo: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(repo)}
    command = [sys.executable, "-c", SHOW_WINDOW]
    done = subprocess.run(command, cwd=repo, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    platform, *rest = done.stdout.split()
    assert platform not in ("offscreen", "minimal")
    assert rest == ["mainWindow", "True", "True"]


@pytest.mark.usefixtures("_compiled")
def test_a_run_that_finds_its_kernels_compiled_imports_no_library_that_it_does_without(
    repo: Path, demo: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", RUN, demo / "survey.pavo", tmp_path]
    environment = {**os.environ, "PYTHONPATH": str(repo)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    imported = set(json.loads(done.stdout))
    assert {"numba", "numpy", "jinja2"} <= imported
    without = {"pandas", "pyarrow", "scipy.linalg", "scipy.optimize", "scipy.special", "scipy.sparse"}
    assert imported.isdisjoint(without | {"numba.np.linalg", "numpy.testing"})


def test_a_missing_recipe_is_told_of_without_libraries(repo: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(repo)}
    command = [sys.executable, "-c", REFUSE]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert "missing.pavo cannot be read" in done.stderr
    assert json.loads(done.stdout) == []
