"""Which columns of the data a recipe needs."""

from __future__ import annotations

from typing import Literal

from ..data.variables import Metadata
from ..formats.preview import preview
from ..recipe.declared import measured_variables
from ..recipe.in_parts import of_first
from ..recipe.model import Recipe
from ..recipe.scenarios import taken_measures
from .perturbed_columns import names_of_perturbed

Which = Literal["keys", "telling", "all"]

SAMPLE = 1000
"""First records by which a variable is taken as nearly unique: more than half of them differ."""


def needed_columns(recipe: Recipe, metadata: Metadata, which: Which) -> tuple[str, ...]:
    """Names of the categorical columns to encode, in file order.

    ``keys``: variables of combinations and measures, what is suppressed with them, and what is recoded or perturbed.
    ``telling``: besides, released categorical variables that may give a suppressed value away; nearly unique ones
    (identifiers, amounts) are left out, because too few records share a value. ``all``: every categorical variable.
    """
    used = {name for combination in recipe.combinations for name in combination.looked_at}
    used.update(name for each in taken_measures(recipe) for _key, name in measured_variables(each, keys=True))
    used.update(recode.variable for recode in recipe.recodes)
    used.update(name for spec in recipe.derived for name in spec.sources)
    used.update(name for name in names_of_perturbed(recipe, metadata) if metadata[name].categorical)
    needed = set(used)
    if which != "keys":
        needed.update(v.name for v in metadata.variables if v.categorical and v.role != "weight")
    if which == "telling":
        needed -= hidden_variables(metadata) | _nearly_unique(recipe, metadata)
        needed |= used
    return _with_related(needed, metadata)


def hidden_variables(metadata: Metadata) -> set[str]:
    """Variables that no safe file contains."""
    return {v.name for v in metadata.variables if v.removed or v.role == "direct-identifier"}


def _nearly_unique(recipe: Recipe, metadata: Metadata) -> set[str]:
    data = of_first(recipe.input).data
    if data is None:
        return set()
    first = preview(data, metadata, SAMPLE)
    by_name = dict(zip(first.header, zip(*first.rows, strict=False), strict=False))
    return {name for name, texts in by_name.items() if len(texts) >= SAMPLE and len(set(texts)) > len(texts) / 2}


def _with_related(needed: set[str], metadata: Metadata) -> tuple[str, ...]:
    """`needed` and what is suppressed with it, in file order."""
    pending = list(needed)
    while pending:
        name = pending.pop()
        related = metadata[name].related if name in metadata else None
        if related and related not in needed:
            needed.add(related)
            pending.append(related)
    return tuple(name for name in metadata.names if name in needed)
