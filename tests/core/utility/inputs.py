"""Small variables and files to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.data.columns import EncodedColumn
from core.utility.compared import ComparedFile, ComparedVariable


def column(name: str, texts: Sequence[str], missing: str = "") -> EncodedColumn:
    """A column of these texts, `missing` among them the missing code."""
    codes = (*sorted(set(texts) - {missing}), missing)
    values = np.array([codes.index(text) for text in texts], np.uint32)
    counts = np.bincount(values, minlength=len(codes))
    return EncodedColumn(name, values, codes, codes, counts, len(codes) - 1, max(map(len, codes)))


def variable(
    name: str, before: Sequence[object], after: Sequence[object] | None = None, number: bool = False
) -> ComparedVariable:
    """A variable before and after; None and "" are missing."""
    texts = [
        ["" if each is None else str(each) for each in side] for side in (before, before if after is None else after)
    ]
    return ComparedVariable(column(name, texts[0]), column(name, texts[1]), number)


def file(*variables: ComparedVariable, weights: object = None, released: object = None) -> ComparedFile:
    """A file of these variables."""
    found = ComparedFile({each.name: each for each in variables}, len(variables[0].before.values))
    if weights is None:
        return found
    both = np.asarray(weights, float), np.asarray(weights if released is None else released, float)
    return replace(found, weights=both)
