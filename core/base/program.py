"""How the program is there: installed, frozen with all it needs, or as its sources."""

from __future__ import annotations

import os
import sys


def is_installed() -> bool:
    """Whether this is an installed program and not its sources."""
    return bool(getattr(sys, "frozen", False))


def called() -> str:
    """How it is called on a command line."""
    return "pavo" if is_installed() else "main.py"


def leave_library_path() -> None:
    """Let programs that are started from here, such as a browser, find the system's libraries and not those of Pavo.

    On Linux it is started with its own folder in ``LD_LIBRARY_PATH``, which the loader has read by now.
    """
    if is_installed() and sys.platform.startswith("linux"):
        before = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
        os.environ.pop("LD_LIBRARY_PATH", None)
        if before:
            os.environ["LD_LIBRARY_PATH"] = before
