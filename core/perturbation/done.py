"""What perturbations made, as the rest of the program finds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..data.columns import EncodedColumn
from ..recipe.model import Perturbation
from .links import Links
from .method import PublishedTable


@dataclass(frozen=True, eq=False)
class PerturbationDone:
    """One perturbation as it was done.

    Attributes
    ----------
    variables : that it changes
    changed : values that it changed, over all variables: another number, or of codes another text
    unchanged : by variable, values that it left as they were, and values that there are
    invariants : what it promises to keep, by name, with what came of it
    published : tables for users of the safe file
    links : as of `core.perturbation.method.Perturbed`
    with_keys : figures of what is told with the keys of the recipe, by name; see `core.results.known_keys`
    """

    entry: Perturbation
    variables: tuple[str, ...]
    changed: int
    invariants: Mapping[str, Any] = field(default_factory=dict)
    published: tuple[PublishedTable, ...] = ()
    unchanged: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    links: Links | None = None
    with_keys: Mapping[str, Any] = field(default_factory=dict)

    @property
    def figures(self) -> dict[str, Any]:
        """All figures of it, for summary and report."""
        return {**self.invariants, **self.with_keys}


@dataclass(frozen=True, eq=False)
class PerturbationStep:
    """What one perturbation makes: its variables after it, and what is told of it."""

    columns: Mapping[str, EncodedColumn]
    done: PerturbationDone


@dataclass(frozen=True, eq=False)
class PerturbedColumns:
    """All variables that are perturbed before recodes and tables.

    Attributes
    ----------
    before : as they stand in the original file
    columns : after all perturbations, as a file with these values would be read
    done : one for each perturbation, in order
    """

    before: Mapping[str, EncodedColumn]
    columns: Mapping[str, EncodedColumn]
    done: tuple[PerturbationDone, ...]

    @property
    def left(self) -> frozenset[str]:
        """Variables in which no perturbation changed a value."""
        return frozenset(self.columns).difference(
            name for done in self.done for name, (same, there) in done.unchanged.items() if same < there
        )
