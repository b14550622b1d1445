"""The user guide: every link leads somewhere, every function that the methods name exists."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parents[3] / "resources" / "help"
METHODS = GUIDE.parents[1] / "docs" / "methods.md"
PAGES = sorted(page.name for page in GUIDE.glob("*.md"))


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_pages_and_every_page_has_one_title(name: str) -> None:
    text = (GUIDE / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (GUIDE / target).is_file(), target
    without_code = re.sub(r"(?s)```.*?```", "", text)
    assert len(re.findall(r"(?m)^# ", without_code)) == 1


def test_every_page_can_be_reached_from_the_index() -> None:
    found, pending = set(), ["index.md"]
    while pending:
        page = pending.pop()
        if page not in found:
            found.add(page)
            pending += re.findall(r"\]\(([^)#]+\.md)", (GUIDE / page).read_text(encoding="utf-8"))
    assert set(PAGES) <= found


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(core\.[\w.]+)`", METHODS.read_text(encoding="utf-8")))))
def test_functions_of_the_methods_exist(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert hasattr(import_module(module), attribute)


def test_methods_of_the_staircase_exist() -> None:
    from core.risk.distribution import RiskDistribution

    for name in re.findall(r"`RiskDistribution\.(\w+)`", METHODS.read_text(encoding="utf-8")):
        assert hasattr(RiskDistribution, name), name


def test_the_recipe_of_the_guide_is_one() -> None:
    from core.recipe.toml import parse

    text = (GUIDE / "recipe.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"(?s)```toml\n(.*?)```", text)
    assert parse(example, Path("/")).report.title == "Labour force survey 2025"


def test_the_recode_of_the_guide_is_one() -> None:
    from core.formats.argus.recode_scheme import parse_scheme

    text = (GUIDE / "global-recode.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"(?s)```\n(.*?)```", text)
    assert [line.code for line in parse_scheme(example).lines] == ["1", "2", "3", "4"]
