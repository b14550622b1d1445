"""The command ``memo LAST THIS --out FILE``: what changed between two releases, as HTML or PDF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import __version__
from .base.errors import DataError, PavoError, RecipeError
from .base.plain_file import read_plain
from .base.program import called
from .base.progress import SILENT, Progress
from .base.streams import complain, write_error
from .base.texts import mark, translate
from .batch import Parser
from .recipe.model import Recipe
from .recipe.toml import load

if TYPE_CHECKING:
    from .data.variables import Metadata
    from .report.blocks import ReportData
    from .report.memo import MemoSide

_RECIPES = (".pavo", ".toml")


def write_memo(last: Path, this: Path, out: Path, summaries: tuple[Path, Path] | None = None) -> ReportData:
    """Write the memo of the differences between the recipes `last` and `this` to `out`.

    Parameters
    ----------
    last, this : a recipe, or the folder in which it is the only one
    out : a PDF file where its suffix says so, else HTML
    summaries : of the two runs; None: those that the recipes name, as far as they are there

    Raises
    ------
    PavoError
        A recipe or summary cannot be read, or the memo cannot be written; then nothing is.
    """
    from .base.outputs import Outputs
    from .report.html import render_html
    from .report.pdf import render_pdf

    last, this = recipe_in(last), recipe_in(this)
    recipes = load(last), load(this)
    found = [_summary_of(*each) for each in zip((last, this), recipes, strict=True)]
    found = found if summaries is None else list(summaries)
    inputs = [last, this, *(path for path in found if path is not None)]
    inputs += [recode.scheme_file for recipe in recipes for recode in recipe.recodes if recode.scheme_file]
    named = last.stem, this.stem
    if named[0] == named[1]:
        named = str(last), str(this)
    sides = zip(named, recipes, found, strict=True)
    before, after = (_release(name, recipe, _read(path)) for name, recipe, path in sides)
    told = _memo(before, after)
    is_pdf = out.suffix.lower() == ".pdf"
    with Outputs({"memo": out.absolute()}, inputs) as outputs:
        with outputs.open("memo") as file:
            file.write(render_pdf(told) if is_pdf else render_html(told).encode("utf-8"))
        outputs.commit()
    return told


def memo_of_session(
    recipe: Recipe,
    name: str,
    made: Mapping[str, Any] | None,
    last: Path,
    summary: Path | None = None,
    progress: Progress = SILENT,
) -> ReportData:
    """The memo of the differences of a session to a former release.

    Parameters
    ----------
    recipe, name : the session's, and how the memo calls this release
    made : the summary of the file made from `recipe`; None where none was made yet
    last : the recipe of the former release, or its folder
    summary : of the former run; None: that which its recipe names, as far as it is there

    Raises
    ------
    PavoError
        The former recipe or a summary cannot be read.
    """
    progress.check()
    last = recipe_in(last)
    former = load(last)
    before = _release(
        last.stem if last.stem != name else str(last), former, _read(summary or _summary_of(last, former))
    )
    progress.check()
    return _memo(before, _release(name, recipe, made))


def _memo(before: MemoSide, after: MemoSide) -> ReportData:
    from .release.summary import PROGRAM
    from .report.build import creation_time
    from .report.memo import memo

    return memo(before, after, creation_time(), f"{PROGRAM} {__version__}")


def recipe_in(place: Path) -> Path:
    """The recipe that `place` is, or the only one that the folder `place` holds.

    Raises
    ------
    RecipeError
        ``no-recipe-there``, ``several-recipes-there``: the folder does not say which recipe is meant.
    """
    try:
        if not place.is_dir():
            return place
        files = sorted(place.iterdir())
    except OSError:
        return place  # reading it says why
    for suffix in _RECIPES:  # a text in TOML can be a release profile, too
        found = [file for file in files if file.suffix.lower() == suffix and file.is_file()]
        if len(found) == 1:
            return found[0]
        if found:
            raise RecipeError(
                "several-recipes-there",
                mark("The folder {folder} holds several recipes: {files}."),
                mark("Name the one of that release."),
                folder=str(place),
                files=", ".join(file.name for file in found),
            )
    raise RecipeError(
        "no-recipe-there",
        mark("The folder {folder} holds no recipe (.pavo or .toml)."),
        mark("Name the recipe of that release."),
        folder=str(place),
    )


def _summary_of(file: Path, recipe: Recipe) -> Path | None:
    """The summary that a recipe names, or one of that name beside the recipe; None where neither is there."""
    named = recipe.output.summary
    places = [] if named is None else [named, file.parent / named.name]
    return next((place for place in places if place.is_file()), None)


def _release(name: str, recipe: Recipe, summary: Mapping[str, Any] | None) -> MemoSide:
    from .report.memo import MemoSide

    schemes = {}
    for recode in recipe.recodes:
        if recode.scheme is not None:
            schemes[recode.variable] = recode.scheme
        elif recode.scheme_file is not None and recode.scheme_file.is_file():
            with suppress(OSError):  # the memo names the file then
                schemes[recode.variable] = read_plain(recode.scheme_file).decode("utf-8", errors="replace")
    return MemoSide(name, recipe, summary, schemes, _metadata(recipe))


def _metadata(recipe: Recipe) -> Metadata | None:
    """What describes the original file; None where the files of a release are not there any more."""
    from .session import Session

    if recipe.input.place is None:
        return None
    try:
        return Session().metadata(recipe)
    except PavoError:
        return None


def _read(path: Path | None) -> Mapping[str, Any] | None:
    """The summary in a file, where there is one."""
    if path is None:
        return None
    try:
        found = json.loads(read_plain(path))
    except OSError as error:
        raise DataError(
            "summary-unreadable",
            mark("The summary {file} cannot be read: {reason}."),
            file=str(path),
            reason=error.strerror or str(error),
        ) from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DataError(
            "no-summary",
            mark("{file} is no summary of a run."),
            mark("Name the file that output.summary of its recipe names."),
            file=str(path),
        )
    return found


def main(argv: Sequence[str]) -> int:
    """The command ``memo``; `argv` is what follows that word.

    Returns
    -------
    int
        0 done; 1 refused or failed; 2 wrong usage.
    """
    try:
        given = _parser().parse_args(argv)
        write_memo(given.last, given.this, given.out, given.summaries and tuple(given.summaries))
    except SystemExit as end:
        return int(end.code or 0)
    except PavoError as error:
        complain(str(error))
        return 1
    except OSError as error:
        write_error(f"pavo: {error.filename}: {error.strerror}\n")
        return 1
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog=f"{called()} memo",
        description=translate(mark("Write what changed between two releases, as HTML or PDF.")),
        allow_abbrev=False,
    )
    told = translate(mark("the recipe of the last release (.pavo, TOML), or its folder"))
    parser.add_argument("last", type=Path, help=told)
    parser.add_argument("this", type=Path, help=translate(mark("the recipe of this release, or its folder")))
    told = translate(mark("the memo, .html or .pdf"))
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=told)
    told = translate(mark("the summaries of the two runs, where the recipes do not name them"))
    parser.add_argument("--summaries", type=Path, nargs=2, metavar=("LAST", "THIS"), help=told)
    return parser
