"""Dialogs that stop the user, all opened by functions that tests (and a kiosk) replace.

File dialogs of the system are a convenience: every path can be typed elsewhere. Replace `open_file`, `save_file`
or `ask` in this module (``monkeypatch.setattr(dialogs, "open_file", lambda *a: Path(...))``); callers use them as
``dialogs.open_file(...)``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox, QWidget

from core.base.texts import mark, translate
from gui.places import documents
from gui.settings import DATA_FOLDER, LAST_FOLDER, settings

MICRODATA = mark(
    "Microdata (*.asc *.dat *.fix *.txt *.csv *.tsv *.tab *.sav *.zsav *.por *.dta *.sas7bdat *.xpt *.parquet *.xlsx);;"
    "All files (*)"
)
SESSIONS = mark("Sessions (*.pavo *.toml);;All files (*)")
SESSION_SUFFIXES = (".pavo", ".toml")
METADATA = mark("Metadata (*.rda);;All files (*)")


def last_folder() -> Path:
    """The folder of data that the user set, else where a file was chosen last, else the documents."""
    folders = (settings.get(DATA_FOLDER), settings.get(LAST_FOLDER))
    return next((Path(kept) for kept in folders if kept and Path(kept).is_dir()), documents())


_beside: list[Callable[[], Path | None]] = []


def start_beside(data_file: Callable[[], Path | None]) -> None:
    """Let dialogs for inputs start where the data file is: codelists, schemes and metadata lie there."""
    _beside[:] = [data_file]


def input_folder() -> Path:
    """The folder of the data file, else where a file was chosen last."""
    data = next((data_file() for data_file in _beside), None)
    return data.parent if data is not None and data.parent.is_dir() else last_folder()


def open_file(parent: QWidget | None, title: str, filters: str, start: Path | None = None) -> Path | None:
    """Let the user choose an existing file; None where they do not."""
    chosen, _ = QFileDialog.getOpenFileName(parent, title, str(start or input_folder()), translate(filters))
    return _remember(chosen)


def open_files(parent: QWidget | None, title: str, filters: str, start: Path | None = None) -> list[Path]:
    """Let the user choose existing files; none where they do not."""
    chosen, _ = QFileDialog.getOpenFileNames(parent, title, str(start or input_folder()), translate(filters))
    return [path for each in chosen if (path := _remember(each)) is not None]


def open_folder(parent: QWidget | None, title: str, start: Path | None = None) -> Path | None:
    """Let the user choose an existing folder; None where they do not."""
    return _remember(QFileDialog.getExistingDirectory(parent, title, str(start or input_folder())))


def save_file(parent: QWidget | None, title: str, proposed: Path, filters: str) -> Path | None:
    """Let the user say where to write (the dialog asks before an existing file is replaced); None for nowhere."""
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(proposed), translate(filters))
    return _remember(chosen)


def save_as(parent: QWidget | None, title: str, proposed: Path, filters: str, suffixes: Sequence[str]) -> Path | None:
    """Let the user say where to write a file of a kind; a name with none of its `suffixes` gets the first.

    The file that then has the name is not replaced unasked: the file dialog asked about the name as typed.
    """
    chosen = save_file(parent, title, proposed, filters)
    if chosen is None or chosen.suffix.lower() in suffixes:
        return chosen
    path = chosen.with_name(chosen.name + suffixes[0])
    if path.exists():
        question = translate("Replace {file}?").format(file=path.name)
        answers = (translate("Replace"), translate("Cancel"))
        if ask(parent, question, translate("The file exists already."), answers, 1) == 1:
            return None
    return path


def ask(parent: QWidget | None, text: str, detail: str, answers: Sequence[str], default: int = 0) -> int:
    """Ask a question; the number of the answer (the last one is also what Esc means)."""
    box = QMessageBox(QMessageBox.Icon.Question, "Pavo", text, parent=parent)
    box.setInformativeText(detail)
    for label in box.findChildren(QLabel):  # the box's own text format leaves the detail out
        label.setTextFormat(Qt.TextFormat.PlainText)
    role = QMessageBox.ButtonRole
    buttons = [
        box.addButton(answer, role.RejectRole if i == len(answers) - 1 else role.AcceptRole)
        for i, answer in enumerate(answers)
    ]
    box.setDefaultButton(buttons[default])
    box.setEscapeButton(buttons[-1])
    box.exec()
    clicked = box.clickedButton()
    return buttons.index(clicked) if clicked in buttons else len(answers) - 1


def _remember(chosen: str) -> Path | None:
    if not chosen:
        return None
    path = Path(chosen)
    settings.set(LAST_FOLDER, str(path.parent))
    return path
