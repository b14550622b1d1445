"""No text calls a file anonymous: the risk that is left is told, and the word stands where it is explained alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.recipe.model import Report
from core.report.compose import compose
from core.report.html import render_html
from core.report.sections_data import not_anonymous
from tests.core.report.examples import demodata, empty

ROOT = Path(__file__).resolve().parents[3]
CALLED = re.compile(r"(?i)(?<!k-)(?<!\+1\)-)\banonym(?:ous|ously|is|iz|e\b)")
"""The word, but not in the name of k-anonymity and of what has it."""
SAID = {"translate", "mark", "_", "plural", "counted", "mark_plural"}


def shown_texts(file: Path) -> Iterator[str]:
    """Texts that a file of the project shows or writes."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def test_no_text_of_the_program_calls_a_file_anonymous() -> None:
    texts = {text for folder in ("core", "gui") for file in (ROOT / folder).rglob("*.py") for text in shown_texts(file)}
    assert len(texts) > 1000
    assert {text for text in texts if CALLED.search(text)} == set(not_anonymous())


def test_no_page_of_the_guide_and_no_template_does() -> None:
    files = [
        *(ROOT / "resources" / "help").glob("*.md"),
        *(ROOT / "resources" / "report").iterdir(),
        ROOT / "README.md",
    ]
    assert len(files) > 20
    explained = re.compile(r"(?i)never calls a file anonymous")
    for file in files:
        assert not CALLED.search(explained.sub("", file.read_text(encoding="utf-8"))), file.name


@pytest.mark.parametrize(
    "given",
    [
        demodata(),
        demodata("external"),
        empty(),
        demodata(details=Report("x", audience="users")),
        demodata(unsafe_left=9),
    ],
    ids=["house", "outsiders", "nothing", "users", "unsafe left"],
)
def test_a_report_has_the_word_where_it_is_explained_alone(given: object) -> None:
    html = render_html(compose(given))  # type: ignore[arg-type]
    name, meaning = not_anonymous()
    assert f"<dt>{name}</dt><dd>{meaning}</dd>" in html
    assert not CALLED.search(html.replace(name, "").replace(meaning, ""))
