"""Demodata as encoded columns, for tests of suppression."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.columns import EncodedColumn, Weights
from core.formats.registry import read
from core.metadata.describe import describe
from core.recipe.model import Input, Recode
from core.recoding.recode import recode

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def column(name: str, values: NDArray[np.integer], n_valid: int, missing: tuple[str, ...] = ("x",)) -> EncodedColumn:
    """An encoded column of integer codes; values >= n_valid are missing."""
    codes = tuple(str(code) for code in range(n_valid)) + missing
    stored = values.astype(np.uint8 if len(codes) < 256 else np.uint32)
    return EncodedColumn(name, stored, codes, codes, np.bincount(stored, minlength=len(codes)), n_valid, 4)


def load(folder: Path, recoded: bool) -> tuple[dict[str, EncodedColumn], Weights]:
    """The four keys, raw or after Region.grc and Age.grc, and the weights."""
    metadata = describe(Input(folder / "Demodata.asc", folder / "Demodata.rda"))
    found = read(folder / "Demodata.asc", metadata, (*KEYS, "WEIGHT"))
    columns = dict(found.columns)
    for name, file in (("REGION", "Region.grc"), ("AGE", "Age.grc")):
        if recoded:
            columns[name] = recode(columns[name], Recode(name, folder / file), metadata[name]).column
    assert found.weights is not None
    return columns, found.weights
