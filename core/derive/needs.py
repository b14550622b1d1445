"""Which columns of the data a recipe needs."""

from __future__ import annotations

from typing import Literal

from core.microdata.variables import Metadata
from core.recipe.model import Recipe

Which = Literal["keys", "all"]


def needed_columns(recipe: Recipe, metadata: Metadata, which: Which) -> tuple[str, ...]:
    """Names of the categorical columns to encode, in file order.

    ``keys``: variables of combinations and measures, what is suppressed with them, and what is recoded. ``all``:
    every categorical variable besides.
    """
    needed = {name for combination in recipe.combinations for name in combination.variables}
    needed.update(name for measure in recipe.measures for name in measure.variables)
    needed.update(recode.variable for recode in recipe.recodes)
    if which == "all":
        needed.update(v.name for v in metadata.variables if v.categorical and v.role != "weight")
    pending = list(needed)
    while pending:
        name = pending.pop()
        related = metadata[name].related if name in metadata else None
        if related and related not in needed:
            needed.add(related)
            pending.append(related)
    return tuple(name for name in metadata.names if name in needed)
