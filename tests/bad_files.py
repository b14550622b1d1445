"""Files that cannot be used, and what the program says: ``python -m tests.bad_files`` writes docs/bad-files.md."""

from __future__ import annotations

import codecs
import tempfile
from collections.abc import Callable
from pathlib import Path

from core.base.errors import PavoError
from core.formats.registry import read
from core.metadata.describe import describe
from core.recipe.model import Input, VariableEdit
from tests.fuzz.files import por
from tests.typed_files import dta, parquet, sav, xlsx, xpt

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "bad-files.md"
FIXED = (VariableEdit("A", start=1, length=2), VariableEdit("W", start=3, length=4, role="weight"))
HEAD = """# Files that cannot be used

What is wrong with a file, and what the program says. This page is made by `python -m tests.bad_files`, and a test holds
it to what the program really says. Nothing is written in any of these cases.

| file | what the program says |
|---|---|
"""


def _bytes(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


def _cut(make: Callable[[Path], Path], keep: float) -> Callable[[Path], object]:
    def cut(path: Path) -> None:
        data = make(path).read_bytes()
        path.write_bytes(data[: int(len(data) * keep)])

    return cut


def _formula(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["A", "W"])
    sheet.append([1, "=A2*2"])
    book.save(path)


def _no_name(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["A", None, "B"])
    sheet.append([1, 2, 3])
    book.save(path)


def _twice(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["A", "A"])
    sheet.append([1, 2])
    book.save(path)


def _names_only(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["A", "W"])
    book.save(path)


def _folder(path: Path) -> None:
    path.mkdir()


def _below_a_file(path: Path) -> None:
    path.parent.write_bytes(b"A,W\n1,2\n")


def _as(suffix: str, make: Callable[[Path], object]) -> Callable[[Path], object]:
    """A file of one format under another's suffix."""

    def named(path: Path) -> None:
        original = path.with_name(f"original-{path.name}{suffix}")
        make(original)
        original.rename(path)

    return named


_GARBAGE = bytes(range(256)) * 40

FILES: tuple[tuple[str, str, Callable[[Path], object]], ...] = (
    ("does not exist", "none.csv", lambda path: None),
    ("is a folder", "folder.csv", _folder),
    ("is below a file, or in a folder that cannot be opened", "file.txt/data.csv", _below_a_file),
    ("a suffix that says nothing", "data.bin", _bytes(b"1")),
    ("fixed: empty", "empty.asc", _bytes(b"")),
    ("fixed: a record is cut off", "cut.asc", _bytes(b"111.50\n122.50\n1")),
    ("fixed: a line is too long", "long.asc", _bytes(b"111.50\n122.50x\n")),
    ("fixed: a line is too short", "short.asc", _bytes(b"111.50\n122.5\n133.50\n")),
    ("fixed: every line is too short for the metadata", "narrow.asc", _bytes(b"111\n122\n")),
    ("fixed: a letter in the weight", "letter.asc", _bytes(b"111.50\n12x.50\n")),
    ("fixed: a negative weight", "negative.asc", _bytes(b"111.50\n12-1.5\n")),
    ("fixed: an empty weight", "blank.asc", _bytes(b"111.50\n12    \n")),
    ("fixed: in UTF-16", "wide.asc", _bytes("111.50\n".encode("utf-16"))),
    ("fixed: a zero byte", "zero.asc", _bytes(b"111.50\n1\0 2.5\n")),
    ("fixed: lines end with a carriage return only", "mac.asc", _bytes(b"111.50\r122.50\r")),
    ("fixed: an Excel file", "excel.asc", _as(".xlsx", xlsx)),
    ("fixed: garbage", "garbage.asc", _bytes(_GARBAGE)),
    ("csv: empty", "empty.csv", _bytes(b"")),
    ("csv: a header and no records", "header.csv", _bytes(b"A,W\n")),
    ("csv: cut off within quotes", "cut.csv", _bytes(b'A,W\n1,2\n3,"4')),
    ("csv: a record has another number of fields", "ragged.csv", _bytes(b"A,W\n1,2\n1,2,3\n")),
    ("csv: a record has too few fields", "few.csv", _bytes(b"A,W\n1,2\n1\n")),
    ("csv: a quotation mark is never closed", "quote.csv", _bytes(b'A,W\n1,2\n"3,4\n')),
    ("csv: text behind a closing quotation mark", "behind.csv", _bytes(b'A,W\n1,2\n"3"x,4\n')),
    ("csv: two columns of one name", "twice.csv", _bytes(b"A,A\nx,y\n")),
    ("csv: a zero byte", "zero.csv", _bytes(b"A,W\n1,\0\n")),
    ("csv: UTF-16 that is cut off", "half.csv", _bytes(codecs.BOM_UTF16_LE + "A,W\n1,2\n".encode("utf-16-le")[:-1])),
    ("csv: an Excel file", "excel.csv", _as(".xlsx", xlsx)),
    ("csv: garbage", "garbage.csv", _bytes(_GARBAGE)),
    ("SPSS: empty", "empty.sav", _bytes(b"")),
    ("SPSS: a text file", "text.sav", _bytes(b"A,W\n1,2\n")),
    ("SPSS: a Stata file", "stata.sav", _as(".dta", dta)),
    ("SPSS: cut off", "cut.sav", _cut(sav, 0.5)),
    ("SPSS: packed and cut off", "cut.zsav", _cut(sav, 0.8)),
    ("SPSS: garbage", "garbage.sav", _bytes(_GARBAGE)),
    ("SPSS portable: a text file", "text.por", _bytes(b"A,W\n1,2\n")),
    ("SPSS portable: cut off", "cut.por", _cut(por, 0.3)),
    ("Stata: empty", "empty.dta", _bytes(b"")),
    ("Stata: a text file", "text.dta", _bytes(b"A,W\n1,2\n")),
    ("Stata: an SPSS file", "spss.dta", _as(".sav", sav)),
    ("Stata: cut off", "cut.dta", _cut(dta, 0.3)),
    ("Stata: garbage", "garbage.dta", _bytes(_GARBAGE)),
    ("SAS: empty", "empty.sas7bdat", _bytes(b"")),
    ("SAS: a text file", "text.sas7bdat", _bytes(b"A,W\n1,2\n")),
    ("SAS: a transport file", "transport.sas7bdat", _as(".xpt", xpt)),
    ("SAS: garbage", "garbage.sas7bdat", _bytes(_GARBAGE)),
    ("SAS transport: empty", "empty.xpt", _bytes(b"")),
    ("SAS transport: a text file", "text.xpt", _bytes(b"A,W\n1,2\n")),
    ("SAS transport: cut off", "cut.xpt", _cut(xpt, 0.5)),
    ("Parquet: empty", "empty.parquet", _bytes(b"")),
    ("Parquet: a text file", "text.parquet", _bytes(b"A,W\n1,2\n")),
    ("Parquet: cut off", "cut.parquet", _cut(parquet, 0.9)),
    ("Parquet: garbage", "garbage.parquet", _bytes(_GARBAGE)),
    ("Excel: empty", "empty.xlsx", _bytes(b"")),
    ("Excel: a text file", "text.xlsx", _bytes(b"A,W\n1,2\n")),
    ("Excel: the old format", "old.xlsx", _bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600))),
    ("Excel: cut off", "cut.xlsx", _cut(xlsx, 0.9)),
    ("Excel: names and no records", "names.xlsx", _names_only),
    ("Excel: a formula", "formula.xlsx", _formula),
    ("Excel: a column without a name", "unnamed.xlsx", _no_name),
    ("Excel: two columns of one name", "twice.xlsx", _twice),
)

READ: tuple[tuple[str, str, Callable[[Path], object]], ...] = (
    ("csv: two columns of one name but for case", "case.csv", _bytes(b"Sex,SEX\nx,y\n")),
    ("csv: a column without a name", "unnamed.csv", _bytes(b"A,\nx,y\n")),
    ("csv: UTF-16 without a byte order mark", "nomark.csv", _bytes("A,W\n1,2\n".encode("utf-16-le"))),
    ("one column", "one.csv", _bytes(b"A\nx\ny\n")),
    ("line ends of both kinds", "mixed.csv", _bytes(b"A,W\r\n1,2\n3,4\r\n")),
    ("line ends of both kinds, fixed", "mixed.asc", _bytes(b"111.50\r\n122.50\n")),
    ("no line end at the end", "open.csv", _bytes(b"A,W\n1,2")),
    ("an end-of-file mark", "dos.asc", _bytes(b"111.50\n122.50\n\x1a")),
    ("an empty line within", "gap.csv", _bytes(b"A,W\n1,2\n\n3,4\n")),
    ("lines end with a carriage return only", "mac.csv", _bytes(b"A,W\r1,2\r")),
    ("line ends within quotes", "quoted.csv", _bytes(b'A,W\n"1\n2",2\n')),
)
"""Files that look odd and can be read."""


def sentence(make: Callable[[Path], object], path: Path) -> str:
    """What the program says of a file; the folder is left out."""
    if make is not _below_a_file:
        path.parent.mkdir(exist_ok=True)
    make(path)
    fixed = path.suffix == ".asc"
    try:
        metadata = describe(Input(path, variables="here" if fixed else "from-metadata"), FIXED if fixed else ())
        read(path, metadata, metadata.names)
    except PavoError as error:
        return str(error).replace(str(path), path.name).replace(str(path.parent), "…")
    return "read"


def document() -> str:
    """The page."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [(what, sentence(make, Path(folder) / name)) for what, name, make in FILES]
    return HEAD + "".join(f"| {what} | {said.replace('|', '&#124;')} |\n" for what, said in rows)


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
