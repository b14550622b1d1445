"""The choices of making a protected file, as a draft apart from the recipe, and the files that are proposed for it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ..base.errors import RecipeError
from .available import check_available, household_thresholds
from .edits import risk_tables
from .in_parts import is_in_parts, place_of_parts
from .model import Combination, Criterion, Input, Mode, Output, Recipe, Suppression, Threshold, VariableEdit
from .validate import check_released_keys

Companion = Literal["metadata", "report", "report_pdf", "summary", "records", "ddi", "table_schema"]

COMPANIONS: dict[Companion, str] = {
    "metadata": ".rds",
    "report": ".html",
    "report_pdf": ".pdf",
    "summary": ".json",
    "records": "_records.csv",
    "ddi": "_ddi.xml",
    "table_schema": "_schema.json",
}
"""Outputs beside the safe file, and what follows its name in theirs."""

_WRITTEN = {".sas7bdat": ".xpt"}
"""Suffixes of files that are read only, and what is written in their place."""

PROPOSED: tuple[Companion, ...] = ("metadata", "report", "summary")
"""Outputs that are written beside the safe file unless the user says otherwise."""


@dataclass(frozen=True)
class Protecting:
    """``[suppression]``, ``[output]`` and the suppression weights that differ from the session's."""

    suppression: Suppression
    output: Output
    weights: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, recipe: Recipe) -> Protecting:
        """The choices of a recipe."""
        return cls(recipe.suppression, recipe.output)

    def on(self, recipe: Recipe) -> Recipe:
        """`recipe` with these choices in place of its own."""
        changed = recipe.with_(suppression=self.suppression, output=self.output)
        return with_suppression_weights(changed, dict(self.weights))

    def with_weight(self, name: str, weight: int, of_session: int) -> Protecting:
        """Another suppression weight for one variable; one that is the session's own is no difference."""
        others = {n: w for n, w in self.weights if n != name}
        if weight != of_session:
            others[name] = weight
        return replace(self, weights=tuple(sorted(others.items())))

    def with_data(self, data: Path | None, beside: Output | None = None) -> Protecting:
        """Another place for the safe file; the files beside it follow, as `beside` has them (by default these).

        While a path is typed letter by letter, `beside` are the outputs as they were before.
        """
        outputs: dict[str, Any] = {role: getattr(beside or self.output, role) for role in ("data", *COMPANIONS)}
        return replace(self, output=moved(replace(self.output, **outputs), data))

    def with_companion(self, role: Companion, wanted: bool) -> Protecting:
        """One of the files beside the safe file written, under its proposed name, or not."""
        data = self.output.data
        new: dict[str, Any] = {role: companion_of(data, role) if wanted and data is not None else None}
        return replace(self, output=replace(self.output, **new))


def new_recipe(source: Input) -> Recipe:
    """The recipe of a new session, with a secret of its own for its draws: undone or saved, it stays."""
    return Recipe(input=source, suppression=Suppression(secret=secrets.token_hex(16)))


def with_suppression_weights(recipe: Recipe, weights: Mapping[str, int]) -> Recipe:
    """`recipe` with these suppression weights, 0 (first to go) to 100 (last), by variable."""
    known = {edit.name for edit in recipe.variables}
    changed = tuple(
        replace(edit, suppression_weight=weights[edit.name]) if edit.name in weights else edit
        for edit in recipe.variables
    )
    new = tuple(VariableEdit(name, suppression_weight=weight) for name, weight in weights.items() if name not in known)
    return recipe.with_(variables=(*changed, *new))


def companion_of(data: Path, role: Companion) -> Path:
    """The file that is proposed for `role` beside the safe file `data`."""
    return data.parent / (data.stem + COMPANIONS[role])


def proposed_data(data: Path, folder: Path) -> Path:
    """The safe file that is proposed for the original `data`: ``<data>_safe`` in `folder`.

    In the original's format, or in the one nearest to it where that is read only.
    """
    suffix = _WRITTEN.get(data.suffix.lower(), data.suffix)
    return folder / f"{data.stem}_safe{suffix}"


def proposed(recipe: Recipe, folder: Path) -> Protecting:
    """The choices of `recipe`; where it names no safe file, with one proposed in `folder`, and what goes beside it."""
    choices = Protecting.of(recipe)
    if recipe.output.data is not None or recipe.input.place is None:
        return choices
    parts = place_of_parts(recipe.input) if is_in_parts(recipe.input) else None
    proposed = proposed_data(recipe.input.place, folder) if parts is None else folder / f"{parts.name}_safe"
    choices = choices.with_data(proposed)
    for role in PROPOSED:
        if getattr(choices.output, role) is None:
            choices = choices.with_companion(role, True)
    return choices


def preferred_mode(recipe: Recipe, households: bool = False) -> Mode:
    """The mode that is proposed where nobody has chosen one: by released keys, where that can judge all tables.

    With a household threshold it is the other one, and where tables of other models share variables with those of risk;
    where there are `households`, in a file in parts, too, as one member may decide for others there.
    """
    if households and is_in_parts(recipe.input):
        return "original-counts"
    if not risk_stands_apart(recipe, lambda c: not c.has_risk) or any(household_thresholds(recipe)):
        return "original-counts"
    try:
        check_released_keys(recipe)
    except RecipeError:
        return "original-counts"
    return "released-keys"


def risk_stands_apart(recipe: Recipe, other: Callable[[Combination], bool]) -> bool:
    """Whether there are risk tables, and none of them shares a variable with such other combinations."""
    mine = {name for index in risk_tables(recipe) for name in recipe.combinations[index].variables}
    others = (c.variables for c in recipe.combinations if other(c))
    return bool(mine) and not any(mine.intersection(names) for names in others)


def moved(output: Output, data: Path | None) -> Output:
    """`output` with another safe file. What stood beside the old one under its name now does so beside the new one."""
    if data is None or output.data is None or data == output.data:
        return replace(output, data=data)
    new: dict[str, Any] = {}
    for role in COMPANIONS:
        path: Path | None = getattr(output, role)
        if path is None or path.parent != output.data.parent:
            continue
        own = path == companion_of(output.data, role)
        new[role] = companion_of(data, role) if own else data.parent / path.name
    return replace(output, data=data, **new)


def offered_criteria(recipe: Recipe) -> tuple[Criterion, ...]:
    """The criteria by which this version can protect the recipe's combinations."""
    criteria: tuple[Criterion, ...] = ("entropy", "weights", "none")
    return tuple(c for c in criteria if _carried_out(_bare(recipe, suppression=Suppression(criterion=c))))


def _bare(recipe: Recipe, suppression: Suppression) -> Recipe:
    combinations = tuple(replace(c, threshold=Threshold()) for c in recipe.combinations)
    return Recipe(combinations=combinations, suppression=suppression, output=Output(data=Path("safe")))


def _carried_out(recipe: Recipe) -> bool:
    try:
        check_available(recipe)
    except RecipeError:
        return False
    return True
