"""Entries made from declarations: what is read, what is refused and how, for every parameter that is declared."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from core.base.errors import RecipeError
from core.recipe.declared import Declaration, Entry, Parameter, Section, check_entry, read_entry, registry
from core.recipe.model import Measure, Recipe
from core.recipe.toml_fields import TomlTable
from core.recipe.validate import check
from tests.core.recipe.strategies import FOLDER, entry_of

SECTIONS: tuple[Section, ...] = ("measures", "perturbations")
DECLARED = [(section, each) for section in SECTIONS for each in registry(section).declarations]
PARAMETERS = [
    pytest.param(section, each, parameter, id=f"{each.name}-{parameter.name}")
    for section, each in DECLARED
    for parameter in each.all_parameters(section)
]


_REFUSED_LISTS: dict[str, list[Any]] = {
    "variables": [[], ["A", "A"], "A"],
    "scenarios": [[], ["A", "A"], "A"],
    "sets": [[], ["A"], [[]], [["A", "A"]], [["A", 1]], [["A", "B"], ["B", "A"]]],
    "matrix": [[], [[]], [[1.0], [1.0, 2.0]], [[True]], [["1"]], [[math.nan]]],
}


def refused_values(parameter: Parameter) -> Iterator[Any]:
    """Values of wrong types, and those just out of range."""
    yield {}
    yield ["a", 3]
    if parameter.type in ("integer", "number", "number-by-code"):
        step = 1 if parameter.type == "integer" else 1e-9
        yield from ("3", True)
        if parameter.low is not None:
            low = int(parameter.low) if parameter.type == "integer" else parameter.low
            yield low - step if parameter.low_included else low
        if parameter.high is not None:
            yield (int(parameter.high) if parameter.type == "integer" else parameter.high) + step
    if parameter.type == "integer":
        yield 2.0
    if parameter.type in ("number", "number-by-code"):
        yield from (math.nan, math.inf)
    if parameter.type == "boolean":
        yield 1
    if parameter.type == "choice":
        yield parameter.choices[0] + "x"
    yield from _REFUSED_LISTS.get(parameter.type, ())
    if parameter.type == "file":
        yield ""


def least(declaration: Declaration) -> dict[str, Any]:
    """The shortest entry: what is required, each with a value that it may have."""
    values: dict[str, Any] = {"variables": ["A", "B"]} if declaration.has_variables else {}
    samples = {
        "integer": 2,
        "number": 0.5,
        "number-by-code": 0.5,
        "boolean": True,
        "text": "x",
        "variables": ["C"],
        "sets": [["C", "D"]],
        "file": "x.csv",
    }
    return values | {p.name: samples[p.type] for p in declaration.parameters if p.required}


@pytest.mark.parametrize(("section", "declaration", "parameter"), PARAMETERS)
def test_what_a_parameter_cannot_be_is_refused_by_its_key(
    section: Section, declaration: Declaration, parameter: Parameter
) -> None:
    word = registry(section).word
    for value in refused_values(parameter):
        said = {word: declaration.name, **least(declaration), parameter.name: value}
        with pytest.raises(RecipeError) as caught:
            read_entry(TomlTable(said, f"{section}[1]", FOLDER), section)
        assert caught.value.values["key"] == f"{section}[1].{parameter.name}", value
        in_memory = {k: tuple(v) if isinstance(v, list) else v for k, v in said.items() if k != "variables"}
        del in_memory[word]
        with pytest.raises(RecipeError) as caught:
            check_entry(section, 1, entry_of(section)(declaration.name, tuple(said.get("variables", ())),
                                                      tuple(in_memory.items())))  # fmt: skip
        assert caught.value.values["key"] == f"{section}[1].{parameter.name}", value


@pytest.mark.parametrize(("section", "declaration"), DECLARED, ids=lambda each: getattr(each, "name", ""))
def test_the_shortest_entry_is_enough_and_every_word_is_needed(section: Section, declaration: Declaration) -> None:
    word, values = registry(section).word, least(declaration)
    name, variables, parameters = read_entry(
        TomlTable({word: declaration.name, **values}, f"{section}[1]", FOLDER), section
    )
    assert name == declaration.name
    assert variables == tuple(values.get("variables", ()))
    check_entry(section, 1, entry_of(section)(name, variables, parameters))
    instead = any(key in values for key in declaration.instead)
    for key in (word, *(key for key in values if key != "variables" or not instead)):
        less = {k: v for k, v in {word: declaration.name, **values}.items() if k != key}
        with pytest.raises(RecipeError, match="does not say") as caught:
            read_entry(TomlTable(less, f"{section}[1]", FOLDER), section)
        assert caught.value.values["key"] == f"{section}[1].{key}"


@pytest.mark.parametrize(("section", "declaration"), DECLARED, ids=lambda each: getattr(each, "name", ""))
def test_a_declaration_says_what_a_reader_needs(section: Section, declaration: Declaration) -> None:
    assert declaration.sentence.endswith(".")
    names = [parameter.name for parameter in declaration.parameters]
    assert len(set(names)) == len(names)
    assert {registry(section).word, "variables"}.isdisjoint(names)
    assert set(declaration.at_most_one) <= set(names)
    # the summary says a figure in place of a parameter: only what is said of a file may be called as the file is
    alike = {figure.name for figure in declaration.figures} & set(names)
    assert alike <= {parameter.name for parameter in declaration.parameters if parameter.type == "file"}
    assert len({figure.name for figure in declaration.figures}) == len(declaration.figures)
    for parameter in declaration.parameters:
        assert parameter.sentence.endswith(".")
        assert (parameter.type == "choice") == bool(parameter.choices)
        assert parameter.default is None or not parameter.required
        if parameter.default is not None:
            assert tomli_w.dumps({"x": parameter.default})
    for column in declaration.columns:
        assert not column.by or column.by in names


@pytest.mark.parametrize("section", SECTIONS)
def test_all_that_is_coming_is_refused_by_name(section: Section) -> None:
    known = registry(section)
    assert len(set(known.names)) == len(known.names)
    for name in known.coming:
        said = TomlTable({known.word: name, "variables": ["A"], "x": 3}, f"{section}[1]", FOLDER)
        entry: Entry = entry_of(section)(*read_entry(said, section))
        with pytest.raises(RecipeError, match="not available in this version") as caught:
            check(Recipe().with_(**{section: (entry,)}))
        assert f'{section}[1].{known.word} = "{name}"' in str(caught.value)


CONTRADICTIONS = [
    (Measure("frequencies", ("A",), (("above", 0.1), ("quantile", 0.9))), "measures[1]", "above, quantile"),
    (Measure("frequencies", ("A",), (("alpha", 0.5),)), "measures[1].alpha", 'missing_rule = "wildcard"'),
    (Measure("frequencies", ("A",), (("nonsense", 0.5),)), "measures[1].nonsense", "unknown key"),
    (Measure("frequencies", ()), "measures[1].variables", "does not say"),
    (Measure("frequency", ("A",)), "measures[1].kind", 'Did you mean "frequencies"?'),
]


@pytest.mark.parametrize(("entry", "key", "says"), CONTRADICTIONS)
def test_contradictions_are_refused_by_key(entry: Entry, key: str, says: str) -> None:
    section: Section = "measures" if isinstance(entry, Measure) else "perturbations"
    with pytest.raises(RecipeError) as caught:
        check_entry(section, 1, entry)
    assert caught.value.values["key"] == key
    assert says in str(caught.value)


def test_every_type_of_parameter_is_read_from_toml(tmp_path: Path) -> None:
    values = {"integer": -3, "number": 2, "boolean": False, "choice": "b", "text": "t", "variables": ["V"], "file": "f"}
    table = TomlTable(values, "", tmp_path)
    read = {kind: Parameter(kind, kind, ".", choices=("a", "b")).read(table) for kind in values}  # type: ignore[arg-type]
    table.finish()
    assert read == values | {"variables": ("V",), "file": tmp_path.resolve() / "f"}


def test_reading_an_entry_loads_no_slow_library(repo: Path) -> None:
    code = "import sys; from core.recipe.declared import registry; [registry(each) for each in sys.argv[1:]]"
    code += "; print({'numba', 'scipy', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code, *SECTIONS], cwd=repo, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
