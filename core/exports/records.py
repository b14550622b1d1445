"""What both exports write of each record: the texts of weights, and blocks of records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..base.progress import Progress
from ..base.texts import mark, translate
from ..data.columns import Weights
from ..recipe.declared import files_of
from ..results.perturbed_columns import names_of_perturbed
from ..results.results import Results

BLOCK = 1 << 14
"""Records between two looks at whether the user wants to stop."""


def row_blocks(records: int, progress: Progress) -> Iterator[slice]:
    """Blocks of records in order; says how far the writing is."""
    for begin in range(0, records, BLOCK):
        progress.check()
        progress.report(begin, records, translate(mark("Writing the records…")))
        yield slice(begin, min(begin + BLOCK, records))


def weight_texts(weights: Weights, rows: slice | NDArray[np.int64]) -> list[str]:
    """The weights of some records as decimal numbers, exactly."""
    places = max(weights.decimals)
    limbs = zip(weights.limbs, weights.decimals, strict=True)
    scaled = [[value * 10 ** (places - decimals) for value in limb[rows].tolist()] for limb, decimals in limbs]
    totals = [sum(parts) for parts in zip(*scaled, strict=True)]
    if not places:
        return [str(total) for total in totals]
    return [f"{total // 10**places}.{total % 10**places:0{places}d}" for total in totals]


def about_perturbed(derived: Results) -> tuple[str, ...]:
    """Two sentences where something is perturbed before tables, else none: what the export holds, and of what."""
    names = names_of_perturbed(derived.recipe, derived.metadata)
    if not names:
        return ()
    told = mark("Perturbed before tables are made: {names}.")
    held = mark(
        "The files hold the perturbed values of these, from which Pavo's figures are counted, not the original."
    )
    return translate(told).format(names=_line(", ".join(names))), translate(held)


def _line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def read_files(derived: Results, others: Iterable[Path] = ()) -> list[Path]:
    """Files that an export must not replace: what the session reads, and `others` (the session's own file)."""
    recipe = derived.recipe
    named = [recipe.input.data, recipe.input.metadata]
    named += [path for recode in recipe.recodes for path in (recode.scheme_file, recode.codelist)]
    named += [variable.codelist for variable in derived.metadata.variables]
    named += [*files_of(recipe), recipe.profile.file]
    named += [recipe.target.profile] if isinstance(recipe.target.profile, Path) else []
    return [path for path in (*named, *others) if path is not None]
