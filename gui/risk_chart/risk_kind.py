"""Which risk of a risk table a chart shows: here the individual risk; other charts override what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from core.base.texts import translate
from core.recipe.edits import has_individual_threshold
from core.recipe.model import Recipe
from core.risk.linked_numbers import LinkedNumbers, by_risk
from gui.numbers import format_count
from gui.risk_chart.draft import ThresholdDraft
from gui.risk_chart.linked_numbers import Linked
from gui.shared.draft_window import DraftWindow

if TYPE_CHECKING:
    from core.risk.distribution import RiskDistribution
    from core.session import RiskTable
    from core.suppression.households.forecast import By


class WhichRisk(DraftWindow):
    """What a risk chart shows, links and writes."""

    by: ClassVar[By] = "individual"
    """Thresholds that the forecast runs over."""

    def make_draft(self) -> ThresholdDraft:
        """The threshold under the hand."""
        return ThresholdDraft(self.document, self)

    def staircase_of(self, table: RiskTable) -> RiskDistribution | None:
        """The risks shown; None where the table has none of this kind."""
        return table.staircase

    def threshold_of(self, table: RiskTable) -> float | None:
        """What the recipe's threshold comes to."""
        return table.threshold

    def other_threshold_of(self, table: RiskTable) -> float | None:
        """The threshold of the other kind, which the forecast depends on."""
        return None if table.household is None else table.household.threshold

    def also_met(self) -> str:
        """What is said of the other threshold `risk`."""
        return translate("Also meets the household threshold {risk}, at every threshold.")

    def is_chosen(self, recipe: Recipe, combination: int) -> bool:
        """Whether the recipe fixes this table's threshold."""
        return has_individual_threshold(recipe, combination)

    def link(self, staircase: RiskDistribution, threshold: float | None) -> Linked:
        """Everything that follows from a threshold."""
        return by_risk(staircase, threshold)

    def drawn(self, linked: Any) -> LinkedNumbers:
        """The numbers as the chart draws them."""
        found: LinkedNumbers = linked
        return found

    def unsafe_of(self, staircase: RiskDistribution, linked: Any) -> tuple[int, str]:
        """How many are unsafe, and a sentence that says so."""
        found: LinkedNumbers = linked
        text = translate("{unsafe} of {count} records are unsafe.")
        return found.unsafe, text.format(unsafe=format_count(found.unsafe), count=format_count(staircase.n))

    def nothing_because(self, _staircase: RiskDistribution | None) -> str:
        """Why there is no chart."""
        return translate("No record has a risk: the missing rule leaves all of them out.")

    def one_in(self) -> str:
        """The goal that is a threshold, in words; empty for a record's risk."""
        return ""
