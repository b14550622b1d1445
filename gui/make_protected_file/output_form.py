"""Form of what the safe file contains beside the values: household identifier, order of records, risks, other files."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QWidget

from core.base.texts import mark, translate
from core.recipe.edits_checklist import with_household_id
from core.recipe.model import HouseholdId, Output
from gui import numbers
from gui.shared.choice import Choice, Option
from gui.shared.in_parts import refuse
from gui.shared.number_box import NumberBox
from gui.shared.parts.card import Card
from gui.texts import as_tip
from gui.theme import muted

_HOUSEHOLD_IDS: tuple[Option[HouseholdId], ...] = (
    Option("keep", mark("Keep as it is"), mark("Users of the file can see who lives together.")),
    Option(
        "sequence",
        mark("Replace by 1, 2, 3 …"),
        mark("Users can see who lives together, but not which household of another file it is."),
    ),
    Option(
        "remove",
        mark("Remove"),
        mark("Data users cannot see who lives together: the records are written in random order."),
    ),
)
_LARGEST_SEED = 2**31


def random_seed() -> int:
    """A seed that nobody guesses: with it an outsider could undo a random order."""
    return secrets.randbelow(_LARGEST_SEED - 2) + 2


def with_own_seed(output: Output, seed: int) -> Output:
    """`output` with `seed` where it has the one that everybody has."""
    return replace(output, seed=seed) if output.seed == Output().seed else output


class OutputChoices(Card):
    """`householdId`, `shuffle`, `keepTogether`, `seed`, `addRisk`. `changed(Output)`."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("How the file is written"), "outputCard", parent=parent)
        self._output = Output()
        self._households = False
        self.household_label = QLabel(translate("Household &identifier"))
        self.household = Choice("householdId", translate("Household identifier"), _HOUSEHOLD_IDS, self)
        self.household.offer([option.value for option in _HOUSEHOLD_IDS])
        self.household_label.setBuddy(self.household.box)
        self.shuffle = QCheckBox(translate("Records in &random order"), objectName="shuffle")
        self._of_order = translate(
            "Advisable where the file is ordered by a variable that loses values: neighbours give them away."
        )
        self.shuffle.setToolTip(as_tip(self._of_order))
        self.together = QCheckBox(translate("&Members of a household stay together"), objectName="keepTogether")
        self.seed_label = QLabel(translate("see&d"))
        self.seed = NumberBox("seed", lambda value: numbers.format_typed(int(value)), numbers.parse_count)
        self.seed.setAccessibleName(translate("Seed of the random order"))
        self.seed.setToolTip(
            translate(
                "The same seed gives the same order. Chosen at random; whoever knows it can undo the order, so it is"
                " never in an external report."
            )
        )
        self.seed.setMaximumWidth(110)
        self.seed_label.setBuddy(self.seed)
        self.add_risk = QCheckBox(translate("Add risk &columns to each record"), objectName="addRisk")
        self.add_risk_meaning = QLabel(
            translate("Frequencies and risk of what remains of each record. For use inside the house.")
        )
        self.add_risk_meaning.setWordWrap(True)
        muted(self.add_risk_meaning)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        seed = QHBoxLayout()
        seed.setSpacing(6)
        seed.addWidget(self.seed_label)
        seed.addWidget(self.seed)
        order = QGridLayout()
        order.setHorizontalSpacing(12)
        order.addWidget(self.shuffle, 0, 0)
        order.addLayout(seed, 0, 1)
        order.setColumnStretch(2, 1)
        order.addWidget(self.seed.message, 1, 0, 1, 3)
        order.addWidget(self.together, 2, 0, 1, 3)
        layout = self.body
        row = QHBoxLayout()
        row.addWidget(self.household_label)
        row.addWidget(self.household.box, 1)
        layout.addLayout(row)
        layout.addWidget(self.household.meaning)
        layout.addLayout(order)
        layout.addWidget(self.add_risk)
        layout.addWidget(self.add_risk_meaning)

    def _connect(self) -> None:
        self.household.box.currentIndexChanged.connect(lambda _index: self._household_chosen())
        self.shuffle.toggled.connect(self._shuffled)
        self.together.toggled.connect(lambda on: self._change(keep_households_together=on))
        self.add_risk.toggled.connect(lambda on: self._change(add_risk=on))
        self.seed.entered.connect(self._seed_entered)

    def offer(self, households: bool, risk: bool, against_order: str = "") -> None:
        """Show only what the file has; `against_order`: why its records cannot be written in random order."""
        refuse(self.shuffle, "" if self.shuffle.isChecked() else against_order, self._of_order)
        for widget in (self.household_label, self.household.box, self.household.meaning, self.together):
            widget.setVisible(households)
        self._households = households
        self.add_risk.setVisible(risk)
        self.add_risk_meaning.setVisible(risk)

    def show_choices(self, output: Output) -> None:
        """Show what is chosen."""
        self._output = output
        self.household.show_value(output.household_id)
        self.household.meaning.setVisible(self._households)
        for box, on in (
            (self.shuffle, output.shuffle),
            (self.together, output.keep_households_together),
            (self.add_risk, output.add_risk),
        ):
            box.blockSignals(True)
            box.setChecked(on)
            box.blockSignals(False)
        self.together.setVisible(self._households and output.shuffle)
        for widget in (self.seed, self.seed_label):
            widget.setVisible(output.shuffle)
        self.seed.set_value(output.seed)

    def shuffle_now(self) -> None:
        """Turn the random order on."""
        self.shuffle.setChecked(True)

    def number_now(self) -> None:
        """Number the households anew, in random order."""
        self._change(household_id="sequence")
        self.shuffle_now()

    def _household_chosen(self) -> None:
        chosen = self.household.value
        if chosen is None:
            return
        output = with_household_id(self._output, chosen, can_shuffle=self.shuffle.isEnabled())
        is_new = output.shuffle and not self._output.shuffle
        self.changed.emit(with_own_seed(output, random_seed()) if is_new else output)

    def _shuffled(self, on: bool) -> None:
        output = replace(self._output, shuffle=on)
        self.changed.emit(with_own_seed(output, random_seed()) if on else output)

    def _seed_entered(self, value: float) -> None:
        if not 0 <= value < _LARGEST_SEED:
            self.seed.refuse(
                translate("A seed is a whole number from 0 to {largest}.").format(largest=_LARGEST_SEED - 1)
            )
            return
        self._change(seed=int(value))

    def _change(self, **changes: Any) -> None:
        self.changed.emit(replace(self._output, **changes))
