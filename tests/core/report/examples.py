"""Report inputs to render: one as of the demonstration survey of μ-ARGUS after both recodings, and empty ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from core.data.risk_figures import RiskFigures, TableState
from core.recipe.model import Report
from core.report.facts import (
    Key,
    Modification,
    NamedFile,
    RecodeFacts,
    ReportInput,
    SafeLayout,
    SafeVariable,
    SuppressionFacts,
    TableFacts,
)
from core.risk.distribution import LargestSafeRisk

CREATED = datetime(2025, 3, 1, 14, 5, 9, tzinfo=UTC)
FOLDER = Path("/home/anna/confidential work/survey")

REGIONS = tuple((str(i + 1), f"Region {i + 1}", f"{10 * i + 1}-{10 * i + 10}") for i in range(17))
RECIPE = """recipe = 1

[input]
data = "Demodata.asc"
metadata = "Demodata.rda"

[[combinations]]
variables = ["REGION", "SEX", "AGE", "MARSTAT"]

[[recodes]]
variable = "REGION"
scheme_file = "Region.grc"

[threshold]
individual_risk = 0.00125
"""


def table() -> TableFacts:
    """The risk table of [P04] 7.5, recoded, at r* = 0.00125; after figures invented."""
    edges = tuple(0.00125 * 10 ** (k / 8) for k in range(-10, 14))
    return TableFacts(
        variables=("REGION", "SEX", "AGE", "MARSTAT"),
        threshold=0.00125,
        threshold_rate=0.000430925,
        actual=LargestSafeRisk(0.00124413, 0.00042982),
        unsafe_combinations=((1, 0), (2, 0), (3, 21), (4, 114)),
        original=TableState(
            RiskFigures(0.0422983833576, 78.2550159921, 0.0195637539980, 3968),
            cells=3450,
            sample_uniques=3031,
            violations=((2, 3031), (3, 3720), (5, 3954), (10, 4000)),
            histogram=(0, 0, 0, 0, 0, 0, 0, 0, 26, 6, 60, 20, 117, 238, 255, 256, 300, 44, 0, 1483, 834, 300, 61),
        ),
        recoded=TableState(
            RiskFigures(0.0422983833576, 4.99404739016, 0.00124851184754, 397),
            cells=499,
            sample_uniques=114,
            violations=((2, 114), (3, 208), (5, 401), (10, 890)),
            histogram=(9, 51, 200, 463, 700, 910, 812, 300, 90, 68, 100, 97, 60, 40, 20, 0, 6, 20, 10, 20, 10, 10, 4),
        ),
        safe=TableState(
            RiskFigures(0.00124413, 1.20311, 0.00030077, 0),
            cells=380,
            sample_uniques=0,
            violations=((2, 0), (3, 0), (5, 3), (10, 431)),
            histogram=(29, 71, 300, 493, 730, 917, 842, 400, 120, 98, *(0,) * 13),
        ),
        group_max=0.0052117,
        group_unsafe=12,
        edges=edges,
        curve=tuple((0.0009 * 10 ** (k / 20), 40000.0 / (1 + k) ** 1.2) for k in range(44)),
    )


def demodata(variant: str = "internal", **changes: object) -> ReportInput:
    """A full report: recodes, suppression, warnings, verification, layout, recipe, checksums."""
    keys = (
        Key("REGION", "Municipality", 18, 182, 2, suppression_weight=50, entropy=4.065, suppressed=379),
        Key("SEX", "", 2, 2, 1, suppression_weight=50, entropy=1.0, related="KINDPERS"),
        Key("AGE", "", 6, 60, 2, household=True, suppression_weight=50, entropy=2.52, suppressed=11),
        Key("MARSTAT", "Marital status", 4, 4, 1, suppression_weight=50, entropy=1.311, suppressed=7, missing_before=3),
    )
    keys = tuple(
        replace(key, categories_released=key.categories, missing_released=key.missing_before + key.suppressed)
        for key in keys
    )
    given = {
        "program": "Pavo",
        "version": "0.1.0",
        "created": CREATED,
        "records": 4000,
        "variables": 33,
        "details": Report(
            "Labour force survey 2025", "Statistics Examplia", "A. Jansen", "scientific use file", variant=variant
        ),
        "files": (
            NamedFile("data", FOLDER / "Demodata.asc", "9f" * 32),
            NamedFile("metadata", FOLDER / "Demodata.rda", "ab" * 32),
            NamedFile("safe-data", FOLDER / "safe/Demodata.saf", "c7" * 32),
            NamedFile("safe-metadata", FOLDER / "safe/Demodata.rds", "04" * 32),
            NamedFile("records", FOLDER / "safe/records.csv"),
        ),
        "weight": "WEIGHT",
        "keys": keys,
        "tables": (table(),),
        "recodes": (
            RecodeFacts("REGION", (*REGIONS, ("18", "Region 18", "171-")), ("98", "99"), codelist="Region.cdl"),
            RecodeFacts("AGE", sentence="1 digit has been truncated."),
        ),
        "modifications": (Modification("Top coding", "INCOME", "values from 100 000 on become 100 000"),),
        "suppression": SuppressionFacts("weights", "original-counts", 397, 397, 19850.0, 1561.4, 19850.0, 0.0),
        "warnings": ("The file is ordered by REGION: 334 of 379 suppressed values equal both nearest neighbours.",),
        "verified": True,
        "layout": SafeLayout(
            "fixed",
            (SafeVariable("REGION", "Municipality", 1, 2), SafeVariable("WEIGHT", "", 3, 6, 2)),
            removed=("NAME", "ADDRESS"),
        ),
        "recipe_text": RECIPE,
        "recipe_sha256": "5e" * 32,
    }
    return ReportInput(**(given | changes))  # type: ignore[arg-type]


def empty(**changes: object) -> ReportInput:
    """The least there can be: a file was read and nothing else."""
    return ReportInput(**({"program": "Pavo", "version": "0.1.0", "created": CREATED, "records": 0} | changes))  # type: ignore[arg-type]
