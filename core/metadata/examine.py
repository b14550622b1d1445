"""A description under edit held against its file: profiles, labels, problems and what *Check my file* finds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ..base.errors import PavoError
from ..base.progress import SILENT, Progress
from ..recipe.in_parts import of_first
from ..recoding.labels import labels
from .check_file import Finding, check_file
from .data_problems import data_problems, with_proposals
from .description import Description
from .problems import Problem, all_problems
from .survey import Survey, survey

_ORDER = {"error": 0, "warning": 1, "notice": 2}


@dataclass(frozen=True, eq=False)
class Examined:
    """Findings about a description: all that there is to say about it.

    Attributes
    ----------
    description : as it was examined
    survey : None where the file could not be read; `error` then says why
    labels : labels of codes by variable
    problems : all of them, errors first
    findings : of *Check my file*: what is proposed or odd, what matters most first
    """

    description: Description
    survey: Survey | None
    error: PavoError | None
    labels: Mapping[str, Mapping[str, str]]
    problems: tuple[Problem, ...]
    findings: tuple[Finding, ...]


def examine(
    description: Description,
    known: Survey | None = None,
    combined: Collection[str] = (),
    progress: Progress = SILENT,
) -> Examined:
    """Look at the file (of parts the first) under a description; what is wrong with either is told, not raised.

    Parameters
    ----------
    description : Description, contradictions included
    known : Survey of the same file before, not read again where it still holds
    combined : names of variables that a combination uses
    progress : Progress
    """
    metadata = description.metadata
    problems = list(all_problems(metadata, combined))
    names = {v.name: v for v in metadata.variables}
    by_name = labels(metadata, {}) if len(names) == len(metadata.variables) else {}
    found: Survey | None = None
    error: PavoError | None = None
    if description.input.place is not None and metadata.variables:
        try:
            data = of_first(description.input).data
            found = None if data is None else survey(data, metadata, known, progress)
        except PavoError as refused:
            error = refused
    if found is None:
        return Examined(description, None, error, by_name, tuple(problems), ())
    problems = [problem for problem in problems if problem.id != "gap"]  # the survey names all such positions
    problems = with_proposals(problems, metadata, found)
    problems = sorted([*problems, *data_problems(metadata, found, by_name)], key=lambda p: _ORDER[p.severity])
    return Examined(
        description,
        found,
        None,
        by_name,
        tuple(problems),
        check_file(metadata, found, by_name),
    )
