"""The draft of Modify Numerical Variables: the changes to every variable, by its name."""

from __future__ import annotations

from core.perturbation.weight_noise import NumericWithNoise, with_changes, with_noise_on
from core.recipe.model import Recipe
from gui.document.drafts import WindowDraft, recipe_from_plain, recipe_to_plain


class NumericDraft(WindowDraft[dict[str, NumericWithNoise]]):
    """Changes to numerical variables that are not applied yet."""

    name = "numericalVariables"

    def said(self, recipe: Recipe) -> dict[str, NumericWithNoise]:
        """The noise on the weight, a perturbation, is among them."""
        derived = self.document.derived
        weight = derived.metadata.weight if derived is not None else None
        return {spec.variable: spec for spec in with_noise_on(recipe, weight.name if weight else "")}

    def to_plain(self) -> dict[str, str]:
        return recipe_to_plain(with_changes(Recipe(), tuple(self.value.values())))

    def from_plain(self, plain: dict[str, str]) -> dict[str, NumericWithNoise]:
        return self.said(recipe_from_plain(plain))

    def change(self, spec: NumericWithNoise) -> None:
        """Let these be the changes of a variable; none where they say nothing."""
        others = {name: known for name, known in self.value.items() if name != spec.variable}
        self.take(others if spec == NumericWithNoise(spec.variable) else {**others, spec.variable: spec})

    def changed_names(self) -> list[str]:
        """Variables whose changes are others than the session's."""
        names = dict.fromkeys((*self.base, *self.value))
        return [name for name in names if self.base.get(name) != self.value.get(name)]
