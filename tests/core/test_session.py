"""The session: what it derives, what it keeps, and what it notices."""

from __future__ import annotations

import itertools
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import DataError, MetadataError, RecipeError
from core.base.progress import Cancelled
from core.pipeline.cache import Cache, size_of
from core.pipeline.stage import CACHE_BYTES
from core.recipe.model import (
    Combination,
    Input,
    Measure,
    Mode,
    Output,
    Recipe,
    Recode,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.recipe.toml import load
from core.release.run import carry_out
from core.session import Session
from core.tables.cell_index import Tabulation
from core.tables.cells import Cells
from tests.core.small_survey import Survey

DEMO = Path(__file__).parents[2] / "resources" / "demo"


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    found = Survey(tmp_path)
    found.write()
    return found


@pytest.fixture
def recipe(survey: Survey) -> Recipe:
    return load(survey.folder / "survey.pavo").with_(output=Output())


def test_without_combinations_there_are_metadata_and_data(recipe: Recipe) -> None:
    derived = Session().derive(recipe.with_(combinations=()))
    assert derived.records == 60
    assert derived.metadata.names == ("REGION", "SEX", "AGE", "WEIGHT", "INCOME")
    assert derived.tables == ()
    assert list(derived.overviews) == []
    assert derived.columns == {}
    assert derived.overview.unsafe_by_dimension == {}


def test_columns_are_those_asked_for(recipe: Recipe) -> None:
    session = Session()
    plain = recipe.with_(combinations=(Combination(("SEX",)),), threshold=Threshold())
    assert list(session.derive(plain).columns) == ["SEX"]
    assert list(session.derive(plain, columns="all").columns) == ["REGION", "SEX", "AGE"]
    measured = plain.with_(measures=(Measure("frequencies", ("AGE",)),))
    assert list(session.derive(measured).columns) == ["SEX", "AGE"]
    related = plain.with_(variables=(VariableEdit("SEX", related="REGION"),))
    assert list(session.derive(related).columns) == ["REGION", "SEX"]


def test_nearly_unique_and_hidden_variables_are_not_searched_for_leaks(tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 3},{i % 7},{i % 11},{i % 2}\n" for i in range(1200))
    (tmp_path / "d.csv").write_text("id,key,other,name,sex\n" + rows)
    recipe = Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=(VariableEdit("name", role="direct-identifier"),),
        combinations=(Combination(("key",)),),
        threshold=Threshold(individual_risk=0.5),
    )
    assert list(Session().protect(recipe).derived.columns) == ["key", "other", "sex"]
    assert list(Session().derive(recipe).columns) == ["key"]
    of_id = recipe.with_(combinations=(Combination(("key", "id")),))
    assert "id" in Session().protect(of_id).derived.columns


def test_undo_and_redo_compute_nothing_twice(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    import core.pipeline.column_store
    import core.pipeline.plan
    import core.pipeline.recodes
    import core.pipeline.risks
    import core.pipeline.tables

    calls: list[str] = []
    for module, name in (
        (core.pipeline.column_store, "read"),
        (core.pipeline.tables, "tabulate_records"),
        (core.pipeline.tables, "regroup"),
        (core.pipeline.risks, "risks_of"),
        (core.pipeline.tables, "unsafe_combinations"),
        (core.pipeline.plan, "optimise_models"),
        (core.pipeline.recodes, "recode"),
    ):
        honest = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, _f=honest, _n=name, **k: (calls.append(_n), _f(*a, **k))[1])
    session = Session()
    session.protect(recipe)
    assert set(calls) == {"read", "tabulate_records", "risks_of", "unsafe_combinations", "optimise_models"}
    recoded = recipe.with_(recodes=(Recode("AGE", truncate=1),))
    calls.clear()
    session.protect(recoded)
    assert "regroup" in calls
    assert not {"read", "tabulate_records"} & set(calls)
    calls.clear()
    session.protect(recipe)
    session.protect(recoded)
    assert calls == []
    session.protect(recipe.with_(threshold=Threshold(individual_risk=0.03)))
    assert calls == ["optimise_models"]


def test_a_plan_is_made_again_where_the_safe_file_leaves_out_a_related_variable(recipe: Recipe) -> None:
    """What no file contains needs no suppression: the plan knows whether a related variable is written."""
    keys = (Combination(("REGION", "AGE")),)
    related = recipe.with_(combinations=keys, variables=(VariableEdit("AGE", related="SEX"),))
    left_out = related.with_(variables=(*related.variables, VariableEdit("SEX", removed=True)))
    session = Session()
    assert session.protect(related).plan.by_variable["SEX"] > 0
    forecast = session.forecast(related, 0).at(0.02)
    assert session.protect(left_out).plan.by_variable == Session().protect(left_out).plan.by_variable
    assert session.forecast(left_out, 0).at(0.02).by_variable == Session().forecast(left_out, 0).at(0.02).by_variable
    assert session.forecast(left_out, 0).at(0.02).by_variable != forecast.by_variable


def test_records_hidden_by_their_household_are_counted_again_for_another_exceedance() -> None:
    households = load(DEMO / "survey-households.pavo").with_(output=Output())
    judged = replace(households.combinations[0], estimator="calibrated", missing_rule="observed", threshold=Threshold())
    session, found = Session(), []
    for exceedance in (None, 0.05):
        threshold = Threshold(individual_risk=0.02, exceedance=exceedance)
        asked = households.with_(combinations=(judged,), threshold=threshold)
        found.append(session.hidden(session.derive(asked)))
        assert found[-1] == Session().hidden(Session().derive(asked))
    assert found[0] != found[1]


def test_a_forecast_by_released_keys_is_refused_once_a_household_threshold_is_asked() -> None:
    households = load(DEMO / "survey-households.pavo").with_(output=Output())
    single = households.with_(
        combinations=(Combination(("SEX", "AGE", "MARSTAT")),), threshold=Threshold(individual_risk=0.02)
    )
    session = Session()
    assert session.forecast(single, 0, "released-keys").at(None).total == 0
    together = single.with_(threshold=Threshold(individual_risk=0.02, household_risk=0.05))
    with pytest.raises(RecipeError, match="coupled"):
        session.forecast(together, 0, "released-keys")


def test_a_point_has_the_threshold_that_was_asked_for_of_records_or_of_households() -> None:
    households = load(DEMO / "survey-households.pavo").with_(
        combinations=(Combination(("SEX", "AGE")),),
        threshold=Threshold(individual_risk=0.02, household_risk=0.05),
        output=Output(),
    )
    session = Session()
    assert session.forecast_at(households, 0, 0.02, "original-counts").threshold == 0.02
    assert session.forecast_at(households, 0, 0.05, "original-counts", "household").threshold == 0.05


def test_only_the_changed_variable_is_read_again(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    import core.pipeline.column_store
    import core.pipeline.recodes

    asked: list[tuple[str, ...]] = []
    honest = core.pipeline.column_store.read

    def read(path: Path, metadata: object, names: tuple[str, ...], progress: object) -> object:
        asked.append(tuple(names))
        return honest(path, metadata, names, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(core.pipeline.column_store, "read", read)
    session = Session()
    session.derive(recipe)
    changed = session.derive(recipe.with_(variables=(VariableEdit("SEX", missing=("1",)),)))
    assert asked == [("REGION", "SEX", "AGE", "WEIGHT"), ("SEX",)]
    assert changed.columns["SEX"].n_valid == 1
    session.derive(recipe.with_(variables=(VariableEdit("SEX", suppression_weight=3),)))
    assert len(asked) == 2


def test_a_change_on_disk_is_noticed_and_does_not_slip_in(survey: Survey, recipe: Recipe) -> None:
    session = Session()
    before = session.derive(recipe)
    survey.lines = survey.lines[:50]
    survey.write()
    (survey.folder / "survey.rda").write_text("nonsense")
    assert session.derive(recipe).records == before.records == 60
    edited = recipe.with_(variables=(VariableEdit("SEX", missing=("1",)),))
    with pytest.raises(MetadataError, match=r"survey\.rda has changed since it was read"):
        session.derive(edited)
    survey.write()
    with pytest.raises(DataError, match=r"survey\.asc has changed since it was read"):
        session.derive(edited)
    session.renew()
    assert session.derive(recipe).records == 50


def test_data_other_than_those_saved_with_the_recipe_are_said(recipe: Recipe) -> None:
    derived = Session().derive(recipe.with_(input=replace(recipe.input, sha256="0" * 64)))
    assert [notice.id for notice in derived.notices] == ["input-changed"]
    same = recipe.with_(input=replace(recipe.input, sha256=derived.microdata.source.sha256))
    assert Session().derive(same).notices == ()


def test_by_released_keys_the_forecast_is_an_upper_bound(recipe: Recipe) -> None:
    recipe = recipe.with_(suppression=replace(recipe.suppression, mode="released-keys"))
    session = Session()
    plan = session.protect(recipe).plan
    found = session.forecast(recipe, 0, "released-keys")
    point = found.at(0.02)
    assert not point.exact and not found.exact
    assert point.loss >= plan.lower_bound > 0
    assert found.at(None).total == 0
    with pytest.raises(RecipeError, match="released-keys"):
        session.forecast(recipe, 0, "released-keys", "household")


@pytest.mark.parametrize(("mode", "gaps"), [("released-keys", False), ("original-counts", True)])
def test_forecast_at_a_threshold_is_the_plan_where_no_staircase_is(recipe: Recipe, mode: Mode, gaps: bool) -> None:
    recipe = recipe.with_(suppression=replace(recipe.suppression, mode=mode, close_gaps=gaps))
    session = Session()
    for threshold in (0.02, 0.03):
        plan = session.protect(recipe.with_(threshold=Threshold(individual_risk=threshold))).plan
        point = session.forecast_at(recipe, 0, threshold, mode)
        assert plan.total > 0 and point.threshold == threshold
        assert (point.by_variable, point.records_touched) == (plan.by_variable, plan.records_touched)
        assert (point.loss, point.exact, point.unsafe_left) == (plan.loss, plan.exact, 0)
    assert session.forecast_at(recipe, 0, None, mode).total == 0


def test_forecast_at_a_threshold_says_who_stays_unsafe(recipe: Recipe) -> None:
    assert Session().forecast_at(recipe, 0, 1e-12, "released-keys").unsafe_left > 0


def test_forecast_agrees_with_the_plan(recipe: Recipe) -> None:
    session = Session()
    plan = session.protect(recipe).plan
    point = session.forecast(recipe, 0).at(0.02)
    assert plan.total > 0
    assert point.by_variable == plan.by_variable
    assert point.loss == plan.loss


def test_a_forecast_needs_a_risk_table_and_a_mode_that_has_one(recipe: Recipe) -> None:
    session = Session()
    with pytest.raises(RecipeError, match="released-keys"):
        session.forecast(recipe, 0, "released-keys", "household")
    counted = recipe.with_(combinations=(Combination(("SEX",), model="frequency"),))
    with pytest.raises(RecipeError, match=r"combinations\[1\]"):
        session.forecast(counted, 0)


def test_protect_needs_thresholds(recipe: Recipe) -> None:
    with pytest.raises(RecipeError, match=r"combinations\[1\]\.threshold"):
        Session().protect(recipe.with_(threshold=Threshold()))


def test_criterion_none_counts_what_stays_unsafe_in_any_table(recipe: Recipe) -> None:
    two = recipe.with_(
        combinations=(Combination(("REGION", "SEX")), Combination(("AGE",))),
        suppression=Suppression(criterion="none"),
    )
    protection = Session().protect(two)
    unsafe = np.zeros(60, bool)
    for table in protection.derived.risk_tables:
        unsafe |= table.risk[table.cell_index.of_record] >= 0.02 * (1 - 1e-12)
    assert protection.unsafe_left == unsafe.sum() > 0
    assert protection.plan.total == 0


def test_the_rate_under_observed_stands_beside_wildcard(survey: Survey, recipe: Recipe) -> None:
    survey.lines[0] = survey.lines[0][:2] + "9" + survey.lines[0][3:]
    survey.write()
    rules = {
        rule: Session().derive(recipe.with_(combinations=(Combination(("REGION", "SEX", "AGE"), missing_rule=rule),)))
        for rule in ("observed", "wildcard")
    }
    observed, wildcard = (rules[rule].risk_tables[0] for rule in ("observed", "wildcard"))
    assert observed.rate_observed is None
    assert wildcard.rate_observed == observed.staircase.rate


def test_cancelling_leaves_the_session_usable(recipe: Recipe) -> None:
    class Stop:
        def report(self, done: float, total: float, text: str) -> None:
            """Nobody looks."""

        def check(self) -> None:
            raise Cancelled

    session = Session()
    with pytest.raises(Cancelled):
        session.derive(recipe, Stop())
    assert session.derive(recipe).records == 60


def test_the_cache_forgets_what_was_used_longest_ago() -> None:
    cache = Cache(limit=3 * size_of(np.zeros(100)))
    for name in "abc":
        cache.put(name, np.zeros(100))
    assert cache.get("a") is not None
    cache.put("d", np.zeros(100))
    assert cache.get("b") is None
    assert all(cache.get(name) is not None for name in "acd")
    cache.put("huge", np.zeros(10_000))
    assert cache.get("huge") is not None
    assert cache.get("a") is None


def test_what_stays_in_the_cache_is_never_forgotten() -> None:
    cache = Cache(limit=size_of(np.zeros(100)))
    cache.put("column", np.zeros(10_000), stays=True)
    for name in "ab":
        cache.put(name, np.zeros(100))
    assert cache.get("column") is not None
    assert (cache.get("a") is None, cache.get("b") is None) == (True, False)
    cache.clear()
    assert cache.get("column") is None


def test_a_run_has_no_more_memory_than_a_session_and_reads_no_column_twice(
    survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many combinations not all results are kept; the columns, of which they are made anew, are."""
    import core.pipeline.column_store
    import core.pipeline.recodes

    limits: list[int] = []
    asked: list[tuple[str, ...]] = []
    honest = core.pipeline.column_store.read

    def cache(limit: int) -> Cache:
        limits.append(limit)
        return Cache(1)

    def read(path: Path, metadata: object, names: tuple[str, ...], progress: object) -> object:
        asked.append(tuple(names))
        return honest(path, metadata, names, progress)  # type: ignore[arg-type]

    monkeypatch.setattr("core.pipeline.stage.Cache", cache)
    monkeypatch.setattr(core.pipeline.column_store, "read", read)
    assert survey.run() == 0
    assert limits == [CACHE_BYTES]
    # looked at for what it tells, where values are suppressed, and for the release checklist: neither keeps it
    assert asked[1:] == [("INCOME",), ("INCOME",)]


def test_the_cells_of_many_combinations_are_not_held_together(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    import core.pipeline.tables

    made: list[weakref.ref[Cells]] = []
    most = [0]
    honest = core.pipeline.tables.tabulate_records

    def tabulate(*arguments: Any, **named: Any) -> Tabulation:
        table = honest(*arguments, **named)
        made.append(weakref.ref(table.cells))
        most[0] = max(most[0], sum(ref() is not None for ref in made))
        return table

    monkeypatch.setattr(core.pipeline.tables, "tabulate_records", tabulate)
    names = ("REGION", "SEX", "AGE")
    each = tuple(Combination(some, model="frequency") for n in (1, 2, 3) for some in itertools.combinations(names, n))
    many = recipe.with_(combinations=each, threshold=Threshold(), suppression=Suppression("none"))
    whole = carry_out(Session(), many)
    assert most[0] == len(each) == len({id(ref) for ref in made})
    made.clear()
    most[0] = 0
    sparing = carry_out(Session(cache_bytes=1, one_recipe=True), many)
    assert most[0] <= 2
    for key in ("combinations", "overview"):
        assert sparing.summary[key] == whole.summary[key]
    assert [part for part in sparing.report.sections if part.id != "program"] == [
        part for part in whole.report.sections if part.id != "program"
    ]
