"""Files that tell more than their values, and a search for it in everything that a file holds.

Every text that must not come back holds the word SECRET: names and labels of what is left out, codes that are recoded
or suppressed, notes of every kind.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat

N = 240
WORD = "SECRET"
LABELS = {
    "REGION": {1: "SECRET Alpha", 4: "SECRET Delta"},
    "JOB": {1: "clerk", 2: "cook", 77: "SECRET queen"},
    "SECRETID": {1: "SECRET label of a removed variable"},
}


def frame() -> pd.DataFrame:
    """Six regions that are recoded to two, one rare job that is suppressed, and a variable that is left out."""
    i = np.arange(N)
    return pd.DataFrame(
        {
            "SECRETID": [f"SECRET{k:03d}" for k in i],
            "REGION": i % 6 + 1.0,
            "JOB": np.where(i == 7, 77.0, i % 2 + 1.0),
            "KIND": np.where(i == 7, "SECRETrare", np.where(i % 2, "odd", "even")),
            "W": 25.0,
        }
    )


def sav(path: Path) -> None:
    """Documents, file label, labels, attributes of file and variables, multiple response sets, weight."""
    data = frame()
    pyreadstat.write_sav(
        data.drop(columns="SECRETID").assign(SECRETID=1.0),
        path,
        file_label="SECRET file label",
        column_labels={"SECRETID": "SECRET label", "JOB": "Occupation"},
        variable_value_labels=LABELS,
        missing_ranges={"JOB": [99], "KIND": ["?"]},
        note="SECRET document",
        compress=path.suffix == ".zsav",
        row_compress=path.suffix == ".sav",
    )
    if path.suffix == ".zsav":
        return
    raw, end = path.read_bytes(), struct.pack("<ii", 999, 0)
    assert raw.count(end) == 1
    more = b"".join(
        struct.pack("<iiii", 7, kind, 1, len(text)) + text
        for kind, text in (
            (17, b"origin('SECRET attribute of the file'\n)"),
            (18, b"REGION:origin('SECRET attribute of a variable'\n)"),
            (7, b"$SECRETset=C 10 SECRET set REGION JOB\n"),
            (24, b"<SECRET/>"),
        )
    )
    path.write_bytes(raw.replace(end, more + end))


def dta(path: Path) -> None:
    """Data label, notes and characteristics, labels, a sort order."""
    frame().to_stata(
        path,
        write_index=False,
        version=118,
        data_label="SECRET data label",
        variable_labels={"SECRETID": "SECRET label", "JOB": "Occupation"},
        value_labels={name: labels for name, labels in LABELS.items() if name != "SECRETID"},
    )
    raw = path.read_bytes()
    notes = b""
    for owner, name, text in ((b"_dta", b"note1", b"SECRET note"), (b"JOB", b"origin", b"SECRET characteristic")):
        body = owner.ljust(129, b"\0") + name.ljust(129, b"\0") + text + b"\0"
        notes += b"<ch>" + struct.pack("<I", len(body)) + body + b"</ch>"
    at = raw.index(b"</characteristics>")
    start = raw.index(b"<map>") + 5
    offsets = struct.unpack("<14q", raw[start : start + 112])
    moved = struct.pack("<14q", *(offset + len(notes) * (offset > at) for offset in offsets))
    raw = raw[:start] + moved + raw[start + 112 : at] + notes + raw[at:]
    sorted_by = raw.index(b"<sortlist>") + 10
    path.write_bytes(raw[:sorted_by] + struct.pack("<H", 2) + raw[sorted_by + 2 :])


def parquet(path: Path) -> None:
    """Metadata of the file, of pandas and of a column; a dictionary with a value that nothing has; statistics."""
    data = frame()
    kinds = pa.DictionaryArray.from_arrays(
        pa.array([["even", "odd", "SECRETrare"].index(kind) for kind in data["KIND"]], pa.int8()),
        pa.array(["even", "odd", "SECRETrare", "SECRETunused"]),
    )
    columns = [pa.array(data[name]) for name in ("SECRETID", "REGION", "JOB")] + [kinds, pa.array(data["W"])]
    fields = [
        pa.field(name, column.type, metadata={"origin": "SECRET of a column"})
        for name, column in zip(data.columns, columns, strict=True)
    ]
    about = {"pandas": '{"index_columns": ["SECRET"]}', "origin": "SECRET of the file"}
    pq.write_table(pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=about)), path)


def xlsx(path: Path) -> None:
    """Comments, names, other sheets, properties, header and footer, lists of valid values."""
    from openpyxl import Workbook
    from openpyxl.comments import Comment
    from openpyxl.workbook.defined_name import DefinedName
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "SECRET sheet"
    data = frame()
    sheet.append(list(data.columns))
    for row in data.itertuples(index=False):
        sheet.append(list(row))
    sheet["B2"].comment = Comment("SECRET comment", "SECRET author")
    sheet.oddHeader.center.text = "SECRET header"
    valid = DataValidation(type="list", formula1='"SECRETlist,other"')
    sheet.add_data_validation(valid)
    valid.add("D2:D9")
    book.defined_names["SECRETname"] = DefinedName("SECRETname", attr_text="'SECRET sheet'!$A$1")
    book.create_sheet("SECRET other").append(["SECRET cell"])
    book.properties.creator = book.properties.title = book.properties.keywords = "SECRET property"
    book.save(path)


def xpt(path: Path) -> None:
    """Labels of the file and of a variable that is left out."""
    pyreadstat.write_xport(
        frame(), path, file_label="SECRET label", table_name="SECRETT", column_labels={"SECRETID": "SECRET label"}
    )


def por(path: Path) -> None:
    """Labels of the file, of values and of variables."""
    from pyreadstat._readstat_writer import writer_entry_point

    writer_entry_point(
        frame().drop(columns="SECRETID").assign(SECRETID=1.0),
        str(path),
        writer_format="por",
        file_label="SECRET file label",
        column_labels={"SECRETID": "SECRET label", "JOB": "Occupation"},
        variable_value_labels={name: {float(v): text for v, text in of.items()} for name, of in LABELS.items()},
        missing_ranges={"JOB": [99.0], "KIND": ["?"]},
    )


def csv(path: Path) -> None:
    """Nothing but values."""
    frame().to_csv(path, index=False)


MAKERS = {"sav": sav, "zsav": sav, "por": por, "dta": dta, "parquet": parquet, "xlsx": xlsx, "xpt": xpt, "csv": csv}


def found(path: Path) -> list[str]:
    """Texts with the word in what a file holds, packed parts included."""
    parts = [path.read_bytes()]
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            parts += [name.encode() + packed.read(name) for name in packed.namelist()]
    elif path.suffix == ".parquet":
        file = pq.ParquetFile(path)
        parts += [str(file.schema_arrow.metadata).encode(), str(file.metadata.to_dict()).encode()]
        parts += [str(field.metadata).encode() for field in file.schema_arrow]
        for column in file.read().columns:
            held = [chunk.dictionary for chunk in column.chunks if pa.types.is_dictionary(column.type)] or [column]
            parts += [str(values.to_pylist()).encode() for values in held]
    elif path.suffix == ".por":
        parts.append(parts[0].replace(b"\r\n", b""))  # lines are cut wherever they are full
    elif path.suffix == ".zsav":
        raw = parts[0]
        for match in re.finditer(b"\x78[\x01\x5e\x9c\xda]", raw):
            try:
                parts.append(zlib.decompressobj().decompress(raw[match.start() :]))
            except zlib.error:
                continue
    pattern = re.compile(b"|".join(re.escape(WORD.encode(code)) for code in ("ascii", "utf-16-le", "utf-16-be")))
    return [str(part[max(m.start() - 20, 0) : m.end() + 30]) for part in parts for m in pattern.finditer(part)]
