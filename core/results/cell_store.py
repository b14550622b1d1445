"""Cells of a combination after its recodes, merged from finer cells of the same variables where these are at hand."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from ..base.progress import Progress
from ..recipe.model import Combination
from ..tables.cell_index import Tabulation
from ..tables.regroup import Map, code_map, regroup
from ..tables.tabulate import tabulate_records
from .cache import Cache
from .results import RecodedData


def fewer_recodes(recoded: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Recodes to think away, to find cells from before: each alone, then all."""
    yield from ((name,) for name in recoded)
    if len(recoded) > 1:
        yield tuple(recoded)


def cells_of(
    cache: Cache, derived: RecodedData, combination: Combination, before: Iterable[tuple[tuple[str, ...], Hashable]],
    progress: Progress,
) -> Tabulation:  # fmt: skip
    """The cells of `combination` and of its records, from the smallest known table of `before`, else from the records.

    Parameters
    ----------
    before : variables whose recode is thought away, and the key in the cache of the cells without these recodes
    """
    columns = [derived.columns[name] for name in combination.variables]
    found: tuple[Tabulation, list[Map | None]] | None = None
    for names, key in before:
        known: Tabulation | None = cache.get(key)
        if known is not None and (found is None or len(known.cells) < len(found[0].cells)):
            maps = _maps(derived, names)
            if maps is not None:
                found = known, [maps.get(name) for name in combination.variables]
    if found is not None:
        return regroup(found[0], columns, found[1], progress)
    weights, rule = derived.microdata.weights, combination.missing_rule
    return tabulate_records(columns, weights, rule, combination.alpha, progress)


def _maps(derived: RecodedData, names: Iterable[str]) -> Mapping[str, Map] | None:
    """How each of these variables was recoded; None where cells do not tell."""
    maps: dict[str, Map] = {}
    for name in names:
        made = code_map(derived.microdata.columns[name], derived.columns[name], derived.recodings[name].lut)
        if made is None:
            return None
        maps[name] = made
    return maps
