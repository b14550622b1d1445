"""The same persons in every format, identifiers as numbers and as text, sorted and scattered: the same results."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest

from core.batch import main
from tests.core.persons import Persons

RECIPE = """recipe = 1
[input]
data = "{name}"
[variables.HH]
role = "household-id"
[variables.W]
role = "weight"
[variables.AREA]
categorical = true
household = true
suppression_weight = 1
[variables.SEX]
categorical = true
[variables.AGE]
categorical = true
[[combinations]]
variables = ["AREA", "SEX", "AGE"]
[threshold]
household_risk = 0.12
[suppression]
criterion = "weights"
[output]
data = "out/{name}"
summary = "out/summary.json"
household_id = "{identifier}"
"""
FORMATS = ("sav", "dta", "parquet", "xlsx", "csv")


def write(frame: pd.DataFrame, path: Path) -> None:
    if path.suffix == ".sav":
        pyreadstat.write_sav(frame, path)
    elif path.suffix == ".dta":
        frame.to_stata(path, write_index=False, version=118)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    else:
        frame.to_csv(path, index=False)


def read(path: Path) -> pd.DataFrame:
    if path.suffix == ".sav":
        return pyreadstat.read_sav(path)[0]
    kinds = {".dta": pd.read_stata, ".parquet": pd.read_parquet, ".xlsx": pd.read_excel, ".csv": pd.read_csv}
    frame: pd.DataFrame = kinds[path.suffix](path)
    return frame


def run(folder: Path, frame: pd.DataFrame, format: str, identifier: str) -> tuple[dict[str, Any], pd.DataFrame]:
    folder.mkdir()
    write(frame, folder / f"persons.{format}")
    (folder / "persons.pavo").write_text(RECIPE.format(name=f"persons.{format}", identifier=identifier))
    assert main([str(folder / "persons.pavo"), "--quiet"]) == 0
    return json.loads((folder / "out" / "summary.json").read_text()), read(folder / "out" / f"persons.{format}")


def groups(frame: pd.DataFrame) -> set[frozenset[int]]:
    found = defaultdict(set)
    for home, note in zip(frame["HH"], frame["NOTE"], strict=True):
        found[home].add(int(note))
    return {frozenset(group) for group in found.values()}


@pytest.mark.parametrize("format", FORMATS)
def test_identifiers_as_numbers_and_text_sorted_and_scattered(persons: Persons, format: str) -> None:
    plain = pd.DataFrame(persons.rows()).assign(AGE=lambda f: f["AGE"].replace("", "none"))
    plain["NOTE"] = plain["NOTE"].str[1:].astype(int)
    plain["W"], plain["HH"] = plain["W"].astype(int), plain["HH"].astype(int)
    found = []
    for number, form in enumerate([int, float, "H{:05d}".format]):
        for sort in (False, True):
            identifier = "sequence" if sort else "keep"
            frame = plain.assign(HH=plain["HH"].map(form))
            frame = frame.sort_values("HH", kind="stable", ignore_index=True) if sort else frame
            summary, safe = run(persons.folder / f"{number}{sort}", frame, format, identifier)
            (combination,) = summary["combinations"]
            assert groups(safe) == groups(plain) and summary["verified"]
            if identifier == "keep":
                assert safe["HH"].tolist() == frame["HH"].tolist()
            gone = safe["AREA"].isna() | safe["AREA"].isin([""])
            assert gone.any() and all(gone[safe["HH"] == home].nunique() == 1 for home in safe["HH"].unique())
            suppressed = tuple(sorted(safe["NOTE"][gone].astype(int)))
            households = combination["household_risk"]["households"]
            found.append((households, combination["threshold"], summary["suppression"], suppressed))
            assert combination["after"]["by_mode"]["unsafe_households"] == 0
    assert all(one == found[0] for one in found)
