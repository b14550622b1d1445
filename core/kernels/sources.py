"""What tells one version of the kernels from another; imports nothing that is slow."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest_of(sources: Iterable[Path]) -> str:
    """Hash of these files one after the other, whatever line ends a checkout gave them."""
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


@functools.cache
def fingerprint() -> str:
    """Hash of all kernels' sources. A kernel takes in those that it calls, so a change in one makes all others."""
    return digest_of(sorted(Path(__file__).parent.glob("*.py")))
