"""Make Protected File of the windows writes what the command writes, without counting or searching again."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.base.errors import DataError
from core.base.progress import SILENT
from core.parts.session import PartsSession, carry_out_counted
from core.pipeline import plan as plans
from core.recipe.model import Recipe
from core.recipe.toml import parse
from core.release.pinned_inputs import RecipeFile
from core.rows import source
from core.session import Session
from tests.core.parts.files import RECIPE, SurveyInParts, records
from tests.core.parts.test_drawn_records import MODELS
from tests.core.parts.test_drawn_records import rows as to_draw_from
from tests.core.parts.test_households import RECIPE as OF_HOUSEHOLDS
from tests.core.parts.test_households import divided, homes

OUTPUTS = 'records = "records.csv"\nreport = "report.html"\nddi = "ddi.xml"\ntable_schema = "schema.json"\n'
TABLE = '[[utility]]\ntable = ["SEX", "JOB"]\n'
MEAN = '[[utility]]\nmean = "SHOE"\nby = ["SEX"]\n'
NOISE = '[[perturbations]]\nmethod = "weight-noise"\nshare = 0.3\n'
TOP = '[[numeric]]\nvariable = "SHOE"\ntop = {{ at = 44, replacement = "44+" }}\n'
ROUNDED = '[[numeric]]\nvariable = "WEIGHT"\nround = 0.5\n'
PROFILE = '[profile]\nfile = "office.toml"\n'
OF_WEIGHT = '[[utility]]\nmean = "SHOE"\nby = ["WEIGHT"]\n'


def _survey(folder: Path) -> SurveyInParts:
    survey = SurveyInParts(folder)
    survey.split(records(200), 3)
    return survey


def _in_blanks(folder: Path) -> SurveyInParts:
    """Reading the codes of the weights says that some stand in blanks, which reading their numbers does not."""
    survey = SurveyInParts(folder)
    survey.split(
        [(*row[:4], "20" if i % 9 else " 20" if i % 2 else "20 ", *row[5:]) for i, row in enumerate(records())], 3
    )
    return survey


def _to_draw_from(folder: Path) -> SurveyInParts:
    survey = SurveyInParts(folder)
    survey.split(to_draw_from(), 3)
    return survey


def _households(folder: Path) -> SurveyInParts:
    survey = SurveyInParts(folder)
    divided(survey, homes(60), 3)
    return survey


def _with_profile(folder: Path) -> SurveyInParts:
    text = 'profile = 1\nname = "office"\n[[checks]]\ncheck = "least-records"\nk = 1\n'
    (folder / "office.toml").write_text(text, encoding="utf-8")
    return _to_draw_from(folder)


def _added(text: str) -> str:
    return RECIPE.replace("[threshold]", f"{text}[threshold]")


CASES: dict[str, tuple[Callable[[Path], SurveyInParts], str]] = {
    "plain": (_survey, RECIPE),
    "utility": (_survey, _added(TABLE + MEAN)),
    "noise": (_survey, _added(NOISE + TABLE + MEAN)),
    "numbers": (_survey, _added(TOP).replace('related = "SHOE"', "suppression_weight = 3")),
    "weights": (_survey, _added(ROUNDED + MEAN)),
    "the weight by its codes": (_in_blanks, _added(OF_WEIGHT)),
    "released keys": (_to_draw_from, MODELS["released keys"]),
    "households": (_households, OF_HOUSEHOLDS),
    "profile": (
        _with_profile,
        MODELS["released keys"].replace("[output]", '[profile]\nfile = "office.toml"\n[output]'),
    ),
}


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each part was read, and how often a plan was searched for."""
    found, read, search = Counter[str](), source.read, plans.optimise_models

    def counted(path: Path, *given: object) -> object:
        found[path.name] += 1
        return read(path, *given)  # type: ignore[arg-type]

    def searched(*given: Any) -> object:
        found["search"] += 1
        return search(*given)

    monkeypatch.setattr(source, "read", counted)
    monkeypatch.setattr(plans, "optimise_models", searched)
    return found


def _files(folder: Path) -> dict[str, Any]:
    """All outputs, without what two runs on the same data differ in."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent.name != "parts" and path.suffix not in {".pavo", ".html"}:
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    summary = json.loads(found.pop("summary.json"))
    for name in ("seconds", "peak_rss_mib", "recipe_sha256"):
        summary.pop(name, None)
    summary["files"].pop("report")
    assert summary["verified"]
    lines = (folder / "report.html").read_text(encoding="utf-8").splitlines()
    figures = [line for line in lines if re.match(r"<td|<svg", line) and not re.search("[0-9a-f]{64}", line)]
    assert len(figures) > 10
    return found | {"summary": summary, "report": figures}


def _with_outputs(recipe: str) -> str:
    for line in OUTPUTS.splitlines(keepends=True):
        recipe = recipe.replace(line, "")
    return recipe.replace('summary = "summary.json"\n', f'summary = "summary.json"\n{OUTPUTS}').format(
        data='"parts"', out="safe"
    )


def _file(path: Path) -> RecipeFile:
    content = path.read_bytes()
    return RecipeFile(path, content.decode("utf-8"), hashlib.sha256(content).hexdigest())


def _shown(session: PartsSession, recipe: Recipe) -> None:
    """What the windows ask for before a file is written."""
    session.derive(recipe)
    session.contents(recipe)
    session.protect(recipe)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("shown", [True, False])
def test_windows_write_what_the_command_writes(case: str, shown: bool, tmp_path: Path) -> None:
    make, text = CASES[case]
    survey = make(tmp_path)
    assert survey.run(_with_outputs(text)) == 0
    wanted = _files(tmp_path)
    recipe, session = parse(_with_outputs(text), tmp_path), PartsSession()
    for _times in range(2):
        if shown:
            _shown(session, recipe)
        result = carry_out_counted(session, recipe, progress=SILENT, file=_file(tmp_path / "recipe.pavo"))
        assert _files(tmp_path) == wanted
        assert result.protection is not None and result.protection.derived.recipe == recipe


@pytest.mark.parametrize(
    ("case", "times"),
    [("plain", 1), ("utility", 2), ("noise", 3), ("numbers", 2), ("released keys", 1), ("households", 2)],
)
@pytest.mark.parametrize("unnamed", [False, True])
def test_what_was_shown_is_neither_counted_nor_searched_for_again(
    case: str, times: int, unnamed: bool, tmp_path: Path, readings: Counter[str]
) -> None:
    """One reading writes; one more for columns that are in no cell, for means, and for a list of records."""
    make, text = CASES[case]
    make(tmp_path)
    recipe, session = parse(text.format(data='"parts"', out="safe"), tmp_path), PartsSession()
    _shown(session, recipe.with_(output=replace(recipe.output, data=None) if unnamed else recipe.output))
    assert readings.pop("search") >= 1
    readings.clear()
    carry_out_counted(session, recipe, progress=SILENT, file=RecipeFile())
    assert readings.pop("search", 0) == 0
    assert set(readings.values()) == {times}


def test_a_plan_of_a_stopped_search_is_not_what_the_recipe_asks_for(tmp_path: Path) -> None:
    """The windows may show it; what is written is what the command finds."""
    survey = _to_draw_from(tmp_path)
    text = _with_outputs(MODELS["released keys"]).replace("effort = 50", "effort = 300")
    assert survey.run(text) == 0
    wanted = _files(tmp_path)
    recipe, session = parse(text, tmp_path), PartsSession()
    stopped = session.protect(recipe, stop=lambda: True)
    assert stopped.plan.total > wanted["summary"]["suppression"]["total"]
    carry_out_counted(session, recipe, progress=SILENT, file=_file(tmp_path / "recipe.pavo"))
    assert _files(tmp_path) == wanted


@pytest.mark.parametrize("data", ['data = "safe"\n', ""])
def test_a_part_that_is_added_after_the_preview_is_refused(tmp_path: Path, data: str) -> None:
    survey = _to_draw_from(tmp_path)
    text = MODELS["released keys"].format(data='"parts"', out="safe")
    text = text if data else re.sub(r'(?m)^(data = "safe"|metadata = "safe.rda")\n', "", text)
    recipe, session = parse(text, tmp_path), PartsSession()
    session.derive(recipe)
    copy = survey.folder / "parts" / "p9.csv"
    copy.write_bytes((survey.folder / "parts" / "p002.csv").read_bytes())
    with pytest.raises(DataError, match=r"p9\.csv was added") as refused:
        carry_out_counted(session, recipe, SILENT, RecipeFile())
    assert refused.value.id == "data-changed"
    assert not (tmp_path / "summary.json").exists()
    session.renew()
    assert carry_out_counted(session, recipe, SILENT, RecipeFile()).summary["records"] > 360


def test_a_search_that_was_stopped_says_what_effort_it_reached(tmp_path: Path) -> None:
    survey = _to_draw_from(tmp_path)
    survey.write(tmp_path / "all.csv", to_draw_from())
    text = MODELS["released keys"].replace("effort = 50", "effort = 300")
    found = []
    for session, data, out in ((Session(), "all.csv", "safe.csv"), (PartsSession(), "parts", "safe")):
        recipe = parse(text.format(data=f'"{data}"', out=out), tmp_path)
        stopped = session.protect(recipe, stop=lambda: True)
        reached = recipe.with_(suppression=stopped.derived.recipe.suppression)
        again = session.protect(reached)
        assert again.plan.total == stopped.plan.total
        found.append((stopped.plan.total, reached.suppression.effort, session.protect(recipe).plan.total))
    assert found[0] == found[1]
    assert found[0][1] < 300
