"""Memory that the libraries need which write a file as a whole, asked for before they begin."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from ..base.errors import OutputError
from ..base.texts import mark
from .typed.columns import TypedFile

_NUMBER, _TEXT, _TEXT_BYTE = 18, 85, 3.5
"""Bytes that pyreadstat's writer was seen to take for a number, for a text, and for each byte of its column's width."""


def needed_bytes(file: TypedFile) -> int:
    """What writing all records of `file` at once takes, about."""
    each = sum(_TEXT + _TEXT_BYTE * field.width if field.is_text else _NUMBER for field in file.fields)
    return int(each * file.records)


def available_bytes() -> int | None:
    """Memory that can be had now; None where the system does not say."""
    if sys.platform == "win32":
        return _windows()
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


def _windows() -> int | None:
    """What GlobalMemoryStatusEx calls available physical memory: the second of seven numbers behind two short ones."""
    status = (ctypes.c_uint64 * 8)()
    status[0] = ctypes.sizeof(status)
    told: bool = ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status))  # type: ignore[attr-defined,unused-ignore]
    return int(status[2]) if told else None


def check_memory(file: TypedFile, kind: str) -> None:
    """Refuse to write what cannot fit.

    Raises
    ------
    OutputError
        ``typed-memory``, with what is needed and what there is.
    """
    needed, available = needed_bytes(file), available_bytes()
    if available is not None and needed > available:
        raise OutputError(
            "typed-memory",
            mark("Writing {records} records as {kind} takes about {needed} MB of memory, and {available} MB are free."),
            mark("Write csv, Parquet or dta, which are written in parts, or close other programs."),
            records=file.records,
            kind=kind,
            needed=needed >> 20,
            available=available >> 20,
        )
