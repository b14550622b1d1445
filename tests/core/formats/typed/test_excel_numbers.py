"""Every number that a double holds comes through an Excel file as it was, from files of every format."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from core.base.errors import DataError
from core.formats.convert import code_digests
from core.formats.registry import read, safe_layout, write
from core.formats.text.writing import Rewrite
from core.metadata.describe import describe
from core.recipe.model import Input
from tests.typed_files import opened, written

LARGEST = 9.99999999999999e307
"""The largest number that Excel lets one enter."""
NUMBERS = st.one_of(
    st.floats(-LARGEST, LARGEST),
    st.floats(-1e6, 1e6),
    st.integers(-(1 << 62), 1 << 62).map(float),
    st.integers(-(10**6), 10**6).map(lambda n: n / 100),
)
EDGES = [
    0.30000000000000004,
    -0.0,
    0.0,
    2.0**53,
    2.0**53 + 2,
    -(2.0**53) - 2,
    1e15,
    1e16,
    1e17,
    1e22,
    123456789.123456789,
]
EDGES += [5e-324, 2.2250738585072014e-308, LARGEST, -LARGEST, 1 / 3, 2 / 3, 1e-7, 100.0]
PLACE = "<v>0.5</v>"


def from_csv(path: Path, values: list[float]) -> None:
    path.write_text("A,W\n" + "".join(f"{value!r},1\n" for value in values))


def from_sav(path: Path, values: list[float]) -> None:
    pyreadstat.write_sav(pd.DataFrame({"A": values}), path)


def from_dta(path: Path, values: list[float]) -> None:
    pyreadstat.write_dta(pd.DataFrame({"A": values}), path)


def from_parquet(path: Path, values: list[float]) -> None:
    pq.write_table(pa.table({"A": pa.array(values, pa.float64())}), path)


def from_xpt(path: Path, values: list[float]) -> None:
    pyreadstat.write_xport(pd.DataFrame({"A": values}), path)


def from_xlsx(path: Path, values: list[float]) -> None:
    """As Excel itself writes: 17 digits where these are needed."""
    book = Workbook()
    book.active.append(["A"])
    for _ in values:
        book.active.append([0.5])
    book.save(path)
    with zipfile.ZipFile(path) as packed:
        parts = {name: packed.read(name).decode() for name in packed.namelist()}
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in parts.items():
            first, *others = text.split(PLACE)
            cells = "".join(f"<v>{value:.17G}</v>{after}" for value, after in zip(values, others, strict=False))
            packed.writestr(name, first + cells)


MAKERS: dict[str, Callable[[Path, list[float]], None]] = {
    "csv": from_csv,
    "sav": from_sav,
    "dta": from_dta,
    "parquet": from_parquet,
    "xlsx": from_xlsx,
    "xpt": from_xpt,
}


def to_xlsx(path: Path, out: Path) -> None:
    metadata = describe(Input(path))
    source = read(path, metadata, ()).source
    layout = safe_layout(metadata, {}, frozenset(), out)
    with out.open("wb") as file:
        write(Rewrite(source, metadata, {}, layout), file)


def codes(path: Path) -> list[int]:
    return [digest for part in code_digests(path, describe(Input(path)), ["A"]) for digest in part.tolist()]


@pytest.mark.parametrize("suffix", MAKERS)
@settings(max_examples=15)
@given(values=st.lists(NUMBERS, min_size=1, max_size=40))
def test_numbers_of_every_format_come_through(suffix: str, values: list[float]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check(Path(folder), suffix, values)


@pytest.mark.parametrize("suffix", MAKERS)
def test_numbers_at_the_edges_come_through(tmp_path: Path, suffix: str) -> None:
    check(tmp_path, suffix, EDGES)


def check(folder: Path, suffix: str, values: list[float]) -> None:
    least, most = {"xpt": (1e-70, 1e70), "dta": (0, 8e307)}.get(suffix, (0, LARGEST))  # what the formats hold
    values = [value for value in values if least <= abs(value) <= most] or [1.5]
    path, out = folder / f"a.{suffix}", folder / "b.xlsx"
    MAKERS[suffix](path, values)
    to_xlsx(path, out)
    assert codes(out) == codes(path)
    again = folder / "c.xlsx"
    written(out, again)
    assert again.read_bytes() == out.read_bytes()


def test_numbers_are_numbers_again(tmp_path: Path) -> None:
    path, out = tmp_path / "a.parquet", tmp_path / "b.xlsx"
    values = [value for value in EDGES if value]
    from_parquet(path, values)
    to_xlsx(path, out)
    assert pd.read_excel(out)["A"].tolist() == values
    column = opened(out)[1].columns["A"]
    assert sorted(float(code) for code in column.codes[: column.n_valid]) == sorted(values)


def test_a_number_that_no_double_holds_is_refused(tmp_path: Path) -> None:
    for text in ("1e999", "1" * 400):
        path = tmp_path / "a.xlsx"
        from_xlsx(path, [0.5])
        with zipfile.ZipFile(path) as packed:
            parts = {name: packed.read(name).decode() for name in packed.namelist()}
        with zipfile.ZipFile(path, "w") as packed:
            for name, content in parts.items():
                packed.writestr(name, content.replace(PLACE, f"<v>{text}</v>"))
        with pytest.raises(DataError) as error:
            describe(Input(path))
        assert error.value.id == "data-damaged"
