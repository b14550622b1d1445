"""Recodes as a recipe asks for them, and the labels they leave."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.base.errors import MetadataError, RecipeError
from core.data.columns import EncodedColumn
from core.data.variables import Metadata, Variable
from core.metadata.describe import describe
from core.recipe.model import Input, Recode
from core.recoding.labels import labels, labels_with_notices
from core.recoding.recode import recode
from tests import naive_recode as naive


def demodata(shared: Path, name: str) -> tuple[EncodedColumn, Variable, Path]:
    folder = shared / "data" / "demodata"
    variable = describe(Input(folder / "Demodata.asc", folder / "Demodata.rda"))[name]
    lines = (folder / "Demodata.asc").read_text().splitlines()
    fields = [line[variable.start - 1 : variable.start - 1 + variable.length] for line in lines]
    return naive.column(fields, variable.missing, variable.length, name), variable, folder


@pytest.mark.parametrize(
    ("name", "scheme", "n_codes", "missing", "width"),
    [
        ("REGION", "Region.grc", 18, ("98", "99"), 2),
        ("AGE", "Age.grc", 6, ("8", "9"), 1),
        ("AGE", "Age3.grc", 3, ("8", "9"), 1),
    ],
)
def test_the_schemes_of_the_demonstration_survey(
    shared: Path, name: str, scheme: str, n_codes: int, missing: tuple[str, ...], width: int
) -> None:
    column, variable, folder = demodata(shared, name)
    recoding = recode(column, Recode(name, scheme_file=folder / scheme), variable)
    result = recoding.column
    assert (result.n_valid, result.codes[result.n_valid :], result.width) == (n_codes, missing, width)
    assert recoding.notices == ()
    assert recoding.codelist == folder / scheme.replace(".grc", ".cdl")
    step = {"Region.grc": lambda code: (min(code, 171) - 1) // 10 + 1, "Age.grc": lambda age: age_group(age, 6)}.get(
        scheme, lambda age: 1 if age <= 30 else 2 if age <= 50 else 3
    )
    original = np.array(column.codes)[column.values].astype(int)
    assert [int(result.codes[i]) for i in result.values] == [step(code) for code in original.tolist()]


def age_group(age: int, groups: int) -> int:
    return 1 if age <= 20 else min((age - 11) // 10 + 1, groups)


def test_labels_of_the_demonstration_survey(shared: Path) -> None:
    column, variable, folder = demodata(shared, "REGION")
    metadata = describe(Input(folder / "Demodata.asc", folder / "Demodata.rda"))
    before = labels(metadata, {})
    assert before["REGION"]["1"] == "Aalburg"
    assert before["SEX"] == {"1": "male", "2": "female"}
    recoding = recode(column, Recode("REGION", scheme_file=folder / "Region.grc"), variable)
    after = labels(metadata, {"REGION": recoding})
    assert after["REGION"]["18"] == "regio 18"
    assert after["SEX"] == before["SEX"]


def column_and_variable(**attributes: object) -> tuple[EncodedColumn, Variable]:
    variable = Variable("X", start=1, length=2, categorical=True, missing=("99",), **attributes)
    return naive.column([" 1", " 2", "13", "99"], ("99",), 2), variable


def test_without_a_codelist_of_its_own_a_recode_keeps_the_labels_of_what_it_left(tmp_path: Path) -> None:
    codelist = tmp_path / "x.cdl"
    codelist.write_text("1,one\n2,two\n13,thirteen\n99,unknown\n")
    column, variable = column_and_variable(codelist=codelist)
    metadata = Metadata("fixed", (variable,))
    kept = recode(column, Recode("X", scheme="3: 2"), variable)
    assert labels(metadata, {"X": kept})["X"] == {"1": "one", "13": "thirteen", "99": "unknown"}
    merged = recode(column, Recode("X", scheme="1: 2\n<MISSING> 9"), variable)
    assert labels(metadata, {"X": merged})["X"] == {"13": "thirteen"}


def test_codelist_of_the_recipe_then_of_the_scheme(tmp_path: Path) -> None:
    column, variable = column_and_variable(codelist=tmp_path / "x.cdl")
    (tmp_path / "New.cdl").write_text("3,three\n")
    (tmp_path / "x.grc").write_text("3: 1-2\n<codelist> new.CDL")
    assert recode(column, Recode("X", scheme_file=tmp_path / "x.grc"), variable).codelist == tmp_path / "New.cdl"
    inline = Recode("X", scheme="3: 1-2\n<CODELIST> new.cdl")
    assert recode(column, inline, variable).codelist == tmp_path / "New.cdl"
    own = Recode("X", scheme_file=tmp_path / "x.grc", codelist=tmp_path / "own.cdl")
    recoding = recode(column, own, variable)
    assert recoding.codelist == tmp_path / "own.cdl"
    found, notices = labels_with_notices(Metadata("fixed", (variable,)), {"X": recoding})
    assert found["X"] == {}
    assert [notice.id for notice in notices] == ["codelist-unreadable"]
    assert "own.cdl" in notices[0].text


def test_a_codelist_is_never_taken_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "new.cdl").write_text("3,three\n")
    monkeypatch.chdir(tmp_path)
    column, variable = column_and_variable()
    recoding = recode(column, Recode("X", scheme="3: 1-2\n<CODELIST> new.cdl"), variable)
    assert recoding.codelist is None
    assert [notice.id for notice in recoding.warnings] == ["codelist-not-found"]
    assert "new.cdl" in recoding.warnings[0].text


def test_missing_codes_of_the_recipe_come_before_those_of_the_scheme() -> None:
    column, variable = column_and_variable()
    recoding = recode(column, Recode("X", scheme="3: 1-2\n<MISSING> 8", missing=("7", "6")), variable)
    assert recoding.column.codes[recoding.column.n_valid :] == ("7", "6")


def test_truncation_of_a_variable_not_marked_so_is_said() -> None:
    column, variable = column_and_variable()
    recoding = recode(column, Recode("X", truncate=1), variable)
    assert recoding.column.codes == ("", "1", "99")
    assert (recoding.kind, recoding.text) == ("truncate", "1 digit has been truncated")
    assert [notice.id for notice in recoding.notices] == ["truncate-not-marked"]
    column, variable = column_and_variable(truncable=True)
    assert recode(column, Recode("X", truncate=1), variable).notices == ()


@pytest.mark.parametrize("spec", [Recode("X"), Recode("X", scheme="1: 1", truncate=1)])
def test_exactly_one_kind_of_recode(spec: Recode) -> None:
    with pytest.raises(RecipeError) as error:
        recode(*column_and_variable()[:1], spec, column_and_variable()[1])
    assert error.value.id == "recode-kind"


def test_errors_name_the_variable_or_the_file(tmp_path: Path) -> None:
    column, variable = column_and_variable()
    with pytest.raises(MetadataError, match="Recode of X, line 1, position 3"):
        recode(column, Recode("X", scheme="1 2"), variable)
    (tmp_path / "bad.grc").write_text("1: 1\n2: 123")
    with pytest.raises(RecipeError, match=r"bad\.grc, line 2, position 4: code 123 is longer than the field of X"):
        recode(column, Recode("X", scheme_file=tmp_path / "bad.grc"), variable)
    with pytest.raises(MetadataError, match=r"absent\.grc does not exist"):
        recode(column, Recode("X", scheme_file=tmp_path / "absent.grc"), variable)


def test_a_delimited_variable_has_no_field_to_be_too_long_for() -> None:
    column, variable = naive.column(["5", "17", ""], ("",), 2), Variable("X", column=1, missing=("",))
    recoding = recode(column, Recode("X", scheme="old: 10-120"), variable)
    assert [recoding.column.codes[i] for i in recoding.column.values] == ["5", "old", ""]


def test_declared_missing_codes_behind_empty_keep_their_meaning() -> None:
    column = naive.column([" 1", " 2", "  ", "98", "99"], ("", "98", "99"), 2)
    variable = Variable("X", categorical=True, missing=("", "98", "99"), truncable=True)
    for spec in (Recode("X", scheme="3: 1-2\n<MISSING> 98 99"), Recode("X", truncate=1, missing=("98", "99"))):
        done = recode(column, spec, variable)
        assert [done.column.codes[place] for place in done.lut[-3:]] == ["98", "98", "99"]
    done = recode(column, Recode("X", scheme="3: 1-2\n<MISSING> 8 9"), variable)
    assert [done.column.codes[place] for place in done.lut[-3:]] == ["8", "8", "9"]
