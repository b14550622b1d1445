"""The other estimate of the risk of the safe file: its figures, the sentence at the head, its colour, its warning."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.recipe.model import (
    Combination,
    Estimator,
    Input,
    Mode,
    Output,
    Recipe,
    Suppression,
    Threshold,
    Units,
    VariableEdit,
)
from core.release.run import Result, carry_out
from core.results.remaining_risks import remaining_risks_of
from core.results.results import Results, RiskTable
from core.risk.individual import individual_risk
from core.session import Session
from core.warnings.safe_file_risk import BELOW_EXACT, OTHER_ESTIMATE
from tests.core.warnings.test_second_opinion import survey

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


@pytest.fixture
def demodata(shared: Path, tmp_path: Path) -> Recipe:
    folder = shared / "data" / "demodata"
    return Recipe(
        input=Input(data=folder / "Demodata.asc", metadata=folder / "Demodata.rda"),
        combinations=(Combination(KEYS),),
        threshold=Threshold(individual_risk=0.01),
        output=Output(data=tmp_path / "safe.csv", report=tmp_path / "r.html", summary=tmp_path / "s.json"),
    )


def with_estimator(recipe: Recipe, estimator: Estimator) -> Recipe:
    (combination,) = recipe.combinations
    return recipe.with_(combinations=(replace(combination, estimator=estimator),))


def judged_by(recipe: Recipe, estimator: Estimator) -> tuple[Results, RiskTable]:
    derived = Session().derive(with_estimator(recipe, estimator))
    (table,) = derived.risk_tables
    return derived, table


def in_mode(recipe: Recipe, mode: Mode) -> Recipe:
    return recipe.with_(suppression=Suppression(mode=mode, effort=5))


def warned(result: Result) -> list[str]:
    return [warning["id"] for warning in result.summary["warnings"]]


def test_by_remaining_values_it_is_the_closed_risk_of_the_model(demodata: Recipe) -> None:
    result = carry_out(Session(), demodata)
    opinion = result.summary["combinations"][0]["second_opinion"]["after"]
    derived, table = judged_by(demodata, "calibrated")
    assert result.protection is not None
    risk = remaining_risks_of(table, result.protection.plan, derived.households).risk
    assert opinion["expected_reidentifications"] == pytest.approx(risk.sum(), rel=1e-12)
    assert opinion["max"] == pytest.approx(risk.max(), rel=1e-12)
    assert opinion["rate"] == pytest.approx(risk.mean(), rel=1e-12)
    assert opinion["unsafe_records"] == (risk >= 0.01 * (1 - 1e-12)).sum() == 775
    assert opinion["interval"]["low"] < opinion["expected_reidentifications"] < opinion["interval"]["high"]


def sizes_and_cells(result: Result, table: RiskTable) -> tuple[list[int], list[int]]:
    """Of each record the number of records of its released key, and its cell."""
    protection = result.protection
    assert protection is not None
    codes = [column[table.cell_index.of_record].astype(int) for column in table.cells.codes]
    for name, column in zip(KEYS, codes, strict=True):
        if name in protection.plan.suppressed:
            column[protection.plan.suppressed[name]] = -1
    keys = list(zip(*(column.tolist() for column in codes), strict=True))
    sizes = Counter(keys)
    return [sizes[key] for key in keys], table.cell_index.of_record.tolist()


@pytest.mark.parametrize(("estimator", "other"), [("exact", "calibrated"), ("calibrated", "exact")])
def test_by_released_keys_the_risk_of_an_unsafe_cell_is_spread_over_its_key(
    demodata: Recipe, estimator: Estimator, other: Estimator
) -> None:
    result = carry_out(Session(), with_estimator(in_mode(demodata, "released-keys"), estimator))
    _derived, table = judged_by(demodata, other)
    sizes, cells = sizes_and_cells(result, table)
    expected, unsafe, largest = 0.0, 0, 0.0
    for size, cell in zip(sizes, cells, strict=True):
        risk = table.risk[cell]
        if risk >= 0.01 * (1 - 1e-12):
            risk = table.cells.count[cell] * risk / size
        expected, unsafe, largest = expected + risk, unsafe + (risk >= 0.01 * (1 - 1e-12)), max(largest, risk)
    after = result.summary["combinations"][0]["second_opinion"]["after"]
    assert after["expected_reidentifications"] == pytest.approx(expected, rel=1e-9)
    assert after["max"] == pytest.approx(largest, rel=1e-9) and after["unsafe_records"] == unsafe
    assert ("interval" in after) == (other == "calibrated")


def test_judged_by_the_model_the_other_is_the_individual_risk(demodata: Recipe) -> None:
    recipe = with_estimator(demodata.with_(threshold=Threshold(individual_risk=0.05)), "calibrated")
    result = carry_out(Session(), recipe)
    derived, table = judged_by(demodata, "exact")
    assert result.protection is not None
    risk = remaining_risks_of(table, result.protection.plan, derived.households).risk
    after = result.summary["combinations"][0]["second_opinion"]["after"]
    assert after["expected_reidentifications"] == pytest.approx(risk.sum(), rel=1e-12)
    assert after["unsafe_records"] == 0 and "interval" not in after
    assert result.report.verdict is not None and result.report.verdict.tone == "good"
    assert result.report.verdict.headline == (
        "Checked: by the population model, every record is below 1 in 20. The individual risk also finds no unsafe "
        "record."
    )


def test_the_head_is_not_green_where_the_model_finds_records(demodata: Recipe) -> None:
    result = carry_out(Session(), demodata)
    verdict = result.report.verdict
    assert verdict is not None and verdict.tone == "warning"
    assert verdict.headline == (
        "Checked: by the individual risk, every record is below 1 in 100. By the population model, 775 records are not."
    )
    assert result.summary["checked"] == {"statement": verdict.headline, "estimates_agree": False}
    stated = result.stated()
    assert stated is not None and (stated.headline, stated.tone) == (verdict.headline, verdict.tone)
    assert OTHER_ESTIMATE in warned(result)
    told = "Expected re-identifications: 29 (23 to 36) by the population model; 12 by the individual risk."
    assert told in [text.text for text in result.report.summary]
    assert told in [figure.meaning for figure in result.report.figures]
    assert demodata.output.report is not None
    assert verdict.headline in demodata.output.report.read_text(encoding="utf-8")


def test_the_gravest_warnings_come_first(demodata: Recipe) -> None:
    head = [text.text for text in carry_out(Session(), demodata).report.summary if text.tone == "warning"]
    told = ("Suppressed values can be told", "By the population model, 775", "probably underestimates", "and 23 more")
    places = [next(i for i, text in enumerate(head) if some in text) for some in told]
    assert places == sorted(places)


def test_both_estimates_agree_where_the_file_is_coarse(tmp_path: Path) -> None:
    recipe = survey(tmp_path, 50.0, records=900, spread=3).with_(
        threshold=Threshold(individual_risk=0.05), output=Output(data=tmp_path / "safe.csv")
    )
    result = carry_out(Session(), recipe)
    assert result.summary["checked"] == {
        "statement": "Checked: by the individual risk, every record is below 1 in 20. The population model also finds "
        "no unsafe record.",
        "estimates_agree": True,
    }
    assert OTHER_ESTIMATE not in warned(result)


@pytest.mark.parametrize("units", ["population", None])
def test_without_weights_the_statement_names_what_is_counted(tmp_path: Path, units: Units | None) -> None:
    recipe = survey(tmp_path, None, records=900, spread=3).with_(
        threshold=Threshold(individual_risk=0.5), output=Output(data=tmp_path / "safe.csv")
    )
    recipe = recipe.with_(input=replace(recipe.input, units=units))
    summary = carry_out(Session(), recipe).summary
    told = "Checked: by the sample frequency (risk 1/f), every record is below 1 in 2."
    assert summary["checked"] == {"statement": told, "estimates_agree": True}
    assert "second_opinion" not in summary["combinations"][0]


def test_an_estimator_below_the_exact_risk_is_warned_of(tmp_path: Path) -> None:
    lines = ["A,W", *("x,2" for _ in range(4)), *("y,40" for _ in range(60)), "z,9", "u,30"]
    (tmp_path / "d.csv").write_text("\n".join(lines) + "\n")
    exact, below = (individual_risk(np.array([4.0]), np.array([8.0]), each)[0] for each in ("exact", "truncated"))
    assert below < exact
    recipe = Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=(VariableEdit("W", role="weight"),),
        combinations=(Combination(("A",), estimator="truncated"),),
        threshold=Threshold(individual_risk=(exact + below) / 2),
        output=Output(data=tmp_path / "safe.csv"),
    )
    result = carry_out(Session(), recipe)
    (told,) = [warning for warning in result.summary["warnings"] if warning["id"] == BELOW_EXACT]
    assert told["text"].startswith("By the exact individual risk, 4 records of the safe file are at or above")
    assert result.report.verdict is not None and result.report.verdict.tone == "warning"
    assert "By the individual risk, 4 records are not." in result.report.verdict.headline
    assert any("4 records of the safe file" in text.text for text in result.report.summary)


def anonymous(recipe: Recipe, k: int) -> Recipe:
    combination = Combination(("REGION", "SEX", "AGE"), model="k-anonymity", missing_rule="category", k=k)
    return recipe.with_(combinations=(combination,), threshold=Threshold())


def test_k_anonymity_has_what_the_model_expects_of_the_safe_file(demodata: Recipe) -> None:
    recipe = anonymous(demodata, 3)
    result = carry_out(Session(), recipe)
    found = result.summary["combinations"][0]["second_opinion"]
    by_model = Combination(recipe.combinations[0].variables, estimator="calibrated")
    derived = Session().derive(recipe.with_(combinations=(by_model,), threshold=Threshold(individual_risk=0.01)))
    assert result.protection is not None
    risk = remaining_risks_of(derived.risk_tables[0], result.protection.plan, derived.households).risk
    after = found["after"]
    assert found["estimator"] == "calibrated" and "unsafe_records" not in after
    assert after["expected_reidentifications"] == pytest.approx(risk.sum(), rel=1e-12)
    assert after["max"] == pytest.approx(risk.max(), rel=1e-12)
    assert after["interval"]["low"] < risk.sum() < after["interval"]["high"]
    (told,) = [text.text for text in result.report.summary if "re-identifications in the safe file:" in text.text]
    assert told.startswith("Expected re-identifications in the safe file: ") and "population model" in told


def test_k_anonymity_without_weights_says_why_no_model_expects(demodata: Recipe) -> None:
    unweighted = anonymous(demodata, 3).with_(variables=(VariableEdit("WEIGHT", role="other"),))
    result = carry_out(Session(), unweighted)
    assert "second_opinion" not in result.summary["combinations"][0]
    told = [text.text for text in result.report.summary]
    assert "Without sampling weights, no population model gives the expected re-identifications." in told
