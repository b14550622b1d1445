"""The description of the file that a session works with: without contradictions, and what is odd about it."""

from __future__ import annotations

from pathlib import Path

from ..base.errors import MetadataError, Notice
from ..data.variables import Metadata
from ..metadata.describe import describe_unverified
from ..metadata.problems import all_problems
from ..metadata.undescribed import said_of_columns
from ..recipe.in_parts import of_first
from ..recipe.model import Input, VariableEdit


def verified_metadata(source: Input, edits: tuple[VariableEdit, ...]) -> tuple[Metadata, tuple[Notice, ...]]:
    """Metadata of the recipe's input, and what is to be said about them.

    Raises
    ------
    PavoError
        The first contradiction. A codelist that cannot be read is none: its labels stay blank, which is said.
    """
    source = of_first(source)
    metadata, notices = describe_unverified(source, edits)
    for problem in all_problems(metadata, codelists=False):
        if isinstance(problem.finding, MetadataError):
            raise problem.finding
    odd = (problem.finding for problem in all_problems(metadata))
    return metadata, (
        *notices,
        *(finding for finding in odd if isinstance(finding, Notice)),
        *said_of_columns(source, metadata),
        *(_said_of_sas(source.data) if metadata.format == "sas" and source.data is not None else ()),
    )


def _said_of_sas(path: Path) -> tuple[Notice, ...]:
    from ..formats.typed.sas import said_of_count  # imports pyarrow, which text files do without

    return said_of_count(path)
