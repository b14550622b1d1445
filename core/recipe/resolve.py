"""What a recipe means where it leaves things unsaid, as far as no data is needed."""

from __future__ import annotations

from core.recipe.model import Combination, Recipe, Threshold


def risk_tables(recipe: Recipe) -> tuple[int, ...]:
    """Indices of the combinations judged by individual risk."""
    return tuple(i for i, c in enumerate(recipe.combinations) if c.model == "individual-risk")


def effective_threshold(recipe: Recipe, combination: Combination) -> Threshold:
    """The combination's own threshold, else the recipe's; empty for models without a risk."""
    if combination.model != "individual-risk":
        return Threshold()
    return combination.threshold or recipe.threshold
