from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from core.errors import RecipeError
from core.exports import export_muargus, export_sdcmicro
from core.recipe.model import Combination, Input, Recipe, Recode, Threshold
from core.session import Session

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def recipe(shared: Path, **more: object) -> Recipe:
    folder = shared / "data" / "demodata"
    return Recipe(
        input=Input(folder / "Demodata.asc", folder / "Demodata.rda"),
        combinations=(Combination(KEYS),),
        recodes=(Recode("REGION", scheme_file=folder / "Region.grc"), Recode("AGE", truncate=1)),
        threshold=Threshold(individual_risk=0.00125),
        **more,  # type: ignore[arg-type]
    )


def test_what_sdcmicro_reads_has_the_same_cells(shared: Path, tmp_path: Path) -> None:
    derived = Session().derive(recipe(shared))
    script, data = export_sdcmicro(derived, tmp_path / "check.R")
    with data.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4000
    cells = Counter(tuple(row[key] for key in KEYS) for row in rows)
    table = derived.risk_tables[0]
    assert len(cells) == len(table.cells)
    assert sorted(cells.values()) == sorted(int(f) for f in table.cells.count)
    assert sum(float(row["WEIGHT"]) for row in rows) == pytest.approx(float((table.cells.F * 1).sum()), rel=1e-9)
    text = script.read_text(encoding="utf-8")
    assert 'keys <- c("REGION", "SEX", "AGE", "MARSTAT")' in text
    assert 'weightVar = "WEIGHT"' in text
    assert f"max_risk = {table.staircase.max_risk!r}" in text
    assert f"unsafe_records = {table.staircase.unsafe(0.00125)}" in text
    assert text.count("{") == text.count("}")


def test_muargus_files_give_the_same_risks(shared: Path, tmp_path: Path) -> None:
    original = recipe(shared)
    derived = Session().derive(original)
    rda, asc, *_ = export_muargus(derived, tmp_path / "demo.rda")
    assert {path.name for path in tmp_path.iterdir()} >= {"demo.rda", "demo.asc", "REGION.grc", "AGE.grc", "SEX.cdl"}
    recodes = tuple(Recode(name, scheme_file=tmp_path / f"{name}.grc") for name in ("REGION", "AGE"))
    again = Session().derive(original.with_(input=Input(asc, rda), recodes=recodes))
    before, now = derived.risk_tables[0], again.risk_tables[0]
    assert (len(now.cells), now.sample_uniques) == (len(before.cells), before.sample_uniques)
    assert now.staircase.rate == before.staircase.rate
    assert now.staircase.levels.tolist() == before.staircase.levels.tolist()


def test_without_a_risk_there_is_nothing_to_export(shared: Path, tmp_path: Path) -> None:
    derived = Session().derive(recipe(shared).with_(combinations=()))
    with pytest.raises(RecipeError):
        export_sdcmicro(derived, tmp_path / "check.R")
    assert not list(tmp_path.iterdir())
