"""All measures of risk: a new one is a file beside this one, and its name here."""

from __future__ import annotations

from core.recipe.declared import Registry
from core.risk.measures import (
    anonymity_sets,
    frequencies,
    interval,
    intruder,
    k_anonymity,
    key_sets,
    l_diversity,
    matches,
    outliers,
    population,
    record_linkage,
    subsample,
    suda,
    t_closeness,
    unique_match,
)
from core.risk.measures.evaluation import RiskMeasure

REGISTRY: Registry[RiskMeasure] = Registry(
    "kind",
    (
        frequencies,
        k_anonymity,
        suda,
        matches,
        anonymity_sets,
        key_sets,
        subsample,
        outliers,
        population,
        unique_match,
        l_diversity,
        t_closeness,
        record_linkage,
        interval,
        intruder,
    ),
    coming=(),
)
