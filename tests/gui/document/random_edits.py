"""Edits of any part of a session at random, as functions of the recipe."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.perturbation.weight_noise import NumericWithNoise, with_changes, with_noise_on
from core.recipe.edits import risk_combinations, with_household_threshold, with_individual_threshold
from core.recipe.model import (
    Combination,
    HouseholdKey,
    HouseholdSettings,
    NumericEdit,
    Recipe,
    Recode,
    Suppression,
    Threshold,
    TopBottomCode,
    VariableEdit,
)

KEYS = ("REGION", "SEX", "AGE", "MARSTAT", "HHPOS", "EDUC", "OCCUP", "ILLNESS")
SIZE = "HHSIZE"


def a_threshold(recipe: Recipe, chance: random.Random) -> Recipe:
    tables = risk_combinations(recipe)
    return (
        with_individual_threshold(recipe, chance.choice(tables), 10 ** chance.uniform(-4, -0.5)) if tables else recipe
    )


def a_household_threshold(recipe: Recipe, chance: random.Random) -> Recipe:
    tables = risk_combinations(recipe)
    if not tables:
        return recipe
    if chance.random() < 0.3:
        return recipe.with_(threshold=Threshold(unsafe_households=chance.randint(0, 900)))
    return with_household_threshold(recipe, chance.choice(tables), 10 ** chance.uniform(-3, -0.2))


def a_recode(recipe: Recipe, chance: random.Random) -> Recipe:
    name = chance.choice(("REGION", "AGE"))
    others = tuple(recode for recode in recipe.recodes if recode.variable != name)
    new = {
        "REGION": Recode("REGION", truncate=chance.choice((1, 2))),
        "AGE": Recode("AGE", scheme="\n".join(f"{i}: {10 * i}-{10 * i + 9}" for i in range(10))),
    }[name]
    return recipe.with_(recodes=(*others, new) if chance.random() < 0.7 else others)


def some_combinations(recipe: Recipe, chance: random.Random) -> Recipe:
    """One to three tables of any model; risk tables share no variable."""
    left = [*KEYS, *(derived.name for derived in recipe.derived)]
    made = []
    for _ in range(chance.randint(1, 3)):
        model = chance.choice(("individual-risk", "individual-risk", "frequency", "k-anonymity"))
        names = tuple(chance.sample(left, min(len(left), chance.randint(2, 4))))
        if model == "individual-risk":
            left = [name for name in left if name not in names]
            made.append(Combination(names, threshold=Threshold(individual_risk=10 ** chance.uniform(-3, -1))))
        elif model == "frequency":
            made.append(Combination(names, model, count_threshold=chance.randint(1, 4)))
        else:
            made.append(Combination(names, model, k=chance.randint(2, 4), missing_rule="category"))
        if len(left) < 2:
            break
    return recipe.with_(combinations=tuple(made))


def a_rule(recipe: Recipe, chance: random.Random) -> Recipe:
    """Another missing rule or estimator of one risk table."""
    tables = risk_combinations(recipe)
    if not tables:
        return recipe
    at, rule = chance.choice(tables), chance.choice(("observed", "wildcard"))
    alpha = chance.choice((1.0, 0.5)) if rule == "wildcard" else 1.0
    changed = replace(
        recipe.combinations[at], missing_rule=rule, alpha=alpha, estimator=chance.choice(("exact", "truncated"))
    )
    return recipe.with_(combinations=(*recipe.combinations[:at], changed, *recipe.combinations[at + 1 :]))


def with_edit(recipe: Recipe, name: str, **attributes: Any) -> Recipe:
    edit = next((v for v in recipe.variables if v.name == name), VariableEdit(name))
    others = tuple(v for v in recipe.variables if v.name != name)
    return recipe.with_(variables=(*others, replace(edit, **attributes)))


def a_weight(recipe: Recipe, chance: random.Random) -> Recipe:
    return with_edit(recipe, chance.choice(KEYS), suppression_weight=chance.randint(0, 100))


def some_missing_codes(recipe: Recipe, chance: random.Random) -> Recipe:
    codes = chance.choice((("9",), ("9", "1"), ("9", "3", "2"), None))
    return with_edit(recipe, chance.choice(("MARSTAT", "EDUC", "ILLNESS")), missing=codes)


def a_use(recipe: Recipe, chance: random.Random) -> Recipe:
    """What a variable is, is used for, or is called."""
    name = chance.choice(KEYS)
    use: dict[str, Any] = chance.choice(
        (
            {"label": f"Label {chance.randint(1, 9)}"},
            {"identification_level": chance.randint(0, 5)},
            {"sensitive": chance.choice((True, False))},
            {"household": chance.choice((True, False))},
            {"suppressible": chance.choice((True, None))},
        )
    )
    return with_edit(recipe, name, **use)


def the_weight(recipe: Recipe, chance: random.Random) -> Recipe:
    """Without its weight a file has other frequencies."""
    return with_edit(recipe, "WEIGHT", role=chance.choice(("other", None, None)))


def a_number(recipe: Recipe, chance: random.Random) -> Recipe:
    """Other changes of the numerical variables; of the weight only what leaves it a number."""
    name = chance.choice(("INCOME", "INCOME", "WEIGHT"))
    others = tuple(numeric for numeric in recipe.numeric if numeric.variable != name)
    if chance.random() < 0.2:
        return recipe.with_(numeric=others)
    if name == "WEIGHT" and not any(v.name == "WEIGHT" and v.role == "other" for v in recipe.variables):
        change = NumericWithNoise("WEIGHT", noise=chance.uniform(0.01, 0.1))
        return with_changes(recipe, (*with_noise_on(recipe.with_(numeric=others), ""), change))
    top = TopBottomCode(chance.randint(2000, 5000), "5000") if chance.random() < 0.5 else None
    base = float(chance.choice((10, 50, 100)))
    return recipe.with_(numeric=(*others, NumericEdit(name, top, TopBottomCode(chance.randint(10, 300), "300"), base)))


def the_suppression(recipe: Recipe, chance: random.Random) -> Recipe:
    return recipe.with_(
        suppression=Suppression(criterion=chance.choice(("entropy", "weights")), seed=chance.randint(1, 9))
    )


def the_households(recipe: Recipe, chance: random.Random) -> Recipe:
    """How households are told apart, and whether their size is a key."""
    if chance.random() < 0.5:
        return recipe.with_(households=HouseholdSettings(single_persons_above=chance.choice((None, 3, 6, 12))))
    used = any(SIZE in combination.variables for combination in recipe.combinations)
    coded = any(recode.variable == SIZE for recode in recipe.recodes)
    wanted = used or coded or chance.random() < 0.6
    return recipe.with_(derived=(HouseholdKey(SIZE, "household-size"),) if wanted else ())


Edit = Callable[[Recipe, random.Random], Recipe]
EDITS: tuple[Edit, ...] = (
    a_threshold, a_household_threshold, a_recode, some_combinations, a_rule, a_weight, some_missing_codes, a_use,
    the_weight, a_number, the_suppression, the_households,
)  # fmt: skip
