"""Alternatives of the same file: figures of one table and of all, by each one's own models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import PavoError
from core.recipe.model import Combination, Input, Output, Recipe, Threshold
from core.results.results import Results
from core.session import Session
from core.whatif import alternatives
from core.whatif.alternatives import AXES, PROFILE, Alternative, alternative
from core.whatif.before_after import outcomes
from tests.core.whatif.test_merges import weighted

RISKY = Threshold(individual_risk=0.02)
REGIONS = Combination(("REGION", "SEX"), threshold=RISKY)
AGES = Combination(("AGE", "EDUC"), missing_rule="wildcard", threshold=Threshold(individual_risk=0.001))
MODELS = {
    "frequency": (Combination(("REGION", "AGE"), "frequency", count_threshold=2),),
    "k": (Combination(("AGE", "EDUC"), "k-anonymity", k=3, missing_rule="category"),),
    "listwise": (Combination(("AGE", "EDUC"), missing_rule="listwise", threshold=RISKY),),
    "two": (REGIONS, AGES),
    "mixed": (REGIONS, Combination(("AGE", "SEX"), "frequency", count_threshold=3)),
    "unasked": (Combination(("REGION", "SEX")),),
}


def made(session: Session, recipe: Recipe) -> tuple[Alternative, Results]:
    derived = session.derive(recipe)
    try:
        return alternative("it", derived, session.protect(recipe)), derived
    except PavoError as error:
        return alternative("it", derived, error), derived


def of_demo(demo: Path, *combinations: Combination) -> Recipe:
    return Recipe(Input(data=demo / "survey.asc", metadata=demo / "survey.rda"), combinations=combinations)


def test_two_risk_tables_are_both_in_the_figures(demo: Path) -> None:
    session = Session()
    recipe = of_demo(demo, *MODELS["two"])
    found, derived = made(session, recipe)
    after = outcomes(session.protect(recipe))
    assert found.unsafe
    assert found.unsafe_after == 0
    for table, later, (variables, _model, figures) in zip(derived.risk_tables, after, found.tables, strict=True):
        assert variables == table.combination.variables
        assert (figures.before, figures.after) == (later.before, later.after)
        assert later.before.individual is not None and later.after.individual is not None
        assert later.before.individual.rate == table.staircase.rate
        assert found.of(frozenset(variables)) is figures
        assert found.risk("rate", frozenset(variables)) == later.after.individual.rate
    rates = [table.staircase.rate for table in derived.risk_tables]
    assert found.all.before.individual is not None and found.all.after.individual is not None
    assert found.all.before.individual.rate == max(rates) != min(rates)
    assert found.all.after.individual.rate == max(found.risk("rate", frozenset(names)) for names, *_ in found.tables)
    assert found.risk("rate") == found.all.after.individual.rate


@pytest.mark.parametrize("models", MODELS)
def test_whole_file_figures_are_those_of_each_record(demo: Path, models: str) -> None:
    """Counted plainly, record by record."""
    found, derived = made(Session(), of_demo(demo, *MODELS[models]))
    n = derived.records
    rarest, largest = np.full(n, np.nan), np.full(n, np.nan)
    for combination, table in zip(derived.recipe.combinations, derived.tables, strict=True):
        values = [derived.columns[name].values for name in combination.variables]
        valid = [derived.columns[name].n_valid for name in combination.variables]
        if table is not None:
            largest = np.fmax(largest, table.risk[table.cell_index.of_record])
            rarest = np.fmin(rarest, table.cells.f[table.cell_index.of_record])
        else:
            keys = list(zip(*(np.minimum(v, m).tolist() for v, m in zip(values, valid, strict=True)), strict=True))
            missing = [any(code == m for code, m in zip(key, valid, strict=True)) for key in keys]
            f = np.array([keys.count(key) for key in dict.fromkeys(keys)])
            place = {key: i for i, key in enumerate(dict.fromkeys(keys))}
            own = f[[place[key] for key in keys]].astype(float)
            if combination.model == "frequency":
                assert not any(missing)
            rarest = np.fmin(rarest, own)
    assert found.all.violations == {k: int((rarest < k).sum()) for k in PROFILE}
    if np.isnan(largest).all():
        assert found.all.staircase is None
        assert found.risk("rate") is None
    else:
        assert found.all.staircase is not None
        assert found.all.staircase.n == int((~np.isnan(largest)).sum())
        assert found.all.staircase.expected_reidentifications == pytest.approx(float(np.nansum(largest)), rel=1e-12)
    assert found.risk("uniques") == int((rarest < 2).sum()) / n


def test_every_model_has_a_share_of_unsafe_records(demo: Path) -> None:
    session = Session()
    for name, combinations in MODELS.items():
        found, _derived = made(session, of_demo(demo, *combinations))
        if name == "unasked":
            assert (found.unsafe, found.risk("unsafe"), found.protected) == (None, None, False)
            assert found.all.before.individual is not None
            assert found.risk("rate") == found.all.before.individual.rate
            continue
        assert found.unsafe is not None
        assert found.risk("unsafe") == found.unsafe / found.records
        assert found.risk("unsafe-after") == (0 if found.protected else found.risk("unsafe"))


def test_what_is_left_unsafe_by_choice_is_counted(demo: Path) -> None:
    recipe = of_demo(demo, *MODELS["mixed"])
    found, _derived = made(
        Session(), recipe.with_(suppression=replace(recipe.suppression, criterion="none"), output=Output())
    )
    assert found.unsafe
    assert found.unsafe_after == found.unsafe


def test_household_figures_are_the_largest_of_all_tables(tmp_path: Path) -> None:
    tables = Combination(("V",)), Combination(("A", "B"))
    found, derived = made(Session(), weighted(tmp_path, 3, *tables, threshold=Threshold(household_risk=0.4)))
    households = [table.household for table in derived.risk_tables]
    rates = [home.staircase.rate for home in households if home is not None]
    assert len(set(rates)) == 2
    assert found.by_households
    assert found.all.before.household is not None
    assert found.all.before.household.rate == max(rates)
    later = found.tables[0][2].after.household
    assert found.risk("household-rate", frozenset({"V"})) == (later.rate if later is not None else rates[0])


def test_of_too_many_combinations_only_risk_tables_have_a_profile(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alternatives, "MOST_PROFILED", 1)
    found, _derived = made(Session(), of_demo(demo, *MODELS["mixed"]))
    assert found.tables[0][2].violations is not None
    assert found.tables[1][2].violations is None
    assert found.all.violations is None
    assert found.risk("uniques") is None
    assert set(AXES) == {"household-rate", "rate", "unsafe", "unsafe-after", "uniques"}
