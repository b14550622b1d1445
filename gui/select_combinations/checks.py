"""What stands against combinations, in words, and what is asked about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from PySide6.QtWidgets import QWidget

from core.base.texts import plural, translate
from core.data.variables import Variable
from core.metadata.guess_use import is_weight
from core.recipe.edits_combinations import Draft
from core.recipe.validate import MAX_KEY_VARIABLES
from gui import dialogs, numbers

_NAMED = 8
"""So many combinations are named in a question; of the rest the number."""


def too_many_keys(sets: Iterable[Collection[str]]) -> str:
    """Why a combination cannot have so many variables; empty where every one can."""
    most = max((len(names) for names in sets), default=0)
    if most <= MAX_KEY_VARIABLES:
        return ""
    text = translate("A combination has at most {limit} variables; this one has {count}.")
    return text.format(limit=MAX_KEY_VARIABLES, count=numbers.format_count(most))


def unusable(draft: Draft, categorical: Collection[str]) -> tuple[tuple[int, ...], str]:
    """Places of combinations that no table can be made of, and why; empty where all can be calculated."""
    places = tuple(i for i, c in enumerate(draft) if not set(c.variables) <= set(categorical))
    names = sorted({name for place in places for name in draft[place].variables if name not in categorical})
    if not names:
        return (), ""
    text = translate("No table can be made of variables that are not categorical, or not in the file: {names}.")
    return places, text.format(names=", ".join(names))


def may_replace_by_one(parent: QWidget, gone: Draft) -> bool:
    """Ask before one table takes the place of combinations that were chosen; Enter and Esc keep them."""
    if not gone:
        return True
    names = "\n".join(" × ".join(c.variables) for c in gone[:_NAMED])
    more = len(gone) - _NAMED
    if more > 0:
        names += "\n" + translate("and {count} more").format(count=numbers.format_count(more))
    question = plural(
        len(gone),
        "Replace the combination chosen so far by one table of a scenario?",
        "Replace the {count} combinations chosen so far by one table of a scenario?",
    )
    text = translate(question).format(count=numbers.format_count(len(gone)))
    return dialogs.ask(parent, text, names, [translate("&Replace"), translate("&Cancel")], 1) == 0


def agrees_to_remove(parent: QWidget, shared: Mapping[int, Collection[str]]) -> bool:
    """Say which names risk tables have in common, and offer to remove the other tables."""
    names = ", ".join(sorted({name for common in shared.values() for name in common}))
    answer = dialogs.ask(
        parent,
        translate("Risk tables must not share variables."),
        translate("In common with other risk tables: {names}.").format(names=names),
        [translate("Remove the other tables"), translate("Cancel")],
    )
    return answer == 0


def what_without_weight(parent: QWidget, variables: Iterable[Variable]) -> Literal["all", "sample", "weight", ""]:
    """Ask what a file without a weight is: the whole population, a sample, one whose weight is not chosen yet.

    Enter and Esc leave it open: every risk follows from the answer.
    """
    likely = next((v.name for v in variables if v.role == "other" and is_weight(v, None)), "")
    detail = translate("The risk model estimates from weights how many people of the population share a combination.")
    if likely:
        detail += "\n\n" + translate("{name} looks like a weight, by its name.").format(name=likely)
    choices = [
        translate("The &whole population"), translate("A &sample without weights"), translate("&Choose the weight…"),
        translate("Cancel"),
    ]  # fmt: skip
    answer = dialogs.ask(parent, translate("The file has no weight variable. What is it?"), detail, choices, 3)
    meanings: tuple[Literal["all", "sample", "weight", ""], ...] = ("all", "sample", "weight", "")
    return meanings[answer]
