"""Data looked at before they are opened: a file, or all parts of one."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from ..base.errors import PavoError
from ..base.progress import SILENT, Progress
from ..metadata.opening import Look, Objection, look
from ..recipe.in_parts import is_in_parts, of_part, paths_of_parts
from ..recipe.model import Input
from .input_parts import differences_of_parts

_DIFFERENCES = 20
"""Differences between parts that are told at once."""


def look_at(source: Input, progress: Progress = SILENT) -> Look:
    """Look at data as they will be read; of a file in parts the first is shown, and all are compared with it.

    Parameters
    ----------
    source : Input, of which the data are said
    """
    if not is_in_parts(source):
        return look(source, progress)
    try:
        paths = paths_of_parts(source)
    except PavoError as error:
        return Look(source, None, None, (Objection("refused", "data", str(error)),))
    first = replace(look(of_part(source, paths[0]), progress), input=source, parts=len(paths))
    if first.metadata is None or first.refused or first.undescribed:
        return first
    found: list[Objection] = []
    try:
        others = differences_of_parts(source, (), paths, first.metadata, progress)
        found += [Objection("refused", "data", str(error)) for error in islice(others, _DIFFERENCES)]
    except PavoError as error:
        found.append(Objection("refused", "data", str(error)))
    return replace(first, objections=(*found, *first.objections))
