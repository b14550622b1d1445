"""What a method of perturbation is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.base.progress import Progress
from core.data.columns import EncodedColumn
from core.data.variables import Metadata
from core.recipe.declared import Declaration
from core.recipe.model import Numeric, Perturbation


@dataclass(frozen=True, eq=False)
class PerturbationInput:
    """The variables that a method changes, as they are before it.

    Attributes
    ----------
    columns : the texts of each as codes
    numeric : what ``[[numeric]]`` has already done to them; an entry that changes nothing where it says nothing
    metadata : of the original file
    parameters : as used, defaults included
    seed : what draws follow from, given what is said of them: their own entry of the recipe
    """

    columns: Mapping[str, EncodedColumn]
    numeric: Mapping[str, Numeric]
    metadata: Metadata
    parameters: Mapping[str, Any]
    seed: Callable[[Numeric | Perturbation], Sequence[int]]
    progress: Progress


class PerturbationMethod(Protocol):
    """The module of a method."""

    DECLARATION: Declaration

    def variables(self, entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
        """Names of the variables that `entry` changes."""

    def perturb(self, given: PerturbationInput) -> Mapping[str, EncodedColumn]:
        """The variables after the change."""
