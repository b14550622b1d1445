"""What outsiders are told of a perturbation: decided here alone, for reports, summaries and metadata.

Users need to know which variables were changed and how, and what corrects their estimates unless the entry says
``withhold``. They are not told what helps to undo the change: seeds, how near the released values are to the true ones
beyond that, who was changed for certain, and what came of it in this file; nor codes that the safe file does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from string import Formatter
from typing import Any

from ..recipe.declared import WITHHOLD, Parameter
from ..recipe.model import ByCode, Perturbation
from .method import PublishedTable
from .registry import REGISTRY


def parameters_told(entry: Perturbation) -> dict[str, Any]:
    """The parameters of `entry` as they are used that outsiders are told."""
    used = REGISTRY[entry.method].DECLARATION.used(entry)
    known = _known(entry)
    return {name: value for name, value in used.items() if _is_told(entry, known[name])}


def sentence_told(entry: Perturbation, outside: bool) -> str:
    """What a report says was done, untranslated, with the parameters in braces that its reader may know."""
    declared = REGISTRY[entry.method].DECLARATION
    known = _known(entry)
    named = (name for _text, name, _format, _how in Formatter().parse(declared.told) if name)
    if not outside or all(_is_told(entry, known[name]) for name in named):
        return declared.told
    return declared.told_outside


def entry_told(entry: Perturbation) -> Perturbation:
    """`entry` with what it says that outsiders are told."""
    known = _known(entry)
    said = ((name, value) for name, value in entry.parameters if name in known and _is_told(entry, known[name]))
    return replace(entry, parameters=tuple(said))


def entry_of_released(entry: Perturbation, released: Collection[str]) -> Perturbation:
    """`entry` without names of variables that are not `released`, that is in the safe file."""
    parameters = REGISTRY[entry.method].DECLARATION.renamed(entry, lambda name: name if name in released else "")
    variables = tuple(name for name in entry.variables if name in released)
    return replace(entry, variables=variables, parameters=tuple(parameters))


def tables_told(
    entry: Perturbation, published: Sequence[PublishedTable], released: Callable[[str, Collection[str]], bool]
) -> tuple[PublishedTable, ...]:
    """Those of the tables `published` that outsiders get.

    Parameters
    ----------
    released : (variable, codes) -> whether the safe file has all these codes of the original as they are
    """
    if _withholds(entry):
        return ()
    return tuple(
        table
        for table in published
        if not table.of_the_house and all(released(name, codes) for name, codes in table.codes.items())
    )


def _known(entry: Perturbation) -> dict[str, Parameter]:
    return {each.name: each for each in REGISTRY[entry.method].DECLARATION.all_parameters("perturbations")}


def _withholds(entry: Perturbation) -> bool:
    return bool(dict(entry.parameters).get(WITHHOLD.name, False))


def _is_told(entry: Perturbation, parameter: Parameter) -> bool:
    if isinstance(dict(entry.parameters).get(parameter.name), ByCode):
        return False  # it names codes of the original, which may be recoded; the published matrix says the same
    return parameter.outside == "told" or (parameter.outside == "to-correct" and not _withholds(entry))
