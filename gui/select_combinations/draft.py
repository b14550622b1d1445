"""What Select Combinations has not committed yet, as plain values in `Document.drafts`, which autosave keeps."""

from __future__ import annotations

from typing import Any

from core.recipe import edits_combinations
from core.recipe.edits_combinations import Draft
from gui.select_combinations.builder import CombinationBuilder


def to_plain(draft: Draft, builder: CombinationBuilder) -> dict[str, Any]:
    """The list, and what is under construction: as it is, and as it was loaded."""
    made, loaded = builder.combination, builder.loaded
    return {
        "combinations": edits_combinations.to_plain(draft),
        "construction": edits_combinations.to_plain([] if made is None else [made]),
        "loaded": edits_combinations.to_plain([] if loaded is None else [loaded]),
    }


def restore(kept: Any, builder: CombinationBuilder) -> Draft:
    """The list that was kept; what was under construction goes to `builder`."""
    if isinstance(kept, list):  # kept by a version of the program that knew the list only
        return edits_combinations.from_plain(kept)
    made, loaded = edits_combinations.from_plain(kept["construction"]), edits_combinations.from_plain(kept["loaded"])
    if made:
        builder.load(made[0], loaded[0] if loaded else None)
    return edits_combinations.from_plain(kept["combinations"])
