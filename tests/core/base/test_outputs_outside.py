"""Where a recipe may write without being asked: in its own folder, in that of ``--out``, and below them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.base.errors import OutputError
from core.base.outputs import Outputs, outside_of
from core.batch import main
from core.recipe.model import OUTPUT_FILES
from tests.core.parts.files import RECIPE as RECIPE_IN_PARTS
from tests.core.parts.files import SurveyInParts, records
from tests.core.small_survey import Survey

posix = pytest.mark.skipif(os.name != "posix", reason="links need rights there, and names have no case")


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    (tmp_path / "own").mkdir()
    return Survey(tmp_path / "own")


def all_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def refused(survey: Survey, capsys: pytest.CaptureFixture[str], *names: str) -> None:
    """The run makes nothing anywhere and names the files; with the option it makes them."""
    survey.write()
    before = all_below(survey.folder.parent)
    assert survey.run("--quiet") == 1
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert all(name in said for name in names)
    assert "--overwrite" in said
    assert all_below(survey.folder.parent) == before
    assert survey.run("--quiet", "--overwrite") == 0


@pytest.mark.parametrize("place", ["../away/x.desktop", "../x.desktop", "out/../../x.desktop", "{absolute}/x.desktop"])
def test_a_new_file_outside_is_refused(survey: Survey, capsys: pytest.CaptureFixture[str], place: str) -> None:
    place = place.format(absolute=(survey.folder.parent / "away").as_posix())
    survey.recipe = survey.recipe.replace("out/report.html", place)
    refused(survey, capsys, "x.desktop")


@pytest.mark.parametrize("role", OUTPUT_FILES)
def test_no_kind_of_output_is_made_outside(survey: Survey, role: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for line in survey.recipe.splitlines() if not line.startswith(f'{role} = "out/')]
    survey.recipe = "\n".join([*lines, f'{role} = "../away/made.{role}"', ""])
    survey.write()
    assert main([str(survey.folder / "survey.pavo"), "--quiet"]) == 1
    assert "made." in capsys.readouterr().err
    assert not (survey.folder.parent / "away").exists()


@posix
@pytest.mark.parametrize("there", [False, True])
def test_a_link_that_leads_outside_is_refused(survey: Survey, there: bool, capsys: pytest.CaptureFixture[str]) -> None:
    target = survey.folder.parent / "theirs.html"
    if there:
        target.write_text("theirs")
    survey.out.mkdir()
    (survey.out / "report.html").symlink_to(target)
    refused(survey, capsys, "report.html")
    assert target.is_file()


@posix
@pytest.mark.parametrize("there", [False, True])
def test_a_folder_that_is_a_link_to_outside_is_refused(
    survey: Survey, there: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    away = survey.folder.parent / "away"
    if there:
        away.mkdir()
    survey.out.symlink_to(away)
    survey.write()
    assert survey.run("--quiet") == 1
    said = capsys.readouterr().err
    assert all(name in said for name in ("safe.asc", "safe.rds", "report.html", "records.csv"))
    assert away.exists() == there
    assert not there or not list(away.iterdir())


@posix
def test_a_link_that_is_turned_between_two_looks_opens_no_way_out(tmp_path: Path) -> None:
    own, away, link = tmp_path / "own", tmp_path / "away", tmp_path / "own" / "link"
    (own / "in").mkdir(parents=True)
    away.mkdir()
    link.symlink_to(away)
    outputs = Outputs({"data": link / "x.csv"}, (), [own])
    link.unlink()
    link.symlink_to(own / "in")
    with pytest.raises(OutputError, match=r"x\.csv"):
        outputs.__enter__()
    assert not list(away.iterdir())


@posix
def test_a_name_that_differs_in_case_is_another_folder_where_the_system_says_so(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    if (survey.folder.parent / "OWN").exists():
        pytest.skip("names here differ by more than case")
    survey.recipe = survey.recipe.replace("out/report.html", "../OWN/report.html")
    refused(survey, capsys, "OWN")


def test_new_folders_below_its_own_and_below_that_of_out_are_made(survey: Survey) -> None:
    survey.recipe = survey.recipe.replace("out/report.html", "out/a/b/../c/report.html")
    survey.write()
    assert survey.run("--quiet") == 0
    assert (survey.out / "a" / "c" / "report.html").is_file()
    elsewhere = survey.folder.parent / "else" / "where"
    assert survey.run("--quiet", "--out", str(elsewhere)) == 0
    assert (elsewhere / "report.html").is_file()


@posix
def test_a_recipe_behind_a_link_writes_beside_it(survey: Survey) -> None:
    survey.write()
    linked = survey.folder.parent / "linked"
    linked.symlink_to(survey.folder)
    assert Survey(linked).run("--quiet") == 0
    assert (survey.out / "safe.asc").is_file()


def test_the_parts_of_a_safe_file_are_not_made_outside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own").mkdir()
    survey = SurveyInParts(tmp_path / "own")
    survey.split(records(), 3)
    recipe = RECIPE_IN_PARTS.format(data='"parts"', out="../away/safe")
    assert survey.run(recipe) == 1
    said = capsys.readouterr().err
    assert all(name in said for name in ("p000.csv", "p002.csv", "manifest.json", "safe.rda", "--overwrite"))
    assert not (tmp_path / "away").exists()
    assert survey.run(recipe, "--overwrite") == 0


def test_codelists_are_not_made_outside_beside_the_metadata(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.rda = survey.rda.replace('REGION 1 2 "99"\n', 'REGION 1 2 "99"\n  <CODELIST> "Regio.cdl"\n')
    (survey.folder / "Regio.cdl").write_text("1,North\n2,South\n3,West\n")
    survey.recipe = survey.recipe.replace("out/safe.rds", "../away/safe.rds")
    refused(survey, capsys, "safe.rds", "cdl")


def test_many_files_are_named_shortly(tmp_path: Path) -> None:
    targets = {str(number): tmp_path / "away" / str(number) for number in range(100)}
    assert outside_of([tmp_path / "own"], targets) == [*targets]
    assert outside_of([tmp_path], targets) == []
