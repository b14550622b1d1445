"""Record swapping: households that are rare where they live change their places with alike ones elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice, RecipeError
from ..base.progress import Progress
from ..base.texts import mark, plural, translate
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.declared import Declaration, Figure, Guide, Parameter
from ..recipe.model import Perturbation
from .codes import with_codes
from .method import PerturbationInput, Perturbed
from .strata import strata_of
from .units import differing_households

Ints = NDArray[np.int64]


def _plainly(_variables: tuple[str, ...], used: Mapping[str, Any]) -> Mapping[str, Any]:
    """Nobody is found by a set of similar variables who was not found by a former one with fewer of them."""
    sets = used.get("similar", ())
    found = tuple(own for i, own in enumerate(sets) if not any({*own} >= {*former} for former in sets[:i]))
    return {**used, "similar": found} if sets else used


DECLARATION = Declaration(
    name="record-swapping",
    title=mark("Record swapping"),
    group=mark("Households"),
    sentence=mark(
        "Households that are rare in their area change their geography with alike ones of other areas; everything else "
        "of them stays together."
    ),
    parameters=(
        Parameter(
            "geography",
            "variables",
            mark("The variables that say where a household lives, coarse to fine; all of them are exchanged."),
            required=True,
            as_read=True,
            ordered=True,
        ),
        Parameter(
            "similar",
            "sets",
            mark(
                "What households that change places have in common: the first of these sets of variables by which "
                "somebody is found. Of variables that are not the household's, its members have the same values."
            ),
            required=True,
            as_read=True,
            ordered=True,
        ),
        Parameter(
            "risk_variables",
            "variables",
            mark("By which variables a person may be rare in an area."),
            as_read=True,
            outside="never",
        ),
        Parameter(
            "k",
            "integer",
            mark(
                "A household is swapped for certain where fewer than k persons of its area have the values of one of "
                "its members; 0: none."
            ),
            default=3,
            low=0,
            outside="never",
        ),
        Parameter(
            "rate",
            "number",
            mark("The share of all households that change places at least, the rare ones among them."),
            default=0.05,
            low=0.0,
            high=1.0,
            format="percent",
            outside="never",
        ),
    ),
    instead=("geography",),
    figures=(
        Figure(
            "households",
            mark("Households"),
            "count",
            mark("That could be swapped."),
        ),
        Figure(
            "swapped",
            mark("Households that were swapped"),
            "count",
            mark("With another one of another area."),
        ),
        Figure(
            "rare",
            mark("Rare households that must be swapped, by level"),
            "count",
            mark("Whose risk is above 1 / k there first."),
        ),
        Figure(
            "without_partner",
            mark("Rare households without a partner"),
            "count",
            mark("No other area has one that is alike: they stay."),
        ),
        Figure(
            "largest_change_of_a_count_of_households",
            mark("Largest change of a count, in households of a finest area"),
            "count",
            mark("No published table changes by more in one area."),
        ),
        Figure(
            "largest_change_of_a_count_of_persons",
            mark("Largest change of a count, in persons of a finest area"),
            "count",
            mark("No published table changes by more in one area."),
        ),
    ),
    of_households=True,
    plainly=_plainly,
    told=mark("households exchanged their geography with alike ones of other areas, the rare ones first"),
    guide=Guide(
        assumes="What makes a household recognisable is how rare it is in its area; users cannot tell who was swapped.",
        not_for="Files whose areas are few and large; analyses by small areas of variables that are not among the "
        "similar ones.",
        formula="The risk of a household at a level is the largest 1 / (records of the area with a member's values). "
        "From coarse to fine, whoever's is above 1 / k gets a partner outside the area, drawn in proportion to its "
        "risk. Then more are drawn in each finest area, in proportion to their risk, until the rate is reached.",
        source="Dalenius, Reiss (1982); targeted swapping of the European census method (de Wolf et al. 2019).",
    ),
)


def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Those of the geography, and others that the entry names: they go with it."""
    return tuple(dict.fromkeys((*dict(entry.parameters).get("geography", ()), *entry.variables)))


@dataclass(frozen=True, eq=False)
class Swaps:
    """Who changes places with whom.

    Attributes
    ----------
    partner : (H,) the household whose place each gets; itself where it stays
    rare : (levels,) households that have to be swapped, by the first level at which they are rare
    without : of these, those for whom nobody is left
    """

    partner: Ints
    rare: Ints
    without: int


def perturb(given: PerturbationInput) -> Perturbed:
    """The geography of all members exchanged.

    Raises
    ------
    DataError
        Members of a household with different values of what is exchanged.
    RecipeError
        The file has no household identifier.
    """
    if given.households is None:
        raise RecipeError(
            "perturbation-no-households",
            mark('Method "record-swapping" swaps households, but no variable has the role "household-id".'),
            mark("Give the household identifier its role in Specify Metadata, or take another method."),
        )
    living, geography = given.households, given.parameters["geography"]
    first = np.unique(living, return_index=True)[1]
    for name in given.columns:
        _check_together(given, name)
    every = {**given.others, **given.columns}
    levels = [strata_of([every[name] for name in geography[: h + 1]]) for h in range(len(geography))]
    known = np.ones(len(first), np.bool_)
    for name in geography:
        known &= given.columns[name].values[first] < given.columns[name].n_valid
    risks = np.column_stack(
        [_risk(level, [every[name] for name in given.parameters.get("risk_variables", ())], living) for level in levels]
    )
    within = given.parameters.get("within", ())
    profiles = [_signature(given, (*names, *within), every, first) for names in given.parameters["similar"]]
    areas = np.column_stack([level[first] for level in levels if level is not None])
    swaps = swapped(areas, risks, profiles, known, given.parameters["k"], given.parameters["rate"], given.random(),
                    given.progress)  # fmt: skip
    records = first[swaps.partner][living]
    columns = {name: with_codes(column, column.values[records]) for name, column in given.columns.items()}
    moved = swaps.partner != np.arange(len(first))
    size = np.bincount(living)
    finest = areas[:, -1]
    leaving = np.bincount(finest[moved], minlength=int(finest.max(initial=0)) + 1)
    persons = (
        np.bincount(finest[moved], size[moved], len(leaving)),
        np.bincount(finest[moved], size[swaps.partner[moved]], len(leaving)),
    )
    return Perturbed(
        columns,
        {
            "households": len(first),
            "swapped": int(moved.sum()),
            "rare": {name: int(count) for name, count in zip(geography, swaps.rare, strict=True)},
            "without_partner": swaps.without,
            "largest_change_of_a_count_of_households": int(leaving.max(initial=0)),
            "largest_change_of_a_count_of_persons": int(np.maximum(*persons).max(initial=0)),
        },
    )


def broken(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """Areas with another number of households than before."""
    assert given.households is not None
    first = np.unique(given.households, return_index=True)[1]
    for name in given.parameters["geography"]:
        before, after = given.columns[name], columns[name]
        old, new = (Counter(c.codes[code] for code in c.values[first].tolist()) for c in (before, after))
        if old != new:
            yield Notice.of(
                "record-swapping-households",
                mark("{variable}: areas have not the same numbers of households as before."),
                where=name,
                variable=name,
            )


def swapped(
    areas: Ints, risks: NDArray[np.float64], profiles: Sequence[Ints], known: NDArray[np.bool_], k: int, rate: float,
    random: np.random.Generator, progress: Progress,
) -> Swaps:  # fmt: skip
    """Who changes places with whom.

    Parameters
    ----------
    areas : (H, levels) the area of each household, coarse to fine; an area lies in one of each coarser level
    risks : (H, levels) in (0, 1]
    profiles : of each set of similar variables (H,): households with the same number are alike
    known : (H,) whether it is known where they live
    rate : share of the households that change places at least
    """
    count, levels = areas.shape
    partner, rare, without = np.arange(count), np.zeros(levels, np.int64), 0
    finest = areas[:, -1]
    free = known.copy()
    must = (risks * k > 1 + 1e-9) & known[:, None]
    due = np.where(must.any(axis=1), must.argmax(axis=1), levels)
    for level in range(levels):
        own = np.flatnonzero(due == level)
        rare[level] = len(own)
        pools = _Pools(profiles, areas[:, level], free, risks[:, level], random)
        for number, household in enumerate(random.permutation(own).tolist()):
            if number % 256 == 0:
                progress.check()
                progress.report(number, len(own), translate(mark("Swapping households")))
            if not free[household]:
                continue
            other = pools.partner_of(household)
            if other is None:
                without += 1
                continue
            _exchange(partner, free, household, other)
    moved = np.bincount(finest[partner != np.arange(count)], minlength=int(finest.max(initial=0)) + 1)
    shares = _shares(finest[known], moved, rate, random)
    pools = _Pools(profiles, areas[:, -1], free, risks[:, -1], random)
    drawn = _by_risk(np.flatnonzero(free), risks[:, -1], random)
    for household in drawn.tolist():
        area = finest[household]
        if shares[area] <= 0 or not free[household]:
            continue
        other = pools.partner_of(household)
        if other is not None:
            _exchange(partner, free, household, other)
            shares[area] -= 1
    return Swaps(partner, rare, without)


def _exchange(partner: Ints, free: NDArray[np.bool_], one: int, other: int) -> None:
    partner[one], partner[other] = other, one
    free[one] = free[other] = False


def _by_risk(households: Ints, risk: NDArray[np.float64], random: np.random.Generator) -> Ints:
    """`households` in an order drawn in proportion to their risk (Efraimidis & Spirakis 2006)."""
    return households[np.argsort(-risk[households] / random.exponential(size=len(households)), kind="stable")]


class _Pools:
    """Who may still be taken, by what households have in common, in an order drawn in proportion to risk."""

    def __init__(
        self, profiles: Sequence[Ints], area: Ints, free: NDArray[np.bool_], risk: NDArray[np.float64],
        random: np.random.Generator,
    ) -> None:  # fmt: skip
        self._profiles, self._area, self._free = profiles, area, free
        drawn = _by_risk(np.flatnonzero(free), risk, random)
        # Of each set of alike households and area those in the order drawn, and of each set its areas.
        self._pools: list[dict[int, dict[int, list[int]]]] = []
        self._rank = np.zeros(len(area), np.int64)
        self._rank[drawn] = np.arange(len(drawn))
        for profile in profiles:
            pools: dict[int, dict[int, list[int]]] = {}
            for household in drawn[::-1].tolist():  # the first drawn are taken from the end
                pools.setdefault(int(profile[household]), {}).setdefault(int(area[household]), []).append(household)
            self._pools.append(pools)

    def partner_of(self, household: int) -> int | None:
        """The first drawn of those that are free, alike by the first profile that finds one, and live elsewhere."""
        own = int(self._area[household])
        for profile, pools in zip(self._profiles, self._pools, strict=True):
            found: int | None = None
            for area, waiting in pools.get(int(profile[household]), {}).items():
                while waiting and not self._free[waiting[-1]]:
                    waiting.pop()
                if area != own and waiting and (found is None or self._rank[waiting[-1]] < self._rank[found]):
                    found = waiting[-1]
            if found is not None:
                return found
        return None


def _shares(areas: Ints, moved: Ints, rate: float, random: np.random.Generator) -> Ints:
    """Swaps that begin in each area: half of what `rate` asks of its households beyond those that moved already.

    Rounded so that the sum is kept within one.
    """
    wanted = np.maximum(np.bincount(areas, minlength=len(moved)) * rate - moved, 0) / 2
    found: Ints = np.diff(np.floor(np.cumsum(wanted) + random.random()), prepend=0.0).astype(np.int64)
    return found


def _risk(area: Ints | None, columns: Sequence[EncodedColumn], living: Ints) -> NDArray[np.float64]:
    """(H,) the largest risk of a member: 1 over the records of the area with the same values."""
    values = strata_of(columns)
    place = np.zeros(len(living), np.int64) if area is None else area
    both = place if values is None else place * (int(values.max(initial=0)) + 1) + values
    _keys, cell, size = np.unique(both, return_inverse=True, return_counts=True)
    found = np.zeros(int(living.max(initial=-1)) + 1)
    np.maximum.at(found, living, 1.0 / size[cell.reshape(-1)])
    return found


def _signature(
    given: PerturbationInput, names: Sequence[str], every: Mapping[str, EncodedColumn], first: Ints
) -> Ints:  # fmt: skip
    """(H,) a number that alike households share: their values, or those of all their members in whatever order."""
    living = given.households
    assert living is not None
    values = strata_of([every[name] for name in names])
    if values is None or all(given.metadata[name].household for name in names):
        return np.zeros(len(first), np.int64) if values is None else values[first]
    order = np.lexsort((values, living))
    starts = np.flatnonzero(np.r_[True, np.diff(living[order]) != 0])
    ends = np.r_[starts[1:], len(order)]
    numbers: dict[bytes, int] = {}
    ordered = values[order]
    found: Ints = np.empty(len(first), np.int64)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        found[living[order[start]]] = numbers.setdefault(ordered[start:end].tobytes(), len(numbers))
    return found


def _check_together(given: PerturbationInput, name: str) -> None:
    """Refuse what is exchanged where it is not the household's."""
    assert given.households is not None
    differing = differing_households(given.columns[name].values, given.households)
    if differing:
        raise DataError(
            "perturbation-household-values",
            plural(
                differing,
                "{variable}: the members of {count} household have different values, so they cannot be swapped.",
                "{variable}: the members of {count} households have different values, so they cannot be swapped.",
            ),
            mark("Correct the data, or leave {variable} out."),
            variable=name,
            count=differing,
        )
