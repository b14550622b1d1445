"""A recipe with a release profile: what is written where its rules hold, and that nothing is where one does not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.profiles.read import ProfileError, load_profile
from core.recipe.model import ProfileFile
from core.recipe.toml import load
from core.release.profile import check_profile
from core.release.run import carry_out
from core.session import Session
from tests.core.small_survey import RECIPE, Survey

HOLDS = """profile = 1
name = "Office"
source = "Handbook"
[[checks]]
check = "largest-risk"
most = 0.02
[[checks]]
check = "least-records"
k = 2
variables = ["SEX"]
"""
BREAKS = HOLDS + '[[checks]]\ncheck = "random-order"\n[[checks]]\ncheck = "top-coded"\nshare = 0.5\n'
NAMED = RECIPE.replace("[output]", '[profile]\nfile = "office.toml"\n[output]\nsummary = "out/summary.json"')


def survey(folder: Path, profile: str, recipe: str = NAMED) -> Survey:
    found = Survey(folder, recipe)
    found.write()
    (folder / "office.toml").write_text(profile, encoding="utf-8")
    return found


def test_rules_that_hold_stand_in_summary_and_report(tmp_path: Path) -> None:
    found = survey(tmp_path, HOLDS)
    assert found.run("--quiet") == 0
    assert json.loads((found.out / "summary.json").read_text("utf-8"))["profile"] == [
        {"rule": "No record has an individual risk above 0.02.", "holds": True, "records": 0},
        {"rule": "Each record shares its key with at least 2 records, itself included. (SEX)", "holds": True,
         "records": 0},
    ]  # fmt: skip
    report = (found.out / "report.html").read_text("utf-8")
    assert "Profile: Office (Handbook)." in report
    assert "No record has an individual risk above 0.02." in report


def test_a_broken_rule_ends_the_run_and_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = survey(tmp_path, BREAKS)
    before = found.files()
    assert found.run() == 1
    assert found.files() == before
    assert not found.out.exists()
    told = capsys.readouterr()
    assert told.out == ""
    assert "breaks 2 rules of the profile “Office”, so nothing was written" in told.err
    assert "The records are in random order (60)." in told.err
    assert "(SEX)" not in told.err


WRONG = [
    (
        '[output]\ndata = "out/safe.asc"',
        "[output]",
        "profile.file says rules for a safe file, but the recipe writes none",
    ),
    ('"office.toml"', '"other.toml"', "The profile {folder}/other.toml cannot be read"),
    ('file = "office.toml"', "", "The recipe does not say profile.file"),
    ('file = "office.toml"', 'file = "office.toml"\nname = "x"', "unknown key profile.name"),
    ('summary = "out/summary.json"', 'summary = "office.toml"', "input"),
]


@pytest.mark.parametrize(("old", "new", "says"), WRONG)
def test_what_cannot_be_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, says: str
) -> None:
    text = NAMED.replace('\nsummary = "out/summary.json"\ndata = "out/safe.asc"',
                         '\ndata = "out/safe.asc"\nsummary = "out/summary.json"')  # fmt: skip
    assert old in text
    found = survey(tmp_path, HOLDS, text.replace(old, new))
    before = found.files()
    assert found.run() == 1
    assert says.format(folder=tmp_path) in capsys.readouterr().err
    assert found.files() == before


def test_a_rule_about_a_variable_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = survey(tmp_path, HOLDS.replace('"SEX"', '"SEXE"'))
    assert found.run() == 1
    assert "office.toml, line 7: checks[2].variables: the file has no variable SEXE." in capsys.readouterr().err
    assert not found.out.exists()


def test_outsiders_read_of_no_variable_that_they_do_not_get(tmp_path: Path) -> None:
    hidden = HOLDS + '[[checks]]\ncheck = "top-coded"\nshare = 0.01\nvariables = ["INCOME"]\n'
    text = NAMED.replace("[profile]", '[variables.INCOME]\nremoved = true\n[report]\nvariant = "external"\n[profile]')
    found = survey(tmp_path, hidden, text)
    assert found.run("--quiet") == 0
    report = (found.out / "report.html").read_text("utf-8")
    assert "Profile: Office (Handbook)." in report
    assert "INCOME" not in report
    assert len(json.loads((found.out / "summary.json").read_text("utf-8"))["profile"]) == 3


def test_the_demonstration_survey_keeps_one_profile_and_breaks_another(demo: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(HOLDS.replace("0.02", "0.05"), encoding="utf-8")
    recipe, session = load(demo / "survey.pavo"), Session()
    output = replace(recipe.output, data=tmp_path / "a.saf", metadata=None, report=None, summary=None)
    kept = recipe.with_(profile=ProfileFile(own), output=output)
    assert all(rule["holds"] for rule in carry_out(session, kept).summary["profile"])
    judged = check_profile(session, kept, load_profile(Path("statistics-netherlands-puf.toml")))
    assert {rule.check.name for rule in judged.broken} == {
        "no-sensitive-variables", "region-detail", "population-per-value", "population-per-pair", "random-order",
    }  # fmt: skip


def test_without_output_the_file_that_would_be_made_is_checked(tmp_path: Path) -> None:
    found = survey(tmp_path, HOLDS)
    recipe = load(found.folder / "survey.pavo")
    bare = recipe.with_(output=replace(recipe.output, data=None), profile=ProfileFile())
    assert not check_profile(Session(), bare, load_profile(found.folder / "office.toml")).broken
    with pytest.raises(ProfileError):
        load_profile(found.folder / "survey.asc")
