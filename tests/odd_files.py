"""Surveys with everything that makes a program stumble: odd names, long labels, very many codes or variables."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyreadstat

N = 400
HTML = ('<b>bold</b> & "co"', "<img src=x onerror=alert(1)>", "</td><script>alert(2)</script>")


def _write(path: Path, names: list[str], rows: list[list[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])


def recipe(folder: Path, data: str, keys: list[str], weight: str = "w", more: str = "") -> Path:
    """A recipe that protects `data` by `keys`; its file."""
    text = f"""recipe = 1
[input]
data = {json.dumps(data)}
[variables.{json.dumps(weight)}]
role = "weight"
{more}
[[combinations]]
variables = {json.dumps(keys)}
[threshold]
individual_risk = 0.05
[report]
title = {json.dumps(HTML[0])}
[output]
data = {json.dumps(str(folder / "out" / ("safe" + Path(data).suffix)))}
report = {json.dumps(str(folder / "out" / "safe.html"))}
summary = {json.dumps(str(folder / "out" / "safe.json"))}
"""
    path = folder / "r.pavo"
    path.write_text(text, encoding="utf-8")
    return path


def html(folder: Path) -> Path:
    """Marks of HTML in names of variables, codes, labels and of the file itself."""
    name = f"{HTML[1].replace('/', '')}.csv"
    chance = random.Random(1)
    rows = [[chance.choice(HTML), chance.choice("ab"), "<u>", 20] for _ in range(N)]
    _write(folder / name, [*HTML[:2], "<i>", "w"], rows)
    (folder / "codes.cdl").write_text(f"a,{HTML[2]}\nb,{HTML[1]}\n", encoding="utf-8")
    more = f'[variables.{json.dumps(HTML[1])}]\ncodelist = "codes.cdl"\nlabel = {json.dumps(HTML[2])}\n'
    return recipe(folder, name, list(HTML[:2]), more=more)


def names(folder: Path) -> Path:
    """Names with blanks and accents, an empty column, a column of one value, dates."""
    chance = random.Random(2)
    header = ["Wohnort der Person", "Größe des 家庭", "été, à l'île", "nothing", "always", "born", "w"]
    rows: list[list[object]] = [
        [
            chance.choice(["Köln", "Nîmes", ""]),
            chance.randint(1, 5),
            chance.choice("xyz"),
            "",
            "7",
            f"1980-01-{d:02}",
            9.5,
        ]
        for d in (chance.randint(1, 28) for _ in range(N))
    ]
    _write(folder / "näme mit blank.csv", header, rows)
    return recipe(folder, "näme mit blank.csv", [*header[:3], "always", "nothing", "born"])


def categories(folder: Path, number: int = 30_000) -> Path:
    """Thirty thousand codes, or so many."""
    chance = random.Random(3)
    _write(folder / "codes.csv", ["A", "B", "w"], [[f"c{i}", chance.choice("xy"), 30] for i in range(number)])
    return recipe(folder, "codes.csv", ["A", "B"])


def variables(folder: Path, number: int = 2_000) -> Path:
    """Two thousand variables, or so many."""
    header = [f"variable {i}" for i in range(number)]
    rows: list[list[object]] = [[*((i * j) % 7 for j in range(number)), 25] for i in range(100)]
    _write(folder / "wide.csv", [*header, "w"], rows)
    return recipe(folder, "wide.csv", header[1:4])


def long_labels(folder: Path) -> Path:
    """Labels of variables and values as long as SPSS allows, and a codelist with ten thousand characters a label."""
    chance = random.Random(4)
    frame = pd.DataFrame({"A": [chance.randint(1, 3) for _ in range(N)], "B": 1.0, "w": 20.0})
    pyreadstat.write_sav(
        frame,
        folder / "labels.sav",
        column_labels={"A": "long label " * 20},
        variable_value_labels={"A": {1: "x" * 120, 2: "word " * 24}},
    )
    (folder / "long.cdl").write_text(f"1,{'y' * 10_000}\n2,{'word ' * 2_000}\n", encoding="utf-8")
    more = f'[variables.A]\ncodelist = "long.cdl"\nlabel = "{"label " * 1_700}"\n[variables.B]\ncategorical = true\n'
    return recipe(folder, "labels.sav", ["A", "B"], more=more)


def formulas(folder: Path) -> Path:
    """Texts that a spreadsheet takes for formulas, beside numbers that only look so."""
    texts = ["=1+1", "@SUM(A1)", "+49 30", "-", "-x", "plain", "-5", "+3.5", "-1e-5", "-.5", "a=b"]
    rows: list[list[object]] = [[texts[i % 11], -5, '=HYPERLINK("x")' if i == 3 else "t", 20] for i in range(N)]
    _write(folder / "formulas.csv", ["A", "B", "copied", "w"], rows)
    return recipe(folder, "formulas.csv", ["A"], more="[variables.copied]\nnumeric = false\ncategorical = false\n")


MAKERS: dict[str, Callable[[Path], Path]] = {
    "html": html,
    "names": names,
    "categories": categories,
    "variables": variables,
    "long_labels": long_labels,
    "formulas": formulas,
}
