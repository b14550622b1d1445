"""A numerical variable before and after its changes: two histograms on one axis, and figures."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui import numbers
from gui.shared.charts.small_histogram import SmallHistogram
from gui.theme import muted

if TYPE_CHECKING:
    from core.recoding.numerical import Comparison, Distribution

_FIGURES = (
    ("Numbers", mark("records with a number")),
    ("Others", mark("missing or text")),
    ("Least", mark("minimum")),
    ("Greatest", mark("maximum")),
    ("Mean", mark("mean")),
)


class NumericComparison(QWidget):
    """Histograms ``beforeHistogram`` and ``afterHistogram``, labels ``before<Figure>`` and ``after<Figure>``.

    Signals
    -------
    refused(PavoError) : a picture could not be written.
    """

    refused = Signal(object)

    def __init__(self) -> None:
        super().__init__(objectName="numericComparison")
        self.changed = QLabel(objectName="changedRecords")
        self._states: dict[str, tuple[str, SmallHistogram, dict[str, QLabel]]] = {
            "before": (translate("Original file"), SmallHistogram(), {}),
            "after": (translate("Safe file"), SmallHistogram(), {}),
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for name, (title, histogram, _labels) in self._states.items():
            histogram.setObjectName(f"{name}Histogram")
            histogram.refused.connect(self.refused)
            column.addWidget(QLabel(title))
            column.addWidget(histogram)
        column.addLayout(self._figures())
        column.addWidget(self.changed)
        column.addStretch()

    def _figures(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        for row, (name, title) in enumerate(_FIGURES, start=1):
            label = QLabel(translate(title))
            muted(label)
            grid.addWidget(label, row, 0)
            for column, (state, (heading, _histogram, labels)) in enumerate(self._states.items(), start=1):
                if row == 1:
                    grid.addWidget(QLabel(heading), 0, column, Qt.AlignmentFlag.AlignRight)
                labels[name] = QLabel(numbers.MISSING, objectName=f"{state}{name}")
                labels[name].setAccessibleName(f"{heading}: {translate(title)}")
                grid.addWidget(labels[name], row, column, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(0, 1)
        return grid

    def show_nothing(self) -> None:
        """No figures are known."""
        self.changed.clear()
        for title, histogram, labels in self._states.values():
            histogram.show_bars(title, (), (), ("", ""))
            for label in labels.values():
                label.setText(numbers.MISSING)

    def show_comparison(self, found: Comparison) -> None:
        """Show both states of the variable."""
        edges = [numbers.format_exact(float(f"{edge:.6g}")) for edge in found.edges.tolist()]
        classes = [f"{low} – {high}" for low, high in pairwise(edges)]
        for state, distribution in (("before", found.before), ("after", found.after)):
            title, histogram, labels = self._states[state]
            histogram.show_bars(title, classes, distribution.records.tolist(), (edges[0], edges[-1]))
            for name, text in _texts(distribution).items():
                labels[name].setText(text)
        told = translate("{changed} of {records} values change.")
        total = found.before.numbers + found.before.others
        self.changed.setText(
            told.format(changed=numbers.format_count(found.changed), records=numbers.format_count(total))
        )


def _texts(state: Distribution) -> dict[str, str]:
    def short(value: float | None) -> str:
        return numbers.MISSING if value is None else numbers.format_exact(float(f"{value:.8g}"))

    return {
        "Numbers": numbers.format_count(state.numbers),
        "Others": numbers.format_count(state.others),
        "Least": short(state.least),
        "Greatest": short(state.greatest),
        "Mean": short(state.mean),
    }
