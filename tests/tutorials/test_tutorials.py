"""The tutorials are carried out on a copy of the project, and all that they have the reader type succeeds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tutorials.steps import FILES, FOLDERS, REPO, follow

TUTORIALS = sorted((REPO / "docs" / "tutorials").glob("add-*.md"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what the tutorials change and run."""
    for name in FOLDERS:
        shutil.copytree(REPO / name, tmp_path / name)
    for name in FILES:
        shutil.copy2(REPO / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_does_what_it_says(tutorial: Path, project: Path) -> None:
    done = follow(tutorial, project)
    assert any("pytest" in line for line in done)
    assert any("ruff" in line for line in done)


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_is_listed(tutorial: Path) -> None:
    assert f"]({tutorial.name})" in (tutorial.parent / "README.md").read_text("utf-8")
