"""All measures of risk: a new one is a file beside this one, and its name here."""

from __future__ import annotations

from core.recipe.declared import Registry
from core.risk.measures import (
    frequencies,
    interval,
    intruder,
    k_anonymity,
    l_diversity,
    outliers,
    population,
    record_linkage,
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
        outliers,
        population,
        l_diversity,
        t_closeness,
        record_linkage,
        interval,
        intruder,
    ),
    coming=(
        "matches",
        "anonymity-sets",
        "unique-match",
        "key-sets",
        "subsample",
    ),
)
