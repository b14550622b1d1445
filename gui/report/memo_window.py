"""Differences to the Last Release: the memo of what changed since then, shown and saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui import dialogs
from gui.document.document import Document
from gui.places import typed_path
from gui.report.document import ReportDocument, report_sheet
from gui.report.saving import save_report
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.tool_window import ToolWindow

if TYPE_CHECKING:
    from core.recipe.model import Recipe
    from core.report.blocks import ReportData

_COMPARE = "memo"
_SUMMARIES = mark("Summaries (*.json);;All files (*)")


class Memo(ToolWindow):
    """`memo` with `memoLast`, `memoLastBrowse`, `memoSummary`, `memoSummaryBrowse`, `memoCompare`; `memoView`."""

    name = "memo"
    title = mark("Differences to the Last Release")
    first = "memoLast"
    default_size = (900, 620)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(460, 320)
        self.memo: ReportData | None = None
        self._of: Recipe | None = None
        self._make_controls()
        self._lay_out()
        self._connect()
        self._show(None)

    def _make_controls(self) -> None:
        self.last = QLineEdit(objectName="memoLast")
        self.last.setPlaceholderText(translate(mark("Its recipe (.pavo), or the folder that it lies in")))
        self.last_browse = QPushButton(translate(mark("&Browse…")), objectName="memoLastBrowse")
        self.last_browse.setAccessibleName(translate(mark("Browse for the recipe of the last release")))
        self.summary = QLineEdit(objectName="memoSummary")
        self.summary.setPlaceholderText(translate(mark("Found where the recipe names it, if left empty")))
        self.summary_browse = QPushButton(translate(mark("Bro&wse…")), objectName="memoSummaryBrowse")
        self.summary_browse.setAccessibleName(translate(mark("Browse for the summary of the last release")))
        self.compare = role_button(translate(mark("&Compare")), "memoCompare", "filled")
        self.compare.setDefault(True)
        self.view = report_sheet("memoView", translate(mark("Memo of the differences")))
        self.remark = WrappedLabel(name="memoRemark", is_muted=True)
        self.save_html = role_button(translate(mark("Save as &HTML…")), "memoSaveHtml")
        self.save_pdf = role_button(translate(mark("Save as P&DF…")), "memoSavePdf")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        rows = (
            (mark("&Last release"), self.last, self.last_browse),
            (mark("Its &summary"), self.summary, self.summary_browse),
        )
        for row, (text, box, button) in enumerate(rows):
            label = QLabel(translate(text))
            label.setBuddy(box)
            for column, part in enumerate((label, box, button)):
                grid.addWidget(part, row, column)
        grid.addWidget(self.compare, 0, 3)
        grid.setColumnStretch(1, 1)
        sheet, bottom = QHBoxLayout(), QHBoxLayout()
        sheet.addWidget(self.view, 1000)
        sheet.addStretch(1)  # what a sheet of its full width leaves
        bottom.addWidget(self.remark, 1)
        bottom.addWidget(self.save_pdf)
        bottom.addWidget(self.save_html)
        self.content.addLayout(grid)
        self.content.addLayout(sheet, 1)
        self.content.addLayout(bottom)

    def _connect(self) -> None:
        for box in (self.last, self.summary):
            box.textEdited.connect(lambda _text: self._allow())
            box.returnPressed.connect(self._compare)
        self.last_browse.clicked.connect(lambda: self._choose(self.last, mark("Last release"), dialogs.SESSIONS))
        self.summary_browse.clicked.connect(lambda: self._choose(self.summary, mark("Its summary"), _SUMMARIES))
        self.compare.clicked.connect(self._compare)
        self.save_html.clicked.connect(lambda: self._save("html"))
        self.save_pdf.clicked.connect(lambda: self._save("pdf"))
        self.closed.connect(lambda _name: self.document.tasks.drop(_COMPARE))
        self.greyed(self.view)

    # What the document says --------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """The memo may be of an earlier state of the session now."""
        self._say_whether_current()

    def results_changed(self) -> None:
        """A file may have been made, and its figures be known."""
        self._say_whether_current()

    def is_stale(self) -> bool:
        """The memo is of the session as it was when it was compared."""
        return self.memo is not None and self._of != self.document.recipe

    def is_updating(self) -> bool:
        """It is compared again where the user asks for it."""
        return False

    def _say_whether_current(self) -> None:
        stale = self.is_stale()
        text = translate(mark("The session changed since: compare again."))
        missing = translate(mark("Make the protected file first where the memo shall have this release's figures."))
        self.remark.setText(text if stale else "" if self._made() is not None else missing)

    def _made(self) -> dict[str, Any] | None:
        """The summary of the protected file, where it was made from the session as it is."""
        session = self.document.session
        return session.released.summary if session.released is not None and session.released_is_current else None

    # The memo ----------------------------------------------------------------------------------------------------

    def _choose(self, box: QLineEdit, title: str, filters: str) -> None:
        path = dialogs.open_file(self, translate(title), filters)
        if path is not None:
            box.setText(str(path))
            self._allow()

    def _typed(self, box: QLineEdit) -> Path | None:
        own = self.document.session.path
        return typed_path(box.text(), own.parent if own is not None else dialogs.last_folder())

    def _allow(self) -> None:
        self.compare.setEnabled(bool(self.last.text().strip()))

    def _compare(self) -> None:
        from core.memo import memo_of_session

        last = self._typed(self.last)
        if last is None:
            return
        self.clear_error()
        self.compare.setEnabled(False)
        recipe, session = self.document.recipe, self.document.session
        data = session.path or recipe.input.place
        name = data.stem if data is not None else translate(mark("this session"))

        def arrived(found: ReportData) -> None:
            self._of = recipe
            self._show(found)

        def failed(error: PavoError) -> None:
            self._allow()
            self.show_error(error)

        self.document.compute(
            _COMPARE, memo_of_session, recipe, name, self._made(), last, self._typed(self.summary),
            done=arrived, failed=failed, cancelled=self._allow,
        )  # fmt: skip

    def _show(self, found: ReportData | None) -> None:
        self.memo = found
        if found is None:
            told = mark(
                "What changed since the last release will be here: variables, recodes, models, thresholds and, where "
                "both summaries are there, the figures of both. Say above where the last release is."
            )
            self.view.setPlainText(translate(told))
        else:
            from core.report.html import render_plain

            sheet = self.view.document()
            assert isinstance(sheet, ReportDocument), "as report_sheet makes it"
            sheet.show_report(render_plain(found))
        for button in (self.save_html, self.save_pdf):
            button.setEnabled(found is not None)
        self._allow()
        self._say_whether_current()
        self._grey()

    def _save(self, suffix: Any) -> None:
        data = self.document.recipe.output.data or self.document.recipe.input.place
        folder = data.parent if data is not None else dialogs.last_folder()
        if self.memo is not None:
            save_report(self, self.memo, suffix, folder / "memo")
