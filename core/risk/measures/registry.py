"""All measures of risk: a new one is a file beside this one, and its name here."""

from __future__ import annotations

from ...recipe.declared import Registry
from . import (
    frequencies,
    interval,
    intruder,
    key_sets,
    l_diversity,
    matches,
    outliers,
    population,
    record_linkage,
    subsample,
    suda,
    t_closeness,
)
from .evaluation import RiskMeasure

REGISTRY: Registry[RiskMeasure] = Registry(
    "kind",
    (
        frequencies,
        suda,
        matches,
        key_sets,
        subsample,
        outliers,
        population,
        l_diversity,
        t_closeness,
        record_linkage,
        interval,
        intruder,
    ),
    merged={
        "k-anonymity": ("frequencies", {}),
        "anonymity-sets": ("frequencies", {"missing_rule": "listwise"}),
        "unique-match": ("matches", {"missing_rule": "listwise"}),
    },
)
