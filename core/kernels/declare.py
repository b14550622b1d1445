"""How a kernel is declared: its signatures are fixed, and it is compiled, or loaded, when it is first called.

Importing a kernel's module therefore costs nothing, and a short run loads only the kernels that it needs. What only
other kernels call is a `part`: it is compiled together with these, into their code, and is neither kept nor loaded by
itself; nor has it the entry from Python, which takes longer to compile than most parts.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from numba import config
from numba.core import sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.typeinfer import register_dispatcher

from .cache import KernelCache, is_complete, note_complete
from .compiling import KernelCompiler, PartCompiler

_declared: list[Kernel] = []


class Kernel(CPUDispatcher):
    """A function compiled for its declared signatures only, at its first call."""

    options: ClassVar[dict[str, Any]] = {"nopython": True, "nogil": True, "boundscheck": None, "no_cfunc_wrapper": True}
    compiler: ClassVar[type[KernelCompiler]] = KernelCompiler

    def __init__(self, function: Any, signatures: list[Any]) -> None:
        super().__init__(function, targetoptions=dict(self.options), pipeline_class=self.compiler)
        self._signatures = signatures
        self._is_ready = False

    @property
    def weight(self) -> int:
        """About how long compiling takes, in no unit."""
        return len(self.py_func.__code__.co_code) * len(self._signatures)

    def enable_caching(self) -> None:
        """Keep what is compiled."""
        self._cache = KernelCache(self.py_func)

    def prepare(self) -> None:
        """Compile for all signatures, or load what was compiled; later calls take no other."""
        if self._is_ready:
            return
        with global_compiler_lock:
            if self._is_ready or self.is_compiling:  # type: ignore[redundant-expr]  # another thread, or it calls itself
                return
            with register_dispatcher(self):
                for signature in self._signatures:
                    self.compile(signature)
            self.disable_compile()
            self._is_ready = True

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What another kernel asks that calls this one."""
        self.prepare()
        return super().get_call_template(args, kws)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What numba does at a call for which no code is there yet: what this returns is called with the arguments."""
        if self._is_ready:
            return super()._compile_for_args(*args, **kws)  # type: ignore[misc]
        self.prepare()
        return self


class Part(Kernel):
    """What only kernels call; from Python it is a plain function."""

    compiler = PartCompiler

    def compile(self, sig: Any) -> Any:
        """Translate for one signature; what numba calls an entry point is here only the name that it is found by."""
        arguments, result = sigutils.normalize_signature(sig)  # type: ignore[no-untyped-call]
        name = self, arguments
        with self._compiling_counter:
            made = self._compiler.compile(arguments, result)._replace(entry_point=name)  # type: ignore[attr-defined]
        self.overloads[arguments] = made
        self.targetctx.insert_user_function(name, made.fndesc, [made.library])  # type: ignore[no-untyped-call]
        return name

    def __call__(self, *args: Any) -> Any:
        """The plain function's result: there is no entry from Python to the compiled one."""
        return self.py_func(*args)


def kernel(signatures: Any) -> Callable[[Any], Any]:
    """Declare a kernel with one signature or a list; plain Python where numba is switched off."""

    def declare(function: Any) -> Any:
        if config.DISABLE_JIT:  # type: ignore[attr-defined]
            return function
        made = Kernel(function, signatures if isinstance(signatures, list) else [signatures])
        made.enable_caching()
        _declared.append(made)
        return made

    return declare


def part(signatures: Any) -> Callable[[Any], Any]:
    """Declare what only kernels call."""

    def declare(function: Any) -> Any:
        if config.DISABLE_JIT:  # type: ignore[attr-defined]
            return function
        made = Part(function, signatures if isinstance(signatures, list) else [signatures])
        _declared.append(made)
        return made

    return declare


def prepare_all(package: Any) -> Iterator[tuple[int, int, str]]:
    """Compile or load all kernels of a package, module after module; before each one yield how far it is.

    Yields
    ------
    done, total, module
        In the unit of `Kernel.weight`; the last is (total, total, "").
    """
    found = _kernels_of(package)
    total, done = sum(one.weight for one in found), 0
    with _seldom_collecting() if not is_complete() else contextlib.nullcontext():
        for one in found:
            yield done, total, one.py_func.__module__.rpartition(".")[2]
            if not isinstance(one, Part):  # a part is compiled with what calls it
                one.prepare()
            done += one.weight
    if not is_complete():
        note_complete()
    yield total, total, ""


def compile_from_the_end(package: str) -> None:
    """Compile all kernels of the package of that name in the other order, for a process beside that of `prepare_all`.

    What one of the two has compiled the other loads, so that both are done where they meet.
    """
    with _seldom_collecting():
        for one in reversed(_kernels_of(importlib.import_module(package))):
            if not isinstance(one, Part):
                one.prepare()


def _kernels_of(package: Any) -> list[Kernel]:
    names = [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
    for name in names:
        importlib.import_module(name)
    return [one for one in _declared if one.py_func.__module__ in names]


@contextlib.contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Look for garbage less often: a tenth of the time in which all kernels are compiled, for a tenth of the memory."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 5, 5)
    try:
        yield
    finally:
        gc.set_threshold(*before)
