"""Whether a sensitive variable is released."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile, listed

DECLARATION = Declaration(
    name="no-sensitive-variables",
    title=mark("No sensitive variables"),
    group=mark("Columns"),
    sentence=mark("No variable that the metadata call sensitive is released."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("No sensitive variable is released.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """By the metadata of the session."""
    found = [v.name for v in given.original.variables if v.sensitive and v.name in given.layout]
    return Judgement.of_file(not found, given.records, listed(found), about=tuple(found))
