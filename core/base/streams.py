"""Standard output and standard error, which may be full, closed, or read by somebody who has seen enough."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sys
from typing import TextIO

_COMMANDS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters but for the end of a line, and marks that turn the direction of a text."""
_LINE_FEED = r"\u000a"


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


def write_error(text: str, before: str = "") -> None:
    """Write to standard error where there is one that takes it: there is no other place to complain of that.

    Names and codes of files are in the text. What a terminal would carry out, or show in another order, is written as
    its number; only `before`, a control sequence of the program itself, is not.
    """
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(before + _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
        sys.stderr.flush()
    except OSError:
        _give_up(sys.stderr)


def complain(sentence: str) -> None:
    """Write one line to standard error: a name with the end of a line in it would begin another one."""
    line = sentence.replace("\n", _LINE_FEED)
    write_error(f"pavo: {line}\n")


def _reader_is_gone(error: OSError) -> bool:
    """Whether the reader of the pipe has ended, which Windows reports as an invalid argument."""
    return error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL)


def _give_up(stream: TextIO) -> None:
    """Let what is still in the stream's buffer go nowhere: at its end the interpreter tries it once more."""
    with contextlib.suppress(OSError, ValueError):  # what stands in for a stream may have no number
        number, nowhere = stream.fileno(), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
