"""Kernels are compiled at their first call, for the declared signatures only, and what they call with them."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from numba import types
from numba.core.runtime import _nrt_python
from numba.core.runtime.nrt import rtsys

from core.kernels import cache
from core.kernels.declare import Kernel, kernel, part

pytestmark = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")

_U1 = types.Array(types.uint8, 1, "C", readonly=True)
_U4 = types.Array(types.uint32, 1, "C", readonly=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


@part(types.int64(types.int64))
def twice(x):  # type: ignore[no-untyped-def]
    return 2 * x


def total(values, start):  # type: ignore[no-untyped-def]
    for value in values:
        start += twice(np.int64(value))
    return start


@part(types.Tuple((types.int64[::1], types.int64))())
def made_and_given():  # type: ignore[no-untyped-def]
    made = np.arange(5)
    return made[1:], made.sum()


def holding(values, start):  # type: ignore[no-untyped-def]
    kept = values
    for _ in range(3):
        made, total = made_and_given()
        kept, start = made[1:], start + total + made[0] + kept[0]
    return start


def declare() -> Kernel:
    made: Kernel = kernel([types.int64(values, types.int64) for values in (_U1, _U4)])(total)
    return made


def declare_and_compile() -> Kernel:
    made = declare()
    made.prepare()
    return made


def test_a_kernel_is_compiled_at_its_first_call_for_all_that_is_declared_and_kept(folder: Path) -> None:
    compiled = declare()
    assert len(compiled.signatures) == 0
    assert not list(folder.rglob("*.nbc"))
    assert compiled(np.array([1, 2], np.uint8), 1) == 7
    assert len(compiled.signatures) == 2
    assert len(list(folder.rglob("*.nbc"))) == 2
    with pytest.raises(TypeError, match="No matching definition"):
        compiled(np.array([1.5]), 1)
    assert twice(4) == 8  # from Python, a part is the plain function
    again = declare()
    assert again(np.array([2**31], np.uint32), 0) == 2**32
    assert sum(again.stats.cache_hits.values()) == 2


def test_references_are_counted_only_where_arrays_are_made_and_then_all_are_given_back() -> None:
    assert not any("NRT_" in code for code in declare_and_compile().inspect_llvm().values())
    kept: Kernel = kernel(types.int64(types.Array(types.int64, 1, "C"), types.int64))(holding)
    values = np.array([7, 8])
    _nrt_python.memsys_enable_stats()
    references, before = sys.getrefcount(values), rtsys.get_allocation_stats()
    assert [kept(values, start) for start in (0, 100)] == [3 * 10 + 3 * 1 + 7 + 2 + 2, 100 + 3 * 10 + 3 * 1 + 7 + 2 + 2]
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert sys.getrefcount(values) == references
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free > 0


def test_a_part_has_no_machine_code_of_its_own() -> None:
    declare_and_compile()
    (made,) = twice.overloads.values()
    assert made.library.get_pointer_to_function(made.fndesc.llvm_func_name) == 0


def test_threads_that_call_at_once_get_the_same_results() -> None:
    compiled = declare()
    results: list[int] = []
    work = [
        threading.Thread(target=lambda: results.append(compiled(np.arange(9, dtype=np.uint32), 1))) for _ in range(4)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert results == [73] * 4


def test_it_is_said_once_that_something_must_be_compiled() -> None:
    told: list[str] = []
    cache.tell_when_compiling(lambda: told.append("compiling"))
    try:
        declare()(np.array([1], np.uint8), 0)
        declare()(np.array([1], np.uint8), 0)
        assert told == ["compiling"]
        cache.tell_when_compiling(lambda: told.append("again"))
        declare()(np.array([1], np.uint8), 0)
        assert told == ["compiling"]
    finally:
        cache.tell_when_compiling(None)


def test_kernels_that_come_with_the_program_are_taken_and_the_folder_is_left_alone(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare()(np.array([1], np.uint8), 0)
    (made,) = {file.parent for file in folder.rglob("*.nbc")}
    shipped = made.rename(folder / "kernels")
    before = sorted(shipped.iterdir())
    own = tmp_path_factory.mktemp("own")
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(own))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(own))
    monkeypatch.setenv("PAVO_COMPILED", str(folder))
    taken = declare()
    assert taken(np.array([3], np.uint8), 0) == 6
    assert sum(taken.stats.cache_hits.values()) == 2
    assert not list(own.rglob("*.nbc"))
    assert sorted(shipped.iterdir()) == before


def test_a_folder_is_complete_for_these_kernels_and_this_processor_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not cache.is_complete()
    cache.note_complete()
    assert cache.is_complete()
    with monkeypatch.context() as other:
        other.setattr(cache, "fingerprint", lambda: "other sources")
        assert not cache.is_complete()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder / "elsewhere"))
    assert not cache.is_complete()
    monkeypatch.setenv("PAVO_COMPILED", str(folder))
    assert cache.is_complete()
    monkeypatch.delenv("PAVO_COMPILED")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert cache.is_complete()  # nothing is kept
