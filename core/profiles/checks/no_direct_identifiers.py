"""Whether a column that identifies persons by itself is released."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile, listed

DECLARATION = Declaration(
    name="no-direct-identifiers",
    title=mark("No direct identifiers"),
    group=mark("Columns"),
    sentence=mark("No direct identifier is released, nor a column that looks like one and was not looked into."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("No direct identifier is released.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """By the role of a variable, and by names and contents of the columns that no combination judges."""
    declared = {v.name for v in given.original.variables if v.role == "direct-identifier"}
    found = [name for name in given.layout.names if name in declared or name in given.telling]
    return Judgement.of_file(not found, given.records, listed(found), about=tuple(found))
