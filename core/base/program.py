"""How the program is there: installed, frozen with all it needs, or as its sources."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator


def is_installed() -> bool:
    """Whether this is an installed program and not its sources."""
    return bool(getattr(sys, "frozen", False))


def called() -> str:
    """How it is called on a command line."""
    return "pavo" if is_installed() else "main.py"


@contextlib.contextmanager
def system_libraries() -> Iterator[None]:
    """Let programs that are started in here, such as a browser, find the system's libraries and not those of Pavo.

    On Linux an installed program runs with its own folder in ``LD_LIBRARY_PATH``; its own child processes need that.
    """
    if not (is_installed() and sys.platform.startswith("linux")):
        yield
        return
    ours = os.environ.pop("LD_LIBRARY_PATH", None)
    before = os.environ.get("LD_LIBRARY_PATH_ORIG")
    if before:
        os.environ["LD_LIBRARY_PATH"] = before
    try:
        yield
    finally:
        os.environ.pop("LD_LIBRARY_PATH", None)
        if ours is not None:
            os.environ["LD_LIBRARY_PATH"] = ours
