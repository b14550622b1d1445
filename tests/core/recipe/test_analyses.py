"""``[[utility]]``: how it is read, what is refused, and how formulas are understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.errors import RecipeError
from core.recipe.analyses import renamed_analysis, variables_of_analyses, with_analyses
from core.recipe.edits_metadata import Variables, follow
from core.recipe.model import Analysis, Recipe
from core.recipe.model_formula import Factor, parse_formula
from core.recipe.toml import dumps, parse


def read(text: str) -> Recipe:
    return parse("recipe = 1\n" + text, Path("/"))


def terms(text: str) -> list[str]:
    return [":".join(map(str, term)) for term in parse_formula(text, "utility[1].model").terms]


def test_entries_are_read_and_written_in_their_order() -> None:
    text = """
    [[utility]]
    table = ["REGION", "SEX"]
    [[utility]]
    mean = "INCOME"
    by = ["REGION"]
    [[utility]]
    model = "INCOME ~ AGE + `YEAR OF BIRTH`"
    """
    recipe = read(text)
    assert recipe.utility == (
        Analysis(table=("REGION", "SEX")),
        Analysis(mean="INCOME", by=("REGION",)),
        Analysis(model="INCOME ~ AGE + `YEAR OF BIRTH`"),
    )
    assert parse(dumps(recipe, Path("/")), Path("/")) == recipe
    assert variables_of_analyses(recipe) == ("REGION", "SEX", "INCOME", "AGE", "YEAR OF BIRTH")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[utility]]\n", r"utility\[1\] needs exactly one of table, mean and model, but has none"),
        (
            "[[utility]]\ntable = ['A']\n[[utility]]\nmean = 'A'\nmodel = 'A ~ B'\n",
            r"utility\[2\] needs .* mean, model",
        ),
        ("[[utility]]\ntable = ['A']\nby = ['B']\n", r"utility\[1\]\.by belongs to mean only"),
        ("[[utility]]\nmodel = 'A ~ B'\ngoal = 0.1\n", r"utility\[1\]\.goal belongs to table and mean only"),
        ("[[utility]]\nmean = 'A'\ngoal = 0\n", r"utility\[1\]\.goal"),
        ("[[utility]]\nmean = 'A'\nby = ['A']\n", r"utility\[1\]: A stands in mean and in by"),
        ("[[utility]]\ntable = []\n", r"utility\[1\]\.table is \[\]"),
        ("[[utility]]\nmodel = 'A + B'\n", r'utility\[1\]\.model: "A \+ B" .* it needs one ~'),
        ("[[utility]]\nmodel = 'A ~ B ~ C'\n", "it needs one ~"),
        ("[[utility]]\nmodel = 'A B ~ C'\n", "one variable has to stand before the ~"),
        ("[[utility]]\nmodel = '~ C'\n", "one variable has to stand before the ~"),
        ("[[utility]]\nmodel = '1 ~ C'\n", "one variable has to stand before the ~"),
        ("[[utility]]\nmodel = 'A ~ '\n", r"between two variables there has to stand \+, : or \*"),
        ("[[utility]]\nmodel = 'A ~ B C'\n", r"between two variables there has to stand \+, : or \*"),
        ("[[utility]]\nmodel = 'A ~ B + 0'\n", r"between two variables there has to stand \+, : or \*"),
        ("[[utility]]\nmodel = 'A ~ B - C'\n", "- is no sign of a formula"),
        ("[[utility]]\nmodel = 'A ~ log(B)'\n", r"\( is no sign of a formula|between two variables"),
        ("[[utility]]\nmodel = 'A ~ C(B'\n", r"C\( \) takes one variable"),
        ("[[utility]]\nmodel = 'A ~ B*B'\n", "a product is of different variables"),
        ("[[utility]]\nmodel = 'A ~ B + A'\n", "the variable explained stands on both sides"),
        ("[[utility]]\nmedian = 'A'\n", r"unknown key utility\[1\]\.median"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_its_entry(text: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said) as refused:
        read(text)
    assert "utility[" in str(refused.value)


def test_products_of_a_formula_are_written_out() -> None:
    assert terms("y ~ a*b") == ["a", "b", "a:b"]
    assert terms("y ~ a:b + a + 1 + a") == ["a", "a:b"]
    assert terms("y ~ a*b*c") == ["a", "b", "c", "a:b", "a:c", "b:c", "a:b:c"]
    assert terms("y ~ 1") == []
    assert terms("`y-1`~C(a)+C(`b c`)+`1`") == ["C(a)", "C(`b c`)", "`1`"]
    formula = parse_formula("`y-1` ~ C(a)", "m")
    assert formula.response == Factor("y-1") and str(formula) == "`y-1` ~ C(a)"


def test_entries_follow_new_names_and_go_with_a_variable() -> None:
    entry = Analysis(model="y ~ a*b")
    assert renamed_analysis(entry, lambda name: name) is entry
    renamed = renamed_analysis(entry, {"y": "INCOME TAX", "a": "a", "b": "B"}.__getitem__)
    assert renamed == Analysis(model="`INCOME TAX` ~ a + B + a:B")
    recipe = Recipe(utility=(Analysis(table=("a", "b")), Analysis(mean="y", by=("a",)), entry))
    new, said = follow(recipe, Variables({"b": "", "y": "z"}, ("a", "z"), ("a",)))
    assert new.utility == (Analysis(mean="z", by=("a",)),)
    assert [notice.text for notice in said] == [
        "The comparison of original and safe file by a, b is removed.",
        "The comparison of original and safe file by y, a, b is removed.",
    ]


def test_an_edit_is_checked_like_a_file() -> None:
    assert with_analyses(Recipe(), (Analysis(mean="A"),)).utility == (Analysis(mean="A"),)
    with pytest.raises(RecipeError, match=r"utility\[2\]\.model"):
        with_analyses(Recipe(), (Analysis(mean="A"), Analysis(model="A ~")))
