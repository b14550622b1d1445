"""Kernels that come with the program are used where the machine can run them, and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from numba.core import config

from core.kernels import cache


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of shipped kernels."""
    with monkeypatch.context() as changed:
        changed.setenv("PAVO_COMPILED", str(tmp_path))
        for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
            changed.setenv(name, "")  # so that it is put back
            changed.delenv(name)
        yield tmp_path
    config.reload_config()


def _choose(folder: Path, said: str) -> tuple[str, str | None]:
    (folder / cache.PROCESSOR).write_text(said, "utf-8")
    cache._choose_processor()
    return cache.processor(), os.environ.get("NUMBA_CPU_FEATURES")


def test_code_is_made_for_their_processor_where_this_one_has_all_its_features(shipped: Path) -> None:
    assert _choose(shipped, "generic\n-avx\n") == ("generic", "-avx")
    assert not cache.is_shipped_complete()


def test_a_machine_that_lacks_a_feature_compiles_for_itself(shipped: Path) -> None:
    assert _choose(shipped, "future\n+sse2,+telepathy\n") == ("this machine", None)


def test_a_processor_that_the_user_names_is_kept(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CPU_NAME", "x86-64")
    assert _choose(shipped, "generic\n\n")[1] is None


def test_they_are_complete_where_they_say_so_of_these_very_kernels(
    shipped: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path_factory.mktemp("own")))
    (shipped / cache.STAMP).write_text(cache._state(), "utf-8")
    assert cache.is_shipped_complete()
    assert cache.is_complete()
    (shipped / cache.STAMP).write_text(cache._state().replace("numba ", "numba 0"), "utf-8")
    assert not cache.is_complete()
