"""The figures of a plan before anything is written are those of the file once written and measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.derive.outcome import outcomes
from core.protect import carry_out
from core.recipe.toml_form import load
from core.session import Session


@pytest.mark.parametrize("criterion", ["weights", "entropy", "none"])
def test_outcome_of_the_demonstration_is_what_the_check_finds(demo: Path, tmp_path: Path, criterion: str) -> None:
    recipe = load(demo / "survey.pavo")
    output = replace(recipe.output, data=tmp_path / "safe.asc", metadata=None, report=None, summary=None)
    recipe = recipe.with_(output=output, suppression=replace(recipe.suppression, criterion=criterion))
    session = Session()
    found = outcomes(session.protect(recipe))
    summary = carry_out(session, recipe).summary["combinations"]
    for outcome, part in zip(found, summary, strict=True):
        assert outcome.variables == tuple(part["variables"])
        assert outcome.threshold == part["threshold"]["individual_risk"]
        assert outcome.before.unsafe_records == part["threshold"]["unsafe_records"]
        assert outcome.before.max_risk == part["individual_risk"]["max"]
        measured = part["after"]["by_mode"]
        assert outcome.after.unsafe_records == measured["unsafe_records"]
        assert outcome.after.max_risk == pytest.approx(measured["individual_risk"]["max"], rel=1e-9)
        assert outcome.after.rate == pytest.approx(measured["individual_risk"]["rate"], rel=1e-9)
        assert outcome.after.expected_reidentifications == pytest.approx(
            measured["individual_risk"]["expected_reidentifications"], rel=1e-9
        )
