"""Two processes compile all kernels between them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from numba import types

import core.kernels
from core.kernels import declare, second_compiler
from core.kernels.declare import Kernel, kernel

pytestmark = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")

_ASKED = types.int64(types.Array(types.int64, 1, "C", readonly=True))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("PAVO_COMPILED", raising=False)
    return tmp_path


def first(values):  # type: ignore[no-untyped-def]
    return values[0]


def last(values):  # type: ignore[no-untyped-def]
    return values[-1]


def declared() -> list[Kernel]:
    return [kernel(_ASKED)(one) for one in (first, last)]


def test_what_was_compiled_from_the_end_is_loaded_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(Kernel, "compile", _noting(order))
    there, here = declared(), declared()
    monkeypatch.setattr(declare, "_kernels_of", lambda _package: there)
    declare.compile_from_the_end("core.kernels")
    assert order == ["last", "first"]
    monkeypatch.setattr(declare, "_kernels_of", lambda _package: here)
    told = list(declare.prepare_all(core.kernels))
    assert [done for done, _total, _module in told] == sorted(done for done, _total, _module in told)
    for one in here:
        assert sum(one.stats.cache_hits.values()) == 1
        assert not one.stats.cache_misses
    assert [one(np.array([3, 4])) for one in here] == [3, 4]


def _noting(order: list[str]):  # type: ignore[no-untyped-def]
    compile_one = Kernel.compile

    def compile_and_note(self: Kernel, signature: object) -> object:
        order.append(self.py_func.__name__)
        return compile_one(self, signature)

    return compile_and_note


class _Child:
    """A process that only says what it was asked for."""

    def __init__(self, told: list[str]) -> None:
        self._told = told

    def kill(self) -> None:
        self._told.append("killed")

    def join(self) -> None:
        self._told.append("joined")


@pytest.mark.parametrize(
    ("processors", "epoch", "wanted"),
    [(2, "", ["started", "killed", "joined"]), (1, "", []), (2, "1700000000", [])],
)
def test_a_second_process_compiles_where_there_is_a_processor_for_it_and_nothing_is_shipped(
    processors: int, epoch: str, wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def start(_target: object, package: str) -> _Child:
        assert package == core.kernels.__name__
        told.append("started")
        return _Child(told)

    monkeypatch.setattr(second_compiler, "start", start)
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    if epoch:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(OSError, match="the disk"), second_compiler.compiling_beside():
        raise OSError("the disk")
    assert told == wanted
