"""The session of the windows answers of a file in parts what it answers of the same records in one file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.parts import session as session_of_parts
from core.parts.session import PartsSession
from core.perturbation.weight_noise import NumericWithNoise
from core.profiles.read import shipped
from core.recipe.model import Analysis, Combination, Measure, NumericEdit, Perturbation, Recipe, Recode, TopBottomCode
from core.recipe.toml import parse
from core.results.results import Results
from core.results.unsafe_records import unsafe_counts
from core.whatif.before_after import outcome
from core.whatif.merges import suggest_merges
from core.whatif.recode_effect import recode_effect
from core.whatif.trial import TrialStart
from gui.document import engine
from tests.core.parts.files import RECIPE, SurveyInParts, records

Answer = Callable[[PartsSession, Recipe], Any]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recipe, Recipe]:
    """A recipe for one file, and the same for its parts."""
    survey, rows = SurveyInParts(tmp_path_factory.mktemp("survey")), records(300)
    survey.write(survey.folder / "whole.csv", rows)
    survey.split(rows, 3)
    found = []
    for data in ("whole.csv", "parts"):
        recipe = parse(RECIPE.format(data=f'"{data}"', out="safe"), survey.folder)
        found.append(replace(recipe, suppression=replace(recipe.suppression, mode="original-counts")))
    return found[0], found[1]


@pytest.fixture(scope="module")
def sessions() -> tuple[PartsSession, PartsSession]:
    return PartsSession(), PartsSession()


def plain(value: Any) -> Any:
    """What can be compared of an answer; numbers to the last but a few bits."""
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value.tolist()]
    if isinstance(value, bool | str | bytes) or value is None:
        return value
    if isinstance(value, float):
        return "nan" if math.isnan(value) else float(f"{value:.11g}")
    if isinstance(value, Recipe | Path):
        return None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Sequence):
        return [plain(each) for each in value]
    return value if isinstance(value, int) else None


def trials(derived: Results) -> Any:
    """What is unsafe without each variable, by any combination and by each, and what that loses."""
    start, found = TrialStart(derived), []
    for name in start.variables:
        trial = start.trial.leaving_out(name)
        found.append((name, trial.unsafe(), trial.unsafe_by_combination, trial.excess, trial.loss))
    return found


def _tables(session: PartsSession, recipe: Recipe) -> Any:
    derived = session.derive(recipe)
    tables = [(t.threshold, t.cells.f, t.cells.F, t.risk, t.staircase) for t in derived.risk_tables]
    return derived.records, tables, unsafe_counts(derived), derived.overview.variables


def _protection(session: PartsSession, recipe: Recipe) -> Any:
    found = session.protect(recipe)
    assert session.planned(recipe) is not None
    return found.plan.total, found.plan.by_variable, found.plan.entropy_loss, found.unsafe_left, outcome(found)


def _plans(session: PartsSession, recipe: Recipe) -> Any:
    hierarchies = engine.plan_hierarchies(session, recipe, 0)
    front = engine.found_plans(session, recipe, 0, hierarchies, 60.0, None, lambda front: None, lambda: False)
    return [(plan.levels, plan.unsafe, plan.rate, plan.loss, plan.suppressions) for plan in front.plans]


YEARS = "1: 1-10\n2: 11-40\n"

ANSWERS: dict[str, Answer] = {
    "tables": _tables,
    "before a threshold": lambda s, r: _tables(s, r.with_(threshold=type(r.threshold)())),
    "protection": _protection,
    "forecast": lambda s, r: s.forecast(r, 0),
    "forecast by released keys": lambda s, r: s.forecast(r, 0, "released-keys"),
    "plan of rare": lambda s, r: (s.plan_of_rare(r).total, s.plan_of_rare(r).by_variable),
    "second opinion": lambda s, r: s.second_opinion(s.derive(r), 0),
    "advice": lambda s, r: engine.advice(s, r, 0),
    "effect of a recode": lambda s, r: recode_effect(s.derive(r), "REGION"),
    "trials": lambda s, r: trials(s.derive(r)),
    "merges": lambda s, r: suggest_merges(s.derive(r), "AGE"),
    "alternative": lambda s, r: engine.alternative(s, "", r),
    "unwieldy": lambda s, r: engine.unwieldy(s, r, ("AGE", "SHOE")),
    "warnings": lambda s, r: [(n.id, n.text) for n in engine.warnings(s, r)],
    "cells": lambda s, r: s.count_cells(r, ("AGE", "SHOE")),
    "contents": lambda s, r: s.contents(r),
    "numbers": lambda s, r: s.compare_numbers(r, NumericEdit("SHOE", top=TopBottomCode(44.0, "45"))),
    "codes": lambda s, r: {n: (c.codes, c.counts) for n, c in s.prepare(r).microdata.columns.items()},
    "measure": lambda s, r: engine.tried_measure(s, r, Measure("frequencies", ("SHOE", "SEX"))).before.summary(),
    "a recode more": lambda s, r: _tables(s, r.with_(recodes=(*r.recodes, Recode("AGE", scheme=YEARS)))),
    "another combination": lambda s, r: _tables(s, r.with_(combinations=(Combination(("SEX", "HAND")),))),
    "plans": _plans,
    "profile": lambda s, r: [
        (rule.words, rule.found.records) for rule in engine.profile_checked(s, r, shipped()[-1]).rules
    ],
}


def test_noise_is_shown_of_as_many_records_as_there_are(
    files: tuple[Recipe, Recipe], sessions: tuple[PartsSession, PartsSession], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each record gets a draw of its own, not each weight; of very many records a sample stands for all."""
    noise = NumericWithNoise("WEIGHT", noise=0.2)
    one, several = (session.compare_numbers(recipe, noise) for session, recipe in zip(sessions, files, strict=True))
    monkeypatch.setattr(session_of_parts, "_SAMPLE", 90)
    for found in (several, sessions[1].compare_numbers(files[1], noise)):
        assert (found.before.numbers, found.before.mean) == (one.before.numbers, one.before.mean)
        assert found.after.numbers == one.after.numbers == found.after.records.sum()
        assert found.changed > 0.9 * found.after.numbers
        assert one.before.mean is not None and found.after.mean is not None
        assert abs(found.after.mean / one.before.mean - 1) < 0.1


@pytest.mark.parametrize("question", ANSWERS)
def test_the_answer_is_that_of_the_whole(
    question: str, files: tuple[Recipe, Recipe], sessions: tuple[PartsSession, PartsSession]
) -> None:
    answers = [plain(ANSWERS[question](session, recipe)) for session, recipe in zip(sessions, files, strict=True)]
    assert answers[1] == answers[0]


OWN = (
    Analysis(table=("REGION", "JOB")),
    Analysis(table=("HAND", "SHOE")),
    Analysis(mean="SHOE", by=("SEX",)),
    Analysis(mean="WEIGHT", by=("REGION",)),
    Analysis(model="SHOE ~ SEX + JOB"),
)
NOISY = (Perturbation("weight-noise", parameters=(("share", 0.2),)),)
ROUNDED = (NumericEdit("WEIGHT", round=5.0),)
TOPPED = (NumericEdit("SHOE", top=TopBottomCode(44.0, "44")),)


@pytest.mark.parametrize("more", [{}, {"perturbations": NOISY}, {"numeric": TOPPED}, {"numeric": ROUNDED}])
@pytest.mark.parametrize("named", [True, False])
def test_own_analyses_are_those_of_the_whole(
    more: dict[str, Any], named: bool, files: tuple[Recipe, Recipe], sessions: tuple[PartsSession, PartsSession]
) -> None:
    found = []
    for session, recipe in zip(sessions, files, strict=True):
        edits = tuple(replace(e, related=None) if e.name == "JOB" else e for e in recipe.variables)
        output = recipe.output if named else replace(recipe.output, data=None)
        asked = recipe.with_(variables=edits, utility=OWN, output=output, **more)
        of_file = session.utility(session.protect(asked))
        assert session.own_analyses(session.protect(asked), OWN[:2]) and of_file.weighted
        found.append(plain(of_file.own))
    assert found[1] == found[0]
    assert all(found[1])


def test_an_edit_asks_for_other_analyses(files: tuple[Recipe, Recipe]) -> None:
    session, recipe = PartsSession(), files[1]
    edits = tuple(replace(e, related=None) if e.name == "JOB" else e for e in recipe.variables)
    before, after = recipe.with_(variables=edits), recipe.with_(variables=edits, numeric=TOPPED)
    one, other = (plain(session.own_analyses(session.protect(each), OWN[2:3])) for each in (before, after))
    assert one != other


def test_a_profile_looks_at_changed_numbers_of_all_parts(
    files: tuple[Recipe, Recipe], sessions: tuple[PartsSession, PartsSession], tmp_path: Path
) -> None:
    office = tmp_path / "office.toml"
    checks = ('check = "top-coded"\nshare = 0.5\nvariables = ["AGE"]', 'check = "goals-kept"')
    office.write_text('profile = 1\nname = "O"\n' + "".join(f"[[checks]]\n{each}\n" for each in checks), "utf-8")
    found = []
    for session, recipe in zip(sessions, files, strict=True):
        edits = tuple(replace(e, related=None) if e.name == "JOB" else e for e in recipe.variables)
        goal = replace(OWN[2], goal=1e-9)
        asked = recipe.with_(variables=edits, utility=(goal,), numeric=(*TOPPED, *ROUNDED))
        judged = engine.profile_checked(session, asked, office)
        found.append([(rule.words, rule.found.holds, rule.found.records) for rule in judged.rules])
    assert found[1] == found[0]


@pytest.mark.parametrize("more", [{}, {"numeric": (*TOPPED, *ROUNDED)}, {"perturbations": NOISY}])
def test_what_an_alternative_loses_is_that_of_the_whole(
    more: dict[str, Any], files: tuple[Recipe, Recipe], sessions: tuple[PartsSession, PartsSession]
) -> None:
    """By own analyses of any variables, and by the distributions of those in the cells."""
    own, shapes = [], []
    for session, recipe in zip(sessions, files, strict=True):
        other = recipe.with_(combinations=recipe.combinations[:2], **more)
        found = engine.alternative_loss(session, other, (recipe.with_(utility=OWN), other))
        own.append(plain((found.own_change, found.own_largest, found.overlap, found.goals)))
        alone = engine.alternative_loss(session, recipe, (recipe,))
        shapes.append(plain((alone.hellinger, alone.associations)))
    assert own[1] == own[0] and own[0][0] > 0
    assert shapes[1] == shapes[0] and shapes[0][0] > 0
