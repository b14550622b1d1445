"""What an external report must not show: folders, checksums, seeds that undo a random order, record-level files."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from core.errors import RecipeError
from core.recipe.model import Measure, Output, Recipe
from core.recipe.toml_form import dumps, parse
from core.report.inputs import ReportInput

_CODELIST = re.compile(r'(?i)(<CODELIST>\s*)("?)([^"\n]+)')
_PATH = re.compile(r"""(?x)
    (?<![\w.~<>/\\]) (?: [A-Za-z]:[\\/] | \\\\ | ~?/ | \.\.?[\\/] )   # C:\  \\server  /  ~/  ../
    (?: [^\\/\n"'“”<>|]+ [\\/]+ )*                                     # folders
    (?= [^\\/\s"'“”<>|] )                                              # the name that stays
""")


RECORD_LEVEL = ("records",)
"""Files of record-level contents: an external report does not mention them."""


def for_outsiders(given: ReportInput) -> ReportInput:
    """The report's input without what must stay in the house. Texts that the user wrote for the report stay."""
    files = tuple(
        replace(file, path=Path(file.path.name), sha256="") for file in given.files if file.role not in RECORD_LEVEL
    )
    measures = tuple({k: base_name(v) if k == "released" else v for k, v in m.items()} for m in given.measures)
    return replace(
        given,
        files=files,
        recodes=tuple(replace(recode, codelist=base_name(recode.codelist)) for recode in given.recodes),
        measures=measures,
        warnings=tuple(map(without_folders, given.warnings)),
        recipe_text=_external_recipe(given.recipe_text),
        recipe_sha256="",
    )


def _external_recipe(text: str) -> str:
    """The recipe for outsiders; nothing where the text is not one, as then nobody knows what it gives away."""
    if not text:
        return ""
    try:
        return external_text(parse(text, Path(Path.cwd().anchor)))
    except RecipeError:
        return ""


def external_text(recipe: Recipe) -> str:
    """The recipe's TOML text with names for paths, and without what only the house may know.

    Checksum of the original, record-level output and the seed of record order and noise are left out: with the seed
    an outsider could put shuffled records back into their old order.
    """
    root = Path(Path.cwd().anchor)
    named: Recipe = _named(recipe, root)
    output = replace(named.output, records=None, seed=Output().seed)
    measures = tuple(_measure(measure) for measure in named.measures)
    recodes = tuple(replace(r, scheme=r.scheme and _scheme(r.scheme)) for r in named.recodes)
    source = replace(named.input, sha256=None)
    return dumps(replace(named, input=source, output=output, measures=measures, recodes=recodes), root)


def _named(value: Any, root: Path) -> Any:
    """The same value with every path cut to its name, as if all files stood in `root`."""
    if isinstance(value, Path):
        return root / value.name
    if isinstance(value, tuple):
        return tuple(_named(item, root) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _named(getattr(value, f.name), root) for f in fields(value)})
    return value


def _measure(measure: Measure) -> Measure:
    parameters = tuple(
        (k, base_name(v) if k == "released" or isinstance(v, Path) else v) for k, v in measure.parameters
    )
    return replace(measure, parameters=parameters)


def _scheme(text: str) -> str:
    return _CODELIST.sub(lambda found: found[1] + found[2] + base_name(found[3]), text)


def base_name(path: object) -> str:
    """The last part of a path, whichever system it is written for."""
    text = str(path).strip()
    return PurePosixPath(PureWindowsPath(text).name).name


def without_folders(text: str) -> str:
    """A sentence with every path in it cut to its name."""
    return _PATH.sub("", text)
