"""Table Schema of a delimited safe file, as the Data Package standard 2.0 has it (Frictionless)."""

from __future__ import annotations

import json
from typing import Any

from .described import DescribedFile, DescribedVariable

SCHEMA = "https://datapackage.org/profiles/2.0/tableschema.json"


def table_schema_text(file: DescribedFile) -> str:
    """The schema as JSON: a field for each column, in order, with its codes, their labels and its missing values."""
    fields = [_field(each, file.layout.decimal) for each in file.variables]
    return json.dumps({"$schema": SCHEMA, "fields": fields}, ensure_ascii=False, indent=2) + "\n"


def _field(each: DescribedVariable, decimal: str) -> dict[str, Any]:
    variable = each.variable
    number = variable.numeric and not variable.categorical
    field: dict[str, Any] = {"name": variable.name, "type": "number" if number else "string"}
    if number and decimal != ".":
        field["decimalChar"] = decimal
    if variable.label:
        field["title"] = variable.label
    if each.done:
        field["description"] = " ".join(each.done)
    valid = [category for category in each.categories if not category.missing]
    if variable.categorical and valid:
        if all(not category.label for category in valid):
            field["categories"] = [category.code for category in valid]
        else:
            field["categories"] = [{"value": c.code, "label": c.label or c.code} for c in valid]
    field["missingValues"] = list(dict.fromkeys(("", *variable.missing)))
    return field
