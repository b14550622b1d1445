"""Pavo's one entry: opens the windows, or carries out a recipe without any."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from core import __version__
from core.base.program import called
from core.base.stopping import stopping_at_once
from core.base.streams import write_error, write_out
from core.base.texts import messages_as_environment

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from gui.main_window.window import MainWindow

USAGE = """usage: {pavo} [FILE...]             open windows, with a session or data file
       {pavo} run RECIPE [OPTIONS]  carry out a recipe without windows
           --out FOLDER              put every output into FOLDER
           --quiet                   no summary on standard output
           --overwrite               make and replace files outside FOLDER and the recipe's own folder, too
           --accept-changed          use input files that changed, and write their checksums into the recipe
           --require-ready           end with status 4 where the file is not ready for release
           --workers N               work on N parts of the file at a time (needs Dask)
           --scheduler ADDRESS       let the workers of a Dask scheduler work on the parts
       {pavo} memo LAST THIS --out FILE
                                     write what changed between the releases of two recipes, as HTML or PDF
       {pavo} check SUMMARY         say whether the files of a run are those that it wrote
       {pavo} --self-check          say what the program is made of, and check that it computes what is known
       {pavo} --version | --help
""".format(pavo=called())

SHIPPED = Path(__file__).parent / "compiled"
"""Kernels compiled beforehand, where the program comes with any."""


def keep_compiled_kernels() -> None:
    """Name a folder for compiled kernels, writable for any user from any folder, before numba is imported.

    Kernels that come with the program are looked at first: those in `SHIPPED` (`core.kernels.cache`).
    """
    if (SHIPPED / "processor").is_file():
        os.environ.setdefault("PAVO_COMPILED", str(SHIPPED))
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    from platformdirs import user_cache_path

    from core.kernels.sources import fingerprint

    folder = user_cache_path("pavo", appauthor=False) / "numba" / f"{__version__}-{fingerprint()[:12]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:  # private and new: what lies there is executed, so no name that another user can guess
        folder = Path(tempfile.mkdtemp(prefix="pavo-numba-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)


def build_application(argv: list[str], checked: bool = False) -> tuple[QApplication, MainWindow]:
    """Application and main window, not yet run; `argv` as sys.argv, files among it are opened by the event loop.

    `checked` : whether a data file among them is checked in Specify Metadata, as after Open Microdata.
    """
    keep_compiled_kernels()
    from gui.app.application import build_application as build

    return build(argv, checked)


def self_check() -> int:
    """Whether this installation works, said on standard output; the exit status."""
    with stopping_at_once():
        keep_compiled_kernels()
        from core.base.texts import mark, translate
        from core.self_check import main as check
        from gui.app.self_check import check_windows
    return check((translate(mark("windows")), check_windows))


def has_display() -> bool:
    """Whether Qt finds something to open windows on: always but on a Linux without display server or other wish."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def _command(arguments: list[str]) -> int:
    """What is done without windows."""
    if arguments[0] == "run":
        with stopping_at_once():
            keep_compiled_kernels()
            from core.batch import main as run
        return run(arguments[1:])
    if arguments[0] == "memo":
        with stopping_at_once():
            from core.memo import main as write_memo
        return write_memo(arguments[1:])
    if arguments[0] == "check":
        with stopping_at_once():
            from core.check_command import main as check_files
        return check_files(arguments[1:])
    with stopping_at_once():
        keep_compiled_kernels()
        from core.batch import prepare
    return prepare()


def main(argv: list[str]) -> int:
    """Do what `argv` (as sys.argv) says; the exit status."""
    arguments = argv[1:]
    if arguments[:1] in (["run"], ["memo"], ["check"]) or arguments == ["prepare"]:
        with messages_as_environment(os.environ):
            return _command(arguments)
    if arguments in (["--version"], ["--help"], ["-h"]):
        reason = write_out(f"Pavo {__version__}\n" if arguments == ["--version"] else USAGE)
        if reason is not None:
            write_error(f"pavo: The text cannot be written to standard output: {reason}.\n")
        return 0 if reason is None else 1
    if arguments == ["--self-check"]:
        return self_check()
    if any(argument.startswith("-") for argument in arguments):
        write_error(USAGE)
        return 2
    if not has_display():
        write_error(f"pavo: There is no display to open windows on. Without windows: {called()} run RECIPE\n")
        return 1
    application, window = build_application(argv, checked=True)
    from gui.app.greeting import greet

    window.show()
    greet(window)
    return application.exec()


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main(sys.argv))
