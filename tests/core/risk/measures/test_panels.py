"""Uniqueness in survey panels: matches, anonymity sets, θ and key sets, by definition and as printed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.base.progress import SILENT, Cancelled, Silent
from core.recipe.model import Input, Measure, MultiResponseKey, Output, Recipe, Report, Scenario, VariableEdit
from core.release.run import carry_out
from core.report.words import headline
from core.risk.individual import individual_risk
from core.risk.key_sets import estimated_seconds, key_sets, sets_up_to
from core.risk.measures.evaluation import Evaluation, MeasureInput
from core.risk.measures.registry import REGISTRY
from core.risk.measures.shown import BarPicture
from core.session import Session
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate_records
from tests.core.risk.measures.taken import ROWS, taken
from tests.naive_tables import Row, columns_of, share
from tests.reference.files import golden, small_file

CARDS = (2, 3, 2)
THREE = st.lists(st.tuples(*(st.none() | st.integers(0, card - 1) for card in CARDS)), min_size=1, max_size=14)


def of_records(table: Tabulation, found: Evaluation, name: str) -> list[float]:
    values: list[float] = table.cell_index.spread(found.columns[name, ""]).tolist()
    return values


def naive_matches(rows: list[Row]) -> list[int]:
    return [int(sum(share(mine, other, "wildcard", 1) for other in rows)) for mine in rows]  # type: ignore[arg-type]


def test_matches_by_the_steps_of_the_paper() -> None:
    # (30,M) (20,F) (30,M) (40,M) (.,M) (40,.)
    table, found = taken("matches", [(0, 0), (1, 1), (0, 0), (1, 0), (None, 0), (1, None)])
    assert of_records(table, found, "matches")[4] == 5
    columns = columns_of([(0, 0), (1, 1), (0, 0), (2, 0), (None, 0), (2, None)], (3, 2))
    table = tabulate_records(columns, None, "wildcard")
    found = REGISTRY["matches"].evaluate(MeasureInput(table, {}, {"search": "first", "least": 10}, SILENT))
    assert of_records(table, found, "matches") == [3, 1, 3, 3, 5, 3]
    assert found.behind is not None and found.behind.records is not None
    assert found.behind.records.tolist() == [1, 0, 2, 3, 5, 4]


@pytest.mark.parametrize(
    ("file", "keys", "place"),
    [
        ("francdat", ("Num1", "Key1", "Num2", "Key2", "Key3", "Key4"), ("six_keys",)),
        ("francdat", ("Key1", "Key2", "Key3", "Key4"), ("four_keys",)),
        ("table42", ("Gender", "Educ", "Lstat"), ("table42", "alpha1")),
    ],
)
def test_matches_as_sdcmicro(shared: Path, file: str, keys: tuple[str, ...], place: tuple[str, ...]) -> None:
    columns, _weights = small_file(shared / "data" / f"{file}.csv", keys)
    expected = golden(shared, {"table42": "table42_na.json"}.get(file, f"{file}.json"))
    for part in place:
        expected = expected[part]
    table = tabulate_records(columns, None, "wildcard")
    found = REGISTRY["matches"].evaluate(MeasureInput(table, {}, {"search": "first", "least": 10}, SILENT))
    assert of_records(table, found, "matches") == expected["fk"]


SMALL_GROUPS = ("unique", "below_5", "below_10", "share", "share_of_file")


@given(ROWS)
def test_records_in_small_groups_by_the_definition(rows: list[Row]) -> None:
    _table, found = taken("matches", rows)
    m = naive_matches(rows)
    assert {name: found.figures[name] for name in SMALL_GROUPS} == {
        "unique": m.count(1),
        "below_5": sum(each < 5 for each in m),
        "below_10": sum(each < 10 for each in m),
        "share": m.count(1) / len(rows),
        "share_of_file": m.count(1) / len(rows),
    }
    complete = [row for row in rows if None not in row]
    sizes = [Counter(complete)[row] for row in complete]
    table, found = taken("frequencies", rows, missing_rule="listwise")
    assert [found.figures[name] for name in ("records", "unique", "below_5", "below_10")] == [
        len(complete),
        sizes.count(1),
        sum(size < 5 for size in sizes),
        sum(size < 10 for size in sizes),
    ]
    if complete:
        assert found.figures["share"] == sizes.count(1) / len(complete)
        assert found.figures["share_of_file"] == sizes.count(1) / len(rows)
    assert [f for f in of_records(table, found, "f") if f == f] == sizes


def theta(uniques: int, pairs: float, fraction: float) -> float:
    return fraction * uniques / (fraction * uniques + 2 * (1 - fraction) * pairs)


@given(ROWS, st.sampled_from(["listwise", "wildcard"]), st.integers(1, 3))
def test_unique_match_by_the_definition(rows: list[Row], rule: str, least: int) -> None:
    judged = rows if rule == "wildcard" else [row for row in rows if None not in row]
    m = naive_matches(judged)
    _table, found = taken("matches", rows, missing_rule=rule, population=40.0, least=least)
    n1, n2 = m.count(1), m.count(2) / 2
    assert (found.figures["n1"], found.figures["n2"]) == (n1, n2)
    assert found.figures["reliable"] == (min(n1, n2) >= least)
    assert ("theta" in found.figures) == (n1 + n2 > 0)
    if n1 + n2:
        assert found.figures["theta"] == pytest.approx(theta(n1, n2, len(judged) / 40))


def test_unique_match_needs_to_know_the_population() -> None:
    columns, said = columns_of([(0, 0), (1, 0)], (2, 3)), {"search": "first", "least": 1}
    given_ = MeasureInput(tabulate_records(columns, None, "listwise"), {}, said, SILENT, units="sample")
    alone = REGISTRY["matches"].evaluate(given_).figures
    assert "theta" not in alone and (alone["n1"], alone["n2"], alone["reliable"]) == (2, 0, False)
    with pytest.raises(DataError, match="population is 1, but the file has 2 records"):
        REGISTRY["matches"].evaluate(replace(given_, parameters={**said, "population": 1.0}))
    whole = REGISTRY["matches"].evaluate(replace(given_, units="population"))
    assert whole.figures == {**alone, "theta": 1.0}


@given(THREE, st.integers(1, 3))
def test_each_key_set_is_counted_as_if_it_were_alone(rows: list[Row], most: int) -> None:
    columns = columns_of(rows, CARDS)
    cells = tabulate_records(columns, None, "category").cells
    masks = list(sets_up_to(3, most))
    found = key_sets(cells, masks, 100.0)
    for mask, each in zip(masks, found, strict=True):
        places = [j for j in range(3) if mask >> j & 1]
        projected = [tuple(row[j] for j in places) for row in rows]
        sizes = Counter(row for row in projected if None not in row)
        alone = tabulate_records([columns[j] for j in places], None, "observed").cells
        risk = individual_risk(alone.f, alone.f * 100.0 / len(rows))
        assert each.mask == mask
        assert (each.unique, each.pairs) == tuple(list(sizes.values()).count(size) for size in (1, 2))
        assert each.complete == sum(sizes.values())
        assert each.matches == naive_matches(projected).count(1)
        assert each.expected == pytest.approx(float(alone.count @ risk))
    assert [each.mask for each in found] == masks == sorted(masks, key=lambda m: (m.bit_count(), masks.index(m)))
    assert len(masks) == sum(len(list(combinations(range(3), size))) for size in range(1, most + 1))
    assert 0 < estimated_seconds(cells, masks[:1]) <= estimated_seconds(cells, masks) < 1


def test_key_sets_are_cancelled_and_too_many_are_refused() -> None:
    class Stopped(Silent):
        def check(self) -> None:
            raise Cancelled

    cells = tabulate_records(columns_of([(0,) * 30], (1,) * 30), None, "category").cells
    with pytest.raises(Cancelled):
        key_sets(cells, [1], progress=Stopped())
    table = Tabulation(cells, None)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="30 variables have 174,436 sets of up to 5"):
        REGISTRY["key-sets"].evaluate(MeasureInput(table, {}, {"max_size": 5}, SILENT))


SAID = {
    "matches": ({}, "1 of 4 records agrees with no other record of the file."),
    "key-sets": ({"max_size": 2}, "Of 3 sets of characteristics, K0 singles out the most records: 1."),
}


def test_one_key_set_is_not_said_to_be_the_first_of_many() -> None:
    _table, found = taken("key-sets", [(0, 0), (0, 0), (1, 1)], sets=[["K0", "K1"]])
    assert found.headline is not None
    assert headline(found.headline) == "The only set of characteristics, K0 × K1, singles out so many records: 1."


@pytest.mark.parametrize("kind", SAID)
def test_what_is_shown(kind: str) -> None:
    said, sentence = SAID[kind]
    _table, found = taken(kind, [(0, 0), (0, 0), (1, 1), (0, None)], **said)
    assert found.headline is not None and found.behind is not None
    assert headline(found.headline).replace("\u00a0", " ") == sentence
    assert isinstance(found.picture, BarPicture) and found.picture.values.sum() > 0
    assert all(len(each.values) == len(found.behind.columns[0].values) for each in found.behind.columns)


def recipe_of(folder: Path, *measures: Measure, **more: Any) -> Recipe:
    text = "REGION,SEX,BORN,LANG1,LANG2\n" + "".join(
        f"{line}\n" for line in ("1,m,Mar;Apr,nl,fr", "1,m,Apr,fr,", "1,f,Mar,de,", "2,m,May,fr,nl", "2,f,,,")
    )
    (folder / "panel.csv").write_text(text, encoding="utf-8")
    edits = tuple(VariableEdit(name, missing=("",)) for name in ("BORN", "LANG1", "LANG2"))
    output = Output(report=folder / "r.html", records=folder / "records.csv")
    return Recipe(
        input=Input(data=folder / "panel.csv"),
        variables=edits,
        measures=measures,
        output=output,
        scenarios=(Scenario("Neighbours", ("REGION", "SEX"), source="own eyes", year="2024"),),
        **more,
    )


def matches_of(folder: Path, number: int) -> list[str]:
    header, *lines = (folder / "records.csv").read_text(encoding="utf-8").splitlines()
    place = header.split(",").index(f"matches_m{number}")
    return [line.split(",")[place] for line in lines]


def test_sets_of_values_in_a_recipe(tmp_path: Path) -> None:
    born, spoken = (("separator", ";"),), MultiResponseKey("SPOKEN", ("LANG1", "LANG2"))
    measures = (
        Measure("matches", ("BORN",), born),
        Measure("matches", ("BORN",), (("search", "all"), *born)),
        Measure("matches", ("SPOKEN",)),
        Measure("matches", ("SPOKEN",), (("search", "all"),)),
    )
    carry_out(Session(), recipe_of(tmp_path, *measures, derived=(spoken,)))
    # (Mar or Apr), Apr, Mar, May, missing
    assert matches_of(tmp_path, 1) == ["3", "3", "3", "2", "5"]
    assert matches_of(tmp_path, 2) == ["4", "3", "3", "2", "5"]
    # nl + fr, fr, de, fr + nl, missing: the first searches by nl, the fourth by fr
    assert matches_of(tmp_path, 3) == ["3", "4", "2", "4", "5"]
    assert matches_of(tmp_path, 4) == ["4", "4", "2", "4", "5"]


def test_scenarios_in_a_recipe(tmp_path: Path) -> None:
    measures = (
        Measure("frequencies", (), (("scenario", "Neighbours"),)),
        Measure("key-sets", (), (("scenarios", ("Neighbours",)),)),
        Measure("key-sets", (), (("population", 50.0), ("sets", (("SEX",), ("SEX", "LANG1"))))),
    )
    recipe = recipe_of(tmp_path, *measures)
    first, second, third = carry_out(Session(), recipe).summary["measures"]
    assert first["variables"] == ["REGION", "SEX"] and first["scenario"] == "Neighbours" and first["unique"] == 3
    (row,) = second["key_sets"]
    assert (row["scenario"], row["variables"], row["unique"], row["matches"]) == ("Neighbours", ["REGION", "SEX"], 3, 3)
    assert third["variables"] == ["SEX", "LANG1"]
    assert [(each["variables"], each["unique"]) for each in third["key_sets"]] == [(["SEX", "LANG1"], 2), (["SEX"], 0)]
    report = (tmp_path / "r.html").read_text(encoding="utf-8")
    for text in ("Disclosure scenarios", "Neighbours", "own eyes", "2024", "SEX × LANG1"):
        assert text in report
    outside = recipe.with_(report=Report(variant="external"), output=Output(report=recipe.output.report))
    carry_out(Session(), outside)
    assert "own eyes" not in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_reports_of_outsiders_name_no_variable_that_only_a_scenario_knows(tmp_path: Path) -> None:
    scenario = Scenario("Files of a shop", ("SEX", "BORN"), assumptions="regular customers")
    recipe = recipe_of(tmp_path, Measure("matches", ("SEX",))).with_(scenarios=(scenario,))
    carry_out(Session(), recipe)
    assert "BORN" in (tmp_path / "r.html").read_text(encoding="utf-8")
    carry_out(Session(), recipe.with_(report=Report(variant="external"), output=Output(report=recipe.output.report)))
    report = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "regular customers" not in report and "BORN" not in report


def test_expected_re_identifications_are_left_out_where_the_population_is_unknown() -> None:
    cells = tabulate_records(columns_of([(0, 0), (1, 0)], (2, 3)), None, "category").cells
    assert np.isnan(key_sets(cells, [1])[0].expected)
    assert key_sets(cells, [1], 2.0)[0].expected == 2.0
