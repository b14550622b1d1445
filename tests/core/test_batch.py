"""The command on known files: figures of the published example, of the Practice Guide, and what it writes where."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.texts import current_language
from core.batch import main
from core.risk.individual import individual_risk
from main import main as command
from tests.core.small_survey import RECIPE, Survey
from tests.rda import read_rda

RECIPES = Path(__file__).parent.parent / "data"
Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Carries a recipe of tests/data out beside a copy of its data; gives the summary."""

    def carried_out(name: str, *arguments: str) -> dict[str, Any]:
        for source in [*(shared / "data" / "demodata").iterdir(), shared / "data" / "table41.csv"]:
            shutil.copy(source, tmp_path)
        shutil.copy(RECIPES / f"{name}.pavo", tmp_path)
        status = main([str(tmp_path / f"{name}.pavo"), *arguments])
        said = capsys.readouterr()
        assert status == 0, said.err
        assert said.err == ""
        summary = tmp_path / "safe" / "summary.json"
        text = summary.read_text(encoding="utf-8") if summary.exists() else said.out
        found: dict[str, Any] = json.loads(text)
        return found

    return carried_out


def test_raw_demodata_has_the_figures_of_method_section_3(run: Run) -> None:
    """Printed in [P04] section 7.3.3: rate 1.956 %, actual level 0.00119 with its rate 0.119 %."""
    found = run("raw")
    table = found["combinations"][0]
    assert (found["records"], found["variables"]) == (4000, 33)
    assert (table["cells"], table["sample_uniques"]) == (3450, 3014)
    assert table["individual_risk"]["max"] == pytest.approx(0.0422983833576, rel=1e-11)
    assert table["individual_risk"]["expected_reidentifications"] == pytest.approx(78.2550159921, rel=1e-11)
    assert table["individual_risk"]["rate"] == pytest.approx(0.0195637539980, rel=1e-11)
    assert table["threshold"]["unsafe_records"] == 3968
    assert table["threshold"]["rate"] == pytest.approx(0.00124811168, rel=1e-8)
    actual = table["threshold"]["actual"]
    assert (f"{actual['individual_risk']:.5f}", f"{100 * actual['rate']:.3f}") == ("0.00119", "0.119")
    assert table["threshold"]["interval"] == pytest.approx({"low": 0.00119422833, "high": 0.00140647572}, rel=1e-8)
    assert "suppression" not in found
    assert "verified" not in found


def test_raw_demodata_has_the_unsafe_combinations_of_mu_argus(run: Run) -> None:
    """Measured on the mu-ARGUS engine at threshold 1."""
    table = run("raw")["combinations"][0]
    assert table["unsafe_by_variable"] == {
        "REGION": {"1": 2, "2": 2067, "3": 5291, "4": 3014},
        "SEX": {"1": 0, "2": 15, "3": 2979, "4": 3014},
        "AGE": {"1": 0, "2": 1970, "3": 5136, "4": 3014},
        "MARSTAT": {"1": 0, "2": 126, "3": 2707, "4": 3014},
    }
    assert list(table["unsafe_by_variable"]) == ["REGION", "SEX", "AGE", "MARSTAT"]


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (
            "reidentification_rate = 0.00125",
            {"individual_risk": 0.00125190354, "rate": 0.00125, "unsafe_records": 3968},
        ),
        ("unsafe_records = 3968", {"individual_risk": 0.00140647572, "unsafe_records": 3968}),
        ("reidentification_rate = 0.5", {"rate": 0.0195637539980, "unsafe_records": 0}),
        ("unsafe_records = 0", {"rate": 0.0195637539980, "unsafe_records": 0}),
    ],
)
def test_rates_and_counts_become_thresholds(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], threshold: str, expected: dict[str, float]
) -> None:
    run("raw")
    path = tmp_path / "raw.pavo"
    text = path.read_text(encoding="utf-8").replace("individual_risk = 0.00125", threshold)
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 0
    found = json.loads(capsys.readouterr().out)["combinations"][0]["threshold"]
    interval, _actual = found.pop("interval"), found.pop("actual")
    assert found == pytest.approx(found | expected, rel=1e-8)
    assert ("individual_risk" in found) == ("individual_risk" in expected)
    assert ("high" in interval) == ("individual_risk" in expected)


def test_recoded_demodata_is_protected_by_entropy(run: Run, tmp_path: Path) -> None:
    """Method section 3 (printed: 0.125 %, 0.000431) and section 11: 397 suppressions, 0 / 150 / 0 / 247."""
    found = run("recoded")
    table, suppression = found["combinations"][0], found["suppression"]
    assert (table["cells"], table["sample_uniques"]) == (499, 114)
    assert table["individual_risk"]["expected_reidentifications"] == pytest.approx(4.99404739016, rel=1e-11)
    assert table["threshold"]["unsafe_records"] == 397
    assert table["threshold"]["rate"] == pytest.approx(0.000430925, rel=1e-6)
    assert suppression["by_variable"] == {"REGION": 0, "SEX": 150, "AGE": 0, "MARSTAT": 247}
    assert suppression["entropy_loss"] == pytest.approx(473.7, abs=0.05)
    assert suppression["gap"] == 0
    assert found["verified"] is True
    assert found["unsafe_left"] == 0
    assert table["after"]["by_mode"]["unsafe_records"] == 0
    assert table["after"]["by_mode"]["individual_risk"]["max"] < 0.00125
    assert {path.name for path in (tmp_path / "safe").iterdir()} == {
        "Demodata.saf", "Demodata.rds", "Demodata.html", "summary.json", "records.csv",
        "Demodata_AGE.cdl", "Demodata_REGION.cdl", "Demodata_SEX.cdl", "Demodata_ETNI.cdl",
    }  # fmt: skip


def test_the_truncated_estimator_with_equal_weights_gives_the_printed_report(run: Run) -> None:
    """[P04] section 7.6: 393 suppressions, 375 / 0 / 11 / 7, entropy loss 1561.4; and the order gives regions away."""
    found = run("truncated")
    suppression = found["suppression"]
    assert suppression["total"] == 393
    assert suppression["by_variable"] == {"REGION": 375, "SEX": 0, "AGE": 11, "MARSTAT": 7}
    assert suppression["entropy_loss"] == pytest.approx(1561.4, abs=0.05)
    assert suppression["loss"] == 393 * 50
    assert found["combinations"][0]["threshold"]["unsafe_records"] == 393
    assert any(warning["id"] == "order-gives-away" for warning in found["warnings"])


def test_identification_level_tables_are_counted_as_by_hand(run: Run, shared: Path) -> None:
    found = run("id_level")
    assert len(found["combinations"]) == 27
    lines = (shared / "data" / "demodata" / "Demodata.asc").read_bytes().splitlines()
    region, sex, marstat = ([line[a:b].strip() for line in lines] for a, b in ((0, 4), (4, 5), (7, 8)))
    pairs, triples = Counter(zip(region, sex, strict=True)), Counter(zip(region, sex, marstat, strict=True))
    table = found["combinations"][1]
    assert table["variables"] == ["REGION", "SEX", "MARSTAT"]
    assert table["model"] == "frequency"
    assert "missing_rule" not in table
    assert table["unsafe_by_dimension"]["3"] == sum(
        count == 1 and b"9" not in key[1:] and key[0] not in (b"9999", b"9998") for key, count in triples.items()
    )
    overview = found["overview"]
    assert overview["unsafe_by_variable"]["REGION"]["1"] == 2
    single = sum(count == 1 for count in pairs.values())
    of_pairs = {(tuple(c["variables"][:2])): c for c in found["combinations"]}
    assert list(of_pairs) == [("REGION", "SEX")]
    assert overview["unsafe_by_variable"]["SEX"]["2"] >= single
    assert overview["unsafe_by_dimension"]["3"] == sum(c["unsafe_by_dimension"]["3"] for c in found["combinations"])


def test_ten_records_of_the_practice_guide(run: Run, tmp_path: Path) -> None:
    """[PG] table 4.1: risks, mean 0.01582, 4 records violate 2-anonymity and 10 violate 3-anonymity."""
    found = run("table41")
    table = found["combinations"][0]
    assert table["individual_risk"]["max"] == pytest.approx(0.029010932, rel=1e-7)
    assert table["individual_risk"]["expected_reidentifications"] == pytest.approx(0.1582, abs=5e-5)
    assert [m["violations"] for m in found["measures"][:2]] == [4, 10]
    assert found["measures"][0]["profile"] == {"2": 4, **{str(k): 10 for k in range(3, 11)}}
    by_gender = found["measures"][2]
    assert list(by_gender) == [
        "kind", "variables", "missing_rule", "k", "cells", "records", "unique", "below_5", "below_10", "share",
        "share_of_file", "violations", "profile", "max", "mean", "expected",
    ]  # fmt: skip
    assert (by_gender["cells"], by_gender["unique"]) == (2, 0)
    assert by_gender["expected"] == pytest.approx(10 * by_gender["mean"], rel=1e-12)
    rows = [line.split(",") for line in (tmp_path / "records.csv").read_text().splitlines()]
    assert rows[0] == ["record", "f_1", "F_1", "risk_1", "f_m1", "F_m1", "f_m2", "F_m2", "f_m3", "F_m3"]
    assert [row[:3] for row in rows[1:4]] == [["1", "2", "360"], ["2", "2", "360"], ["3", "1", "215"]]
    risks = [0.005424520, 0.005424520, 0.025096439, 0.012563425, 0.028247279,
             0.012563425, 0.029010932, 0.025096439, 0.007403834, 0.007403834]  # fmt: skip
    assert [float(row[3]) for row in rows[1:]] == pytest.approx(risks, abs=5e-10)
    safe = (tmp_path / "safe.csv").read_text().splitlines()
    original = (tmp_path / "table41.csv").read_text().splitlines()
    assert safe[0] == original[0]
    assert safe[1:3] == original[1:3]
    assert safe[3] != original[3]
    assert found["combinations"][0]["after"]["by_mode"]["unsafe_records"] == 0


def test_the_same_recipe_gives_the_same_bytes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (tmp_path / "safe").iterdir()}

    one = run("recoded")
    first = files()
    two = run("recoded")
    second = files()
    for name in set(first) - {"summary.json"}:
        assert first[name] == second[name], name
    assert b"2023-11-14" in first["Demodata.html"]
    for summary in (one, two):
        del summary["seconds"], summary["peak_rss_mib"]
    assert one == two


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    found = Survey(tmp_path)
    found.write()
    return found


def test_out_puts_every_output_into_one_folder(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    assert survey.run("--out", str(survey.folder / "else" / "where")) == 0
    names = {path.name for path in (survey.folder / "else" / "where").iterdir()}
    assert names == {"safe.asc", "safe.rds", "report.html", "records.csv"}
    assert not survey.out.exists()
    files = json.loads(capsys.readouterr().out)["files"]
    assert files["data"]["path"] == str(survey.folder / "else" / "where" / "safe.asc")


def test_quiet_says_nothing(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    assert survey.run("--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_an_output_that_exists_is_replaced(survey: Survey) -> None:
    survey.out.mkdir()
    (survey.out / "safe.asc").write_text("before")
    assert survey.run("--quiet") == 0
    assert (survey.out / "safe.asc").read_bytes().count(b"\n") == 60


def test_measuring_alone_writes_nothing(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe = RECIPE[: RECIPE.index("[output]")]
    survey.write()
    there = survey.files()
    assert survey.run() == 0
    found = json.loads(capsys.readouterr().out)
    assert survey.files() == there
    assert list(found)[:4] == ["records", "variables", "program", "recipe_sha256"]
    assert found["files"] == {}
    assert set(found["seconds"]) == {"read", "tables", "risk", "suppress", "write", "verify", "total"}


def test_criterion_none_writes_the_recoded_file_and_says_what_is_left(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    survey.recipe = RECIPE.replace(
        "[output]", '[suppression]\ncriterion = "none"\n[[recodes]]\nvariable = "AGE"\ntruncate = 1\n[output]'
    )
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)
    left = found["combinations"][0]["threshold"]["unsafe_records"]
    assert found["unsafe_left"] == left > 0
    assert found["suppression"] == {
        "criterion": "none", "total": 0, "by_variable": {}, "records_touched": 0, "loss": 0.0, "entropy_loss": 0.0,
    }  # fmt: skip
    assert found["verified"] is True
    assert found["combinations"][0]["after"]["by_mode"]["unsafe_records"] == left
    assert (survey.out / "safe.asc").read_bytes().splitlines()[0] == survey.lines[0].encode().replace(b"30", b" 3", 1)


def test_shuffled_records_are_the_same_records(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe = RECIPE.replace("individual_risk = 0.02", "individual_risk = 1").replace(
        "[output]", "[output]\nshuffle = true\nseed = 7"
    )
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    written = (survey.out / "safe.asc").read_text().splitlines()
    assert written != survey.lines
    assert sorted(written) == sorted(survey.lines)


def test_members_of_a_household_stay_together_when_shuffled(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe = RECIPE.replace("individual_risk = 0.02", "individual_risk = 1").replace(
        "[output]", '[variables.INCOME]\nrole = "household-id"\n[output]\nshuffle = true'
    )
    survey.lines = [line[:10] + f"{i // 3:>4}" for i, line in enumerate(survey.lines)]
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    ids = [line[10:] for line in (survey.out / "safe.asc").read_text().splitlines()]
    runs = [ids[0]] + [now for before, now in pairwise(ids) if now != before]
    assert len(runs) == len(set(ids)) == 20
    assert runs != sorted(runs)


def test_a_household_identifier_can_be_removed(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe = RECIPE.replace(
        "[output]", '[variables.INCOME]\nrole = "household-id"\n[output]\nhousehold_id = "remove"'
    )
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    assert "INCOME" not in (survey.out / "safe.rds").read_text()
    assert {len(line) for line in (survey.out / "safe.asc").read_text().splitlines()} == {10}


@pytest.mark.parametrize("shuffle", ["false", "true"])
def test_risk_columns_are_those_of_the_remaining_values(
    survey: Survey, capsys: pytest.CaptureFixture[str], shuffle: str
) -> None:
    survey.recipe = RECIPE.replace("[output]", f"[output]\nadd_risk = true\nshuffle = {shuffle}")
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)
    assert found["suppression"]["total"] > 0
    assert any(warning["id"] == "risk-columns-of-remaining-values" for warning in found["warnings"])
    layout = {v.name: v for v in read_rda(survey.out / "safe.rds").variables}
    rows = (survey.out / "safe.asc").read_text().splitlines()
    original = [(line[0:2], line[2], line[3:5]) for line in survey.lines]

    def field(row: str, name: str) -> str:
        variable = layout[name]
        return row[variable.start - 1 : variable.start - 1 + variable.length].strip()

    for row in rows:
        kept = [field(row, name) for name in ("REGION", "SEX", "AGE")]
        f = sum(
            all(mine == missing or mine == theirs.strip()
                for mine, missing, theirs in zip(kept, ("99", "9", "99"), other, strict=True))
            for other in original
        )  # fmt: skip
        assert field(row, "FREQ_1") == str(f)
        assert field(row, "POPFREQ_1") == str(20 * f)
        assert float(field(row, "RISK_1")) == pytest.approx(
            individual_risk(np.array([f]), np.array([20.0 * f]))[0], rel=1e-5
        )
        assert float(field(row, "RISK_1")) < 0.02


def test_a_risk_column_never_replaces_a_variable(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.rda = survey.rda.replace("INCOME", "risk_1")
    survey.recipe = RECIPE.replace("[output]", "[output]\nadd_risk = true")
    survey.write()
    assert survey.run() == 1
    assert "RISK_1" in capsys.readouterr().err
    assert not survey.out.exists()


def test_risk_columns_of_a_delimited_file(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("table41")
    path = tmp_path / "table41.pavo"
    path.write_text(path.read_text(encoding="utf-8") + "add_risk = true\n", encoding="utf-8")
    assert main([str(path)]) == 0, capsys.readouterr().err
    safe = (tmp_path / "safe.csv").read_text().splitlines()
    assert safe[0] == '"Residence","Gender","Educ","Lstat","Health","Weights",FREQ_1,POPFREQ_1,RISK_1'
    assert safe[1].endswith(",180,2,360,0.00542452")


def test_a_defect_is_told_in_one_sentence(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(*_arguments: Any) -> None:
        raise ZeroDivisionError("for the test")

    monkeypatch.setattr("core.release.run.write", defect)
    there = survey.files()
    assert survey.run() == 1
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert "for the test" not in said  # an error's own words may hold values
    assert len(said.splitlines()) == 1
    assert survey.files() == there


def test_progress_is_one_line_on_a_terminal(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert survey.run("--quiet") == 0
    said = capsys.readouterr().err
    assert "100%" in said
    assert "\n" not in said
    assert said.endswith("\r\x1b[K")


def test_a_wrong_file_is_never_kept(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import core.release.run

    honest = core.release.run.write

    def dishonest(rewrite: Any, out: Any, *rest: Any) -> None:
        honest(rewrite, out, *rest)
        out.seek(12)
        out.write(b"7")

    monkeypatch.setattr(core.release.run, "write", dishonest)
    there = survey.files()
    assert survey.run() == 1
    assert "INCOME" in capsys.readouterr().err
    assert survey.files() == there
    assert not survey.out.exists()


def test_messages_are_in_the_language_of_the_system_and_outputs_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report is the same bytes on every computer, whatever its user speaks."""
    measured = '[[measures]]\nkind = "matches"\nvariables = ["REGION", "SEX", "AGE"]\n[output]'
    survey = Survey(tmp_path, RECIPE.replace("[output]", measured))  # with a picture, whose bars have names
    survey.write()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    found = {}
    for spoken in ("C", "de_DE.UTF-8"):
        monkeypatch.setenv("LC_ALL", spoken)
        assert command(["main.py", "run", str(tmp_path / "survey.pavo"), "--quiet"]) == 0
        found[spoken] = (tmp_path / "out" / "report.html").read_bytes()
        capsys.readouterr()
        assert command(["main.py", "run", str(tmp_path / "none.pavo")]) == 1
        assert ("kann nicht gelesen werden" in capsys.readouterr().err) == (spoken != "C")
    assert found["C"] == found["de_DE.UTF-8"]
    assert b'lang="en"' in found["C"]
    assert current_language() == "en"
