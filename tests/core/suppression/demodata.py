"""Demodata as encoded columns, for tests of suppression."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.microdata.columns import EncodedColumn, Weights

FIELDS = {"REGION": (0, 4), "SEX": (4, 5), "AGE": (5, 7), "MARSTAT": (7, 8)}
KEYS = tuple(FIELDS)


def column(name: str, values: NDArray[np.integer], n_valid: int, missing: tuple[str, ...] = ("x",)) -> EncodedColumn:
    """An encoded column of integer codes; values >= n_valid are missing."""
    codes = tuple(str(code) for code in range(n_valid)) + missing
    stored = values.astype(np.uint8 if len(codes) < 256 else np.uint32)
    return EncodedColumn(name, stored, codes, codes, np.bincount(stored, minlength=len(codes)), n_valid, 4)


def load(folder: Path, recoded: bool) -> tuple[dict[str, EncodedColumn], Weights]:
    """The four keys, raw or after Region.grc and Age.grc, and the weights."""
    lines = (folder / "Demodata.asc").read_bytes().splitlines()
    columns = {}
    for name, (start, stop) in FIELDS.items():
        values = np.array([int(line[start:stop]) for line in lines])
        if recoded and name == "REGION":
            values = np.minimum((values - 1) // 10, 17)
        if recoded and name == "AGE":
            values = np.searchsorted([20, 30, 40, 50, 60], values, side="left")
        found, index = np.unique(values, return_inverse=True)
        columns[name] = column(name, index, len(found))
    limbs = np.array([round(float(line[43:49]) * 100) for line in lines], np.int64)
    return columns, Weights((limbs,), (2,))
