"""Whether every key variable is in a combination."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile, listed

DECLARATION = Declaration(
    name="keys-in-combinations",
    title=mark("Every key variable assessed"),
    group=mark("Columns"),
    sentence=mark("Every released key variable is in a combination, or a person set it aside and gave a reason."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("Every key variable is in a combination or set aside with a reason.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """A key variable is one with an identification level."""
    left = given.keys_left_out
    return Judgement.of_file(not left, given.records, listed(left), len(left), left)
