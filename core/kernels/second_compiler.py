"""A second process that compiles kernels while the first one does: set-up and the first start take half the time."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from ..base.child_process import start
from .declare import compile_from_the_end


@contextlib.contextmanager
def compiling_beside() -> Iterator[None]:
    """While this lasts, a process compiles from the other end, where there is a processor for it.

    Not for what is shipped (``SOURCE_DATE_EPOCH``, by which a build says that it can be made again): names in compiled
    code are numbered as it comes, so that only one process gives the same files twice.
    """
    if (os.cpu_count() or 1) < 2 or "SOURCE_DATE_EPOCH" in os.environ:
        yield
        return
    child = start(_compile, __package__)
    try:
        yield
    finally:
        child.kill()  # what it was at, the first one has done meanwhile
        child.join()


def _compile(package: str) -> None:
    if hasattr(os, "nice"):
        os.nice(5)
    compile_from_the_end(package)
