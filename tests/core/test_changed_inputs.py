"""A file that changes while the program works is noticed wherever it is read once more."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import core.release.run
import core.release.verification
from core.base.errors import DataError, MetadataError, PavoError
from core.browse.records import RecordQuery, choose_records
from core.recipe.model import (
    Combination,
    Input,
    NumericEdit,
    Output,
    Recipe,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.release.run import carry_out
from core.results.numeric import modified_columns
from core.session import Session


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """Households of two, a key, a number and a codelist."""
    rows = [f"{i // 2:02d},{i % 3},{10 + i}\n" for i in range(40)]
    (tmp_path / "d.csv").write_text("H,A,X\n" + "".join(rows), encoding="utf-8")
    (tmp_path / "a.cdl").write_text("0,nought\n1,one\n2,two\n", encoding="utf-8")
    return Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=(
            VariableEdit("H", role="household-id"),
            VariableEdit("A", codelist=tmp_path / "a.cdl"),
            VariableEdit("X", categorical=False, numeric=True),
        ),
        combinations=(Combination(("A",)),),
        threshold=Threshold(individual_risk=0.5),
        numeric=(NumericEdit("X", round=5.0),),
        output=Output(data=tmp_path / "safe.csv", report=tmp_path / "report.html"),
    )


def change(path: Path, old: str, new: str) -> None:
    """Other content of the same length and time, as a careless restore leaves it."""
    status = path.stat()
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def before(
    monkeypatch: pytest.MonkeyPatch, name: str, path: Path, old: str, new: str, module: Any = core.release.run
) -> None:
    """Let `path` change just before `module` calls `name`."""
    honest = getattr(module, name)

    def changed_first(*args: Any, **named: Any) -> Any:
        if old in path.read_text(encoding="utf-8"):
            change(path, old, new)
        return honest(*args, **named)

    monkeypatch.setattr(module, name, changed_first)


def refused(recipe: Recipe) -> PavoError:
    with pytest.raises(PavoError) as caught:
        carry_out(Session(), recipe)
    assert recipe.output.data is not None
    assert not recipe.output.data.exists()
    return caught.value


def test_nothing_is_refused_where_nothing_changes(recipe: Recipe) -> None:
    carry_out(Session(), recipe)
    assert recipe.output.data is not None
    assert recipe.output.data.exists()


def test_numbers_that_are_read_for_their_changes(recipe: Recipe) -> None:
    derived = Session().derive(recipe)
    assert recipe.input.data is not None
    change(recipe.input.data, "00,0,10", "00,0,99")
    with pytest.raises(DataError, match="has changed since it was read"):
        modified_columns(derived, {})


def test_identifiers_that_are_read_for_the_check(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recipe.input.data is not None
    before(monkeypatch, "household_identifiers", recipe.input.data, "00,0,10", "77,0,10", core.release.verification)
    assert refused(recipe).id == "data-changed"


def test_an_original_that_changes_is_no_fault_of_the_safe_file(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = recipe.with_(numeric=(), variables=recipe.variables[1:])
    assert recipe.input.data is not None
    path = recipe.input.data
    before(monkeypatch, "differences", path, "00,0,10", "00,0,88", core.release.verification)
    honest = core.release.verification.check_unchanged

    def with_its_time(*args: Any) -> None:
        os.utime(path)
        honest(*args)

    monkeypatch.setattr(core.release.verification, "check_unchanged", with_its_time)
    assert refused(plain).id == "data-changed"


def test_a_codelist_that_changes_before_the_end(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    before(monkeypatch, "render_html", recipe.input.data.parent / "a.cdl", "one", "1st")  # type: ignore[union-attr]
    error = refused(recipe)
    assert (error.id, Path(str(error.values["file"])).name) == ("input-file-changed", "a.cdl")


def test_data_that_change_before_the_end(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recipe.input.data is not None
    path = recipe.input.data
    honest = core.release.run.render_html

    def shorter_first(*args: Any) -> str:
        path.write_text(path.read_text(encoding="utf-8")[:-8], encoding="utf-8")
        return honest(*args)

    monkeypatch.setattr(core.release.run, "render_html", shorter_first)
    assert refused(recipe).id == "data-changed"


def test_a_codelist_is_not_read_anew_behind_the_back(recipe: Recipe) -> None:
    session = Session()
    assert session.derive(recipe).labels["A"]["1"] == "one"
    assert recipe.input.data is not None
    change(recipe.input.data.parent / "a.cdl", "one", "1st")
    edited = recipe.with_(variables=(*recipe.variables[:2], replace(recipe.variables[2], missing=("10",))))
    with pytest.raises(MetadataError, match=r"a\.cdl has changed since it was read"):
        session.derive(edited)
    session.renew()
    assert session.derive(edited).labels["A"]["1"] == "1st"


def test_records_are_not_sorted_by_other_numbers(recipe: Recipe) -> None:
    plain = recipe.with_(numeric=(), suppression=Suppression(criterion="none"))
    source = Session().derive(plain).microdata
    assert choose_records(RecordQuery(by="X", descending=True), source, {})[0] == 39  # type: ignore[index]
    change(source.source.path, "00,0,10", "00,0,99")
    os.utime(source.source.path)
    with pytest.raises(DataError, match="has changed since it was read"):
        choose_records(RecordQuery(by="X", descending=True), source, {})
