"""Files that Specify Metadata reads and writes: metadata, codelists, sample lines."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.base.texts import translate
from core.data.variables import Variable
from core.formats.argus.rda_writer import rda_text
from core.formats.detect import utf16
from core.formats.text.block_file import HEAD_BYTES
from core.formats.text.layout import read_beginning
from core.metadata.field_grid import Place
from core.metadata.suggest import to_save
from core.recipe.in_parts import of_first
from gui import dialogs
from gui.dialogs import METADATA
from gui.document.session_files import write_atomically
from gui.specify_metadata.describe_columns import DescribeColumns
from gui.specify_metadata.variable_form import CODELISTS

if TYPE_CHECKING:
    from gui.shared.tool_window import ToolWindow
    from gui.specify_metadata.draft import MetadataDraft

LINES = 60
_SAMPLE = "specify metadata: sample lines"
_PARTS, _PART_BYTES = 32, 1 << 15
"""Places of a large file, evenly spread up to its end, whose records count for edges, and what is read at each."""


def sample_lines(data: Path, progress: Progress = SILENT) -> tuple[list[bytes], list[bytes]]:
    """Records of a fixed file, without their ends of line: the first ones, and a spread over the whole file.

    What the beginning leaves blank, such as the leading digits of record numbers, may be filled further on.
    """
    progress.check()
    beginning = read_beginning(data)
    first = _lines(beginning.removeprefix(b"\xef\xbb\xbf"))
    spread = list(first)
    with suppress(OSError), data.open("rb") as file:
        if not utf16(file.read(HEAD_BYTES)):
            size = file.seek(0, os.SEEK_END)
            span = size - _PART_BYTES - len(beginning)
            for part in range(_PARTS + 1) if size > len(beginning) else ():
                progress.check()
                file.seek(len(beginning) + span * part // _PARTS)
                whole = file.read(_PART_BYTES).partition(b"\n")[2]
                spread += _lines(whole if part == _PARTS else whole.rpartition(b"\n")[0])
    return first[:LINES], spread


def _lines(data: bytes) -> list[bytes]:
    """Lines that hold something."""
    return [line for line in (each.rstrip(bytes(range(32))) for each in data.split(b"\n")) if line]


class MetadataFiles:
    """Reads, writes and describes for a draft; asks and says what it does over a window."""

    def __init__(self, window: ToolWindow, draft: MetadataDraft) -> None:
        self._window, self._draft = window, draft

    def describe(self) -> None:
        """Open Describe columns on the first lines of the file."""
        window = self._window
        description = self._draft.description
        try:
            data = None if description is None else of_first(description.input).data
        except PavoError as error:
            window.show_error(error)
            return
        if description is None or data is None or window.findChild(DescribeColumns) is not None:
            return
        fields = [Place(v.name, v.start, v.length) for v in self._draft.variables]

        def show(lines: tuple[list[bytes], list[bytes]]) -> None:
            shown, spread = lines
            dialog = DescribeColumns(shown, description.metadata.encoding, fields, window, spread)
            dialog.described.connect(self._draft.describe)
            dialog.open()

        window.document.compute(_SAMPLE, sample_lines, data, done=show, failed=window.show_error)

    def stop(self) -> None:
        """The window closes: nobody waits for sample lines any more."""
        self._window.document.tasks.drop(_SAMPLE)

    def read(self) -> None:
        """Ask for a metadata file, and describe the variables as it does."""
        window = self._window
        path = dialogs.open_file(window, translate("Read metadata"), METADATA, self._folder())
        if path is not None:
            window.messages.clear()
            self._draft.read_metadata(path)

    def labels_are_settled(self) -> bool:
        """Ask about labels that are in no codelist; False where the user wants to stay."""
        for name in list(self._draft.value.labels):
            answer = dialogs.ask(
                self._window,
                translate("Save the labels of {name}?").format(name=name),
                translate("Labels of codes are kept in a codelist file (.cdl)."),
                [translate("Save…"), translate("Drop the labels"), translate("Cancel")],
            )
            if answer == 2 or (answer == 0 and not self.save_labels(name)):
                return False
        self._draft.drop_labels()
        return True

    def save(self) -> None:
        """Ask where, and write the description as .rda; what the format has no place for is said."""
        window, description = self._window, self._draft.description
        if description is None or not self.labels_are_settled():
            return
        description = self._draft.description or description
        data = description.input.place
        proposed = data.with_suffix(".rda") if data is not None else dialogs.last_folder() / "metadata.rda"
        if proposed.exists():
            proposed = proposed.with_name(f"{proposed.stem}New.rda")
        path = dialogs.save_as(window, translate("Save metadata as"), proposed, METADATA, (".rda", ".rds"))
        if path is None:
            return
        result = self._draft.result
        try:
            metadata = to_save(description.metadata, result.survey if result is not None else None)
            write_atomically(path, rda_text(metadata, folder=path.parent).encode("utf-8"))
        except PavoError as error:
            window.show_error(error)
            return
        text = translate("The metadata are written to {file}.").format(file=path.name)
        if any(_only_in_session(variable) for variable in description.metadata.variables):
            text += " " + translate(
                "The format has no place for labels of variables, sensitive, direct identifier, left out, never "
                "suppress and neighbouring codes: these stay in the session."
            )
        empty = sum(1 for v in metadata.variables if v.categorical and v.missing == ("",))
        if metadata.format == "delimited" and empty:
            text += " " + translate(
                "μ-ARGUS asks for a missing code of each categorical variable: of {count} only empty is missing."
            ).format(count=empty)
        window.messages.show_good(text)

    def save_labels(self, name: str) -> bool:
        """Ask where, and write the labels of a variable's codes; False where they are not written."""
        window = self._window
        place = next((i for i, v in enumerate(self._draft.variables) if v.name == name), -1)
        folder = self._folder() or dialogs.last_folder()
        free = (folder / f"{name}{'' if i == 1 else i}.cdl" for i in range(1, 1000))
        proposed = next((path for path in free if not path.exists()), folder / f"{name}.cdl")
        title = translate("Save the labels of {name}").format(name=name)
        path = dialogs.save_as(window, title, proposed, CODELISTS, (".cdl",))
        if path is None or place < 0:
            return False
        try:
            self._draft.save_labels(place, path)
        except PavoError as error:
            window.show_error(error)
            return False
        return True

    def _folder(self) -> Path | None:
        data = self._window.document.recipe.input.place
        return data.parent if data is not None else None


def _only_in_session(variable: Variable) -> bool:
    flags = variable.sensitive, variable.removed, not variable.suppressible, variable.role == "direct-identifier"
    return bool(variable.label) or any(flags) or variable.ordered is not None
