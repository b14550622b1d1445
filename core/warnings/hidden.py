"""A warning of records that only members of their own household make safe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.errors import Notice
from ..base.texts import plural
from ..recipe.model import Recipe

HIDDEN = "hidden-by-household"


def hidden_households(recipe: Recipe, hidden: Mapping[int, int]) -> Iterator[Notice]:
    """One warning for each combination with such records.

    Parameters
    ----------
    hidden : their number by place of the combination
    """
    for index, records in hidden.items():
        if not records:
            continue
        text = plural(
            records,
            "{n} record of {combination} is safe only because members of its own household share its key. Counted by "
            "households, it is unsafe. Recode more coarsely or choose a stricter threshold.",
            "{n} records of {combination} are safe only because members of their own household share their key. "
            "Counted by households, they are unsafe. Recode more coarsely or choose a stricter threshold.",
        )
        yield Notice.of(HIDDEN, text, n=records, combination=" x ".join(recipe.combinations[index].variables))
