"""Files that a recipe was saved with: others are refused, or accepted and noted; what was written is checked."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from core.batch import main
from core.check_command import main as check
from core.recipe.toml import load, read_bytes
from main import main as command
from tests.core.parts.files import RECIPE as RECIPE_IN_PARTS
from tests.core.parts.files import SurveyInParts, records
from tests.core.small_survey import RECIPE, Survey

OUT = '[output]\nsummary = "out/summary.json"\n'
PROFILE = 'profile = 1\nname = "Ours"\n[[rules]]\ncheck = "verified"\n'


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    """A survey that reads a file of every kind."""
    made = Survey(tmp_path)
    made.rda = made.rda.replace('REGION 1 2 "99"\n', 'REGION 1 2 "99"\n  <CODELIST> "Regio.cdl"\n')
    recodes = '[[recodes]]\nvariable = "AGE"\nscheme_file = "Age.grc"\n[threshold]'
    measures = '[[measures]]\nkind = "interval"\nvariables = ["INCOME"]\nreleased = "before.asc"\nwidth = 10\n'
    made.recipe = "# mine\n" + RECIPE.replace("[threshold]", recodes).replace("[output]\n", measures + OUT)
    made.write()
    (tmp_path / "Regio.cdl").write_text("1,North\n2,South\n3,West\n7,nowhere\n")
    (tmp_path / "Ages.cdl").write_text("1,young\n2,old\n3,none\n")
    (tmp_path / "Age.grc").write_text("1: -39\n2: 40-\n<CODELIST> Ages.cdl\n")
    (tmp_path / "before.asc").write_bytes(made.data.read_bytes())
    return made


READ = ("survey.asc", "survey.rda", "Age.grc", "before.asc", "Regio.cdl", "Ages.cdl")


def summary(survey: Survey) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((survey.out / "summary.json").read_text("utf-8"))
    return found


def pin(survey: Survey) -> None:
    assert survey.run("--accept-changed", "--quiet") == 0


CHANGES: dict[str, Callable[[Path], object]] = {
    "survey.asc": lambda path: path.write_bytes(path.read_bytes().replace(b"153", b"152")),
    "survey.rda": lambda path: path.write_text(path.read_text() + "  <SUPPRESSWEIGHT> 7\n"),
    "Age.grc": lambda path: path.write_text(path.read_text().replace("39", "40").replace("40-", "41-")),
    "before.asc": lambda path: path.write_bytes(path.read_bytes().replace(b"153", b"152")),
    "Regio.cdl": lambda path: path.write_text("1,Nord\n"),
    "Ages.cdl": lambda path: path.write_text("1,Kind\n"),
}


def test_a_recipe_without_checksums_runs_and_its_summary_has_them(survey: Survey) -> None:
    before = (survey.folder / "survey.pavo").read_bytes()
    assert survey.run("--quiet") == 0
    assert summary(survey)["inputs"] == [
        {"path": f"../{name}", "sha256": digest(survey.folder / name)} for name in READ
    ]
    files = summary(survey)["files"]
    assert files["data"] == {"path": "safe.asc", "sha256": digest(survey.out / "safe.asc")}
    assert files["codelists"]["AGE"] == {"path": "safe_AGE.cdl", "sha256": digest(survey.out / "safe_AGE.cdl")}
    assert set(files) == {"data", "metadata", "report", "records", "codelists"}
    assert (survey.folder / "survey.pavo").read_bytes() == before


def test_what_is_accepted_stands_in_the_recipe_and_nothing_else_of_it_changes(survey: Survey) -> None:
    path = survey.folder / "survey.pavo"
    pin(survey)
    recipe = load(path)
    assert recipe.input.sha256 == digest(survey.data)
    assert recipe.input.checksums == tuple((survey.folder / name, digest(survey.folder / name)) for name in READ[1:])
    assert summary(survey)["recipe_sha256"] == digest(path)
    added = path.read_text("utf-8").splitlines()
    assert [line for line in added if line in survey.recipe.splitlines()] == survey.recipe.splitlines()
    before = path.read_bytes()
    pin(survey)
    assert path.read_bytes() == before
    assert survey.run("--quiet") == 0


@pytest.mark.parametrize("name", READ)
def test_a_changed_file_is_refused_by_name_until_it_is_accepted(
    survey: Survey, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pin(survey)
    CHANGES[name](survey.folder / name)
    before = survey.files()
    assert survey.run("--quiet") == 1
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert name in said
    assert "--accept-changed" in said
    assert survey.files() == before
    pin(survey)
    assert survey.run("--quiet") == 0
    assert {path.name: sum for path, sum in load(survey.folder / "survey.pavo").input.checksums} == {
        each: digest(survey.folder / each) for each in READ[1:]
    }


def test_a_suppression_weight_in_the_metadata_is_one_such_change(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    survey.recipe += '[suppression]\ncriterion = "weights"\n'
    survey.rda = survey.rda.replace("SEX 3 1", "SEX 3 1").replace(
        'AGE 4 2 "99"\n', 'AGE 4 2 "99"\n  <SUPPRESSWEIGHT> 90\n'
    )
    survey.write()
    pin(survey)
    survey.rda = survey.rda.replace("<SUPPRESSWEIGHT> 90", "<SUPPRESSWEIGHT> 10")
    metadata = survey.folder / "survey.rda"
    metadata.write_text(survey.rda, encoding="utf-8")
    assert survey.run("--quiet") == 1
    assert "survey.rda" in capsys.readouterr().err
    pin(survey)
    assert summary(survey)["inputs"][1]["sha256"] == digest(metadata)


def test_several_changed_files_are_all_named(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    pin(survey)
    for name in ("Age.grc", "survey.rda"):
        CHANGES[name](survey.folder / name)
    assert survey.run() == 1
    said = capsys.readouterr().err
    assert "Age.grc" in said
    assert "survey.rda" in said


@pytest.mark.parametrize("name", ["Regio.cdl", "Ages.cdl"])
def test_a_codelist_that_is_gone_is_refused_where_it_was_there(
    survey: Survey, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pin(survey)
    (survey.folder / name).unlink()
    assert survey.run("--quiet") == 1
    assert name in capsys.readouterr().err
    pin(survey)
    assert name not in (survey.folder / "survey.pavo").read_text("utf-8")


def test_a_profile_is_pinned_whether_its_own_or_one_of_the_program(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    own = survey.folder / "public-use.toml"
    survey.recipe = survey.recipe.replace("[output]", '[profile]\nfile = "public-use.toml"\n[output]')
    survey.write()
    survey.run("--accept-changed", "--quiet")  # whether it keeps the rules is not the question
    capsys.readouterr()
    shipped = Path(__file__).parents[2] / "resources" / "profiles" / "public-use.toml"
    path = survey.folder / "survey.pavo"
    text = path.read_text("utf-8")
    if "checksums" not in text:
        lines = f'[input.checksums]\n"public-use.toml" = "{digest(shipped)}"\n'
        path.write_text(text.replace("[[combinations]]", lines + "[[combinations]]", 1), encoding="utf-8")
    own.write_bytes(shipped.read_bytes() + b"# other\n")
    assert survey.run("--quiet") == 1
    assert "public-use.toml is not the file" in capsys.readouterr().err


def test_checksums_of_files_that_are_not_read_are_passed_over(survey: Survey) -> None:
    pin(survey)
    path = survey.folder / "survey.pavo"
    text = path.read_text("utf-8").replace("[input.checksums]\n", f'[input.checksums]\n"old.grc" = "{"0" * 64}"\n')
    path.write_text(text, encoding="utf-8")
    assert survey.run("--quiet") == 0


def test_the_data_may_stand_in_the_table_too(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    pin(survey)
    path = survey.folder / "survey.pavo"
    text = path.read_text("utf-8").replace("[input.checksums]\n", f'[input.checksums]\n"survey.asc" = "{"0" * 64}"\n')
    path.write_text(text, encoding="utf-8")
    assert survey.run("--quiet") == 1
    assert "survey.asc" in capsys.readouterr().err


def test_a_recipe_that_cannot_be_written_is_said_beside_its_files(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, path = read_bytes, survey.folder / "survey.pavo"
    path.write_text(survey.recipe)

    def changed(file: Path) -> bytes:
        found = read(file)
        path.write_bytes(found + b"# somebody\n")
        return found

    monkeypatch.setattr("core.batch.read_bytes", changed)
    assert survey.run("--accept-changed", "--quiet") == 1
    said = capsys.readouterr().err
    assert "All files were written" in said
    assert "survey.pavo" in said
    assert path.read_text().endswith("# somebody\n# somebody\n")


def test_comments_that_are_lost_are_said(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe = survey.recipe.replace(
        '[input]\ndata = "survey.asc"\nmetadata = "survey.rda"\n',
        'input.data = "survey.asc"\ninput.metadata = "survey.rda"\n',
    )
    survey.write()
    assert survey.run("--accept-changed", "--quiet") == 0
    assert "comments were not kept" in capsys.readouterr().err
    assert survey.run("--quiet") == 0


def test_ends_of_lines_and_the_mark_of_the_encoding_are_kept(survey: Survey) -> None:
    path = survey.folder / "survey.pavo"
    path.write_bytes(b"\xef\xbb\xbf" + survey.recipe.replace("\n", "\r\n").encode())
    pin(survey)
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf# mine\r\n")
    assert content.count(b"\n") == content.count(b"\r\n")
    assert summary(survey)["recipe_sha256"] == digest(path)


def test_outsiders_get_no_checksum_of_what_was_read(survey: Survey) -> None:
    survey.recipe = survey.recipe.replace("[output]", '[report]\nvariant = "external"\n[output]')
    survey.write()
    pin(survey)
    told = (survey.out / "summary.json").read_text("utf-8") + (survey.out / "report.html").read_text("utf-8")
    for path in (*(survey.folder / name for name in READ), survey.folder / "survey.pavo", survey.out / "records.csv"):
        assert digest(path) not in told
    for name in ("safe.asc", "safe.rds", "safe_AGE.cdl"):
        assert told.count(digest(survey.out / name)) == 2


def test_the_house_finds_all_of_them_in_the_report(survey: Survey) -> None:
    assert survey.run("--quiet") == 0
    told = (survey.out / "report.html").read_text("utf-8")
    named = [survey.folder / name for name in READ] + [survey.out / n for n in ("safe.asc", "safe.rds", "safe_AGE.cdl")]
    assert all(digest(path) in told for path in named)


# What was written ----------------------------------------------------------------------------------------------------


def checked(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    status = check([str(path)])
    said = capsys.readouterr()
    return status, said.err or said.out


def test_the_files_of_a_run_are_found_wherever_they_are_taken(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert survey.run("--quiet") == 0
    assert checked(survey.out / "summary.json", capsys) == (0, "6 files are those that were written.\n")
    moved = survey.folder / "moved"
    survey.out.rename(moved)
    monkeypatch.chdir(moved)
    assert command(["pavo", "check", "summary.json"]) == 0


@pytest.mark.parametrize(
    "name", ["safe.asc", "safe.rds", "safe_AGE.cdl", "safe_REGION.cdl", "report.html", "records.csv"]
)
@pytest.mark.parametrize("how", ["altered", "missing", "a folder"])
def test_a_file_that_is_another_one_is_named(
    survey: Survey, name: str, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert survey.run("--quiet") == 0
    path = survey.out / name
    content = bytearray(path.read_bytes())
    path.unlink()
    if how == "altered":
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    elif how == "a folder":
        path.mkdir()
    status, said = checked(survey.out / "summary.json", capsys)
    assert status == 1
    assert len(said.splitlines()) == 1
    assert name in said
    assert ("missing" in said) == (how == "missing")


@pytest.fixture
def parts(tmp_path: Path) -> SurveyInParts:
    survey = SurveyInParts(tmp_path)
    survey.split(records(), 3)
    assert survey.run(RECIPE_IN_PARTS.format(data='"parts"', out="safe"), "--accept-changed") == 0
    return survey


@pytest.mark.parametrize(
    "name", ["safe/p001.csv", "safe/manifest.json", "safe.rda", "gone", "more", "part and manifest"]
)
def test_of_a_file_in_parts_every_part_is_looked_at(
    parts: SurveyInParts, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    summary, folder = parts.folder / "summary.json", parts.folder / "safe"
    status, said = checked(summary, capsys)
    assert (status, said) == (0, "6 files are those that were written.\n")
    if name == "gone":
        (folder / "p002.csv").unlink()
    elif name == "more":
        (folder / "p003.csv").write_text("x")
    elif name == "part and manifest":
        old = digest(folder / "p001.csv")
        (folder / "p001.csv").write_text("x")
        manifest = folder / "manifest.json"
        manifest.write_text(manifest.read_text().replace(old, digest(folder / "p001.csv")))
    else:
        (parts.folder / name).write_bytes((parts.folder / name).read_bytes() + b"\n")
    assert checked(summary, capsys)[0] == 1


def test_a_changed_part_is_refused_and_accepted(parts: SurveyInParts, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = parts.folder / "recipe.pavo"
    assert main([str(recipe), "--quiet"]) == 0
    path = parts.folder / "parts" / "p001.csv"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    assert main([str(recipe), "--quiet"]) == 1
    assert "--accept-changed" in capsys.readouterr().err
    assert main([str(recipe), "--quiet", "--accept-changed"]) == 0
    assert main([str(recipe), "--quiet"]) == 0


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "nonsense", '{"files": {}}', '{"files": {"data": "safe.asc"}}', '{"files": {"data": {"path": 1}}}',
     '{"files": {"data": {"path": "a\\u0000", "sha256": "00"}}}', '{"files": ' + "[" * 5000],
)  # fmt: skip
def test_what_is_no_summary_with_checksums_is_wrong_usage(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "summary.json"
    path.write_text(text)
    status, said = checked(path, capsys)
    assert (status, len(said.splitlines())) == (2, 1)
    assert check([]) == 2
    assert check([str(tmp_path / "none.json")]) == 2


def test_a_path_that_is_too_long_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = tmp_path / "summary.json"
    summary.write_text(json.dumps({"files": {"data": {"path": "a" * 70_000, "sha256": "0" * 64}}}))
    status, said = checked(summary, capsys)
    assert (status, len(said.splitlines())) == (1, 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_in_the_place_of_a_file_does_not_hold_it_up(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    assert survey.run("--quiet") == 0
    (survey.out / "safe.asc").unlink()
    os.mkfifo(survey.out / "safe.asc")
    assert checked(survey.out / "summary.json", capsys)[0] == 1
