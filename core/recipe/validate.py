"""What a recipe must not say, as far as that can be told without its files."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.errors import RecipeError
from ..base.texts import mark
from .analyses import check_analyses
from .available import check_available, suppresses
from .declared import check_entry, entries_of
from .edits import effective_threshold, risk_tables
from .model import (
    POPULATION_ESTIMATORS,
    Combination,
    NumericEdit,
    Recipe,
    Recode,
    Suppression,
    Threshold,
)
from .scenarios import check_scenarios
from .set_keys import check_set_keys

MAX_KEY_VARIABLES = 20
"""All margins of a combination are counted, 2 to the power of its variables: more would never come to an end."""

_KEYS_OF_CRITERIA = ("k", "l", "sensitive", "missing_rule", "alpha", "estimator", "threshold")
"""Keys of a combination that not every criterion reads, in the order in which they are refused."""

_INDIVIDUAL = ("individual_risk", "reidentification_rate", "unsafe_records")
_HOUSEHOLD = ("household_risk", "household_rate", "unsafe_households")
_OF_FILE = ("reidentification_rate", "unsafe_records", "household_rate", "unsafe_households")


def check(recipe: Recipe) -> None:
    """Refuse contradictions within the recipe and what this version does not carry out.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    check_available(recipe)
    check_set_keys(recipe)
    _no_variable_twice("recodes", (recode.variable for recode in recipe.recodes))
    _no_variable_twice("numeric", (numeric.variable for numeric in recipe.numeric))
    for number, recode in enumerate(recipe.recodes, 1):
        _check_recode(f"recodes[{number}]", recode)
    for number, numeric in enumerate(recipe.numeric, 1):
        _check_numeric(f"numeric[{number}]", numeric)
    for number, combination in enumerate(recipe.combinations, 1):
        _check_combination(f"combinations[{number}]", combination)
    for section, number, entry in entries_of(recipe):
        check_entry(section, number, entry)
    check_scenarios(recipe)
    check_analyses(recipe)
    _check_threshold("threshold", recipe.threshold)
    _check_shared_threshold(recipe)
    _check_promises(recipe)
    _check_disjoint(recipe)
    _check_sensitive(recipe)
    _check_suppression(recipe)
    if suppresses(recipe):
        check_protectable(recipe)


def _contradiction(key: str, template: str, hint: str = "", **values: object) -> RecipeError:
    return RecipeError("recipe-contradiction", template, hint, key=key, **values)


def _no_variable_twice(section: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for number, name in enumerate(names, 1):
        if name in seen:
            raise _contradiction(
                f"{section}[{number}].variable",
                mark("{key}: {variable} stands in more than one [[{section}]]."),
                mark("Keep one of them."),
                variable=name,
                section=section,
            )
        seen.add(name)


def _check_recode(where: str, recode: Recode) -> None:
    said = [name for name in ("scheme_file", "scheme", "truncate") if getattr(recode, name) is not None]
    if len(said) != 1:
        raise _contradiction(
            where,
            mark("{key} needs exactly one of scheme_file, scheme and truncate, but has {said}."),
            said=", ".join(said) or mark("none"),
        )


def _check_numeric(where: str, numeric: NumericEdit) -> None:
    if numeric.top is None and numeric.bottom is None and numeric.round is None:
        raise _contradiction(
            where,
            mark("{key} changes nothing in {variable}."),
            mark("Say top, bottom or round, or remove it."),
            variable=numeric.variable,
        )
    if numeric.top and numeric.bottom and numeric.bottom.at >= numeric.top.at:
        raise _contradiction(
            f"{where}.bottom.at",
            mark("{key} is {bottom}, which is not below top.at, {top}."),
            bottom=numeric.bottom.at,
            top=numeric.top.at,
        )
    for name, cut in (("top", numeric.top), ("bottom", numeric.bottom)):
        if cut is not None and not cut.replacement.isprintable():
            raise _contradiction(f"{where}.{name}.replacement", mark("{key} must be a text of one line."))


def _check_combination(where: str, combination: Combination) -> None:
    if len(combination.variables) > MAX_KEY_VARIABLES:
        raise _contradiction(
            f"{where}.variables",
            mark("{key} has {count} variables; at most {limit} are possible."),
            count=len(combination.variables),
            limit=MAX_KEY_VARIABLES,
        )
    foreign = _foreign_keys(combination)
    if foreign:
        raise _contradiction(
            f"{where}.{foreign}",
            mark('{key} means nothing for model "{model}".'),
            mark("Remove it."),
            model=combination.model,
        )
    for name in combination.criterion.required:
        if getattr(combination, name) is None:
            text = mark('{key} is missing: model "{model}" needs it.')
            raise _contradiction(f"{where}.{name}", text, model=combination.model)
    if combination.estimator in POPULATION_ESTIMATORS and combination.missing_rule != "observed":
        raise _contradiction(
            f"{where}.estimator",
            mark('{key} = "{estimator}" counts missing values by missing_rule = "observed" only.'),
            mark('Say missing_rule = "observed", or take the estimator "exact".'),
            estimator=combination.estimator,
        )
    if combination.alpha != 1.0 and combination.missing_rule != "wildcard":
        raise _contradiction(f"{where}.alpha", mark('{key} belongs to missing_rule = "wildcard" only.'))
    _check_threshold(f"{where}.threshold", combination.threshold)


def _foreign_keys(combination: Combination) -> str:
    plain, own = Combination(combination.variables), combination.criterion.keys
    foreign = (name for name in _KEYS_OF_CRITERIA if name not in own)
    usual = {"missing_rule": combination.criterion.missing_rules[0]}
    return next((n for n in foreign if getattr(combination, n) != usual.get(n, getattr(plain, n))), "")


def _check_threshold(where: str, threshold: Threshold) -> None:
    for group in (_INDIVIDUAL, _HOUSEHOLD):
        said = [name for name in group if getattr(threshold, name) is not None]
        if len(said) > 1:
            raise _contradiction(
                where,
                mark("{key} says {said}, but these are linked: one decides the others."),
                mark("Keep one of them."),
                said=", ".join(said),
            )
    if threshold.exceedance is None:
        return
    if threshold.individual_risk is None:
        raise _contradiction(
            f"{where}.exceedance",
            mark("{key} is a chance allowed of reaching individual_risk, but no individual_risk is said beside it."),
            mark("Say individual_risk, or remove exceedance."),
        )
    if any(getattr(threshold, name) is not None for name in _HOUSEHOLD):
        raise _contradiction(
            f"{where}.exceedance",
            mark("{key} judges records by themselves; a household threshold cannot stand beside it."),
            mark("Remove one of them."),
        )


def _check_promises(recipe: Recipe) -> None:
    """An exceedance is a probability under the calibrated model: no other estimator has one."""
    for index in risk_tables(recipe):
        combination = recipe.combinations[index]
        if combination.estimator == "calibrated" or effective_threshold(recipe, combination).exceedance is None:
            continue
        raise _contradiction(
            f"combinations[{index + 1}].threshold.exceedance" if combination.threshold else "threshold.exceedance",
            mark('{key} needs estimator = "calibrated", but combinations[{number}] has estimator = "{estimator}".'),
            mark('Say estimator = "calibrated" there, or give it a threshold of its own without exceedance.'),
            number=index + 1,
            estimator=combination.estimator,
        )


def _check_shared_threshold(recipe: Recipe) -> None:
    takers = [i for i in risk_tables(recipe) if not recipe.combinations[i].threshold]
    said = [name for name in _OF_FILE if getattr(recipe.threshold, name) is not None]
    if said and len(takers) > 1:
        raise _contradiction(
            f"threshold.{said[0]}",
            mark("{key} would mean a different threshold in each of {count} combinations."),
            mark("Give every combination its own threshold, or say individual_risk."),
            count=len(takers),
        )


def _check_suppression(recipe: Recipe) -> None:
    suppression = recipe.suppression
    if suppression.close_gaps and suppression.mode != "original-counts":
        raise _contradiction(
            "suppression.close_gaps",
            mark('{key} belongs to mode = "original-counts" only.'),
            mark("Remove it, or choose that mode."),
        )
    if suppression.mode == "released-keys":
        return
    anonymous = any(combination.judges_whole_file for combination in recipe.combinations)
    for name in ("least_records",) if anonymous else ("least_records", "thorough"):
        if getattr(suppression, name) != getattr(Suppression, name):
            raise _contradiction(
                f"suppression.{name}",
                mark('{key} belongs to mode = "released-keys" only.')
                if name == "least_records"
                else mark('{key} belongs to mode = "released-keys", and to model = "k-anonymity".'),
                mark("Remove it, or choose that mode."),
            )


def _check_disjoint(recipe: Recipe) -> None:
    owner: dict[str, int] = {}
    for index in risk_tables(recipe):
        for name in recipe.combinations[index].variables:
            if name in owner:
                raise _contradiction(
                    f"combinations[{index + 1}].variables",
                    mark("{key}: {variable} is also in combinations[{other}]; risk tables must not overlap."),
                    mark('Put all key variables into one combination, or use model = "frequency" for one of them.'),
                    variable=name,
                    other=owner[name] + 1,
                )
            owner[name] = index


def _check_sensitive(recipe: Recipe) -> None:
    """A sensitive variable is what keys must not tell: it is none itself, and nothing of it is suppressed."""
    keys = {name: number for number, c in enumerate(recipe.combinations, 1) for name in c.variables}
    for number, combination in enumerate(recipe.combinations, 1):
        if combination.sensitive in keys:
            raise _contradiction(
                f"combinations[{number}].sensitive",
                mark("{key}: {variable} is a key variable of combinations[{other}], so it cannot be sensitive."),
                mark("Take it out there, or name another variable."),
                variable=combination.sensitive,
                other=keys[combination.sensitive],
            )


def check_protectable(recipe: Recipe) -> None:
    """Refuse suppression without a threshold, and by a missing rule that is for measuring only.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    if recipe.suppression.criterion == "none":
        return
    for index in risk_tables(recipe):
        if not effective_threshold(recipe, recipe.combinations[index]):
            raise _contradiction(
                f"combinations[{index + 1}].threshold",
                mark("{key} is missing: without a threshold nothing decides which values to suppress."),
                mark('Give a [threshold], or say suppression.criterion = "none" to write the file unsuppressed.'),
            )
        if recipe.combinations[index].estimator == "plug-in":
            raise _contradiction(
                f"combinations[{index + 1}].estimator",
                mark('{key} = "plug-in" is for comparison only: 1/F is below the risk.'),
                mark('Take the estimator "calibrated" or "exact" to protect the file.'),
            )
    if recipe.suppression.mode == "released-keys" and risk_tables(recipe):
        check_released_keys(recipe)
    for number, combination in enumerate(recipe.combinations, 1):
        possible = combination.criterion.missing_rules
        if combination.missing_rule not in possible:
            raise _contradiction(
                f"combinations[{number}].missing_rule",
                mark('{key} = "{rule}" is for measuring only; it cannot guide suppression.'),
                mark('Use {possible}, or suppression.criterion = "none".'),
                rule=combination.missing_rule,
                possible=" | ".join(f'"{rule}"' for rule in possible),
            )


def check_released_keys(recipe: Recipe) -> None:
    """Refuse what the mode ``released-keys`` cannot judge.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    for index in risk_tables(recipe):
        combination = recipe.combinations[index]
        if combination.missing_rule != "observed":
            raise _contradiction(
                f"combinations[{index + 1}].missing_rule",
                mark('{key} = "{rule}" cannot be judged by released keys, in which a missing value is a blank.'),
                mark('Say missing_rule = "observed", or choose mode = "original-counts".'),
                rule=combination.missing_rule,
            )
        if combination.estimator == "truncated":
            raise _contradiction(
                f"combinations[{index + 1}].estimator",
                mark('{key} = "truncated" is too low to say how many records a released key must have.'),
                mark('Take the estimator "exact", or choose mode = "original-counts".'),
            )
