"""What the records of a file without a weight are: asked once, before a risk is estimated from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.base.texts import translate
from core.data.variables import Metadata
from core.recipe.model import Recipe, Units
from gui.select_combinations.checks import what_without_weight
from gui.shared.draft_window import DraftWindow


class RecordsAnswer:
    """The answer of the user of `page`, which shows what follows from it."""

    def __init__(self, page: DraftWindow) -> None:
        self._page = page
        self._units: Units | None = None

    def is_settled(self, metadata: Metadata, use_k_anonymity: Callable[[], None]) -> bool:
        """Without a weight, risk needs the file to be the whole population: asked once. Else k-anonymity is offered.

        The session keeps the answer; that it is a sample can be taken back.
        """
        units = self._units if self._units == "population" else self._page.document.recipe.input.units
        if metadata.weight is not None or units == "population":
            return True
        if units is None:
            answer = what_without_weight(self._page, metadata.variables)
            meant: dict[str, Units] = {"all": "population", "sample": "sample"}
            self._units = units = meant.get(answer)
            if answer == "weight":
                self._page.open_window("specifyMetadata")
        if units == "sample":
            self._page.messages.show_text(
                translate("A sample without weights cannot be judged by risk. Use thresholds or k-anonymity instead."),
                [
                    (translate("Use k-anonymity"), use_k_anonymity),
                    (translate("It is the whole population"), self._is_population),
                ],
            )
        return units == "population"

    def kept_in(self, recipe: Recipe) -> Recipe:
        """The recipe with what was answered."""
        return recipe if self._units is None else recipe.with_(input=replace(recipe.input, units=self._units))

    def _is_population(self) -> None:
        self._units = "population"
        self._page.messages.clear()
