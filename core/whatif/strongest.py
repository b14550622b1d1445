"""The strongest perturbation that still keeps a goal: one parameter of a method is tried from its strong end on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..base.errors import PavoError, RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..recipe.model import ByCode, Perturbation

HALVINGS = 5
"""Tries between the strongest step that keeps the goal and the next one, which does not."""


@dataclass(frozen=True)
class Strength:
    """The parameter of a method that says how strongly it protects.

    Attributes
    ----------
    parameter : its name
    steps : values that are tried, from the weakest to the strongest
    whole : whether only whole numbers mean something
    """

    parameter: str
    steps: tuple[float, ...]
    whole: bool = False


_SHARES = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)

STRENGTHS: Mapping[str, Strength] = {
    "microaggregation": Strength("k", (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100), whole=True),
    "noise": Strength("share", _SHARES),
    "rank-swapping": Strength("percent", (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0)),
    "pram": Strength("keep", (0.99, 0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)),
    "record-swapping": Strength("rate", (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)),
    "weight-noise": Strength("share", _SHARES),
}
"""By method; the others have no parameter of which more protects more."""


@dataclass(frozen=True)
class TriedStrength:
    """One value of the parameter.

    Attributes
    ----------
    value : of the parameter
    change : the largest relative change of any group; None where the file does not bear the value
    kept : whether the goal is kept
    """

    value: float
    change: float | None
    kept: bool


@dataclass(frozen=True)
class Strongest:
    """What was tried.

    Attributes
    ----------
    parameter : its name
    entry : the strongest entry that keeps the goal of those that were tried; None: none does
    tried : from the weakest to the strongest value
    """

    parameter: str
    entry: Perturbation | None
    tried: tuple[TriedStrength, ...]

    @property
    def best(self) -> TriedStrength | None:
        """The strongest that keeps the goal."""
        return next((each for each in reversed(self.tried) if each.kept), None)

    @property
    def nearest(self) -> TriedStrength | None:
        """The one with the least change; None where the file bears none."""
        known = [each for each in self.tried if each.change is not None]
        return min(known, key=lambda each: each.change or 0.0, default=None)


Largest = Callable[[Perturbation], tuple[float, bool]]
"""Of an entry the largest relative change, and whether the goal is kept; it refuses what the file does not bear."""


def strength_of(entry: Perturbation) -> Strength | None:
    """What of `entry` is tried; None where there is nothing, or it says a number for each code."""
    found = STRENGTHS.get(entry.method)
    if found is None or isinstance(dict(entry.parameters).get(found.parameter), ByCode):
        return None
    return found


def with_strength(entry: Perturbation, value: float) -> Perturbation:
    """`entry` with another value of the parameter that is tried."""
    strength = STRENGTHS[entry.method]
    said = {**dict(entry.parameters), strength.parameter: int(value) if strength.whole else value}
    return replace(entry, parameters=tuple(sorted(said.items())))


def find_strongest(entry: Perturbation, look: Largest, progress: Progress = SILENT) -> Strongest:
    """The strongest of the values tried that keeps a goal: steps from the strong end on, then between two of them.

    What is drawn changes with the value, so a stronger one that was not tried may keep the goal, too.

    Raises
    ------
    RecipeError
        The method has no such parameter, or it has a table by code.
    PavoError
        The file bears none of the values.
    """
    strength = strength_of(entry)
    if strength is None:
        raise RecipeError(
            "strongest-no-parameter",
            mark("{method} has no single number that says how strongly it protects."),
            mark("Try its parameters by hand; the goal is shown as kept or not."),
            method=entry.method,
        )
    tried: dict[float, TriedStrength] = {}
    refused: PavoError | None = None
    steps, most = strength.steps, len(strength.steps) + HALVINGS

    def kept(value: float) -> bool:
        nonlocal refused
        progress.check()
        progress.report(len(tried), most, translate(mark("Trying {parameter} {value}")).format(
            parameter=strength.parameter, value=f"{value:g}"))  # fmt: skip
        try:
            tried[value] = TriedStrength(value, *look(with_strength(entry, value)))
        except PavoError as error:
            refused, tried[value] = error, TriedStrength(value, None, False)
        return tried[value].kept

    at = next((place for place in range(len(steps) - 1, -1, -1) if kept(steps[place])), None)
    if at is not None and at + 1 < len(steps):
        low, high = steps[at], steps[at + 1]
        for _ in range(HALVINGS):
            middle = _between(low, high, strength.whole)
            if middle in (low, high):
                break
            low, high = (middle, high) if kept(middle) else (low, middle)
    order = sorted(tried, key=lambda value: value if steps[0] < steps[-1] else -value)
    found = Strongest(strength.parameter, None, tuple(tried[value] for value in order))
    if refused is not None and found.nearest is None:
        raise refused
    best = found.best
    return found if best is None else replace(found, entry=with_strength(entry, best.value))


def _between(low: float, high: float, whole: bool) -> float:
    """The middle, with two digits that say something."""
    middle = (low + high) / 2
    return float(int(middle)) if whole else float(f"{middle:.2g}")
