"""``close_gaps``: no suppressed value that the rules tell, from the recipe to summary and report; counted anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import ProtectionError, RecipeError
from core.check.inferable_values import told_values
from core.recipe.model import Combination, Output, Recipe, Suppression, Threshold
from core.recipe.toml import load
from core.release import verification
from core.release.run import carry_out
from core.results.inference import CERTAIN
from core.session import Session

DEMO = Path(__file__).parents[3] / "resources" / "demo"


def survey(folder: Path, criterion: str = "entropy") -> Recipe:
    output = Output(data=folder / "safe.csv", report=folder / "r.html")
    asked = Suppression(criterion, close_gaps=True)  # type: ignore[arg-type]
    return load(DEMO / "survey.pavo").with_(suppression=asked, output=output)


def test_the_demonstration_survey(tmp_path: Path) -> None:
    result = carry_out(Session(), survey(tmp_path))
    after, plan = result.summary["combinations"][0]["after"], result.summary["suppression"]
    told = after["inference"]
    assert (told["certain"], told["before"]["certain"], told["before"]["blanks"]) == (0, 95, 345)
    assert (plan["close_gaps"], plan["before"]["total"], plan["total"]) == (True, 345, told["blanks"])
    assert plan["loss"] > plan["lower_bound"] == pytest.approx(plan["before"]["loss"])
    assert result.summary["verified"] and after["by_mode"]["unsafe_records"] == 0
    assert CERTAIN not in [warning["id"] for warning in result.summary["warnings"]]
    assert result.verification is not None and result.verification.after[0].told == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "95 of 345" in page and "Suppressed values that the rules tell" in page


def test_a_file_that_tells_more_than_the_plan_says_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is verified is the count, not that somebody asked for none."""
    plain = survey(tmp_path).with_(suppression=Suppression("entropy"))
    judged = verification.judged_tables
    monkeypatch.setattr(verification, "judged_tables", lambda *a: [replace(table, told=94) for table in judged(*a)])
    with pytest.raises(ProtectionError, match=r"95 suppressed values of .* are told by the written file, 94"):
        carry_out(Session(), plain)
    assert not (tmp_path / "safe.csv").exists()


def test_what_the_check_counts() -> None:
    """(1, 1) is unsafe and lost its second value: 2 stands beside 1, and no third value is known."""
    first, second = np.array([1, 1, 1, 2, 2]), np.array([2, 2, 1, 1, 2])
    blank = np.where(np.arange(5) == 2, 0, second)
    assert told_values([first, second], [first, blank], [3, 3]) == 1
    assert told_values([first, blank], [first, blank], [3, 3]) == 0  # it was missing before
    assert told_values([first[[0, 2, 3]], second[[0, 2, 3]]], [first[[0, 2, 3]], blank[[0, 2, 3]]], [3, 3]) == 1
    assert told_values([first, second], [first, blank], [1 << 20, 1 << 20]) is None


def test_tables_that_are_coupled_are_closed_together(tmp_path: Path) -> None:
    recipe = survey(tmp_path)
    more = Combination(recipe.combinations[0].variables[:3], model="frequency", count_threshold=2)
    result = carry_out(Session(), recipe.with_(combinations=(*recipe.combinations, more)))
    checked, after = result.verification, result.summary["combinations"]
    assert checked is not None and [found.told for found in checked.after] == [0, 0]
    assert [each["after"]["inference"]["certain"] for each in after] == [0, 0]
    assert after[0]["after"]["inference"]["before"]["certain"] > 0


def test_household_thresholds_and_variables(tmp_path: Path) -> None:
    """Up to so many are told without: by households that is more than anybody can know."""
    recipe = survey(tmp_path).with_(threshold=Threshold(individual_risk=0.05, household_risk=0.1))
    result = carry_out(Session(), recipe)
    after = result.summary["combinations"][0]["after"]
    assert (after["inference"]["certain"], after["by_mode"]["unsafe_records"]) == (0, 0)
    assert result.verification is not None and result.verification.after[0].told == 0
    assert after["inference"]["before"]["certain"] > 0


def test_k_anonymity_beside_is_refused(tmp_path: Path) -> None:
    recipe = survey(tmp_path)
    more = Combination(recipe.combinations[0].variables[:1], missing_rule="category", model="k-anonymity", k=3)
    with pytest.raises(RecipeError) as caught:
        Session().protect(recipe.with_(combinations=(*recipe.combinations, more)))
    assert caught.value.id == "close-gaps-coupled"
