"""What a method of perturbation is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import Progress
from ..base.texts import mark, shown
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.declared import Declaration
from ..recipe.model import Perturbation
from .links import Links


@dataclass(frozen=True, eq=False)
class PerturbationInput:
    """The variables that a method changes, as they are before it.

    Attributes
    ----------
    columns : the texts of each as codes
    metadata : of the original file
    parameters : as used, defaults included
    seed : what draws follow from, given what is said of them: their own entry of the recipe
    digest : of the values of a variable: what stands for it where draws follow from it, so that no name decides them
    entry : the entry of the recipe
    others : variables that the parameters name beside those that are changed, as they are before it
    strata : (n,) from 0, the stratum of each record by ``within``; None: all records are one
    households : (n,) from 0, the household of each record; None where the file has none or they do not matter: see
        `households_of`
    weights : (n,) sampling weights; None where there are none
    """

    columns: Mapping[str, EncodedColumn]
    metadata: Metadata
    parameters: Mapping[str, Any]
    seed: Callable[[Perturbation], Sequence[int]]
    progress: Progress
    entry: Perturbation | None = None
    others: Mapping[str, EncodedColumn] = field(default_factory=dict)
    strata: NDArray[np.int64] | None = None
    households: NDArray[np.int64] | None = None
    weights: NDArray[np.float64] | None = None
    digest: Callable[[str], str] = str

    def in_order(self, names: Iterable[str]) -> list[str]:
        """`names` in an order that follows from the values: whatever they are called and however they are listed."""
        return sorted(names, key=self.digest)

    def households_of(self, name: str) -> NDArray[np.int64] | None:
        """(n,) the household of each record, where all members get one draw of the variable `name`; None: they do not.

        That is so of household variables; whether the members have one value now is for the method to see.
        """
        return self.households if self.metadata[name].household else None

    def random(self, *variables: str, purpose: int = 0) -> np.random.Generator:
        """Draws of their own for some of the variables, the same whatever other variables the entry names.

        What is made of the draws of several variables needs draws of them together, by `purpose`: the same draws mixed
        once so and in another release otherwise are equations of which the values themselves are the solution.

        Parameters
        ----------
        variables : none: all that the entry names
        purpose : draws for two purposes have nothing in common
        """
        assert self.entry is not None
        entry = replace(self.entry, variables=variables) if variables else self.entry
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed(entry), spawn_key=(purpose,))))


@dataclass(frozen=True)
class PublishedTable:
    """What users of the safe file are told, so that they can reckon with the change (a transition matrix, say).

    It is kept and compared, whoever reads it in what language: texts of the program are marked, and `translated` where
    they are shown.

    Attributes
    ----------
    title : str
    headings : one a column
    rows : texts and numbers
    formats : how the report writes each column, those of `core.report.numbers.column`
    of_the_house : whether only the house is shown it
    codes : by variable those of its codes in the original that the table shows
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]
    formats: tuple[str, ...] = ()
    of_the_house: bool = False
    codes: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def translated(self) -> PublishedTable:
        """The table with what the program says in it in the language in use."""
        rows = tuple(tuple(shown(each) if isinstance(each, str) else each for each in row) for row in self.rows)
        return replace(self, title=shown(self.title), headings=tuple(map(shown, self.headings)), rows=rows)


@dataclass(frozen=True, eq=False)
class Perturbed:
    """What a method gives back.

    Attributes
    ----------
    columns : the variables after the change
    invariants : what the method promises to keep, by name, with what came of it (the largest deviation, say); numbers,
        texts or objects of them, for summary and report
    published : tables for users of the file
    links : of codes that are linked with the true ones by known probabilities; None: they are not
    """

    columns: Mapping[str, EncodedColumn]
    invariants: Mapping[str, Any] = field(default_factory=dict)
    published: tuple[PublishedTable, ...] = ()
    links: Links | None = None


class PerturbationMethod(Protocol):
    """The module of a method.

    It may have a function ``broken(given, columns)``, too: what of its promises `columns`, the variables as they are
    written, do not keep, as notices; and ``keeps_missing(given)``, whether missing values stay where they are, as they
    do without it. The check of the written file asks them.
    """

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


def broken_promises(method: PerturbationMethod, given: PerturbationInput, done: Perturbed) -> Iterator[Notice]:
    """What `method` promises and `done`, as it stands in the safe file, does not keep."""
    stay: Callable[[PerturbationInput], bool] = getattr(method, "keeps_missing", lambda given: True)
    for name, before in given.columns.items() if stay(given) else ():
        after = done.columns[name]
        if not np.array_equal(_missing(before), _missing(after)):
            yield Notice.of(
                "perturbation-missing",
                mark("{method} changed missing values of {variable}."),
                where=name,
                method=method.DECLARATION.name,
                variable=name,
            )
    promised: Callable[[PerturbationInput, Mapping[str, EncodedColumn]], Iterator[Notice]] | None
    promised = getattr(method, "broken", None)
    if promised is not None:
        yield from promised(given, done.columns)


def _missing(column: EncodedColumn) -> NDArray[np.int64]:
    """(n,) which missing code each record has, -1 where it has a value."""
    return np.maximum(column.values.astype(np.int64) - column.n_valid, -1)
