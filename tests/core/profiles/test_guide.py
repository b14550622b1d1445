"""The guide's page of profiles: every check stands in it as it is declared, and its example is a profile."""

from __future__ import annotations

import re
from pathlib import Path

from core.profiles.read import parse_profile, shipped
from core.profiles.registry import CHECKS
from core.recipe.declared import Declaration, Parameter

PAGE = Path(__file__).resolve().parents[3] / "resources" / "help" / "profile-check.md"


def row(declared: Declaration) -> str:
    """The row of the page's table of checks."""
    parameters = "<br>".join(map(_parameter, declared.parameters))
    return f"| `{declared.name}` | {declared.sentence} | {parameters} |"


def _parameter(parameter: Parameter) -> str:
    if parameter.required:
        said = ""
    elif parameter.default is None:
        said = " (optional)"
    else:
        said = f" ({str(parameter.default).lower()})"
    choices = ", ".join(f"`{choice}`" for choice in parameter.choices)
    return f"`{parameter.name}`{said}: {parameter.sentence}" + (f" {choices}." if choices else "")


def test_every_check_stands_in_the_guide_as_it_is_declared() -> None:
    text = PAGE.read_text("utf-8")
    assert [line for line in text.split("\n") if line.startswith("| `")] == list(map(row, CHECKS.declarations))


def test_shipped_profiles_and_the_example_are_in_the_guide() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"`{path.name}`" in text for path in shipped())
    (example,) = re.findall(r"(?s)```toml\n(.*?)```", text)
    assert parse_profile(example, Path("office.toml")).checks[1].parameters["variables"] == ("REGION",)
