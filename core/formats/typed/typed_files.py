"""Typed files as one more format beside the text formats: what `core.formats.registry` asks of a module."""

from __future__ import annotations

from core.formats.typed.reading import read, read_numeric
from core.formats.typed.writing import safe_layout, write

__all__ = ["read", "read_numeric", "safe_layout", "write"]
