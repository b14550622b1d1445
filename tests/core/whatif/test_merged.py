"""Thresholds that merges move: what Suggest promises is what the session has once its merges are applied."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.argus.recode_scheme import scheme_text
from core.recipe.model import Combination, Recode, Threshold
from core.recoding import grouping
from core.recoding.grouping import EMPTY
from core.results.results import Results
from core.results.unsafe_records import unsafe_flags
from core.session import Session
from core.whatif.merges import merged_units, suggest_merges, unsafe_when_merged
from tests.core.whatif.test_merges import MODELS, recipe, weighted

TABLES = (
    (Combination(("V", "A", "B")),),
    (Combination(("A", "V"), missing_rule="wildcard", alpha=0.0),),
    (Combination(("V", "A")), Combination(("V", "B"), "frequency", count_threshold=2)),
    (Combination(("B", "V")), Combination(("V", "A"), "k-anonymity", k=3)),
)
ASKED = st.one_of(
    st.builds(lambda risk: Threshold(individual_risk=risk), st.floats(0.005, 0.3)),
    st.builds(lambda rate: Threshold(reidentification_rate=rate), st.floats(0.001, 0.2)),
    st.builds(lambda number: Threshold(unsafe_records=number), st.integers(0, 120)),
)
OF_HOUSEHOLDS = st.one_of(
    st.builds(lambda rate: Threshold(household_rate=rate), st.floats(0.005, 0.4)),
    st.builds(lambda number: Threshold(unsafe_households=number), st.integers(0, 40)),
    st.builds(
        lambda rate, number: Threshold(reidentification_rate=rate, unsafe_households=number),
        st.floats(0.005, 0.2),
        st.integers(0, 40),
    ),
)


def applied(session: Session, derived: Results, variable: str, groups: Sequence[Sequence[str]]) -> int:
    """Unsafe records after Apply, as the preview of Global Recode counts them."""
    column = derived.microdata.columns[variable]
    before = next((r.scheme or "" for r in derived.recipe.recodes if r.variable == variable), "")
    scheme = grouping.parse_scheme(before) if before else EMPTY
    for codes in groups:
        scheme = grouping.merge(column, scheme, codes)
    recodes = tuple(r for r in derived.recipe.recodes if r.variable != variable)
    if before or groups:
        recodes += (Recode(variable, scheme=scheme_text(scheme)),)
    return int(unsafe_flags(session.derive(derived.recipe.with_(recodes=recodes)), variable).sum())


def check(session: Session, derived: Results, variable: str) -> None:
    """Every choice, and half of each one's merges."""
    found = suggest_merges(derived, variable)
    for choice in found.choices:
        every = merged_units(found, choice, range(len(choice.runs)))
        some = merged_units(found, choice, range(0, len(choice.runs), 2))
        whole = applied(session, derived, variable, every)
        assert unsafe_when_merged(derived, variable, every) == whole
        assert unsafe_when_merged(derived, variable, some) == applied(session, derived, variable, some)
        if found.anew or not found.by_share:
            assert choice.unsafe == whole


@given(st.integers(0, 9), st.sampled_from(TABLES), ASKED)
def test_a_promise_is_kept_whatever_the_threshold_is_given_as(
    tmp_path_factory: pytest.TempPathFactory, seed: int, tables: tuple[Combination, ...], asked: Threshold
) -> None:
    folder = tmp_path_factory.mktemp("merged")
    session = Session()
    whole = weighted(folder, seed, *tables, threshold=asked)
    check(session, session.derive(whole.with_(variables=whole.variables[:-1])), "V")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 9), st.sampled_from(TABLES), OF_HOUSEHOLDS)
def test_a_promise_is_kept_for_rates_and_numbers_of_households(
    tmp_path_factory: pytest.TempPathFactory, seed: int, tables: tuple[Combination, ...], asked: Threshold
) -> None:
    session = Session()
    check(session, session.derive(weighted(tmp_path_factory.mktemp("homes"), seed, *tables, threshold=asked)), "V")


def test_a_number_of_unsafe_records_stays_what_is_asked_for(demo: Path) -> None:
    session = Session()
    asked = recipe(demo, "survey", MODELS["risk"]).with_(threshold=Threshold(unsafe_records=400))
    found = suggest_merges(session.derive(asked), "AGE")
    assert found.anew
    assert len(found.choices) > 3
    saved = sum(run.unsafe_before - run.unsafe_after for run in found.choices[-1].runs)
    assert saved > 200  # at the threshold as it stands
    assert 300 < found.choices[-1].unsafe <= 400
    check(session, session.derive(asked.with_(threshold=Threshold(reidentification_rate=0.002))), "AGE")


def test_merges_upon_a_recode_are_those_of_its_categories(demo: Path) -> None:
    session = Session()
    ages = session.derive(recipe(demo, "survey", MODELS["risk"])).microdata.columns["AGE"]
    by_threes = scheme_text(grouping.merge(ages, EMPTY, ["30", "31", "33"]))
    asked = recipe(demo, "survey", MODELS["risk"]).with_(
        recodes=(Recode("AGE", scheme=by_threes),), threshold=Threshold(unsafe_records=300)
    )
    check(session, session.derive(asked), "AGE")
