"""Files that Specify Metadata reads and writes: metadata, codelists, sample lines."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.errors import PavoError
from core.io.rda_writer import rda_text
from core.microdata.description import Description
from core.microdata.header import read_beginning
from core.microdata.variables import Variable
from core.progress import SILENT, Progress
from core.texts import mark, translate
from gui import dialogs
from gui.session_files import write_atomically
from gui.widgets.message_area import MessageArea
from gui.widgets.variable_form import CODELISTS

METADATA = mark("Metadata (*.rda);;All files (*)")
LINES = 60


def sample_lines(data: Path, progress: Progress = SILENT) -> list[bytes]:
    """The first records of a fixed file, without their ends of line."""
    progress.check()
    lines = [line.rstrip(bytes(range(32))) for line in read_beginning(data).removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    return [line for line in lines if line][:LINES]


def ask_metadata(parent: QWidget, data: Path | None) -> Path | None:
    """Let the user choose a metadata file."""
    return dialogs.open_file(parent, translate("Read metadata"), METADATA, data.parent if data is not None else None)


def ask_codelist(parent: QWidget, name: str, data: Path | None) -> Path | None:
    """Let the user say where the labels of a variable go; a name that is free is proposed."""
    folder = data.parent if data is not None else dialogs.last_folder()
    free = (folder / f"{name}{'' if i == 1 else i}.cdl" for i in range(1, 1000))
    proposed = next((path for path in free if not path.exists()), folder / f"{name}.cdl")
    path = dialogs.save_file(parent, translate("Save the labels of {name}").format(name=name), proposed, CODELISTS)
    return path.with_suffix(".cdl") if path is not None and not path.suffix else path


def save_metadata(parent: QWidget, description: Description, messages: MessageArea) -> None:
    """Ask where, and write the description as .rda; what the format has no place for is said."""
    data = description.input.data
    proposed = data.with_suffix(".rda") if data is not None else dialogs.last_folder() / "metadata.rda"
    if proposed.exists():
        proposed = proposed.with_name(f"{proposed.stem}New.rda")
    path = dialogs.save_file(parent, translate("Save metadata as"), proposed, METADATA)
    if path is None:
        return
    path = path if path.suffix else path.with_suffix(".rda")
    try:
        write_atomically(path, rda_text(description.metadata, folder=path.parent).encode("utf-8"))
    except PavoError as error:
        messages.show_error(error)
        return
    text = translate("The metadata are written to {file}.").format(file=path.name)
    if any(_only_in_session(variable) for variable in description.metadata.variables):
        text += " " + translate(
            "The format has no place for labels of variables, sensitive, direct identifier, left out and never "
            "suppress: these stay in the session."
        )
    messages.show_good(text)


def _only_in_session(variable: Variable) -> bool:
    flags = variable.sensitive, variable.removed, not variable.suppressible, variable.role == "direct-identifier"
    return bool(variable.label) or any(flags)
