"""The files beside the data that a recipe names, and another place for one of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from .declared import files_of
from .model import Measure, Perturbation, ProfileFile, Recipe, Target

Entry = TypeVar("Entry", Measure, Perturbation)


def files_named(recipe: Recipe) -> tuple[Path, ...]:
    """Metadata, codelists, schemes, rules and files of measures, each once."""
    named = [recipe.input.metadata, *(edit.codelist for edit in recipe.variables), recipe.profile.file]
    named += [recipe.target.profile] if isinstance(recipe.target.profile, Path) else []
    named += [path for recode in recipe.recodes for path in (recode.scheme_file, recode.codelist)]
    return tuple(dict.fromkeys(path for path in (*named, *files_of(recipe)) if path is not None))


def with_file_located(recipe: Recipe, old: Path, new: Path) -> Recipe:
    """`recipe` with the file `new` wherever it names `old`; it has to be the file that the recipe was saved with."""

    def placed(path: Path | None) -> Path | None:
        return new if path == old else path

    def with_parameters(entry: Entry) -> Entry:
        parameters = tuple((name, new if value == old else value) for name, value in entry.parameters)
        return replace(entry, parameters=parameters)

    sums = tuple((new if path == old else path, sha256) for path, sha256 in recipe.input.checksums if path != new)
    return recipe.with_(
        input=replace(recipe.input, metadata=placed(recipe.input.metadata), checksums=sums),
        variables=tuple(replace(edit, codelist=placed(edit.codelist)) for edit in recipe.variables),
        recodes=tuple(
            replace(recode, scheme_file=placed(recode.scheme_file), codelist=placed(recode.codelist))
            for recode in recipe.recodes
        ),
        measures=tuple(map(with_parameters, recipe.measures)),
        perturbations=tuple(map(with_parameters, recipe.perturbations)),
        profile=ProfileFile(placed(recipe.profile.file)),
        target=Target(new if recipe.target.profile == old else recipe.target.profile),
    )
