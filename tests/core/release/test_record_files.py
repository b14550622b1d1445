"""Record-level output and order: columns of every combination, an order that the seed alone does not tell."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.core.small_survey import RECIPE, Survey


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    return Survey(tmp_path)


def test_frequencies_of_every_model_stand_in_the_records(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    more = (
        '[[combinations]]\nvariables = ["REGION"]\nmodel = "frequency"\n'
        '[[combinations]]\nvariables = ["SEX", "AGE"]\nmodel = "k-anonymity"\nk = 2\n'
        '[suppression]\ncriterion = "none"\n'
    )
    survey.recipe = RECIPE.replace("[threshold]", more + "[threshold]")
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    rows = [line.split(",") for line in (survey.out / "records.csv").read_text().splitlines()]
    assert rows[0] == ["record", "f_1", "F_1", "risk_1", "f_2", "F_2", "f_3", "F_3"]
    assert rows[1][4:] == ["20", "400", "27", "540"]


def test_a_threshold_above_every_risk_leaves_no_record_unsafe(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    survey.recipe = RECIPE.replace("individual_risk = 0.02", "unsafe_records = 0")
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    after = json.loads(capsys.readouterr().out)["combinations"][0]["after"]
    assert [after[part]["unsafe_records"] for part in ("by_mode", "released", "group")] == [0, 0, 0]


def test_the_seed_alone_does_not_tell_the_order(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe = RECIPE.replace("individual_risk = 0.02", "individual_risk = 1").replace(
        "[output]", "[output]\nshuffle = true"
    )
    survey.write()
    assert survey.run() == 0, capsys.readouterr().err
    written = (survey.out / "safe.asc").read_text().splitlines()
    guessed = np.random.Generator(np.random.PCG64(1)).permutation(len(survey.lines))
    assert written != [survey.lines[i] for i in guessed]
