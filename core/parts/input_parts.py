"""The parts of a file: whether they are of one layout, and what cannot be done part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..base.errors import DataError, RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.variables import Metadata
from ..formats.preview import preview
from ..perturbation.registry import REGISTRY, at_writing
from ..profiles.model import ReleaseProfile
from ..recipe.available import household_thresholds
from ..recipe.edits import risk_tables
from ..recipe.in_parts import NOT_IN_PARTS, OF_CELLS, Whole, of_part
from ..recipe.model import TYPED, Input, Recipe, VariableEdit
from ..release.profile import asked_profile, asked_target, columns_looked_at
from ..results.households import household_names
from ..results.metadata import verified_metadata
from ..results.needed_columns import needed_columns
from ..suppression.problem import Rules
from ..utility.own_models import codes_of_models
from ..verdict.judged import with_necessary_rules


def recipe_of_first(recipe: Recipe, parts: Sequence[Path]) -> Recipe:
    """The recipe as it is for the first part: by it the layout of all is known."""
    data = recipe.output.data
    target = None if data is None else data / parts[0].name
    return recipe.with_(input=of_part(recipe.input, parts[0]), output=replace(recipe.output, data=target))


def check_layouts(recipe: Recipe, parts: Sequence[Path], metadata: Metadata) -> None:
    """Refuse parts that are not laid out like the first.

    Parameters
    ----------
    metadata : of the first part

    Raises
    ------
    DataError
        Naming the part and the variable.
    """
    for difference in differences_of_parts(recipe.input, recipe.variables, parts, metadata):
        raise difference


def differences_of_parts(
    source: Input,
    edits: tuple[VariableEdit, ...],
    parts: Sequence[Path],
    metadata: Metadata,
    progress: Progress = SILENT,
) -> Iterator[DataError]:
    """In what the parts are not laid out like the first, each with part and variable.

    Parameters
    ----------
    metadata : of the first part
    """
    first = _layout(parts[0], metadata)
    for number, part in enumerate(parts[1:], 1):
        progress.report(number, len(parts), translate(mark("Comparing the layouts of the parts")))
        progress.check()
        theirs = verified_metadata(of_part(source, part), edits)[0]
        for text, values in _differences(metadata, theirs, first, _layout(part, theirs)):
            yield DataError(
                "parts-differ",
                text,
                mark("All parts need the same variables in the same places."),
                part=part.name,
                first=parts[0].name,
                **values,
            )


def _layout(part: Path, metadata: Metadata) -> dict[str, str]:
    """The columns that the file itself has, in order, with their types where it has such."""
    if metadata.format in TYPED:
        from ..formats.typed.reading import typed_format

        return {field.name: field.storage for field in typed_format(metadata.format).describe(part).fields}
    if metadata.format == "delimited" and metadata.header:
        return dict.fromkeys(preview(part, metadata, 1).header, "")
    return {}


def _differences(
    metadata: Metadata, theirs: Metadata, first: dict[str, str], own: dict[str, str]
) -> Iterator[tuple[str, dict[str, str]]]:
    for name in dict.fromkeys((*first, *metadata.names)):
        if name not in own and name not in theirs.names:
            yield mark("The part {part} has no variable {variable}, which {first} has."), {"variable": name}
    for name in dict.fromkeys((*own, *theirs.names)):
        if name not in first and name not in metadata.names:
            yield mark("The part {part} has a variable {variable}, which {first} has not."), {"variable": name}
    both = [name for name in first if name in own], [name for name in own if name in first]
    for name, here in zip(*both, strict=True):
        if name != here:
            text = mark("The part {part} has the variable {variable} in another place than {first}.")
            yield text, {"variable": name}
    for name, storage in own.items():
        if storage != first.get(name, storage):
            text = mark("The variable {variable} is {own} in the part {part}, but {other} in {first}.")
            yield text, {"variable": name, "own": storage, "other": first[name]}
    yield from _described_otherwise(metadata, theirs)


def _described_otherwise(metadata: Metadata, theirs: Metadata) -> Iterator[tuple[str, dict[str, str]]]:
    for what in ("format", "delimiter", "header", "encoding", "decimal"):
        if getattr(metadata, what) != getattr(theirs, what):
            text = mark("The part {part} differs from {first} in its {what}: {own}, not {other}.")
            said = {"own": str(getattr(theirs, what)), "other": str(getattr(metadata, what))}
            yield text, {"what": what, **said}
    for mine in metadata.variables:
        if mine.name in theirs and replace(mine, column=0) != replace(theirs[mine.name], column=0):
            text = mark("The variable {variable} of the part {part} is described otherwise than in {first}.")
            yield text, {"variable": mine.name}


def refuse_what_needs_the_whole(recipe: Recipe, metadata: Metadata, protecting: bool = False) -> None:
    """Refuse by name what cannot be done part by part.

    `protecting` : whether values are looked for that have to go, though the recipe names no safe file yet.

    Raises
    ------
    RecipeError
        Naming the key of the recipe.
    """
    for key, reason in _needing_the_whole(recipe, metadata, protecting or recipe.output.data is not None):
        hint = mark("Leave it out, or put the parts together into one file.")
        if reason == "redrawn":
            hint = mark("Perturb the file before it is divided, or put the parts together into one file.")
        raise RecipeError("not-in-parts", NOT_IN_PARTS[reason], hint, key=key)


def _needing_the_whole(recipe: Recipe, metadata: Metadata, protecting: bool) -> Iterator[tuple[str, Whole]]:
    """The keys of what cannot be done part by part, each with its reason."""
    for number, entry in enumerate(recipe.perturbations, 1):
        if not REGISTRY[entry.method].DECLARATION.at_writing:
            yield f'perturbations[{number}].method = "{entry.method}"', "redrawn"
    for number, analysis in enumerate(recipe.utility, 1):
        weight = metadata.weight and metadata.weight.name
        by_codes = {*analysis.table, *analysis.by, *codes_of_models([analysis], metadata)}
        if at_writing(recipe) and weight in by_codes:  # of noise the numbers are known, part by part
            yield f"utility[{number}] of {weight}", "noisy-weight"
    yield from _of_profile(recipe, metadata)
    for number, measure in enumerate(recipe.measures, 1):
        if measure.kind not in OF_CELLS:
            yield f'measures[{number}].kind = "{measure.kind}"', "records"
    if protecting and recipe.suppression.criterion != "none":
        yield from _of_suppressing(recipe, metadata)
    if recipe.output.shuffle:
        yield "output.shuffle", "order"


def names_of_cells(recipe: Recipe, metadata: Metadata) -> tuple[str, ...]:
    """The columns whose values decide anything together, in file order."""
    names = {*needed_columns(recipe, metadata, "keys")}
    profile = asked_profile(recipe)
    for looked_at in columns_looked_at(recipe, metadata, profile).values() if profile else ():
        names.update(looked_at)
    target = asked_target(recipe)
    if target is not None:
        of_numbers = rules_on_numbers(recipe, metadata, target)
        for check, looked_at in columns_looked_at(recipe, metadata, with_necessary_rules(target)).items():
            names.update(() if check in of_numbers else looked_at)
    return tuple(name for name in metadata.names if name in names)


def _of_profile(recipe: Recipe, metadata: Metadata) -> Iterator[tuple[str, Whole]]:
    """Rules on numbers, of which the cells do not tell."""
    profile = asked_profile(recipe)
    for check, names in rules_on_numbers(recipe, metadata, profile).items() if profile else ():
        for name in names:
            yield f'[profile] check = "{check}" of {name}', "numbers"


def rules_on_numbers(recipe: Recipe, metadata: Metadata, profile: ReleaseProfile) -> dict[str, tuple[str, ...]]:
    """By check of a profile the variables that it looks at and whose values no cell has."""
    looked_at = columns_looked_at(recipe, metadata, profile)
    found = {
        check: tuple(name for name in names if name in metadata and not metadata[name].categorical)
        for check, names in looked_at.items()
    }
    return {check: names for check, names in found.items() if names}


def _of_suppressing(recipe: Recipe, metadata: Metadata) -> Iterator[tuple[str, Whole]]:
    asked, identifier = recipe.suppression, metadata.household_id
    if identifier is None or asked.mode != "released-keys":
        return
    # Where one member decides for others, the search moves every household of the file by itself.
    said = f'role = "household-id" ({identifier.name}), suppression.mode = "{asked.mode}"'
    closure, households = Rules.of(metadata).closure, household_names(recipe, metadata)
    keys = (name for index in risk_tables(recipe) for name in recipe.combinations[index].variables)
    for name in dict.fromkeys(name for key in keys for name in closure(key) if name in households):
        yield f"{said} of {name}", "households"
    for threshold in household_thresholds(recipe):
        yield f"{said}, {threshold}", "households"
