"""A new what-if is its question: a variable left out of all combinations at once, in four lines over `Trial`."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.recipe.model import Combination, Threshold
from core.results.results import Results
from core.results.suppression_problem import unsafe_by_any
from core.session import Session
from core.whatif.trial import TrialStart
from tests.core.whatif.test_trial import KEYS, SIZE, small_file, without

COMBINATIONS = (
    Combination(("V", "A", "B"), missing_rule="wildcard"),
    Combination(("V", "B"), "frequency", count_threshold=4),
    Combination(("A", "V"), "k-anonymity", k=4, missing_rule="category"),
    Combination(("A", SIZE), "l-diversity", l=3, sensitive="S", missing_rule="category"),
)


def fewer_unsafe(derived: Results) -> dict[str, int]:
    """By how many fewer records would be unsafe if no combination had a variable, the most helpful one first."""
    start = TrialStart(derived)
    fewer = {name: start.trial.unsafe() - start.trial.leaving_out(name).unsafe() for name in start.variables}
    return dict(sorted(fewer.items(), key=lambda each: -each[1]))


@pytest.mark.parametrize("asked", [Threshold(individual_risk=0.05), Threshold(household_rate=0.1)])
def test_a_new_what_if_finds_what_the_session_finds(tmp_path: Path, asked: Threshold) -> None:
    session, recipe = Session(), small_file(tmp_path, 1, COMBINATIONS, asked)
    found, now = fewer_unsafe(session.derive(recipe)), unsafe_by_any(session.derive(recipe))
    assert found == {name: now - unsafe_by_any(session.derive(without(recipe, name))) for name in found}
    assert set(found) == {*KEYS, SIZE}
    assert len(set(found.values())) > 1
