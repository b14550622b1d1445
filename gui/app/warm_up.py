"""Warm-up of the slow libraries in the background; imports nothing of Qt, because a child process runs it too.

Compiling the kernels holds Python's lock for long, so the first time it is done in a child process, which leaves
them in numba's cache; afterwards loading them here only reads the cache.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Iterable
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from core.base.child_process import has_come, start
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate

PREPARING = mark("Preparing the calculations for this computer, at the first start only")
_LIBRARIES = ("numpy", "core.session")
_CHARTS = ("pyqtgraph", "gui.risk_chart.window", "core.release.run", "gui.global_recode.window")
"""What takes longest, and is wanted first."""
_ON_OPENING = (
    "core.parts.session",
    "core.whatif.advice",
    "core.warnings.early",
    "core.risk.riskiest",
    "core.warnings.mending",
)
"""What core imports only when it is asked: an import holds Python's lock, and with it the window."""


def compile_kernels(told: Connection) -> None:
    """Compile every kernel into the cache, in a process of its own; `told` is sent (done, total) as they come."""
    import core.kernels
    from core.kernels.declare import prepare_all

    if hasattr(os, "nice"):
        os.nice(5)  # the window comes first
    for done, total, _module in prepare_all(core.kernels):
        told.send((done, total))


def warm_up(progress: Progress = SILENT) -> None:
    """Import what computes, and have the kernels compiled; in the compute thread, before any calculation."""
    _load(_LIBRARIES, progress)
    from core.kernels.cache import is_complete

    if not is_complete():
        _compile_in_child(progress)


def load_kernels(progress: Progress = SILENT) -> None:
    """Load the compiled kernels, so that no first figure waits for them."""
    import core.kernels
    from core.kernels.cache import is_complete
    from core.kernels.declare import prepare_all

    if not is_complete():  # where a disk is full, for example: they are compiled as they are called
        return
    for _ in prepare_all(core.kernels):
        progress.check()
    gc.freeze()


def load_pages(progress: Progress = SILENT) -> None:
    """Import all pages and what charts need, so that the first of each opens at once."""
    from gui.shared.windows import WINDOWS, exists

    pages = [f"gui.{entry.module}" for name, entry in WINDOWS.items() if exists(name)]
    _load((*_CHARTS, *_ON_OPENING, *pages), progress)


def _load(modules: Iterable[str], progress: Progress) -> None:
    for module in modules:
        progress.check()
        if module not in sys.modules:
            importlib.import_module(module)
    gc.freeze()  # what libraries are made of never becomes garbage, and takes a tenth of a second to look through


def _compile_in_child(progress: Progress) -> None:
    """Wait for a child process that compiles; where it fails, kernels are compiled here, as they are called."""
    from core.kernels.second_compiler import compiling_beside

    with compiling_beside():
        _follow(progress)


def _follow(progress: Progress) -> None:
    hearing, telling = Pipe(duplex=False)
    child = start(compile_kernels, telling)
    telling.close()
    done, total = 0, 0
    try:
        while child.is_alive():
            progress.report(done, total, translate(PREPARING))
            progress.check()
            try:
                if has_come(hearing, 0.05):
                    done, total = hearing.recv()
            except EOFError:
                child.join(0.05)
    finally:
        hearing.close()
        if child.is_alive():
            child.terminate()
        child.join()
