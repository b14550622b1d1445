"""The glossary names what is in the source."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from core.recipe import model

GLOSSARY = Path(__file__).resolve().parent.parent / "resources" / "help" / "glossary.md"
ENTRIES = dict(re.findall(r"^\*\*(.+?)\*\*(.*(?:\n.+)*)", GLOSSARY.read_text("utf-8"), re.MULTILINE))


def _module_of(name: str) -> tuple[ModuleType, list[str]]:
    """The deepest module that begins a dotted name, and what is left of the name."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            return importlib.import_module(".".join(parts[:cut])), parts[cut:]
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(name)


@pytest.mark.parametrize("term", ENTRIES)
def test_where_a_term_lives_exists(term: str) -> None:
    _, _, places = ENTRIES[term].partition("Code: ")
    names = re.findall(r"`([^`]+)`", places)
    assert names, "no place in the source is named"
    for name in names:
        assert name.startswith(("core.", "gui."))
        module, rest = _module_of(name)
        reduce(getattr, rest, module)  # raises where there is no such thing


def test_terms_stand_in_the_order_of_the_alphabet() -> None:
    assert len(ENTRIES) > 40
    assert list(ENTRIES) == sorted(ENTRIES, key=str.casefold)


@pytest.mark.parametrize("registry", ["core.risk.measures.registry", "core.perturbation.registry"])
def test_every_measure_and_every_method_has_an_entry(registry: str) -> None:
    terms = {term.casefold().removesuffix("s") for term in ENTRIES}
    titles = [each.title for each in importlib.import_module(registry).REGISTRY.declarations]
    without = [title for title in titles if title.casefold().removesuffix("s") not in terms]
    assert without == []


@pytest.mark.parametrize("choices", [model.Model, model.Mode, model.Criterion, model.Estimator, model.MissingRule])
def test_every_way_to_judge_is_explained(choices: object) -> None:
    said = GLOSSARY.read_text("utf-8")
    assert [name for name in get_args(choices) if f"`{name}`" not in said and f"*{name}*" not in said] == []
