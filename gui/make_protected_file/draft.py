"""Choices of Make Protected File: as a draft, and how they are committed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.base.texts import mark, translate
from core.recipe import edits_protection
from core.recipe.edits_checklist import without_decisions
from core.recipe.edits_protection import COMPANIONS, Protecting
from core.recipe.in_parts import is_in_parts, place_of_parts
from core.recipe.model import Output, Recipe, Report, Suppression
from gui.document.document import Document
from gui.document.drafts import WindowDraft, recipe_from_plain, recipe_to_plain
from gui.settings import folder_for_safe_files
from gui.shared.protection_mode import nobody_chose, protection_mode


class ProtectionDraft(WindowDraft[Protecting]):
    """Choices of protection that are not in the session yet; where it has none, those that are proposed."""

    name = "makeProtectedFile"

    def said(self, recipe: Recipe) -> Protecting:
        choices = edits_protection.proposed(recipe, self.folder())
        if nobody_chose(self.document, recipe):
            mode = protection_mode(self.document, recipe)
            choices = replace(choices, suppression=replace(choices.suppression, mode=mode))
            if _may_number_households(self.document, recipe):
                choices = replace(choices, output=replace(choices.output, household_id="sequence"))
        offered = edits_protection.offered_criteria(recipe)
        if offered and choices.suppression.criterion not in offered:
            kept = choices.suppression.secret
            choices = Protecting(Suppression(criterion=offered[0], secret=kept), choices.output)
        return choices

    def to_plain(self) -> dict[str, str]:
        return recipe_to_plain(self.value.on(Recipe()))

    def from_plain(self, plain: dict[str, str]) -> Protecting:
        recipe = recipe_from_plain(plain)
        weights = ((e.name, e.suppression_weight) for e in recipe.variables if e.suppression_weight is not None)
        return Protecting(recipe.suppression, recipe.output, tuple(weights))

    def folder(self) -> Path:
        """Where the safe file is proposed."""
        return folder_for_safe_files(self._data(), self.document.session.path)

    def own_folders(self) -> tuple[Path, ...]:
        """The folder of the session or, before it is saved, of its data; and the one where safe files are proposed."""
        beside = self.document.session.path or self._data()
        return (self.folder(),) if beside is None else (beside.parent, self.folder())

    def _data(self) -> Path | None:
        source = self.document.recipe.input
        return place_of_parts(source) if is_in_parts(source) else source.data


def renumbers_households(document: Document) -> bool:
    """Whether households are numbered anew in the safe file though the session does not say so yet."""
    return nobody_chose(document, document.recipe) and _may_number_households(document, document.recipe)


def _may_number_households(document: Document, recipe: Recipe) -> bool:
    """Whether there is a household identifier on which nobody has decided."""
    identifier = None if document.derived is None else document.derived.metadata.household_id
    decided = {edit.name for edit in recipe.variables if edit.decision is not None}
    return identifier is not None and identifier.name not in decided


def commit(document: Document, recipe: Recipe) -> None:
    """Put the choices into the session: an undo step, unless they only name the files that nobody has named yet."""
    old = document.recipe
    if old.output.data is None and recipe == old.with_(output=_named_as(old.output, recipe.output)):
        document.amend(recipe)
        return
    only_files = recipe == old.with_(output=_named_as(old.output, recipe.output))
    document.commit(lambda: label(old, recipe), recipe, "protected file's name" if only_files else None)


def label(old: Recipe, new: Recipe) -> str:
    """What the undo step is called: every choice that is another one."""
    parts = [*_suppression(old.suppression, new.suppression), *_output(old.output, new.output)]
    if old.variables != new.variables:
        parts.append(translate("suppression weights"))
    files = [getattr(old.output, role) != getattr(new.output, role) for role in ("data", *COMPANIONS)]
    if any(files) and not (parts and old.output.data is None):
        data = new.output.data
        parts.append(translate("files written: {file}").format(file=data.name if data is not None else "–"))
    return translate("Protection: {parts}").format(parts="; ".join(parts))


def _suppression(old: Suppression, new: Suppression) -> Iterator[str]:
    if old.criterion != new.criterion:
        yield translate(_CRITERIA[new.criterion])
    if old.mode != new.mode:
        yield translate(_MODES[new.mode])
    if old.close_gaps != new.close_gaps:
        yield translate("gaps closed") if new.close_gaps else translate("gaps left open")
    old = replace(old, close_gaps=new.close_gaps)
    rest = {"criterion": new.criterion, "mode": new.mode}
    if replace(old, **rest) != new:  # type: ignore[arg-type]
        yield translate("settings of suppression")


def _output(old: Output, new: Output) -> Iterator[str]:
    if old.household_id != new.household_id:
        yield translate(_IDENTIFIERS[new.household_id])
    if old.shuffle != new.shuffle:
        yield translate("random order") if new.shuffle else translate("order of the original")
    elif old.seed != new.seed:
        yield translate("another random order")
    if old.keep_households_together != new.keep_households_together:
        together = new.keep_households_together
        yield translate("households together") if together else translate("households apart")
    if old.add_risk != new.add_risk:
        yield translate("risk columns") if new.add_risk else translate("no risk columns")


def _named_as(old: Output, new: Output) -> Output:
    """`old` with the files of `new`."""
    files: dict[str, Path | None] = {role: getattr(new, role) for role in ("data", *COMPANIONS)}
    return replace(old, **files)  # type: ignore[arg-type]


_CRITERIA = {
    "none": mark("nothing suppressed"),
    "entropy": mark("suppression by entropy"),
    "weights": mark("suppression by weights"),
}
_MODES = {
    "original-counts": mark("judged by the original file"),
    "released-keys": mark("judged by released keys"),
}
_IDENTIFIERS = {
    "keep": mark("household identifier kept"),
    "sequence": mark("household identifier as 1, 2, 3 …"),
    "remove": mark("household identifier removed"),
}


def planned(recipe: Recipe) -> Recipe:
    """The parts of a recipe on which plan and warnings depend, the release checklist apart."""
    output = Output(shuffle=recipe.output.shuffle, add_risk=recipe.output.add_risk)
    return without_decisions(recipe).with_(output=output, report=Report())
