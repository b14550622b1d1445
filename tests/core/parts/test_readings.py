"""How often a run reads each part: once to count, once to write, and no more than what is asked for needs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from core.parts import rows
from core.rows import source
from tests.core.parts.files import RECIPE, SurveyInParts, records
from tests.core.parts.test_drawn_records import MODELS
from tests.core.parts.test_drawn_records import rows as to_draw_from
from tests.core.parts.test_households import RECIPE as OF_HOUSEHOLDS
from tests.core.parts.test_households import divided, homes

TABLE = '[[utility]]\ntable = ["SEX", "JOB"]\n'
MEAN = '[[utility]]\nmean = "SHOE"\nby = ["SEX"]\n'
NOISE = '[[perturbations]]\nmethod = "weight-noise"\nshare = 0.3\n'
SECRET = f'secret = "{"0a" * 16}"\n'


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each part was read."""
    found, read = Counter[str](), source.read

    def counted(path: Path, *given: object) -> object:
        found[path.name] += 1
        return read(path, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(source, "read", counted)
    return found


@pytest.mark.parametrize(
    ("added", "times"), [("", 2), (TABLE, 2), (TABLE + MEAN, 3), (NOISE, 2), (NOISE + TABLE + MEAN, 3)]
)
def test_what_needs_nothing_of_each_other_is_one_reading(
    added: str, times: int, tmp_path: Path, readings: Counter[str]
) -> None:
    survey = SurveyInParts(tmp_path)
    survey.split(records(100), 3)
    assert survey.run(RECIPE.replace("[threshold]", f"{added}[threshold]").format(data='"parts"', out="safe")) == 0
    assert set(readings.values()) == {times}


def test_households_and_a_list_of_records_take_one_reading_each(tmp_path: Path, readings: Counter[str]) -> None:
    survey = SurveyInParts(tmp_path)
    divided(survey, homes(30), 3)
    assert survey.run(OF_HOUSEHOLDS.format(data='"parts"', out="safe")) == 0
    assert set(readings.values()) == {4}


@pytest.mark.parametrize("said", ["", SECRET])
def test_a_division_of_rows_takes_two_readings_whoever_says_the_secret(
    said: str, tmp_path: Path, readings: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    divisions, divide = [], rows.divided
    monkeypatch.setattr(rows, "divided", lambda *given: divisions.append(given) or divide(*given))
    survey = SurveyInParts(tmp_path)
    survey.split(to_draw_from(), 3)
    recipe = MODELS["released keys"].replace("[suppression]\n", f"[suppression]\n{said}")
    assert survey.run(recipe.format(data='"parts"', out="safe")) == 0
    assert divisions
    assert set(readings.values()) == {2 + 2 * len(divisions)}
