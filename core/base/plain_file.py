"""Opening files that a recipe names: ordinary ones only, since a pipe or a device may never end, or never begin."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from io import FileIO
from pathlib import Path

from .progress import SILENT, Progress
from .texts import mark, translate

LARGEST = 1 << 28
"""Bytes of a small file (recipe, metadata, codelist, recode); no sensible one has as many."""

_BLOCK = 1 << 22
"""Bytes that are read at a time."""


def open_plain(path: Path) -> FileIO:
    """Open an ordinary file for reading, without a buffer; links are followed.

    Raises
    ------
    OSError
        It cannot be opened, or is a pipe, a device or a folder.
    """
    flags = getattr(os, "O_NONBLOCK", 0)  # a pipe that nobody writes to is opened at once, and refused
    file = open(path, "rb", buffering=0, opener=lambda name, usual: os.open(name, usual | flags))  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, translate(mark("it is no ordinary file")))
    return file


def read_plain(path: Path) -> bytes:
    """Content of a small ordinary file.

    Raises
    ------
    OSError
        As `open_plain`, or it is larger than `LARGEST`.
    """
    with open_plain(path) as file:
        if os.fstat(file.fileno()).st_size > LARGEST:
            raise OSError(errno.EFBIG, translate(mark("it is far too large")))
        return file.readall()


def checksum_of(path: Path, progress: Progress = SILENT) -> str:
    """SHA-256 of an ordinary file of any size, hexadecimal.

    Raises
    ------
    OSError
        As `open_plain`.
    """
    digest = hashlib.sha256()
    with open_plain(path) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            progress.check()
    return digest.hexdigest()
