"""What every test stands on: where data is, which platform Qt uses, where compiled kernels are kept."""

from __future__ import annotations

import gc
import hashlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.loopback import refused

REPO = Path(__file__).resolve().parent.parent


def _refuse_connections(event: str, arguments: tuple[Any, ...]) -> None:
    """No test reaches a network; sockets in the file system are what processes of one machine talk by."""
    wrong = refused(event, arguments)
    if wrong is not None:
        raise pytest.fail.Exception(wrong)


sys.addaudithook(_refuse_connections)


def _kernel_fingerprint() -> str:
    """Hash of all kernel sources: numba's own check overlooks a change in a function called from another file."""
    digest = hashlib.sha256()
    for source in sorted((REPO / "core" / "kernels").glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


os.environ.setdefault("NUMBA_CACHE_DIR", str(REPO / ".cache" / "numba" / _kernel_fingerprint()))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as many tests run at once as there are cores: more would wait

settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), max_examples=30, derandomize=True, print_blob=True)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))


@pytest.fixture(scope="session", autouse=True)
def _heard() -> Iterator[None]:
    """Requests to stop are heard, though the tests may run where they are ignored: under nohup, in the background."""
    usual: dict[str, Any] = {"SIGHUP": signal.SIG_DFL, "SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL}
    numbers = {getattr(signal, name): handler for name, handler in usual.items() if hasattr(signal, name)}
    ignored = [number for number in numbers if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, numbers[number])
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.fixture(scope="session", autouse=True)
def _unsynced() -> Iterator[None]:
    """What tests write is thrown away: none of them waits until it is on the disk."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda _file: None)
        yield


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only the tests of one mark are asked for, modules without any are not imported."""
    mark = config.getoption("markexpr")
    if mark not in ("xvfb", "alone") or not collection_path.name.startswith("test_"):
        return None
    return f"mark.{mark}" not in collection_path.read_text("utf-8") or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a window system where Qt draws into memory."""
    if os.environ["QT_QPA_PLATFORM"] not in ("offscreen", "minimal"):
        return
    skip = pytest.mark.skip(reason="needs a window system: installer/bootstrap.py test runs it under Xvfb")
    for item in items:
        if item.get_closest_marker("xvfb"):
            item.add_marker(skip)


def pytest_collection_finish() -> None:
    """Modules and tests live to the end: no collection of garbage need look through them, test after test."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def repo() -> Path:
    """The project's own folder."""
    return REPO


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference data kept beside the project (or where PAVO_SHARED says); the test is skipped where there is none."""
    folder = Path(os.environ.get("PAVO_SHARED") or REPO.parent / "shared")
    if not (folder / "data").is_dir():
        pytest.skip(f"no reference data in {folder}; set PAVO_SHARED to its folder")
    return folder


@pytest.fixture(scope="session")
def _compiled() -> None:
    """Kernels are compiled, so that a command that is run has nothing to say of that."""
    import core.kernels
    from core.kernels.cache import is_complete
    from core.kernels.declare import prepare_all

    if not is_complete():
        for _ in prepare_all(core.kernels):
            pass


@pytest.fixture(scope="session")
def demo() -> Path:
    """The bundled demonstration survey."""
    return REPO / "resources" / "demo"
