"""What the rest of a recipe gives up when variables change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.data.variables import Metadata, Variable
from core.recipe.edits_metadata import Variables, follow
from core.recipe.model import Combination, Measure, NumericEdit, Perturbation, Recipe, Recode, Threshold, TopBottomCode
from core.results.checks import check_variables

NAMES = ("A", "B", "C", "D", "W")


def test_new_names_are_put_in_silently() -> None:
    recipe = Recipe(
        combinations=(Combination(("A", "B")),),
        recodes=(Recode("A", truncate=1),),
        numeric=(NumericEdit("C", round=10.0),),
        measures=(Measure("l-diversity", ("A",), (("l", 3), ("sensitive", ("B", "C")))),),
    )
    swapped = {"A": "B", "B": "A"}
    new, said = follow(recipe, Variables(swapped, NAMES, NAMES))
    assert said == ()
    assert new.combinations[0].variables == ("B", "A")
    assert new.recodes[0].variable == "B"
    assert new.measures[0] == Measure("l-diversity", ("B",), (("l", 3), ("sensitive", ("A", "C"))))


def test_what_is_given_up_is_said() -> None:
    threshold = Threshold(individual_risk=0.1)
    recipe = Recipe(
        combinations=(
            Combination(("A", "B"), threshold=threshold),
            Combination(("A",), "frequency"),
            Combination(("B",), "frequency"),
        ),
        recodes=(Recode("A", truncate=1), Recode("B", truncate=1)),
        numeric=(NumericEdit("A", round=1.0), NumericEdit("C", top=TopBottomCode(1, "1"))),
        perturbations=(Perturbation("weight-noise", ("W",), (("share", 0.1),)),),
        measures=(Measure("frequencies", ("A",)), Measure("frequencies", ("A", "B"))),
    )
    new, said = follow(recipe, Variables({"A": ""}, ("B", "C", "D", "W"), ("B", "C", "D"), "D"))
    assert [(c.variables, c.model) for c in new.combinations] == [(("B",), "individual-risk")]
    assert new.combinations[0].threshold == threshold
    assert [r.variable for r in new.recodes] == ["B"]
    assert new.numeric == (NumericEdit("C", top=TopBottomCode(1, "1")),)
    assert [m.variables for m in new.measures] == [("B",)]
    assert [notice.text for notice in said] == [
        "The combination A × B goes on without A.",
        "The combination A is removed.",
        "The combination B is removed.",
        "The recode of A is removed.",
        "The changes to the numerical variable A are removed.",
        "The noise on W, which is no longer the weight, is removed.",
        "The measure frequencies of A is removed.",
        "The measure frequencies of A, B goes on without A.",
    ]


def test_a_measure_goes_with_the_last_variable_that_it_needs() -> None:
    two, one = (Measure("l-diversity", ("A", "B"), (("sensitive", names),)) for names in (("C", "D"), ("D",)))
    new, said = follow(Recipe(measures=(two, one)), Variables({"D": "", "B": ""}, ("A", "C", "W"), ("A", "C")))
    assert new.measures == (Measure("l-diversity", ("A",), (("sensitive", ("C",)),)),)
    assert [notice.text for notice in said] == [
        "The measure l-diversity of A, B goes on without B, D.",
        "The measure l-diversity of A, B is removed.",
    ]


def test_noise_goes_with_the_last_weight() -> None:
    recipe = Recipe(
        perturbations=(
            Perturbation("weight-noise", (), (("share", 0.1),)),
            Perturbation("pram", ("A",), (("keep", 0.8),)),
        )
    )
    assert follow(recipe, Variables({"W": "V"}, NAMES, NAMES, "V")) == (recipe, ())
    new, said = follow(recipe, Variables({}, NAMES, NAMES))
    assert new.perturbations == recipe.perturbations[1:]
    assert [notice.text for notice in said] == [
        "The perturbation weight-noise is removed: there is no weight any more."
    ]


def test_perturbations_follow_their_variables() -> None:
    noise = Perturbation("noise", ("A", "B"), (("share", 0.1), ("within", ("C", "D"))))
    new, said = follow(Recipe(perturbations=(noise,)), Variables({"A": "V", "D": "U"}, ("V", "B", "C", "U"), ()))
    assert new.perturbations == (Perturbation("noise", ("V", "B"), (("share", 0.1), ("within", ("C", "U")))),)
    assert said == ()
    new, said = follow(Recipe(perturbations=(noise,)), Variables({}, ("B", "C"), ()))
    assert new.perturbations == (Perturbation("noise", ("B",), (("share", 0.1), ("within", ("C",)))),)
    assert [notice.text for notice in said] == ["The perturbation noise of A, B goes on without A, D."]
    new, said = follow(Recipe(perturbations=(noise,)), Variables({}, ("C", "D"), ()))
    assert new.perturbations == ()
    assert [notice.text for notice in said] == ["The perturbation noise of A, B is removed."]


def test_what_does_not_change_is_the_same_object() -> None:
    recipe = Recipe(combinations=(Combination(("A", "B")), Combination(("A", "B"), "frequency")))
    new, said = follow(recipe, Variables({}, NAMES, NAMES))
    assert new == recipe
    assert said == ()


NAME_LISTS = st.lists(st.sampled_from(NAMES), unique=True, min_size=1, max_size=3).map(tuple)


@given(
    st.lists(NAME_LISTS, max_size=4),
    st.lists(st.sampled_from(NAMES), unique=True, max_size=3),
    st.sets(st.sampled_from(NAMES)),
    st.sets(st.sampled_from(NAMES)),
    st.permutations(NAMES),
)
def test_what_is_left_can_be_carried_out(
    sets: list[tuple[str, ...]], recoded: list[str], gone: set[str], unusable: set[str], new_names: list[str]
) -> None:
    used = {*recoded, *(name for names in sets for name in names)}
    recipe = Recipe(
        combinations=tuple(Combination(names, "frequency") for names in sets),
        recodes=tuple(Recode(name, truncate=1) for name in recoded),
        numeric=tuple(
            spec for spec in (NumericEdit("W", round=0.1), NumericEdit("A", round=2.0)) if spec.variable not in used
        ),
        measures=tuple(Measure("frequencies", names) for names in sets),
    )
    renamed = dict(zip(NAMES, new_names, strict=True))
    described = [
        Variable(renamed[name], categorical=name not in unusable, role="weight" if name == "W" else "other")
        for name in NAMES
        if name not in gone
    ]
    variables = Variables(
        renamed,
        [v.name for v in described],
        [v.name for v in described if v.categorical],
        next((v.name for v in described if v.role == "weight"), ""),
    )
    renamed_gone = {name: "" if name in gone else new for name, new in renamed.items()}
    new, said = follow(recipe, Variables(renamed_gone, variables.names, variables.keys, variables.weight))
    check_variables(new, Metadata("fixed", tuple(described)))
    if not gone and not unusable:
        assert said == ()
        assert len(new.combinations) == len(recipe.combinations)
    assert all(c.variables for c in new.combinations)
