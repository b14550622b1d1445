"""The documents name files and folders that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _prose(document: Path) -> str:
    """A document without its blocks of code."""
    return re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_places_in_backticks_exist(document: Path) -> None:
    named = re.findall(r"`((?:core|gui|tests|docs|resources|installer)/[\w./*-]+)`", _prose(document))
    assert [place for place in named if not any(ROOT.glob(place.rstrip("/")))] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_to_files_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", _prose(document))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_every_folder_of_the_tree_exists() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    tree = text[text.index("main.py      ") :].partition("```")[0]
    folders: list[str] = []
    above: list[str] = []
    for indent, name in re.findall(r"^( *)(\w+)/ ", tree, re.MULTILINE):
        above = [*above[: len(indent) // 2], name]
        folders.append("/".join(above))
    assert len(folders) > 30
    assert [folder for folder in folders if not (ROOT / folder / "__init__.py").is_file()] == []
