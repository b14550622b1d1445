"""Variables of generated and of given numbers, perturbed as a recipe's entry says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT
from core.data.columns import EncodedColumn
from core.data.encoding import smallest_type
from core.data.variables import Metadata, Variable
from core.perturbation.method import PerturbationInput, Perturbed
from core.perturbation.registry import REGISTRY
from core.recipe.model import Output, Perturbation
from core.results.drawing import noise_seed

Floats = NDArray[np.float64]


def encoded(name: str, texts: Sequence[str]) -> EncodedColumn:
    """A variable without missing codes."""
    found, place = np.unique(np.array(texts), return_inverse=True)
    codes = tuple(found.tolist())
    counts = np.bincount(place, minlength=len(codes)).astype(np.int64)
    return EncodedColumn(
        name, place.astype(smallest_type(len(codes))), codes, codes, counts, len(codes), max(map(len, codes))
    )


def written(values: Floats, decimals: int = 0) -> list[str]:
    """Numbers as they stand in a file."""
    return [f"{value:.{decimals}f}" for value in values.tolist()]


def given(method: str, columns: Mapping[str, EncodedColumn], seed: int = 1, **said: Any) -> PerturbationInput:
    """What the method is given for an entry that says `said`, one stratum, no households."""
    entry = Perturbation(method, tuple(columns), tuple(sorted({**said, "seed": seed}.items())))
    return PerturbationInput(
        columns=columns,
        metadata=Metadata("delimited", tuple(Variable(name, numeric=method != "pram") for name in columns)),
        parameters=REGISTRY[method].DECLARATION.used(entry),
        seed=partial(noise_seed, Output(), data="ab" * 32),
        progress=SILENT,
        entry=entry,
    )


def perturbed(method: str, columns: Mapping[str, EncodedColumn], seed: int = 1, **said: Any) -> Perturbed:
    """What the method makes of it."""
    return REGISTRY[method].perturb(given(method, columns, seed, **said))
