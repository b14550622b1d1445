"""What tells one version of the kernels from another; imports nothing that is slow."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path


@functools.cache
def fingerprint() -> str:
    """Hash of all kernels' sources. A kernel takes in those that it calls, so a change in one makes all others."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
