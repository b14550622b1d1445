"""What a method of perturbation is given, made of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from core.base.progress import SILENT
from core.data.variables import Metadata, Variable
from core.perturbation.method import PerturbationInput
from core.perturbation.registry import REGISTRY
from core.recipe.model import Output, Perturbation
from core.results.drawing import noise_seed
from tests.core.perturbation.test_numbers import column


def given_of(
    method: str,
    texts: Mapping[str, Sequence[str]],
    strata: Sequence[int] | None = None,
    households: Sequence[int] | None = None,
    shared: Sequence[str] = (),
    **said: Any,
) -> PerturbationInput:
    """The input of an entry that says `said`; `shared`: household variables. "99" and "98" are missing."""
    entry = Perturbation(method, tuple(texts), tuple(sorted(said.items())))
    columns = {name: replace(column(list(each)), name=name) for name, each in texts.items()}
    variables = tuple(Variable(name, numeric=True, household=name in shared) for name in texts)
    return PerturbationInput(
        columns,
        Metadata("delimited", variables),
        REGISTRY[method].DECLARATION.used(entry),
        partial(noise_seed, Output(), data="ab" * 32),
        SILENT,
        entry,
        strata=None if strata is None else np.array(strata, np.int64),
        households=None if households is None else np.array(households, np.int64),
    )
