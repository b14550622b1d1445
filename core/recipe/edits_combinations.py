"""Edits of a list of combinations, as Select Combinations makes them: pure functions of a draft."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from .criteria import MissingRule
from .model import POPULATION_ESTIMATORS, Combination, Estimator, HouseholdKey, Threshold

Draft = tuple[Combination, ...]

MOST_COUNT = 1_000_000_000
"""Largest count threshold that is taken: more records than any file has."""


def find(draft: Sequence[Combination], variables: Iterable[str]) -> int:
    """Place of the combination with the same set of variables; -1 where there is none."""
    wanted = frozenset(variables)
    return next((i for i, c in enumerate(draft) if frozenset(c.variables) == wanted), -1)


def add(draft: Draft, variables: tuple[str, ...], count_threshold: int) -> tuple[Draft, int]:
    """The draft with a combination judged by the threshold rule, and its place.

    A set of variables that is there already only gets the threshold.
    """
    return place(draft, Combination(variables, model="frequency", count_threshold=count_threshold))


def place(draft: Draft, combination: Combination) -> tuple[Draft, int]:
    """The draft with a combination as it is, and its place; a set that is there already only gets its threshold."""
    found = find(draft, combination.variables)
    if found < 0:
        return (*draft, combination), len(draft)
    return put(draft, found, with_count(draft[found], combination.count_threshold)), found


def with_count(combination: Combination, count_threshold: int) -> Combination:
    """The combination with another largest unsafe count, and the k that goes with it."""
    k = count_threshold + 1 if combination.model == "k-anonymity" else None
    return replace(combination, count_threshold=count_threshold, k=k)


def put(draft: Draft, place: int, combination: Combination) -> Draft:
    """The draft with another combination in a place."""
    return (*draft[:place], combination, *draft[place + 1 :])


def add_many(draft: Draft, sets: Iterable[tuple[str, ...]], thresholds: Sequence[int]) -> Draft:
    """The draft with many sets of variables under the threshold rule; those there already only get the threshold.

    Parameters
    ----------
    thresholds : largest unsafe count by dimension, from dimension 1; the last one holds for all above
    """
    made = list(draft)
    places = {frozenset(c.variables): i for i, c in enumerate(draft)}
    for variables in sets:
        count = thresholds[min(len(variables), len(thresholds)) - 1]
        known = places.setdefault(frozenset(variables), len(made))
        if known == len(made):
            made.append(Combination(variables, model="frequency", count_threshold=count))
        else:
            made[known] = with_count(made[known], count)
    return tuple(made)


def overlapping(draft: Sequence[Combination], place: int) -> dict[int, tuple[str, ...]]:
    """Other risk tables that share variables with the combination in `place`: their places, and the names in common."""
    own = draft[place].variables
    shared = {
        i: tuple(name for name in c.variables if name in own) for i, c in enumerate(draft) if i != place and c.has_risk
    }
    return {i: names for i, names in shared.items() if names}


def with_risk_model(draft: Draft, place: int, rule: MissingRule = "observed") -> Draft:
    """The draft with the combination in `place` judged by individual risk; a risk table stays as it is."""
    old = draft[place]
    if old.has_risk:
        return draft
    new = Combination(old.variables, count_threshold=old.count_threshold, missing_rule=rule, threshold=old.threshold)
    return put(draft, place, new)


def with_threshold_rule(draft: Draft, place: int) -> Draft:
    """The draft with the combination in `place` judged by the threshold rule."""
    old = draft[place]
    return put(draft, place, Combination(old.variables, model="frequency", count_threshold=old.count_threshold))


def with_k_anonymity(draft: Draft, rule: MissingRule = "category") -> Draft:
    """The draft with every combination judged by k-anonymity, k = largest unsafe count + 1.

    By default under the missing rule by which k-anonymity can be reached, not only measured.
    """
    return tuple(
        Combination(
            c.variables, "k-anonymity", c.count_threshold, k=c.count_threshold + 1, missing_rule=rule,
            threshold=Threshold(),
        )
        for c in draft
    )  # fmt: skip


def as_before(draft: Draft, before: Draft) -> Draft:
    """The draft with each combination under the model it had in `before`, else under the threshold rule.

    Thresholds stay. Risk tables of `before` must not overlap.
    """
    known = {frozenset(c.variables): c for c in before}
    made = []
    for c in draft:
        old = known.get(frozenset(c.variables))
        if old is None or old.model == "k-anonymity":
            old = Combination(c.variables, model="frequency")
        made.append(with_count(old, c.count_threshold))
    return tuple(made)


def with_missing_rule(draft: Draft, rule: MissingRule) -> Draft:
    """The draft with every combination that counts under a missing rule counting under this one."""
    alpha = 1.0
    return tuple(
        c if not c.criterion.has_missing_rule or c.missing_rule == rule else replace(c, missing_rule=rule, alpha=alpha)
        for c in draft
    )


def with_alpha(draft: Draft, alpha: float) -> Draft:
    """The draft with another alpha, in [0, 1], of every combination that counts by wildcards."""
    return tuple(
        replace(c, alpha=alpha) if c.criterion.has_missing_rule and c.missing_rule == "wildcard" else c for c in draft
    )


def with_estimator(draft: Draft, estimator: Estimator) -> Draft:
    """The draft with every risk table judged by `estimator`.

    Models of the whole table count missing values as observed; only the calibrated one keeps a promise.
    """
    changed: dict[str, Any] = {"estimator": estimator}
    if estimator in POPULATION_ESTIMATORS:
        changed |= {"missing_rule": "observed", "alpha": 1.0}
    made = []
    for c in draft:
        kept = c.threshold if estimator == "calibrated" else replace(c.threshold, exceedance=None)
        made.append(replace(c, threshold=kept, **changed) if c.has_risk else c)
    return tuple(made)


def common_rule(draft: Sequence[Combination]) -> MissingRule | None:
    """The missing rule of all combinations that have one; None where they differ, ``observed`` where none has."""
    rules = {c.missing_rule for c in draft if c.criterion.has_missing_rule}
    return rules.pop() if len(rules) == 1 else (None if rules else "observed")


def measuring_only(draft: Sequence[Combination]) -> tuple[int, ...]:
    """Places of combinations whose missing rule cannot guide suppression: they are measured, never protected."""
    return tuple(i for i, c in enumerate(draft) if c.missing_rule not in c.criterion.missing_rules)


def with_protecting_rules(draft: Draft) -> Draft:
    """The draft with every combination under a missing rule that can guide suppression; the others stay."""
    for i in measuring_only(draft):
        draft = put(draft, i, replace(draft[i], missing_rule=draft[i].criterion.missing_rules[0], alpha=1.0))
    return draft


def to_plain(draft: Sequence[Combination]) -> list[dict[str, Any]]:
    """The draft as plain values, to be kept against a crash."""
    return [asdict(combination) | {"variables": list(combination.variables)} for combination in draft]


def from_plain(plain: Iterable[dict[str, Any]]) -> Draft:
    """The draft of `to_plain`."""
    return tuple(
        Combination(**{**each, "variables": tuple(each["variables"]), "threshold": Threshold(**each["threshold"])})
        for each in plain
    )


def without_variable(draft: Sequence[Combination], name: str) -> Draft:
    """The draft without a variable; of combinations that come to be the same, or empty, the first one stays, or none.

    Risk tables with a variable less still have none in common.
    """
    made: Draft = ()
    for combination in draft:
        rest = tuple(each for each in combination.variables if each != name)
        if rest == combination.variables or (rest and find(draft, rest) < 0 and find(made, rest) < 0):
            made = (*made, replace(combination, variables=rest))
    return made


def keys_from_plain(plain: Iterable[dict[str, Any]]) -> tuple[HouseholdKey, ...]:
    """Household keys that were kept as plain values."""
    return tuple(HouseholdKey(each["name"], each["kind"], tuple(each["members"])) for each in plain)


def without(draft: Sequence[Combination], places: Iterable[int]) -> Draft:
    """The draft without some of its combinations."""
    gone = set(places)
    return tuple(c for i, c in enumerate(draft) if i not in gone)
