"""The choice of a missing rule, with one sentence about it."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from core.base.texts import translate
from core.recipe.criteria import MissingRule
from gui.shared.missing_rules import MISSING_RULES
from gui.shared.wheel import ComboBox
from gui.texts import as_tip
from gui.theme import muted, theme


class MissingRuleBox(ComboBox):
    """`missingRule`; `meaning` is a label to stand beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="missingRule")
        for place, (rule, title, meaning) in enumerate(MISSING_RULES):
            self.addItem(translate(title), rule)
            self.setItemData(place, as_tip(translate(meaning)), Qt.ItemDataRole.ToolTipRole)
        self.meaning = QLabel(wordWrap=True)
        muted(self.meaning)
        self.currentIndexChanged.connect(self._explain)
        self._explain()

    @property
    def rule(self) -> MissingRule:
        """The rule chosen; the recommended one where combinations differ."""
        return MISSING_RULES[max(self.currentIndex(), 0)][0]

    def show_rule(self, rule: MissingRule | None) -> None:
        """Show a rule without telling anybody; None: the combinations differ."""
        with QSignalBlocker(self):
            self.setCurrentIndex(-1 if rule is None else self.findData(rule))
        self._explain()

    def _explain(self) -> None:
        index = self.currentIndex()
        self.meaning.setText(translate("The combinations differ.") if index < 0 else translate(MISSING_RULES[index][2]))


class MeasuringOnly(QWidget):
    """`missingRuleMessage`: which combinations can only be measured, with a button that mends it; else hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel(objectName="missingRuleMessage", wordWrap=True)
        self.mend = QPushButton(translate("&Use rules that protect"), objectName="protectingRules")
        self.mend.setAutoDefault(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.label, 1)
        row.addWidget(self.mend)
        self.hide()

    def say(self, text: str) -> None:
        """Say it; an empty text takes it away."""
        self.label.setText(text)
        self.label.setStyleSheet(f"color: {theme.scheme.amber_text};")
        self.setVisible(bool(text))
