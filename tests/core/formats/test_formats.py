"""One survey in every format: the same figures, and a safe file that differs only where the recipe says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.formats.argus.codelist import read_codelist
from core.formats.convert import code_batches
from core.metadata.describe import describe
from core.recipe.model import Input, VariableEdit
from tests.core.demodata import USED, check, protect
from tests.rda import read_rda
from tests.typed_files import content

SUFFIXES = ("csv", "tsv", "sav", "zsav", "dta", "parquet", "xlsx", "xpt")


@pytest.fixture(scope="module")
def demodata(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Demodata in every format that can be written, made by the program itself from the fixed file."""
    folder = tmp_path_factory.mktemp("formats")
    source = shared / "data" / "demodata"
    every = read_rda(source / "Demodata.rda").names
    for suffix in SUFFIXES:
        left_out = [name for name in every if name not in USED] if suffix == "xlsx" else []
        more = "".join(f"[variables.{name}]\nremoved = true\n" for name in left_out)
        protect(folder, source / "Demodata.asc", f"d.{suffix}", source / "Demodata.rda", criterion="none", more=more)
    return folder


def beside(shared: Path, folder: Path, few: bool = False) -> Path:
    """What Demodata.rda says, for a file with names."""
    metadata = read_rda(shared / "data" / "demodata" / "Demodata.rda")
    lines = ['<SEPARATOR> ","', "<NAMESINFRONT>"]
    for variable in metadata.variables:
        if few and variable.name not in USED:
            continue
        missing = " ".join(f'"{code}"' for code in variable.missing if code)
        lines.append(f"{variable.name} {variable.length} {missing}")
        lines += ["<RECODABLE>"] * variable.categorical + ["<NUMERIC>"] * variable.numeric
        lines += ["<WEIGHT>"] * (variable.role == "weight") + ["<HOUSE_ID>"] * (variable.role == "household-id")
    path = folder / "names.rda"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_demodata_in_every_format(shared: Path, demodata: Path, suffix: str) -> None:
    """Figures of the fixed file: method.md section 3."""
    rda = beside(shared, demodata, suffix == "xlsx") if suffix != "tsv" else None
    data = demodata / f"d.{suffix}"
    if rda is None:
        rda = demodata / "tabs.rda"
        rda.write_text(beside(shared, demodata).read_text(encoding="utf-8").replace('","', '"\t"'), encoding="utf-8")
    summary = protect(demodata, data, f"safe.{suffix}", rda)
    check(summary)
    assert summary["verified"] is True
    assert summary["suppression"]["total"] == 4274


PAIRS = (("sav", "dta"), ("dta", "parquet"), ("parquet", "csv"), ("csv", "sav"), ("xlsx", "sav"), ("csv", "tsv"))


@pytest.mark.parametrize(("from_", "to"), PAIRS)
def test_conversion_keeps_every_code(shared: Path, demodata: Path, from_: str, to: str) -> None:
    amounts = ("INCOME",) if from_ == "xlsx" else ("INCOME", "ASSETS", "DEBTS")
    more = "".join(f"[variables.{name}]\nnumeric = true\ncategorical = false\n" for name in amounts)
    more += '[variables.WEIGHT]\nrole = "weight"\n'
    out = f"{from_}.{to}"
    protect(demodata, demodata / f"d.{from_}", out, criterion="none", more=more)
    assert codes(demodata / out) == codes(demodata / f"d.{from_}")


def codes(path: Path) -> list[dict[str, list[str]]]:
    metadata = describe(Input(path), [VariableEdit("WEIGHT", role="weight")])
    return [batch.to_pydict() for batch in code_batches(path, metadata, metadata.names, True)]


def test_labels_of_codelists_become_labels_of_values(shared: Path, demodata: Path) -> None:
    sex = read_codelist(shared / "data" / "demodata" / "Sex.cdl")
    for suffix in ("sav", "dta"):
        file = content(demodata / f"d.{suffix}")[0]
        assert {f"{value:g}": label for value, label in file["SEX"].values} == sex
    assert content(demodata / "d.sav")[0]["REGION"].missing == (9999.0, 9998.0)
