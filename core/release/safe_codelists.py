"""Codelists written beside the metadata of a safe file that cannot hold labels itself."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import MappingProxyType

from ..base.errors import PavoError, ProtectionError
from ..base.outputs import Outputs
from ..base.texts import mark
from ..data.variables import Metadata
from ..formats.argus.codelist import codelist_text, one_line, read_codelist
from ..formats.argus.text_files import decode, made_plain
from ..formats.text.records import python_encoding
from ..recipe.available import HOLD_LABELS, written_format
from ..recipe.model import Recipe

_MOST_OF_NAME = 40
"""Characters of a variable's name that a file name has."""


def codelist_targets(recipe: Recipe, metadata: Metadata, taken: Iterable[Path] = ()) -> dict[str, Path]:
    """Where codelists are to appear, by variable: of each that is recoded or has a codelist; without labels none does.

    They stand beside ``output.metadata`` as ``<its name>_<variable>.cdl``, numbered where two would be the same or
    one is in `taken` (inputs and other outputs). Without that output, or where the safe file holds labels: none.

    Parameters
    ----------
    metadata : of the original file
    """
    beside = recipe.output.metadata
    if beside is None or written_format(recipe.output.data, metadata.format) in HOLD_LABELS:
        return {}
    known = {_plain(path) for path in taken}
    found: dict[str, Path] = {}
    recoded = (recode.variable for recode in recipe.recodes)
    for name in dict.fromkeys((*recoded, *(v.name for v in metadata.variables if v.codelist is not None))):
        if name in metadata and not metadata[name].removed and metadata[name].role != "direct-identifier":
            names = (beside.with_name(_file_name(beside, name, number)) for number in count(1))
            found[name] = next(path for path in names if _plain(path) not in known)
            known.add(_plain(found[name]))
    return found


def role(variable: str) -> str:
    """What outputs call the codelist of a variable."""
    return f"metadata (codelist of {variable})"


def write_codelists(
    outputs: Outputs,
    targets: Mapping[str, Path],
    layout: Metadata,
    original: Metadata,
    occurring: Mapping[str, AbstractSet[str]] = MappingProxyType({}),
) -> dict[str, Path]:
    """Write the codelist of each variable of `layout` that has labels, and read it back; those written, by variable.

    Of a variable in `occurring` it has the codes that are there, and missing codes: beside the office's own list, one
    that lacks just those that were suppressed in all records would tell which these are.

    It is in the encoding of the data, as μ-ARGUS takes it to be, where that reads back the same; else in UTF-8. Labels
    that the program made, those that the `original` does not have, are in plain signs.

    Raises
    ------
    ProtectionError
        A written codelist does not read back as it was meant.
    """
    written = {}
    for name, target in targets.items():
        labels = dict(layout[name].labels) if name in layout else {}
        if name in occurring:
            kept = {*occurring[name], *layout[name].missing}
            labels = {code: label for code, label in labels.items() if code in kept}
        if labels:
            if layout[name].codelist is None:
                labels = dict(made_plain(labels.items(), original[name].labels if name in original else ()))
            with outputs.open(role(name)) as file:
                file.write(_encoded(codelist_text(labels), layout))
            _check(outputs.path(role(name)), labels, target)
            written[name] = target
    return written


def _encoded(text: str, layout: Metadata) -> bytes:
    if layout.format in ("fixed", "delimited"):
        with suppress(UnicodeEncodeError):
            content = text.encode(python_encoding(layout.encoding))
            if decode(content) == text:
                return content
    return text.encode()


def with_codelists(layout: Metadata, codelists: Mapping[str, Path]) -> Metadata:
    """`layout` in which variables name these codelists and no others: those of the original stay in the house."""
    variables = (replace(v, codelist=codelists.get(v.name)) for v in layout.variables)
    return replace(layout, variables=tuple(variables))


def _plain(path: Path) -> str:
    return os.path.realpath(path).casefold()  # names that differ only in case are one file on many systems


def _file_name(metadata: Path, variable: str, number: int) -> str:
    """A name that every system takes and an .rds file can quote."""
    plain = re.sub(r"[^\w.-]", "_", variable)[:_MOST_OF_NAME]
    numbered = f"_{number}" if number > 1 else ""
    stem = metadata.stem.replace('"', "_")
    return f"{stem}_{plain}{numbered}.cdl"


def _check(path: Path, labels: Mapping[str, str], target: Path) -> None:
    try:
        if read_codelist(path) == {code: one_line(label) for code, label in labels.items()}:
            return
    except PavoError:
        pass
    raise ProtectionError(
        "codelist-differs",
        mark("The codelist {file} does not read back as it was written, so nothing was kept."),
        mark("Please report this as a defect of the program."),
        file=target.name,
    )
