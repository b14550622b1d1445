"""What outsiders are told of perturbations: every method, every output that leaves the house."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest

from core.perturbation.registry import REGISTRY
from core.perturbation.told import entry_told, parameters_told, sentence_told
from core.recipe.model import ByCode, Combination, Output, Perturbation, Recipe, Recode, Report, VariableEdit
from core.recipe.toml import parse
from core.release.run import carry_out
from core.results.drawing import Sources, noise_seed, what_decides
from core.session import Session

SEED = 90817263
METHODS: dict[str, tuple[tuple[str, ...], dict[str, Any], dict[str, Any], list[str]]] = {
    # variables, what outsiders are told, what they are not, and how that would be seen
    "microaggregation": (("INC",), {"k": 4}, {}, []),
    "noise": (("INC",), {"share": 0.1357}, {}, []),
    "pram": (("TOWN",), {"keep": 0.6135}, {"protect": 0.8739}, ["protect =", '"protect"', "Likeliest true code"]),
    "rank-swapping": (("INC",), {"top": 1.5}, {"percent": 13.79}, ["13.79"]),
    "record-swapping": (
        (),
        {"geography": ("TOWN",), "similar": (("HH2",),)},
        {"k": 1937, "rate": 0.2379, "risk_variables": ("AGE",)},
        ["1937", "0.2379", "23.79", "change places", "tells what"],
    ),
    "shuffling": (("INC",), {"predictors": ("AGE",)}, {}, []),
    "synthetic": (("INC",), {"predictors": ("AGE",)}, {"alpha": 0.4139}, ["0.4139", "41.39"]),
    "weight-noise": ((), {"share": 0.0739}, {}, []),
}


def recipe_of(folder: Path, method: str, said: dict[str, Any], report: Report) -> Recipe:
    random, rows = np.random.default_rng(1), ["HH,TOWN,HH2,AGE,INC,W"]
    for i in range(120):
        income = int(np.exp(random.normal(7, 0.5)))
        rows.append(f"{i // 2},{i // 2 % 4},{i // 2 % 3},{random.integers(18, 80)},{income},{10 + i % 5}.00")
    (folder / "d.csv").write_text("\n".join(rows) + "\n")
    entry = dict(said) if method == "weight-noise" else said | {"seed": SEED}
    return Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.csv"\n', folder).input,
        variables=(
            VariableEdit("HH", role="household-id"),
            VariableEdit("W", role="weight", decimals=2),
            *(VariableEdit(name, categorical=True, household=True) for name in ("TOWN", "HH2")),
            VariableEdit("AGE", categorical=True, numeric=True),
            VariableEdit("INC", numeric=True),
        ),
        combinations=(Combination(("HH2",), "frequency"),),
        perturbations=(Perturbation(method, METHODS[method][0], tuple(sorted(entry.items()))),),
        report=report,
        output=Output(**{role: folder / f"safe.{end}" for role, end in (
            ("data", "csv"), ("metadata", "rds"), ("report", "html"), ("summary", "json"), ("ddi", "xml"),
            ("table_schema", "schema.json"))}),
    )  # fmt: skip


def outputs(folder: Path, *ends: str) -> str:
    found = {end: (folder / f"safe.{end}").read_text(encoding="utf-8") for end in ends}
    if "json" in found:
        told = json.loads(found["json"])
        found["json"] = json.dumps(told["perturbations"])
    return "\n".join(found.values())


def test_all_methods_are_walked() -> None:
    assert set(METHODS) == set(REGISTRY.names)
    for method, (_names, told, kept, _seen) in METHODS.items():
        parameters = REGISTRY[method].DECLARATION.parameters
        never = {each.name for each in parameters if each.outside == "never"} - {"withhold"}
        assert set(kept) == never - ({"protect"} if method == "synthetic" else set())
        assert not never & set(told)


@pytest.mark.parametrize("method", METHODS)
def test_outsiders_get_nothing_that_helps_to_undo_it(tmp_path: Path, method: str) -> None:
    _names, told, kept, seen = METHODS[method]
    for report, ends in (
        (Report(variant="external"), ("html", "json", "rds", "xml", "schema.json")),
        (Report(audience="users"), ("html", "json", "rds", "xml", "schema.json")),
        (Report(), ("rds", "xml", "schema.json")),
    ):
        carry_out(Session(one_recipe=True), recipe_of(tmp_path, method, told | kept, report))
        text = outputs(tmp_path, *ends)
        assert "otherwise modified" not in text, "the report begins with what was changed"
        for secret in (str(SEED), "risk_variables", "invariants", *seen):
            assert secret not in text, (report, secret)
    inside = (tmp_path / "safe.html").read_text() + outputs(tmp_path, "json")
    assert all(str(value) in inside for value in kept.values() if isinstance(value, float | int))


@pytest.mark.parametrize(("method", "seen"), [("noise", ["0.1357"]), ("pram", ["0.6135", "61.35", "(column)"])])
def test_what_corrects_estimates_is_told_unless_it_is_withheld(tmp_path: Path, method: str, seen: list[str]) -> None:
    said = METHODS[method][1]
    found = []
    for more in ({}, {"withhold": True}):
        carry_out(Session(), recipe_of(tmp_path, method, said | more, Report(audience="users")))
        found.append(outputs(tmp_path, "html", "json", "rds", "xml", "schema.json"))
        found.append((tmp_path / "safe.csv").read_text())
    assert any(text in found[0] for text in seen)
    assert not any(text in found[2] for text in seen)
    assert "withhold" not in found[2]
    assert found[1] == found[3], "it draws nothing anew"


@pytest.mark.parametrize(
    ("variable", "within"), [("HH2", ()), ("TOWN", ("AGE",)), ("TOWN", ("HH2",))], ids=["recoded", "left out", "strata"]
)
@pytest.mark.parametrize("by_code", [False, True])
def test_no_code_is_told_that_the_safe_file_does_not_have(
    tmp_path: Path, variable: str, within: tuple[str, ...], by_code: bool
) -> None:
    """PRAM's matrix is of the original codes and strata: HH2 is recoded afterwards, AGE is left out."""
    recipe = recipe_of(tmp_path, "pram", {"keep": 0.5}, Report())
    text = (tmp_path / "d.csv").read_text().splitlines()
    cells = [line.split(",") for line in text]
    for row in cells[1:]:
        row[1], row[2], row[3] = f"town{row[1]}", f"secret{row[2]}", f"secretage{int(row[3]) % 2}"
    (tmp_path / "d.csv").write_text("\n".join(map(",".join, cells)) + "\n")
    code = "secret1" if variable == "HH2" else "town1"
    keep = ByCode({code: 0.4321}) if by_code else 0.5
    parameters = {"keep": keep, "households": False} | ({"within": within} if within else {})
    recipe = recipe.with_(
        variables=tuple(replace(edit, numeric=False, removed=edit.name == "AGE") for edit in recipe.variables),
        recodes=(Recode("HH2", scheme="a: secret0-secret2"),),
        perturbations=(Perturbation("pram", (variable,), tuple(sorted(parameters.items()))),),
    )
    for report in (Report(variant="external"), Report(audience="users")):
        carry_out(Session(), recipe.with_(report=report))
        found = outputs(tmp_path, "html", "json", "rds", "xml", "schema.json")
        assert "secret" not in found
        assert "0.4321" not in found
        assert "43.21" not in found
    carry_out(Session(), recipe)
    assert "secret" in (tmp_path / "safe.html").read_text()


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("noise", {"share": 0.2, "within": ("SECRET",)}),
        ("shuffling", {"predictors": ("SECRET",)}),
        ("record-swapping", {"geography": ("TOWN",), "similar": (("HH2",), ("SECRET",))}),
    ],
)
def test_no_variable_is_named_that_the_safe_file_does_not_have(
    tmp_path: Path, method: str, said: dict[str, Any]
) -> None:
    recipe = recipe_of(tmp_path, method, said, Report(variant="external"))
    (tmp_path / "d.csv").write_text((tmp_path / "d.csv").read_text().replace("AGE", "SECRET", 1))
    named = (replace(v, name="SECRET", removed=True) if v.name == "AGE" else v for v in recipe.variables)
    result = carry_out(Session(), recipe.with_(variables=tuple(named)))
    assert "SECRET" not in outputs(tmp_path, "html", "json", "rds", "xml", "schema.json")
    assert "SECRET" not in json.dumps(result.summary)
    assert result.summary["perturbations"][0].get("similar") in (None, [["HH2"]], (("HH2",),))


def test_what_came_of_it_in_this_file_stays_in_the_house(tmp_path: Path) -> None:
    """Numbers of which more than half stay as they were: outsiders would learn which values are the true ones."""
    recipe = recipe_of(tmp_path, "noise", {"share": 0.0001}, Report())
    text = (tmp_path / "d.csv").read_text().splitlines()
    rows = [line.split(",") for line in text[1:]]
    lines = [",".join([*row[:4], str(5 + int(row[0]) % 3), row[5]]) for row in rows]
    (tmp_path / "d.csv").write_text("\n".join([text[0], *lines]) + "\n")
    for report, told in ((Report(), True), (Report(variant="external"), False), (Report(audience="users"), False)):
        result = carry_out(Session(), recipe.with_(report=report))
        said = (tmp_path / "safe.html").read_text() + json.dumps(result.summary)
        assert ("as they were" in said, "perturbation-left-values" in said) == (told, told)
    assert "There is a warning that the internal report tells" not in said


def test_withholding_decides_nothing_of_the_file() -> None:
    plain = Perturbation("noise", ("INC",), (("share", 0.2),))
    silent = Perturbation("noise", ("INC",), (("share", 0.2), ("withhold", True)))
    sources = Sources("ab" * 32)
    assert noise_seed(Output(), plain, "ab" * 32) == noise_seed(Output(), silent, "ab" * 32)
    assert what_decides(Recipe(perturbations=(plain,)), sources) == what_decides(
        Recipe(perturbations=(silent,)), sources
    )


@pytest.mark.parametrize("method", METHODS)
def test_sentences_for_outsiders_name_only_what_they_are_told(method: str) -> None:
    names, told, kept, _seen = METHODS[method]
    for more in ({}, {"withhold": True}) if "withhold" in _names_of(method) else ({},):
        entry = Perturbation(method, names, tuple((told | kept | more).items()))
        sentence = sentence_told(entry, outside=True)
        assert sentence
        named = {name for _text, name, _format, _how in Formatter().parse(sentence) if name}
        assert named <= set(parameters_told(entry))
        assert set(dict(entry_told(entry).parameters)) <= set(parameters_told(entry))


def _names_of(method: str) -> set[str]:
    return {each.name for each in REGISTRY[method].DECLARATION.parameters}
