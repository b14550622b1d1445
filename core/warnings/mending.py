"""What mends the reason of a warning: an edit of the recipe, where one can."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..base.errors import Notice
from ..base.texts import mark
from ..data.variables import Metadata
from ..recipe.edits import with_estimator, with_household_threshold
from ..recipe.edits_protection import preferred_mode, risk_stands_apart
from ..recipe.model import Recipe, VariableEdit
from ..recipe.set_keys import set_of_column
from ..whatif.advice import with_removed
from .direct_identifiers import RELEASED_AS_IT_IS
from .pattern_risk import ABOVE
from .second_opinion import TOO_LOW
from .unassessed import UNJUDGED

_RELATED = ("other-variable-gives-away", "guess-gives-away")
_BY_ORDER = ("order-gives-away",)


@dataclass(frozen=True)
class Mending:
    """An edit of the recipe: its name, a verb and its object, and the recipe after it."""

    name: str
    recipe: Recipe


def mending_of(notice: Notice, recipe: Recipe, metadata: Metadata) -> Mending | None:
    """The edit that mends what `notice` says; None where there is none."""
    values, where = dict(notice.values), notice.where
    place = _combination(recipe, str(values.get("combination", "")))
    if notice.id == UNJUDGED and place >= 0:
        judged = with_household_threshold(recipe, place, float(values["threshold"]))
        return Mending(mark("Judge households"), judged)
    if notice.id == TOO_LOW and place >= 0 and recipe.combinations[place].missing_rule == "observed":
        return Mending(mark("Judge by this model"), with_estimator(recipe, place, "calibrated"))
    if notice.id == ABOVE:
        return _against_blanks(recipe, metadata.household_id is not None)
    if notice.id in RELEASED_AS_IT_IS and where:
        return Mending(mark("Leave out"), with_removed(recipe, where))
    if notice.id in _BY_ORDER and not recipe.output.shuffle:
        return Mending(mark("Shuffle"), recipe.with_(output=replace(recipe.output, shuffle=True)))
    other, identifier = str(values.get("other", "")), metadata.household_id
    if identifier is not None and other == identifier.name and recipe.output.household_id == "keep":
        numbered = replace(recipe.output, household_id="sequence")
        return Mending(mark("Renumber"), recipe.with_(output=numbered))
    alone = set_of_column(recipe)  # suppressed with nothing but the other columns of their key
    known = where in metadata and other in metadata and where not in alone and other not in alone
    if notice.id in _RELATED and known and not metadata[where].related:
        return Mending(mark("Declare as related"), _with_related(recipe, where, other))
    return None


def _against_blanks(recipe: Recipe, households: bool) -> Mending | None:
    """Judge by released keys where that can judge all tables, else close the gaps where that can be done."""
    asked = recipe.suppression
    if preferred_mode(recipe, households) == "released-keys":
        judged = replace(asked, mode="released-keys", close_gaps=False)
        return Mending(mark("Judge by what is released"), recipe.with_(suppression=judged))
    if asked.close_gaps or not risk_stands_apart(recipe, lambda c: c.judges_whole_file):
        return None
    return Mending(mark("Close the gaps"), recipe.with_(suppression=replace(asked, close_gaps=True)))


def _combination(recipe: Recipe, name: str) -> int:
    """The place of the combination that warnings call so; -1: none is."""
    names = [" x ".join(each.variables) for each in recipe.combinations]
    return names.index(name) if name in names else -1


def _with_related(recipe: Recipe, variable: str, other: str) -> Recipe:
    edits = [replace(edit, related=other) if edit.name == variable else edit for edit in recipe.variables]
    if all(edit.name != variable for edit in edits):
        edits.append(VariableEdit(variable, related=other))
    return recipe.with_(variables=tuple(edits))
