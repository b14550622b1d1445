"""A release in another language: nothing English is left in its report, and its files are the same."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest

from core.base.texts import current_language, translate, use_language
from core.batch import carry_out_file
from tests.pseudo import PSEUDO, pseudo, pseudo_language

_WORD = re.compile(r"[A-Za-z][a-z]{2,}")
_EXTRA = """
[[perturbations]]
method = "noise"
variables = ["INCOME"]
share = 0.1

[[measures]]
kind = "frequencies"
variables = ["REGION", "SEX"]

[[utility]]
table = ["REGION", "SEX"]
"""
_OF_RECIPES = {"category", "independent", "seed", "sha", "utc", "pavo", "html", "json", "xml", "summary", "cdl", "asc",
               "saf", "rds", "rda", "province", "tex", "csv"}  # fmt: skip
"""Words of the recipe, of names of files and of units, which are the same in every language."""


def _words(page: str) -> set[str]:
    """Words in letters of English that are shown or read out."""
    page = re.sub(r"(?s)<style>.*?</style>|<pre>.*?</pre>", "", page)
    page = re.sub(r'(?:aria-label|title|alt)="([^"]*)"', r">\1<", page)
    told = html.unescape(re.sub(r"<[^>]*>", " ", page))
    told = re.sub(r"\b[0-9a-f]{64}\b|(?<!\w)[~.]?/\S+", " ", told)  # checksums, paths
    return {word.lower() for word in _WORD.findall(told)}


def _released(folder: Path, recipe: Path) -> dict[str, bytes]:
    carry_out_file(recipe, folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_report_in_another_language_and_the_same_files(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1760000000")
    place = tmp_path / "of_recipe"
    shutil.copytree(demo, place)
    text = (place / "survey.pavo").read_text("utf-8")
    recipe = place / "survey.pavo"
    recipe.write_text(text + _EXTRA, "utf-8")
    english = _released(tmp_path / "a", recipe)
    of_data = {word.lower() for path in place.iterdir() if path.suffix in {".rda", ".cdl", ".pavo"}
               for word in _WORD.findall(path.read_text("utf-8"))}  # fmt: skip
    with pseudo_language(tmp_path / "locale", monkeypatch):
        other = _released(tmp_path / "b", recipe)
        use_language(None)
        assert translate("Report") == "Report"
        recipe.write_text(text.replace("[report]\n", f'[report]\nlanguage = "{PSEUDO}"\n', 1) + _EXTRA, "utf-8")
        said = _released(tmp_path / "c", recipe)
        assert current_language() == "en"
    page = other["survey.html"].decode()
    assert _words(page) - of_data <= _OF_RECIPES
    assert pseudo("Contents") in page
    assert f'<html lang="{PSEUDO}">' in page
    assert re.search(r"\d,\d", page)
    assert pseudo("Contents") in said["survey.html"].decode()
    data = {name for name in english if Path(name).suffix in {".saf", ".rds", ".cdl"}}
    assert len(data) > 2
    for name in data:
        assert english[name] == other[name] == said[name], name
