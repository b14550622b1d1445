"""What a plan is to reach: who counts as safe, how many values may go, and how long is searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QWidget

from core.base.texts import translate, with_marks
from gui.numbers import format_exact, format_typed, parse_count
from gui.shared.choice import ChoiceBox
from gui.shared.number_box import NumberBox

if TYPE_CHECKING:
    from core.profiles.goals import Goal, GoalKind

_LEAST_RECORDS, _LARGEST_RISK, _SECONDS = 5.0, 0.05, 30.0


class AimFields(QWidget):
    """`planAim`, `planLimit`, `planLimited`, `planMost`, `planSeconds`. `changed()`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(objectName="planAims")
        self._profile: tuple[Goal, ...] = ()
        self.aim = ChoiceBox(objectName="planAim")
        self.aim.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.aim.setMinimumContentsLength(16)
        self.limit = NumberBox("planLimit")
        self.limit.setAccessibleName(translate("Limit"))
        self.limited = QCheckBox(translate("Suppress at &most"), objectName="planLimited")
        self.limited.setToolTip(translate("The plan that loses least is then one with no more suppressed values"))
        self.most = NumberBox("planMost", lambda value: format_typed(int(value)), parse_count)
        self.most.setAccessibleName(translate("Values suppressed at most"))
        self.seconds = NumberBox("planSeconds")
        self._limits: dict[GoalKind, float] = {"least-records": _LEAST_RECORDS, "largest-risk": _LARGEST_RISK}
        self._lay_out()
        self.most.set_value(0)
        self.seconds.set_value(_SECONDS)
        self.aim.currentIndexChanged.connect(lambda _index: self._aim_chosen())
        self.limit.entered.connect(self._limit_entered)
        self.most.entered.connect(self._most_entered)
        self.seconds.entered.connect(self._seconds_entered)
        self.limited.toggled.connect(lambda _on: self._allow())
        self.offer((), judged=True)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        rows = (
            (translate("&Goal"), self.aim),
            (translate("&Limit"), self.limit),
            (translate("S&econds"), self.seconds),
        )
        self._labels = {}
        for row, (said, box) in zip((0, 1, 3), rows, strict=True):
            label = QLabel(said)
            label.setBuddy(box)
            self._labels[box.objectName()] = label
            grid.addWidget(label, row, 0)
            grid.addWidget(box, row, 1)
        values = QHBoxLayout()
        values.addWidget(self.most)
        values.addWidget(QLabel(translate("values")))
        grid.addWidget(self.limited, 2, 0)
        grid.addLayout(values, 2, 1)
        for row, box in ((4, self.limit), (5, self.most), (6, self.seconds)):
            grid.addWidget(box.message, row, 0, 1, 2)
        grid.setColumnStretch(1, 1)

    def offer(self, profile: Sequence[Goal], judged: bool) -> None:
        """Offer goals; what was chosen stays.

        Parameters
        ----------
        profile : of the session's release profile, those that the chosen combinations can have
        judged : whether the session says itself who counts as safe
        """
        before = self.aim.currentText()
        self._profile = tuple(profile)
        self.aim.blockSignals(True)
        self.aim.clear()
        if judged:
            self.aim.addItem(translate("As the session judges"), None)
        self.aim.addItem(translate("Least records of a key"), "least-records")
        self.aim.addItem(translate("Largest individual risk"), "largest-risk")
        for goal in self._profile:
            said = (
                translate("Profile: {k} records of a key")
                if goal.kind == "least-records"
                else translate("Profile: risk up to {k}")
            )
            self.aim.addItem(said.format(k=format_exact(goal.limit)), goal)
        self.aim.setCurrentIndex(max(0, self.aim.findText(before)))
        self.aim.blockSignals(False)
        self._aim_chosen()

    @property
    def goal(self) -> Goal | None:
        """What to aim at; None: what the session judges by."""
        from core.profiles.goals import Goal

        chosen = self.aim.currentData()
        if isinstance(chosen, str):
            kind: GoalKind = "least-records" if chosen == "least-records" else "largest-risk"
            return Goal(kind, self._limits[kind])
        return chosen  # type: ignore[no-any-return]

    @property
    def most_suppressions(self) -> int | None:
        """Suppressed values at most; None: any number."""
        return int(self.most.value or 0) if self.limited.isChecked() else None

    def _aim_chosen(self) -> None:
        chosen = self.aim.currentData()
        own = isinstance(chosen, str)
        for widget in (self.limit, self._labels["planLimit"]):
            widget.setVisible(own)
        if own:
            self.limit.set_value(self._limits[chosen])
        else:
            self.limit.say("")
        self._allow()

    def _allow(self) -> None:
        self.most.setEnabled(self.limited.isChecked())
        self.changed.emit()

    def _limit_entered(self, value: float) -> None:
        kind: GoalKind = self.aim.currentData()
        if kind == "least-records" and not (value >= 2 and value == int(value)):
            self.limit.refuse(translate("Give a whole number from 2."))
            return
        if kind == "largest-risk" and not 0 < value < 1:
            self.limit.refuse(translate("Give a number between 0 and 1."))
            return
        self._limits[kind] = value
        self.limit.set_value(value)
        self.changed.emit()

    def _most_entered(self, value: float) -> None:
        if value < 0:
            self.most.refuse(translate("Give a whole number from 0."))
            return
        self.most.set_value(value)
        self.changed.emit()

    def _seconds_entered(self, value: float) -> None:
        if not 0 < value <= 86_400:
            self.seconds.refuse(with_marks(translate("Give a number from 1 to 86400.")))
            return
        self.seconds.set_value(value)
