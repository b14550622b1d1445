"""Demodata protected by its four keys, whatever the form of the file, and the figures that come out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.batch import run

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")
USED = (*KEYS, "WEIGHT", "INCOME")


def protect(
    folder: Path,
    data: Path | str,
    out: str,
    metadata: Path | str = "",
    criterion: str = "entropy",
    more: str = "",
    metadata_out: str = "",
) -> dict[str, Any]:
    """The summary of a run; files are in `folder`.

    Parameters
    ----------
    more : what else there is to say of the input and its variables
    """
    beside = f"metadata = {json.dumps(metadata_out)}" if metadata_out else ""
    described = f"metadata = {json.dumps(str(metadata))}" if metadata else ""
    text = f"""recipe = 1
[input]
data = {json.dumps(str(data))}
{described}
{more}
[[combinations]]
variables = {json.dumps(KEYS)}
[threshold]
individual_risk = 0.00125
[suppression]
criterion = "{criterion}"
[output]
data = {json.dumps(out)}
{beside}
"""
    path = folder / "recipe.pavo"
    path.write_text(text, encoding="utf-8")
    return run(path)[0]


def check(summary: dict[str, Any]) -> None:
    """Figures of method.md section 3."""
    combination = summary["combinations"][0]
    assert (summary["records"], combination["cells"], combination["sample_uniques"]) == (4000, 3450, 3014)
    assert f"{combination['individual_risk']['max']:.13f}" == "0.0422983833576"
    assert f"{combination['individual_risk']['expected_reidentifications']:.10f}" == "78.2550159921"
    assert f"{100 * combination['individual_risk']['rate']:.11f}" == "1.95637539980"
    assert combination["threshold"]["unsafe_records"] == 3968
    assert f"{combination['threshold']['rate']:.11f}" == "0.00124811168"
