"""What is compared before a recode is applied, against plain counting."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.recipe.model import Combination, Input, Recipe, Recode, Threshold
from core.results.unsafe_records import unsafe_counts
from core.session import Session
from core.suppression.costs import entropy
from core.whatif.recode_effect import comparable_loss, recode_effect

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def recipe(demo: Path, *recodes: Recode) -> Recipe:
    return Recipe(
        input=Input(data=demo / "survey.asc", metadata=demo / "survey.rda"),
        combinations=(Combination(KEYS),),
        threshold=Threshold(individual_risk=0.02),
        recodes=recodes,
    )


def test_unsafe_records_by_original_code(demo: Path) -> None:
    derived = Session().derive(recipe(demo, Recode("AGE", scheme_file=demo / "Age.grc")))
    effect = recode_effect(derived, "AGE")
    assert effect.categories == derived.columns["AGE"].n_valid == 8
    assert effect.unsafe == unsafe_counts(derived)[0]["AGE"] == effect.unsafe_of_code.sum()
    table = derived.tables[0]
    assert table is not None
    unsafe = (table.risk >= 0.02)[table.cell_index.of_record]
    values = derived.microdata.columns["AGE"].values
    expected = [int((unsafe & (values == i)).sum()) for i in range(len(effect.unsafe_of_code))]
    assert effect.unsafe_of_code.tolist() == expected
    assert (effect.table, effect.risk, effect.threshold) == (0, table.staircase.figures(0.02), 0.02)


def test_what_is_not_judged_is_not_known(demo: Path) -> None:
    session = Session()
    open_threshold = session.derive(recipe(demo).with_(threshold=Threshold()))
    assert recode_effect(open_threshold, "AGE").unsafe is None
    elsewhere = session.derive(recipe(demo, Recode("OCCUP", truncate=3)))
    effect = recode_effect(elsewhere, "OCCUP")
    assert (effect.is_key, effect.unsafe, effect.table) == (False, None, -1)
    assert effect.risk is None
    frequency = recipe(demo).with_(combinations=(Combination(KEYS[:2], "frequency"),), threshold=Threshold())
    assert recode_effect(session.derive(frequency), "SEX").unsafe is not None


def test_comparable_loss_is_that_of_the_method(demo: Path) -> None:
    """Sum over j of N_j H_j of the original codes less remaining values × H_j after recoding."""
    derived = Session().derive(recipe(demo, Recode("AGE", scheme_file=demo / "Age.grc")))
    suppressed = {"AGE": 10, "SEX": 3}
    expected = 0.0
    for name, count in suppressed.items():
        before, after = derived.microdata.columns[name], derived.columns[name]
        n = int((before.values < before.n_valid).sum())
        expected += n * entropy(before) - (n - count) * entropy(after)
    assert comparable_loss(derived, suppressed) == pytest.approx(expected)
    assert comparable_loss(derived, {"SEX": 0}) == 0
