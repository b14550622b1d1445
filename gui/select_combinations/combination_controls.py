"""The controls of Select Combinations, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from core.base.texts import mark, translate
from gui import numbers
from gui.document.document import Document
from gui.select_combinations.arrow_buttons import arrow_button, button_column
from gui.select_combinations.builder import CombinationBuilder
from gui.select_combinations.combination_list import CombinationList
from gui.select_combinations.missing_rule import MeasuringOnly, MissingRuleBox
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.tool_window import ToolWindow
from gui.theme import muted

if TYPE_CHECKING:
    from core.results.results import Prepared

_WAYS = {
    "recommended": mark(
        "The usual choice: all variables with an identification level in one table. The chance that each person is "
        "recognised by them is estimated, and you choose which chance is too high in the Risk Chart."
    ),
    "automaticSpecification": mark(
        "Makes many small tables at once, of two or three variables each: a combination of values that few records "
        "have is unsafe. It says first how many tables that gives."
    ),
    "setRiskModel": mark(
        "For the combination in the middle, else the one selected in the list: judge records by the chance of being "
        "recognised, not by how many records share their values. Press it once more for the threshold again."
    ),
    "kAnonymity": mark(
        "For all combinations: every record must share its values with at least k others, k being the threshold. "
        "Press it once more for the models as they were."
    ),
    "addCombination": mark(
        "Add this combination. It is judged by its threshold: values that at most so many records share are unsafe; "
        "“Set table for risk model” judges it by risk instead."
    ),
}
"""What each way to combinations does, by the name of its button."""


def variable_columns(prepared: Prepared, levels: Mapping[str, int]) -> list[Column]:
    """The table of variables that a combination can have; `levels`: their identification levels."""
    names = list(levels)
    codes = [prepared.columns[name].n_valid for name in names]
    meaning = translate("Identification level: 0 does not identify, 1 identifies most")
    return [
        Column(translate("Variable"), names),
        Column(translate("codes"), codes, numbers.format_count, True),
        Column(translate("level"), list(levels.values()), numbers.format_count, True, meaning),
        Column(translate("Label"), [prepared.metadata[name].label for name in names]),
    ]


class CombinationControls(ToolWindow):
    """`variables`, `builder`, `combinations`, `rule`, `only_measured`, and the buttons."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(760, 440)
        self._make_controls()
        self._lay_out()

    def _make_controls(self) -> None:
        self.variables = DataTable("categoricalVariables", translate("Categorical variables"))
        self.variables.stretch(3)
        self.builder = CombinationBuilder(self.document)
        self.combinations = CombinationList()
        self.rule = MissingRuleBox()
        self.only_measured = MeasuringOnly()
        self.add_variable = arrow_button("addVariable", "→", translate("Add the selected variables (Enter)"))
        self.remove_variable = arrow_button("removeVariable", "←", translate("Take the selected variables out"))
        self.clear_combination = arrow_button("clearCombination", "≪", translate("Take all variables out"))
        self.add_combination = arrow_button("addCombination", "→", translate("Add this combination"))
        self.remove_combination = arrow_button("removeCombination", "←", translate("Remove, and load for editing"))
        self.automatic = QPushButton(translate("&Automatic specification…"), objectName="automaticSpecification")
        self.recommended = QPushButton(translate("&One risk table of all keys"), objectName="recommended")
        self.risk_model = QPushButton(translate("Set table for &risk model"), objectName="setRiskModel")
        self.k_anonymity = QPushButton(translate("(&k+1)-anonymity"), objectName="kAnonymity", checkable=True)
        for button in (self.recommended, self.automatic, self.risk_model, self.k_anonymity, self.add_combination):
            said = f"<qt>{escape(translate(_WAYS[button.objectName()]))}</qt>"  # else it would be one long line
            button.setToolTip(said)
            button.setWhatsThis(said)
        self.ways = QLabel(objectName="waysExplained", wordWrap=True)
        self.ways.setText(
            translate("One risk table of all keys is the usual choice; point at a button for what it does.")
        )
        muted(self.ways)
        self.clear = QPushButton(translate("C&lear"), objectName="clearCombinations")
        self.cancel = QPushButton(translate("Cancel"), objectName="cancel")
        self.calculate = QPushButton(translate("&Calculate tables"), objectName="calculateTables")
        self.calculate.setDefault(True)

    def _lay_out(self) -> None:
        panes = QHBoxLayout()
        panes.addWidget(self.variables, 4)
        panes.addLayout(button_column(self.add_variable, self.remove_variable, self.clear_combination))
        panes.addWidget(self.builder, 3)
        panes.addLayout(button_column(self.add_combination, self.remove_combination))
        panes.addLayout(self._right(), 5)
        self.content.addLayout(panes, 1)
        self.content.addWidget(self.only_measured)
        bottom = QHBoxLayout()
        rule = QLabel(translate("&Missing values"))
        rule.setBuddy(self.rule)
        bottom.addWidget(rule)
        bottom.addWidget(self.rule)
        bottom.addWidget(self.rule.meaning, 1)
        bottom.addWidget(self.cancel)
        bottom.addWidget(self.calculate)
        self.content.addLayout(bottom)

    def _right(self) -> QVBoxLayout:
        right = QVBoxLayout()
        right.addWidget(self.combinations, 1)
        grid = QGridLayout()
        for i, button in enumerate((self.recommended, self.automatic, self.risk_model, self.k_anonymity)):
            grid.addWidget(button, 1 + i // 2, i % 2)
        grid.addWidget(self.ways, 0, 0, 1, 2)
        grid.addWidget(self.clear, 3, 1)
        right.addLayout(grid)
        return right
