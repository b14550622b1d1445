"""Files judged and protected by the population model: figures, the check of what was written, and refusals."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.base.errors import DataError, ProtectionError, RecipeError
from core.recipe.model import (
    Combination,
    Estimator,
    Input,
    Output,
    Recipe,
    Recode,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.release.run import carry_out
from core.risk.population_risks import PopulationRisks
from core.session import Session

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def demodata(shared: Path, folder: Path, estimator: Estimator, threshold: float, recoded: bool = False) -> Recipe:
    data = shared / "data" / "demodata"
    recodes = tuple(Recode(name, scheme_file=data / f"{name.title()}.grc") for name in ("REGION", "AGE"))
    return Recipe(
        input=Input(data=data / "Demodata.asc", metadata=data / "Demodata.rda"),
        combinations=(Combination(KEYS, estimator=estimator),),
        recodes=recodes if recoded else (),
        threshold=Threshold(individual_risk=threshold),
        suppression=Suppression("entropy"),
        output=Output(data=folder / "safe.asc", summary=folder / "s.json", report=folder / "r.html"),
    )


def summary(recipe: Recipe, session: Session | None = None, curves: bool = True) -> dict[str, Any]:
    carry_out(session or Session(), recipe, curves=curves)
    assert recipe.output.summary is not None
    found: dict[str, Any] = json.loads(recipe.output.summary.read_text())
    return found


def survey(folder: Path, estimator: Estimator, weight: float = 12.0, households: bool = False) -> Recipe:
    """Three keys that go together in pairs, a few missing values, and persons in households of two."""
    draw = random.Random(11)
    lines = ["A,B,C,W,H"]
    for number in range(360):
        a = draw.randrange(9)
        b = a if draw.random() < 0.7 else draw.randrange(9)
        c = draw.randrange(6)
        codes = ["" if draw.random() < 0.05 else str(code) for code in (a, b, c)]
        lines.append(",".join([*codes, str(round(weight * draw.uniform(0.5, 1.5), 3)), str(number // 2)]))
    (folder / "d.csv").write_text("\n".join(lines) + "\n")
    edits = [VariableEdit(name, missing=("",)) for name in "ABC"] + [VariableEdit("W", role="weight")]
    if households:
        edits.append(VariableEdit("H", role="household-id"))
    return Recipe(
        input=Input(data=folder / "d.csv"),
        variables=tuple(edits),
        combinations=(Combination(("A", "B", "C"), estimator=estimator),),
        threshold=Threshold(individual_risk=0.08),
        suppression=Suppression("entropy"),
        output=Output(data=folder / "safe.csv", summary=folder / "s.json", report=folder / "r.html"),
    )


def test_demodata_by_the_calibrated_risk_has_the_published_figures(shared: Path, tmp_path: Path) -> None:
    found = summary(demodata(shared, tmp_path, "calibrated", 0.05))
    table = found["combinations"][0]
    assert table["individual_risk"]["expected_reidentifications"] == pytest.approx(228.267452168, abs=1e-8)
    assert table["threshold"]["unsafe_records"] == 1055
    assert found["suppression"]["by_variable"] == {"REGION": 3, "SEX": 651, "AGE": 102, "MARSTAT": 429}
    assert found["verified"] is True
    by_mode = table["after"]["by_mode"]
    assert by_mode["unsafe_records"] == 0
    assert 0.04 < by_mode["individual_risk"]["max"] < 0.05
    other = table["second_opinion"]
    assert other["estimator"] == "exact"
    assert other["expected_reidentifications"] == pytest.approx(78.255, abs=1e-3)
    assert other["ratio"] == pytest.approx(78.25501599 / 228.267452168)
    report = (tmp_path / "r.html").read_text()
    assert "calibrated: a model of the whole table" in report
    assert "This is what the individual risk" in report
    assert "78.26" in report


def test_demodata_by_the_log_linear_risk(shared: Path, tmp_path: Path) -> None:
    found = summary(demodata(shared, tmp_path, "log-linear", 0.05))
    table = found["combinations"][0]
    assert table["individual_risk"]["expected_reidentifications"] == pytest.approx(231.514009481, rel=1e-9)
    suppressed = found["suppression"]["by_variable"]
    assert (suppressed["REGION"], suppressed["AGE"], suppressed["MARSTAT"]) == (3, 102, 410)
    assert table["after"]["by_mode"]["unsafe_records"] == 0


def test_plug_in_is_below_the_individual_risk_and_for_comparison_only(shared: Path, tmp_path: Path) -> None:
    recipe = demodata(shared, tmp_path, "plug-in", 0.05)
    with pytest.raises(RecipeError, match="comparison only"):
        carry_out(Session(), recipe)
    measured = recipe.with_(output=replace(recipe.output, data=None), threshold=Threshold())
    exact = measured.with_(combinations=(Combination(KEYS),))
    expected = [summary(each)["combinations"][0]["individual_risk"] for each in (measured, exact)]
    assert expected[0]["expected_reidentifications"] < expected[1]["expected_reidentifications"]


@pytest.mark.parametrize("estimator", ["calibrated", "log-linear"])
@pytest.mark.parametrize("households", [False, True])
def test_missing_values_and_households_are_verified(tmp_path: Path, estimator: Estimator, households: bool) -> None:
    recipe = survey(tmp_path, estimator, households=households)
    if households:
        recipe = recipe.with_(threshold=Threshold(individual_risk=0.08, household_risk=0.12))
    found = summary(recipe)
    table = found["combinations"][0]
    assert table["threshold"]["unsafe_records"] > 0
    assert table["after"]["by_mode"]["unsafe_records"] == 0
    if households:
        assert table["after"]["by_mode"]["unsafe_households"] == 0
    assert found["suppression"]["total"] > 0


def test_a_plan_of_another_model_is_refused_by_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def moved(risks: PopulationRisks, mask: int, *progress: Any) -> Any:
        found = own(risks, mask, *progress)
        risks.shapes[mask] = 0.5 * risks.shapes[mask] if risks.shapes[mask] < 1e4 else 7.0
        return found

    own = PopulationRisks._own
    monkeypatch.setattr(PopulationRisks, "_own", moved)
    recipe = survey(tmp_path, "calibrated")
    with pytest.raises(ProtectionError, match="population model"):
        carry_out(Session(), recipe)
    assert not (tmp_path / "safe.csv").exists()


def test_what_the_model_cannot_judge_is_refused_by_name(tmp_path: Path) -> None:
    recipe = survey(tmp_path, "calibrated")
    for rule in ("wildcard", "listwise"):
        combination = replace(recipe.combinations[0], missing_rule=rule)
        with pytest.raises(RecipeError, match='missing_rule = "observed" only'):
            carry_out(Session(), recipe.with_(combinations=(combination,)))
    with pytest.raises(DataError, match="The weights add up to"):
        carry_out(Session(), survey(tmp_path, "calibrated", weight=1.0))


def test_without_weights_the_risk_is_one_over_the_frequency(tmp_path: Path) -> None:
    recipe = survey(tmp_path, "calibrated")
    plain = [edit for edit in recipe.variables if edit.name != "W"]
    found = []
    for estimator in ("calibrated", "exact"):
        combination = replace(recipe.combinations[0], estimator=estimator)
        measured = recipe.with_(
            variables=tuple(plain),
            combinations=(combination,),
            threshold=Threshold(),
            output=replace(recipe.output, data=None),
        )
        found.append(summary(measured)["combinations"][0]["individual_risk"])
    assert found[0]["max"] == found[1]["max"] == 1.0
    assert found[0]["expected_reidentifications"] >= found[1]["expected_reidentifications"] * (1 - 1e-12)
