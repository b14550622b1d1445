"""The session of the windows answers of households in parts what it answers of the same records in one file."""

from __future__ import annotations

import pytest

from core.parts.session import PartsSession
from core.recipe.model import Combination, HouseholdKey, Recipe, Suppression, Threshold
from core.recipe.toml import parse
from core.warnings.unassessed import lacks_household_key
from core.whatif.merges import suggest_merges
from gui.document import engine
from tests.core.parts.files import SurveyInParts
from tests.core.parts.test_households import SHARED, divided, homes
from tests.core.parts.test_session import ANSWERS, Answer, plain, trials


def _by_households(session: PartsSession, recipe: Recipe) -> object:
    table = session.derive(recipe).tables[0]
    assert table is not None
    assert table.household is not None
    stairs = table.household.staircase
    each = [stairs.figures(t) for t in (0.01, 0.1, 0.4)]
    return stairs.histogram(), stairs.households, each, stairs.threshold_for_households(5), stairs.records.unsafe(0.1)


def _with(session: PartsSession, recipe: Recipe, **threshold: float) -> object:
    return ANSWERS["protection"](session, recipe.with_(threshold=Threshold(**threshold)))  # type: ignore[arg-type]


def _gapless(session: PartsSession, recipe: Recipe) -> object:
    return ANSWERS["protection"](session, recipe.with_(suppression=Suppression(close_gaps=True)))


def _anonymous(session: PartsSession, recipe: Recipe) -> object:
    table = Combination(("SEX", "ROOMS", "JOB"), missing_rule="category", model="k-anonymity", k=9)
    asked = recipe.with_(combinations=(*recipe.combinations, table), suppression=Suppression(effort=50))
    return ANSWERS["protection"](session, asked)


def _by_released_keys(session: PartsSession, recipe: Recipe) -> object:
    asked = recipe.with_(
        combinations=(Combination(("SEX", "AGE", "JOB")),),
        threshold=Threshold(individual_risk=0.03),
        suppression=Suppression(mode="released-keys", effort=50),
    )
    return ANSWERS["protection"](session, asked), session.forecast(asked, 0, "released-keys")


def _type(session: PartsSession, recipe: Recipe) -> object:
    found = engine.household_type(
        session, recipe.with_(derived=(*recipe.derived, HouseholdKey("KIND", "household-type", ("SEX",)))), "KIND"
    )
    return found.households, found.types, found.alone, [(e.label, e.households, e.records) for e in found.frequent]


_OWN: dict[str, Answer] = {
    "household chart": _by_households,
    "forecast of households": lambda s, r: s.forecast(r, 0, "original-counts", "household"),
    "unprotectable": lambda s, r: engine.unprotectable(s, r.with_(threshold=Threshold(household_risk=0.001)), 0),
    "both thresholds": lambda s, r: _with(s, r, household_risk=0.06, individual_risk=0.04),
    "individual threshold": lambda s, r: _with(s, r, individual_risk=0.04),
    "gaps closed": _gapless,
    "k-anonymity": _anonymous,
    "released keys": _by_released_keys,
    "household key": lambda s, r: lacks_household_key(s.derive(r), 0),
    "household type": _type,
    "trials": lambda s, r: trials(s.derive(r)),
    "merges of a person's variable": lambda s, r: suggest_merges(s.derive(r), "AGE"),
}
_LEFT_OUT = {
    "forecast by released keys",
    "numbers",
    "codes",
    "measure",
    "cells",
    "another combination",
    "effect of a recode",
    "unwieldy",
    "contents",
}
"""Questions that ask for variables which this survey has not, or for what there is not of households."""
_QUESTIONS = {name: answer for name, answer in ANSWERS.items() if name not in _LEFT_OUT} | _OWN


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recipe, Recipe]:
    """A recipe for one file, and the same for its parts."""
    survey = SurveyInParts(tmp_path_factory.mktemp("survey"))
    divided(survey, homes(100), 3)
    one, several = (parse(SHARED.format(data=f'"{data}"', out="safe"), survey.folder) for data in ("all.csv", "parts"))
    return one, several


@pytest.fixture(scope="module")
def sessions() -> tuple[PartsSession, PartsSession]:
    return PartsSession(), PartsSession()


@pytest.mark.parametrize("question", _QUESTIONS)
def test_the_answer_is_that_of_the_whole(
    question: str, files: tuple[Recipe, Recipe], sessions: tuple[PartsSession, PartsSession]
) -> None:
    answers = [plain(_QUESTIONS[question](session, recipe)) for session, recipe in zip(sessions, files, strict=True)]
    assert answers[1] == answers[0]
