"""Memory that this process no longer uses, given back to the system."""

from __future__ import annotations

import ctypes
import sys


def trim_heap() -> None:
    """Give back what was freed and is still held for later: after much was done in arrays of moderate size it is much.

    Asks the C library of Linux, which keeps it; others give it back by themselves, or cannot be asked.
    """
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
