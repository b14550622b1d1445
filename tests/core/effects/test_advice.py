"""Advice promises what the session finds once it is followed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.data.variables import Variable
from core.effects.advice import Advice, advise
from core.effects.coarser_codes import coarser_codes
from core.recipe.model import Combination, Input, Recipe, Recode, Threshold, VariableEdit
from core.recipe.toml import load
from core.results.unsafe_records import judged_unsafe
from core.session import Session
from tests.communes import KEYS, write_communes
from tests.naive_recode import column

MODELS = {
    "risk": (Combination(KEYS), Threshold(individual_risk=0.02)),
    "wildcard": (Combination(KEYS, missing_rule="wildcard"), Threshold(individual_risk=0.02)),
    "k": (Combination(KEYS, model="k-anonymity", k=3, missing_rule="category"), Threshold()),
}


def advice_on(session: Session, recipe: Recipe, index: int = 0) -> Advice:
    derived = session.derive(recipe)
    others = tuple(session.prepare(recipe).microdata.columns.values())
    found = advise(derived, index, session.tabulation(derived, index), others)
    assert found is not None
    return found


def unsafe_of(session: Session, recipe: Recipe) -> int:
    flags = judged_unsafe(session.derive(recipe), 0)
    return 0 if flags is None else int(flags.sum())


@pytest.mark.parametrize("model", MODELS)
def test_what_is_promised_is_what_the_session_finds(tmp_path: Path, model: str) -> None:
    combination, threshold = MODELS[model]
    recipe = load(write_communes(tmp_path, 800)).with_(combinations=(combination,), threshold=threshold)
    recipe = (
        recipe.with_(recodes=(Recode("AGE", scheme="1: -29\n2: 30-59\n3: 60-"),)) if model == "wildcard" else recipe
    )
    session = Session()
    found = advice_on(session, recipe)
    assert found.unsafe == unsafe_of(session, recipe) > 400
    assert len(found.candidates) > 4
    for candidate in found.candidates:
        after = candidate.applied_to(recipe, 0)
        assert unsafe_of(session, after) == candidate.unsafe[1]
        if candidate.coarser is None:
            assert found.without[candidate.variable] == candidate.unsafe[1]
            assert session.metadata(after)[candidate.variable].removed
        else:
            assert session.derive(after).columns[candidate.variable].n_valid == candidate.codes[1]


def test_households_are_judged_as_the_session_judges_them(demo: Path) -> None:
    recipe = Recipe(
        input=Input(data=demo / "survey.asc", metadata=demo / "survey.rda"),
        variables=(VariableEdit("HHID", role="household-id"),),
        combinations=(Combination(("REGION", "AGE", "SEX")),),
        threshold=Threshold(individual_risk=0.02, household_risk=0.05),
    )
    session = Session()
    found = advice_on(session, recipe)
    assert found.unsafe == unsafe_of(session, recipe)
    for candidate in found.candidates[:3]:
        assert unsafe_of(session, candidate.applied_to(recipe, 0)) == candidate.unsafe[1]


def test_what_counting_the_members_tells_is_not_advised_to_be_left_out(demo: Path) -> None:
    recipe = load(demo / "survey-households.pavo")
    session = Session()

    def left_out(recipe: Recipe) -> set[str]:
        return {each.variable for each in advice_on(session, recipe).candidates if each.coarser is None}

    apart = replace(recipe.output, household_id="remove", shuffle=True, keep_households_together=False)
    assert "HHSIZE" in advice_on(session, recipe).without
    assert "HHSIZE" not in left_out(recipe)
    assert left_out(recipe) < left_out(recipe.with_(output=apart)) >= {"HHSIZE"}


def test_following_the_first_advice_makes_nine_in_ten_safe(tmp_path: Path) -> None:
    recipe, session, clicks = load(write_communes(tmp_path)), Session(), 0
    found = advice_on(session, recipe)
    assert found.share > 0.99
    assert next(iter(found.contributions)) == "COMMUNE"
    while found.share > 0.1:
        recipe, clicks = found.candidates[0].applied_to(recipe, 0), clicks + 1
        found = advice_on(session, recipe)
    assert clicks <= 4


def test_neighbours_are_merged_only_where_codes_have_an_order() -> None:
    numbers = column([str(number) for number in range(1, 61)], (), 2)
    kinds = {
        name: {way.kind for way in coarser_codes(numbers, variable, {})}
        for name, variable in {
            "called nothing": Variable("REGION"),
            "called age": Variable("AGE"),
            "said": Variable("REGION", ordered=True),
            "denied": Variable("AGE", ordered=False),
        }.items()
    }
    assert kinds == {"called nothing": set(), "called age": {"bands"}, "said": {"bands"}, "denied": set()}


def test_groups_are_taken_from_a_column_that_is_constant_within_codes() -> None:
    codes = [f"x{number}" for number in range(12)] * 3
    place, variable = column(codes, (), 3, "PLACE"), Variable("PLACE")
    area = column([f"a{int(code[1:]) // 4}" for code in codes], (), 2, "AREA")
    (way,) = coarser_codes(place, variable, {}, (place, area))
    assert (way.kind, way.column, len(set(way.onto.tolist()))) == ("column", "AREA", 3)
    astray = area.values.copy()
    astray[-1] = 0
    assert not list(coarser_codes(place, variable, {}, (replace(area, values=astray),)))
