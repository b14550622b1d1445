"""Cells of combinations, and the unsafe combinations among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..base.progress import SILENT, Progress
from ..recipe.criteria import MissingRule
from ..recipe.model import Combination
from ..results.results import RecodedData
from ..tables.cell_index import Tabulation
from ..tables.margins import LIMIT, Overview, UnsafeSpec, unsafe_combinations
from ..tables.regroup import Map, code_map, regroup
from ..tables.tabulate import tabulate, tabulate_records
from .columns import WEIGHTS
from .recodes import RECODED, UNRECODED
from .stage import Facts, Given, Pipeline, Request, stage


def fewer_recodes(recoded: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Recodes to think away, to find cells from before: each alone, then all."""
    yield from ((name,) for name in recoded)
    if len(recoded) > 1:
        yield tuple(recoded)


def _columns(
    _facts: Facts, names: tuple[str, ...], _rule: MissingRule, _alpha: float, unrecoded: tuple[str, ...]
) -> Iterator[Request[Any]]:
    yield from (UNRECODED(name) if name in unrecoded else RECODED(name) for name in names)
    yield WEIGHTS()


@stage("cells", by=lambda _facts, names, rule, alpha, _unrecoded: (names, rule, alpha), needs=_columns)
def CELLS(
    given: Given, names: tuple[str, ...], rule: MissingRule, alpha: float, _unrecoded: tuple[str, ...]
) -> Tabulation:
    """The cells of a combination and of its records, from the smallest known table of before a recode, or counted."""
    derived = given.derived
    columns = [derived.columns[name] for name in names]
    found: tuple[Tabulation, list[Map | None]] | None = None
    for unrecoded in fewer_recodes([name for name in names if name in derived.recodings]):
        known = given.pipeline.known(CELLS(names, rule, alpha, unrecoded), given.facts)
        if known is not None and (found is None or len(known.cells) < len(found[0].cells)):
            maps = _maps(derived, unrecoded)
            if maps is not None:
                found = known, [maps.get(name) for name in names]
    if found is not None:
        return regroup(found[0], columns, found[1], given.progress)
    return tabulate_records(columns, derived.microdata.weights, rule, alpha, given.progress)


def _maps(derived: RecodedData, names: tuple[str, ...]) -> Mapping[str, Map] | None:
    """How each of these variables was recoded; None where cells do not tell."""
    maps: dict[str, Map] = {}
    for name in names:
        made = code_map(derived.microdata.columns[name], derived.columns[name], derived.recodings[name].lut)
        if made is None:
            return None
        maps[name] = made
    return maps


def cells(combination: Combination) -> Request[Tabulation]:
    """The cells of a combination and of its records."""
    return CELLS(combination.variables, combination.missing_rule, combination.alpha, ())


@stage("number of cells", needs=lambda _facts, names: map(RECODED, names))
def NUMBER_OF_CELLS(given: Given, names: tuple[str, ...]) -> int:
    """How many distinct keys the file has, a missing value being one value each."""
    columns = [given.derived.columns[name] for name in names]
    return len(tabulate(columns, None, "category", progress=given.progress))


def unsafe_spec(combination: Combination) -> UnsafeSpec:
    """What makes a combination of values unsafe by its frequency."""
    return UnsafeSpec(combination.variables, combination.count_threshold, combination.judges_margins)


def _known_cells(given: Given) -> dict[frozenset[str], Tabulation]:
    """The cells at hand, by their variables."""
    of_cells = {request: made for request, made in given.at_hand.items() if request.stage is CELLS}
    return {frozenset(request.parameters[0]): made for request, made in of_cells.items()}


@stage("overview", needs=lambda _facts, _specs, names, _limit: map(RECODED, names))
def OVERVIEW(given: Given, specs: tuple[UnsafeSpec, ...], names: tuple[str, ...], limit: float) -> Overview:
    """Unsafe combinations of all tables and margins of variables in the order of `names`, up to what takes so long."""
    columns, cube = {name: given.derived.columns[name] for name in names}, given.pipeline.margins.cube
    return unsafe_combinations(specs, columns, given.progress, _known_cells(given), cube, limit)


@stage("own overview", needs=lambda _facts, _spec, names: map(RECODED, names))
def OWN_OVERVIEW(given: Given, spec: UnsafeSpec, names: tuple[str, ...]) -> Overview:
    """Those of one combination, without the records: of very many combinations they would fill memory."""
    columns = {name: given.derived.columns[name] for name in names}
    return replace(unsafe_combinations((spec,), columns, SILENT, _known_cells(given), limit=LIMIT), unsafe_records={})


def overview_of(derived: RecodedData, limit: float) -> Request[Overview]:
    """The overview of all combinations."""
    specs = tuple(map(unsafe_spec, derived.recipe.combinations))
    return OVERVIEW(specs, _in_order(derived, specs), limit)


def own_overview_of(derived: RecodedData, index: int) -> Request[Overview]:
    """The overview of one combination."""
    spec = unsafe_spec(derived.recipe.combinations[index])
    return OWN_OVERVIEW(spec, _in_order(derived, (spec,)))


def _in_order(derived: RecodedData, specs: Iterable[UnsafeSpec]) -> tuple[str, ...]:
    """The variables in the order of the columns, which is that of the overview."""
    used = {name for spec in specs for name in spec.variables}
    return tuple(name for name in derived.columns if name in used)


def cells_at_hand(pipeline: Pipeline, derived: RecodedData, progress: Progress) -> dict[Request[Any], Any]:
    """The cells that risks are made from anyway."""
    judged = (each for each in derived.recipe.combinations if each.has_risk)
    return {cells(each): pipeline.get(cells(each), derived, progress) for each in judged}
