"""Columns of a file as they are read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..data.columns import EncodedColumn, Weights
from ..metadata.survey import passes
from ..recipe.in_parts import of_first
from ..results.numeric import as_codes
from ..results.record_draws import digests_of_records
from ..suppression.record_draws import START
from .stage import Dependency, Facts, Given, Request, stage

FILE_COLUMN: Dependency[[str, bool], EncodedColumn] = Dependency(
    "column",
    reads=lambda facts, name, as_code: facts.pipeline.columns.key(
        facts.recipe.input, facts.metadata, name, as_code
    ),
)  # fmt: skip
"""A variable as the file has it; with True read as codes, whatever else it is. `ColumnStore` reads many at once."""


def _weight(facts: Facts) -> Iterator[Request[EncodedColumn]]:
    weight = facts.metadata.weight
    if weight is not None:
        yield FILE_COLUMN(weight.name, False)


WEIGHTS: Dependency[[], Weights | None] = Dependency("weights", needs=_weight)


@stage(
    "record digests",
    reads=lambda facts, _names: (of_first(facts.recipe.input).data, facts.metadata.decimal),
    needs=lambda _facts, names: (FILE_COLUMN(name, True) for name in names),
)
def DIGESTS(given: Given, names: tuple[str, ...]) -> NDArray[np.uint64]:
    """(n,) a digest of the values that each record of the original file has of the variables `names`."""
    columns, source = given.pipeline.columns, given.recipe.input
    metadata = as_codes(given.metadata, list(names))
    data, found = of_first(source).data, None
    assert data is not None, "it was read before"
    for part in passes(data, metadata, names, given.derived.records):
        microdata = columns.microdata(source, metadata, part, given.progress, passing=True)
        found = digests_of_records(microdata.columns, part, metadata.decimal, found)
    return np.full(given.derived.records, START) if found is None else found
