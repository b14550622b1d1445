"""Standard output and standard error, which may be full, closed, or read by somebody who has seen enough."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import TextIO


def write_out(text: str) -> str | None:
    """Write to standard output, as UTF-8, and see that it arrives; what the system says against that, None if nothing.

    A stream that was closed by who started the program, and a reader that has seen enough, are nothing to say.
    """
    if sys.stdout is None:
        return None
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        _give_up(sys.stdout)
        return None if _reader_is_gone(error) else error.strerror or str(error)
    return None


def write_error(text: str) -> None:
    """Write to standard error where there is one that takes it: there is no other place to complain of that."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _give_up(sys.stderr)


def _reader_is_gone(error: OSError) -> bool:
    """Whether the reader of the pipe has ended, which Windows reports as an invalid argument."""
    return error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL)


def _give_up(stream: TextIO) -> None:
    """Let what is still in the stream's buffer go nowhere: at its end the interpreter tries it once more."""
    with contextlib.suppress(OSError, ValueError):  # what stands in for a stream may have no number
        number, nowhere = stream.fileno(), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
