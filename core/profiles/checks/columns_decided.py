"""Whether somebody judged every released column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile, listed

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
    return Judgement.of_file(not given.undecided, given.records, listed(given.undecided), about=given.undecided)
