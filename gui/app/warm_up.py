"""Warm-up of the slow libraries in the background; imports nothing of Qt, because a child process runs it too.

Compiling the kernels holds Python's lock for long, so the first time it is done in a child process, which leaves
them in numba's cache; afterwards loading them here only reads the cache.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
from collections.abc import Iterable
from pathlib import Path

from core.base.child_process import start
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate

PREPARING = mark("Preparing the calculations (at the first start only)")
STAMP = "compiled"
_LIBRARIES = ("numpy", "core.session")
_CHARTS = ("pyqtgraph", "gui.risk_chart.window", "core.release.run", "gui.global_recode.window")


def compile_kernels() -> None:
    """Import every kernel, which compiles it into the cache; note there which sources they were."""
    sources = _sources()
    for module in kernel_modules():
        importlib.import_module(module)
    stamp = _stamp()
    if stamp is not None:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(sources, encoding="utf-8")


def kernel_modules() -> list[str]:
    """Names of the modules of core.kernels, without importing them."""
    import core.kernels

    return [f"core.kernels.{module.name}" for module in pkgutil.iter_modules(core.kernels.__path__)]


def is_cold() -> bool:
    """Whether the kernels, as they are now, were never compiled into this cache."""
    stamp = _stamp()
    return stamp is not None and not (stamp.exists() and stamp.read_text("utf-8") == _sources())


def warm_up(progress: Progress = SILENT) -> None:
    """Compile in a child process where necessary, then import; in the compute thread, before any calculation."""
    if is_cold() and os.environ.get("NUMBA_DISABLE_JIT", "0") != "1":
        _compile_in_child(progress)
    _load((*_LIBRARIES, *kernel_modules()), progress)


def load_charts(progress: Progress = SILENT) -> None:
    """Import what windows with charts need, so that the first of them opens at once."""
    _load(_CHARTS, progress)


def _load(modules: Iterable[str], progress: Progress) -> None:
    for module in modules:
        progress.check()
        if module not in sys.modules:
            importlib.import_module(module)
    gc.freeze()  # what libraries are made of never becomes garbage, and takes a tenth of a second to look through


def _compile_in_child(progress: Progress) -> None:
    child = start(compile_kernels)
    try:
        while child.is_alive():
            progress.report(0, 0, translate(PREPARING))
            progress.check()
            child.join(0.05)
    finally:
        if child.is_alive():
            child.terminate()
            child.join()


def _sources() -> str:
    """What tells numba that a kernel is another one: where its file is, its time and size."""
    import core.kernels

    files = sorted(file for folder in core.kernels.__path__ for file in Path(folder).glob("*.py"))
    return "\n".join(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}" for file in files)


def _stamp() -> Path | None:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return Path(folder) / STAMP if folder else None
