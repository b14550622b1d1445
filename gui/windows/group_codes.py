"""Group all codes of a variable at once: intervals, top and bottom coding, truncation, levels of the codelist."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.errors import PavoError, RecipeError
from core.io.recode_file import Scheme
from core.microdata.variables import Variable
from core.recoding import intervals
from core.recoding.draft import Draft
from core.texts import mark, translate
from gui import numbers
from gui.models.recode import GROUPINGS
from gui.theme import heading, muted, theme

_ABOUT = {
    "width": mark("Codes are read as numbers."),
    "quantiles": mark("Codes are cut, in their order, where about as many records lie in each group."),
    "breaks": mark("Each break is the first code of an interval: 15 25 35 gives –14, 15–24, 25–34 and 35–."),
    "ends": mark("All codes up to the lower bound become one, all from the upper bound another; leave one empty."),
    "truncate": mark("For codes whose last characters are the fine detail. Counted from the right of the field."),
    "tree": mark("For codes whose beginnings are the codes of broader groups, such as occupations and regions."),
}


class GroupCodes(QDialog):
    """`groupingMethod`, its boxes, `groupingPreview`; OK emits what they make.

    Signals
    -------
    chosen(Draft) : the grouping was accepted.
    """

    chosen = Signal(object)

    def __init__(
        self, draft: Draft, variable: Variable, labels: Mapping[str, str], method: str, parent: QWidget
    ) -> None:
        super().__init__(parent, objectName="groupCodes")
        self.setWindowTitle(translate("Group the codes of {name}").format(name=variable.name))
        self._draft, self._variable, self._labels = draft, variable, labels
        self._made: Draft | None = None
        self.method = QComboBox(objectName="groupingMethod")
        self._levels = intervals.prefix_levels(draft.column, labels)
        for key, title in GROUPINGS:
            if key != "tree" or self._levels:
                self.method.addItem(translate(title), key)
        self.about = QLabel()
        self.about.setWordWrap(True)
        muted(self.about)
        self.pages = QStackedWidget()
        self._make_boxes()
        self.result_text = QLabel(objectName="groupingResult")
        self.result_text.setWordWrap(True)
        self.preview = QPlainTextEdit(objectName="groupingPreview", readOnly=True)
        self.preview.setAccessibleName(translate("Groups"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(translate("Use these groups"))
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        self.method.currentIndexChanged.connect(self._method_chosen)
        self.method.setCurrentIndex(max(self.method.findData(method), 0))
        self._method_chosen()
        self.resize(460, 480)

    def _make_boxes(self) -> None:
        self.width_box = self._box("intervalWidth", "10")
        self.start_box = self._box("intervalStart", "")
        self.start_box.setPlaceholderText(translate("a multiple of the width"))
        self.groups_box = self._box("quantileGroups", "5")
        self.breaks_box = self._box("ownBreaks", "")
        self.bottom_box = self._box("bottomCode", "")
        self.top_box = self._box("topCode", "")
        self.digits_box = self._box("truncateDigits", "1")
        self.level_box = QComboBox(objectName="codelistLevel")
        for level in self._levels:
            text = translate("{length} characters: {n} categories")
            self.level_box.addItem(text.format(length=level.length, n=level.categories), level.length)
        self.level_box.currentIndexChanged.connect(lambda _: self._refresh())

    def _box(self, name: str, text: str) -> QLineEdit:
        box = QLineEdit(text, objectName=name)
        box.textChanged.connect(lambda _: self._refresh())
        return box

    def _lay_out(self) -> None:
        pages: dict[str, tuple[tuple[str, QWidget], ...]] = {
            "width": ((translate("&Width"), self.width_box), (translate("One interval &begins at"), self.start_box)),
            "quantiles": ((translate("Number of &groups"), self.groups_box),),
            "breaks": ((translate("&Breaks"), self.breaks_box),),
            "ends": ((translate("&Up to"), self.bottom_box), (translate("&From"), self.top_box)),
            "truncate": ((translate("&Characters to drop"), self.digits_box),),
            "tree": ((translate("&Keep"), self.level_box),),
        }
        for index in range(self.method.count()):
            page = QWidget()
            form = QFormLayout(page)
            form.setContentsMargins(0, 0, 0, 0)
            for text, box in pages[self.method.itemData(index)]:
                box.setAccessibleName(text.replace("&", ""))
                form.addRow(text, box)
            self.pages.addWidget(page)
        heading(self.result_text, 1.05)
        layout = QVBoxLayout(self)
        for widget in (self.method, self.about, self.pages, self.result_text):
            layout.addWidget(widget)
        layout.addWidget(self.preview, 1)
        layout.addWidget(self.buttons)

    def _method_chosen(self) -> None:
        self.pages.setCurrentIndex(self.method.currentIndex())
        self.about.setText(translate(_ABOUT[self.method.currentData()]))
        self._refresh()

    def _refresh(self) -> None:
        if self.pages.count() < self.method.count():
            return
        try:
            self._made = self._make()
            self._show(self._made)
        except PavoError as error:
            self._made = None
            self.result_text.setText(str(error))
            self.result_text.setStyleSheet(f"color: {theme.scheme.unsafe_text};")
            self.preview.clear()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self._made is not None)

    def _make(self) -> Draft:
        draft, makers = self._draft, self._makers()
        made: Draft = makers[self.method.currentData()]()
        if made.is_empty:
            raise _refusal(mark("This groups nothing."))
        if made.error is not None:
            raise made.error
        return made if made is not draft else replace(made)

    def _makers(self) -> dict[str, Callable[[], Draft]]:
        draft, column, fixed = self._draft, self._draft.column, self._draft.fixed
        like = replace(draft.scheme, lines=())

        def tree() -> Draft:
            length = int(self.level_box.currentData())
            scheme = intervals.by_prefix(column, length, like)
            named = {line.code for line in scheme.lines} <= set(self._labels)
            if named and self._variable.codelist is not None and scheme.codelist is None:
                scheme = replace(scheme, codelist=str(self._variable.codelist))
            return draft.with_scheme(scheme)

        def width() -> Draft:
            start = None if not self.start_box.text().strip() else _number(self.start_box)
            return draft.with_scheme(intervals.equal_width(column, _number(self.width_box), start, like, fixed=fixed))

        def ends() -> Draft:
            bottom, top = (box.text().strip() or None for box in (self.bottom_box, self.top_box))
            if bottom is None and top is None:
                raise _refusal(mark("Give a lower or an upper bound."))
            return draft.with_scheme(intervals.top_bottom(column, bottom, top, like, fixed=fixed))

        return {
            "width": width,
            "quantiles": lambda: draft.with_scheme(intervals.quantiles(column, _whole(self.groups_box), like)),
            "breaks": lambda: draft.with_scheme(self._by_breaks(like)),
            "ends": ends,
            "truncate": lambda: draft.truncated(_whole(self.digits_box)),
            "tree": tree,
        }

    def _by_breaks(self, like: Scheme) -> Scheme:
        column, texts = self._draft.column, self.breaks_box.text().replace(";", " ").replace(",", " ").split()
        if not texts:
            raise _refusal(mark("Write the first code of each interval, with blanks between them."))
        try:
            breaks = [float(text) for text in texts]
            return intervals.by_breaks(column, breaks, like, fixed=self._draft.fixed)
        except ValueError:
            return intervals.by_codes(column, texts, like)

    def _show(self, made: Draft) -> None:
        recoding = made.recoding()
        column = recoding.column
        largest = int(column.counts[: column.n_valid].max(initial=0))
        smallest = int(column.counts[: column.n_valid].min(initial=largest))
        self.result_text.setStyleSheet("")
        self.result_text.setText(
            translate("{n} categories of {least} to {most} records").format(
                n=column.n_valid, least=numbers.format_count(smallest), most=numbers.format_count(largest)
            )
        )
        self.preview.setPlainText(made.text)

    def _accept(self) -> None:
        if self._made is not None:
            self.chosen.emit(self._made)
            self.accept()


def _number(box: QLineEdit) -> float:
    try:
        return numbers.parse_number(box.text()).value
    except ValueError:
        raise _refused(box) from None


def _whole(box: QLineEdit) -> int:
    try:
        return int(numbers.parse_count(box.text()).value)
    except ValueError:
        raise _refused(box, whole=True) from None


def _refused(box: QLineEdit, whole: bool = False) -> RecipeError:
    return _refusal("{why}", why=numbers.why_refused(box.text(), whole))


def _refusal(sentence: str, **values: str) -> RecipeError:
    return RecipeError("grouping-input", sentence, **values)
