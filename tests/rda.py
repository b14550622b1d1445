"""Metadata files, read without what is to be said of them."""

from __future__ import annotations

from pathlib import Path

from core.data.variables import Metadata
from core.formats.argus.rda import read_rda_with_notices


def read_rda(path: Path) -> Metadata:
    """The metadata of an ``.rda`` or ``.rds`` file."""
    return read_rda_with_notices(path)[0]
