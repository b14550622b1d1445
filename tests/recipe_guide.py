"""Writes the guide's page of all keys of a recipe from what declares its sections: python -m tests.recipe_guide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from core.recipe.answers import question_ids
from core.recipe.declared import Parameter
from core.recipe.model import Recipe
from core.recipe.sections import CUT, NUMERIC, SECTIONS, RecipeSection
from tests.measures_guide import shown

PAGE = Path(__file__).resolve().parents[1] / "resources" / "help" / "recipe-reference.md"

HEAD = """# The recipe, key by key

Every key that a [recipe](recipe.md) may have, with what it may say and what holds where it is not said. The program \
reads recipes by the same table. [The recipe](recipe.md) says what the sections are for.

- The first line is `recipe = 1`, the version of the form. A higher number is refused: a newer program wrote it.
- A key that is not listed is refused, and the nearest known one is named. So is a value of another type or out of \
its range.
- Nothing is written then, and the command ends with the status 1.
- A path is taken from the folder of the recipe. Risks, rates and shares are fractions.
- A text of more than 16 million characters, a name with more than 16 parts between dots, and lists nested too deeply \
are refused before they are read.
- A dash in *Default* means: nothing, or as the file itself says.
"""


def page() -> str:
    """The whole page."""
    by_name = {section.name: section for section in SECTIONS}
    parts = [HEAD]
    for attribute in fields(Recipe):
        section = by_name.get(attribute.name)
        if section is None or not section.title:  # measures and perturbations have pages of their own
            continue
        parts.append(_table(section))
        if section is NUMERIC:
            parts.append(_table(CUT))
        if any(parameter.type == "answers" for parameter in section.parameters):
            ids = ", ".join(f"`{each}`" for each in question_ids())
            title = f"`[{section.name}.answers]`: what you say to the questions of boards"
            parts.append(f"## {title}\n\nTexts by the ids of the [questions](report.md): {ids}.\n")
    parts.append(
        "## `[[measures]]` and `[[perturbations]]`\n\nEach kind of measure and each method has keys of its own: "
        "[Measures of risk](measures.md), [Perturbations](perturbations.md).\n"
    )
    return "\n".join(parts)


def _table(section: RecipeSection) -> str:
    return f"## {section.title}\n\n" + "\n".join(_rows(section)) + "\n"


def _rows(section: RecipeSection) -> Iterator[str]:
    yield "| Key | May be | Default | |\n|---|---|---|---|"
    tables: dict[str, list[str]] = {}
    for parameter in section.parameters:
        if parameter.type == "table":
            tables.setdefault(parameter.sentence, []).append(f"`{parameter.name}`")
        elif parameter.type != "answers":
            told = "–" if parameter.default in (None, "", ()) else shown(parameter.default)
            if parameter.required or parameter.name in section.required:
                told = "required"
            yield f"| `{parameter.name}` | {_may(parameter)} | {told} | {parameter.sentence} |"
    for sentence, names in tables.items():
        yield f"| {', '.join(names)} | table | – | {sentence} |"


def _may(parameter: Parameter) -> str:
    if parameter.type in ("choice", "name-or-file"):
        more = [] if parameter.type == "choice" else ["path of a `.toml` file"]
        return ", ".join([*(f"`{each}`" for each in parameter.choices), *more])
    if parameter.type in ("integer", "number"):
        named = "whole number" if parameter.type == "integer" else "number"
        above = "from" if parameter.low_included else "above"
        below = "to" if parameter.high_included else "below"
        low = "" if parameter.low is None else f" {above} {_figure(parameter.low)}"
        return named + low + ("" if parameter.high is None else f" {below} {_figure(parameter.high)}")
    return {
        "boolean": "`true`, `false`",
        "text": "text",
        "text-or-integer": "text, whole number",
        "texts": "list of texts, none twice",
        "variables": "list of texts, none twice",
        "file": "path",
        "date": "date, such as 2026-11-23",
        "files": "path, list of paths",
        "checksum": "64 hexadecimal digits",
        "checksums": "table of checksums by path",
        "secret": "32 hexadecimal digits",
    }[parameter.type]


def _figure(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
