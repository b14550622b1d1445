"""The reference files, read the way a session reads them (Demodata) or plainly (small csv files)."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from core.data.columns import EncodedColumn, Microdata, Weights
from core.data.variables import Metadata
from core.formats.text.fixed import read
from core.recipe.model import Recode
from core.recoding.recode import recode
from tests.rda import read_rda

TWELVE_DIGITS = 5e-12
"""Largest relative rounding of a figure given with twelve significant digits, as the json files give theirs."""

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def golden(shared: Path, name: str) -> Any:
    """The values of a json file of figures measured on another program."""
    return json.loads((shared / "golden" / name).read_text(encoding="utf-8"))["values"]


def demodata(shared: Path) -> tuple[Metadata, Microdata]:
    """Demodata with all categorical variables."""
    folder = shared / "data" / "demodata"
    metadata = read_rda(folder / "Demodata.rda")
    names = [v.name for v in metadata.variables if v.categorical or v.role == "weight"]
    return metadata, read(folder / "Demodata.asc", metadata, names)


def recoded(shared: Path) -> tuple[dict[str, EncodedColumn], Weights]:
    """Demodata's columns after Region.grc and Age.grc, and the weights."""
    metadata, microdata = demodata(shared)
    columns = dict(microdata.columns)
    for name, scheme in (("REGION", "Region.grc"), ("AGE", "Age.grc")):
        spec = Recode(name, scheme_file=shared / "data" / "demodata" / scheme)
        columns[name] = recode(columns[name], spec, metadata[name]).column
    assert microdata.weights is not None
    return columns, microdata.weights


def small_file(
    path: Path, names: Sequence[str], weight: str | None = None
) -> tuple[list[EncodedColumn], Weights | None]:
    """Key variables of a csv file (an empty field is missing) and its weights."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = []
    for name in names:
        codes = (*sorted({row[name] for row in rows} - {""}), "")
        values = np.array([codes.index(row[name]) for row in rows], np.uint8)
        counts = np.bincount(values, minlength=len(codes))
        columns.append(EncodedColumn(name, values, codes, codes, counts, len(codes) - 1, 1))
    if weight is None:
        return columns, None
    return columns, Weights((np.array([int(Decimal(row[weight]) * 100) for row in rows], np.int64),), (2,))
