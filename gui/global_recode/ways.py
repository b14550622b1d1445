"""Ways to make codes fewer and broader, one in sight at a time: bands, merging by hand, ends, levels, text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QLineEdit, QVBoxLayout, QWidget

from core.base.errors import RecipeError
from core.base.texts import mark, translate
from core.recoding import intervals
from core.recoding.draft import Draft
from gui import numbers
from gui.shared.parts.buttons import role_button
from gui.shared.parts.flow import FlowLayout
from gui.shared.parts.segments import Segments
from gui.theme import muted, scaled

_CODE_BOX = 56
_WAYS = (
    ("bands", mark("&Bands")),
    ("mergeWay", mark("Merge")),
    ("ends", mark("Top and bottom")),
    ("tree", mark("Tr&ee")),
    ("textWay", mark("Text")),
)


class RecodeWays(QWidget):
    """`recodeWays` with a row of boxes or buttons for each way; `merging` is the row for merging by hand.

    Signals
    -------
    chosen(str) : another way is in sight; its name.
    edited(Callable[[Draft], Draft]) : the boxes say how all codes are to be grouped.
    refused(PavoError) : what is typed is no number.
    group_wanted(str) : the dialog for all codes at once; the method.
    """

    chosen = Signal(str)
    edited = Signal(object)
    refused = Signal(object)
    group_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        views = [(name, translate(text)) for name, text in _WAYS]
        self.segments = Segments("recodeWays", translate("Way to recode"), views)
        self.head = FlowLayout()
        self.head.addWidget(self.segments)
        self.head.push_to_the_end()
        self.merging = FlowLayout()
        self._places: list[QWidget] = []
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self.start, self.width_box, self.last = (
            _box("bandStart", translate("First band from")),
            _box("bandWidth", translate("Width of the bands")),
            _box("bandLast", translate("Last band from")),
        )
        self.bottom, self.top = (
            _box("bottomBand", translate("One category up to")),
            _box("topBand", translate("One category from")),
        )
        bands = (mark("from"), self.start), (mark("width"), self.width_box), (mark("last from"), self.last)
        self._add_row(self._boxes(bands, "quantiles"))
        self._add_row(self.merging)
        self._add_row(self._boxes(((mark("up to"), self.bottom), (mark("from"), self.top)), "breaks"))
        self._add_row(self._levels())
        self._add_row(_told(translate("The recode as text, as μ-ARGUS reads and writes it.")))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self.head)
        column.addLayout(self._rows)
        self.segments.chosen.connect(self._turn_to)
        self.segments.choose("mergeWay")
        for box in (self.start, self.width_box, self.last):
            box.returnPressed.connect(self._take_bands)
        for box in (self.bottom, self.top):
            box.returnPressed.connect(self._take_ends)

    @property
    def current(self) -> str:
        """Name of the way in sight."""
        return self.segments.current

    def clear(self) -> None:
        """Empty the boxes: they were about another variable."""
        for box in (self.start, self.width_box, self.last, self.bottom, self.top):
            box.clear()

    def _turn_to(self, name: str) -> None:
        for place, (way, _) in enumerate(_WAYS):
            self._places[place].setVisible(way == name)
        self.chosen.emit(name)

    def _add_row(self, row: QLayout) -> None:
        place = QWidget(self)
        row.setContentsMargins(0, 0, 0, 0)
        place.setLayout(row)
        self._rows.addWidget(place)
        self._places.append(place)

    def _boxes(self, boxes: tuple[tuple[str, QLineEdit], ...], other: str) -> FlowLayout:
        row = FlowLayout()
        for text, box in boxes:
            label = QLabel(translate(text))
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
        take = role_button(translate("Group"), f"{boxes[0][1].objectName()}Take")
        take.clicked.connect(self._take_bands if other == "quantiles" else self._take_ends)
        row.addWidget(take)
        row.push_to_the_end()
        row.addWidget(self._dialog_button(translate("Other intervals…"), f"{other}Way", other))
        return row

    def _levels(self) -> FlowLayout:
        row = FlowLayout()
        row.addWidget(self._dialog_button(translate("Levels of the codelist…"), "levelsOfTree", "tree", "plain"))
        row.addWidget(self._dialog_button(translate("Drop last characters…"), "dropCharacters", "truncate", "plain"))
        return row

    def _dialog_button(self, text: str, name: str, method: str, role: str = "quiet") -> QWidget:
        button = role_button(text, name, "plain" if role == "plain" else "quiet")
        button.clicked.connect(lambda: self.group_wanted.emit(method))
        return button

    def _take_bands(self) -> None:
        try:
            width = _number(self.width_box)
            start, last = (_number(box) if box.text().strip() else None for box in (self.start, self.last))
        except RecipeError as error:
            self.refused.emit(error)
            return

        def bands(draft: Draft) -> Draft:
            like = replace(draft.scheme, lines=())
            scheme = intervals.equal_width(draft.column, width, start, like, last=last, fixed=draft.fixed)
            return draft.with_scheme(scheme)

        self._take(bands)

    def _take_ends(self) -> None:
        bottom, top = (box.text().strip() or None for box in (self.bottom, self.top))
        if bottom is None and top is None:
            self.refused.emit(RecipeError("grouping-input", mark("Give a lower or an upper bound.")))
            return

        def ends(draft: Draft) -> Draft:
            like = replace(draft.scheme, lines=())
            return draft.with_scheme(intervals.top_bottom(draft.column, bottom, top, like, fixed=draft.fixed))

        self._take(ends)

    def _take(self, edit: Callable[[Draft], Draft]) -> None:
        self.edited.emit(edit)


def _box(name: str, title: str) -> QLineEdit:
    box = QLineEdit(objectName=name)
    box.setFixedWidth(scaled(_CODE_BOX))
    box.setAccessibleName(title)
    return box


def _told(text: str) -> QHBoxLayout:
    row, said = QHBoxLayout(), QLabel(text)
    muted(said)
    row.addWidget(said)
    row.addStretch(1)
    return row


def _number(box: QLineEdit) -> float:
    try:
        return numbers.parse_number(box.text()).value
    except ValueError:
        raise RecipeError("grouping-input", "{why}", why=numbers.why_refused(box.text(), False)) from None
