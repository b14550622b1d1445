"""What changed between two recipes, as windows need to know it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from .model import Combination, Recipe, Threshold


@dataclass(frozen=True)
class Changes:
    """One flag a part of the recipe; True where the two recipes differ in it."""

    input: bool = False
    metadata: bool = False
    combinations: bool = False
    recodes: bool = False
    numeric: bool = False
    perturbations: bool = False
    scenarios: bool = False
    threshold: bool = False
    suppression: bool = False
    measures: bool = False
    profile: bool = False
    target: bool = False
    utility: bool = False
    report: bool = False
    output: bool = False

    def __bool__(self) -> bool:
        return any(vars(self).values())

    @property
    def tables(self) -> bool:
        """Whether cells and risks have to be computed anew."""
        return self.input or self.metadata or self.combinations or self.recodes or self.perturbations

    @classmethod
    def all(cls) -> Changes:
        """Everything: for a recipe that replaces another file's."""
        return cls(**{field.name: True for field in fields(cls)})


def changes(old: Recipe, new: Recipe) -> Changes:
    """The parts in which `new` differs from `old`; the thresholds of combinations count as threshold only."""
    return Changes(
        input=replace(old.input, units=None) != replace(new.input, units=None),
        metadata=(old.variables, old.derived, old.households) != (new.variables, new.derived, new.households),
        combinations=(_without_thresholds(old), old.input.units) != (_without_thresholds(new), new.input.units),
        recodes=old.recodes != new.recodes,
        numeric=old.numeric != new.numeric,
        perturbations=old.perturbations != new.perturbations,
        scenarios=old.scenarios != new.scenarios,
        threshold=_thresholds(old) != _thresholds(new),
        suppression=old.suppression != new.suppression,
        measures=old.measures != new.measures,
        profile=old.profile != new.profile,
        target=(old.target, old.accepted) != (new.target, new.accepted),
        utility=old.utility != new.utility,
        report=old.report != new.report,
        output=old.output != new.output,
    )


def _without_thresholds(recipe: Recipe) -> tuple[Combination, ...]:
    return tuple(replace(combination, threshold=Threshold()) for combination in recipe.combinations)


def _thresholds(recipe: Recipe) -> tuple[Threshold, tuple[tuple[tuple[str, ...], Threshold], ...]]:
    own = tuple((c.variables, c.threshold) for c in recipe.combinations if c.threshold)
    return recipe.threshold, own
