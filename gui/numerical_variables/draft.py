"""The draft of Modify Numerical Variables: the changes to every variable, by its name."""

from __future__ import annotations

from core.perturbation.weight_noise import in_numeric
from core.recipe.model import Numeric, Recipe
from gui.document.drafts import WindowDraft, recipe_from_plain, recipe_to_plain


class NumericDraft(WindowDraft[dict[str, Numeric]]):
    """Changes to numerical variables that are not applied yet."""

    name = "numericalVariables"

    def said(self, recipe: Recipe) -> dict[str, Numeric]:
        """The noise on the weight is among them, in whichever section of the recipe it stands."""
        derived = self.document.derived
        weight = derived.metadata.weight if derived is not None else None
        return {spec.variable: spec for spec in in_numeric(recipe, weight.name if weight else "").numeric}

    def to_plain(self) -> dict[str, str]:
        return recipe_to_plain(Recipe(numeric=tuple(self.value.values())))

    def from_plain(self, plain: dict[str, str]) -> dict[str, Numeric]:
        return self.said(recipe_from_plain(plain))

    def change(self, spec: Numeric) -> None:
        """Let these be the changes of a variable; none where they say nothing."""
        others = {name: known for name, known in self.value.items() if name != spec.variable}
        self.take(others if spec == Numeric(spec.variable) else {**others, spec.variable: spec})

    def changed_names(self) -> list[str]:
        """Variables whose changes are others than the session's."""
        names = dict.fromkeys((*self.base, *self.value))
        return [name for name in names if self.base.get(name) != self.value.get(name)]
