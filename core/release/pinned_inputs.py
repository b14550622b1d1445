"""The files that a recipe reads beside its data, and whether they are those that it was saved with."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ..base.errors import MetadataError
from ..base.texts import mark
from ..profiles.read import found_profile
from ..recipe.declared import files_of
from ..recipe.model import Recipe
from ..recipe.pinned_text import pinned
from ..results.input_files import Checksums
from ..results.record_files import description_beside
from ..results.results import RecodedData

INPUT_CHANGED = "input-changed"


@dataclass(frozen=True)
class RecipeFile:
    """The file that the recipe was read from: an input like the others, named in report and summary."""

    path: Path | None = None
    text: str = ""
    sha256: str = ""
    begins: bytes = b""
    """A mark of the encoding before the text."""
    kept: bool = True
    """Whether comments and layout are those of the file that was read."""

    @classmethod
    def of(cls, raw: bytes, path: Path) -> RecipeFile:
        """The file at `path` with the content `raw`, UTF-8."""
        begins = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
        return cls(path.absolute(), raw.decode("utf-8-sig"), hashlib.sha256(raw).hexdigest(), begins)

    @property
    def content(self) -> bytes:
        """All bytes of the file."""
        return self.begins + self.text.encode("utf-8")


def named_inputs(recipe: Recipe) -> dict[Path, Path]:
    """The files that a recipe names beside its data: by its own path where the file is, in the order of the recipe."""
    named = [recipe.input.metadata, *(edit.codelist for edit in recipe.variables)]
    named += [path for recode in recipe.recodes for path in (recode.scheme_file, recode.codelist)]
    others = files_of(recipe)
    named += [*others, *map(description_beside, others)]
    found = {path: path for path in named if path is not None}
    if recipe.profile.file is not None:
        found[recipe.profile.file] = found_profile(recipe.profile.file)
    if isinstance(recipe.target.profile, Path):
        found[recipe.target.profile] = recipe.target.profile
    return found


def inputs_of(derived: RecodedData) -> dict[Path, Path]:
    """The files that results follow from beside the data: those of `named_inputs`, and codelists that these name."""
    named = [variable.codelist for variable in derived.metadata.variables]
    named += [recoding.codelist for recoding in derived.recodings.values()]
    return named_inputs(derived.recipe) | {path: path for path in named if path is not None}


def refuse_changed(recipe: Recipe, found: Iterable[tuple[Path, str]], hint: str, there: Iterable[Path] = ()) -> None:
    """Refuse files that are no longer those that the recipe was saved with.

    Parameters
    ----------
    found : files as they are now
    hint : what to do
    there : those that have to be there, where the recipe was saved with them

    Raises
    ------
    MetadataError
        ``input-changed``, naming them; its value ``changed`` has their paths.
    """
    said, now = dict(recipe.input.checksums), dict(found)
    changed = [path for path in dict.fromkeys((*now, *there)) if path in said and now.get(path) != said[path]]
    if not changed:
        return
    if len(changed) > 1:
        raise MetadataError(
            INPUT_CHANGED,
            mark("These files are not those that the recipe was saved with: {files}."),
            hint,
            files="; ".join(path.name for path in changed),
            changed=tuple(changed),
        )
    path = changed[0]
    if path in now:
        raise MetadataError(
            INPUT_CHANGED,
            mark("{file} is not the file that the recipe was saved with (SHA-256 {found}, not {said})."),
            hint,
            file=path.name,
            found=now[path],
            said=said[path],
            changed=(path,),
        )
    raise MetadataError(
        INPUT_CHANGED,
        mark("{file} is missing or cannot be read. The recipe was saved with it."),
        hint,
        file=str(path),
        changed=(path,),
    )


def without_checksums(recipe: Recipe) -> Recipe:
    """`recipe` as it would be had it never been saved: every file is the right one."""
    return recipe.with_(input=replace(recipe.input, sha256=None, checksums=()))


def with_checksums(file: RecipeFile, data: str, others: Checksums) -> RecipeFile:
    """A recipe's file in which data and other files are pinned as they are now; the rest of its text is as before."""
    folder = Path() if file.path is None else file.path.parent
    text, kept = pinned(file.text, folder, data, others)
    new = replace(file, text=text, kept=kept)
    return replace(new, sha256=hashlib.sha256(new.content).hexdigest())
