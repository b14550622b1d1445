"""SUDA against an exhaustive search, the Practice Guide and sdcMicro, and as a recipe asks for it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core.base.errors import DataError
from core.base.progress import SILENT, Cancelled, Silent
from core.recipe.model import Input, Measure, Output, Recipe, Report
from core.release.run import carry_out
from core.risk import minimal_uniques
from core.risk.measures import suda
from core.risk.measures.evaluation import Evaluation, MeasureInput
from core.session import Session
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate_records
from tests import naive_measures as naive
from tests.naive_tables import Row, columns_of
from tests.reference.files import TWELVE_DIGITS, golden, small_file

CARDS = (2, 4, 3, 5, 2)
RECORDS = st.lists(st.tuples(*(st.none() | st.integers(0, card - 1) for card in CARDS)), min_size=1, max_size=25)


def taken_on(columns: Any, **said: Any) -> tuple[Tabulation, Evaluation]:
    measure = Measure("suda", tuple(column.name for column in columns), tuple(said.items()))
    parameters = suda.DECLARATION.used(measure)
    table = tabulate_records(columns, None, parameters["missing_rule"])
    return table, suda.evaluate(MeasureInput(table, {}, parameters, SILENT))


def of_records(table: Tabulation, evaluation: Evaluation, name: str) -> np.ndarray[Any, Any]:
    return table.cell_index.spread(evaluation.columns[name, ""])


@given(RECORDS, st.integers(1, 6), st.sampled_from(["original", "sdcmicro"]), st.sampled_from(["category", "listwise"]))
def test_scores_are_those_of_an_exhaustive_search(rows: list[Row], most: int, scaling: str, rule: str) -> None:
    table, found = taken_on(columns_of(rows, CARDS), max_size=most, scaling=scaling, missing_rule=rule)
    judged = [row for row in rows if rule == "category" or None not in row]
    sets = naive.minimal_uniques(judged, min(most, len(CARDS))) if judged else []
    points = suda.scores_by_size(len(CARDS), min(most, len(CARDS)), scaling)
    score = of_records(table, found, "suda")
    assert_allclose(score[~np.isnan(score)], [sum(points[len(one)] for one in each) for each in sets], rtol=1e-12)
    assert found.figures["by_size"] == {
        str(size): sum(len(one) == size for each in sets for one in each) for size in range(1, len(points))
    }
    assert found.figures["scored"] == sum(score > 0)
    assert sum(found.figures["classes"].values()) == len(judged)
    by_record = dict(zip((i for i, s in enumerate(score, 1) if not math.isnan(s)), sets, strict=True))
    riskiest = found.figures.get("riskiest", [])
    assert [each["score"] for each in riskiest] == pytest.approx(sorted(score[score > 0], reverse=True)[:20])
    for each in riskiest:
        assert each["unique_on"] == [[f"K{j}" for j in one] for one in sorted(by_record[each["record"]], key=by_length)]
    total = sum(points[len(one)] for each in sets for one in each)
    for j, name in enumerate(table.cells.variables if total else ()):
        expected = sum(points[len(one)] for each in sets for one in each if j in one) / total
        assert found.figures["contributions"][name] == pytest.approx(expected)


def by_length(places: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(places), places


def test_practice_guide_table_4_5(shared: Path) -> None:
    columns, _ = small_file(shared / "data" / "table41.csv", ("Residence", "Gender", "Educ", "Lstat"))
    values = golden(shared, "table41.json")["suda2"]
    table, found = taken_on(columns)
    assert of_records(table, found, "suda").tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    dis = of_records(table, found, "dis_suda")
    assert [f"{dis[i]:.4f}" for i in (2, 4, 6, 7)] == ["0.0050", "0.0114", "0.0050", "0.0092"]
    shares = values["original_scores=TRUE,missing=NA"]["attribute_contributions"]["contribution"]
    assert_allclose(100 * np.array(list(found.figures["contributions"].values())), shares, rtol=TWELVE_DIGITS)
    table, scaled = taken_on(columns, scaling="sdcmicro")
    assert of_records(table, scaled, "suda")[[2, 4, 6, 7]] == pytest.approx([1.75, 3.25, 1.75, 2.75], rel=1e-15)
    printed = of_records(table, scaled, "dis_suda")[[2, 4, 6, 7]]
    assert [f"{each:.4f}" for each in printed] == ["0.0051", "0.0107", "0.0051", "0.0088"]
    for fraction in (0.05, 0.1):
        table, found = taken_on(columns, dis_fraction=fraction)
        theirs = values[f"original_scores=TRUE,missing=NA,DisFraction={fraction}"]["disScore"]
        # computed there with 32 bits
        assert_allclose(of_records(table, found, "dis_suda"), theirs, rtol=3e-7)


@pytest.mark.parametrize("keys", [5, 6, 7])
@pytest.mark.parametrize(("scaling", "original"), [("original", "TRUE"), ("sdcmicro", "FALSE")])
def test_testdata_as_sdcmicro(shared: Path, keys: int, scaling: str, original: str) -> None:
    theirs = golden(shared, "testdata_suda2.json")[f"k{keys}_original_scores={original}"]
    columns, _ = small_file(shared / "data" / "testdata.csv", theirs["variables"])
    # there all sizes are searched
    table, found = taken_on(columns, max_size=keys, scaling=scaling)
    score, dis = of_records(table, found, "suda"), of_records(table, found, "dis_suda")
    assert_allclose(score, theirs["score"], rtol=TWELVE_DIGITS, atol=1e-15)
    assert_allclose(score, theirs["brute_force_score"], rtol=TWELVE_DIGITS, atol=1e-15)
    assert_allclose(dis, theirs["disScore"], rtol=3e-7, atol=1e-15)
    shares = dict(zip(theirs["attribute_contributions"]["variable"],
                      theirs["attribute_contributions"]["contribution"], strict=True))  # fmt: skip
    for name, share in found.figures["contributions"].items():
        assert 100 * share == pytest.approx(shares[name], rel=1e-9)


def test_a_single_pair_is_as_safe_as_it_gets_without_any() -> None:
    assert suda.dis_scores(np.array([0.0, 3.0]), 0, 4, 0.01).tolist() == [0.0, 1.0]


def test_a_search_is_cancelled_and_stays_within_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(Silent):
        def check(self) -> None:
            raise Cancelled

    columns = columns_of([(i % 2, i % 3, i % 5) for i in range(12)], (2, 3, 5))
    cells = tabulate_records(columns, None, "category").cells
    search = minimal_uniques.MinimalUniques(cells.codes, cells.cards, cells.count, 3)
    with pytest.raises(Cancelled):
        list(search.found(progress=Stopped()))
    monkeypatch.setattr(minimal_uniques, "_MOST", 1)
    with pytest.raises(DataError, match=r"more than 1 minimal sample uniques"):
        list(search.found())


def test_in_a_recipe_and_not_for_outsiders(tmp_path: Path) -> None:
    rows = [("1", "x", "a"), ("1", "x", "a"), ("1", "y", "a"), ("2", "x", "a"), ("2", "", "b")]
    text = "A,B,C\n" + "".join(",".join(row) + "\n" for row in rows)
    (tmp_path / "d.csv").write_text(text, encoding="utf-8")
    output = Output(report=tmp_path / "r.html", records=tmp_path / "records.csv")
    measure = Measure("suda", ("A", "B", "C"), (("max_size", 2),))
    recipe = Recipe(input=Input(data=tmp_path / "d.csv"), measures=(measure,), output=output)
    (found,) = carry_out(Session(), recipe).summary["measures"]
    assert found["kind"] == "suda" and found["max_size"] == 2 and found["scored"] == 3
    header, *lines = (tmp_path / "records.csv").read_text(encoding="utf-8").splitlines()
    assert header == "record,suda_m1,dis_suda_m1"
    assert [line.split(",")[1] for line in lines] == ["0", "0", "2", "2", "2"]
    report = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "largest score" in report and "riskiest record" in report
    outside = recipe.with_(report=Report(variant="external"), output=Output(report=output.report))
    carry_out(Session(), outside)
    report = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "suda: " in report and "largest score" not in report and "riskiest" not in report
