"""Goals of analyses in the words of the windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.texts import translate
from core.recipe.model import MOST_GOAL
from gui import numbers

if TYPE_CHECKING:
    from core.utility.own import Compared


def share_text(share: float) -> str:
    """A share of what a figure was, in per cent with the digits that say something."""
    return translate("{number} %").format(number=numbers.format_exact(float(f"{100 * share:.3g}")))


def goal_sentence(found: Compared) -> str:
    """Whether an analysis keeps its goal, in a sentence; empty where it has none."""
    from core.utility.own import goal_sentence

    return goal_sentence(found, share_text)


def goal_typed(text: str) -> float | None:
    """The goal that was typed in per cent, as a fraction; None where nothing is typed.

    Raises
    ------
    ValueError
        No number, or one that is no goal, in a sentence.
    """
    if not text.strip():
        return None
    try:
        goal = numbers.parse_percent(text).value
    except ValueError:
        goal = 0.0
    if not 0 < goal <= MOST_GOAL:
        raise ValueError(translate("A goal is a number above 0, in per cent: 1 for 1 %."))
    return goal
