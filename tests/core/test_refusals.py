"""What the command refuses: one clear sentence, exit status 1, nothing written; and what it accepts and says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.small_survey import RECIPE, Survey

Spoil = Callable[[Survey], None]


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    return Survey(tmp_path)


def recipe(old: str, new: str) -> Spoil:
    def spoil(survey: Survey) -> None:
        assert old in survey.recipe
        survey.recipe = survey.recipe.replace(old, new)

    return spoil


def metadata(old: str, new: str) -> Spoil:
    def spoil(survey: Survey) -> None:
        assert old in survey.rda
        survey.rda = survey.rda.replace(old, new)

    return spoil


def field(record: int, start: int, text: str) -> Spoil:
    def spoil(survey: Survey) -> None:
        line = survey.lines[record - 1]
        survey.lines[record - 1] = line[: start - 1] + text + line[start - 1 + len(text) :]

    return spoil


def nothing(survey: Survey) -> None:
    """The spoiling is done on the files themselves."""


def truncated(survey: Survey) -> None:
    survey.data.write_bytes(survey.data.read_bytes()[:-7])


def empty(survey: Survey) -> None:
    survey.data.write_bytes(b"")


def absent(survey: Survey) -> None:
    survey.data.unlink()


def binary_metadata(survey: Survey) -> None:
    (survey.folder / "survey.rda").write_bytes(b"\x00\x01\x02REGION 1 2\x00")


def file_in_the_way(survey: Survey) -> None:
    (survey.folder / "out").write_bytes(b"a file, not a folder")


RECODE = '[[recodes]]\nvariable = "AGE"\nscheme = "1: -49\\n2 50-"\n[threshold]'
FIXED = "".join(f"[variables.{name}]\nsuppressible = false\n" for name in ("AGE", "SEX", "REGION")) + "[threshold]"

REFUSED: list[tuple[str, Spoil, Spoil, tuple[str, ...]]] = [
    ("truncated", nothing, truncated, ("survey.asc", "line 60", "within a record")),
    ("line too long", field(7, 15, "x"), nothing, ("survey.asc", "line 7", "15 bytes")),
    ("line too short", lambda s: s.lines.__setitem__(6, s.lines[6][:-1]), nothing, ("line 7", "13 bytes")),
    ("letter in the weight", field(3, 6, "2O.0 "), nothing, ("line 3", "WEIGHT", "not a number")),
    ("negative weight", field(4, 6, " -2.0"), nothing, ("line 4", "WEIGHT", "negative")),
    ("empty weight", field(5, 6, "     "), nothing, ("line 5", "WEIGHT", "empty")),
    ("overlapping fields", metadata("AGE 4 2", "AGE 3 2"), nothing, ("AGE", "SEX", "inside")),
    ("field beyond the record", metadata("INCOME 11 4", "INCOME 11 9"), nothing, ("INCOME", "line 1")),
    ("binary metadata", nothing, binary_metadata, ("survey.rda",)),
    ("empty data", nothing, empty, ("survey.asc", "no records")),
    ("no data file", nothing, absent, ("survey.asc", "not exist")),
    ("recode without colon", recipe("[threshold]", RECODE), nothing, ("AGE", "line 2", "colon")),
    ("unknown key", recipe("[threshold]", "[threshold]\nunsafe_record = 3"), nothing, ("threshold.unsafe_record",)),
    ("wrong type", recipe("0.02", '"0.02"'), nothing, ("threshold.individual_risk", "number")),
    ("out of range", recipe("0.02", "1.5"), nothing, ("threshold.individual_risk", "1.5")),
    ("not TOML", recipe("0.02", "0.02 0.03"), nothing, ("line 8",)),
    ("unknown variable", recipe('"AGE"]', '"AEG"]'), nothing, ("combinations[1].variables", "AEG")),
    ("numeric key", recipe('"AGE"]', '"INCOME"]'), nothing, ("combinations[1].variables", "INCOME", "categorical")),
    ("too many unsafe", recipe("individual_risk = 0.02", "unsafe_records = 61"), nothing, ("61", "60")),
    ("output is an input", recipe("out/safe.asc", "./survey.asc"), nothing, ("output.data", "survey.asc", "input")),
    ("output is the recipe", recipe("out/report.html", "survey.pavo"), nothing, ("output.report", "survey.pavo")),
    ("outputs the same", recipe("out/safe.rds", "out/safe.asc"), nothing, ("output.metadata", "output.data")),
    ("output is a folder", recipe("out/safe.rds", "."), nothing, ("output.metadata", "folder")),
    ("folder is a file", nothing, file_in_the_way, ("safe.asc", "cannot be written")),
    ("no threshold", recipe("individual_risk = 0.02", ""), nothing, ("combinations[1].threshold",)),
    ("threshold out of reach", recipe("0.02", "0.0001"), nothing, ("0.0001", "cannot be met")),
    ("nothing suppressible", recipe("[threshold]", FIXED), nothing, ("records", "may not be suppressed")),
    ("no missing code", metadata('REGION 1 2 "99"', "REGION 1 2"), nothing, ("REGION", "missing code")),
    ("no households", recipe("individual_risk", "household_risk"), nothing, ("threshold.household_risk", "identifier")),
    ("format that is only read", recipe("out/safe.asc", "out/safe.sas7bdat"), nothing, (".sas7bdat", ".xpt")),
    ("another file", recipe("[input]", f'[input]\nsha256 = "{"0" * 64}"'), nothing, ("survey.asc", "SHA-256")),
    ("time limit", recipe("[output]", "[suppression]\ntime_limit = 5\n[output]"), nothing, ("time_limit", "effort")),
]


@pytest.mark.parametrize(("before", "after", "says"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused_with_one_sentence_and_nothing_written(
    survey: Survey, capsys: pytest.CaptureFixture[str], before: Spoil, after: Spoil, says: tuple[str, ...]
) -> None:
    before(survey)
    survey.write()
    after(survey)
    there = survey.files()
    assert survey.run() == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    for part in says:
        assert part in said.err
    assert survey.files() == there
    assert not (survey.folder / "out").is_dir()


@pytest.mark.parametrize("make", [os.link, os.symlink])
def test_an_input_under_another_name_is_still_an_input(
    survey: Survey, capsys: pytest.CaptureFixture[str], make: Callable[[Path, Path], None]
) -> None:
    survey.recipe = RECIPE.replace("out/safe.asc", "other.asc")
    survey.write()
    make(survey.data, survey.folder / "other.asc")
    there = survey.files()
    assert survey.run() == 1
    assert "which is an input" in capsys.readouterr().err
    assert survey.files() == there


@pytest.mark.skipif(sys.platform == "win32", reason="a limit on file sizes stands for a full disk")
def test_a_full_disk_is_said_and_leaves_nothing(survey: Survey) -> None:
    survey.write()
    there = survey.files()

    def small_disk() -> None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    command = f"import sys; from core.batch import main; sys.exit(main([{str(survey.folder / 'survey.pavo')!r}]))"
    environment = {**os.environ, "NUMBA_DISABLE_CACHING": "1"}
    done = subprocess.run(
        [sys.executable, "-c", command],
        preexec_fn=small_disk,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 1
    assert "There is no room to write" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert survey.files() == there
    assert not survey.out.exists()


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["a", "--out"], ["a", "--loud"]])
def test_wrong_usage(survey: Survey, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    from core.batch import main

    assert main(arguments) == 2
    assert "usage" in capsys.readouterr().err


TWICE = '[[recodes]]\nvariable = "AGE"\nscheme = "1: 30,40,60-62\\n2: 62-"\n[threshold]'
LABELLED = 'SEX 3 1 "9"\n  <RECODABLE>\n  <CODELIST> "sex.cdl"'

ACCEPTED: list[tuple[str, Spoil, str]] = [
    ("zero weight", field(3, 6, "  0.0"), "zero-weights"),
    ("no weight", metadata("  <WEIGHT>\n", ""), "no-weight"),
    ("code named twice", recipe("[threshold]", TWICE), "recode-overlapping"),
    ("missing code with a label", metadata('SEX 3 1 "9"\n  <RECODABLE>', LABELLED), "missing-code"),
]


@pytest.mark.parametrize(("before", "id"), [row[1:] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED])
def test_accepted_and_said(survey: Survey, capsys: pytest.CaptureFixture[str], before: Spoil, id: str) -> None:
    (survey.folder / "sex.cdl").write_text("1,Male\n2,Female\n9,Other\n", encoding="utf-8")
    before(survey)
    survey.recipe = survey.recipe.replace("0.02", "0.9")
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    summary = json.loads(capsys.readouterr().out)
    assert summary["verified"] is True
    assert any(warning["id"].startswith(id) for warning in summary["warnings"]), summary["warnings"]


@pytest.mark.parametrize(("units", "status"), [("population", 0), ("sample", 1)])
def test_what_the_records_are_without_a_weight(
    survey: Survey, capsys: pytest.CaptureFixture[str], units: str, status: int
) -> None:
    metadata("  <WEIGHT>\n", "")(survey)
    survey.recipe = survey.recipe.replace("0.02", "0.9").replace("[input]\n", f'[input]\nunits = "{units}"\n')
    survey.write()
    assert survey.run() == status
    told = capsys.readouterr()
    if status:
        assert "combinations[1].model: a sample" in told.err
        assert not survey.out.exists()
    else:
        summary = json.loads(told.out)
        assert "no-weight" not in {warning["id"] for warning in summary["warnings"]}
        assert "the whole population" in next(survey.out.glob("*.html")).read_text("utf-8")


def test_no_record_unsafe_writes_the_file_unchanged(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe = RECIPE.replace("0.02", "1")
    survey.write()
    assert survey.run() == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["combinations"][0]["threshold"]["unsafe_records"] == 0
    assert summary["suppression"]["total"] == 0
    assert (survey.out / "safe.asc").read_bytes() == survey.data.read_bytes()


def test_every_record_unsafe_is_protected(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe = RECIPE.replace("0.02", "0.0034")
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    summary = json.loads(capsys.readouterr().out)
    assert summary["combinations"][0]["threshold"]["unsafe_records"] == 60
    assert summary["suppression"]["records_touched"] == 60
    assert summary["combinations"][0]["after"]["by_mode"]["unsafe_records"] == 0
