"""Group all codes of a variable at once: intervals, top and bottom coding, truncation, levels of the codelist."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import PavoError, RecipeError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, plural, translate
from core.data.variables import Variable
from core.formats.argus.recode_scheme import Scheme
from core.metadata.guess_use import is_named
from core.recoding import dates, intervals
from core.recoding.draft import Draft
from core.recoding.intervals import Level
from gui import numbers
from gui.document.document import Document
from gui.global_recode.edits import work_out
from gui.global_recode.model import GROUPINGS
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.over import resize_over
from gui.shared.wheel import ComboBox
from gui.theme import heading, muted, theme

_LATE = ("year", "age", "tree")
"""Ways that are for some codes only."""
_SLOT, _LEVELS_SLOT = "group codes", "group codes, levels"
_ABOUT = {
    "width": mark("Codes are read as numbers."),
    "quantiles": mark("Codes are cut, in their order, where about as many records lie in each group."),
    "breaks": mark("Each break is the first code of an interval: 15 25 35 gives –14, 15–24, 25–34 and 35–."),
    "ends": mark("All codes up to the lower bound become one, all from the upper bound another; leave one empty."),
    "truncate": mark("For codes whose last characters are the fine detail. Counted from the right of the field."),
    "year": mark("Each date becomes its year."),
    "age": mark("Each date of birth becomes the age in completed years on that day; give it as 2025-12-31."),
    "tree": mark("For codes whose beginnings are the codes of broader groups, such as occupations and regions."),
}


_BY_ORDER = ("width", "quantiles", "breaks", "ends")
"""Ways that put neighbours together."""


def without_order(name: str) -> str:
    """What is said where neighbours are put together that have nothing in common."""
    return translate("The codes of {name} have no order: neighbouring codes need have nothing in common.").format(
        name=name
    )


class GroupCodes(OrderedDialog):
    """`groupingMethod`, its boxes, `groupingPreview`; OK emits what they make.

    Signals
    -------
    chosen(Draft) : the grouping was accepted.
    """

    chosen = Signal(object)

    def __init__(
        self, document: Document, draft: Draft, variable: Variable, labels: Mapping[str, str], method: str,
        parent: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(parent, objectName="groupCodes")
        self.setWindowTitle(translate("Group the codes of {name}").format(name=variable.name))
        self._document, self._draft, self._variable, self._labels = document, draft, variable, labels
        self._made: Draft | None = None
        self._wanted = method
        self.method = ComboBox(objectName="groupingMethod")
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
        self._lay_out()
        self._work_out(_LEVELS_SLOT, _levels, draft, labels, done=self._offer_levels)
        self._connect()
        resize_over(self, 460, 480)

    def _connect(self) -> None:
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self._stop)
        self.method.setCurrentIndex(max(self.method.findData(self._wanted), 0))
        self.method.activated.connect(self._choose_method)
        self.method.currentIndexChanged.connect(self._method_chosen)
        self._method_chosen()

    def _stop(self) -> None:
        for slot in (_SLOT, _LEVELS_SLOT):
            self._document.tasks.drop(slot)

    def _make_boxes(self) -> None:
        self.width_box = self._box("intervalWidth", "10")
        self.start_box = self._box("intervalStart", "")
        self.start_box.setPlaceholderText(translate("a multiple of the width"))
        self.groups_box = self._box("quantileGroups", "5")
        self.breaks_box = self._box("ownBreaks", "")
        self.bottom_box = self._box("bottomCode", "")
        self.top_box = self._box("topCode", "")
        self.digits_box = self._box("truncateDigits", "1")
        self.day_box = self._box("referenceDay", date.today().isoformat())
        self.level_box = ComboBox(objectName="codelistLevel")

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
            "year": (),
            "age": ((translate("Age &on"), self.day_box),),
            "tree": ((translate("&Keep"), self.level_box),),
        }
        late = ("tree",) if dates.are_dates(self._draft.column.codes[: self._draft.column.n_valid]) else _LATE
        for key, title in GROUPINGS:
            page = QWidget()
            form = QFormLayout(page)
            form.setContentsMargins(0, 0, 0, 0)
            for text, box in pages[key]:
                box.setAccessibleName(text.replace("&", ""))
                form.addRow(text, box)
            self.pages.addWidget(page)
            if key not in late:
                self.method.addItem(translate(title), key)
        heading(self.result_text, 1.05)
        layout = QVBoxLayout(self)
        for widget in (self.method, self.about, self.pages, self.result_text):
            layout.addWidget(widget)
        layout.addWidget(self.preview, 1)
        layout.addWidget(self.buttons)

    def _offer_levels(self, levels: Sequence[Level]) -> None:
        """Levels of the codelist are a method where its codes are a tree; it is the last in the list of methods."""
        if not levels:
            return
        key, title = GROUPINGS[-1]
        for level in levels:
            self.level_box.addItem(_level_text(level), level.length)
        self.level_box.currentIndexChanged.connect(lambda _: self._refresh())
        self.method.addItem(translate(title), key)
        if self._wanted == key:
            self.method.setCurrentIndex(self.method.count() - 1)

    def _choose_method(self) -> None:
        """The user chose one: the method asked for at first, which may be offered late, is not wanted any more."""
        self._wanted = self.method.currentData()

    def _method_chosen(self) -> None:
        self.pages.setCurrentIndex([key for key, _ in GROUPINGS].index(self.method.currentData()))
        method = self.method.currentData()
        parts = [translate(_ABOUT[method])]
        if method in _BY_ORDER and is_named(self._variable):
            parts.append(without_order(self._variable.name))
        self.about.setText(" ".join(parts))
        self._refresh()

    def _refresh(self) -> None:
        """Make what the boxes say, and show it when it is made."""
        self._made = None
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(False)
        try:
            maker = self._maker()
        except PavoError as error:
            self._document.tasks.drop(_SLOT)
            self._refuse(error)
            return
        self.result_text.setStyleSheet("")
        self.result_text.setText(translate("Computing…"))
        self._work_out(_SLOT, _make, self._draft, maker, done=self._show)

    def _work_out(self, slot: str, f: Callable[..., Any], *args: Any, done: Callable[[Any], None]) -> None:
        work_out(self._document, slot, self._draft.column, f, *args, done=done, failed=self._refuse)

    def _refuse(self, error: PavoError) -> None:
        self.result_text.setText(str(error))
        self.result_text.setStyleSheet(f"color: {theme.scheme.refused};")
        self.preview.clear()

    def _maker(self) -> Callable[[], Draft]:
        """What makes the groups that the boxes say, in whichever thread; refuses what is no number."""
        draft, column, fixed = self._draft, self._draft.column, self._draft.fixed
        like, method = replace(draft.scheme, lines=()), self.method.currentData()
        if method == "tree":
            return self._by_level(int(self.level_box.currentData()), like)
        if method == "truncate":
            digits = _whole(self.digits_box)
            return lambda: draft.truncated(digits)
        if method == "year":
            return lambda: draft.with_scheme(dates.by_year(column, like))
        if method == "age":
            day = _day(self.day_box)
            return lambda: draft.with_scheme(dates.by_age(column, day, like))
        if method == "breaks":
            return self._by_breaks(like)
        if method == "quantiles":
            groups = _whole(self.groups_box)
            return lambda: draft.with_scheme(intervals.quantiles(column, groups, like))
        if method == "width":
            start = None if not self.start_box.text().strip() else _number(self.start_box)
            width = _number(self.width_box)
            return lambda: draft.with_scheme(intervals.equal_width(column, width, start, like, fixed=fixed))
        bottom, top = (box.text().strip() or None for box in (self.bottom_box, self.top_box))
        if bottom is None and top is None:
            raise _refusal(mark("Give a lower or an upper bound."))
        return lambda: draft.with_scheme(intervals.top_bottom(column, bottom, top, like, fixed=fixed))

    def _by_level(self, length: int, like: Scheme) -> Callable[[], Draft]:
        draft, labels, codelist = self._draft, self._labels, self._variable.codelist

        def tree() -> Draft:
            scheme = intervals.by_prefix(draft.column, length, like)
            named = all(line.code in labels for line in scheme.lines)
            if named and codelist is not None and scheme.codelist is None:
                scheme = replace(scheme, codelist=str(codelist))
            return draft.with_scheme(scheme)

        return tree

    def _by_breaks(self, like: Scheme) -> Callable[[], Draft]:
        draft, texts = self._draft, self.breaks_box.text().replace(";", " ").replace(",", " ").split()
        if not texts:
            raise _refusal(mark("Write the first code of each interval, with blanks between them."))

        def by_breaks() -> Draft:
            try:
                breaks = [float(text) for text in texts]
                scheme = intervals.by_breaks(draft.column, breaks, like, fixed=draft.fixed)
            except ValueError:
                scheme = intervals.by_codes(draft.column, texts, like)
            return draft.with_scheme(scheme)

        return by_breaks

    def _show(self, made: Draft) -> None:
        self._made = made
        column = made.recoding().column
        largest = int(column.counts[: column.n_valid].max(initial=0))
        smallest = int(column.counts[: column.n_valid].min(initial=largest))
        self.result_text.setText(_sizes_text(column.n_valid, smallest, largest))
        self.preview.setPlainText(made.text)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(True)

    def _accept(self) -> None:
        if self._made is not None:
            self.chosen.emit(self._made)
            self.accept()


def _level_text(level: Level) -> str:
    length = translate(plural(level.length, "1 character", "{n} characters"))
    return f"{length.format(n=numbers.format_count(level.length))}: {_categories(level.categories)}"


def _categories(count: int) -> str:
    return translate(plural(count, "1 category", "{n} categories")).format(n=numbers.format_count(count))


def _sizes_text(categories: int, smallest: int, largest: int) -> str:
    """How many categories there are, and of how many records."""
    if categories == 1:
        text = plural(largest, "{categories} of 1 record", "{categories} of {most} records")
    elif smallest == largest:
        text = plural(largest, "{categories} of 1 record each", "{categories} of {most} records each")
    else:
        text = plural(largest, "{categories} of {least} to {most} records", "{categories} of {least} to {most} records")
    least, most = map(numbers.format_count, (smallest, largest))
    return translate(text).format(categories=_categories(categories), least=least, most=most)


def _levels(draft: Draft, labels: Mapping[str, str], progress: Progress = SILENT) -> tuple[Level, ...]:
    progress.check()
    return intervals.prefix_levels(draft.column, labels)


def _make(draft: Draft, maker: Callable[[], Draft], progress: Progress = SILENT) -> Draft:
    """What `maker` makes of the draft, with what becomes of its codes; raises where that is nothing."""
    progress.check()
    made = maker()
    if made.is_empty:
        raise _refusal(mark("This groups nothing."))
    if made.error is not None:
        raise made.error
    made.recoding()
    return made if made is not draft else replace(made)


def _number(box: QLineEdit) -> float:
    try:
        return numbers.parse_number(box.text()).value
    except ValueError:
        raise _refused(box) from None


def _day(box: QLineEdit) -> date:
    try:
        return date.fromisoformat(box.text().strip())
    except ValueError:
        raise _refusal(mark("Give a day as year, month and day: 2025-12-31.")) from None


def _whole(box: QLineEdit) -> int:
    try:
        return int(numbers.parse_count(box.text()).value)
    except ValueError:
        raise _refused(box, whole=True) from None


def _refused(box: QLineEdit, whole: bool = False) -> RecipeError:
    return _refusal("{why}", why=numbers.why_refused(box.text(), whole))


def _refusal(sentence: str, **values: str) -> RecipeError:
    return RecipeError("grouping-input", sentence, **values)
