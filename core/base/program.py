"""How the program is there: installed, frozen with all it needs, or as its sources."""

from __future__ import annotations

import sys


def is_installed() -> bool:
    """Whether this is an installed program and not its sources."""
    return bool(getattr(sys, "frozen", False))


def called() -> str:
    """How it is called on a command line."""
    return "pavo" if is_installed() else "main.py"
