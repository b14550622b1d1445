"""``[[measures]]``: the kinds of measures and how the parameters of each are read."""

from __future__ import annotations

from typing import Any

from core.base.texts import mark
from core.recipe.model import Measure
from core.recipe.toml_fields import Table, absolute_path

KINDS = (
    "frequencies",
    "k-anonymity",
    "l-diversity",
    "suda",
    "matches",
    "anonymity-sets",
    "unique-match",
    "subsample",
    "record-linkage",
    "interval",
    "outliers",
)
"""All kinds that a recipe may name, available in this version or not."""

MISSING_RULES = ("observed", "wildcard", "category", "listwise")


def read_measure(table: Table) -> Measure:
    """The measure in `table`; parameters of a kind that is not available yet are kept as they stand."""
    table.require("kind")
    kind = table.choice("kind", KINDS)
    table.require("variables")
    variables = table.texts("variables", distinct=True, empty=False) or ()
    if kind in ("frequencies", "k-anonymity"):
        parameters = _counting_parameters(table, kind)
    else:
        parameters = {name: _plain(table, name, value) for name, value in table.rest().items()}
    table.finish()
    said = tuple(sorted((name, value) for name, value in parameters.items() if value is not None))
    return Measure(kind, variables, said)


def _counting_parameters(table: Table, kind: str) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    if kind == "k-anonymity":
        parameters["k"] = table.integer("k", 1)
    parameters["missing_rule"] = table.choice("missing_rule", MISSING_RULES)
    parameters["alpha"] = table.number("alpha", 0.0, 1.0)
    return parameters


def _plain(table: Table, name: str, value: object) -> Any:
    if name == "released" and isinstance(value, str):
        return absolute_path(value, table.folder)
    if isinstance(value, list):
        return tuple(_plain(table, name, item) for item in value)
    if not isinstance(value, bool | int | float | str):
        table.refuse(name, value, mark("a number, a text, true or false, or a list of these"))
    return value
