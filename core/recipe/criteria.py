"""What is known of each disclosure criterion without data: the ``model`` of a combination.

A criterion is declared here once: which keys of ``[[combinations]]`` it reads, under which missing rules values can be
suppressed for it, and how records are judged by it. The rest of the program asks these questions of a combination, and
none asks for a criterion by its name that does not count, show or explain this one alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..base.texts import mark

Model = Literal["individual-risk", "frequency", "k-anonymity", "l-diversity"]
MissingRule = Literal["observed", "wildcard", "category", "listwise"]


@dataclass(frozen=True)
class CriterionDeclaration:
    """A disclosure criterion.

    Attributes
    ----------
    title : as tables and reports name it
    missing_rules : those under which values can be suppressed for it; under others it is measured only
    keys : of ``[[combinations]]``, those that it reads beside `variables` and `count_threshold`; others are refused
    required : those of `keys` that have to be said
    has_risk : whether records have a risk, with estimator, threshold and chart
    judges_margins : whether combinations of values are judged in the table and all its margins, instead of keys
    judges_whole_file : whether it is met by the whole released file: by its keys, in which a blank is a value
    least_size : the key that says how many records every released key must have; empty: none does
    """

    title: str
    missing_rules: tuple[MissingRule, ...]
    keys: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    has_risk: bool = False
    judges_margins: bool = False
    judges_whole_file: bool = False
    least_size: str = ""

    @property
    def has_missing_rule(self) -> bool:
        """Whether it is for the recipe to say how records with missing values count for each other."""
        return "missing_rule" in self.keys


CRITERIA: Mapping[Model, CriterionDeclaration] = {
    "individual-risk": CriterionDeclaration(
        mark("individual risk"),
        ("observed", "wildcard"),
        ("missing_rule", "alpha", "estimator", "threshold"),
        has_risk=True,
    ),
    "frequency": CriterionDeclaration(mark("threshold rule"), ("observed",), judges_margins=True),
    "k-anonymity": CriterionDeclaration(
        mark("k-anonymity"),
        ("category",),
        ("k", "missing_rule", "alpha"),
        ("k",),
        judges_whole_file=True,
        least_size="k",
    ),
    "l-diversity": CriterionDeclaration(
        mark("l-diversity"),
        ("category",),
        ("l", "sensitive"),
        ("l", "sensitive"),
        judges_whole_file=True,
    ),
}


class JudgedByCriterion:
    """What a criterion judges; `model` names it."""

    model: Model

    @property
    def criterion(self) -> CriterionDeclaration:
        """What is known of the criterion."""
        return CRITERIA[self.model]

    @property
    def has_risk(self) -> bool:
        """Whether records have a risk by it."""
        return self.criterion.has_risk

    @property
    def judges_margins(self) -> bool:
        """Whether it is the threshold rule, by which the table and all its margins are judged."""
        return self.criterion.judges_margins

    @property
    def judges_whole_file(self) -> bool:
        """Whether it is met by the whole released file, so that safe records can lose values, too."""
        return self.criterion.judges_whole_file
