"""Typed files as one more format beside the text formats: what `core.io.files` asks of a module."""

from __future__ import annotations

from core.io.typed_reading import read, read_numeric
from core.io.typed_writing import safe_layout, write

__all__ = ["read", "read_numeric", "safe_layout", "write"]
