"""The risk–utility curve of a report where an individual and a household threshold hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.report.blocks import Curve
from core.report.charts import curve_svg
from core.suppression.forecast import Forecast
from tests.core.persons import Persons


@pytest.fixture
def persons(tmp_path: Path) -> Persons:
    return Persons(tmp_path)


def test_a_curve_says_whose_thresholds_it_is_over_and_what_it_includes(persons: Persons) -> None:
    def report(threshold: str) -> str:
        assert persons.run({"household_risk = 0.12": threshold}) == 0
        return (persons.folder / "out" / "report.html").read_text()

    alone, both = report("household_risk = 0.12"), report("household_risk = 0.12\nindividual_risk = 0.3")
    assert "threshold of the household risk" in alone and "holds besides" not in alone
    assert "threshold of the individual risk" in both
    assert "the household risk threshold 0.12 (1 in 8.3) holds besides, and is included." in both


def test_what_remains_above_all_points_is_drawn() -> None:
    curve = Curve("", ((0.1, 8.0), (0.2, 6.0)), None, "loss")
    dropped, kept = curve_svg(curve), curve_svg(Curve("", curve.points, None, "loss", remaining=6.0))
    path = kept[kept.index('<path d="') + 9 :].split('"')[0]
    assert dropped != kept and path.split("V")[-1] == path.split("V")[-2].split("H")[0]


def test_the_remaining_loss_continues_a_curve(persons: Persons) -> None:
    from core.recipe.toml import load
    from core.session import Session

    assert persons.run({"household_risk = 0.12": "household_risk = 0.12\nindividual_risk = 0.05"}) == 0
    found: Forecast = Session().forecast(load(persons.folder / "persons.pavo"), 0, by="household")
    rest = found.at(None).loss
    assert found.remaining() == pytest.approx(rest) and rest > 0
    assert found.remaining(by_entropy=True) == pytest.approx(found.at(None).entropy_loss)
    levels, losses = found.curve(400)
    far, ended = found.curve(400, up_to=0.99)
    assert (
        far.tolist() == [*levels, 0.99] and ended[-1] == pytest.approx(rest) and ended[:-1].tolist() == losses.tolist()
    )
    assert found.curve(400, up_to=float(levels[-1]))[0].tolist() == levels.tolist()
