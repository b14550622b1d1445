"""Every stage declares all that it looks at: a forgotten dependency would give a result of before an edit."""

from __future__ import annotations

import importlib
import pkgutil
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import core.pipeline
from core.base.errors import PavoError
from core.base.progress import SILENT
from core.formats.registry import read
from core.parts.session import PartsSession
from core.pipeline.columns import FILE_COLUMN
from core.pipeline.perturbed import PERTURBED
from core.pipeline.plan import SUPPRESSION
from core.pipeline.recodes import COLUMN, RECODED, UNRECODED
from core.pipeline.stage import Dependency, Facts, Given, Pipeline, Request, Stage
from core.pipeline.tables import CELLS
from core.recipe.model import (
    Combination,
    HouseholdKey,
    Input,
    MultiResponseKey,
    NumericEdit,
    Output,
    Perturbation,
    Recipe,
    Recode,
    Threshold,
    VariableEdit,
)
from core.results.results import RecodedData
from core.session import Session
from tests.core.pipeline.recorded import Columns, Looked, altered, plain, recorded


def declared() -> list[Dependency[..., Any]]:
    """All stages of the package, and what else results depend on."""
    names = (each.name for each in pkgutil.iter_modules(core.pipeline.__path__))
    modules = [importlib.import_module(f"core.pipeline.{name}") for name in names]
    found = {id(each): each for module in modules for each in vars(module).values() if isinstance(each, Dependency)}
    return list(found.values())


def closure(facts: Facts, request: Request[Any]) -> set[Request[Any]]:
    """A request and all that it needs."""
    found, waiting = set[Request[Any]](), [request]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting.extend(each.stage.needs(facts, *each.parameters))
    return found


COLUMNS = FILE_COLUMN, PERTURBED, COLUMN, RECODED, UNRECODED


class Watched(Session):
    """Makes each result twice, once from recorded values, and notes what a stage looks at and does not declare."""

    def __init__(self) -> None:
        super().__init__()
        self.made: set[str] = set()
        self.undeclared: set[tuple[str, Any]] = set()
        self.blind: set[tuple[str, Any]] = set()

    def _make(self, stage: Stage[..., Any], request: Request[Any], given: Given) -> Any:
        if plain(given.recipe) is given.recipe and plain(given.metadata) is given.metadata:
            self._watch(stage, request, given)
        return super()._make(stage, request, given)

    def _watch(self, stage: Stage[..., Any], request: Request[Any], given: Given) -> None:
        self.made.add(stage.name)
        declared, looked = Looked(copies=True), Looked(copies=False)
        noting = Facts(recorded(given.recipe, (), declared), recorded(given.metadata, ("*",), declared), self)
        noting.key(request)
        needed = closure(given.facts, request)
        names = {each.stage.name for each in needed}
        columns = {each.parameters[0] for each in needed if each.stage in COLUMNS}
        watching = Watching.of(self, given, looked)
        stage.make(watching, *request.parameters)
        lacking: set[Any] = looked - declared
        lacking |= {each.stage.name for each in watching.asked if each not in needed}
        lacking |= {f"column {name}" for name in watching.columns - columns} | watching.others - names
        self.undeclared |= {(stage.name, each) for each in lacking}
        self._alter(stage, request, given, looked)

    def _alter(self, stage: Stage[..., Any], request: Request[Any], given: Given, looked: Looked) -> None:
        key = given.facts.key(request)
        for path in looked:
            of_file, recipe, metadata = path[0] == "*", given.recipe, given.metadata
            changed = altered(metadata if of_file else recipe, path[1:] if of_file else path)
            if changed is None:
                continue
            facts = Facts(recipe, changed, self) if of_file else Facts(changed, metadata, self)
            try:
                same = facts.key(request) == key
            except (KeyError, PavoError):
                continue  # there is nothing of that name
            if same:
                self.blind.add((stage.name, path))


class WatchedParts(Watched, PartsSession):
    """The same of a file in parts."""


class Watching(Given):
    """Gives recorded values, and notes which stages, columns and other results are looked at."""

    asked: list[Request[Any]]
    columns: set[str]
    others: set[str]

    @classmethod
    def of(cls, pipeline: Pipeline, given: Given, looked: Looked) -> Watching:
        recipe, metadata = recorded(given.recipe, (), looked), recorded(given.metadata, ("*",), looked)
        columns, others, made = set[str](), set[str](), given.made
        if made is not None:
            made = watched_data(made, columns, others)
            made.__dict__.update(recipe=recipe, metadata=metadata)
        watching = cls(pipeline, Facts(recipe, metadata, pipeline), given.progress, given.at_hand, made)
        watching.__dict__.update(asked=[], columns=columns, others=others, honest=given)
        return watching

    def get(self, request: Request[Any]) -> Any:
        request = Request(request.stage, plain(request.parameters))
        self.asked.append(request)
        return self.__dict__["honest"].get(request)


def watched_data(made: RecodedData, columns: set[str], others: set[str]) -> RecodedData:
    """`made`, of which it is noted which columns and other results are looked at; whatever column tells the rows."""

    def noting(name: str, value: Any) -> Any:
        return property(lambda _self: (others.add(name), value)[1])

    microdata, tables = made.microdata, getattr(made, "tables", ())
    kind = type(microdata)
    of_file = type("Watched", (kind,), {"weights": noting("weights", microdata.weights)})
    attributes = {
        "times": property(lambda _self: made.times),
        "households": noting("households", made.households),
        "tables": noting("risk", tables),
        "risk_tables": noting("risk", getattr(made, "risk_tables", ())),
    }
    found = object.__new__(type("Watched", (type(made),), attributes))
    found.__dict__.update(vars(made), columns=Columns(made.columns, columns))
    found.__dict__["microdata"] = object.__new__(of_file)
    found.__dict__["microdata"].__dict__.update(vars(microdata), columns=Columns(microdata.columns, columns))
    return found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = random.Random(5)
    rows = []
    for household in range(60):
        region = rng.randint(1, 3)
        for _member in range(rng.randint(1, 3)):
            asked = [rng.randint(1, 2), rng.choice((20, 30, 40, 50, 99)), rng.randint(1, 3), rng.randint(1, 3)]
            rows.append([household, region, *asked, rng.randint(0, 900), 20 + rng.randint(0, 9)])
    path = tmp_path_factory.mktemp("stages") / "d.csv"
    path.write_text("HH,REGION,SEX,AGE,Q1,Q2,INCOME,W\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
    return path


def of_records(file: Path) -> Recipe:
    missing = {"REGION": "9", "SEX": "9", "AGE": "99", "Q1": "9", "Q2": "9"}
    return Recipe(
        input=Input(data=file),
        variables=(
            *(VariableEdit(name, missing=(code,), categorical=True) for name, code in missing.items()),
            VariableEdit("W", role="weight"),
            VariableEdit("INCOME", numeric=True, categorical=False),
        ),
        combinations=(Combination(("REGION", "SEX", "AGE")), Combination(("SEX", "AGE"), model="frequency")),
        recodes=(Recode("AGE", truncate=1),),
        numeric=(NumericEdit("INCOME", round=10),),
        threshold=Threshold(individual_risk=0.02),
        output=Output(data=file.with_name("safe.csv")),
    )


def of_households(file: Path) -> Recipe:
    recipe = of_records(file)
    by_type = HouseholdKey("TYPE", "household-type", ("SEX",))
    return recipe.with_(
        variables=(*recipe.variables, VariableEdit("HH", role="household-id"), VariableEdit("REGION", household=True)),
        derived=(HouseholdKey("SIZE", "household-size"), by_type, MultiResponseKey("Q", ("Q1", "Q2"))),
        combinations=(
            Combination(("SEX", "AGE", "SIZE")),
            Combination(("Q", "TYPE"), model="k-anonymity", k=2, missing_rule="category"),
        ),
        threshold=Threshold(individual_risk=0.03, household_risk=0.06),
        output=replace(recipe.output, household_id="sequence"),
    )


def by_model(file: Path) -> Recipe:
    recipe = of_records(file)
    return recipe.with_(
        combinations=(Combination(("REGION", "SEX", "AGE"), estimator="calibrated"),),
        threshold=Threshold(individual_risk=0.02, exceedance=0.05),
    )


def by_released_keys(file: Path) -> Recipe:
    recipe = of_records(file)
    return recipe.with_(
        combinations=recipe.combinations[:1], suppression=replace(recipe.suppression, mode="released-keys")
    )


def perturbed(file: Path) -> Recipe:
    recipe = of_records(file)
    first = Perturbation("pram", ("Q1",), (("keep", 0.9),))
    counted = Combination(("SEX", "Q1"), model="frequency")
    return recipe.with_(
        combinations=(recipe.combinations[0], counted),
        perturbations=(first, Perturbation("noise", ("INCOME",), (("share", 0.1),))),
    )


RECIPES = of_records, of_households, by_model, by_released_keys, perturbed


def walk(session: Session, recipe: Recipe) -> None:
    """Ask for all that a session tells of a recipe."""
    derived = session.derive(recipe)
    list(derived.overviews)
    session.overview(derived)
    session.count_cells(recipe, recipe.combinations[0].variables)
    session.second_opinions(derived)
    session.hidden(derived)
    mode = recipe.suppression.mode
    if recipe.suppression.mode != "released-keys" or "SIZE" not in recipe.combinations[0].variables:
        session.forecast(recipe, 0, mode)
    session.forecast_at(recipe, 0, 0.05, mode)
    session.plan_of_rare(recipe)
    session.contents(recipe)
    protection = session.protect(recipe)
    for table in derived.risk_tables:
        protection.remaining(table, SILENT)
        protection.judged(table, SILENT)
    session.compared_file(protection, ("REGION", "SEX", "AGE", "INCOME"))


@pytest.fixture(scope="module")
def watched(file: Path) -> list[Watched]:
    """A session of each recipe, of which everything was asked for."""
    sessions = []
    for make in RECIPES:
        sessions.append(Watched())
        walk(sessions[-1], make(file))
    return sessions


def test_all_stages_are_made_by_these_recipes(watched: list[Watched]) -> None:
    made = {name for session in watched for name in session.made}
    assert made == {each.name for each in declared() if isinstance(each, Stage)}


def test_no_two_stages_have_one_name() -> None:
    names = [each.name for each in declared() if each is not UNRECODED]
    assert len(names) == len(set(names))


def test_a_stage_looks_at_nothing_that_it_does_not_declare(watched: list[Watched]) -> None:
    assert {each for session in watched for each in session.undeclared if not in_vain(*each)} == set()


def test_a_change_of_what_a_stage_looks_at_changes_its_key(watched: list[Watched]) -> None:
    assert {each for session in watched for each in session.blind if not in_vain(*each)} == set()


def in_vain(stage: str, looked: Any) -> bool:
    """What is looked at and does not show in the result."""
    if not isinstance(looked, tuple):
        return False
    of_weight = looked[:3] == ("*", "variables", "7")  # it is read along with every column
    of_set = looked[-1] == "identification_level"  # is that of its columns, and by it nothing is suppressed
    return (stage == "record digests" and (of_weight or looked[-1] == "role")) or of_set


@pytest.mark.parametrize("households", [False, True])
def test_of_a_file_in_parts_a_stage_looks_at_nothing_else_either(file: Path, tmp_path: Path, households: bool) -> None:
    header, *lines = file.read_text().splitlines(keepends=True)
    ends = [place for place, line in enumerate(lines) if line.startswith("30,")]
    halves = tmp_path / "first.csv", tmp_path / "second.csv"
    for half, some in zip(halves, (lines[: ends[0]], lines[ends[0] :]), strict=True):
        half.write_text("".join((header, *some)))
    whole = of_records(file)
    whole = whole.with_(numeric=(), output=replace(whole.output, data=tmp_path / "safe.csv"))
    if households:
        whole = whole.with_(variables=(*whole.variables, VariableEdit("HH", role="household-id")))
        whole = whole.with_(output=replace(whole.output, household_id="sequence"))
    recipe, session = whole.with_(input=replace(whole.input, data=None, parts=halves)), WatchedParts()
    protection = session.protect(recipe)
    derived = session.derive(recipe)
    session.forecast(recipe, 0)
    session.forecast_at(recipe, 0, 0.05, "original-counts")
    session.hidden(derived)
    session.contents(recipe)
    protection.remaining(derived.risk_tables[0], SILENT)
    assert {"metadata of parts", "cells", "forecast", "hidden", "contents"} <= session.made
    assert session.undeclared == session.blind == set()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "asc"])
def test_a_column_is_read_by_nothing_that_its_key_leaves_out(suffix: str, file: Path, tmp_path: Path) -> None:
    data, described = tmp_path / f"d.{suffix}", None
    if suffix == "asc":
        data.write_text("11 2.5\n29 1.0\n12 0.5\n")
        described = tmp_path / "d.rda"
        described.write_text('A 1 1 "9"\n  <RECODABLE>\nB 2 1 "9"\n  <RECODABLE>\nW 3 4\n  <DECIMALS> 1\n  <WEIGHT>\n')
    else:
        frame = pd.DataFrame({"A": ["1", "2", "9"], "B": [1, 9, 2], "W": [2.5, 1.0, 0.5]})
        frame.to_csv(data, index=False) if suffix == "csv" else frame.to_parquet(data)
    kinds = [VariableEdit(name, categorical=True, missing=("9",)) for name in "AB"]
    recipe = Recipe(input=Input(data=data, metadata=described), variables=(*kinds, VariableEdit("W", role="weight")))
    session = Session()
    metadata = session.metadata(recipe)
    for name in metadata.names:
        looked, declared = Looked(copies=False), Looked(copies=True)
        read(data, recorded(metadata, (), looked), [name], SILENT)
        hash(session.columns.key(recipe.input, recorded(metadata, (), declared), name))
        assert {path[-1] for path in looked - declared} <= {"role"}, "which variable is the weight"


def test_a_forgotten_dependency_is_found(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(SUPPRESSION), "reads", lambda facts, _names: facts.recipe.suppression.criterion)
    monkeypatch.setitem(vars(CELLS), "needs", lambda *_parameters: ())
    session = Watched()
    walk(session, of_records(file))
    found = {(stage, looked if isinstance(looked, str) else looked[-1]) for stage, looked in session.undeclared}
    assert {("forecast", "suppression_weight"), ("cells", "column AGE"), ("cells", "weights")} <= found
    assert ("forecast", ("*", "variables", "2", "suppression_weight")) in session.blind
