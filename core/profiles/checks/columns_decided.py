"""Whether somebody judged every released column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.base.texts import mark, translate
from core.profiles.model import Judgement
from core.profiles.released import ReleasedFile, listed
from core.recipe.declared import Declaration

DECLARATION = Declaration(
    name="columns-decided",
    title=mark("Every column judged"),
    group=mark("Columns"),
    sentence=mark("Every released column is in a combination, or somebody decided on it."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("Every released column is in a combination, or somebody decided on it.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """By the list of columns that no model judges."""
    return Judgement.of_file(not given.undecided, given.records, listed(given.undecided))
