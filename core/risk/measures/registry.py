"""All measures of risk: a new one is a file beside this one, and its name here."""

from __future__ import annotations

from core.recipe.declared import Registry
from core.risk.measures import (
    frequencies,
    intruder,
    k_anonymity,
    l_diversity,
    population,
    suda,
    t_closeness,
)
from core.risk.measures.evaluation import RiskMeasure

REGISTRY: Registry[RiskMeasure] = Registry(
    "kind",
    (
        frequencies,
        k_anonymity,
        suda,
        population,
        l_diversity,
        t_closeness,
        intruder,
    ),
    coming=(
        "matches",
        "anonymity-sets",
        "unique-match",
        "key-sets",
        "subsample",
        "record-linkage",
        "interval",
        "outliers",
    ),
)
