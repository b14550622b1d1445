"""A search that is stopped keeps the best; its recipe then gives the same file, byte for byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.base.errors import RecipeError
from core.base.progress import Cancelled
from core.batch import run
from core.recipe.model import Recipe
from core.recipe.toml import dumps, parse
from core.release.run import carry_out
from core.session import Session

RDA = """H 1 3
  <HOUSE_ID>
A 4 1 "9"
  <RECODABLE>
  {household}
B 5 1 "9"
  <RECODABLE>
C 6 1 "9"
  <RECODABLE>
D 7 1 "9"
  <RECODABLE>
W 8 3
  <NUMERIC>
  <WEIGHT>
"""
KEYS = '[[combinations]]\nvariables = ["A", "B", "C"]\n'
RISK = "[threshold]\nindividual_risk = 0.02\n"
ANONYMOUS = 'model = "k-anonymity"\nk = 4\n'
RELEASED = 'mode = "released-keys"\n'
TWO = KEYS.replace('"C"', '"D"')
CASES = {
    "released keys": KEYS + RISK + "[suppression]\n" + RELEASED,
    "two tables": f'{KEYS}[[combinations]]\nvariables = ["D"]\n{RISK}[suppression]\n{RELEASED}',
    "coupled tables": KEYS + ANONYMOUS + TWO + ANONYMOUS + "[suppression]\n",
    "k-anonymity": KEYS + ANONYMOUS + "[suppression]\n",
    "both": KEYS + ANONYMOUS + TWO + RISK + "[suppression]\n" + RELEASED,
    "thorough": KEYS + RISK + "[suppression]\nthorough = true\n" + RELEASED,
    "households": KEYS + RISK + "[suppression]\n" + RELEASED,
}


class StopAfter:
    """Progress that asks searches to end after so many reports about them."""

    def __init__(self, reports: int = 1) -> None:
        self.left, self.told = reports, list[str]()

    def report(self, done: float, total: float, text: str) -> None:
        if text.startswith("Search for suppressions"):
            self.told.append(text)

    def check(self) -> None: ...

    def stop(self) -> bool:
        return len(self.told) >= self.left


def written(folder: Path, case: str, more: str = "effort = 1000\n") -> Recipe:
    """The recipe of a case, and its file."""
    generator = np.random.default_rng(5)
    codes = np.minimum(generator.geometric(0.35, (240, 4)), 6)
    lines = [f"{i // 2:>3}{''.join(map(str, row))}{w:>3}" for i, (row, w) in
             enumerate(zip(codes.tolist(), generator.integers(5, 40, len(codes)).tolist(), strict=True))]  # fmt: skip
    (folder / "s.asc").write_text("\n".join(lines) + "\n", encoding="ascii")
    coupled = "<HOUSEHOLD>" if case == "households" else ""
    (folder / "s.rda").write_text(RDA.format(household=coupled), encoding="ascii")
    identifier = "keep" if case == "households" else "remove"
    text = f"""recipe = 1
[input]
data = "s.asc"
metadata = "s.rda"
{CASES[case]}{more}[output]
data = "safe.asc"
summary = "s.json"
household_id = "{identifier}"
"""
    return parse(text, folder)


@pytest.mark.parametrize(("case", "effort"), [*((case, 1000) for case in CASES), ("coupled tables", 20), ("both", 20)])
def test_the_recipe_of_what_was_stopped_gives_the_same_file(case: str, effort: int, tmp_path: Path) -> None:
    recipe = written(tmp_path, case, f"effort = {effort}\n")
    session, progress = Session(), StopAfter(3)
    found = session.protect(recipe, progress, stop=progress.stop)
    asked = found.derived.recipe.suppression
    assert 0 < asked.effort < effort and not asked.thorough
    assert found.plan.total and found.plan.lower_bound <= found.plan.loss
    assert "gap" in progress.told[0] or case == "households"
    folder = tmp_path / "again"
    folder.mkdir()
    path = tmp_path / "stopped.pavo"
    path.write_text(dumps(found.derived.recipe, tmp_path), encoding="utf-8")
    summary, _ = run(path, folder)
    carry_out(session, found.derived.recipe)
    assert (folder / "safe.asc").read_bytes() == (tmp_path / "safe.asc").read_bytes()
    assert summary["suppression"]["loss"] == found.plan.loss
    assert summary["suppression"]["lower_bound"] == found.plan.lower_bound


def test_what_is_stopped_later_is_no_dearer_and_what_is_not_stopped_is_as_asked(tmp_path: Path) -> None:
    recipe = written(tmp_path, "released keys", "effort = 60\n")
    found = []
    for reports in (1, 3, 100):
        progress = StopAfter(reports)
        found.append(Session().protect(recipe, progress, stop=progress.stop))
    assert [one.derived.recipe.suppression.effort for one in found] == [10, 30, 60]
    losses = [one.plan.loss for one in found]
    assert losses == sorted(losses, reverse=True)


def test_an_exact_solution_that_is_stopped_leaves_what_the_search_found(tmp_path: Path) -> None:
    recipe = written(tmp_path, "thorough", "effort = 20\n")
    progress = StopAfter(2)
    found = Session().protect(recipe, progress, stop=progress.stop)
    asked = found.derived.recipe.suppression
    assert (asked.effort, asked.thorough) == (20, False)
    without = written(tmp_path, "released keys", "effort = 20\n")
    assert found.plan.by_variable == Session().protect(without).plan.by_variable


def test_a_time_limit_ends_the_search_and_is_refused_where_a_file_is_made(tmp_path: Path) -> None:
    recipe = written(tmp_path, "released keys", "effort = 1000\ntime_limit = 1e-6\n")
    asked = Session().protect(recipe).derived.recipe.suppression
    assert (asked.effort, asked.time_limit) == (10, None)
    with pytest.raises(RecipeError, match=r"suppression\.time_limit") as caught:
        carry_out(Session(), recipe)
    assert "effort" in str(caught.value) and not (tmp_path / "safe.asc").exists()


def test_a_search_is_still_cancelled(tmp_path: Path) -> None:
    class Impatient(StopAfter):
        def check(self) -> None:
            if self.told:
                raise Cancelled

    recipe, progress = written(tmp_path, "released keys"), Impatient(1000)
    with pytest.raises(Cancelled):
        Session().protect(recipe, progress, stop=progress.stop)
