"""Export the session's set-up for another program: where to, what will be written, and a word of warning."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QPushButton

from core.base.errors import PavoError
from core.base.outputs import check_targets
from core.base.texts import mark, translate
from gui import dialogs
from gui.document.document import Document
from gui.places import typed_path
from gui.shared.long_names import too_long
from gui.shared.tool_window import ToolWindow
from gui.shared.windows import reason_against
from gui.shared.work_row import WorkRow
from gui.theme import muted, theme

if TYPE_CHECKING:
    from core.exports.exported import Exported
    from core.results.results import Results

_WARNING = mark(
    "The files hold a row for each record, before any suppression: they are as confidential as the survey itself. "
    "Do not release them."
)


def _about_perturbed(derived: Results | None) -> tuple[str, ...]:
    from core.exports.records import about_perturbed

    return about_perturbed(derived) if derived is not None else ()


class Export(ToolWindow):
    """`exportPath`, `exportPathBrowse`, `exportPathMessage`, `exportFiles`, `exportWarning`, `exportNow`.

    A subclass says what is exported and how the files are called.
    """

    default_size = (620, 420)
    meaning: ClassVar[str] = ""
    suffix: ClassVar[str] = ""
    filters: ClassVar[str] = ""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(420, 320)
        self._edited = False
        self._make_controls()
        self._lay_out()
        self.path.textEdited.connect(self._type)
        self.path.returnPressed.connect(self._export)
        self.browse.clicked.connect(self._choose)
        self.export.clicked.connect(self._export)
        self.cancel.clicked.connect(self.close)
        self.work.stopped.connect(self._stop)
        theme.changed.connect(self._refresh)
        self._propose()
        self._refresh()

    def files(self, derived: Results, path: Path) -> list[Path]:
        """What would be written; `path` is what was typed."""
        raise NotImplementedError

    def exporter(self) -> Callable[..., Any]:
        """The function of core that writes: ``f(derived, path, progress, inputs=...)``."""
        raise NotImplementedError

    def _make_controls(self) -> None:
        self.path = QLineEdit(objectName="exportPath")
        self.path.setAccessibleName(translate("Path of the export"))
        self.browse = QPushButton(translate("Bro&wse…"), objectName="exportPathBrowse")
        self.message = _plain(QLabel(objectName="exportPathMessage"))
        self.written = QPlainTextEdit(objectName="exportFiles", readOnly=True, tabChangesFocus=True)
        self.written.setAccessibleName(translate("Files that will be written"))
        self.written.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.warning = _plain(QLabel(translate(_WARNING), objectName="exportWarning"))
        self.work = WorkRow(self.document)
        self.export = QPushButton(translate("&Export"), objectName="exportNow")
        self.export.setDefault(True)
        self.cancel = QPushButton(translate("&Close"), objectName="exportClose")
        for button in (self.browse, self.cancel):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        meaning = _plain(QLabel(translate(self.meaning)))
        muted(meaning)
        label = QLabel(translate("&File"))
        label.setBuddy(self.path)
        listed = QLabel(translate("These files will be &written:"))
        listed.setBuddy(self.written)
        grid = QGridLayout()
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.path, 0, 1)
        grid.addWidget(self.browse, 0, 2)
        grid.addWidget(self.message, 1, 1, 1, 2)
        grid.setColumnStretch(1, 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self.work, 1)
        bottom.addStretch()
        for button in (self.work.stop, self.cancel, self.export):
            bottom.addWidget(button)
        self.content.addWidget(meaning)
        self.content.addLayout(grid)
        self.content.addWidget(listed)
        self.content.addWidget(self.written, 1)
        self.content.addWidget(self.warning)
        self.content.addLayout(bottom)

    # What the document says --------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """Another session has another name."""
        if changes.input and not self._edited:
            self._propose()
        self._refresh()

    def results_changed(self) -> None:
        """Recodes and combinations decide what is written."""
        self._refresh()

    # The path ----------------------------------------------------------------------------------------------------

    @property
    def typed(self) -> Path | None:
        """The path in the box, absolute and with a suffix; None where it is empty."""
        path = typed_path(self.path.text(), self._folder())
        if path is None or path.suffix or not path.name:
            return path
        return path.with_name(path.name + self.suffix)

    def _folder(self) -> Path:
        beside = self.document.session.path or self.document.recipe.input.place
        return beside.parent if beside is not None else dialogs.last_folder()

    def _propose(self) -> None:
        data = self.document.recipe.input.place
        name = data.stem if data is not None else "survey"
        self.path.setText(str(self._folder() / f"{name}_{self.name.removeprefix('exportFor').lower()}{self.suffix}"))

    def _type(self) -> None:
        self._edited = True
        self._refresh()

    def _choose(self) -> None:
        start = self.typed or self._folder()
        path = dialogs.save_file(self, translate(self.title), start, translate(self.filters))
        if path is not None:
            self.path.setText(str(path))
            self._type()

    # Showing -----------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        derived, path = self.document.derived, self.typed
        running = self.work.running
        problem, files = self._problem(derived, path)
        self.warning.setText(" ".join([translate(_WARNING), *_about_perturbed(derived)]))
        self.written.setPlainText("\n".join(map(str, files)))
        self.message.setText(problem)
        self.message.setVisible(bool(problem))
        self.message.setStyleSheet(f"color: {theme.scheme.refused};")
        self.path.setAccessibleDescription(problem)
        self.path.setEnabled(not running)
        self.browse.setEnabled(not running)
        self.export.setEnabled(not running and not problem and not self.document.stale)
        self.work.setVisible(running)
        self.work.stop.setVisible(running)

    def _problem(self, derived: Results | None, path: Path | None) -> tuple[str, list[Path]]:
        if derived is None:
            return translate("The file has to be read first."), []
        reason = reason_against(self.name, self.document)  # the combinations may have gone since the window was opened
        if reason:
            return reason, []
        if path is None:
            return translate("Say where the files go."), []
        try:
            files = self.files(derived, path)
            check_targets({file.name: file for file in files}, self._inputs())
            if len({str(file).casefold() for file in files}) < len(files):
                return translate("Give the file another suffix: the data would get the same name."), files
        except PavoError as error:
            return str(error), []
        except ValueError:
            return translate("This is no name of a file."), []
        return too_long(files), files

    def _inputs(self) -> list[Path]:
        own = self.document.session.path
        return [*self.document.session.inputs(), *([own] if own is not None else [])]

    # Work --------------------------------------------------------------------------------------------------------

    def _export(self) -> None:
        derived, path = self.document.derived, self.typed
        if derived is None or path is None or not self.export.isEnabled():
            return
        existing = [file for file in self.files(derived, path) if file.exists()]
        if existing:
            answers = [translate("&Replace"), translate("&Cancel")]
            text = translate("Replace the files that exist already?")
            if dialogs.ask(self, text, "\n".join(map(str, existing)), answers, 1) != 0:
                return
        self.messages.clear()
        self.work.begin(translate("Writing the files…"))
        self._refresh()
        write = partial(self.exporter(), inputs=self._inputs())
        self.document.compute(
            self.name, write, derived, path, done=self._done, failed=self._failed, cancelled=self._cancelled
        )

    def _done(self, exported: Exported) -> None:
        self.work.end()
        self._refresh()
        files, sentence = exported.files, translate("{number} files are written to {folder}.")
        self.messages.show_good(sentence.format(number=len(files), folder=files[0].parent))
        if exported.left:
            self.messages.show_text(" ".join([self.messages.text, *(notice.text for notice in exported.left)]))

    def _failed(self, error: PavoError) -> None:
        self.work.end()
        self._refresh()
        self.show_error(error)

    def _cancelled(self) -> None:
        self.work.end()
        self._refresh()
        self.messages.show_text(translate("Stopped. Nothing was written."))

    def _stop(self) -> None:
        if self.work.running:
            self.document.tasks.cancel(self.name)

    def may_close(self) -> bool:
        """Work under way is stopped."""
        self._stop()
        return True


def _plain(label: QLabel) -> QLabel:
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


class ExportForSdcMicro(Export):
    """An R script that measures the combinations with sdcMicro, and the csv file that it reads."""

    name = "exportForSdcMicro"
    title = mark("Export for sdcMicro")
    suffix = ".R"
    filters = mark("R scripts (*.R);;All files (*)")
    meaning = mark(
        "Writes an R script that measures the same key variables with sdcMicro and prints its figures beside Pavo's, "
        "and a csv file with the recoded key variables, weights and household numbers that the script reads."
    )

    def files(self, derived: Results, path: Path) -> list[Path]:
        """The script and the csv file."""
        from core.exports import sdcmicro_files

        return list(sdcmicro_files(path))

    def exporter(self) -> Callable[..., Any]:
        """`core.exports.export_sdcmicro`."""
        from core.exports import export_sdcmicro

        return export_sdcmicro


class ExportForMuArgus(Export):
    """Data in fixed format, metadata, codelists and recodes as μ-ARGUS opens them."""

    name = "exportForMuArgus"
    title = mark("Export for μ-ARGUS")
    suffix = ".rda"
    filters = mark("μ-ARGUS metadata (*.rda);;All files (*)")
    meaning = mark(
        "Writes the variables that the session uses as a file in fixed format with its metadata (.rda), codelists "
        "(.cdl) and recodes (.grc), and a text that says what to choose in μ-ARGUS and what it should show."
    )

    def __init__(self, document: Document) -> None:
        self._named: tuple[Results, list[str]] | None = None
        super().__init__(document)

    def files(self, derived: Results, path: Path) -> list[Path]:
        """The metadata, the data and what goes beside them."""
        from core.exports import muargus_files

        if self._named is None or self._named[0] is not derived:
            _metadata, *others = muargus_files(derived, Path("x.rda"))
            self._named = derived, [file.name.removeprefix("x") for file in others]
        return [path, *(path.with_name(path.stem + rest) for rest in self._named[1])]

    def exporter(self) -> Callable[..., Any]:
        """`core.exports.export_muargus`."""
        from core.exports import export_muargus

        return export_muargus
