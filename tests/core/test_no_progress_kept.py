"""Nothing that outlives a run holds its progress: a run that is stopped must not stop what is asked for later."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.progress import Cancelled, Enough
from core.parts.session import PartsSession
from core.recipe.model import Perturbation, Recipe
from core.recipe.toml import load
from core.release.run import carry_out
from core.risk.population_model import PopulationModel
from core.session import Session
from core.tables.cells import Cells
from core.whatif.alternatives import alternative
from gui.document import engine

REPO = Path(__file__).parents[2]
DEMO, EXAMPLES = REPO / "resources" / "demo", REPO / "resources" / "examples"


class Run:
    """The progress of one run: once it is cancelled, whoever still asks it is stopped."""

    def __init__(self) -> None:
        self.cancelled = False

    def report(self, done: float, total: float, text: str) -> None:
        """Nobody looks."""

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled


def held_by(thing: Any) -> Iterator[tuple[str, Any]]:
    """What an object keeps alive, with how it is reached; modules, types and code are of no run."""
    if isinstance(thing, dict | types.MappingProxyType):
        yield from ((f"[{key!r:.60}]", value) for key, value in list(thing.items()))
        yield from (("key", key) for key in list(thing))
    elif isinstance(thing, list | tuple | set | frozenset | deque):
        yield from ((f"[{place}]", value) for place, value in enumerate(thing))
    elif isinstance(thing, types.MethodType):
        yield "self", thing.__self__
        yield "function", thing.__func__
    elif isinstance(thing, types.FunctionType):
        for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True):
            try:
                yield f"<{name}>", cell.cell_contents
            except ValueError:  # not bound yet
                continue
        yield "defaults", (thing.__defaults__, thing.__kwdefaults__)
    elif isinstance(thing, types.GeneratorType):
        yield "frame", {} if thing.gi_frame is None else thing.gi_frame.f_locals
    elif hasattr(thing, "func") and hasattr(thing, "keywords"):  # partial
        yield "partial", (thing.func, thing.args, thing.keywords)
    if isinstance(thing, np.ndarray):
        yield "base", thing.base
        return
    yield from ((f".{name}", value) for name, value in list(getattr(thing, "__dict__", {}).items()))
    slots = (slot for kind in type(thing).__mro__ for slot in getattr(kind, "__slots__", ()))
    yield from ((f".{slot}", getattr(thing, slot)) for slot in slots if isinstance(slot, str) and hasattr(thing, slot))


def ways_to(kind: type, roots: dict[str, Any]) -> list[str]:
    """How an object of a class is reached from some roots, each way once."""
    seen: set[int] = set()
    alive: list[Any] = []
    waiting = deque((name, root) for name, root in roots.items())
    found = []
    while waiting:
        way, thing = waiting.popleft()
        if isinstance(thing, kind):
            found.append(way)
            continue
        if isinstance(thing, type | types.ModuleType | types.CodeType | str | bytes | int | float | None):
            continue
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        alive.append(thing)  # what is made on the way keeps its id
        waiting.extend((way + step, value) for step, value in held_by(thing))
    return found


def all_of_a_session(session: Session, recipe: Recipe, run: Run) -> dict[str, Any]:
    """What windows ask for and keep of a recipe: everything by its name."""
    kept: dict[str, Any] = {}
    derived = kept["derived"] = session.derive(recipe, run)
    kept["overviews"] = list(derived.overviews)
    kept["prepared"] = session.prepare(recipe, run)
    kept["cells"] = [session.tabulation(derived, index, run) for index in range(len(recipe.combinations))]
    kept["count"] = session.count_cells(recipe, recipe.combinations[0].variables, run)
    kept["opinions"] = session.second_opinions(derived, run)
    kept["forecast"] = session.forecast(recipe, 0, progress=run)
    kept["rare"] = session.plan_of_rare(recipe, run)
    kept["warnings"] = engine.warnings(session, recipe, run)
    kept["contents"] = session.contents(recipe, run)
    kept["advice"] = engine.advice(session, recipe, 0, progress=run)
    protection = kept["protection"] = session.protect(recipe, run)
    kept["judged"] = [protection.judged(table, run) for table in derived.risk_tables]
    kept["planned"] = session.planned(recipe, run)
    kept["alternative"] = alternative("other", derived, protection, run)
    kept["utility"] = engine.preserved(session, recipe, search=True, progress=run)
    if recipe.combinations[0].estimator != "calibrated":
        levels = kept["levels"] = engine.plan_hierarchies(session, recipe, 0, run)
        kept["plans"] = engine.found_plans(session, recipe, 0, levels, 1.0, None, lambda _front: None, Enough(), run)
    kept["opinion of the plan"] = engine.plan_opinion(session, recipe, run)
    return kept


def to(folder: Path, recipe: Recipe) -> Recipe:
    """The recipe with all outputs in a folder."""
    names = {"data": "safe.dat", "metadata": "safe.rds", "report": "report.html", "summary": "summary.json"}
    return recipe.with_(output=replace(recipe.output, **{name: folder / file for name, file in names.items()}))


def judged_by_model(recipe: Recipe, **others: Any) -> Recipe:
    first, *rest = recipe.combinations
    return recipe.with_(combinations=(replace(first, estimator="calibrated"), *rest), **others)


def in_mode(recipe: Recipe, mode: Any) -> Recipe:
    return recipe.with_(suppression=replace(recipe.suppression, mode=mode))


def of_demo() -> Recipe:
    return load(DEMO / "survey.pavo")


def of_promise() -> Recipe:
    recipe = judged_by_model(of_demo())
    return recipe.with_(threshold=replace(recipe.threshold, exceedance=0.05))


def perturbed() -> Recipe:
    return of_demo().with_(perturbations=(Perturbation("pram", ("ILLNESS",), (("keep", 0.9),)),))


RECIPES = {
    "individual risk": of_demo,
    "population model": lambda: judged_by_model(of_demo()),
    "promise": of_promise,
    "households": lambda: load(DEMO / "survey-households.pavo"),
    "set of columns": lambda: load(EXAMPLES / "housing" / "housing.pavo"),
    "released keys": lambda: in_mode(of_demo(), "released-keys"),
    "perturbed": perturbed,
}


@pytest.mark.parametrize("name", RECIPES)
def test_no_result_and_no_cache_holds_the_progress_of_its_run(name: str, tmp_path: Path) -> None:
    session, run, recipe = Session(), Run(), to(tmp_path, RECIPES[name]())
    kept: dict[str, Any] = all_of_a_session(session, recipe, run)
    kept["released"] = carry_out(session, recipe, run)
    assert ways_to(Run, {"session": session, **kept}) == []


def test_no_result_of_a_file_in_parts_holds_the_progress_of_its_run(tmp_path: Path) -> None:
    lines = (DEMO / "survey.csv").read_text().splitlines(keepends=True)
    halves = tmp_path / "first.csv", tmp_path / "second.csv"
    for half, some in zip(halves, (lines[1:2499], lines[2499:]), strict=True):
        half.write_text("".join((lines[0], *some)))
    whole = load(DEMO / "survey-csv.pavo")
    recipe = to(tmp_path, whole.with_(input=replace(whole.input, data=None, parts=halves)))
    session, run = PartsSession(), Run()
    kept = {"derived": session.derive(recipe, run), "protection": session.protect(recipe, run)}
    kept["released"] = engine.Engine(lambda: session).carry_out(recipe, recipe, None, run)
    assert ways_to(Run, {"session": session, **kept}) == []


def test_a_stopped_run_stops_no_later_one(tmp_path: Path) -> None:
    """The population model is made by the first run, which is stopped afterwards, and used by the second one."""
    session, first, second = Session(), Run(), Run()
    recipe = to(tmp_path, of_demo())
    session.second_opinions(session.derive(recipe, first), first)
    first.cancelled = True
    judged = judged_by_model(recipe)
    session.second_opinions(session.derive(judged, second), second)
    assert session.protect(judged, second).plan.total
    assert carry_out(session, judged, second).verification is not None


@pytest.mark.parametrize("by_model", [False, True])
def test_the_population_model_of_a_table_is_fitted_once(
    by_model: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[Cells] = []
    fit = PopulationModel.__init__

    def counted(model: PopulationModel, cells: Cells, *others: Any) -> None:
        fitted.append(cells)
        fit(model, cells, *others)

    monkeypatch.setattr(PopulationModel, "__init__", counted)
    recipe = of_demo()
    carry_out(Session(one_recipe=True), to(tmp_path, judged_by_model(recipe) if by_model else recipe))
    assert len(fitted) == len(set(map(id, fitted))) == 1 + by_model, "the report has the table before recoding, too"


def test_the_walk_finds_what_is_held() -> None:
    run = Run()
    assert ways_to(Run, {"a": {"b": [lambda: run]}, "c": (held_by,)}) == ["a['b'][0]<run>"]
