"""The measures that stand in the recipe, and so in the report, with a button that takes one out."""

from __future__ import annotations

from collections.abc import Sequence

from core.base.texts import translate
from core.recipe.declared import Declaration, Registry
from core.recipe.model import Measure
from core.recipe.scenarios import scenarios_of
from core.risk.measures.evaluation import RiskMeasure
from gui.shared.table.entry_list import EntryList

_MOST_ROWS = 4


class ReportList(EntryList):
    """`reportMeasures` and `removeMeasure`; not there while the recipe has none."""

    def __init__(self, known: Registry[RiskMeasure]) -> None:
        super().__init__("reportMeasures", translate("Measures in the report"), "removeMeasure", _MOST_ROWS)
        self._known = known
        self.head.addWidget(self.remove)

    def show_measures(self, measures: Sequence[Measure]) -> None:
        """Show those of a recipe."""
        title = translate("In the report ({n})").format(n=len(measures))
        names = [measure_name(self._known.declaration(each.kind), each) for each in measures]
        self.show_names(title, names, min(max(self.list.currentRow(), 0), len(measures) - 1))


def measure_name(declaration: Declaration | None, entry: Measure) -> str:
    """What an entry is called: ``SUDA: REGION × SEX``, ``SUDA: neighbour`` on a scenario of that name."""
    title = translate(declaration.title) if declaration is not None else entry.kind
    keys = " × ".join(entry.variables) or ", ".join(name for _key, name in scenarios_of(entry))
    return f"{title}: {keys}" if keys else title
