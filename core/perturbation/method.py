"""What a method of perturbation is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

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
    entry : the entry of the recipe; None for what ``[[numeric]]`` says
    others : variables that the parameters name beside those that are changed, as they are before it
    strata : (n,) from 0, the stratum of each record by ``within``; None: all records are one
    households : (n,) from 0, the household of each record; None where the file has none or they do not matter
    weights : (n,) sampling weights; None where there are none
    """

    columns: Mapping[str, EncodedColumn]
    numeric: Mapping[str, Numeric]
    metadata: Metadata
    parameters: Mapping[str, Any]
    seed: Callable[[Numeric | Perturbation], Sequence[int]]
    progress: Progress
    entry: Perturbation | None = None
    others: Mapping[str, EncodedColumn] = field(default_factory=dict)
    strata: NDArray[np.int64] | None = None
    households: NDArray[np.int64] | None = None
    weights: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class PublishedTable:
    """What users of the safe file are told, so that they can reckon with the change (a transition matrix, say).

    Attributes
    ----------
    title : str
    headings : one a column
    rows : texts and numbers
    formats : how the report writes each column, those of `core.report.numbers.column`
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]
    formats: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Perturbed:
    """What a method gives back.

    Attributes
    ----------
    columns : the variables after the change
    invariants : what the method promises to keep, by name, with what came of it (the largest deviation, say); numbers,
        texts or objects of them, for summary and report
    published : tables for users of the file
    """

    columns: Mapping[str, EncodedColumn]
    invariants: Mapping[str, Any] = field(default_factory=dict)
    published: tuple[PublishedTable, ...] = ()


class PerturbationMethod(Protocol):
    """The module of a method."""

    DECLARATION: Declaration

    def variables(self, entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
        """Names of the variables that `entry` changes."""

    def perturb(self, given: PerturbationInput) -> Perturbed:
        """The variables after the change, and what is told of it.

        Raises
        ------
        DataError
            A value that the method cannot take, naming the variable.
        RecipeError
            Parameters that cannot be met with these data.
        """
