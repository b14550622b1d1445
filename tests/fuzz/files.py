"""Readers fed with damaged files: a clear error or a right result, never a crash, a hang or a silent difference.

``python -m tests.fuzz.files [CASES] [SEED]`` damages small real files of every format, CASES of each (10 000), and
prints how many were refused and how many could still be read.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from core.base.errors import PavoError
from core.data.encoding import BLANKS
from core.formats.registry import read, safe_layout, write
from core.formats.text.writing import Rewrite
from core.metadata.describe import describe
from core.recipe.model import Input, VariableEdit
from tests import naive_io as naive
from tests.typed_files import content, dta, extended_dta, parquet, por, sav, xlsx, xpt

SLOW = 20.0
"""Seconds after which a case counts as a hang."""


def fixed(path: Path) -> Path:
    path.write_bytes(b"".join(b"%2d%s%5.1f\r\n" % (i, "aé"[i % 2].encode("cp1252"), i / 3) for i in range(40)))
    return path


def delimited(path: Path) -> Path:
    rows = [f'{i};"t ""{i}"" é;\n";{i / 3:.2f}'.replace(".", ",") for i in range(40)]
    path.write_text("\n".join(["A;B b;C", *rows]), encoding="utf-8")
    return path


MAKERS: dict[str, Callable[[Path], Path]] = {
    "fixed.asc": fixed,
    "delimited.csv": delimited,
    "spss.sav": sav,
    "packed.zsav": sav,
    "stata.dta": dta,
    "old.dta": lambda path: dta(path, 115),
    "extended.dta": extended_dta,
    "data.parquet": parquet,
    "table.xlsx": xlsx,
    "transport.xpt": xpt,
    "portable.por": por,
}
FIXED = (
    VariableEdit("A", start=1, length=2),
    VariableEdit("B", start=3, length=1),
    VariableEdit("C", start=4, length=5),
)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """`data` with one to four injuries."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        if not found:
            return bytes(found)
        at = chance.randrange(len(found))
        if chance.random() < 0.4:
            at = chance.randrange(min(len(found), 400))
        size = chance.choice((1, 1, 2, 4, 8, 50))
        match chance.randrange(7):
            case 0:
                found[at] ^= 1 << chance.randrange(8)
            case 1:
                found[at : at + size] = chance.randbytes(size)
            case 2:
                found[at : at + size] = bytes([chance.choice((0, 255, 127, 34, 10, 13))]) * size
            case 3:
                del found[at : at + size]
            case 4:
                found[at:at] = chance.randbytes(size)
            case 5:
                del found[at:]
            case _:
                found[at:at] = found[chance.randrange(len(found)) :][:size]
    return bytes(found)


def damaged_within(data: bytes, chance: random.Random) -> bytes:
    """An archive (.xlsx) with an injury to one of its parts, packed again: its checksums hide no injury then."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    name = chance.choice(list(parts))
    parts[name] = damaged(parts[name], chance)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for part, held in parts.items():
            packed.writestr(part, held)
    return out.getvalue()


def told(error: PavoError) -> str:
    """The error's id, once its sentence has been made."""
    if not str(error):
        raise AssertionError(error.id)
    return error.id


def one_case(path: Path) -> str:
    """Read a file with all its variables, write it, and read that: "right", or the id of the error."""
    source = Input(path, format="fixed", variables="here") if path.suffix == ".asc" else Input(path)
    try:
        metadata = describe(source, FIXED if path.suffix == ".asc" else ())
        microdata = read(path, metadata, metadata.names)
    except PavoError as error:
        return told(error)
    if metadata.format == "delimited":
        _compare_with_naive(path, microdata, metadata)
    out = path.with_name(f"out{path.suffix}")
    layout = safe_layout(metadata, {}, frozenset())
    try:
        with out.open("wb") as file:
            write(Rewrite(microdata.source, metadata, {}, layout), file)
    except PavoError as error:
        return told(error)
    if path.suffix == ".asc" and _ends_in_control(out.read_bytes()):
        return "control-at-end"  # it is read as part of the line's end, and the check of the safe file refuses it
    again = read(out, layout, layout.names)
    for name, column in microdata.columns.items():
        other = again.columns[name]
        assert other.codes == column.codes, name
        assert (other.values == column.values).all(), name
    if metadata.format not in ("fixed", "delimited", "excel"):
        assert _values(out).equals(_values(path))
    return "right"


def _ends_in_control(data: bytes) -> bool:
    return any(line and line[-1] < 32 for line in data.replace(b"\r\n", b"\n").split(b"\n"))


def _values(path: Path) -> pa.Table:
    """The values of a file; in SPSS and SAS blanks at the end of a text only fill its field."""
    table = content(path)[1]
    if path.suffix not in (".sav", ".zsav", ".por", ".xpt"):
        return table
    columns = [pc.utf8_rtrim(c, " ") if pa.types.is_string(c.type) else c for c in table.columns]
    return pa.table(columns, table.column_names)


def _compare_with_naive(path: Path, microdata: object, metadata: object) -> None:
    """A reader character by character finds the same fields."""
    text = path.read_bytes().decode(metadata.encoding).removeprefix("\ufeff")  # type: ignore[attr-defined]
    found = naive.delimited_rows(text.encode(), metadata.delimiter)  # type: ignore[attr-defined]
    rows = [row for _, row in found][metadata.header :]  # type: ignore[attr-defined]
    for position, name in enumerate(metadata.names):  # type: ignore[attr-defined]
        column = microdata.columns[name]  # type: ignore[attr-defined]
        assert [column.codes[i] for i in column.values.tolist()] == [row[position].strip(BLANKS) for row in rows]


def fuzz(name: str, cases: int, seed: int, folder: Path, failures: list[str] | None = None) -> Counter[str]:
    """Outcomes of `cases` damaged files.

    Raises at the first that is none of the allowed ones, or adds it to `failures`.
    """
    chance = random.Random(f"{name} {seed}")
    whole = MAKERS[name](folder / name).read_bytes()
    path = folder / f"case{Path(name).suffix}"
    outcomes: Counter[str] = Counter()
    for number in range(cases):
        within = path.suffix == ".xlsx" and chance.random() < 0.8
        path.write_bytes((damaged_within if within else damaged)(whole, chance))
        begun = time.monotonic()
        try:
            outcome = one_case(path)
        except Exception as error:
            kept = Path(tempfile.gettempdir()) / f"pavo-fuzz-{seed}-{number}-{name}"
            kept.write_bytes(path.read_bytes())
            sys.stderr.write(f"{name}, case {number} of seed {seed}, kept as {kept}\n")
            if failures is None:
                raise
            failures.append(f"{kept}: {error!r}"[:300])
            outcome = "FAILED"
        if time.monotonic() - begun > SLOW:
            raise TimeoutError(f"{name}, case {number} of seed {seed}")
        outcomes[outcome] += 1
    return outcomes


def main(arguments: list[str]) -> None:
    cases = int(arguments[0]) if arguments else 10_000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    only = arguments[2:] or list(MAKERS)
    for name in only:
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            failures: list[str] = []
            outcomes = fuzz(name, cases, seed, Path(folder), failures)
            found = ", ".join(f"{outcome} {count}" for outcome, count in outcomes.most_common())
            print(f"{name}: {cases} cases in {time.monotonic() - begun:.0f} s: {found}", *failures[:20], sep="\n  ")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
