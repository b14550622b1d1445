"""Which records of a cell lose values: the plan is that of the whole, and so are the records."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from core.base.progress import SILENT, Progress
from core.results import row_division
from core.rows.workers import ThisProcess
from tests.core.parts.files import RECIPE, SurveyInParts, records
from tests.loopback import loopback

Rows = list[tuple[str, ...]]

OBSERVED = RECIPE.replace('missing_rule = "wildcard"', "")
EFFORT = "[suppression]\neffort = 50\n"
RELEASED_KEYS = EFFORT + 'mode = "released-keys"\nleast_records = 2\n'
K_ANONYMITY = '[[combinations]]\nvariables = ["HAND", "SHOE"]\nmodel = "k-anonymity"\nk = 3\n'
"""Coupled with a risk table, and through a related variable with one of the threshold rule."""

L_DIVERSITY = '[[combinations]]\nvariables = ["HAND", "AGE"]\nmodel = "l-diversity"\nl = 4\nsensitive = "SHOE"\n'
"""Coupled with both risk tables; of its sensitive variable nothing may be suppressed."""

MODELS = {
    "released keys": OBSERVED + RELEASED_KEYS,
    "k-anonymity": OBSERVED + K_ANONYMITY + EFFORT,
    "both": OBSERVED + K_ANONYMITY + RELEASED_KEYS,
    "l-diversity": OBSERVED.replace('related = "SHOE"', "") + L_DIVERSITY + EFFORT,
    "gaps closed": OBSERVED + "[suppression]\nclose_gaps = true\n",
}


def comparable(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without the warning that nobody looked for what gives values away."""
    some = ("give-aways-not-examined-in-parts", "recode-undone", "recode-undone-by-two", "guess-gives-away")
    return summary | {"warnings": [warning for warning in summary["warnings"] if warning["id"] not in some]}


def rows() -> Rows:
    """Records of which most cells have several."""
    return [row for row in records(150) for _ in range(2)] + records(60, seed=3)


@pytest.fixture(scope="module", params=sorted(MODELS))
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Of one model the recipe, and the figures and records of the file in one piece."""
    recipe = MODELS[request.param]
    survey = SurveyInParts(tmp_path_factory.mktemp("whole"))
    survey.write(survey.folder / "all.csv", rows())
    assert survey.run(recipe.format(data='"all.csv"', out="safe.csv")) == 0
    return request.param, survey.summary(), survey.read(survey.folder / "safe.csv")


@pytest.mark.parametrize("number", [1, 2, 7])
def test_parts_lose_what_the_whole_loses(whole: Any, number: int, tmp_path: Path) -> None:
    model, figures, safe = whole
    survey = SurveyInParts(tmp_path)
    survey.split(rows(), number)
    assert survey.run(MODELS[model].format(data='"parts"', out="safe")) == 0
    assert comparable(survey.summary()) == comparable(figures)
    assert figures["suppression"]["total"] > 20
    assert survey.written() == safe


@pytest.mark.parametrize("model", ["released keys", "k-anonymity"])
def test_some_records_of_a_cell_are_drawn(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the models would say nothing of the draw; its records come and go in small heaps here."""
    monkeypatch.setattr(row_division, "_MERGE_AT", 0)
    survey = SurveyInParts(tmp_path)
    survey.split(rows(), 9)
    survey.write(tmp_path / "all.csv", rows())
    passes = []
    counted = row_division.divided
    monkeypatch.setattr("core.parts.rows.divided", lambda *given: passes.append(1) or counted(*given))
    assert survey.run(MODELS[model].format(data='"parts"', out="safe")) == 0
    assert passes
    figures, several = survey.summary(), survey.written()
    assert survey.run(MODELS[model].format(data='"all.csv"', out="safe.csv")) == 0
    one = survey.read(tmp_path / "safe.csv")
    assert figures["suppression"] == survey.summary()["suppression"]
    assert several == one


def test_the_report_is_that_of_the_whole(tmp_path: Path) -> None:
    recipe = MODELS["both"].replace("[output]", '[output]\nreport = "report.html"')
    survey = SurveyInParts(tmp_path)
    survey.split(rows(), 3)
    survey.write(tmp_path / "all.csv", rows())

    def figures() -> list[str]:
        lines = (tmp_path / "report.html").read_text(encoding="utf-8").splitlines()
        files = re.compile(r"\.csv|>parts<|>safe[._\w]*<|[0-9a-f]{64}")
        return [line for line in lines if re.match(r"<td|<svg", line) and not files.search(line)]

    assert survey.run(recipe.format(data='"parts"', out="safe")) == 0
    of_parts = figures()
    assert survey.run(recipe.format(data='"all.csv"', out="safe.csv")) == 0
    assert of_parts == figures()
    assert len(of_parts) > 100


@pytest.mark.parametrize(
    ("model", "mode"),
    [
        ("individual-risk", "original-counts"),
        ("individual-risk", "released-keys"),
        ("k-anonymity", "original-counts"),
        ("frequency", "original-counts"),
    ],
)
def test_sets_of_columns_are_keys_as_in_the_whole(model: str, mode: str, tmp_path: Path) -> None:
    """Made anew of what was written; their columns go missing together, in records that have no value, too."""
    recipe = RECIPE[: RECIPE.index("[variables.JOB]")] + RECIPE[RECIPE.index("[[recodes]]") :]
    recipe = recipe.replace("individual_risk = 0.02", "individual_risk = 0.05" if "risk" in model else "")
    recipe += f"""[variables.JOB]
missing = ["", "j12"]
[variables.HAND]
missing = [""]
[[derived]]
name = "BOTH"
kind = "set"
set = ["JOB", "HAND"]
[[combinations]]
variables = ["SEX", "BOTH"]
model = "{model}"
{"k = 3" if model == "k-anonymity" else ""}
{EFFORT}mode = "{mode}"
"""
    survey = SurveyInParts(tmp_path)
    survey.split(rows(), 4)
    survey.write(tmp_path / "all.csv", rows())
    assert survey.run(recipe.format(data='"parts"', out="safe")) == 0
    figures = survey.summary()
    assert figures["suppression"]["total"]
    assert survey.run(recipe.format(data='"all.csv"', out="safe.csv")) == 0
    assert comparable(figures) == comparable(survey.summary())
    assert survey.written() == survey.read(tmp_path / "safe.csv")


@pytest.mark.parametrize("estimator", ['"calibrated"', '"log-linear"'])
def test_population_models_judge_released_keys_as_in_the_whole(estimator: str, tmp_path: Path) -> None:
    said = f'variables = ["REGION", "SEX", "AGE"]\nestimator = {estimator}\n'
    recipe = MODELS["released keys"].replace('variables = ["REGION", "SEX", "AGE"]\n', said)
    survey = SurveyInParts(tmp_path)
    survey.split(rows(), 4)
    survey.write(tmp_path / "all.csv", rows())
    assert survey.run(recipe.format(data='"parts"', out="safe")) == 0
    figures = survey.summary()
    assert survey.run(recipe.format(data='"all.csv"', out="safe.csv")) == 0
    assert comparable(figures) == comparable(survey.summary())
    assert survey.written() == survey.read(tmp_path / "safe.csv")


class Elsewhere(ThisProcess):
    """Sends tasks and what they give as bytes, as workers in other processes need them."""

    def each(self, task: Any, shared: Any, items: Any, progress: Progress = SILENT) -> Iterator[Any]:
        sent = pickle.loads(pickle.dumps((task, shared, list(items))))
        for found in super().each(*sent, progress):
            yield pickle.loads(pickle.dumps(found))


def test_what_workers_need_can_be_sent_to_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = SurveyInParts(tmp_path)
    survey.split(rows(), 3)
    recipe = MODELS["both"].replace("[output]", '[output]\nrecords = "records.csv"').format(data='"parts"', out="safe")
    assert survey.run(recipe) == 0
    figures, safe, listed = survey.summary(), survey.written(), (tmp_path / "records.csv").read_bytes()
    monkeypatch.setattr("core.parts.run.workers_of", lambda *_given: nullcontext(Elsewhere()))
    assert survey.run(recipe) == 0
    assert survey.summary() == figures
    assert survey.written() == safe
    assert (tmp_path / "records.csv").read_bytes() == listed


def test_workers_draw_what_one_process_draws(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    survey = SurveyInParts(tmp_path)
    survey.split(rows(), 5)
    recipe = MODELS["released keys"].format(data='"parts"', out="safe")
    assert survey.run(recipe) == 0
    figures, safe = survey.summary(), survey.written()
    with loopback():
        assert survey.run(recipe, "--workers", "2") == 0
    assert survey.summary() == figures
    assert survey.written() == safe
