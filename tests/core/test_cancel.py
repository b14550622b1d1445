"""Stopped in any phase, everything is as it was before, and the same session can be used on."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.base.progress import Cancelled
from core.recipe.model import Recipe
from core.recipe.toml import load
from core.release.pinned_inputs import RecipeFile
from core.release.run import carry_out
from core.session import Session
from tests.big_file import make_file

PHASES = {
    "verifying": ("core.release.verification", "verified"),
    "writing": ("core.release.run", "write_data"),
    "forecasting": ("core.suppression.forecast", ""),
    "suppressing": ("core.pipeline.plan", "plan_within"),
    "leaks": ("core.warnings.inference_from_variables", ""),
    "tabulating": ("core.tables.tabulate", ""),
    "combinations": ("core.tables.margins", ""),
    "risks": ("core.risk.individual", ""),
    "reading": ("core.formats.text.reading", ""),
}
"""Phase by the module, and the function, that is at work; the first that is found counts."""


def phase_now() -> str:
    """What is at work above the caller."""
    frame: Any = sys._getframe(2)
    working = set()
    while frame is not None:
        module, function = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        working |= {(module, function), (module, "")}
        frame = frame.f_back
    return next((phase for phase, where in PHASES.items() if where in working), "")


class Stopper:
    """Counts the checks of each phase; cancels at one of them."""

    def __init__(self, phase: str = "", at: int = 0) -> None:
        self.checks: Counter[str] = Counter()
        self._phase, self._at = phase, at

    def report(self, done: float, total: float, text: str) -> None:
        """Nobody looks."""

    def check(self) -> None:
        phase = phase_now()
        self.checks[phase] += 1
        if phase == self._phase and self.checks[phase] == self._at:
            raise Cancelled


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session on 8000 records; outputs of an earlier run stand where the new ones will be."""
    folder = tmp_path_factory.mktemp("job")
    path = make_file(folder, 8_000, 4, 0.02)
    for output in ("big.saf", "big.rds", "summary.json"):
        (folder / "safe").mkdir(exist_ok=True)
        (folder / "safe" / output).write_text(f"an older {output}")
    return path


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def run(session: Session, recipe: Recipe, path: Path, stopper: Stopper) -> None:
    """What the windows do in a session: derive, forecast, make the file."""
    session.derive(recipe, stopper)
    session.forecast(recipe, 0, progress=stopper)
    carry_out(session, recipe, stopper, RecipeFile(path, path.read_text("utf-8"), ""))


@pytest.fixture(scope="module")
def expected(job: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Counter[str], bytes]:
    """Checks of each phase in a whole run, and the safe file that it writes."""
    elsewhere = tmp_path_factory.mktemp("whole")
    recipe, stopper = load(job), Stopper()
    moved = {key: elsewhere / getattr(recipe.output, key).name for key in ("data", "metadata", "report", "summary")}
    run(Session(), recipe.with_(output=replace(recipe.output, **moved)), job, stopper)
    return stopper.checks, (elsewhere / "big.saf").read_bytes()


def test_every_phase_can_be_stopped(expected: tuple[Counter[str], bytes]) -> None:
    checks, _ = expected
    assert {phase for phase in PHASES if not checks[phase]} == set()


@pytest.mark.parametrize("where", ["first", "middle", "last"])
@pytest.mark.parametrize("phase", PHASES)
def test_stopped_in_a_phase_everything_is_as_before(
    job: Path, expected: tuple[Counter[str], bytes], phase: str, where: str
) -> None:
    checks, safe = expected
    count = checks[phase]
    at = {"first": 1, "middle": (count + 1) // 2, "last": count}[where]
    before, recipe, session = everything_in(job.parent), load(job), Session()
    with pytest.raises(Cancelled):
        run(session, recipe, job, Stopper(phase, at))
    assert everything_in(job.parent) == before
    carry_out(session, recipe, Stopper(), RecipeFile(job, job.read_text("utf-8"), ""))
    try:
        assert (job.parent / "safe" / "big.saf").read_bytes() == safe
    finally:
        for name in everything_in(job.parent).keys() - before.keys():
            (job.parent / name).unlink()
        for name, content in before.items():
            (job.parent / name).write_bytes(content)
