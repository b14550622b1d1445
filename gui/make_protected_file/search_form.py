"""Form of how a release by released keys is searched for, folded away until it is wanted."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from core.base.texts import translate, with_marks
from core.recipe.model import LARGEST_EFFORT, Suppression
from gui import numbers
from gui.shared.number_box import NumberBox
from gui.shared.parts.fold_line import FoldLine
from gui.theme import muted

_LARGEST = {"effort": LARGEST_EFFORT, "least_records": 1_000_000, "seed": 2**31 - 1, "time_limit": 1_000_000}
_LEAST = {"effort": 0, "least_records": 1, "seed": 0, "time_limit": 0}


class SearchSettings(QWidget):
    """`moreSettings` folds `effort`, `timeLimit`, `leastRecords`, `suppressionSeed`, `thorough`.

    `changed(Suppression)`.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suppression = Suppression()
        self.folded = QWidget(objectName="moreSettingsFolded")
        said = translate("More: effort, time limit, least records, thorough search, seed")
        self.more = FoldLine(said, "moreSettings", self.folded)
        self.thorough = QCheckBox(translate("&Thorough search"), objectName="thorough")
        self.boxes = {name: self._number_box(name) for name in _LEAST}
        self._lay_out()
        self.thorough.toggled.connect(lambda on: self._change(thorough=on))

    def _number_box(self, name: str) -> NumberBox:
        called = {"least_records": "leastRecords", "seed": "suppressionSeed", "time_limit": "timeLimit"}
        box = NumberBox(called.get(name, name), lambda value: numbers.format_typed(int(value)), numbers.parse_count)
        box.setMaximumWidth(110)
        box.entered.connect(lambda value: self._entered(name, value))
        return box

    def _lay_out(self) -> None:
        grid = QGridLayout(self.folded)
        grid.setContentsMargins(16, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        row = 0
        for name, title, meaning in (
            ("effort", translate("Effort"),
             with_marks(translate(
                 "How long is searched: 1000 is usual; twice as much takes twice as long and may lose less."
             ))),
            ("time_limit", translate("Time li&mit"),
             translate("Seconds after which Preview ends the search and keeps the best; 0: none. The effort that was"
                       " reached stands above then, and gives the same file again.")),
            ("least_records", translate("&Least records"),
             translate("Every key of the safe file has at least so many records: against somebody who knows who is in"
                       " the file.")),
            ("seed", translate("Seed of the searc&h"),
             translate("The same seed gives the same file; another one may lose a little more or less.")),
        ):  # fmt: skip
            label, box = QLabel(title), self.boxes[name]
            label.setBuddy(box)
            box.setAccessibleName(title.replace("&", ""))
            grid.addWidget(label, row, 0)
            grid.addWidget(box, row, 1, Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(box.message, row + 1, 0, 1, 2)
            grid.addWidget(_sentence(meaning), row + 2, 0, 1, 2)
            row += 3
        grid.addWidget(self.thorough, row, 0, 1, 2)
        exact = translate("Small tables are solved exactly after the search, which can take minutes; not where members"
                          " of a household lose values together.")  # fmt: skip
        grid.addWidget(_sentence(exact), row + 1, 0, 1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.more)
        layout.addWidget(self.folded)

    def show_choices(self, suppression: Suppression) -> None:
        """Show what is chosen; what is another than usual is not folded away."""
        self._suppression = suppression
        for name, box in self.boxes.items():
            box.follow(getattr(suppression, name) or 0)
        self.thorough.blockSignals(True)
        self.thorough.setChecked(suppression.thorough)
        self.thorough.blockSignals(False)
        usual = Suppression()
        if any(getattr(suppression, name) != getattr(usual, name) for name in (*self.boxes, "thorough")):
            self.more.setChecked(True)

    def _entered(self, name: str, value: float) -> None:
        if not _LEAST[name] <= value <= _LARGEST[name]:
            text = translate("A whole number from {least} to {largest}.")
            least, largest = numbers.format_count(_LEAST[name]), numbers.format_count(_LARGEST[name])
            self.boxes[name].refuse(text.format(least=least, largest=largest))
            return
        self._change(**{name: int(value) or (None if name == "time_limit" else 0)})

    def _change(self, **changes: int | bool | None) -> None:
        self.changed.emit(replace(self._suppression, **changes))  # type: ignore[arg-type]


def _sentence(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    muted(label)
    return label
