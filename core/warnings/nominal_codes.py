"""What has to be said where codes are taken for numbers: names of things have no mean, no greatest, no first digits."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.errors import Notice
from ..base.texts import mark
from ..data.columns import Microdata
from ..data.variables import Metadata, Variable
from ..metadata.guess_use import is_named
from ..perturbation.registry import before_recodes
from ..recipe.model import Recipe
from ..results.perturbed_columns import changed_by
from ..whatif.coarser_codes import has_order, is_counted_up

_BY_NUMBER = ("microaggregation", "noise", "rank-swapping", "shuffling")


def of_nominal_codes(recipe: Recipe, microdata: Microdata) -> Iterator[Notice]:
    """Changes by amount of variables whose values are names, and truncation of codes that are counted up."""
    metadata = microdata.metadata
    for spec in recipe.numeric:
        if _is_named(metadata, spec.variable):
            yield _as_numbers(spec.variable, "[[numeric]]")
    for entry in before_recodes(recipe):
        if entry.method in _BY_NUMBER:
            for name in changed_by(entry, metadata):
                if _is_named(metadata, name):
                    yield _as_numbers(name, entry.method)
    for recode in recipe.recodes:
        column = microdata.columns.get(recode.variable)
        if recode.truncate and column is not None and recode.variable in metadata:
            variable = metadata[recode.variable]
            if not has_order(variable, column) and is_counted_up(column):
                yield _counted_up(variable)


def _is_named(metadata: Metadata, name: str) -> bool:
    return name in metadata and is_named(metadata[name])


def _as_numbers(name: str, method: str) -> Notice:
    return Notice.of(
        "codes-as-numbers",
        mark(
            "{variable} holds codes without order, and {method} takes them for numbers: the results mean nothing. "
            "Recode {variable}, use PRAM, or declare in the metadata that its codes are ordered."
        ),
        where=name,
        variable=name,
        method=method,
    )


def _counted_up(variable: Variable) -> Notice:
    return Notice.of(
        "truncated-numbering",
        mark(
            "{variable} is truncated, but its codes are consecutive numbers: codes with the same first digits have "
            "nothing in common. Group the codes by meaning instead."
        ),
        where=variable.name,
        variable=variable.name,
    )
