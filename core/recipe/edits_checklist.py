"""Decisions on released columns that no model judges: what each means for the rest of a recipe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from .edits_perturbations import unperturbed
from .in_parts import is_in_parts
from .model import Decision, HouseholdId, NumericEdit, Output, Recipe, Recode, TopBottomCode, VariableEdit
from .set_keys import columns_of

HOUSEHOLDS: dict[Decision, HouseholdId] = {"renumber": "sequence", "leave-out": "remove"}
"""What becomes of the household identifier, by decision."""


@dataclass(frozen=True)
class ColumnDecision:
    """A decision on one column, and what it takes to carry it out.

    Attributes
    ----------
    variable : str
    decision : Decision
    base : what `round` rounds to
    top, bottom : where `top-code` cuts
    scheme : by which `renumber` recodes a column that is no household identifier
    """

    variable: str
    decision: Decision
    base: float | None = None
    top: TopBottomCode | None = None
    bottom: TopBottomCode | None = None
    scheme: str = ""


def judged_variables(recipe: Recipe) -> set[str]:
    """Variables of the combinations, and the columns of sets among them: those that a model judges."""
    names = {name for combination in recipe.combinations for name in combination.variables}
    return names | set(columns_of(recipe, names))


def decide(recipe: Recipe, made: ColumnDecision, household_id: str = "", by: str = "", reason: str = "") -> Recipe:
    """`recipe` with a decision on one column, in place of whatever was done with that column before.

    Parameters
    ----------
    household_id : name of the household identifier; "" where there is none
    by, reason : who decided, as typed, and why; may be empty
    """
    name, decision = made.variable, made.decision
    edit = next((edit for edit in recipe.variables if edit.name == name), VariableEdit(name))
    is_household = name == household_id
    removed = True if decision == "leave-out" and not is_household else False if edit.removed else None
    edit = replace(edit, decision=decision, decided_by=by or None, reason=reason or None, removed=removed)
    changed = with_edits(recipe, [edit])
    if is_household:
        chosen = HOUSEHOLDS.get(decision, "keep")
        output = with_household_id(recipe.output, chosen, can_shuffle=not is_in_parts(recipe.input))
        return changed.with_(output=output)
    numeric = tuple(spec for spec in recipe.numeric if spec.variable != name)
    recodes = tuple(recode for recode in recipe.recodes if recode.variable != name)
    if decision == "round":
        numeric = (*numeric, NumericEdit(name, round=made.base))
    if decision == "top-code":
        numeric = (*numeric, NumericEdit(name, top=made.top, bottom=made.bottom))
    if decision == "round-and-top-code":
        numeric = (*numeric, NumericEdit(name, round=made.base, top=made.top, bottom=made.bottom))
    if decision == "renumber":
        recodes = (*recodes, Recode(name, scheme=made.scheme))
    if decision != "perturb":
        changed = unperturbed(changed, name)
    return changed.with_(numeric=numeric, recodes=recodes)


def on_grid(recipe: Recipe, steps: Mapping[str, float]) -> Recipe:
    """`recipe` with coordinates rounded, each to multiples of its step; `steps` by names of numerical variables."""
    for name, step in steps.items():
        recipe = decide(recipe, ColumnDecision(name, "round", base=step))
    return recipe


def with_household_id(output: Output, household_id: HouseholdId, can_shuffle: bool = True) -> Output:
    """`output` with another treatment of the household identifier.

    Removal implies a random record order that separates the members: neighbouring records would still reveal the
    households. The caller replaces a seed that can be guessed. `can_shuffle`: false for a file in parts.
    """
    if household_id == "remove" and can_shuffle:
        return replace(output, household_id=household_id, shuffle=True, keep_households_together=False)
    return replace(output, household_id=household_id)


def with_edits(recipe: Recipe, edits: Iterable[VariableEdit]) -> Recipe:
    """`recipe` with these edits of variables in place of those of the same names."""
    new = {edit.name: edit for edit in edits}
    known = {edit.name for edit in recipe.variables}
    stayed = tuple(new.get(edit.name, edit) for edit in recipe.variables)
    return recipe.with_(variables=(*stayed, *(edit for name, edit in new.items() if name not in known)))


def without_decisions(recipe: Recipe) -> Recipe:
    """`recipe` without who decided what and why: what is computed does not depend on it."""
    plain = (replace(edit, decision=None, decided_by=None, reason=None) for edit in recipe.variables)
    return recipe.with_(variables=tuple(edit for edit in plain if edit != VariableEdit(edit.name)))


def signed(recipe: Recipe, names: Iterable[str], by: str) -> Recipe:
    """`recipe` in which `by` has decided on these columns, where it says of a decision and not of who made it."""
    wanted = set(names)
    edits = (e for e in recipe.variables if e.name in wanted and e.decision is not None and not e.decided_by)
    return with_edits(recipe, [replace(edit, decided_by=by) for edit in edits])


def explained(recipe: Recipe, name: str, reason: str) -> Recipe:
    """`recipe` with another reason for the decision on a column; "" takes it away."""
    edit = next((edit for edit in recipe.variables if edit.name == name), VariableEdit(name))
    return recipe if (edit.reason or "") == reason else with_edits(recipe, [replace(edit, reason=reason or None)])


def decided_by(recipe: Recipe) -> str:
    """Who decided last, as far as the recipe tells; empty where it does not."""
    return next((edit.decided_by for edit in reversed(recipe.variables) if edit.decided_by), "")
