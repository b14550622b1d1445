from __future__ import annotations

from core.recipe.edits import (
    has_household_threshold,
    has_individual_threshold,
    is_judged,
    risk_combinations,
    with_estimator,
    with_exceedance,
    with_household_threshold,
    with_individual_threshold,
)
from core.recipe.model import Combination, Recipe, Threshold

RISK = Combination(("A", "B"), model="individual-risk")
OTHER = Combination(("C",), model="individual-risk")
COUNTS = Combination(("A", "C"), model="frequency")


def test_the_only_risk_table_is_given_the_default_threshold() -> None:
    recipe = with_individual_threshold(Recipe(combinations=(COUNTS, RISK)), 1, 0.00125190354)
    assert recipe.threshold == Threshold(individual_risk=0.00125190354)
    assert recipe.combinations == (COUNTS, RISK)
    assert risk_combinations(recipe) == (1,)
    assert has_individual_threshold(recipe, 1)


def test_what_fixed_the_threshold_before_is_replaced() -> None:
    for number in (Threshold(reidentification_rate=0.001), Threshold(unsafe_records=400)):
        recipe = Recipe(combinations=(RISK,), threshold=number)
        assert has_individual_threshold(recipe, 0)
        assert with_individual_threshold(recipe, 0, 0.5).threshold == Threshold(individual_risk=0.5)


def test_a_household_threshold_at_the_same_place_stays() -> None:
    recipe = Recipe(combinations=(RISK,), threshold=Threshold(household_risk=0.2))
    assert not has_individual_threshold(recipe, 0)
    changed = with_individual_threshold(recipe, 0, 0.5)
    assert changed.threshold == Threshold(individual_risk=0.5, household_risk=0.2)


def test_one_of_several_tables_is_given_its_own_and_the_others_keep_the_default() -> None:
    recipe = Recipe(combinations=(RISK, COUNTS, OTHER), threshold=Threshold(individual_risk=0.1))
    changed = with_individual_threshold(recipe, 2, 0.3)
    assert changed.threshold == Threshold(individual_risk=0.1)
    assert changed.combinations[0] == RISK
    assert changed.combinations[2].threshold == Threshold(individual_risk=0.3)


def test_a_table_with_its_own_threshold_keeps_it_there() -> None:
    own = Combination(("A", "B"), model="individual-risk", threshold=Threshold(unsafe_records=3))
    recipe = Recipe(combinations=(own,), threshold=Threshold(individual_risk=0.1))
    changed = with_individual_threshold(recipe, 0, 0.3)
    assert changed.threshold == Threshold(individual_risk=0.1)
    assert changed.combinations[0].threshold == Threshold(individual_risk=0.3)


def test_no_threshold_is_said_so() -> None:
    recipe = Recipe(combinations=(RISK, OTHER))
    assert not has_individual_threshold(recipe, 0)
    assert not has_individual_threshold(with_individual_threshold(recipe, 1, 0.2), 0)


def test_a_household_threshold_stands_where_the_individual_one_does_and_leaves_it() -> None:
    recipe = Recipe(combinations=(RISK,), threshold=Threshold(individual_risk=0.1, household_rate=0.01))
    assert has_household_threshold(recipe, 0)
    changed = with_household_threshold(recipe, 0, 0.2)
    assert changed.threshold == Threshold(individual_risk=0.1, household_risk=0.2)
    several = with_household_threshold(Recipe(combinations=(RISK, OTHER), threshold=recipe.threshold), 1, 0.3)
    assert several.threshold == recipe.threshold
    assert several.combinations[1].threshold == Threshold(individual_risk=0.1, household_risk=0.3)
    assert not has_household_threshold(Recipe(combinations=(RISK,), threshold=Threshold(individual_risk=0.1)), 0)


def test_a_variable_is_judged_once_a_combination_with_it_says_what_is_unsafe() -> None:
    by_risk = Recipe(combinations=(Combination(("A", "B")), Combination(("C",), model="frequency")))
    assert [is_judged(by_risk, name) for name in "ABCD"] == [False, False, True, False]
    for threshold in (Threshold(unsafe_records=3), Threshold(household_risk=0.1)):
        assert is_judged(by_risk.with_(threshold=threshold), "A")
    own = with_individual_threshold(by_risk.with_(combinations=(*by_risk.combinations, Combination(("D",)))), 0, 0.1)
    assert is_judged(own, "B")
    assert not is_judged(own, "D")


def test_a_promise_stands_with_its_table_and_goes_with_the_estimator_or_a_household_threshold() -> None:
    tables = tuple(Combination((name,), estimator="calibrated") for name in "AB")
    recipe = Recipe(combinations=tables, threshold=Threshold(unsafe_records=4))
    assert with_exceedance(recipe, 0, None) == recipe
    promised = with_exceedance(recipe, 0, 0.05, 0.1)
    assert promised.combinations[0].threshold == Threshold(individual_risk=0.1, exceedance=0.05)
    assert promised.combinations[1] == tables[1]
    assert with_individual_threshold(promised, 0, 0.2).combinations[0].threshold == Threshold(0.2, exceedance=0.05)
    for ended in (with_estimator(promised, 0, "exact"), with_exceedance(promised, 0, None)):
        assert ended.combinations[0].threshold == Threshold(individual_risk=0.1)
    assert with_household_threshold(promised, 0, 0.3).combinations[0].threshold == Threshold(0.1, household_risk=0.3)
    shared = Recipe(combinations=tables[:1], threshold=Threshold(individual_risk=0.1, exceedance=0.05))
    assert with_estimator(shared, 0, "exact").threshold == Threshold(individual_risk=0.1)
