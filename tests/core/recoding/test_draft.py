"""A recode that is being made: text and scheme in step, and what of it goes into the recipe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.base.errors import RecipeError
from core.data.columns import EncodedColumn
from core.data.variables import Variable
from core.recipe.model import Recode
from core.recoding import grouping
from core.recoding.draft import Draft
from core.recoding.recode import recode
from tests import naive_recode as naive


@pytest.fixture
def column() -> EncodedColumn:
    return naive.column([f"{age:>2}" for age in range(8, 75)], ("99",), 2, "AGE")


def fresh(column: EncodedColumn, spec: Recode | None = None, folder: Path | None = None) -> Draft:
    return Draft.of(column, spec, True, folder)


def test_text_that_is_no_scheme_leaves_the_scheme_as_it_was(column: EncodedColumn) -> None:
    good = fresh(column).written("1: -20\n2: 21-")
    for text, line, place in (("1: -20\n2 21-", 2, 3), ("1: -20\n2: 30-21", 2, 4), ("1: 123", 1, 4)):
        bad = good.written(text)
        assert bad.error is not None
        assert (bad.error.values["line"], bad.error.values["column"]) == (line, place)
        assert (bad.text, bad.scheme) == (text, good.scheme)
        assert bad.written(good.text).says_the_same(good)


def test_no_text_recodes_nothing(column: EncodedColumn) -> None:
    draft = fresh(column).written("1: -20").written(" \n")
    assert (draft.is_empty, draft.error, draft.recode()) == (True, None, None)
    assert draft.becomes() == column.codes
    assert draft.says_the_same(fresh(column))


def test_the_recipe_gets_normal_text_and_the_codelist_outright(column: EncodedColumn, tmp_path: Path) -> None:
    (tmp_path / "Age.cdl").write_text("1,young\n", encoding="utf-8")
    draft = fresh(column, folder=tmp_path).written("1 :  - 20\n\n2:21-\n<MISSING> 98, 97\n<codelist> age.CDL")
    spec = draft.recode()
    assert spec == Recode(
        "AGE", scheme='1: -20\n2: 21-\n<MISSING> 98 97\n<CODELIST> "age.CDL"\n', codelist=tmp_path / "Age.cdl"
    )
    again = fresh(column, spec)
    assert again.says_the_same(replace(draft.with_scheme(replace(draft.scheme, codelist=str(tmp_path / "Age.cdl")))))
    assert again.missing() == ("98", "97")


def test_a_scheme_file_is_shown_with_what_the_recipe_says_instead(column: EncodedColumn, tmp_path: Path) -> None:
    (tmp_path / "Age.grc").write_text("1: -20\n2: 21-\n<MISSING> 98\n<CODELIST> a.cdl\n", encoding="utf-8")
    draft = fresh(column, Recode("AGE", scheme_file=tmp_path / "Age.grc", missing=("77",)))
    assert draft.text == '1: -20\n2: 21-\n<MISSING> 77\n<CODELIST> "a.cdl"\n'
    assert draft.codelist == tmp_path / "a.cdl"
    absent = fresh(column, Recode("AGE", scheme_file=tmp_path / "none.grc"))
    assert absent.error is not None
    assert absent.is_empty


def test_a_recode_that_no_longer_fits_is_shown_with_its_error(column: EncodedColumn) -> None:
    draft = fresh(column, Recode("AGE", scheme="1: 123"))
    assert draft.error is not None
    assert draft.error.id == "recode-code-too-long"
    assert draft.text == "1: 123\n"


def test_truncation_stays_one_until_its_lines_are_changed(column: EncodedColumn) -> None:
    draft = fresh(column).truncated(1)
    assert draft.recode() == Recode("AGE", truncate=1)
    assert draft.text.splitlines()[:2] == ['"": 8-9', "1: 10-19"]
    variable = Variable("AGE", start=1, length=2, truncable=True, missing=("99",))
    done = recode(column, draft.recode(), variable)
    assert done.column.codes == ("", "1", "2", "3", "4", "5", "6", "7", "99")
    assert draft.becomes()[2] == "1"
    missing = draft.written(draft.text + "<MISSING> 98")
    assert missing.recode() == Recode("AGE", truncate=1, missing=("98",))
    merged = missing.with_scheme(grouping.merge(column, missing.scheme, ["8", "12"]))
    assert merged.recode() is not None
    assert merged.recode().truncate is None
    assert draft.written("1: 8-19").recode() == Recode("AGE", scheme="1: 8-19\n")
    with pytest.raises(RecipeError):
        draft.truncated(2)
    assert fresh(column, Recode("AGE", truncate=1)).says_the_same(draft)


def test_plain_values_bring_a_draft_back(column: EncodedColumn, tmp_path: Path) -> None:
    for draft in (
        fresh(column).truncated(1),
        fresh(column).written("1: -20\n2: oops oops"),
        replace(fresh(column), folder=tmp_path).written("1: -20\n<CODELIST> a.cdl"),
    ):
        again = fresh(column).restored(draft.plain())
        assert again.says_the_same(draft)
        assert (again.text, again.folder) == (draft.text, draft.folder)


def test_a_file_names_its_codelist_as_its_folder_needs_it(column: EncodedColumn, tmp_path: Path) -> None:
    (tmp_path / "a.cdl").write_text("1,young\n", encoding="utf-8")
    draft = replace(fresh(column), folder=tmp_path).written("1: -20\n<CODELIST> A.cdl")
    assert draft.scheme_for(tmp_path).codelist == "a.cdl"
    assert draft.scheme_for(tmp_path / "elsewhere").codelist == str(tmp_path / "a.cdl")
