"""A safe file differs from the original only where the recipe says so; a run that fails leaves nothing behind."""

from __future__ import annotations

import json
import struct
import tempfile
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from core.base.errors import PavoError
from core.base.progress import Cancelled, Progress
from core.recipe.toml import load
from core.release.run import carry_out
from core.session import Session

SUFFIXES = ("asc", "csv", "sav", "dta", "parquet", "xlsx", "xpt")
APART = ("sav", "xpt")
"""Of these, what a child process reads and writes: one that is struck has to be started again."""
ROWS = [(1 + i % 3, 1 + i % 2, f"{10 + i}.5") for i in range(12)]
FIXED = "A 1 2 98\n <RECODABLE>\nB 3 1 9\n <RECODABLE>\nW 4 6\n <NUMERIC>\n <DECIMALS> 1\n <WEIGHT>\n"


def job(folder: Path, data: Path, *, threshold: str = "1", more: str = "", metadata: str = "") -> Path:
    """A session about `data`."""
    path = folder / "job.pavo"
    described = f'metadata = "{metadata}"' if metadata else '[variables.W]\nrole = "weight"'
    path.write_text(
        f"""recipe = 1
[input]
data = {json.dumps(str(data))}
{described}
[[combinations]]
variables = ["A", "B"]
[threshold]
individual_risk = {threshold}
[output]
data = "safe/out{data.suffix}"
report = "safe/out.html"
{more}
""",
        encoding="utf-8",
    )
    return path


def survey(folder: Path, suffix: str) -> tuple[Path, str]:
    """The same small survey in any format; its data, and its metadata where it needs one."""
    data = folder / f"in.{suffix}"
    frame = pd.DataFrame(ROWS, columns=["A", "B", "W"]).astype({"W": float})
    if suffix == "asc":
        data.write_text("".join(f"{a:2d}{b}{w:>6s}\n" for a, b, w in ROWS))
        (folder / "in.rda").write_text(FIXED)
        return data, "in.rda"
    if suffix in ("csv", "parquet"):
        frame.to_csv(data, index=False) if suffix == "csv" else frame.to_parquet(data, index=False)
    elif suffix == "dta":
        frame.to_stata(data, write_index=False)
    elif suffix == "xlsx":
        frame.to_excel(data, index=False)
    else:
        {"sav": pyreadstat.write_sav, "xpt": pyreadstat.write_xport}[suffix](frame, data)
    return data, ""


def run(path: Path, progress: Progress | None = None) -> None:
    carry_out(Session(), load(path), *([progress] if progress else []))


@pytest.mark.parametrize(
    "text",
    [
        "A,B,W\n1,2,3.5\n2,1,4.50\n",
        "A;B;W\r\n 1 ;2;3.5\r\n2;1;4,5\r\n".replace(",", "."),
        'A,B,W\n"1",2,"3.5"\n2,"1",4',
        '\ufeff"A","B",W\r\n1,2,3.5\r\n\r\n2,1,4\r\n'.replace("\r\n\r\n", "\r\n"),
        'A\tB\tW\tnote\n1\t2\t3\t"a ""b"""\n2\t1\t4\té\n',
        "A,B,W\r1,2,3\r2,1,4\r",
    ],
)
def test_delimited_text_byte_for_byte(tmp_path: Path, text: str) -> None:
    data = tmp_path / "in.csv"
    data.write_bytes(text.encode())
    run(job(tmp_path, data))
    assert (tmp_path / "safe" / "out.csv").read_bytes() == data.read_bytes()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_fixed_text_byte_for_byte(tmp_path: Path, end: str, last: bool) -> None:
    (tmp_path / "in.rda").write_text(FIXED)
    data = tmp_path / "in.asc"
    lines = [" 11  3.50", "22 003.5 ", " 21   4.0"]
    data.write_bytes(end.join(lines).encode() + (end.encode() if last else b""))
    run(job(tmp_path, data, metadata="in.rda"))
    assert (tmp_path / "safe" / "out.asc").read_bytes() == data.read_bytes()


def test_bytes_behind_the_last_variable_are_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "in.rda").write_text(FIXED)
    data = tmp_path / "in.asc"
    data.write_bytes(b" 11  3.50secret\n 21   4.0secret\n")
    path = job(tmp_path, data, metadata="in.rda")
    summary = carry_out(Session(), load(path)).summary
    assert (tmp_path / "safe" / "out.asc").read_bytes() == b" 11  3.50\n 21   4.0\n"
    told = [warning["text"] for warning in summary["warnings"] if warning["id"] == "undescribed-columns"]
    assert len(told) == 1 and "10–15" in told[0]


def test_spss_keeps_how_columns_look(tmp_path: Path) -> None:
    data = tmp_path / "in.sav"
    frame = pd.DataFrame({"A": [1.0, 2.0], "long": ["x" * 600, ""], "B": [1.0, 1.0], "W": [10.0, 20.0]})
    pyreadstat.write_sav(
        frame,
        data,
        column_labels={"A": "first"},
        variable_value_labels={"A": {1: "one", 2: "two"}},
        variable_display_width={"A": 13},
        variable_measure={"A": "nominal", "W": "scale", "B": "ordinal"},
        variable_format={"A": "F5.1"},
        missing_ranges={"B": [9]},
    )
    content = bytearray(data.read_bytes())
    place = content.find(struct.pack("<3i", 7, 11, 4)) + 16
    parts = (struct.unpack_from("<i", content, place - 4)[0]) // 3
    assert parts == 6  # the long text is three
    for part, alignment in enumerate((2, 1, 1, 1, 0, 2)):
        struct.pack_into("<i", content, place + 12 * part + 8, alignment)
    data.write_bytes(content)
    run(job(tmp_path, data))
    before, now = (pyreadstat.read_sav(path)[1] for path in (data, tmp_path / "safe" / "out.sav"))
    assert before.variable_alignment == {"A": "center", "long": "right", "B": "left", "W": "center"}
    for what in (
        "variable_alignment",
        "variable_display_width",
        "variable_measure",
        "original_variable_types",
        "variable_value_labels",
        "missing_ranges",
        "column_names_to_labels",
        "variable_storage_width",
    ):
        assert getattr(now, what) == getattr(before, what), what


class Striker:
    """Does something at one check."""

    def __init__(self, at: int, strike: object) -> None:
        self.checks = 0
        self._at, self._strike = at, strike

    def report(self, done: float, total: float, text: str) -> None:
        pass

    def check(self) -> None:
        self.checks += 1
        if self.checks == self._at and callable(self._strike):
            self._strike()


def _cancel() -> None:
    raise Cancelled


def _full() -> None:
    raise OSError(28, "No space left on device")


def _everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("suffix", "strike"), [*((suffix, _cancel) for suffix in SUFFIXES), ("asc", _full), ("csv", _full), ("sav", _full)]
)
def test_nothing_is_left_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, strike: object) -> None:
    folder, temporary = tmp_path / "job", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    data, metadata = survey(folder, suffix)
    session = job(folder, data, threshold="0.05", more="shuffle = true", metadata=metadata)
    before = _everything(folder)
    whole = Striker(0, None)
    run(session, whole)
    assert _everything(folder).keys() - before.keys() == {f"safe/out.{suffix}", "safe/out.html"}
    for path in (folder / "safe").iterdir():
        path.unlink()
    (folder / "safe").rmdir()
    for part in (1, 5) if suffix in APART else (1, 4, 5, 6):
        # Not too near the end, because waiting for a child process checks now more, now less often.
        with pytest.raises((Cancelled, OSError, PavoError)):
            run(session, Striker(max(whole.checks * part // 10, 1), strike))
        assert _everything(folder) == before
        assert not (folder / "safe").exists()
        assert not list(temporary.iterdir())


@pytest.mark.parametrize("suffix", ["asc", "csv", "parquet", "sav", "xlsx"])
def test_data_that_change_during_the_run_are_noticed(tmp_path: Path, suffix: str) -> None:
    data, metadata = survey(tmp_path, suffix)
    session = job(tmp_path, data, threshold="0.05", metadata=metadata)
    whole = Striker(0, None)
    run(session, whole)
    out = tmp_path / "safe" / f"out.{suffix}"
    safe, original = out.read_bytes(), data.read_bytes()
    noticed = 0
    other = tmp_path / "other"
    other.mkdir()
    ROWS.append((1, 1, "99.5"))
    try:
        changed = survey(other, suffix)[0].read_bytes()
    finally:
        ROWS.pop()
    for part in range(1, 7, 2 if suffix in APART else 1):
        out.unlink()
        try:
            run(session, Striker(max(whole.checks * part // 10, 1), lambda: data.write_bytes(changed)))
        except PavoError:
            noticed += 1
            assert not out.exists()
        else:
            assert out.read_bytes() == safe or part == 1  # else it was changed before it was read
        data.write_bytes(original)
        if not out.exists():
            out.write_bytes(safe)
    assert noticed
