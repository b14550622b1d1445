"""The description of the file that a recipe names."""

from __future__ import annotations

from ..base.errors import Notice
from ..data.variables import Metadata
from ..results.metadata import verified_metadata
from .stage import Given, stage

UNDESCRIBED = Metadata("delimited", ())
"""What is known of a file before its description is read."""


@stage(
    "metadata",
    reads=lambda facts: (facts.recipe.input, facts.recipe.variables, facts.place),
    files=lambda facts: (facts.recipe.input.metadata,),
)
def METADATA(given: Given) -> tuple[Metadata, tuple[Notice, ...]]:
    """The description, verified, and what is to be said about it."""
    return verified_metadata(given.recipe.input, given.recipe.variables)
