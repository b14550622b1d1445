"""One question in several columns (LANG1, LANG2, LANG3): found by their names and codes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ..data.columns import EncodedColumn
from ..data.variables import Metadata, Variable
from ..recipe.model import MultiResponseKey

_NUMBERED = re.compile(r"(?P<stem>.*[^\W\d_].*?)[\W_]*\d+[a-z]?", re.IGNORECASE | re.DOTALL)
"""A name that ends in a number (LANG1, LANG_02, Q7_1a): what stands before it."""


def several_columns(
    metadata: Metadata, columns: Mapping[str, EncodedColumn], taken: Collection[str] = ()
) -> tuple[MultiResponseKey, ...]:
    """The keys that columns of one stem make together, in file order.

    Parameters
    ----------
    columns : encoded; of variables without one nothing is proposed
    taken : variables that are not to be part of a key, and names that keys have

    Returns
    -------
    Each of at least two categorical variables that numbers tell apart and that have the same codelist and labels and
    at least one code in common; called as their stem, with a number where that is a variable's name.
    """
    families: dict[tuple[object, ...], list[Variable]] = {}
    for variable in metadata.variables:
        stem = _NUMBERED.fullmatch(variable.name)
        if stem and variable.name in columns and variable.name not in taken and _is_free(variable):
            described = stem["stem"].casefold(), variable.codelist, variable.labels, variable.household
            families.setdefault(described, []).append(variable)
    return tuple(_keys(families.values(), columns, {*metadata.names, *taken}))


def _is_free(variable: Variable) -> bool:
    return variable.categorical and variable.role == "other" and not variable.removed and not variable.related


def _keys(
    families: Collection[list[Variable]], columns: Mapping[str, EncodedColumn], names: set[str]
) -> Iterator[MultiResponseKey]:
    for family in families:
        codes = [set(columns[v.name].codes[: columns[v.name].n_valid]) - {""} for v in family]
        if len(family) < 2 or not all(any(some & other for other in codes if other is not some) for some in codes):
            continue
        stem = _NUMBERED.fullmatch(family[0].name)
        assert stem is not None, "matched above"
        name = free_name(stem["stem"], names)
        names.add(name)
        yield MultiResponseKey(name, tuple(variable.name for variable in family))


def free_name(stem: str, taken: Collection[str]) -> str:
    """`stem`, or where a variable has that name in any case, the first of stem_2, stem_3, … that is free."""
    there = {name.casefold() for name in taken}
    number, name = 1, stem
    while name.casefold() in there:
        number += 1
        name = f"{stem}_{number}"
    return name
