"""Carrying out a recipe without a window: ``run RECIPE [OPTIONS]``."""

from __future__ import annotations

import argparse
import contextlib
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from .base.errors import Notice, OutputError, PavoError, RecipeError
from .base.program import called
from .base.progress import SILENT, Cancelled, Progress
from .base.stopping import STOPPED, StopSignal, stopping_at_once
from .base.streams import complain, write_error, write_out
from .base.texts import mark, translate
from .recipe.in_parts import is_in_parts
from .recipe.model import OUTPUT_FILES, Recipe
from .recipe.toml import parse_bytes, read_bytes

if TYPE_CHECKING:
    from .release.pinned_inputs import RecipeFile
    from .release.run import Result
    from .verdict.model import ReleaseVerdict


MOST_WORKERS = 1024
COMPILING = mark("Compiling the calculations for this computer (once, half a minute at most)")


def run(recipe_path: Path, out: Path | None = None, progress: Progress = SILENT) -> tuple[dict[str, Any], Recipe]:
    """The summary, and the recipe as carried out, of `carry_out_file`."""
    result, recipe = carry_out_file(recipe_path, out, progress)
    return result.summary, recipe


def carry_out_file(
    recipe_path: Path,
    out: Path | None = None,
    progress: Progress = SILENT,
    overwrite: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    accept_changed: bool = False,
) -> tuple[Result, Recipe]:
    """Carry out the recipe in a file.

    Parameters
    ----------
    out : folder that takes every output under its own base name, in place of the paths in the recipe
    overwrite : whether files may be made and replaced outside `out` and the recipe's own folder
    workers, scheduler : of a file in parts, how many processes work on them, or the address of a scheduler of Dask
    accept_changed : whether all files are taken as they are, and the recipe's file gets their checksums

    Returns
    -------
    result, recipe
        The recipe as carried out, with `out` applied.

    Raises
    ------
    PavoError
        What was refused or failed; then nothing was written.
    """
    from .release.pinned_inputs import RecipeFile
    from .release.run import carry_out
    from .session import Session

    raw = read_bytes(recipe_path)
    recipe = parse_bytes(raw, recipe_path)
    if out is not None:
        recipe = into_folder(recipe, out)
    file = RecipeFile.of(raw, recipe_path)
    curves = recipe.output.report is not None or recipe.output.report_pdf is not None
    session = Session(one_recipe=True)
    own = [recipe_path.absolute().parent, *([] if out is None else [out.absolute()])]
    write_in = None if overwrite else own
    if is_in_parts(recipe.input):
        from .parts.run import carry_out_parts

        result = carry_out_parts(
            recipe, progress, file, curves, write_in, workers, scheduler, accept_changed=accept_changed
        )
        _write_recipe(result.file, raw)
        return result, recipe
    if workers is not None or scheduler is not None:
        raise RecipeError(
            "workers-without-parts",
            mark("Workers share the parts of a file, and input.data is one file."),
            mark("Leave out --workers and --scheduler, or name several files in input.data."),
        )
    result = carry_out(
        session, recipe, progress, file,
        same_data=True, curves=curves, write_in=write_in, accept_changed=accept_changed,
    )  # fmt: skip
    _write_recipe(result.file, raw)
    return result, recipe


def _write_recipe(file: RecipeFile, before: bytes) -> None:
    """Put the checksums that were accepted into the recipe's own file, unless they are there.

    Raises
    ------
    PavoError
        It cannot be written, or somebody else did meanwhile; all outputs have appeared.
    """
    from .base.outputs import Outputs

    if file.path is None or file.content == before:
        return
    try:
        with Outputs({"recipe": file.path}, ()) as outputs:
            if read_bytes(file.path) != before:
                raise OutputError("recipe-changed", mark("The recipe was changed meanwhile."))
            with outputs.open("recipe") as out:
                out.write(file.content)
            outputs.commit()
    except PavoError as error:
        raise OutputError(
            "checksums-not-written",
            mark("All files were written, but not the checksums in the recipe {file}: {reason}"),
            mark("Run again with --accept-changed."),
            file=str(file.path),
            reason=error.sentence,
        ) from None


def into_folder(recipe: Recipe, folder: Path) -> Recipe:
    """The recipe with every output in `folder`, under its own base name."""
    output = recipe.output
    moved = {
        role: folder.absolute() / path.name for role in OUTPUT_FILES if (path := getattr(output, role)) is not None
    }
    return recipe.with_(output=replace(output, **moved))


def main(argv: Sequence[str]) -> int:
    """The command ``run``; `argv` is what follows that word.

    Returns
    -------
    int
        0 done (and verified, where something was protected); 1 refused or failed; 2 wrong usage; 4 done, but not ready
        for release, where that was required.
    """
    line = TerminalProgress()
    stop = StopSignal(line if sys.stderr is not None and sys.stderr.isatty() else SILENT)
    try:
        with stopping_at_once():
            given = _parser().parse_args(argv)
            parse_bytes(read_bytes(given.recipe), given.recipe)  # a mistake in it is told before all is loaded
            from .kernels.cache import tell_when_compiling
            from .release import run as _loaded  # noqa: F401  a second or so

            tell_when_compiling(_say_compiling)
        with stop.heard(), contextlib.closing(line):
            result, recipe = carry_out_file(
                given.recipe, given.out, stop, given.overwrite, given.workers, given.scheduler,
                given.accept_changed,
            )  # fmt: skip
    except SystemExit as end:
        return int(end.code or 0)
    except PavoError as error:
        return _refused(str(error))
    except (Cancelled, KeyboardInterrupt):
        return _refused(translate(STOPPED))
    except MemoryError:
        return _refused(translate(mark("There is not enough memory for these data; nothing was written.")))
    except OSError as error:  # wherever a file is asked about: a disk or a network that goes away in between
        return _refused(_failed_file(error))
    except Exception as error:
        # a second request that meets the loading of a module becomes an error of the module
        return _refused(translate(STOPPED) if stop.asked else _defect(error))
    _warn(result.left)
    if not result.file.kept:
        told = translate(mark("{file} was written out with the new checksums: its comments were not kept."))
        complain(told.format(file=given.recipe))
    if recipe.output.summary is None and not given.quiet and (failed := _say(result.summary)):
        return failed
    return _not_ready(result.verdict) if given.require_ready else 0


def prepare() -> int:
    """The command ``prepare``: compile all kernels that are not yet, and say how far that is; the exit status."""
    from . import kernels
    from .kernels.cache import is_complete
    from .kernels.declare import prepare_all
    from .kernels.second_compiler import compiling_beside

    if is_complete():
        return 0
    live = sys.stderr is not None and sys.stderr.isatty()
    if not live:
        write_error(f"{translate(COMPILING)}\n")
    try:
        with contextlib.closing(TerminalProgress()) as line, compiling_beside():
            for done, total, _module in prepare_all(kernels):
                if live:
                    line.report(done, total, translate(COMPILING))
    except KeyboardInterrupt:
        return 130
    return 0


class TerminalProgress:
    """Progress as one line on a terminal, written over and over."""

    def __init__(self) -> None:
        self._shown = ""

    def report(self, done: float, total: float, text: str) -> None:
        """Show the step and how much of it is done, in whole per cent."""
        line = f"{text}: {min(done / total, 1.0) if total else 1.0:.0%}"
        if line != self._shown:
            write_error(line, "\r\x1b[K")
            self._shown = line

    def check(self) -> None:
        """Never cancelled."""

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            write_error("", "\r\x1b[K")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=f"{called()} run", description=translate(mark("Carry out a recipe without a window.")), allow_abbrev=False
    )
    parser.add_argument("recipe", type=Path, help=translate(mark("the recipe (.pavo, TOML)")))
    parser.add_argument("--out", type=_folder, metavar="FOLDER", help=translate(mark("put every output into FOLDER")))
    parser.add_argument("--quiet", action="store_true", help=translate(mark("no summary on standard output")))
    replaced = translate(mark("make and replace files outside FOLDER and the recipe's own folder, too"))
    parser.add_argument("--overwrite", action="store_true", help=replaced)
    changed = translate(mark("use input files that changed, and write their checksums into the recipe"))
    parser.add_argument("--accept-changed", action="store_true", help=changed)
    ready = translate(mark("end with status 4 where the file is not ready for release by the recipe's target"))
    parser.add_argument("--require-ready", action="store_true", help=ready)
    who = parser.add_mutually_exclusive_group()
    several = translate(mark("work on so many parts of the file at a time, in processes of their own (needs Dask)"))
    who.add_argument("--workers", type=_number, metavar="N", help=several)
    others = translate(mark("let the workers of the Dask scheduler at ADDRESS work on the parts of the file"))
    who.add_argument("--scheduler", metavar="ADDRESS", help=others)
    return parser


class Parser(argparse.ArgumentParser):
    """Help goes to standard output and errors to standard error, whatever state these are in."""

    def print_help(self, file: object = None) -> None:
        """Write the help; the program ends where that fails."""
        reason = write_out(self.format_help())
        if reason is not None:
            told = translate(mark("The text cannot be written to standard output: {reason}."))
            self.exit(_refused(told.format(reason=reason)))

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, and end."""
        write_error(f"{self.format_usage()}{self.prog}: error: {message}\n")
        raise SystemExit(2)


def _folder(text: str) -> Path:
    if not text.strip():  # a variable of a script that is not set
        raise argparse.ArgumentTypeError(translate(mark("the name of a folder is missing")))
    return Path(text)


def _number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(translate(mark("a whole number from 1 to 1024 is missing")))
    return int(text)


def _say_compiling() -> None:
    complain(translate(COMPILING))


def _say(summary: dict[str, Any]) -> int:
    """Write the summary to standard output; the exit status."""
    from .release.summary import summary_text

    reason = write_out(summary_text(summary))
    if reason is None:
        return 0
    told = translate(mark("The summary cannot be written to standard output: {reason}. All files were written."))
    return _refused(told.format(reason=reason))


NOT_READY = 4
"""Status of a run whose file is not ready for release, where that was required."""


def _not_ready(verdict: ReleaseVerdict | None) -> int:
    """Say why the file is not ready for release; the exit status."""
    from .verdict.model import ReleaseVerdict
    from .verdict.sentences import second_line, sentence

    found = verdict or ReleaseVerdict()
    if found.state == "ready":
        return 0
    complain(f"{sentence(found).rstrip('.')}. {second_line(found)}")
    return NOT_READY


def _failed_file(error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.filename is None:
        told = translate(mark("A file cannot be read or written: {reason}. Nothing was written."))
        return told.format(reason=reason)
    told = translate(mark("{file} cannot be read or written: {reason}. Nothing was written."))
    return told.format(file=error.filename, reason=reason)


def _defect(error: Exception) -> str:
    """A defect of the program in one sentence; without the error's own words, because they may quote data."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    told = translate(mark("Unexpected error in {file}, line {line}: {kind}. Nothing was written; please report this."))
    return told.format(file=Path(place.filename).name, line=place.lineno, kind=type(error).__name__)


def _warn(notices: Sequence[Notice]) -> None:
    """Say on standard error, too, what nobody should have to look for in a summary."""
    for notice in notices:
        complain(notice.text)


def _refused(sentence: str) -> int:
    complain(sentence)
    return 1
