"""What columns hold: the release checklist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..base.progress import Progress
from ..data.variables import Variable
from ..metadata.column_contents import ColumnContents, contents_of
from ..metadata.survey import passes
from ..perturbation.done import PerturbedColumns
from ..recipe.in_parts import of_first
from ..results.numeric import as_codes
from .columns import FILE_COLUMN
from .perturbed import column_before
from .stage import Facts, Given, Pipeline, stage


def _undecided(facts: Facts, name: str) -> Variable:
    """The variable without what was decided on it, and whatever it is taken for: it is read as codes."""
    return replace(facts.metadata[name], categorical=True, removed=False, decision=None, decided_by="", reason="")


@stage("contents", reads=_undecided, needs=lambda _facts, name: (FILE_COLUMN(name, True),), stays=True)
def CONTENTS(given: Given, name: str) -> ColumnContents:
    """What a column of the file holds."""
    return contents_of(given.get(FILE_COLUMN(name, True)), given.metadata[name], given.metadata.decimal, given.progress)


@stage(
    "contents perturbed",
    reads=lambda facts, name: (_undecided(facts, name), facts.metadata.decimal),
    needs=lambda facts, name: (column_before(facts, name),),
)
def CONTENTS_PERTURBED(given: Given, name: str) -> ColumnContents:
    """The same after the perturbations."""
    column = given.get(column_before(given.facts, name))
    return contents_of(column, given.metadata[name], given.metadata.decimal, given.progress)


def contents_of_columns(
    pipeline: Pipeline, facts: Facts, names: Sequence[str], perturbed: PerturbedColumns | None, progress: Progress
) -> dict[str, ColumnContents]:
    """What each of the columns holds, found in the data, a few columns at a time."""
    source, described = facts.recipe.input, as_codes(facts.metadata, list(names))
    found = {name: known for name in names if (known := pipeline.known(CONTENTS(name), facts)) is not None}
    lacking, first = [name for name in names if name not in found], of_first(source).data
    if lacking and first is not None:
        records = pipeline.columns.microdata(source, facts.metadata, (), progress).records
        for part in passes(first, described, lacking, records):
            columns = pipeline.columns.microdata(source, described, part, progress, passing=True).columns
            for name in part:
                at_hand = {FILE_COLUMN(name, True): columns[name]}
                found[name] = pipeline.get(CONTENTS(name), facts, progress, at_hand)
    now = {} if perturbed is None else _perturbed_contents(pipeline, facts, names, perturbed, progress)
    return {name: found[name].perturbed(now[name]) if name in now else found[name] for name in names}


def _perturbed_contents(
    pipeline: Pipeline, facts: Facts, names: Sequence[str], perturbed: PerturbedColumns, progress: Progress
) -> Mapping[str, ColumnContents]:
    found: dict[str, ColumnContents] = {}
    for name in (name for name in names if name in perturbed.columns):
        at_hand = {column_before(facts, name): perturbed.columns[name]}
        contents = pipeline.get(CONTENTS_PERTURBED(name), facts, progress, at_hand)
        found[name] = replace(contents, left=name in perturbed.left)
    return found
