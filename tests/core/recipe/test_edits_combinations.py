"""Edits of a list of combinations."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from core.recipe import edits_combinations
from core.recipe.model import Combination, Threshold

NAMES = st.lists(st.sampled_from("ABCDEF"), min_size=1, max_size=4, unique=True).map(tuple)


def test_the_same_set_in_another_order_only_gets_the_threshold() -> None:
    draft, place = edits_combinations.add((), ("A", "B"), 1)
    draft, again = edits_combinations.add(draft, ("B", "A"), 5)
    assert (place, again) == (0, 0)
    assert draft == (Combination(("A", "B"), "frequency", 5),)


def test_the_threshold_of_a_k_anonymous_combination_moves_its_k() -> None:
    draft = edits_combinations.with_k_anonymity((Combination(("A",), "frequency", 2),))
    assert draft[0].k == 3
    draft, _ = edits_combinations.add(draft, ("A",), 4)
    assert (draft[0].count_threshold, draft[0].k) == (4, 5)


@given(st.lists(NAMES, max_size=12), st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_many_sets_are_added_once_with_the_threshold_of_their_dimension(
    sets: list[tuple[str, ...]], thresholds: list[int]
) -> None:
    draft = edits_combinations.add_many((), sets, thresholds)
    assert {frozenset(c.variables) for c in draft} == {frozenset(s) for s in sets}
    assert len(draft) == len({frozenset(s) for s in sets})
    for combination in draft:
        place = min(len(combination.variables), len(thresholds)) - 1
        assert combination.count_threshold == thresholds[place]
    again = edits_combinations.add_many(draft, sets, [99])
    assert [c.variables for c in again] == [c.variables for c in draft]
    assert {c.count_threshold for c in again} <= {99}


@given(st.lists(NAMES, min_size=1, max_size=6, unique_by=frozenset), st.data())
def test_a_risk_table_made_without_its_overlaps_is_disjoint_from_all_others(
    sets: list[tuple[str, ...]], data: st.DataObject
) -> None:
    draft = edits_combinations.add_many((), sets, [1])
    for _ in range(3):
        place = data.draw(st.integers(0, len(draft) - 1))
        shared = edits_combinations.overlapping(draft, place)
        for other, names in shared.items():
            assert set(names) == set(draft[other].variables) & set(draft[place].variables)
        draft = edits_combinations.without(edits_combinations.with_risk_model(draft, place), shared)
    risk = [name for c in draft if c.model == "individual-risk" for name in c.variables]
    assert len(risk) == len(set(risk))


def test_a_risk_table_keeps_its_threshold_and_loses_it_with_the_model() -> None:
    draft = (Combination(("A",), threshold=Threshold(individual_risk=0.01)),)
    assert edits_combinations.with_risk_model(draft, 0, "wildcard")[0].threshold.individual_risk == 0.01
    assert not edits_combinations.with_threshold_rule(draft, 0)[0].threshold


def test_the_missing_rule_concerns_what_counts_under_one() -> None:
    draft = (Combination(("A",), "frequency"), Combination(("B",)), Combination(("C",), "k-anonymity", k=2))
    changed = edits_combinations.with_missing_rule(draft, "wildcard")
    assert [c.missing_rule for c in changed] == ["observed", "wildcard", "wildcard"]
    assert edits_combinations.common_rule(changed) == "wildcard"
    mixed = edits_combinations.put(changed, 1, Combination(("B",)))
    assert edits_combinations.common_rule(mixed) is None
    assert edits_combinations.common_rule(draft[:1]) == "observed"


@given(st.lists(NAMES, max_size=5), st.booleans())
def test_a_draft_kept_as_plain_values_comes_back(sets: list[tuple[str, ...]], anonymous: bool) -> None:
    draft = edits_combinations.add_many((Combination(("Z",), threshold=Threshold(individual_risk=0.1)),), sets, [2])
    draft = edits_combinations.with_k_anonymity(draft) if anonymous else draft
    assert edits_combinations.from_plain(json.loads(json.dumps(edits_combinations.to_plain(draft)))) == draft


def test_a_combination_keeps_its_model_when_it_is_put_back() -> None:
    risk = Combination(("A", "B"), missing_rule="wildcard", alpha=0.5, threshold=Threshold(individual_risk=0.01))
    draft, place = edits_combinations.place((Combination(("C",), "frequency"),), risk)
    assert (place, draft[1]) == (1, risk)
    draft, place = edits_combinations.place(draft, Combination(("B", "A"), "frequency", 7))
    assert (place, draft[1]) == (1, edits_combinations.with_count(risk, 7))


def test_many_sets_give_their_threshold_to_those_that_are_there_and_leave_the_model() -> None:
    draft = (Combination(("A",), "k-anonymity", 1, k=2), Combination(("C",)))
    made = edits_combinations.add_many(draft, [("A",), ("A", "B")], [4, 6])
    assert made == (
        Combination(("A",), "k-anonymity", 4, k=5), Combination(("C",)), Combination(("A", "B"), "frequency", 6),
    )  # fmt: skip


def test_a_rule_that_only_measures_is_found_and_mended_as_protection_judges_it() -> None:
    from core.base.errors import RecipeError
    from core.recipe.model import Recipe, Suppression
    from core.recipe.validate import check_protectable

    threshold = Threshold(individual_risk=0.01)
    for rule in ("observed", "wildcard", "category", "listwise"):
        for combination in (
            Combination(("A",), missing_rule=rule, threshold=threshold),
            Combination(("A",), "k-anonymity", k=2, missing_rule=rule),
        ):
            recipe = Recipe(combinations=(combination,), suppression=Suppression("entropy"))
            try:
                check_protectable(recipe)
                refused = False
            except RecipeError:
                refused = True
            assert edits_combinations.measuring_only((combination,)) == ((0,) if refused else ())
            mended = edits_combinations.with_protecting_rules((combination,))
            assert edits_combinations.measuring_only(mended) == ()
            assert refused or mended == (combination,)
    assert (
        edits_combinations.measuring_only(edits_combinations.with_k_anonymity((Combination(("A",), "frequency"),)))
        == ()
    )


def test_a_missing_rule_is_given_to_those_alone_that_have_one() -> None:
    diverse = Combination(("A",), "l-diversity", l=2, sensitive="S", missing_rule="category")
    rare = Combination(("B",), "frequency")
    assert edits_combinations.with_missing_rule((diverse, rare), "observed") == (diverse, rare)
