"""Small files in formats with types, with everything in them that such files hold; and what a round trip keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat

from core.data.columns import Microdata
from core.data.variables import Metadata
from core.formats.registry import read, safe_layout, write
from core.formats.text.writing import FieldEdit, Rewrite
from core.formats.typed.columns import TypedFile
from core.formats.typed.reading import typed_format
from core.metadata.describe import describe
from core.recipe.model import Input, VariableEdit


def sav(path: Path) -> Path:
    """A .sav or .zsav file with labels, missing values of all kinds, formats, notes and a weight."""
    frame = pd.DataFrame(
        {
            "Region": [1.0, 2.0, 2.5, np.nan, -9.0, 95.0, 1e15, -0.0],
            "naïve": ["a", "b  ", "", "é", "a", "x" * 300, "=1+1", "<b>"],
            "code": ["1", "01", "1 ", "", "9", "10", "2", "A"],
            "born": [13e9, 13e9 + 86400, np.nan, 1.0, 0.0, 12219379200.0, 12219379200.5, 1e18],
            "WEIGHT": [118.3, 0.1, 2.0, 3.0, 4.0, 5.0, 6.0, 1e-7],
            "constant": [7.0] * 8,
            "empty": [np.nan] * 8,
        }
    )
    pyreadstat.write_sav(
        frame,
        path,
        file_label="from the register",
        column_labels={"Region": "Where <b>they</b> live"},
        variable_value_labels={
            "Region": {1: "one", 2.5: "half", -9: "refused", 44: "nowhere"},
            "code": {"A": "letter"},
        },
        missing_ranges={"Region": [-9, {"lo": 90, "hi": 99}], "code": ["9"]},
        variable_format={"Region": "F8.2", "born": "DATE11", "WEIGHT": "F12.4"},
        variable_measure={"Region": "nominal", "WEIGHT": "scale"},
        variable_display_width={"Region": 12},
        note="the person with income 123456 is the mayor",
        compress=path.suffix == ".zsav",
        row_compress=path.suffix == ".sav",
    )
    return path


def por(path: Path) -> Path:
    """A .por file with labels, missing values of all kinds, dates and numbers of every size."""
    from pyreadstat._readstat_writer import writer_entry_point

    frame = pd.DataFrame(
        {
            "REGION": [1.0, 2.0, 2.5, np.nan, -9.0, 95.0, 1e15, 0.0],
            "TEXT": ["a", "b ", "", "mayor, acting", "a", "x" * 200, "=1+1", "<b> 'c' \"d\""],
            "CODE": ["1", "01", "1", "", "9", "10", "2", "A"],
            "BORN": [13e9, 13e9 + 86400, np.nan, 1.0, 0.0, 12219379200.0, 12219379200.5, 1e18],
            "WEIGHT": [118.3, 0.1, 1 / 3, 1e300, 5e-324, -2.5, 4.0, 1e-7],
            "A_.@#$8": [7.0] * 8,
            "EMPTY": [np.nan] * 8,
        }
    )
    writer_entry_point(
        frame,
        str(path),
        writer_format="por",
        file_label="from the register",
        column_labels=["Where <b>they</b> live", *[None] * 6],
        variable_value_labels={
            "REGION": {1.0: "one", 2.5: "half", -9.0: "refused", 44.0: "nowhere"},
            "CODE": {"A": "letter"},
        },
        missing_ranges={
            "REGION": [-9.0, {"lo": 90.0, "hi": 99.0}],
            "CODE": ["9"],
            "WEIGHT": [{"lo": -np.inf, "hi": 0.0}],
        },
        variable_format={"REGION": "F8.2", "BORN": "DATE11", "WEIGHT": "F12.4"},
    )
    return path


def dta(path: Path, version: int = 118) -> Path:
    """A .dta file with a column of each type and every kind of missing value."""
    frame = pd.DataFrame(
        {
            "i8": pd.array([1, 2, None, 100, -127, 1], "Int8"),
            "i16": pd.array([1, 32740, None, -32767, 5, 6], "Int16"),
            "i32": pd.array([1, 2147483620, None, -2147483647, 5, 6], "Int32"),
            "f32": np.array([1.5, 0.1, np.nan, -3e38, 1e-30, 16777216], np.float32),
            "f64": [1.5, 0.1, np.nan, 118.3, 1e300, -0.0],
            "text": ["a", "", "é", "01", "  b", "=1"],
            "born": [0.0, 21915.0, np.nan, -100000.0, 0.5, 1e6],
            "long_text": ["x" * 3000, "", "short", "x" * 3000, "é" * 2100, "y"],
        }
    )
    if version == 115:
        frame = frame.drop(columns=["long_text"])
        frame.to_stata(path, write_index=False, version=114, value_labels={"i8": {1: "one", 2: "two"}})
        return path
    long = ["long_text"]
    labels: Any = {"i8": {1: "one", 2: "two", 50: "nobody"}}
    frame.to_stata(
        path,
        write_index=False,
        version=118 if version == 118 else 117,
        convert_strl=long,
        value_labels=labels,
        variable_labels={"i8": "A <b>byte</b>"},
        data_label="from the register",
    )
    return path


def extended_dta(path: Path) -> Path:
    """A .dta file with .a and .z, labelled."""
    frame = pd.DataFrame({"A": [1.5, "a", "z", 2.5, np.nan], "B": ["x", "y", "x", "y", "z"]})
    pyreadstat.write_dta(
        frame,
        path,
        version=14,
        missing_user_values={"A": ["a", "z"]},
        variable_value_labels={"A": {1: "one", "a": "refused"}},
    )
    return path


def parquet(path: Path) -> Path:
    """A .parquet file with types of every family, an old index and statistics in its metadata."""
    import pyarrow.parquet as pq

    n = 5
    columns = {
        "i8": pa.array([1, 2, None, -128, 127], pa.int8()),
        "u64": pa.array([1, 2, None, 2**64 - 1, 0], pa.uint64()),
        "i64": pa.array([1, 2, None, 2**62 + 1, -(2**62)], pa.int64()),
        "f32": pa.array([0.1, None, float("nan"), 16777216.0, -0.0], pa.float32()),
        "f64": pa.array([0.1, None, float("nan"), 1e300, float("inf")], pa.float64()),
        "text": pa.array(["a", None, "", " b", "=1"], pa.string()),
        "large": pa.array(["a", None, "", "é", "x"], pa.large_string()),
        "kind": pa.array(["p", "q", None, "p", "r"]).dictionary_encode(),
        "flag": pa.array([True, False, None, True, True]),
        "day": pa.array([0, 18000, None, -1, 1], pa.date32()),
        "time": pa.array([0, 10**15, None, -1, 1], pa.timestamp("us")),
        "zoned": pa.array([0, 10**12, None, -1, 1], pa.timestamp("ms", "Europe/Berlin")),
        "money": pa.array([None, *map(_decimal, ("1.50", "2.00", "-3.25", "0.00"))], pa.decimal128(9, 2)),
        "list": pa.array([[1, 2], None, [], [3], [4]]),
        "blob": pa.array([b"\0\1", None, b"", b"x", b"y"], pa.binary()),
    }
    table = pa.table(columns).replace_schema_metadata({"pandas": "what the original held", "note": "secret"})
    assert table.num_rows == n
    pq.write_table(table, path)
    return path


def _decimal(text: str) -> Any:
    from decimal import Decimal

    return Decimal(text)


def xlsx(path: Path) -> Path:
    """A small .xlsx table."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    rows: list[list[Any]] = [
        ["name", "age", "pay", "flag"],
        ["é", 1, 1.5, True],
        ["x", 2, None, False],
        ["", 3, 4, None],
    ]
    for row in rows:
        sheet.append(row)
    cell = sheet.cell(5, 1)
    cell.value, cell.data_type = "=1+1", "s"
    sheet.cell(5, 2).value = 4
    book.save(path)
    return path


def xpt(path: Path) -> Path:
    """An .xpt file."""
    frame = pd.DataFrame(
        {"A": [1.0, 2.5, np.nan, 0.1], "TEXT": ["a", "b", "", "é"], "DAY": [0.0, 1.0, 20000.0, np.nan]}
    )
    pyreadstat.write_xport(frame, path, column_labels=["label", None, None], variable_format={"DAY": "DATE9"})
    return path


def opened(path: Path, *edits: VariableEdit) -> tuple[Metadata, Microdata]:
    """A file with all of its variables encoded."""
    metadata = describe(Input(path), edits)
    return metadata, read(path, metadata, metadata.names)


def written(
    path: Path, out: Path, edits: Mapping[str, FieldEdit] | None = None, removed: frozenset[str] = frozenset()
) -> Metadata:
    """Write the safe file of `path` with nothing changed but `edits`."""
    metadata = describe(Input(path))
    source = read(path, metadata, ()).source
    layout = safe_layout(metadata, edits or {}, removed)
    with out.open("wb") as file:
        write(Rewrite(source, metadata, edits or {}, layout), file)
    return layout


def content(path: Path) -> tuple[TypedFile, pa.Table]:
    """Description (without what a file is not to keep) and values, floats by their bits."""
    metadata = describe(Input(path))
    module = typed_format(metadata.format)
    file = module.describe(path)
    batches = list(module.batches(path, file, [field.name for field in file.fields]))
    table = pa.Table.from_batches(batches)
    for position, name in enumerate(table.column_names):
        column = table.column(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        elif pa.types.is_floating(column.type):
            column = _bits(column)
        table = table.set_column(position, name, column.combine_chunks())
    plain = tuple(replace(field, label_set="") for field in file.fields)
    return replace(file, label="", fields=plain), table


def _bits(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = pa.int64() if pa.types.is_float64(column.type) else pa.int32()
    return pa.chunked_array([chunk.view(kind) for chunk in column.chunks])
