"""The combinations of a draft as a table: model, threshold, variables."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from core.recipe.model import Combination
from core.texts import translate
from gui import numbers
from gui.models.columns import Column
from gui.widgets.data_table import DataTable


class CombinationList(DataTable):
    """`combinationList`; the key of a row is its place in the draft."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("combinationList", translate("Combinations"), parent)
        self.stretch(3)

    def show_draft(self, draft: Sequence[Combination]) -> None:
        """Show these combinations."""
        self.set_title(translate("Combinations ({count})").format(count=numbers.format_count(len(draft))))
        if not draft:
            self.show_empty(translate("The combinations that you add stand here."))
            return
        self.set_columns(
            [
                Column("#", list(range(1, len(draft) + 1)), numbers.format_count, True),
                Column(translate("Model"), [model_name(c) for c in draft]),
                Column(translate("Thres."), [c.count_threshold for c in draft], numbers.format_count, True,
                       translate("A combination that occurs in at most so many records is unsafe")),
                Column(translate("Variables"), [" × ".join(c.variables) for c in draft]),
            ]
        )  # fmt: skip


def model_name(combination: Combination) -> str:
    """The model in a word or two."""
    if combination.model == "individual-risk":
        return translate("Risk")
    if combination.model == "k-anonymity":
        return translate("{k}-anonymity").format(k=combination.k)
    return translate("Threshold")
