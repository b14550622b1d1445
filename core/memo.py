"""The command ``memo LAST THIS --out FILE``: what changed between two releases, as HTML or PDF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import core
from core.base.errors import DataError, PavoError
from core.base.plain_file import read_plain
from core.base.program import called
from core.base.streams import write_error
from core.base.texts import mark, translate
from core.batch import Parser
from core.recipe.available import not_available
from core.recipe.model import Recipe
from core.recipe.toml import load

if TYPE_CHECKING:
    from core.data.variables import Metadata
    from core.release.run import RenderPdf
    from core.report.blocks import ReportData
    from core.report.memo import MemoSide


def write_memo(
    last: Path, this: Path, out: Path, summaries: tuple[Path, Path] | None = None, pdf: RenderPdf | None = None
) -> ReportData:
    """Write the memo of the differences between the recipes `last` and `this` to `out`.

    Parameters
    ----------
    out : a PDF file where its suffix says so, else HTML
    summaries : of the two runs; None: those that the recipes name, as far as they are there
    pdf : draws a PDF file

    Raises
    ------
    PavoError
        A recipe or summary cannot be read, or the memo cannot be written; then nothing is.
    """
    from core.base.outputs import Outputs
    from core.release.summary import PROGRAM
    from core.report.build import creation_time
    from core.report.html import render_html
    from core.report.memo import memo

    is_pdf = out.suffix.lower() == ".pdf"
    if is_pdf and pdf is None:
        raise not_available(str(out))
    recipes = load(last), load(this)
    found = [recipe.output.summary for recipe in recipes] if summaries is None else list(summaries)
    inputs = [last, this, *(path for path in found if path is not None)]
    inputs += [recode.scheme_file for recipe in recipes for recode in recipe.recodes if recode.scheme_file]
    named = last.stem, this.stem
    if named[0] == named[1]:
        named = str(last), str(this)
    releases = [
        _release(name, recipe, path, asked=summaries is not None)
        for name, recipe, path in zip(named, recipes, found, strict=True)
    ]
    told = memo(releases[0], releases[1], creation_time(), f"{PROGRAM} {core.__version__}")
    with Outputs({"memo": out.absolute()}, inputs) as outputs:
        with outputs.open("memo") as file:
            file.write(pdf(told) if is_pdf and pdf is not None else render_html(told).encode("utf-8"))
        outputs.commit()
    return told


def _release(name: str, recipe: Recipe, summary: Path | None, asked: bool) -> MemoSide:
    from core.report.memo import MemoSide

    schemes = {}
    for recode in recipe.recodes:
        if recode.scheme is not None:
            schemes[recode.variable] = recode.scheme
        elif recode.scheme_file is not None and recode.scheme_file.is_file():
            schemes[recode.variable] = recode.scheme_file.read_text(encoding="utf-8", errors="replace")
    there = summary is not None and (asked or summary.is_file())
    return MemoSide(name, recipe, _read(summary) if there and summary is not None else None, schemes, _metadata(recipe))


def _metadata(recipe: Recipe) -> Metadata | None:
    """What describes the original file; None where the files of a release are not there any more."""
    from core.session import Session

    if recipe.input.place is None:
        return None
    try:
        return Session().metadata(recipe)
    except PavoError:
        return None


def _read(path: Path) -> Mapping[str, Any]:
    """The summary in a file."""
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


def main(argv: Sequence[str], pdf: RenderPdf | None = None) -> int:
    """The command ``memo``; `argv` is what follows that word.

    Returns
    -------
    int
        0 done; 1 refused or failed; 2 wrong usage.
    """
    parser = Parser(
        prog=f"{called()} memo",
        description=translate(mark("Write what changed between two releases, as HTML or PDF.")),
        allow_abbrev=False,
    )
    parser.add_argument("last", type=Path, help=translate(mark("the recipe of the last release (.pavo, TOML)")))
    parser.add_argument("this", type=Path, help=translate(mark("the recipe of this release")))
    told = translate(mark("the memo, .html or .pdf"))
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=told)
    told = translate(mark("the summaries of the two runs, where the recipes do not name them"))
    parser.add_argument("--summaries", type=Path, nargs=2, metavar=("LAST", "THIS"), help=told)
    try:
        given = parser.parse_args(argv)
        write_memo(given.last, given.this, given.out, given.summaries and tuple(given.summaries), pdf)
    except SystemExit as end:
        return int(end.code or 0)
    except PavoError as error:
        write_error(f"pavo: {error}\n")
        return 1
    except OSError as error:
        write_error(f"pavo: {error.filename}: {error.strerror}\n")
        return 1
    return 0
