"""Writing the records that a window shows to a file that the user names, with progress and Stop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.base.errors import Notice, PavoError
from core.base.texts import translate
from gui import dialogs, numbers
from gui.browse.records_view import RecordsView
from gui.document.document import Document
from gui.shared.work_row import WorkRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.browse.export import Extract
    from core.data.variables import Metadata


class RecordsExport(QWidget):
    """`recordsExport`, visible while it writes. `said(text)` what came of it; `failed(PavoError)`."""

    said = Signal(str)
    failed = Signal(object)

    def __init__(self, document: Document, slot: str) -> None:
        super().__init__(objectName="recordsExport")
        self._document, self._slot = document, slot
        self.work = WorkRow(document, "recordsExportWork")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.work, 1)
        row.addWidget(self.work.stop)
        self.work.stopped.connect(lambda: document.tasks.cancel(slot))
        self.hide()

    def start(self, extract: Extract) -> None:
        """Ask for a file (none is proposed: it holds what must not get lost among others) and write to it."""
        title = translate("Export records: the copy is as confidential as the data")
        path = dialogs.save_file(self.window(), title, dialogs.last_folder(), "CSV (*.csv)")
        if path is None or self.work.running:
            return
        from core.browse.export import export_records

        target = path if path.suffix else path.with_suffix(".csv")
        session = [self._document.session.path] if self._document.session.path is not None else []
        self.work.begin(translate("Writing records"))
        self.show()
        self._document.compute(
            self._slot, export_records, extract, target, [*self._document.session.inputs(), *session],
            done=lambda done: self._written(*done, target), failed=self._refused, cancelled=self._stopped,
        )  # fmt: skip

    def give_up(self) -> None:
        """The window closes: nothing is written."""
        self._document.tasks.drop(self._slot)

    def _end(self) -> None:
        self.work.end()
        self.hide()

    def _written(self, count: int, left: tuple[Notice, ...], target: Path) -> None:
        self._end()
        text = translate("{n} records are written to {file}. They are as confidential as the data.")
        said = text.format(n=numbers.format_count(count), file=str(target))
        self.said.emit(" ".join([said, *(notice.text for notice in left)]))

    def _refused(self, error: PavoError) -> None:
        self._end()
        self.failed.emit(error)

    def _stopped(self) -> None:
        self._end()
        self.said.emit(translate("Stopped. Nothing was written."))


def shown_in(view: RecordsView, path: Path, metadata: Metadata, rows: NDArray[np.int64] | None) -> Extract:
    """What a view shows, as it is to be written."""
    from core.browse.export import Extract

    fields = [field for field in view.records.fields if field.slot >= 0]
    labels = {field.name: field.labels for field in fields} if view.records.shows_labels else {}
    return Extract(path, metadata, tuple(field.name for field in fields), rows, labels)
