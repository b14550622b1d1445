"""What leaves the house: no folder, no checksum, no seed of the record order, no record-level file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.recipe.model import Combination, Input, Measure, Numeric, Output, Recipe, Recode, VariableEdit
from core.recipe.toml_form import parse
from core.report.external import base_name, external_text, for_outsiders, without_folders
from core.report.inputs import RecodeFacts
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
        numeric=(Numeric("WEIGHT", noise=0.05),),
        measures=(Measure("record-linkage", ("AGE",), (("released", HOME / "safe/other.csv"),)),),
        output=Output(HOME / "safe/a.saf", records=HOME / "safe/records.csv", shuffle=True, seed=20250301),
    )


def test_the_recipe_names_files_without_folders() -> None:
    text = external_text(recipe())
    for secret in ("/", "..", "anna", "confidential", "secret", "records", "20250301", "ab" * 32):
        assert secret not in text
    for name in ("a.asc", "a.rda", "Regio.cdl", "Region.grc", "Age.cdl", "Sex.cdl", "other.csv", "a.saf"):
        assert name in text


def test_decisions_stay_in_it() -> None:
    read = parse(external_text(recipe()), Path("/"))
    assert read.combinations == recipe().combinations
    assert read.output.shuffle
    assert [recode.variable for recode in read.recodes] == ["REGION", "AGE", "SEX"]


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


@pytest.mark.parametrize("path", ["a.csv", "/x/y/a.csv", "x/a.csv", r"C:\x\a.csv", r"x\a.csv"])
def test_names_of_any_system(path: str) -> None:
    assert base_name(path) == "a.csv"


def test_a_text_that_is_no_recipe_is_not_shown() -> None:
    given = for_outsiders(demodata("external", recipe_text='recipe = 1\n[unknown]\nfile = "/home/anna/x"\n'))
    assert given.recipe_text == ""


def test_paths_in_recodes_measures_and_warnings_are_cut() -> None:
    given = for_outsiders(
        demodata(
            "external",
            recodes=(RecodeFacts("A", codelist="../x/A.cdl"),),
            measures=({"kind": "matches", "variables": ["A"], "released": "/home/anna/b.csv"},),
            warnings=("/home/anna/x.cdl is empty.",),
        )
    )
    assert given.recodes[0].codelist == "A.cdl"
    assert given.measures[0]["released"] == "b.csv"
    assert given.warnings == ("x.cdl is empty.",)
    assert [file.role for file in given.files] == ["data", "metadata", "safe-data", "safe-metadata"]
    assert not any(file.sha256 for file in given.files)
