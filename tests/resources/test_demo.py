"""The demonstration survey: made by its script to the byte, and plausible."""

from __future__ import annotations

import csv
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

Row = dict[str, str]


@pytest.fixture(scope="module")
def made(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    subprocess.run([sys.executable, repo / "resources" / "demo" / "make_demo.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def rows(demo: Path) -> list[Row]:
    with (demo / "survey.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def households(rows: list[Row]) -> list[list[Row]]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["HHID"]].append(row)
    return list(groups.values())


def _age(row: Row) -> int:
    return int(row["AGE"])


def test_the_script_makes_the_committed_files(made: Path, demo: Path) -> None:
    names = {file.name for file in made.iterdir()}
    assert names == {file.name for file in demo.iterdir() if file.suffix in {".asc", ".csv", ".rda", ".cdl", ".grc"}}
    assert {name for name in names if (made / name).read_bytes() != (demo / name).read_bytes()} == set()


def test_fixed_and_delimited_files_hold_the_same(rows: list[Row], demo: Path) -> None:
    fields = [line.split() for line in (demo / "survey.rda").read_text("utf-8").splitlines() if line[0] != " "]
    missing = {name: [code.strip('"') for code in codes] for name, _, _, *codes in fields}
    cuts = [(name, int(start) - 1, int(start) - 1 + int(length)) for name, start, length, *_ in fields]
    lines = (demo / "survey.asc").read_text("ascii").splitlines()
    assert {len(line) for line in lines} == {max(end for _, _, end in cuts)}
    values = [{name: line[start:end].strip() for name, start, end in cuts} for line in lines]
    assert [{n: "" if v in missing[n] else v for n, v in record.items()} for record in values] == rows


def test_size_and_population(rows: list[Row], households: list[list[Row]]) -> None:
    assert 5000 <= len(rows) <= 5010
    assert 2.0 < len(rows) / len(households) < 2.4
    weights = [Decimal(row["WEIGHT"]) for row in rows]
    assert 380_000 < sum(weights) < 430_000
    assert {weight.as_tuple().exponent for weight in weights} == {-2}
    assert max(weights) / min(weights) > 2
    assert all(len({(row["WEIGHT"], row["REGION"]) for row in members}) == 1 for members in households)


def test_identifiers(rows: list[Row]) -> None:
    numbers = [row["PERSONNO"] for row in rows]
    assert len(set(numbers)) == len(numbers)
    assert {len(number) for number in numbers} == {9}


def test_regions_are_of_very_different_size(rows: list[Row]) -> None:
    sizes = Counter(row["REGION"] for row in rows)
    assert len(sizes) == 40
    assert len({region[:2] for region in sizes}) == 8
    assert max(sizes.values()) > 30 * min(sizes.values())


def test_households_are_families(households: list[list[Row]]) -> None:
    for members in households:
        couple = [row for row in members if row["HHPOS"] == "2"]
        parents = couple or [row for row in members if row["HHPOS"] == "4"]
        children = [row for row in members if row["HHPOS"] == "3"]
        assert len(couple) in (0, 2)
        assert parents or not children
        assert all(_age(child) <= 27 and child["MARSTAT"] in ("1", "") for child in children)
        assert all(20 <= min(_age(p) for p in parents) - _age(child) <= 40 for child in children)
        assert all(abs(_age(a) - _age(b)) <= 11 for a in couple for b in couple)
        if couple:
            statuses = {row["MARSTAT"] for row in couple} - {""}
            assert "2" not in statuses or statuses == {"2"}
    assert 0.15 < sum(len(members) == 1 for members in households) / len(households) < 0.45


def test_ages_education_and_work_go_together(rows: list[Row]) -> None:
    assert (min(map(_age, rows)), max(map(_age, rows)) <= 97) == (0, True)
    assert all(row["EDUC"] == "0" and row["OCCUP"] == "0000" for row in rows if _age(row) < 16)
    assert all(row["EDUC"] != "0" for row in rows if _age(row) >= 16)
    assert all(row["OCCUP"][:1] in ("0", "2", "1", "3", "4", "") for row in rows if row["EDUC"] == "6")
    assert all(row["OCCUP"] in ("0000", "") for row in rows if _age(row) >= 73)
    working = [row for row in rows if row["OCCUP"] not in ("0000", "") and 25 <= _age(row) < 55]
    assert 0.65 < len(working) / sum(25 <= _age(row) < 55 for row in rows) < 0.9
    assert all(row["MARSTAT"] in ("1", "") for row in rows if _age(row) < 18)


def test_income_follows_occupation(rows: list[Row]) -> None:
    groups: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row["INCOME"]:
            groups[row["OCCUP"][:1]].append(int(row["INCOME"]))
    middle = {major: sorted(incomes)[len(incomes) // 2] for major, incomes in groups.items()}
    assert middle["1"] > middle["2"] > middle["3"] > middle["5"] > middle["9"] > middle["0"]
    assert max(max(incomes) for incomes in groups.values()) < 999_999


def test_illness_rises_with_age(rows: list[Row]) -> None:
    def share(low: int, high: int) -> float:
        said = [row["ILLNESS"] for row in rows if low <= _age(row) < high and row["ILLNESS"]]
        return sum(illness != "0" for illness in said) / len(said)

    assert share(0, 15) < share(15, 55) < share(55, 70) < share(70, 100)


@pytest.mark.parametrize(
    ("variable", "low", "high"), [("EDUC", 0.02, 0.07), ("OCCUP", 0.01, 0.05), ("MARSTAT", 0, 0.03)]
)
def test_some_answers_are_missing(rows: list[Row], variable: str, low: float, high: float) -> None:
    assert low < sum(not row[variable] for row in rows) / len(rows) < high


@pytest.mark.parametrize("name", ["survey.pavo", "survey-csv.pavo"])
def test_recipes_name_files_that_are_there(demo: Path, name: str) -> None:
    recipe = tomllib.loads((demo / name).read_text("utf-8"))
    named = [recipe["input"]["data"], recipe["input"].get("metadata", "survey.rda")]
    for part in [*recipe["recodes"], *recipe["variables"].values()]:
        named += [part[key] for key in ("scheme_file", "codelist") if key in part]
    assert [file for file in named if not (demo / file).is_file()] == []
