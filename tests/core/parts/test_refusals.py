"""What is refused of a file in parts, by name, and that nothing is left then."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from core.data.columns import Microdata
from core.parts.safe_parts import PartPlan
from core.results.cell_tables import CountingTask
from tests.core.parts.files import NAMES, RECIPE, SurveyInParts, records

ASKED = RECIPE.format(data='"parts"', out="safe")


@pytest.fixture
def survey(tmp_path: Path) -> SurveyInParts:
    survey = SurveyInParts(tmp_path)
    survey.split(records(120), 4)
    return survey


def refused(survey: SurveyInParts, recipe: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said on standard error of a run after which nothing is there that was not there before."""
    before = sorted(survey.folder.rglob("*"))
    assert survey.run(recipe) == 1
    (survey.folder / "recipe.pavo").unlink()
    assert [path for path in sorted(survey.folder.rglob("*")) if path not in before] == []
    return capsys.readouterr().err


def test_a_part_without_a_variable_of_the_others(survey: SurveyInParts, capsys: pytest.CaptureFixture[str]) -> None:
    survey.write(survey.folder / "parts" / "p002.csv", [row[:-1] for row in records(10)], NAMES[:-1])
    assert "The part p002.csv has no variable HAND, which p000.csv has." in refused(survey, ASKED, capsys)


def test_a_part_with_a_variable_more(survey: SurveyInParts, capsys: pytest.CaptureFixture[str]) -> None:
    survey.write(survey.folder / "parts" / "p001.csv", [(*row, "x") for row in records(10)], (*NAMES, "EYES"))
    assert "The part p001.csv has a variable EYES, which p000.csv has not." in refused(survey, ASKED, capsys)


def test_a_part_with_columns_in_another_order(survey: SurveyInParts, capsys: pytest.CaptureFixture[str]) -> None:
    survey.write(survey.folder / "parts" / "p003.csv", [row[::-1] for row in records(10)], NAMES[::-1])
    assert "The part p003.csv has the variable REGION in another place than p000.csv." in refused(survey, ASKED, capsys)


def test_a_part_that_is_a_link_to_another_one(survey: SurveyInParts, capsys: pytest.CaptureFixture[str]) -> None:
    """Its records would count twice, and nobody in it would be rare."""
    link = survey.folder / "parts" / "p009.csv"
    for make in (link.hardlink_to, link.symlink_to):
        make(survey.folder / "parts" / "p001.csv")
        said = refused(survey, ASKED, capsys)
        assert "p001.csv and" in said and "p009.csv are the same file, whose records would count twice." in said
        link.unlink()


def test_a_part_that_is_a_copy_of_another_one_is_told(survey: SurveyInParts) -> None:
    text = (survey.folder / "parts" / "p001.csv").read_bytes()
    for name in ("p008.csv", "p009.csv"):
        (survey.folder / "parts" / name).write_bytes(text)
    assert survey.run(ASKED) == 0
    (said,) = [warning["text"] for warning in survey.summary()["warnings"] if warning["id"] == "parts-alike"]
    assert said.startswith("2 parts are the same, byte for byte, as one before them, for example p008.csv as p001.csv.")


def test_a_parquet_part_of_another_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    survey = SurveyInParts(tmp_path, ".parquet")
    survey.split(records(60), 3)
    path = tmp_path / "parts" / "p001.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(1, "SEX", table["SEX"].cast(pa.int64())), path)
    assert "The variable SEX is int64 in the part p001.parquet, but string in p000.parquet." in refused(
        survey, ASKED, capsys
    )


def test_a_part_that_changes_between_the_passes(
    survey: SurveyInParts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write = survey.folder / "parts" / "p002.csv", PartPlan.write
    text = path.read_text(encoding="utf-8")

    def changed(*given: Any) -> None:
        path.write_text(text.replace("r\n", "l\n"), encoding="utf-8")
        write(*given)

    monkeypatch.setattr(PartPlan, "write", changed)
    assert "p002.csv has changed since it was read" in refused(survey, ASKED, capsys)


def test_a_part_that_is_cut_off_between_the_passes_has_changed(
    survey: SurveyInParts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not: it has too few fields in its last line."""
    path, count = survey.folder / "parts" / "p001.csv", CountingTask.__call__

    def cut_off(asked: Any, rows: Any, *given: Any) -> Any:
        found = count(asked, rows, *given)
        if rows.part.path.name == "p003.csv":
            path.write_bytes(path.read_bytes()[:-9])
        return found

    monkeypatch.setattr(CountingTask, "__call__", cut_off)
    assert "p001.csv has changed since it was read" in refused(survey, ASKED, capsys)


def test_a_run_that_is_stopped_in_its_second_pass_leaves_nothing(
    survey: SurveyInParts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write, done = PartPlan.write, []

    def stopped(*given: Any) -> None:
        write(*given)
        done.append(given)
        if len(done) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(PartPlan, "write", stopped)
    assert "Stopped; nothing was written." in refused(survey, ASKED, capsys)


@pytest.mark.parametrize(
    ("was", "became", "sentence"),
    [
        (b"r\n", b"l\n", "values of HAND in the written file are not what was decided"),
        (b"\n", b",x\n", "The written file has 8 columns, not the 7 that were decided."),
    ],
)
def test_a_written_part_that_is_not_what_was_decided(
    survey: SurveyInParts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    was: bytes, became: bytes, sentence: str,
) -> None:  # fmt: skip
    write = PartPlan.write

    def tampered(self: PartPlan, part: Microdata, cell: Any, out: BinaryIO, *given: Any) -> None:
        text = BytesIO()
        write(self, part, cell, text, *given)
        out.write(text.getvalue().replace(was, became))

    monkeypatch.setattr(PartPlan, "write", tampered)
    assert sentence in refused(survey, ASKED, capsys)


def test_rules_on_numbers_are_refused_by_name(survey: SurveyInParts, capsys: pytest.CaptureFixture[str]) -> None:
    rules = 'profile = 1\nname = "Office"\n[[checks]]\ncheck = "top-coded"\nshare = 0.5\n'
    (survey.folder / "office.toml").write_text(rules, encoding="utf-8")
    number = ASKED.replace("[variables.AGE]", "[variables.SHOE]\nnumeric = true\ncategorical = false\n[variables.AGE]")
    number = number.replace('[variables.JOB]\nrelated = "SHOE"\n', "") + '[profile]\nfile = "office.toml"\n'
    said = refused(survey, number, capsys)
    assert '[profile] check = "top-coded" of SHOE' in said and "nearly every record would be a combination" in said


def test_records_that_stay_unsafe_are_counted_as_in_the_whole(
    survey: SurveyInParts, capsys: pytest.CaptureFixture[str]
) -> None:
    fixed = ASKED.replace(
        "[variables.AGE]", "[variables.SEX]\nsuppressible = false\n[variables.AGE]\nsuppressible = false"
    )
    fixed = fixed.replace("[variables.JOB]", "[variables.REGION]\nsuppressible = false\n[variables.JOB]")
    survey.write(survey.folder / "all.csv", records(120))
    whole = refused(survey, fixed.replace('"parts"', '"all.csv"').replace('"safe"', '"safe.csv"'), capsys)
    assert "records stay unsafe" in whole or "cannot be brought below" in whole
    assert refused(survey, fixed, capsys) == whole


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ('[[combinations]]\nvariables = ["SHOE", "SEX"]\nmodel = "k-anonymity"\nk = 200\n', "made k-anonymous"),
        ('[suppression]\nmode = "released-keys"\n', "under a key that enough records share"),
    ],
)
def test_records_without_a_large_key_are_counted_as_in_the_whole(
    survey: SurveyInParts, capsys: pytest.CaptureFixture[str], said: str, words: str
) -> None:
    asked = ASKED.replace('missing_rule = "wildcard"', "").replace("risk = 0.02", "risk = 0.0001") + said
    if "k-anonymity" in said:
        asked = asked.replace("risk = 0.0001", "risk = 0.9")
    survey.write(survey.folder / "all.csv", records(120))
    whole = refused(survey, asked.replace('"parts"', '"all.csv"').replace('"safe"', '"safe.csv"'), capsys)
    assert words in whole
    assert refused(survey, asked, capsys) == whole


def test_a_folder_with_other_files_is_no_place_for_the_parts(
    survey: SurveyInParts, capsys: pytest.CaptureFixture[str]
) -> None:
    (survey.folder / "safe").mkdir()
    (survey.folder / "safe" / "p017.csv").write_text("of another release", encoding="utf-8")
    assert "in which there is p017.csv" in refused(survey, ASKED, capsys)


def test_a_run_may_be_done_again_whose_other_files_stand_among_the_parts(survey: SurveyInParts) -> None:
    asked = ASKED.replace('"summary.json"', '"safe/summary.json"').replace('"safe.rda"', '"safe/meta.rda"')
    assert [survey.run(asked), survey.run(asked)] == [0, 0]


@pytest.mark.parametrize(
    ("added", "named", "reason"),
    [
        ("shuffle = true\n", "output.shuffle", "records would move from one part to another."),
        (
            '[[perturbations]]\nmethod = "pram"\nvariables = ["SHOE"]\nkeep = 0.9\n',
            'perturbations[1].method = "pram"',
            "among the records of all parts. Perturb the file before it is divided",
        ),
        (
            '[[numeric]]\nvariable = "WEIGHT"\nnoise = 0.1\n[[utility]]\nmean = "SHOE"\nby = ["WEIGHT"]\n',
            "utility[1] of WEIGHT",
            "with noise, nearly every record has a weight of its own.",
        ),
        (
            '[[numeric]]\nvariable = "WEIGHT"\nnoise = 0.1\n[[utility]]\nmodel = "WEIGHT ~ SEX"\n',
            "utility[1] of WEIGHT",
            "with noise, nearly every record has a weight of its own.",
        ),
        (
            '[[measures]]\nkind = "outliers"\nvariables = ["WEIGHT"]\n',
            'measures[1].kind = "outliers"',
            "it needs the records of all parts at once.",
        ),
    ],
)
def test_what_needs_the_whole_file_is_refused_with_its_reason(
    survey: SurveyInParts, capsys: pytest.CaptureFixture[str], added: str, named: str, reason: str
) -> None:
    observed = ASKED.replace('missing_rule = "wildcard"', "")
    said = refused(survey, observed + added, capsys)
    assert named in said and reason in said


def test_no_part_at_all(survey: SurveyInParts, capsys: pytest.CaptureFixture[str]) -> None:
    assert "names no file" in refused(survey, RECIPE.format(data='"parts/*.sav"', out="safe"), capsys)


def test_safe_parts_never_replace_the_originals(survey: SurveyInParts, capsys: pytest.CaptureFixture[str]) -> None:
    assert "inputs are never overwritten" in refused(survey, RECIPE.format(data='"parts"', out="parts"), capsys)
