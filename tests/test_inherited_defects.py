"""Defects of mu-ARGUS that must not come back: those that no other test shows, and the table that lists them all."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import DataError, RecipeError
from core.batch import main
from core.metadata.describe import problems
from core.recipe.model import Combination, Output, Perturbation, Recode
from core.recipe.toml import dumps, load, parse
from core.recipe.validate import check
from core.release.run import carry_out
from core.session import Session
from tests.core.small_survey import RDA, RECIPE, Survey
from tests.rda import read_rda

ROOT = Path(__file__).resolve().parents[1]
TABLE = (ROOT / "docs" / "muargus-defects.md").read_text(encoding="utf-8")
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TABLE)))


@pytest.fixture(autouse=True)
def journals(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAVO_STATE", str(tmp_path_factory.mktemp("state")))


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    return Survey(tmp_path)


def safe_lines(survey: Survey, capsys: pytest.CaptureFixture[str]) -> list[str]:
    survey.write()
    assert survey.run("--quiet") == 0, capsys.readouterr().err
    return (survey.out / "safe.asc").read_text().splitlines()


@pytest.mark.parametrize(("file", "name"), TESTS)
def test_every_test_of_the_table_exists(file: str, name: str) -> None:
    assert re.search(rf"(?m)^\s*def {name}\(", (ROOT / file).read_text(encoding="utf-8"))


def test_the_table_speaks_of_each_of_the_35_defects_once() -> None:
    numbers = re.findall(r"(?m)^\| (D-\d\d) ", TABLE)
    assert numbers == [f"D-{i:02}" for i in range(1, 36)]
    rows = [line for line in TABLE.splitlines() if line.startswith("| D-")]
    assert all("::test_" in row for row in rows)


def test_overlap_is_refused_among_many_combinations(survey: Survey) -> None:
    """D-03."""
    survey.write()
    recipe = load(survey.folder / "survey.pavo")
    many = tuple(Combination((f"V{i}", f"V{i + 1}"), model="frequency", count_threshold=1) for i in range(150))
    check(recipe.with_(combinations=(*recipe.combinations, *many)))
    overlapping = Combination(("AGE", "OTHER"))
    with pytest.raises(RecipeError) as caught:
        check(recipe.with_(combinations=(*recipe.combinations, *many, overlapping)))
    assert "AGE is also in combinations[1]" in str(caught.value)


def test_a_threshold_set_before_a_recode_judges_the_recoded_table(survey: Survey) -> None:
    """D-09 and D-11."""
    survey.write()
    recipe = load(survey.folder / "survey.pavo").with_(output=Output())
    session = Session()
    found = []
    for recodes in ((), (Recode("AGE", scheme="1: 1-"),)):
        derived = session.derive(recipe.with_(recodes=recodes))
        table, plan = derived.tables[0], session.protect(derived.recipe).plan
        assert table is not None and table.threshold == 0.02
        assert plan.records_touched == table.staircase.unsafe(0.02)
        found.append(plan.records_touched)
    assert found[0] > found[1]


def test_commas_between_missing_codes_do_not_widen_the_field(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    """D-21."""
    (survey.folder / "Region.grc").write_text("1: 1-2\n2: 3\n<MISSING> 8, 9\n", encoding="utf-8")
    survey.recipe = RECIPE.replace(
        "[threshold]", '[[recodes]]\nvariable = "REGION"\nscheme_file = "Region.grc"\n[threshold]'
    )
    safe_lines(survey, capsys)
    region = read_rda(survey.out / "safe.rds").variables[0]
    assert (region.name, region.length, region.missing) == ("REGION", 1, ("8", "9"))


def test_blank_numbers_are_not_nought(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    """D-24: an empty income is neither bottom coded nor rounded."""
    survey.recipe = RECIPE.replace(
        "[threshold]",
        '[[numeric]]\nvariable = "INCOME"\nround = 10\nbottom = { at = 120, replacement = "low" }\n[threshold]',
    )
    survey.lines[0] = survey.lines[0][:10] + "    "
    survey.lines[1] = survey.lines[1][:10] + "   5"
    written = [line[10:].strip() for line in safe_lines(survey, capsys)]
    assert written[:2] == ["", "low"]


@pytest.mark.parametrize("declared", ['"9"', '" 9"', '"9 "', '"99" "9"'])
def test_a_missing_code_shorter_than_its_field_is_found(survey: Survey, declared: str) -> None:
    """D-25."""
    survey.rda = RDA.replace('REGION 1 2 "99"', f"REGION 1 2 {declared}")
    survey.lines[0] = " 9" + survey.lines[0][2:]
    survey.lines[1] = "9 " + survey.lines[1][2:]
    survey.write()
    region = Session().derive(load(survey.folder / "survey.pavo").with_(output=Output())).columns["REGION"]
    missing = region.values >= region.n_valid
    np.testing.assert_array_equal(np.flatnonzero(missing), [0, 1])


def test_columns_that_nothing_describes_are_never_released(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    """D-28."""
    survey.lines = [f"{line}NAME{i:03}" for i, line in enumerate(survey.lines)]
    written = safe_lines(survey, capsys)
    assert len(written) == 60
    assert {len(line) for line in written} == {14}
    assert "NAME" not in "".join(written)


def test_metadata_of_a_safe_file_without_household_identifier_are_sound(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    """D-19."""
    role = '[variables.REGION]\nrole = "household-id"\n[output]\nhousehold_id = "remove"'
    survey.recipe = RECIPE.replace("[output]", role).replace('"REGION", ', "")
    written = safe_lines(survey, capsys)
    metadata = read_rda(survey.out / "safe.rds")
    assert metadata.names == ("SEX", "AGE", "WEIGHT", "INCOME")
    assert [p.id for p in problems(metadata)] == []
    assert {len(line) for line in written} == {sum(v.length for v in metadata.variables)}


def test_delimited_households_are_numbered_under_their_header(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """D-27, D-29 and D-34: by columns and not by bytes, with the header, under k-anonymity too."""
    homes = ["H-77", '"H,5"', "h1000"]
    rows = [f"{homes[i // 2 % 3]},{'ab'[i % 2]},{i % 2},{i}" for i in range(24)]
    rows[5] = rows[5].replace(",b,", ",rare,")
    (tmp_path / "d.csv").write_text("HOME,A,B,NOTE\n" + "\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "d.pavo").write_text(
        'recipe = 1\n[input]\ndata = "d.csv"\n[variables.HOME]\nrole = "household-id"\n'
        '[[combinations]]\nvariables = ["A", "B"]\nmodel = "k-anonymity"\nk = 3\nmissing_rule = "category"\n'
        '[output]\ndata = "safe.csv"\nhousehold_id = "sequence"\n',
        encoding="utf-8",
    )
    status = main([str(tmp_path / "d.pavo"), "--quiet"])
    said = capsys.readouterr().err
    assert status == 0, said
    header, *written = (tmp_path / "safe.csv").read_text(encoding="utf-8").splitlines()
    assert header.replace('"', "").split(",") == ["HOME", "A", "B", "NOTE"]
    assert [line.split(",")[0].strip('"') for line in written] == [str(1 + i // 2 % 3) for i in range(24)]
    assert [line.split(",")[3] for line in written] == [str(i) for i in range(24)]


def test_a_random_order_is_no_straight_line(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    """D-30: places are not (start + step * i) modulo the number of records."""
    survey.recipe = RECIPE.replace("[output]", "[output]\nshuffle = true")
    income = [line[10:] for line in survey.lines]
    places = np.array([income.index(line[10:]) for line in safe_lines(survey, capsys)])
    assert sorted(places) == list(range(60))
    assert len(set(np.diff(places) % 60)) > 10


def test_the_report_shows_recodes_as_they_were_applied(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    """D-31: a typed recode is no empty table."""
    survey.recipe = RECIPE.replace("[threshold]", '[[recodes]]\nvariable = "AGE"\nscheme = "77: 60-"\n[threshold]')
    safe_lines(survey, capsys)
    words = re.sub(r"<[^>]+>", " ", (survey.out / "report.html").read_text(encoding="utf-8")).split()
    assert words[words.index("77") :][:5] == ["77", "60", "and", "over", "60-"]


def test_what_the_session_finds_is_what_is_in_the_recipe_alone(survey: Survey) -> None:
    """D-01: nothing that was tried before stays behind when tables are calculated anew."""
    survey.write()
    recipe = load(survey.folder / "survey.pavo").with_(output=Output())
    used, fresh = Session(), Session()
    used.protect(recipe.with_(recodes=(Recode("AGE", scheme="60: 60-"),)))
    used.protect(recipe.with_(threshold=replace(recipe.threshold, individual_risk=0.5)))
    after, expected = used.protect(recipe).plan, fresh.protect(recipe).plan
    assert after.by_variable == expected.by_variable
    for name, flags in expected.suppressed.items():
        np.testing.assert_array_equal(after.suppressed[name], flags)


def safe_with(session: Session, survey: Survey, *perturbations: Perturbation) -> tuple[str, dict[str, Any]]:
    """The safe file and the summary of the survey's recipe with these perturbations."""
    result = carry_out(session, load(survey.folder / "survey.pavo").with_(perturbations=perturbations))
    return (survey.out / "safe.asc").read_text(), result.summary


def test_pram_that_is_undone_leaves_no_trace(survey: Survey) -> None:
    """D-05: neither in the data, where the report is silent, nor the other way round."""
    survey.write()
    session = Session()
    plain, _summary = safe_with(Session(), survey)
    changed, told = safe_with(session, survey, Perturbation("pram", ("INCOME",), (("keep", 0.5),)))
    assert changed != plain
    assert told["perturbations"]
    again, told = safe_with(session, survey)
    assert again == plain
    assert not told.get("perturbations")
    assert "PRAM" not in (survey.out / "report.html").read_text(encoding="utf-8")


def test_the_band_that_is_told_is_the_one_that_is_used(survey: Survey) -> None:
    """D-06: the bandwidth of PRAM is not another one when it is looked at again."""
    survey.recipe += (
        '[[perturbations]]\nmethod = "pram"\nvariables = ["INCOME"]\nkeep = 0.1\ninvariant = false\nband = 2\n'
    )
    survey.write()
    recipe = load(survey.folder / "survey.pavo")
    assert parse(dumps(recipe, survey.folder), survey.folder).perturbations == recipe.perturbations
    assert dict(recipe.perturbations[0].parameters)["band"] == 2
    lines, told = safe_with(Session(), survey, *recipe.perturbations)
    (entry,) = told["perturbations"]
    assert entry["band"] == 2, entry
    before = [int(line[10:14]) for line in survey.lines]
    codes = sorted(before)
    after = [int(line[10:14]) for line in lines.splitlines()]
    moved = [abs(codes.index(a) - codes.index(b)) for a, b in zip(before, after, strict=True)]
    assert max(moved) == 2


def test_a_microaggregation_that_failed_leaves_no_trace(survey: Survey) -> None:
    """D-17: it is not taken for done, neither in the same session nor in the file."""
    survey.write()
    session = Session()
    plain, _summary = safe_with(Session(), survey)
    with pytest.raises(DataError, match="groups need 61"):
        safe_with(session, survey, Perturbation("microaggregation", ("INCOME",), (("k", 61),)))
    assert (survey.out / "safe.asc").read_text() == plain
    again, told = safe_with(session, survey)
    assert again == plain
    assert not told.get("perturbations")
