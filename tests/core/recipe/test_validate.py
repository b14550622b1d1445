"""Contradictions within a recipe, and what this version does not carry out."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.errors import RecipeError
from core.recipe.toml import parse
from core.recipe.validate import check

AB = "[[combinations]]\nvariables = ['A', 'B']\n"
CD = "[[combinations]]\nvariables = ['C', 'D']\n"
OUT = "[output]\ndata = 'safe.dat'\n"

CONTRADICTIONS = [
    ("[[recodes]]\nvariable='A'\n", "recodes[1]", "exactly one"),
    ("[[recodes]]\nvariable='A'\ntruncate=1\nscheme='1:2'\n", "recodes[1]", "scheme, truncate"),
    ("[[recodes]]\nvariable='A'\ntruncate=1\n" * 2, "recodes[2].variable", "A stands in more than one"),
    (AB + "k = 3\n", "combinations[1].k", "individual-risk"),
    (AB + "model = 'k-anonymity'\n", "combinations[1].k", "missing"),
    (AB + "model = 'frequency'\nmissing_rule = 'wildcard'\n", "combinations[1].missing_rule", "frequency"),
    (AB + "model = 'k-anonymity'\nk = 2\nestimator = 'truncated'\n", "combinations[1].estimator", "k-anonymity"),
    (AB + "alpha = 0.5\n", "combinations[1].alpha", "wildcard"),
    (AB + AB, "combinations[2].variables", "A is also in combinations[1]"),
    ("[threshold]\nindividual_risk=0.1\nunsafe_records=3\n", "threshold", "individual_risk, unsafe_records"),
    (AB + CD + "[threshold]\nunsafe_records=3\n", "threshold.unsafe_records", "each of 2 combinations"),
    (AB + CD + "[threshold]\nreidentification_rate=0.1\n", "threshold.reidentification_rate", "each of 2"),
    (AB + OUT, "combinations[1].threshold", "missing"),
    (
        AB + "missing_rule = 'listwise'\n[threshold]\nindividual_risk=0.1\n" + OUT,
        "combinations[1].missing_rule",
        "listwise",
    ),
    (
        AB + "model = 'k-anonymity'\nk = 3\nmissing_rule = 'observed'\n" + OUT,
        "combinations[1].missing_rule",
        '"observed" is for measuring only',
    ),
    (
        AB + "model = 'k-anonymity'\nk = 3\nmissing_rule = 'listwise'\n" + OUT,
        "combinations[1].missing_rule",
        'Use "category"',
    ),
    ("[[numeric]]\nvariable = 'A'\n", "numeric[1]", "changes nothing in A"),
    ("[[numeric]]\nvariable = 'A'\nnoise = 0\n", "numeric[1]", "changes nothing in A"),
    ("[suppression]\nleast_records = 2\n", "suppression.least_records", "released-keys"),
    ("[suppression]\nmode = 'released-keys'\nclose_gaps = true\n", "suppression.close_gaps", "original-counts"),
    ("[suppression]\nthorough = true\n", "suppression.thorough", "released-keys"),
    (
        AB + "missing_rule = 'wildcard'\nthreshold = {individual_risk = 0.2}\n"
        "[suppression]\nmode = 'released-keys'\n" + OUT,
        "combinations[1].missing_rule",
        "a missing value is a blank",
    ),
    (
        AB + "estimator = 'truncated'\nthreshold = {individual_risk = 0.2}\n"
        "[suppression]\nmode = 'released-keys'\n" + OUT,
        "combinations[1].estimator",
        "too low",
    ),
    (
        "[[numeric]]\nvariable = 'A'\ntop = {at = 5, replacement = '5'}\nbottom = {at = 5, replacement = '5'}\n",
        "numeric[1].bottom.at",
        "not below top.at",
    ),
    (
        "[[numeric]]\nvariable = 'A'\ntop = {at = 5, replacement = '5\\n6'}\n".replace("'", '"'),
        "numeric[1].top.replacement",
        "one line",
    ),
]


@pytest.mark.parametrize(("text", "key", "says"), CONTRADICTIONS)
def test_contradictions_are_refused_by_key(text: str, key: str, says: str) -> None:
    with pytest.raises(RecipeError) as caught:
        check(parse(f"recipe = 1\n{text}", Path.cwd()))
    assert caught.value.values["key"] == key
    assert says in str(caught.value)


ACCEPTED = [
    "",
    AB + CD + "[threshold]\nindividual_risk = 0.1\n" + OUT,
    AB + CD + "threshold = {individual_risk = 0.2}\n[threshold]\nunsafe_records = 3\n" + OUT,
    AB + "[suppression]\ncriterion = 'none'\n" + OUT,
    AB + "missing_rule = 'listwise'\n",
    AB + AB + "model = 'frequency'\n",
    AB + "missing_rule = 'wildcard'\nalpha = 0.5\n",
    AB + "model = 'frequency'\n" + OUT,
    AB + "model = 'k-anonymity'\nk = 3\nmissing_rule = 'category'\n" + OUT,
    AB + "model = 'k-anonymity'\nk = 3\n[suppression]\ncriterion = 'none'\n" + OUT,
    "[[numeric]]\nvariable = 'A'\nround = 100\n",
    AB + "threshold = {individual_risk = 0.2}\n[suppression]\nmode = 'released-keys'\nleast_records = 3\n" + OUT,
    AB + "threshold = {household_risk = 0.2}\n[suppression]\nmode = 'released-keys'\n" + OUT,
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_sensible_recipes_pass(text: str) -> None:
    check(parse(f"recipe = 1\n{text}", Path.cwd()))


UNAVAILABLE = [
    (
        AB + "model = 'k-anonymity'\nk = 3\nmissing_rule = 'wildcard'\n" + OUT,
        'suppression for combinations[1].model = "k-anonymity" with missing_rule = "wildcard"',
    ),
]


@pytest.mark.parametrize(("text", "named"), UNAVAILABLE)
def test_what_this_version_does_not_carry_out_is_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(RecipeError, match="not available in this version") as caught:
        check(parse(f"recipe = 1\n{text}", Path.cwd()))
    assert caught.value.id == "not-available"
    assert named in str(caught.value)


@pytest.mark.parametrize(("number", "refused"), [(20, False), (21, True)])
def test_more_key_variables_than_margins_can_be_counted_for_are_refused(number: int, refused: bool) -> None:
    names = ", ".join(f'"K{i}"' for i in range(number))
    recipe = parse(f"recipe = 1\n[[combinations]]\nvariables = [{names}]\n", Path("/home/x"))
    if not refused:
        check(recipe)
        return
    with pytest.raises(RecipeError, match=r"combinations\[1\]\.variables has 21 variables; at most 20"):
        check(recipe)


def test_k_anonymity_counts_missing_values_as_a_category_where_no_rule_is_said() -> None:
    text = "recipe = 1\n[[combinations]]\nvariables = ['A']\nmodel = 'k-anonymity'\nk = 3\n"
    assert parse(text, Path.cwd()).combinations[0].missing_rule == "category"
    assert parse(text + "missing_rule = 'observed'\n", Path.cwd()).combinations[0].missing_rule == "observed"
    assert (
        parse(text.replace("k-anonymity", "individual-risk").replace("k = 3\n", ""), Path.cwd())
        .combinations[0]
        .missing_rule
        == "observed"
    )
