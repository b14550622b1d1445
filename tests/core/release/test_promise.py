"""Files judged and protected by the promise about the population size of a cell: figures, the check, and refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.base.errors import ProtectionError, RecipeError
from core.recipe.model import Combination, Recipe, Suppression, Threshold
from core.recipe.toml import parse
from core.recipe.toml_writer import dumps
from core.recipe.validate import check
from core.release.run import carry_out
from core.risk.linked_numbers import by_records, by_risk
from core.session import Session
from core.whatif.before_after import outcomes
from tests.core.release.test_population_estimators import demodata, summary, survey

SURVEY = Threshold(individual_risk=0.04, exceedance=0.05)


def promised(folder: Path, mode: str = "original-counts", households: bool = False) -> Recipe:
    recipe = survey(folder, "calibrated", households=households)
    suppression = Suppression("entropy", mode=mode, effort=20)  # type: ignore[arg-type]
    return recipe.with_(threshold=SURVEY, suppression=suppression)


def test_demodata_by_the_promise_has_the_published_suppressions(shared: Path, tmp_path: Path) -> None:
    recipe = demodata(shared, tmp_path, "calibrated", 0.05)
    found = summary(recipe.with_(threshold=Threshold(individual_risk=0.05, exceedance=0.05)))
    table = found["combinations"][0]
    assert found["suppression"]["by_variable"] == {"REGION": 9, "SEX": 727, "AGE": 584, "MARSTAT": 687}
    assert found["verified"] is True
    assert table["individual_risk"]["expected_reidentifications"] == pytest.approx(228.267452168, abs=1e-8)
    assert table["threshold"]["exceedance"] == 0.05
    assert table["after"]["by_mode"]["unsafe_records"] == 0
    assert table["second_opinion"]["estimator"] == "exact"


@pytest.mark.parametrize("mode", ["original-counts", "released-keys"])
@pytest.mark.parametrize("households", [False, True])
def test_every_mode_keeps_the_promise_and_is_verified(tmp_path: Path, mode: str, households: bool) -> None:
    recipe, session = promised(tmp_path, mode, households), Session()
    found = summary(recipe, session, curves=not households)
    table = found["combinations"][0]
    by_risk_alone = summary(recipe.with_(threshold=Threshold(individual_risk=0.04)), curves=False)
    plain = by_risk_alone["combinations"][0]
    assert table["individual_risk"] == plain["individual_risk"]
    assert table["threshold"]["rate"] == plain["threshold"]["rate"]
    assert table["threshold"]["unsafe_records"] > plain["threshold"]["unsafe_records"] > 0
    assert found["suppression"]["total"] > by_risk_alone["suppression"]["total"]
    after = table["after"]["by_mode"]
    assert after["unsafe_records"] == 0
    left = after["individual_risk"]["expected_reidentifications"]
    assert left < plain["individual_risk"]["expected_reidentifications"]
    # What the windows foresee is what the check of the written file finds.
    (foreseen,) = outcomes(session.protect(recipe))
    assert foreseen.after.individual is not None
    assert foreseen.after.individual.unsafe == 0
    assert foreseen.after.individual.max_risk == pytest.approx(after["individual_risk"]["max"], rel=1e-9)
    assert foreseen.after.individual.expected == pytest.approx(left)


def test_unsafe_are_the_records_whose_closed_chance_is_not_below_what_is_allowed(tmp_path: Path) -> None:
    derived = Session().derive(promised(tmp_path))
    (table,) = derived.risk_tables
    assert table.population is not None
    model = table.population.model
    unsafe = 0
    for cell in range(len(table.cells)):
        complete = model.full & ~int(table.cells.missing[cell])
        chances = [
            model.key_set(part).exceedance(0.04)[model.cube.project(part).group_of_cell[cell]]
            for part in range(model.full + 1)
            if part & complete == part
        ]
        unsafe += int(table.cells.count[cell]) * (max(chances) >= 0.05)
    assert table.staircase.unsafe(0.04) == unsafe > 0


def test_the_slider_moves_the_risk_threshold_and_each_number_leads_back(tmp_path: Path) -> None:
    (table,) = Session().derive(promised(tmp_path)).risk_tables
    staircase, expected = table.staircase, Session().derive(survey(tmp_path, "calibrated")).risk_tables[0].staircase
    before = None
    threshold: float | None = 1.0
    while threshold is not None and threshold != before:
        linked = by_risk(staircase, threshold)
        assert by_records(staircase, linked.unsafe, None).unsafe == linked.unsafe
        assert linked.rate == expected.rate_at(threshold)
        assert np.isin(round(1 / threshold, 5) % 1, (0, 1))  # a whole number of people
        before, threshold = threshold, staircase.step(threshold, -1)
    assert linked.unsafe == staircase.n
    assert staircase.figures(0.04).max_risk == expected.max_risk  # type: ignore[union-attr]


def test_the_forecast_foresees_the_plan(tmp_path: Path) -> None:
    recipe = promised(tmp_path)
    session = Session()
    forecast, plan = session.forecast(recipe, 0), session.protect(recipe).plan
    assert forecast.at(0.04).total == plan.total
    other = session.forecast(recipe.with_(threshold=Threshold(individual_risk=0.04)), 0)
    assert other.at(0.04).total < plan.total


def test_a_plan_that_keeps_only_the_risk_is_not_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import core.results.suppression_problem as problem

    monkeypatch.setattr(problem, "judged_table", problem.figured_table)
    with pytest.raises(ProtectionError, match="at or above the threshold"):
        carry_out(Session(), promised(tmp_path))


def test_the_report_says_the_promise_in_words(tmp_path: Path) -> None:
    carry_out(Session(), promised(tmp_path))
    report = (tmp_path / "r.html").read_text()
    assert "at most 5 % chance" in report
    assert "1 in 25" in report


def _refused(text: str, folder: Path) -> RecipeError:
    with pytest.raises(RecipeError) as refusal:
        check(parse('recipe = 1\n[[combinations]]\nvariables = ["A", "B"]\n' + text, folder))
    return refusal.value


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ("[threshold]\nindividual_risk = 0.1\nexceedance = 0.05", "threshold.exceedance", "needs estimator"),
        ('estimator = "log-linear"\nthreshold = { individual_risk = 0.1, exceedance = 0.05 }',
         "combinations[1].threshold.exceedance", "needs estimator"),
        ('estimator = "calibrated"\n[threshold]\nexceedance = 0.05', "threshold.exceedance", "no individual_risk"),
        ('estimator = "calibrated"\n[threshold]\nunsafe_records = 4\nexceedance = 0.05',
         "threshold.exceedance", "no individual_risk"),
        ('estimator = "calibrated"\n[threshold]\nindividual_risk = 0.1\nhousehold_risk = 0.1\nexceedance = 0.05',
         "threshold.exceedance", "household threshold"),
        ('estimator = "calibrated"\n[threshold]\nindividual_risk = 0.1\nexceedance = 1', "threshold.exceedance", "< 1"),
        ('estimator = "calibrated"\n[threshold]\nindividual_risk = 0.1\nexceedance = 0', "threshold.exceedance", "> 0"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(tmp_path: Path, text: str, key: str, says: str) -> None:
    refusal = _refused(text, tmp_path)
    assert key in str(refusal)
    assert says in str(refusal)


def test_another_combination_may_have_its_own_threshold(tmp_path: Path) -> None:
    recipe = promised(tmp_path).with_(
        combinations=(
            Combination(("A", "B"), estimator="calibrated"),
            Combination(("C",), threshold=Threshold(individual_risk=0.2)),
        )
    )
    first, second = Session().derive(recipe).risk_tables
    assert first.promise is not None
    assert second.promise is None


def test_the_recipe_is_written_as_it_was_read(tmp_path: Path) -> None:
    recipe = promised(tmp_path)
    assert parse(dumps(recipe, tmp_path), tmp_path).threshold == SURVEY
