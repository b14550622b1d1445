"""Variables that are released as they are and tell what a perturbed one was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.recipe.model import Combination, Input, Output, Perturbation, Recipe, Suppression, VariableEdit
from core.session import Session
from core.warnings.told_of_perturbed import TOLD

N = 300


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = np.random.default_rng(1)
    province = random.integers(1, 6, N)
    town = province * 10 + random.integers(1, 5, N)
    income = np.round(random.lognormal(8, 1, N))
    rows = zip(
        random.integers(1, 3, N), province, town, income, income * 12 + random.integers(0, 3, N),
        random.integers(1, 90, N), strict=True,
    )  # fmt: skip
    lines = "\n".join(",".join(str(int(value)) for value in row) for row in rows)
    (tmp_path / "d.csv").write_text(f"SEX,PROV,TOWN,INC,YEAR,AGE\n{lines}\n")
    return tmp_path


def told(folder: Path, *entries: Perturbation, **variables: VariableEdit) -> set[tuple[str, str]]:
    recipe = Recipe(
        input=Input(data=folder / "d.csv"),
        variables=tuple(variables.values()),
        combinations=(Combination(("SEX",), "frequency"),),
        suppression=Suppression(criterion="none"),
        perturbations=entries,
        output=Output(data=folder / "safe.csv"),
    )
    notices = Session().protect(recipe).notices
    values = (dict(notice.values) for notice in notices if notice.id == TOLD)
    return {(str(each["other"]), str(each["variable"])) for each in values}


PRAM = Perturbation("pram", ("PROV",), (("keep", 0.8),))
NOISE = Perturbation("noise", ("INC",), (("share", 0.2),))


def test_the_town_tells_the_province_and_the_year_the_month(folder: Path) -> None:
    assert told(folder, PRAM) == {("TOWN", "PROV")}
    assert told(folder, NOISE) == {("YEAR", "INC")}
    assert told(folder, PRAM, NOISE) == {("TOWN", "PROV"), ("YEAR", "INC")}


def test_what_is_perturbed_or_left_out_tells_nothing(folder: Path) -> None:
    both = Perturbation("noise", ("INC", "YEAR"), (("share", 0.2),))
    assert told(folder, both) == set()
    assert told(folder, NOISE, year=VariableEdit("YEAR", removed=True)) == set()
    assert told(folder) == set()


@pytest.mark.parametrize("number", ["{}", "case {:04}"])
def test_numbers_of_cases_tell_by_what_the_file_was_once_sorted(folder: Path, number: str) -> None:
    """The records stand in random order, but their numbers ascend from province to province."""
    header, *rows = (folder / "d.csv").read_text().splitlines()
    by_province = sorted(rows, key=lambda row: row.split(",")[1])
    numbered = [f"{row},{number.format(7 * place + 1)}" for place, row in enumerate(by_province)]
    np.random.default_rng(2).shuffle(numbered)
    (folder / "d.csv").write_text("\n".join((f"{header},CASE", *numbered)) + "\n")
    town = VariableEdit("TOWN", removed=True)
    assert told(folder, PRAM, town=town) == {("CASE", "PROV")}
    assert told(folder, NOISE, town=town, year=VariableEdit("YEAR", removed=True)) == set()
    assert told(folder, PRAM, town=town, case=VariableEdit("CASE", removed=True)) == set()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("step", [30, 50, 70])
def test_a_number_tells_where_most_records_share_few_values(tmp_path: Path, seed: int, step: int) -> None:
    """Wages are round and shared by many, but for a few large ones; the yearly ones are rounder still."""
    random = np.random.default_rng(seed)
    income = step * np.ceil(random.lognormal(7.5, 0.6, 1000) / step).astype(int)
    income[:100] = random.integers(10**4, 10**5, 100)
    year = np.round((income + random.integers(0, 2 * step, 1000)) / (4 * step)).astype(int) * 12 * step
    rows = "\n".join(f"{1 + i % 2},{own},{other}" for i, (own, other) in enumerate(zip(income, year, strict=True)))
    (tmp_path / "d.csv").write_text(f"SEX,INC,YEAR\n{rows}\n")
    assert told(tmp_path, NOISE) == {("YEAR", "INC")}
