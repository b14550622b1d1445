"""Numba kernels: plain arrays in, plain arrays out, nogil, cached, no fastmath."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from numba.core.caching import Cache

_save = Cache.save_overload


def _save_where_possible(cache: Any, signature: Any, compiled: Any) -> None:
    """Keep a compiled kernel for the next start; where there is no room for it, this run goes on all the same."""
    try:
        _save(cache, signature, compiled)  # type: ignore[no-untyped-call]
    except OSError:
        # the index is written before the code: it must not name older code that is still there
        with contextlib.suppress(OSError):
            Path(cache._cache_file._index_path).unlink()


Cache.save_overload = _save_where_possible  # type: ignore[method-assign]
