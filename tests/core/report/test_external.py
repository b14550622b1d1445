"""What leaves the house: nothing of what was read, no checksum, no seed, no record-level file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.data.risk_figures import RiskFigures
from core.recipe.model import (
    Combination,
    Input,
    Measure,
    Output,
    Perturbation,
    Recipe,
    Recode,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.recipe.toml import dumps, parse
from core.report.blocks import ReportTable
from core.report.compose import compose, external_text, for_outsiders, without_folders
from core.report.facts import Opinion, RecodeFacts, SuppressionFacts
from tests.core.report.examples import demodata

HOME = Path("/home/anna/confidential work")


def recipe() -> Recipe:
    return Recipe(
        input=Input(HOME / "a.asc", HOME / "meta/a.rda", sha256="ab" * 32),
        variables=(VariableEdit("REGION", codelist=HOME / "codes/Regio.cdl"),),
        combinations=(Combination(("REGION", "SEX")),),
        recodes=(
            Recode("REGION", scheme_file=HOME / "Region.grc", codelist=HOME / "Region.cdl"),
            Recode("AGE", scheme='1: 1-10\n2: 11-\n<CODELIST> "/home/anna/codes/Age.cdl"'),
            Recode("SEX", scheme="1: 1-2\n<codelist> ..\\secret\\Sex.cdl"),
        ),
        perturbations=(Perturbation("weight-noise", ("WEIGHT",), (("share", 0.05),)),),
        measures=(Measure("record-linkage", ("AGE",), (("released", HOME / "safe/other.csv"),)),),
        output=Output(HOME / "safe/a.saf", records=HOME / "safe/records.csv", shuffle=True, seed=20250301),
    )


WRITTEN = {"SEX", "AGE", "WEIGHT"}


def test_the_recipe_tells_nothing_of_what_was_read() -> None:
    text = external_text(recipe(), WRITTEN)
    for secret in ("/", "..", "anna", "confidential", "secret", "records", "20250301", "ab" * 32, "a.asc", ".rda"):
        assert secret not in text
    for secret in ("Regio", "Region.grc", "Age.cdl", "other.csv", "scheme", "codelist", "[variables.REGION]", "1-10"):
        assert secret not in text
    assert "a.saf" in text


def test_decisions_stay_in_it() -> None:
    read = parse(external_text(recipe(), WRITTEN), Path("/"))
    assert read.combinations == recipe().combinations
    assert read.numeric == recipe().numeric
    assert read.output.shuffle
    assert [recode.variable for recode in read.recodes] == ["AGE", "SEX"]


def test_no_seed_stays_in_it() -> None:
    given = recipe()
    seeded = given.with_(
        suppression=Suppression(seed=77001), measures=(Measure("subsample", ("AGE",), (("seed", 77002),)),)
    )
    assert "7700" in dumps(seeded, Path("/"))
    assert "7700" not in external_text(seeded, WRITTEN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The codelist /home/anna/x/Regio.cdl is missing.", "The codelist Regio.cdl is missing."),
        ("Codelist “/home/anna b/Regio.cdl” has 3 labels.", "Codelist “Regio.cdl” has 3 labels."),
        (r"C:\Users\Anna\Regio.cdl: 3 lines", "Regio.cdl: 3 lines"),
        (r"\\server\share\Regio.cdl", "Regio.cdl"),
        ("see ../codes/Regio.cdl", "see Regio.cdl"),
        ("~/data/a.csv and b.csv", "a.csv and b.csv"),
        ("codelist:/home/anna/Regio.cdl", "codelist:Regio.cdl"),
        ("either/or, 3/4, km/h and REGION / SEX", "either/or, 3/4, km/h and REGION / SEX"),
        ("REGION: 334 of 379 values.", "REGION: 334 of 379 values."),
    ],
)
def test_paths_in_sentences_are_cut_to_names(text: str, expected: str) -> None:
    assert without_folders(text) == expected


def test_a_text_that_is_no_recipe_is_not_shown() -> None:
    given = for_outsiders(demodata("external", recipe_text='recipe = 1\n[unknown]\nfile = "/home/anna/x"\n'))
    assert given.recipe_text == ""


def test_codes_that_the_safe_file_lacks_are_not_told() -> None:
    lines = (("1", "South", "11-15"), ("2", "Secret", "16"), ("3", "North", "17-19"))
    recode = RecodeFacts("REGION", lines, ("98", "99"), untouched=("20", "", "21"), codelist="../x/A.cdl")
    held = {"REGION": {"1": "South", "3": "", "": "", "20": "", "99": "refused"}}
    given = for_outsiders(demodata("external", recodes=(recode, replace(recode, variable="NAME")), held=held))
    (found,) = given.recodes
    assert found.lines == (("1", "South", ""), ("3", "", ""))
    assert (found.missing, found.untouched, found.codelist) == (("99",), ("20", ""), "")
    (told,) = (part for part in compose(given).sections if part.id == "recodings")
    table = next(block for block in told.blocks if isinstance(block, ReportTable))
    assert [column.title for column in table.columns] == ["Code", "Label"]
    assert "keep their value: 20, (empty)." in str(told)


def test_of_a_safe_file_that_is_not_known_no_code_is_told() -> None:
    given = for_outsiders(demodata("external"))
    assert all(not recode.lines and not recode.missing for recode in given.recodes)


def test_what_was_read_and_left_out_is_not_named() -> None:
    given = for_outsiders(
        demodata(
            "external",
            measures=({"kind": "matches", "variables": ["A"], "released": "/home/anna/b.csv"},),
            warnings=("/home/anna/x.cdl is empty.",),
            household_id="HH",
            suppression=SuppressionFacts("weights", "released-keys", effort=77),
        )
    )
    assert given.measures == ({"kind": "matches", "variables": ["A"]},)
    assert given.warnings == ("x.cdl is empty.",)
    assert [file.role for file in given.files] == ["safe-data", "safe-metadata"]
    assert [file.sha256 for file in given.files] == ["c7" * 32, "04" * 32], "of what was read none"
    assert given.layout is not None
    assert (given.layout.removed, given.layout.left_out) == ((), 2)
    assert given.household_id == ""
    assert given.suppression is not None and given.suppression.effort is None
    assert given.keys[3].label == "" and given.keys[0].label == "Municipality"


def test_the_head_names_the_estimator_though_the_weight_is_left_out() -> None:
    given = demodata("external", weight="GEWICHT", verified=True)
    assert given.layout is not None and "GEWICHT" not in given.layout.names
    report = compose(given)
    assert report.verdict is not None
    assert report.verdict.headline == "Checked: by the individual risk, every record is below 1 in 800."
    (files,) = (part for part in report.sections if part.id == "files")
    assert "not in the safe file" in str(files) and "GEWICHT" not in str(report)


def test_the_head_says_for_what_a_threshold_was_taken() -> None:
    table = replace(demodata().tables[0], asked_for=Threshold(reidentification_rate=0.005))
    report = compose(demodata("external", tables=(table,), verified=True))
    assert report.verdict is not None
    assert report.verdict.headline.endswith(
        "every record is below the threshold for a re-identification rate of 0.500\xa0%."
    )


@pytest.mark.parametrize("fitted", [False, True])
def test_an_estimate_is_promised_only_where_there_is_one(fitted: bool) -> None:
    opinion = Opinion(RiskFigures(0.1, 5.0, 0.01, 3), (4.0, 6.0), 2.0) if fitted else None
    table = replace(demodata().tables[0], opinion=opinion)
    facts = SuppressionFacts("entropy", "original-counts")
    report = compose(demodata("external", tables=(table,), verified=True, suppression=facts))
    assert "fewer than" in str(report.summary)
    assert ("estimate is in the internal report" in str(report.summary)) == fitted
