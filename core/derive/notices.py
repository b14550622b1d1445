"""What a session accepts and has to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from core.errors import Notice
from core.microdata.columns import Microdata
from core.recipe.model import Recipe
from core.recoding.recoding import Recoding
from core.texts import mark


def notices_of(recipe: Recipe, microdata: Microdata, recodings: Mapping[str, Recoding]) -> Iterator[Notice]:
    """Notices of reading and recoding, of a file other than the recipe's, and of risks without weights."""
    yield from microdata.notices
    for recoding in recodings.values():
        yield from recoding.notices
    yield from _other_data(recipe, microdata)
    if microdata.weights is None and any(c.model == "individual-risk" for c in recipe.combinations):
        yield Notice.of(
            "no-weight",
            mark("There is no weight variable: the file is taken as the whole population (risk 1/f)."),
        )


def _other_data(recipe: Recipe, microdata: Microdata) -> Iterator[Notice]:
    said, found = recipe.input.sha256, microdata.source.sha256
    if said is not None and said != found:
        yield Notice.of(
            "input-changed",
            mark("{file} is not the file that the recipe was saved with (SHA-256 {found}, not {said})."),
            file=_name(recipe.input.data),
            found=found,
            said=said,
        )


def _name(path: Path | None) -> str:
    return "" if path is None else path.name
