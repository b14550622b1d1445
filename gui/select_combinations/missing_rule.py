"""The choice of a missing rule, with one sentence about it."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QWidget

from core.base.texts import mark, translate
from core.recipe.model import MissingRule
from gui.theme import muted, theme

_RULES: tuple[tuple[MissingRule, str, str], ...] = (
    (
        "observed",
        mark("Observed"),
        mark("An unknown value counts as any value for its own record only, so it makes no other safer: recommended."),
    ),
    (
        "wildcard",
        mark("Wildcard"),
        mark("An unknown value counts as any value for all, as in μ-ARGUS: records can look safer than they are."),
    ),
    ("category", mark("Category"), mark("Unknown is a value like any other: for measuring, and for k-anonymity.")),
    ("listwise", mark("Listwise"), mark("Records with an unknown key value are not counted: for measuring only.")),
)


def rule_title(rule: MissingRule) -> str:
    """What a missing rule is called in the windows."""
    return translate(next(title for each, title, _ in _RULES if each == rule))


class MissingRuleBox(QComboBox):
    """`missingRule`; `meaning` is a label to stand beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="missingRule")
        for place, (rule, title, meaning) in enumerate(_RULES):
            self.addItem(translate(title), rule)
            self.setItemData(place, translate(meaning), Qt.ItemDataRole.ToolTipRole)
        self.meaning = QLabel(wordWrap=True)
        muted(self.meaning)
        self.currentIndexChanged.connect(self._explain)
        self._explain()

    @property
    def rule(self) -> MissingRule:
        """The rule chosen; the recommended one where combinations differ."""
        return _RULES[max(self.currentIndex(), 0)][0]

    def show_rule(self, rule: MissingRule | None) -> None:
        """Show a rule without telling anybody; None: the combinations differ."""
        with QSignalBlocker(self):
            self.setCurrentIndex(-1 if rule is None else self.findData(rule))
        self._explain()

    def _explain(self) -> None:
        index = self.currentIndex()
        self.meaning.setText(translate("The combinations differ.") if index < 0 else translate(_RULES[index][2]))


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
        self.label.setStyleSheet(f"color: {theme.scheme.attention};")
        self.setVisible(bool(text))
