"""``[[numeric]]``: numerical variables as the safe file has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.data.variables import Metadata, Variable
from core.formats.registry import read_again
from core.recipe.available import written_format
from core.recipe.model import Recipe
from core.recoding.numerical import modify, places, plain
from core.results.drawing import noise_seed
from core.results.released_columns import after_suppression
from core.results.results import Results


def modified_columns(
    derived: Results, suppressed: Mapping[str, NDArray[np.bool_]], progress: Progress = SILENT
) -> dict[str, EncodedColumn]:
    """The variables of ``[[numeric]]`` after their changes, suppressed values missing.

    Raises
    ------
    DataError
        A value that is no number, or the file has changed.
    """
    recipe, metadata = derived.recipe, derived.metadata
    names = [spec.variable for spec in recipe.numeric]
    if not names:
        return {}
    originals = read_again(derived.microdata.source, as_codes(metadata, names), names, progress).columns
    numbers = written_format(recipe.output.data, metadata.format) not in ("fixed", "delimited")
    found = {}
    for spec in recipe.numeric:
        before, variable = after_suppression(originals[spec.variable], suppressed), metadata[spec.variable]
        seed = noise_seed(recipe.output, spec, derived.microdata.source.sha256)
        after = modify(before, spec, variable, decimal=metadata.decimal, seed=seed, progress=progress)
        found[spec.variable] = plain(after, metadata.decimal) if numbers else after
    return found


def as_codes(metadata: Metadata, names: list[str]) -> Metadata:
    """`metadata` with the variables `names` read as codes, whatever else they are."""
    variables = tuple(replace(v, categorical=True) if v.name in names else v for v in metadata.variables)
    return replace(metadata, variables=variables)


def with_decimals(variable: Variable, recipe: Recipe) -> Variable:
    """`variable` with room for the decimals that rounding gives it."""
    bases = [spec.round for spec in recipe.numeric if spec.variable == variable.name and spec.round is not None]
    return replace(variable, decimals=max([variable.decimals, *map(places, bases)])) if bases else variable
