"""Demodata's four keys, recoded, with the threshold of the published example."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.recipe.model import Combination, Input, Recipe, Recode, Threshold

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def demodata(shared: Path, **more: Any) -> Recipe:
    """The recipe; `more` are other parts of it."""
    folder = shared / "data" / "demodata"
    parts: dict[str, Any] = {
        "input": Input(folder / "Demodata.asc", folder / "Demodata.rda"),
        "combinations": (Combination(KEYS),),
        "recodes": (Recode("REGION", scheme_file=folder / "Region.grc"), Recode("AGE", scheme_file=folder / "Age.grc")),
        "threshold": Threshold(individual_risk=0.00125),
    }
    return Recipe(**{**parts, **more})
