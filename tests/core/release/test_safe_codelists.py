"""The meaning of codes goes with the safe file: codelists beside metadata of files without labels."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from core.base.errors import PavoError
from core.base.outputs import Outputs
from core.batch import run
from core.data.variables import Metadata, Variable
from core.formats.argus.codelist import read_codelist
from core.recipe.model import Output, Recipe, Recode
from core.release import run as protect
from core.release import safe_codelists
from core.release.safe_codelists import codelist_targets
from tests.core.small_survey import RECIPE, Survey
from tests.rda import read_rda

RECODES = """
[[recodes]]
variable = "AGE"
scheme = "1: -39\\n2: 40-49\\n3: 50-"
[[recodes]]
variable = "REGION"
scheme = "1: 1-2\\n2: 3\\n<MISSING> 9\\n<CODELIST> land.cdl"
"""
LAND = '1,"North, of old"\n2,South\n9,not told\n'


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    made = Survey(tmp_path, RECIPE + RECODES)
    made.rda = made.rda.replace('REGION 1 2 "99"\n', f'REGION 1 2 "99"\n  <CODELIST> "{tmp_path / "region.cdl"}"\n')
    made.write()
    (tmp_path / "region.cdl").write_text("1,one\n2,two\n3,three\n", encoding="utf-8")
    (tmp_path / "land.cdl").write_text(LAND, encoding="utf-8")
    return made


def named_by(metadata: Path) -> dict[str, Path]:
    return {v.name: v.codelist for v in read_rda(metadata).variables if v.codelist is not None}


def test_codelists_of_recoded_variables_stand_beside_the_metadata(survey: Survey) -> None:
    summary, _ = run(survey.folder / "survey.pavo")
    named = named_by(survey.out / "safe.rds")
    assert named == {"AGE": survey.out / "safe_AGE.cdl", "REGION": survey.out / "safe_REGION.cdl"}
    assert read_codelist(named["AGE"]) == {"1": "up to 39", "2": "40-49", "3": "50 and over"}
    assert read_codelist(named["REGION"]) == {"1": "North, of old", "2": "South", "9": "not told"}
    digests = {name: sha256(path.read_bytes()).hexdigest() for name, path in named.items()}
    files = {name: {"path": str(path), "sha256": digests[name]} for name, path in named.items()}
    assert summary["files"]["codelists"] == files
    report = (survey.out / "report.html").read_text(encoding="utf-8")
    assert "Codelist of the safe file" in report
    assert all(str(path) in report for path in named.values())
    assert (survey.folder / "land.cdl").read_text(encoding="utf-8") == LAND


def test_the_codelist_of_a_variable_that_is_not_recoded_goes_along(survey: Survey) -> None:
    """With the codes that still occur, and those that are missing; the office's folders are not named."""
    survey.recipe = RECIPE + '[suppression]\ncriterion = "none"\n'
    survey.write()
    (survey.folder / "region.cdl").write_text("1,l’école\n2,two\n3,three\n7,seven\n99,unknown\n", encoding="utf-8")
    run(survey.folder / "survey.pavo")
    named = named_by(survey.out / "safe.rds")
    assert named == {"REGION": survey.out / "safe_REGION.cdl"}
    assert '<CODELIST> "safe_REGION.cdl"' in (survey.out / "safe.rds").read_text(encoding="utf-8")
    assert read_codelist(named["REGION"]) == {"1": "l’école", "2": "two", "3": "three", "99": "unknown"}


def test_codes_that_are_suppressed_throughout_are_not_told_by_the_codelist(survey: Survey) -> None:
    survey.rda = survey.rda.replace('SEX 3 1 "9"\n', f'SEX 3 1 "9"\n  <CODELIST> "{survey.folder / "sex.cdl"}"\n')
    survey.lines = [
        line[:2] + ("3" if number == 59 else line[2]) + line[3:] for number, line in enumerate(survey.lines)
    ]
    survey.recipe = RECIPE + '[suppression]\ncriterion = "weights"\n[variables.SEX]\nsuppression_weight = 0\n'
    survey.write()
    (survey.folder / "sex.cdl").write_text("1,man\n2,woman\n3,other\n4,unseen\n", encoding="utf-8")
    summary, _ = run(survey.folder / "survey.pavo")
    assert summary["suppression"]["by_variable"]["SEX"] > 0
    assert read_codelist(survey.out / "safe_SEX.cdl") == {"1": "man", "2": "woman"}


@pytest.mark.parametrize("data", ["out/safe.asc", "out/safe.sav"])
def test_no_codelist_of_the_original_is_named(survey: Survey, data: str) -> None:
    """One that cannot be read has no labels to go along; a file that holds labels needs none."""
    survey.recipe = RECIPE.replace("out/safe.asc", data)
    survey.write()
    if data.endswith("asc"):
        (survey.folder / "region.cdl").unlink()
    run(survey.folder / "survey.pavo")
    assert "<CODELIST>" not in (survey.out / "safe.rds").read_text(encoding="utf-8")
    assert not list(survey.out.glob("*.cdl"))


def test_a_safe_file_opened_again_has_the_labels(survey: Survey) -> None:
    run(survey.folder / "survey.pavo")
    again = survey.folder / "again.pavo"
    again.write_text(
        'recipe = 1\n[input]\ndata = "out/safe.asc"\nmetadata = "out/safe.rds"\n[[combinations]]\nvariables = ["AGE"]\n'
        '[output]\nreport = "again.html"\n',
        encoding="utf-8",
    )
    from core.recipe.toml import parse_bytes
    from core.session import Session

    derived = Session().derive(parse_bytes(again.read_bytes(), again))
    assert derived.labels["AGE"]["2"] == "40-49"


def test_the_external_report_names_no_folder(survey: Survey) -> None:
    survey.recipe += '[report]\nvariant = "external"\n'
    survey.write()
    run(survey.folder / "survey.pavo")
    report = (survey.out / "report.html").read_text(encoding="utf-8")
    assert "safe_AGE.cdl" in report and str(survey.folder) not in report


@pytest.mark.parametrize("ends", ["report", "codelist"])
def test_where_the_run_fails_no_codelist_appears(survey: Survey, monkeypatch: pytest.MonkeyPatch, ends: str) -> None:
    survey.out.mkdir()
    (survey.out / "safe_AGE.cdl").write_text("1,before\n", encoding="utf-8")
    there = survey.files()
    if ends == "report":
        monkeypatch.setattr(protect, "render_html", lambda _: 1 / 0)
    else:
        monkeypatch.setattr(safe_codelists, "read_codelist", lambda _: {"1": "otherwise"})
    with pytest.raises(ZeroDivisionError if ends == "report" else PavoError) as error:
        run(survey.folder / "survey.pavo")
    if ends == "codelist":
        assert "does not read back" in str(error.value)
    assert survey.files() == there


def test_a_name_that_is_an_input_is_left_to_it(survey: Survey) -> None:
    """The codelist of a variable, and an output, stand where the safe file's codelists would."""
    text = (survey.folder / "survey.rda").read_text(encoding="utf-8")
    survey.out.mkdir()
    own = survey.out / "SAFE_region.cdl"
    own.write_text("1,one\n", encoding="utf-8")
    survey.rda = text.replace(str(survey.folder / "region.cdl"), str(own))
    survey.recipe = survey.recipe.replace("out/records.csv", "out/safe_AGE.cdl")
    survey.write()
    run(survey.folder / "survey.pavo")
    assert named_by(survey.out / "safe.rds") == {
        "AGE": survey.out / "safe_AGE_2.cdl", "REGION": survey.out / "safe_REGION_2.cdl",
    }  # fmt: skip
    assert own.read_text(encoding="utf-8") == "1,one\n"


def test_without_metadata_there_is_nothing_to_name_codelists(survey: Survey) -> None:
    survey.recipe = survey.recipe.replace('metadata = "out', '# metadata = "out')
    survey.write()
    summary, _ = run(survey.folder / "survey.pavo")
    assert "codelists" not in summary["files"]
    assert not list(survey.out.glob("*.cdl"))


def test_out_takes_codelists_along(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    folder = survey.folder / "elsewhere"
    assert survey.run("--out", str(folder)) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert files["codelists"]["AGE"]["path"] == str(folder / "safe_AGE.cdl")
    assert named_by(folder / "safe.rds")["AGE"] == folder / "safe_AGE.cdl"


# Names ---------------------------------------------------------------------------------------------------------------


def targets_of(output: Output, *names: str, format: str = "delimited") -> dict[str, str]:
    variables = tuple(Variable(name, categorical=True) for name in names)
    metadata = Metadata(format, variables)  # type: ignore[arg-type]
    recipe = Recipe(recodes=tuple(Recode(name, scheme="1: 1") for name in (*names, "NOWHERE")), output=output)
    return {name: path.name for name, path in codelist_targets(recipe, metadata).items()}


def test_names_are_unique_on_every_system_and_plain(tmp_path: Path) -> None:
    output = Output(metadata=tmp_path / 'my "safe".rds')
    assert targets_of(output, "AGE", "age", "a/b", "a:b", "x" * 300) == {
        "AGE": "my _safe__AGE.cdl",
        "age": "my _safe__age_2.cdl",
        "a/b": "my _safe__a_b.cdl",
        "a:b": "my _safe__a_b_2.cdl",
        "x" * 300: f"my _safe__{'x' * 40}.cdl",
    }


def test_files_that_hold_labels_need_no_codelists(tmp_path: Path) -> None:
    metadata = tmp_path / "a.rds"
    assert targets_of(Output(metadata=metadata), "AGE", format="spss") == {}
    assert targets_of(Output(data=tmp_path / "a.sav", metadata=metadata), "AGE") == {}
    assert targets_of(Output(data=tmp_path / "a.csv", metadata=metadata), "AGE", format="spss") == {"AGE": "a_AGE.cdl"}
    assert targets_of(Output(metadata=metadata), "AGE", format="parquet") == {"AGE": "a_AGE.cdl"}
    assert targets_of(Output(data=tmp_path / "a.csv"), "AGE") == {}


def test_a_codelist_that_was_made_and_not_written_is_not_left_behind(tmp_path: Path) -> None:
    target = tmp_path / "a_AGE.cdl"
    layout = Metadata("delimited", (Variable("AGE", labels=(("1", "a\nb"), ("2", ' "q" '))), Variable("SEX")))
    with Outputs({safe_codelists.role(n): tmp_path / f"a_{n}.cdl" for n in ("AGE", "SEX")}, ()) as outputs:
        targets = {"AGE": target, "SEX": tmp_path / "a_SEX.cdl"}
        assert safe_codelists.write_codelists(outputs, targets, layout, layout) == {"AGE": target}
        outputs.commit()
    assert [path.name for path in tmp_path.iterdir()] == ["a_AGE.cdl"]
    assert read_codelist(target) == {"1": "a b", "2": ' "q" '}


@pytest.mark.parametrize(
    ("encoding", "label", "written"),
    [
        ("cp1252", "Fläche – 5 €", "cp1252"),
        ("latin-1", "Fläche", "latin-1"),
        ("latin-1", "Fläche – 5 €", "utf-8"),
        ("cp1250", "Łódź", "utf-8"),  # which would be read back as letters of the West
        ("cp1252", "Ã©", "utf-8"),  # likewise
        ("utf-8", "Łódź – 5 €", "utf-8"),
        ("utf-16", "Łódź", "utf-8"),
    ],
)
def test_codelists_have_the_encoding_of_the_data_where_it_reads_back(
    tmp_path: Path, encoding: str, label: str, written: str
) -> None:
    own = Variable("A", labels=(("1", label),), codelist=tmp_path / "own.cdl")
    layout = Metadata("fixed", (own,), encoding=encoding)
    with Outputs({safe_codelists.role("A"): tmp_path / "a.cdl"}, ()) as outputs:
        safe_codelists.write_codelists(outputs, {"A": tmp_path / "a.cdl"}, layout, layout)
        outputs.commit()
    assert (tmp_path / "a.cdl").read_bytes() == f"1,{label}\n".encode(written)
    assert read_codelist(tmp_path / "a.cdl") == {"1": label}


def test_labels_that_the_program_made_are_in_plain_signs(survey: Survey) -> None:
    run(survey.folder / "survey.pavo")
    assert (survey.out / "safe_AGE.cdl").read_bytes() == b"1,up to 39\n2,40-49\n3,50 and over\n"


def test_labels_of_the_original_keep_their_signs(tmp_path: Path) -> None:
    original = Metadata("spss", (Variable("A", labels=(("1", "l’école"), ("2", "10–19"))),))
    layout = Metadata("delimited", (Variable("A", labels=(("1", "l’école"), ("3", "20–29"))),))
    with Outputs({safe_codelists.role("A"): tmp_path / "a.cdl"}, ()) as outputs:
        safe_codelists.write_codelists(outputs, {"A": tmp_path / "a.cdl"}, layout, original)
        outputs.commit()
    assert read_codelist(tmp_path / "a.cdl") == {"1": "l’école", "3": "20-29"}
