"""What the choices of parameters are called in the form, and what they say: those of the recipe, in words.

A choice without a title here is shown as the recipe writes it.
"""

from __future__ import annotations

from core.base.texts import mark, translate

_TITLES: dict[str, dict[str, tuple[str, str]]] = {
    "missing_rule": {
        "observed": (
            mark("Own missing values only"),
            mark("An unknown value counts as any value for its own record only (observed)."),
        ),
        "wildcard": (mark("Missing agrees with any"), mark("An unknown value counts as any value for all (wildcard).")),
        "category": (mark("Missing is a value"), mark("Unknown is a value like any other (category).")),
        "listwise": (
            mark("Complete records only"),
            mark("Records with an unknown key value are not counted (listwise)."),
        ),
    },
    "search": {
        "first": (mark("By the first value"), mark("A record searches by the first value of its set (first).")),
        "all": (mark("By all values"), mark("A record searches by every value of its set (all).")),
    },
    "algorithm": {
        "mdav": (mark("Of all variables together"), mark("By distance from the mean of what is left (mdav).")),
        "individual-ranking": (
            mark("Of each variable by itself"),
            mark("In the order of its values (individual-ranking)."),
        ),
        "principal-component": (
            mark("Along the first component"),
            mark("In the order of the first principal component of all variables (principal-component)."),
        ),
        "optimal": (mark("With the least loss"), mark("The best groups that there are, of one variable (optimal).")),
    },
    "kind": {
        "independent": (mark("Independent"), mark("Of each variable by itself (independent).")),
        "correlated": (mark("Correlated"), mark("So that correlations stay (correlated).")),
        "moments-kept": (
            mark("Means and covariances kept"),
            mark("So that means, variances and covariances stay (moments-kept)."),
        ),
        "ipso": (mark("Numbers by regression"), mark("From a normal regression on predictors (ipso).")),
        "margins": (mark("Codes by tables"), mark("From tables of several variables (margins).")),
    },
    "scaling": {
        "original": (mark("By possible unions"), mark("As SUDA was published (original).")),
        "sdcmicro": (mark("As older sdcMicro"), mark("As versions of sdcMicro scale it (sdcmicro).")),
    },
}


def choice_title(parameter: str, choice: object) -> str:
    """The title of a parameter's choice; what the recipe says, where there is none."""
    title, _meaning = _TITLES.get(parameter, {}).get(str(choice), ("", ""))
    return translate(title) if title else str(choice)


def choice_meaning(parameter: str, choice: object) -> str:
    """What a choice says, with the recipe's word for it; empty where it is not known."""
    _title, meaning = _TITLES.get(parameter, {}).get(str(choice), ("", ""))
    return translate(meaning) if meaning else ""
