"""What a session accepts and has to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..base.errors import Notice
from ..base.texts import mark, plural
from ..data.columns import Microdata
from ..metadata.undescribed import undescribed_notice
from ..recipe.model import Recipe
from ..recoding.recoding import Recoding
from ..results.checks import missing_replacements
from .nominal_codes import of_nominal_codes
from .perturbed import of_perturbed


def notices_of(recipe: Recipe, microdata: Microdata, recodings: Mapping[str, Recoding]) -> Iterator[Notice]:
    """Notices of reading, of recodes and changed numbers, of a file other than the recipe's, and of lacking weights."""
    yield from recipe.read_as
    yield from microdata.notices
    for recoding in recodings.values():
        yield from recoding.notices
    yield from missing_replacements(recipe, microdata.metadata)
    yield from of_perturbed(recipe, microdata.metadata)
    yield from of_nominal_codes(recipe, microdata)
    yield from _other_data(recipe, microdata)
    yield from _behind_the_last(microdata)
    asked = recipe.input.units is not None
    if microdata.weights is None and not asked and any(c.has_risk for c in recipe.combinations):
        yield Notice.of(
            "no-weight",
            mark("There is no weight variable: the file is taken as the whole population (risk 1/f)."),
        )


def unmeasured(recipe: Recipe) -> tuple[Notice, ...]:
    """What has to be said of a recipe without combinations: its safe file is as dangerous as the original."""
    if recipe.combinations:
        return ()
    text = mark(
        "No key variables are chosen: the risk of re-identification was not measured, and no value was suppressed. The "
        "file is not protected."
    )
    if recipe.measures:
        text = mark(
            "No combination of key variables is chosen: no record was judged, and no value was suppressed. The file is "
            "not protected."
        )
    return (Notice.of("no-combinations", text),)


def left_by_choice(recipe: Recipe, unsafe: int, unjudged: Sequence[str] = ()) -> tuple[Notice, ...]:
    """What has to be said where the recipe suppresses nothing: who stays unsafe (a number of records), or unjudged.

    Parameters
    ----------
    unsafe : int, records that are unsafe by any combination
    unjudged : names of risk tables without a threshold
    """
    if recipe.suppression.criterion != "none" or not recipe.combinations:
        return ()
    if unsafe:
        text = plural(
            unsafe,
            (
                "{n} record remains unsafe (at or above a threshold, or below k): by choice, no value was suppressed. "
                "The file is not protected."
            ),
            (
                "{n} records remain unsafe (at or above a threshold, or below k): by choice, no value was suppressed. "
                "The file is not protected."
            ),
        )
        return (Notice.of("unsafe-by-choice", text, n=unsafe),)
    if unjudged:
        text = mark(
            "No threshold is chosen for {names}: no record was judged by its risk, and by choice no value was "
            "suppressed. The file is not protected."
        )
        return (Notice.of("not-judged", text, names="; ".join(unjudged)),)
    return ()


def _behind_the_last(microdata: Microdata) -> Iterator[Notice]:
    """Bytes of a fixed record that no variable reaches; gaps between variables are seen without the data."""
    length = microdata.source.record_length
    end = max((v.start + v.length - 1 for v in microdata.metadata.variables), default=0)
    if microdata.metadata.format == "fixed" and end < length:
        yield undescribed_notice([str(length) if end + 1 == length else f"{end + 1}–{length}"], positions=True)


def _other_data(recipe: Recipe, microdata: Microdata) -> Iterator[Notice]:
    said, found = recipe.input.sha256, microdata.source.sha256
    if said is not None and said != found:
        yield Notice.of(
            "input-changed",
            mark("{file} is not the file that the recipe was saved with (SHA-256 {found}, not {said})."),
            file=_name(recipe.input.place),
            found=found,
            said=said,
        )


def _name(path: Path | None) -> str:
    return "" if path is None else path.name
