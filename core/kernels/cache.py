"""Where compiled kernels are kept: some may come with the program, the others lie in the user's own folder.

Folder and processor follow from the environment, as numba reads it: ``NUMBA_CACHE_DIR`` is the folder that is written,
``NUMBA_CPU_NAME`` and ``NUMBA_CPU_FEATURES`` name the processor that code is made for (this machine's where neither is
set). ``PAVO_COMPILED`` is a folder of kernels that is only read, and looked at first; the two lines of its file
``processor`` are the name and the features that they are made for. Where this machine has these features, code is made
for that processor, too; where it lacks one, that folder is of no use, and all is compiled for this machine.
"""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

from .sources import fingerprint

KERNELS = "kernels"
"""The folder of compiled kernels inside the one that is named; its content may be shipped."""
STAMP = "compiled"
"""The file in a folder that says which kernels are complete there."""
PROCESSOR = "processor"
"""The file in a shipped folder that says what its kernels are made for."""

_when_compiling: list[Callable[[], None]] = []


def tell_when_compiling(tell: Callable[[], None] | None) -> None:
    """Call `tell` once, when the first kernel is compiled that no cache holds; None: tell nobody."""
    _when_compiling[:] = [] if tell is None else [tell]


def is_complete() -> bool:
    """Whether all kernels, as they are now and for this processor, were compiled; so too where nothing is kept."""
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return True
    own = _own_folder()
    return own is None or is_shipped_complete() or _read(own / STAMP) == _state()


def is_shipped_complete() -> bool:
    """Whether kernels came with the program, all of them, as they are now and for the processor in use."""
    shipped = _shipped_folder()
    return shipped is not None and _read(shipped / STAMP) == _state()


def note_complete() -> None:
    """Say in the folder that all kernels are compiled; where it cannot be written, the next start asks again."""
    own = _own_folder()
    if own is not None:
        with contextlib.suppress(OSError):
            own.mkdir(parents=True, exist_ok=True)
            (own / STAMP).write_text(_state(), encoding="utf-8")


class _Place(UserProvidedCacheLocator):
    """One folder for all kernels of the program, wherever this lies; for others numba's own places."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)  # type: ignore[no-untyped-call]
        if Path(py_file).parent == Path(__file__).parent:
            self._cache_path = str(Path(config.CACHE_DIR) / KERNELS)  # type: ignore[attr-defined]

    def get_source_stamp(self) -> Any:
        """What compiled code must be of: all kernels' sources; of code elsewhere, of its own file, too.

        For an installed program numba would take the program's file, so that no kernel could be compiled before it.
        """
        if Path(self._py_file).parent == Path(__file__).parent:
            return fingerprint()
        return fingerprint(), super().get_source_stamp()  # type: ignore[no-untyped-call]


class _Places(CompileResultCacheImpl):
    _locator_classes = [_Place, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012  as numba declares it

    def reduce(self, data: Any) -> Any:
        """What is kept: without the listing of types, which is for readers and names folders of this machine."""
        return super().reduce(data._replace(type_annotation=""))  # type: ignore[no-untyped-call]


class KernelFiles(IndexDataCacheFile):
    """Index and code of one kernel in a folder into which several processes write.

    Numba writes the index first, and numbers the code of each signature: of two processes at one kernel the one could
    find older code, or that of another signature, by what the other has just named.
    """

    def save(self, key: Any, data: Any) -> None:
        """Keep the code `data` of a signature: first the code, in a file that only this code has, then the index."""
        said = repr((self._source_stamp, key)).encode()
        name = self._data_name(int.from_bytes(blake2b(said, digest_size=8).digest(), "big"))  # type: ignore[no-untyped-call]
        self._save_data(name, data)  # type: ignore[no-untyped-call]
        known = self._load_index()  # type: ignore[no-untyped-call]
        if not known and Path(self._index_path).exists():  # of older sources; what another process has just made, too
            for path in Path(self._cache_path).glob(f"{glob.escape(Path(self._index_name).stem)}.*.nbc"):
                if path.name != name:
                    path.unlink(missing_ok=True)
        if known.get(key) != name:
            self._save_index({**known, key: name})  # type: ignore[no-untyped-call]


class KernelCache(FunctionCache):
    """The cache of one kernel."""

    _impl_class = _Places

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)  # type: ignore[no-untyped-call]
        shipped, stamp = _shipped_folder(), self._impl.locator.get_source_stamp()
        names = self._impl.filename_base
        self._cache_file = KernelFiles(self._cache_path, names, stamp)  # type: ignore[no-untyped-call]
        self._shipped = None if shipped is None else IndexDataCacheFile(str(shipped / KERNELS), names, stamp)  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kept kernel or None; of what numba makes ready first, only what hands out memory is needed for that."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        if self._shipped is not None:
            data = self._shipped.load(self._index_key(sig, target_context.codegen()))  # type: ignore[no-untyped-call]
            found = None if data is None else self._impl.rebuild(target_context, data)
        if found is None:
            found = super()._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None and _when_compiling:
            _when_compiling.pop()()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel for the next start; where there is no room for it, this run goes on all the same."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


def processor() -> str:
    """Name of the processor that code is made for; "this machine" where none is named."""
    return str(config.CPU_NAME or "this machine")  # type: ignore[attr-defined]


def _choose_processor() -> None:
    """Make code for the processor of the shipped kernels, where this machine can run it and no other one is named."""
    folder = _shipped_folder()
    said = "" if folder is None else _read(folder / PROCESSOR)
    if not said or "NUMBA_CPU_NAME" in os.environ:
        return
    name, features, *_ = [*said.splitlines(), ""]
    has = llvmlite.binding.get_host_cpu_features()
    if all(has.get(one[1:]) for one in features.split(",") if one[:1] == "+"):
        os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = name, features
        config.reload_config()  # type: ignore[no-untyped-call]


def _state() -> str:
    return f"{fingerprint()}\nnumba {numba.__version__}\n{cpu_target.target_context.codegen().magic_tuple()}\n"


def _own_folder() -> Path | None:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return Path(folder) if folder else None


def _shipped_folder() -> Path | None:
    folder = os.environ.get("PAVO_COMPILED")
    return Path(folder) if folder else None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return ""


_choose_processor()  # before anything is compiled or loaded
