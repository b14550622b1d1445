"""Profile of one variable: how many codes, how much is missing, a small histogram, its codes with labels to edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.base.texts import plural, translate
from core.data.variables import Variable
from core.metadata.profile import Profile
from gui import numbers
from gui.shared.charts.small_histogram import SmallHistogram
from gui.shared.labels import ElidedLabel
from gui.shared.layout.scrolled import ScrolledDown
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column, ColumnsModel, Index
from gui.specify_metadata.variable_model import code_text
from gui.texts import as_tip
from gui.theme import heading, muted

SHOWN = 2000
"""Codes listed; of more, the most frequent ones."""

LABEL = 1


class CodesModel(ColumnsModel):
    """Codes whose labels can be edited in place: `labelled(code, label)`."""

    labelled = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == LABEL else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return super().data(index, Qt.ItemDataRole.DisplayRole if role == Qt.ItemDataRole.EditRole else role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or index.column() != LABEL:
            return False
        if str(value) != str(index.data()):
            self.labelled.emit(str(self.key(index.row())), str(value).strip())
        return True


class VariableProfile(QWidget):
    """`variableProfile` with `profileSummary`, `variableHistogram`, `codeLabels`, `saveLabels` and `readAgain`.

    Signals
    -------
    labelled(str, str)
        A code was given a label.
    save_wanted()
        The labels are to be saved as a codelist.
    read_wanted()
        The file is to be read again, after that was stopped.
    """

    labelled = Signal(str, str)
    save_wanted = Signal()
    read_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="variableProfile")
        self.title = ElidedLabel(translate("Profile"), "profileHeading")
        heading(self.title, 1.05)
        self.summary = WrappedLabel(name="profileSummary")
        self.summary.setAccessibleName(self.title.text())
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.histogram = SmallHistogram()
        model = CodesModel()
        self.codes = DataTable("codeLabels", translate("Codes"), self, model)
        model.setParent(self.codes)
        self.codes.stretch(LABEL)
        self.codes.filter.setMaximumWidth(110)
        self.codes.setMinimumHeight(64)  # in a low window *Check my file* needs the room
        model.labelled.connect(self.labelled)
        self.codes.activated.connect(lambda _code: self._edit())
        self.codes.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        edit = QShortcut(QKeySequence(Qt.Key.Key_F2), self.codes.view)
        edit.setContext(Qt.ShortcutContext.WidgetShortcut)
        edit.activated.connect(self._edit)
        self.save = QPushButton(translate("Save labels as codelist…"), objectName="saveLabels")
        self.save.clicked.connect(self.save_wanted)
        self.save.hide()
        self.again = QPushButton(translate("Read again"), objectName="readAgain")
        self.again.clicked.connect(self.read_wanted)
        self.again.hide()
        self.note = QLabel(translate("Double-click a label to edit it."), wordWrap=True)
        self.note.setToolTip(as_tip(self.note.text()))
        muted(self.note)
        foot = QHBoxLayout()
        foot.addWidget(self.note, 1)
        foot.addWidget(self.save)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(8, 0, 0, 0)
        layout.setSpacing(6)
        for widget in (self.title, self.summary, self.histogram):
            layout.addWidget(widget)
        layout.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.codes, 1)
        layout.addLayout(foot)
        layout.addStretch(0)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(ScrolledDown(inside, "variableProfileScroll", is_whole=True))

    def show_text(self, title: str, text: str, can_read: bool = False) -> None:
        """Say why there is no profile; `can_read`: offer to read the file for it."""
        self.again.setVisible(can_read)
        self.title.setText(title)
        self.summary.setText(text)
        self.summary.setToolTip(as_tip(text))
        for widget in (self.histogram, self.codes, self.note, self.save):
            widget.hide()

    def show_profile(
        self, variable: Variable, profile: Profile, labels: Mapping[str, str], unsaved: bool, in_parts: bool = False
    ) -> None:
        """Show a variable; `unsaved`: some of its labels are in no codelist yet; `in_parts`: the first part tells."""
        self.again.hide()
        title = translate("Profile of {name} in the first part") if in_parts else translate("Profile of {name}")
        self.title.setText(title.format(name=variable.name))
        told = "\n".join(_sentences(profile))
        self.summary.setText(told)
        self.summary.setToolTip(as_tip(told))  # in a low window the codes below it keep their room
        _show_bars(self.histogram, variable, profile)
        self._show_codes(variable, profile, labels)
        self.codes.show()
        self.note.setVisible(variable.categorical)
        self.save.setVisible(unsaved)

    def _show_codes(self, variable: Variable, profile: Profile, labels: Mapping[str, str]) -> None:
        by_count = np.argsort(-profile.counts[: profile.n_valid], kind="stable")[:SHOWN]
        places = [*by_count.tolist(), *range(profile.n_valid, len(profile.codes))]
        codes = [profile.codes[i] for i in places]
        counts = [int(profile.counts[i]) for i in places]
        n = max(profile.records, 1)
        columns = [
            Column(translate("Code"), codes, code_text),
            Column(translate("Label"), [labels.get(code, "") for code in codes]),
            Column(translate("Records"), counts, numbers.format_count, True),
            Column("%", [100 * count / n for count in counts], lambda share: numbers.format_number(share, 1), True),
        ]
        last = np.arange(len(codes)) >= len(by_count)
        title = translate("Codes")
        if len(by_count) < profile.distinct:
            title = translate("{shown} of {count} codes").format(
                shown=numbers.format_count(len(by_count)), count=numbers.format_count(profile.distinct)
            )
        self.codes.set_title(title)
        self.codes.set_columns(columns, last, translate("Declared as missing"))

    def _edit(self) -> None:
        view, index = self.codes.view, self.codes.view.currentIndex()
        if index.isValid() and view.state() != QAbstractItemView.State.EditingState:
            self.codes.view.edit(index.siblingAtColumn(LABEL))


def _sentences(profile: Profile) -> list[str]:
    n, counted, exact = max(profile.records, 1), numbers.format_count, numbers.format_exact
    codes = translate(plural(profile.distinct, "1 code", "{count} different codes"))
    codes = codes.format(count=counted(profile.distinct))
    if profile.distinct != 1 and profile.once:
        codes = translate("{codes}, {count} in one record only").format(codes=codes, count=counted(profile.once))
    missing = translate("{count} missing ({share})").format(
        share=numbers.format_percent(profile.missing / n, 1),
        count=counted(profile.missing),
    )
    figures = profile.numbers
    if not figures.only:
        return [codes, missing]
    low, mean, high = (exact(_short(value)) for value in (figures.minimum, figures.mean, figures.maximum))
    text = translate("{low} to {high}, mean {mean}")
    return [codes, missing, text.format(low=low, mean=mean, high=high)]


def _short(value: float) -> float:
    return float(f"{value:.7g}")


def _show_bars(chart: SmallHistogram, variable: Variable, profile: Profile) -> None:
    counts = profile.bars.tolist()
    title = translate("Records by value of {name}").format(name=variable.name)
    if not profile.numbers.only:
        names = [code_text(code) for code in profile.codes[: len(counts)]]
        ends = (names[0], names[-1]) if names else ("", "")
        chart.show_bars(title, names, counts, ends)
        return
    chart.show_bars(title, _classes(profile.edges, profile), counts, _ends(profile))


def _classes(edges: Sequence[float] | np.ndarray, profile: Profile) -> list[str]:
    figures, made = profile.numbers, numbers.format_exact
    one_each = figures.whole and len(profile.bars) == int(figures.maximum - figures.minimum) + 1
    if one_each:
        return [made(figures.minimum + i) for i in range(len(profile.bars))]
    return [f"{made(_short(low))} – {made(_short(high))}" for low, high in pairwise(edges)]


def _ends(profile: Profile) -> tuple[str, str]:
    figures = profile.numbers
    return numbers.format_exact(_short(figures.minimum)), numbers.format_exact(_short(figures.maximum))
