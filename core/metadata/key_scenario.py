"""The key variables that are proposed to begin with: what an intruder could know about a person they know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..data.variables import Variable
from .guess_use import key_idea
from .vocabulary import PLACES

MOST = 7
"""Keys of a proposed scenario. Of more nearly every record is alone, and no intruder knows so much of many people."""

_KNOWN = (
    "place", "sex", "age", "marital status", "size of the household", "nationality", "occupation", "ethnic group",
    "country of birth", "education", "type of household", "labour status", "urban or rural", "language", "origin",
    "branch of industry", "place in the household", "dwelling",
)  # fmt: skip
"""What acquaintances know of a person, the best known first."""


def scenario_keys(variables: Sequence[Variable], levels: Mapping[str, int]) -> tuple[str, ...]:
    """Names of the keys of a disclosure scenario, at most `MOST`, in the order of `levels`.

    All identifying variables where they are so few. Of more, what acquaintances know: residence, what can be seen,
    household, then what identifies most by its level; of several variables on the same only one.

    Parameters
    ----------
    variables : how the variables are called
    levels : identification levels (1 identifies most, 0 does not identify), by the names that can be keys
    """
    names = [name for name, level in levels.items() if level > 0]
    if len(names) <= MOST:
        return tuple(names)
    called = {variable.name: variable for variable in variables}
    ideas = {name: _idea(called[name]) if name in called else "" for name in names}

    def rank(name: str) -> tuple[int, int, int]:
        idea = ideas[name]
        return _KNOWN.index(idea) if idea in _KNOWN else len(_KNOWN), levels[name], names.index(name)

    taken: list[str] = []
    for name in sorted(names, key=rank):
        idea = ideas[name]
        if len(taken) < MOST and not (idea and idea in {ideas[other] for other in taken}):
            taken.append(name)
    return tuple(name for name in names if name in taken)


def _idea(variable: Variable) -> str:
    idea = key_idea(variable)
    if idea in PLACES:
        return "place"
    return "age" if idea == "date of birth" else idea
