"""Writes the guide's page of measures from their declarations: python -m tests.measures_guide."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from core.recipe.declared import Declaration, Parameter
from core.risk.measures.registry import REGISTRY

PAGE = Path(__file__).resolve().parents[1] / "resources" / "help" / "measures.md"

HEAD = """# Measures of risk

Beside the models by which combinations are judged, a [recipe](recipe.md) can ask for further measures, and the \
[Risk Laboratory](risk-laboratory.md) tries them. They are taken \
on the original file after recoding, those of two files also on a released one, and change nothing in it; their \
figures stand in the summary and the report, and some of them, record by record, in the file that `records` names.

```toml
[[measures]]
kind = "frequencies"
variables = ["REGION", "SEX", "AGE"]
k = 5
```

Every measure has `variables`, the key variables that it is taken on, or `scenario`, the name of one of the recipe's \
[scenarios](recipe.md), whose variables they then are; `outliers`, `record-linkage` and `interval` take any variables \
of the file, numerical ones as they are.

Former kinds are read as the one that has their figures now, and the run says so: `k-anonymity` and `anonymity-sets` \
(under `missing_rule = "listwise"`) as `frequencies`, `unique-match` (likewise) as `matches`. What each kind takes:
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for group, measures in groupby(REGISTRY.declarations, lambda each: each.group):
        parts.append(f"## {group}\n")
        parts += ["\n".join(_measure(each)) for each in measures]
    if coming := ", ".join(f"`{name}`" for name in REGISTRY.coming):
        parts.append(
            f"## Not available in this version\n\n{coming}: a recipe that asks for one of these is refused by name.\n"
        )
    return "\n".join(parts)


def _measure(each: Declaration) -> Iterator[str]:
    yield f"### {each.title}: `{each.name}`\n\n{each.sentence}\n\n| Parameter | Values | Default | |\n|---|---|---|---|"
    for parameter in each.parameters:
        default = "required" if parameter.required else shown(parameter.default)
        yield f"| `{parameter.name}` | {values(parameter)} | {default} | {parameter.sentence} |"
    if each.at_most_one:
        yield "\nAt most one of " + " and ".join(f"`{name}`" for name in each.at_most_one) + "."
    yield "\n| Figure | |\n|---|---|"
    for figure in each.figures:
        yield f"| `{figure.name}` | {figure.sentence} |"
        yield from (f"| `{figure.name}`: `{inner.name}` | {inner.sentence} |" for inner in figure.rows)
    for column in each.columns:
        suffix = "_VARIABLE" if column.by else ""
        yield f"| `{column.name}_m1{suffix}` in `records` | {column.sentence} |"
    if each.guide:
        yield f"\n**It assumes:** {each.guide.assumes}\n"
        yield f"**Not for:** {each.guide.not_for}\n"
        yield f"**Formula:** {each.guide.formula}\n"
        yield f"**Source:** {each.guide.source}"
    yield ""


def values(parameter: Parameter) -> str:
    """What a parameter may be, for the guide."""
    if parameter.type == "choice":
        return ", ".join(f"`{choice}`" for choice in parameter.choices)
    if parameter.type == "variables":
        return "names of variables"
    if parameter.type in ("sets", "scenarios", "matrix"):
        return {
            "sets": "lists of names of variables", "scenarios": "names of scenarios", "matrix": "rows of numbers",
        }[parameter.type]  # fmt: skip
    if parameter.type not in ("integer", "number", "number-by-code"):
        return {"boolean": "`true`, `false`", "text": "text", "file": "path"}[parameter.type]
    named = "whole number" if parameter.type == "integer" else "number"
    low = "" if parameter.low is None else f" {'from' if parameter.low_included else 'above'} {parameter.low:g}"
    of_codes = ", or a table of them by code" if parameter.type == "number-by-code" else ""
    return named + low + ("" if parameter.high is None else f" to {parameter.high:g}") + of_codes


def shown(default: object) -> str:
    """A default, for the guide."""
    if default is None:
        return ""
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
