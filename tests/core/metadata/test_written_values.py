"""Dates, and numbers with marks between the thousands, are no texts that tell persons apart."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from core.metadata.check_file import check_file
from core.metadata.description import load_description
from core.metadata.survey import survey
from core.recipe.model import Input
from tests.core.metadata.test_suggest import csv, of_file, said

BIRTHS = [f"{1940 + i % 61}-{1 + i % 12:02}-{1 + i % 27:02}" for i in range(400)]
AMOUNTS = [f'"{1 + i % 97}.{i * 37 % 1000:03},{i % 100:02}"' for i in range(400)]


@pytest.mark.parametrize(
    ("header", "values", "proposed", "told"),
    [
        ("BORN", BIRTHS, [], "BORN holds 400 different dates: leave it out, or make it a key and recode it, where "),
        ("BORN", [f"{day}T00:00:00" for day in BIRTHS], [], "BORN holds 400 different dates: leave it out, or"),
        (
            "BIRTHDATE",
            BIRTHS,
            ["Key, by year or age"],
            "It holds 400 different dates, and hardly anybody shares one: it is no key, but",
        ),
        ("INTDATE", BIRTHS, ["Leave out of the safe file"], "It holds 400 different dates: whoever knows that day"),
        ("NAME", BIRTHS, ["Direct identifier"], "It is called NAME, and 400 records have 400"),
        ("Q1", BIRTHS[:40] * 10, ["Key"], "It holds 40 different dates."),
        ("Q1", AMOUNTS, [], "Q1 holds numbers with marks between the thousands, such as 1.000,00, which are taken"),
        ("INCOME", AMOUNTS, ["Sensitive"], "INCOME holds numbers with marks between the thousands, such as 1.000,00"),
        (
            "Q1",
            [f"{i * 7 + 100} {i + 300} {i + 500}" for i in range(100)],
            ["Direct identifier"],
            "Nearly every record",
        ),
        ("Q1", [f"A{i}" for i in range(400)], ["Direct identifier"], "Nearly every record"),
    ],
)
def test_dates_and_numbers_with_marks_are_no_direct_identifiers(
    tmp_path: Path, header: str, values: list[object], proposed: list[str], told: str
) -> None:
    path = csv(tmp_path, f"{header},other", values, [i % 2 for i in range(len(values))])
    assert [text for name, text in said(of_file(path)) if name == header] == proposed
    metadata = load_description(Input(path), ()).metadata
    rows = [f for f in check_file(metadata, survey(path, metadata), {}) if f.variables == (header,)]
    found = [row.reason.text for row in rows if row.field in ("role", "removed") or not row.suggestions]
    assert len(found) == max(len(proposed), 1) or header == "INCOME"
    assert found[0].startswith(told)


@pytest.mark.parametrize("suffix", ["sav", "dta", "xpt", "parquet", "xlsx"])
def test_a_date_of_a_file_with_types_is_a_date(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x.{suffix}"
    days = pd.to_datetime(pd.Series(BIRTHS))
    frame = pd.DataFrame({"BORN": days if suffix in ("parquet", "xlsx") else days.dt.date, "Q": [1.0, 2.0] * 200})
    writers = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}
    if suffix in writers:
        writers[suffix](frame, path)
    else:
        getattr(frame, {"parquet": "to_parquet", "xlsx": "to_excel"}[suffix])(path, index=False)
    assert [text for name, text in said(of_file(path)) if name == "BORN"] == []
    metadata = load_description(Input(path), ()).metadata
    rows = check_file(metadata, survey(path, metadata), {})
    found = [row.reason.id for row in rows if row.variables == ("BORN",) and not row.is_size]
    assert found == ["check-dates"]
