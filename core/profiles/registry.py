"""All checks of profiles: a new one is a file in `checks`, and its name here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ..recipe.declared import Declaration, Registry
from .checks import (
    age_detail,
    calibrated_risk,
    columns_decided,
    deciding_model,
    design_stated,
    goals_kept,
    hidden_by_household,
    household_id_renumbered,
    household_risk,
    households_per_combination,
    identifying_variables,
    keys_in_combinations,
    largest_risk,
    least_records,
    no_direct_identifiers,
    no_inferable_values,
    no_other_disclosure,
    no_sensitive_variables,
    other_model,
    population_per_level,
    population_per_pair,
    population_per_value,
    random_order,
    region_detail,
    reidentification_rate,
    top_coded,
    useful,
)
from .model import Judgement
from .released import ReleasedFile


class CheckModule(Protocol):
    """A file of `core.profiles.checks`."""

    DECLARATION: Declaration

    def words(self, used: Mapping[str, Any]) -> str:
        """The rule in words, translated; `used`: the parameters as used."""

    def judge(self, given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
        """Whether the file keeps the rule."""


CHECKS: Registry[CheckModule] = Registry(
    "check",
    (
        no_direct_identifiers,
        no_sensitive_variables,
        identifying_variables,
        columns_decided,
        population_per_value,
        population_per_pair,
        population_per_level,
        region_detail,
        age_detail,
        top_coded,
        least_records,
        households_per_combination,
        largest_risk,
        reidentification_rate,
        calibrated_risk,
        no_inferable_values,
        random_order,
        household_id_renumbered,
        goals_kept,
        deciding_model,
        other_model,
        household_risk,
        hidden_by_household,
        no_other_disclosure,
        keys_in_combinations,
        design_stated,
        useful,
    ),
)
