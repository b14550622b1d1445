"""A file in parts gives the figures and the records of the same file in one piece, to the last bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.parts.files import RECIPE, SurveyInParts, records

NOT_EXAMINED = "give-aways-not-examined-in-parts"
GIVE_AWAYS = {NOT_EXAMINED, "suppressed-value-known"}


def comparable(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without the warnings about what gives values away, which nobody looks for in parts."""
    kept = [w for w in summary["warnings"] if "give" not in w["id"] and "given" not in w["id"]]
    return summary | {"warnings": kept}


@pytest.fixture(scope="module", params=[".csv", ".parquet"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The survey, its summary and its safe records as one file."""
    survey = SurveyInParts(tmp_path_factory.mktemp("whole"), request.param)
    rows = records()
    survey.write(survey.folder / f"all{survey.suffix}", rows)
    data = f'"all{survey.suffix}"'
    assert survey.run(RECIPE.format(data=data, out=f"safe{survey.suffix}")) == 0
    return rows, survey.summary(), survey.read(survey.folder / f"safe{survey.suffix}"), survey.suffix


@pytest.mark.parametrize("number", [1, 2, 7, 50])
def test_parts_give_the_figures_and_records_of_the_whole(whole: Any, number: int, tmp_path: Path) -> None:
    rows, figures, safe, suffix = whole
    survey = SurveyInParts(tmp_path, suffix)
    survey.split(rows, number)
    assert survey.run(RECIPE.format(data='"parts"', out="safe")) == 0
    assert comparable(survey.summary()) == comparable(figures)
    assert figures["suppression"]["total"] > 20
    manifest = json.loads((tmp_path / "safe" / "manifest.json").read_text(encoding="utf-8"))
    written = [record for part in manifest["parts"] for record in survey.read(tmp_path / "safe" / part["name"])]
    assert written == safe
