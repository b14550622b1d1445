"""Zero characters, which Parquet can hold and no other format: refused where they are, never by a temporary file."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.base.errors import PavoError
from core.batch import run


def recipe(folder: Path, output: str, data: str = "data.parquet", more: str = "") -> Path:
    path = folder / "r.pavo"
    path.write_text(
        f'recipe = 1\n[input]\ndata = "{data}"\n[variables.w]\nrole = "weight"\n[[combinations]]\nvariables = ["a"]\n'
        f'[threshold]\nindividual_risk = 0.5\n{more}[output]\ndata = "out/{output}"\n'
    )
    return path


def parquet(folder: Path, name: str, values: list[str]) -> None:
    columns = {"a": ["x", "y"] * 50, name: values * 50, "w": [10.0] * 100}
    pq.write_table(pa.table(columns), folder / "data.parquet")


@pytest.mark.parametrize("output", ["safe.csv", "safe.sav", "safe.dta", "safe.xpt", "safe.xlsx"])
def test_value_with_a_zero_character_is_refused_by_its_record(tmp_path: Path, output: str) -> None:
    parquet(tmp_path, "b", ["u", "v\0w"])

    with pytest.raises(PavoError, match="Variable b: the value of record 2 contains a zero character") as caught:
        run(recipe(tmp_path, output))

    assert ".tmp" not in str(caught.value)
    assert list((tmp_path / "out").glob("*")) == []


def test_value_with_a_zero_character_stays_in_parquet(tmp_path: Path) -> None:
    parquet(tmp_path, "b", ["u", "v\0w"])

    run(recipe(tmp_path, "safe.parquet"))

    assert pq.read_table(tmp_path / "out" / "safe.parquet")["b"].to_pylist() == ["u", "v\0w"] * 50


def test_name_with_a_zero_character_is_refused_by_its_column(tmp_path: Path) -> None:
    parquet(tmp_path, "b\0c", ["u", "v"])

    with pytest.raises(PavoError, match=r"data\.parquet: the name of column 2 contains a zero character"):
        run(recipe(tmp_path, "safe.csv"))


@pytest.mark.parametrize("output", ["safe.csv", "safe.sav"])
def test_new_code_with_a_zero_character_is_refused_by_its_variable(tmp_path: Path, output: str) -> None:
    (tmp_path / "data.csv").write_text("a,b,w\n" + "x,u,10\ny,v,10\n" * 50)
    more = '[[recodes]]\nvariable = "b"\nscheme = "\\"n\\u0000w\\": u"\n'

    with pytest.raises(PavoError, match="Variable b: the ") as caught:
        run(recipe(tmp_path, output, "data.csv", more))

    assert ".tmp" not in str(caught.value)
