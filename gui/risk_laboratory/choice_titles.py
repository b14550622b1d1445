"""What the choices of a measure's parameters are called in the form, and what they say: those of the recipe, in words.

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
