"""How kernels are compiled: a part is only translated, and optimised together with the kernels that call it.

numba alone would optimise each part and make machine code of it, and do both again in every kernel that calls it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from llvmlite.binding import ffi
from numba.core import ir, typed_passes, types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typing.context import Context

_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.InlineOverloads,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
)
"""numba's own for its `nopython` mode, in their order, without those for what no kernel uses: `with`, closures that
are values, exceptions with variable arguments, calls to be inlined, `literally`, unrolled tuples."""


def _variables(_: Any, value: Any) -> list[ir.Var]:
    """As numba lists the variables of an instruction: asked a hundred thousand times, and here without detours."""
    kind = type(value)
    if kind is ir.Var:
        return [value]
    if kind is dict or kind is tuple or kind is list:
        found = []
        for one in value.values() if kind is dict else value:
            if type(one) is ir.Var:
                found.append(one)
            elif isinstance(one, (ir.Inst, dict, tuple, list)):
                found += _variables(_, one)
        return found
    return value.list_vars() if isinstance(value, ir.Inst) else []  # type: ignore[no-untyped-call]


ir.Inst._rec_list_vars = _variables  # type: ignore[method-assign]


def _call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """As numba finds the signature of a call, once for the same arguments: translating asks again what typing knows."""
    if kws:
        return _found_call_type(self, context, args, kws)
    known = self.__dict__.setdefault("_known", {})
    asked = tuple(args)
    if asked not in known:
        known[asked] = _found_call_type(self, context, args, kws)
    return known[asked]


_found_call_type = types.BaseFunction.get_call_type
types.BaseFunction.get_call_type = _call_type  # type: ignore[method-assign]

for _told in list(ffi.lib._lock._cblist):  # whom numba tells of each call of LLVM, for times that nobody asks for
    ffi.unregister_lock_callback(*_told)


class _Library(JITCodeLibrary):
    """The code of a kernel, into which that of all parts is linked once."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Only as far as makes the rest quicker, and by one manager."""
        ll_module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager(opt=1)  # type: ignore[no-untyped-call]
        for function in ll_module.functions:
            manager.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Once: numba does it twice, to find more references that need no counting, of which there are few here."""
        manager, builder = self._codegen._module_pass_manager()  # type: ignore[no-untyped-call]
        manager.run(self._final_module, builder)

    def finalize(self) -> None:
        """Link everything that is called, directly or not, before this is optimised."""
        self._linking_libraries = _reached(self)
        super().finalize()  # type: ignore[no-untyped-call]


class _PartLibrary(_Library):
    """The code of a part: never run by itself."""

    def finalize(self) -> None:
        self._raise_if_finalized()  # type: ignore[no-untyped-call]
        self._finalized = True


def _reached(library: Any) -> list[Any]:
    found: dict[Any, None] = {}
    waiting = list(library._linking_libraries)
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found[one] = None
            if isinstance(one, _PartLibrary):
                waiting += one._linking_libraries
    return list(found)


class _Flags(Flags):
    """How all kernels are compiled; never changed.

    Half of what numba does to find out types is to compare flags, as these are part of the names of what it knows.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other or bool(super().__eq__(other))  # type: ignore[no-untyped-call]

    def __hash__(self) -> int:
        return _HASH

    def copy(self) -> _Flags:
        """Itself."""
        return self


_HASH = hash(Flags())  # type: ignore[no-untyped-call]
_flags: dict[Flags, _Flags] = {}


def _nothing() -> None:
    pass


_sizes: dict[str, int] = {}


def _size_of(found: Callable[[Any], int], kind: Any) -> int:
    """Size of a value of LLVM's type `kind` in bytes; numba writes and reads a module each time it asks for one."""
    name = str(kind)
    if name not in _sizes:
        _sizes[name] = found(kind)
    return _sizes[name]


class _Typing(Context):
    """numba's knowledge of types, with a memory of what operators and functions give for which arguments.

    numba asks all of the dozens of definitions of an addition anew at every addition.
    """

    def __init__(self, shared: Context) -> None:
        self.__dict__.update(vars(shared))
        self._found: dict[Any, Any] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        if kws or not callable(func):
            return super().resolve_function_type(func, args, kws)  # type: ignore[no-untyped-call]
        asked = func, tuple(args)
        if asked not in self._found:
            found = super().resolve_function_type(func, args, kws)  # type: ignore[no-untyped-call]
            if found is None:
                return None
            self._found[asked] = found
        return self._found[asked]

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """The same of ``target[index] = value``."""
        return self.resolve_function_type(self.resolve_value_type(operator.setitem), (target, index, value), {})  # type: ignore[no-untyped-call]


@functools.cache
def _remembering(typing: Context) -> _Typing:
    return _Typing(typing)


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _Lowering(typed_passes.NativeLowering):
    """Translate into LLVM's language, with references counted only where an array is made."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        target = state.targetctx.subtarget(enable_nrt=_makes_arrays(state))
        target.refresh()
        target.refresh = _nothing  # numba looks for news at every item that is set
        target.get_abi_sizeof = functools.partial(_size_of, target.get_abi_sizeof)
        state.targetctx = target
        return bool(super().run_pass(state))  # type: ignore[no-untyped-call]


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _PartLowering(_Lowering):
    """The same without an entry from Python."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        flags: Any = Flags(state.flags)  # type: ignore[no-untyped-call]
        flags.no_compile = flags.no_cpython_wrapper = True
        state.flags = flags
        return super().run_pass(state)


_VIEWS = {
    "getitem", "static_getitem", "typed_getitem", "getattr", "cast", "build_tuple", "phi",
    "getiter", "iternext", "pair_first", "pair_second", "exhaust_iter",
}  # fmt: skip
"""What gives an array, or a part of one, that something else holds as long as the function runs."""


def _makes_arrays(state: Any) -> bool:
    """Whether a function calls or computes anything that gives a new array, or gives one back."""

    def is_counted(value: types.Type) -> bool:
        return bool(state.targetctx.data_model_manager[value].contains_nrt_meminfo())

    def makes(one: Any) -> bool:
        if isinstance(one, (ir.SetItem, ir.StaticSetItem)):  # where the two overlap, numba copies one
            return is_counted(state.typemap[one.value.name])
        is_view = not isinstance(one, ir.Assign) or not isinstance(one.value, ir.Expr) or one.value.op in _VIEWS
        return not is_view and is_counted(state.typemap[one.target.name])

    return is_counted(state.return_type) or any(
        makes(one) for block in state.func_ir.blocks.values() for one in block.body
    )


class KernelCompiler(CompilerBase):
    """numba's compiler for the code of kernels."""

    library: type[_Library] = _Library
    lowering: Any = _Lowering

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Flags, names: Any
    ) -> None:
        flags = _flags.setdefault(flags, _Flags(flags))  # type: ignore[no-untyped-call]
        super().__init__(_remembering(typing), target, library, args, result, flags, names)  # type: ignore[no-untyped-call]
        self.state.library = self.library(self.state.targetctx.codegen(), "kernel")
        self.state.library.enable_object_caching()

    def define_pipelines(self) -> list[PassManager]:
        """What is done, in order."""
        manager: Any = PassManager("kernel")  # type: ignore[no-untyped-call]
        for one in (*_PASSES, self.lowering, typed_passes.NoPythonBackend):
            manager.add_pass(one)
        manager.finalize()
        return [manager]


class PartCompiler(KernelCompiler):
    """numba's compiler for the code of parts."""

    library = _PartLibrary
    lowering = _PartLowering
