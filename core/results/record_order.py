"""The order in which the records of the safe file are written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .drawing import order_seed, sources_of
from .households import members_apart
from .results import RecodedData


def record_order(derived: RecodedData) -> NDArray[np.int64] | None:
    """A seeded random order of the records; None where none is asked for.

    Households come in random order, their members side by side in random order; apart only where the identifier is
    removed and the recipe does not keep them together.
    """
    return shuffled(derived) if derived.recipe.output.shuffle else None


def shuffled(derived: RecodedData) -> NDArray[np.int64]:
    """The random order that the recipe's ``[output]`` gives with ``shuffle = true``."""
    # With the seed alone, often the default, anybody could put the records back: the checksum only the house knows.
    seed = order_seed(derived.recipe, sources_of(derived))
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    order: NDArray[np.int64] = random.permutation(derived.microdata.records)
    if not blocks_of_households(derived):
        return order
    assert derived.households is not None, "asked above"
    place = random.permutation(len(derived.households))
    return order[np.argsort(place[derived.households.household_of_record[order]], kind="stable")]


def blocks_of_households(derived: RecodedData) -> bool:
    """Whether the members of a household stand side by side in the random order."""
    recipe = derived.recipe
    return derived.households is not None and not members_apart(
        recipe.with_(output=replace(recipe.output, shuffle=True))
    )
