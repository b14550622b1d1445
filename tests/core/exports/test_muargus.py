from __future__ import annotations

import csv
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from core.base.errors import OutputError
from core.exports import export_muargus, muargus_files
from core.exports.muargus_codes import WrittenCodes, codelist_lines, muargus_names
from core.formats.argus.codelist import read_codelist
from core.formats.argus.rda import read_rda_with_notices
from core.recipe.model import Combination, Input, Recipe, Recode, Threshold, VariableEdit
from core.recipe.model import HouseholdKey as DerivedKey
from core.recipe.toml import load
from core.results.results import Results
from core.session import Session
from tests.core.exports.demodata import demodata
from tests.naive_recode import column as encoded


def back(derived: Results, rda: Path) -> Results:
    """What our own readers find in the exported files."""
    files = export_muargus(derived, rda).files
    assert files == muargus_files(derived, rda)
    assert all(file.is_file() for file in files)
    metadata, notices = read_rda_with_notices(rda)
    assert not notices
    household = derived.metadata.household_id if derived.households is not None else None
    given = [name for name in derived.microdata.columns if household is None or name != household.name]
    weight = [derived.metadata.weight.name] if derived.metadata.weight and derived.microdata.weights else []
    own = [*([household.name] if household else []), *given, *weight]
    names = dict(zip(own, metadata.names, strict=True))
    recodes = [
        Recode(names[name], scheme_file=rda.with_name(f"{rda.stem}_{names[name]}.grc"))
        for name in derived.recodings
        if rda.with_name(f"{rda.stem}_{names[name]}.grc") in files
    ]
    combinations = [
        Combination(
            tuple(names[name] for name in c.variables),
            c.model,
            c.count_threshold,
            c.k,
            missing_rule=c.missing_rule,
            alpha=c.alpha,
            estimator=c.estimator,
            threshold=c.threshold,
        )
        for c in derived.recipe.combinations
    ]
    return Session().derive(
        Recipe(
            input=Input(rda.with_suffix(".asc"), rda),
            combinations=tuple(combinations),
            recodes=tuple(recodes),
            threshold=derived.recipe.threshold,
        )
    )


def same(one: Results, two: Results) -> None:
    """Every figure that does not depend on what codes are called."""
    assert one.records == two.records
    for before, now in zip(one.risk_tables, two.risk_tables, strict=True):
        assert (len(now.cells), now.sample_uniques) == (len(before.cells), before.sample_uniques)
        assert now.staircase.levels.tolist() == before.staircase.levels.tolist()
        assert now.staircase.cumulative_records.tolist() == before.staircase.cumulative_records.tolist()
        assert now.staircase.expected_reidentifications == pytest.approx(
            before.staircase.expected_reidentifications, rel=1e-13
        )
        assert now.threshold == before.threshold
        assert (now.household is None) == (before.household is None)
        if now.household is not None and before.household is not None:
            mine, theirs = before.household.staircase, now.household.staircase
            assert theirs.levels.tolist() == pytest.approx(mine.levels.tolist(), rel=1e-13)
            assert theirs.level_cells.tolist() == mine.level_cells.tolist()
    assert two.overview.unsafe_by_dimension == one.overview.unsafe_by_dimension


def test_demodata(shared: Path, tmp_path: Path) -> None:
    derived = Session().derive(demodata(shared))
    same(derived, back(derived, tmp_path / "demo.rda"))
    assert {path.name for path in tmp_path.iterdir()} == {
        "demo.rda",
        "demo.asc",
        "demo.txt",
        *(f"demo_{name}.cdl" for name in ("REGION", "SEX", "REGION_recoded", "AGE_recoded")),
        "demo_REGION.grc",
        "demo_AGE.grc",
    }
    guide = (tmp_path / "demo.txt").read_text(encoding="utf-8")
    assert "unsafe records at 0.00125                      397               393" in guide  # published: less than 400
    assert "0.125 %" in guide
    assert "4. Risk Chart: risk threshold 0.00125.\n5. Make Protected File: Use entropy.\n" in guide
    assert read_codelist(tmp_path / "demo_SEX.cdl") == read_codelist(shared / "data" / "demodata" / "Sex.cdl")


def test_guide_lists_priorities_where_they_decide(shared: Path, tmp_path: Path) -> None:
    recipe = demodata(shared)
    recipe = recipe.with_(suppression=replace(recipe.suppression, criterion="weights"))
    back(Session().derive(recipe), tmp_path / "demo.rda")
    guide = (tmp_path / "demo.txt").read_text(encoding="utf-8")
    assert "5. Make Protected File: Use priority.\n   REGION: 50\n   SEX: 50\n" in guide


@pytest.mark.parametrize("name", ["survey", "survey-csv", "survey-households"])
def test_the_demonstration(tmp_path: Path, name: str) -> None:
    demo = Path(__file__).resolve().parents[3] / "resources" / "demo"
    derived = Session().derive(load(demo / f"{name}.pavo"))
    again = back(derived, tmp_path / "demo.rda")
    if name != "survey-households":  # there institutions are taken apart, which mu-ARGUS cannot say
        same(derived, again)
    assert not list(tmp_path.glob("*PERSONNO*"))


def odd(n: int = 90) -> pd.DataFrame:
    chance = random.Random(n)
    return pd.DataFrame(
        {
            "häus nr": [chance.randrange(30) for _ in range(n)],
            "Région/é": [chance.choice(["a, b", "-", "<x>", "", "x" * 60, "ü"]) for _ in range(n)],
            "region_e": [chance.choice(["1", "10", "2", "97", "98", "99"]) for _ in range(n)],
            "age": [chance.choice([*map(str, range(8, 20)), ""]) for _ in range(n)],
            "w": [chance.randint(100, 999) / 100 for _ in range(n)],
        }
    )


EDITS = (
    VariableEdit("w", role="weight"),
    VariableEdit("häus nr", role="household-id"),
    VariableEdit("region_e", missing=("97", "98", "99")),
)
KEYS = ("Région/é", "region_e", "age")


@pytest.mark.parametrize("rule", ["observed", "wildcard"])
@pytest.mark.parametrize("age", [None, "1-9: - 9\n99: 15-", "5: 12-14\n<MISSING> 5"])
def test_odd_names_and_codes_of_a_csv_file(tmp_path: Path, rule: Any, age: str | None) -> None:
    frame = odd()
    frame.to_csv(tmp_path / "odd.csv", index=False, quoting=csv.QUOTE_MINIMAL)
    recipe = Recipe(
        input=Input(tmp_path / "odd.csv"),
        variables=EDITS,
        combinations=(Combination(KEYS, missing_rule=rule),),
        recodes=() if age is None else (Recode("age", scheme=age),),
        threshold=Threshold(individual_risk=0.01),
    )
    derived = Session().derive(recipe)
    assert derived.households is not None
    assert derived.households.scattered
    same(derived, back(derived, tmp_path / "to" / "mu argus.rda"))
    names = [
        line.split()[0] for line in (tmp_path / "to" / "mu argus.rda").read_text().splitlines() if line[0] not in " /"
    ]
    assert names == ["haus_nr", "Region_e", "region_e_2", "age", "w"]
    labels = read_codelist(tmp_path / "to" / "mu argus_Region_e.cdl")
    assert set(labels.values()) == {"-", "<x>", "a; b", "ü", "x" * 60}
    households = [line[:2] for line in (tmp_path / "to" / "mu argus.asc").read_text().splitlines()]
    runs = [one for one, other in zip(households, [None, *households], strict=False) if one != other]
    assert len(runs) == len(set(runs)), "mu-ARGUS takes records that stand together for a household"


def test_an_spss_file(tmp_path: Path) -> None:
    n = 200
    chance = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "Region of residence": chance.integers(1, 6, n).astype(float),
            "job": chance.choice(["a", "b", "zz", ""], n),
            "age": chance.choice([1.5, 2.0, 10.0, 99.0, np.nan], n),
            "w": chance.integers(1, 50, n) + 0.25,
        }
    ).rename(columns={"Region of residence": "Région"})
    pyreadstat.write_sav(
        frame,
        tmp_path / "a.sav",
        variable_value_labels={"Région": {1: "one, two", 2: "two"}, "age": {99: "unknown"}},
        missing_ranges={"age": [99], "job": ["zz"]},
    )
    recipe = Recipe(
        input=Input(tmp_path / "a.sav"),
        variables=(VariableEdit("w", role="weight"),),
        combinations=(Combination(("Région", "job", "age")),),
        recodes=(Recode("Région", scheme="1: 1-2\n2: 3-"),),
        threshold=Threshold(individual_risk=0.01),
    )
    derived = Session().derive(recipe)
    same(derived, back(derived, tmp_path / "spss.rda"))
    assert read_codelist(tmp_path / "spss_Region.cdl") == {"1": "one; two", "2": "two"}


def test_a_variable_called_like_the_recode_of_another(tmp_path: Path) -> None:
    chance = random.Random(3)
    frame = pd.DataFrame({name: [chance.choice("12345") for _ in range(80)] for name in ("x", "X_recoded", "Z")})
    frame.to_csv(tmp_path / "a.csv", index=False)
    for name in frame:
        (tmp_path / f"{name}.cdl").write_text("".join(f"{code},{name} {code}\n" for code in "12345"))
    (tmp_path / "new.cdl").write_text("1,low\n2,high\n")
    recipe = Recipe(
        input=Input(tmp_path / "a.csv"),
        variables=tuple(VariableEdit(name, codelist=tmp_path / f"{name}.cdl") for name in frame),
        combinations=(Combination(tuple(frame)),),
        recodes=(Recode("x", scheme="1: 1-2\n2: 3-5", codelist=tmp_path / "new.cdl"),),
    )
    derived = Session().derive(recipe)
    again = back(derived, tmp_path / "to" / "e.rda")
    same(derived, again)
    for name in frame:
        codelist = again.metadata[name].codelist
        assert codelist is not None
        assert read_codelist(codelist)["1"] == f"{name} 1"
    assert {code: again.labels["x"][code] for code in "12"} == {"1": "low", "2": "high"}


def test_a_comma_in_a_code_ends_it_nowhere(tmp_path: Path) -> None:
    frame = pd.DataFrame({"X": ["A,B", "C", "A,B", "D", "C", "7,8"] * 5, "Y": list("121212") * 5})
    frame.to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "X.cdl").write_text("C,see\nD,dee\n")
    recipe = Recipe(
        input=Input(tmp_path / "a.csv"),
        variables=(VariableEdit("X", missing=("7,8",), codelist=tmp_path / "X.cdl"),),
        combinations=(Combination(("X", "Y")),),
        recodes=(Recode("Y", scheme='"A,B": 1'),),
    )
    derived = Session().derive(recipe)
    again = back(derived, tmp_path / "to" / "e.rda")
    same(derived, again)
    assert read_codelist(tmp_path / "to" / "e_X.cdl") == {"1": "C: see", "2": "D: dee", "3": "A;B", "9": "7;8"}
    written = (tmp_path / "to" / "e.asc").read_text() + (tmp_path / "to" / "e_Y.grc").read_text()
    assert "," not in written


def test_derived_keys_are_written(tmp_path: Path) -> None:
    frame = odd()
    frame.to_csv(tmp_path / "odd.csv", index=False)
    recipe = Recipe(
        input=Input(tmp_path / "odd.csv"),
        variables=EDITS,
        derived=(DerivedKey("size", "household-size"),),
        combinations=(Combination(("region_e", "size")),),
        threshold=Threshold(household_risk=0.01),
    )
    derived = Session().derive(recipe)
    same(derived, back(derived, tmp_path / "demo.rda"))
    assert "size" in (tmp_path / "demo.rda").read_text()


def test_no_input_is_replaced(shared: Path, tmp_path: Path) -> None:
    for path in (shared / "data" / "demodata").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    recipe = Recipe(
        input=Input(tmp_path / "Demodata.asc", tmp_path / "Demodata.rda"),
        combinations=(Combination(("SEX", "AGE")),),
    )
    derived = Session().derive(recipe)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for taken in ("Demodata.rda", "Demodata.asc", "Demodata.xyz"):
        with pytest.raises(OutputError):
            export_muargus(derived, tmp_path / taken)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_names() -> None:
    assert muargus_names(["SEX", "sex", "Sex ", "é/a", "", "*", "a" * 50, "a" * 60]) == [
        "SEX",
        "sex_2",
        "Sex_3",
        "e_a",
        "V",
        "V_2",
        "a" * 32,
        "a" * 28 + "_2",
    ]


def test_a_codelist_has_signs_that_muargus_knows() -> None:
    column = encoded(["1", "2"], ("9",), 1)
    written = WrittenCodes(("1", "2", "9"), "9", False)
    assert codelist_lines(column, written, {"1": "15–29, “x”", "2": "a, b, …"}) == '1,15-29; "x"\n2,a; b; ...\n'
