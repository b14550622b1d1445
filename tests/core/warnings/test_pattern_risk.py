"""The risk seen by somebody who knows that a blank is a suppression is warned of, and can be mended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.check.judged import TableVerification
from core.data.risk_figures import TableState
from core.data.variables import Metadata, Variable
from core.recipe.model import Combination, Input, Recipe, Suppression, Threshold
from core.warnings.mending import mending_of
from core.warnings.pattern_risk import group_risks

_RECIPE = Recipe(combinations=(Combination(("SEX", "AGE")),), threshold=Threshold(individual_risk=0.05))


def _found(unsafe: int | None) -> list[TableVerification]:
    return [TableVerification(None, TableState(), group_max=0.5, group_unsafe=unsafe)]


@pytest.mark.parametrize("unsafe", [0, None])
def test_nothing_is_said_where_nobody_is_above(unsafe: int | None) -> None:
    assert list(group_risks(_RECIPE, _found(unsafe))) == []
    assert list(group_risks(_RECIPE, ())) == []


def test_it_names_the_combination_and_is_mended_by_another_mode_or_by_closing_gaps() -> None:
    (notice,) = group_risks(_RECIPE, _found(12))
    assert "12 records of SEX x AGE are at or above the threshold" in notice.text
    metadata = Metadata("delimited", ())
    released = mending_of(notice, _RECIPE, metadata)
    assert released is not None and released.recipe.suppression.mode == "released-keys"
    wildcard = _RECIPE.with_(combinations=(replace(_RECIPE.combinations[0], missing_rule="wildcard"),))
    gaps = mending_of(notice, wildcard, metadata)
    assert gaps is not None and gaps.recipe.suppression == Suppression(close_gaps=True)
    assert mending_of(notice, gaps.recipe, metadata) is None


def test_gaps_are_closed_in_a_file_in_parts_with_households(tmp_path: Path) -> None:
    """Records are not always judged by what is released there: one member may decide for others."""
    (notice,) = group_risks(_RECIPE, _found(12))
    recipe = _RECIPE.with_(input=Input(data=tmp_path))
    metadata = Metadata("delimited", (Variable("HOME", role="household-id"),))
    gaps = mending_of(notice, recipe, metadata)
    assert gaps is not None and gaps.recipe.suppression == Suppression(close_gaps=True)
