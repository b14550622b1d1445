"""What the questions of a review board are answered from, beside what the report has anyway."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..metadata.column_contents import Kind
from ..recipe.model import HouseholdId


@dataclass(frozen=True)
class Area:
    """A key variable that is called like a place, as the safe file has it; without one, after recoding.

    Attributes
    ----------
    areas : codes that a record has, without missing codes
    least_records : records of the code with the fewest
    least_people : sum of the weights of the code with the smallest; None without a weight
    """

    name: str
    areas: int
    least_records: int
    least_people: float | None = None


@dataclass(frozen=True)
class BoardFacts:
    """Facts on a release, by the names of its variables.

    Attributes
    ----------
    areas : key variables that are called like places
    people : sum of the weights; None without a weight
    weight_released : whether the safe file has the weight
    identifiers : direct identifiers, which are never written
    sensitive : released variables that are marked as such
    numbers : released numerical variables other than the weight
    cut : those of them that are top or bottom coded
    held : released columns that no model judges, by what they hold
    order_is_random : whether the records are written in random order
    household_ids : how household identifiers are written
    """

    areas: tuple[Area, ...] = ()
    people: float | None = None
    weight_released: bool = False
    identifiers: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    held: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)
    order_is_random: bool = False
    household_ids: HouseholdId = "keep"

    def columns_of(self, *kinds: Kind) -> tuple[str, ...]:
        """Columns of the safe file that no model judges and that hold one of `kinds`."""
        return tuple(name for kind in kinds for name in self.held.get(kind, ()))

    def for_outsiders(self, is_known: Callable[[str], bool]) -> BoardFacts:
        """The facts on variables that outsiders may know of; what an unjudged column holds is not told."""

        def known(names: Iterable[str]) -> tuple[str, ...]:
            return tuple(name for name in names if is_known(name))

        areas = [area for area in self.areas if is_known(area.name)]
        if not self.weight_released:
            areas = [replace(area, least_people=None) for area in areas]
        return replace(
            self,
            areas=tuple(areas),
            people=self.people if self.weight_released else None,
            identifiers=(),
            sensitive=known(self.sensitive),
            numbers=known(self.numbers),
            cut=known(self.cut),
            held={},
        )
