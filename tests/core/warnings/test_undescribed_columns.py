"""Columns that no variable describes are named by a run too, in every format that has columns."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from core.recipe.model import Combination, Input, Output, Recipe, Suppression, VariableEdit
from core.release.run import carry_out
from core.session import Session

HERE = (VariableEdit("A"), VariableEdit("C", categorical=False))


def written(folder: Path, suffix: str) -> Path:
    data = folder / f"in{suffix}"
    frame = pd.DataFrame({"A": [1.0, 2.0], "B": [3.0, 4.0], "C": [5.0, 6.0], "D": [7.0, 8.0]})
    if suffix == ".sav":
        pyreadstat.write_sav(frame, data)
    elif suffix == ".parquet":
        frame.to_parquet(data)
    elif suffix == ".xlsx":
        frame.to_excel(data, index=False)
    else:
        frame.astype(int).to_csv(data, index=False)
    return data


def told(source: Input, variables: tuple[VariableEdit, ...] = ()) -> list[str]:
    assert source.data is not None
    recipe = Recipe(
        input=source,
        variables=variables,
        combinations=(Combination(("A",), "frequency"),),
        suppression=Suppression(criterion="none"),
        output=Output(data=source.data.parent / f"safe{source.data.suffix}"),
    )
    summary = carry_out(Session(), recipe).summary
    return [warning["text"] for warning in summary["warnings"] if warning["id"] == "undescribed-columns"]


@pytest.mark.parametrize("suffix", [".csv", ".sav", ".parquet", ".xlsx"])
def test_columns_that_the_recipe_does_not_list_are_named(tmp_path: Path, suffix: str) -> None:
    data = written(tmp_path, suffix)
    assert told(Input(data, variables="here"), HERE) == [
        "No variable describes the columns B, D; they are never copied to the safe file."
    ]
    assert told(Input(data)) == []


def test_columns_that_a_metadata_file_does_not_list_are_named(tmp_path: Path) -> None:
    data = written(tmp_path, ".csv")
    described = tmp_path / "in.rda"
    described.write_text(
        '<SEPARATOR> ","\n<NAMESINFRONT>\nA 1\n  <RECODEABLE>\nD 1\n  <RECODEABLE>\n', encoding="utf-8"
    )
    assert "columns B, C;" in told(Input(data, metadata=described))[0]
    assert (tmp_path / "safe.csv").read_text(encoding="utf-8") == "A,D\n1,7\n2,8\n"


def test_columns_without_names_are_told_by_their_numbers(tmp_path: Path) -> None:
    data = written(tmp_path, ".csv")
    edits = (VariableEdit("A", column=1), VariableEdit("C", column=3))
    assert "columns 2, 4;" in told(Input(data, header=False, variables="here"), edits)[0]
