"""What an export wrote."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..base.errors import Notice


@dataclass(frozen=True)
class Exported:
    """The files of an export, the one that the user named first; `left` names former files that are still there."""

    files: tuple[Path, ...]
    left: tuple[Notice, ...] = ()
