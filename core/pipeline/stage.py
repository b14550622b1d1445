"""Stages of a session: how each result is made, and all that it depends on, declared in one place.

The key under which a result is kept follows from the declaration: from the stage's parameters, from what it reads of
the recipe and of the description of the file, from the files that it reads, and from the keys of the stages that it
needs. So a result is never outdated, undo and redo make nothing twice, and a stage that reads more than it declares is
found by a test (`tests/core/pipeline/test_stages.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from ..base.progress import SILENT, Progress
from ..data.columns import Microdata
from ..data.variables import Metadata
from ..recipe.model import Recipe
from ..results.input_files import InputFiles
from ..results.results import RecodedData, Results
from ..suppression.joint.row_draws import RowDraws
from ..tables.cached_margins import CachedMargins
from .cache import Cache
from .column_store import ColumnStore

P = ParamSpec("P")
T = TypeVar("T")
R_co = TypeVar("R_co", covariant=True)
CACHE_BYTES = 1 << 30
_FACTS = 4
"""So many recipes are looked at in turn: the session's own, a draft, one without something, one with less effort."""


class StageKey:
    """All that a result depends on, hashed once."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, parts: Hashable) -> None:
        self._parts = parts
        self._hash = hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, StageKey) and self._hash == other._hash and self._parts == other._parts
        )

    def __repr__(self) -> str:
        return f"Key{self._parts!r}"


class Facts:
    """What keys follow from: a recipe, the description of its file, and what the pipeline knows of its files."""

    def __init__(self, recipe: Recipe, metadata: Metadata, pipeline: Pipeline) -> None:
        self.recipe, self.metadata, self.pipeline = recipe, metadata, pipeline
        self._keys: dict[Request[Any], StageKey] = {}

    @property
    def place(self) -> Hashable:
        """Which files the data are, and what they were when they were first needed."""
        return self.pipeline.columns.place_of(self.recipe.input)

    @property
    def rows(self) -> Hashable:
        """What the rows of the data depend on, where they are not the records of a file; see `Pipeline.rows`."""
        return self.pipeline.rows(self.recipe, self.metadata)

    def key(self, request: Request[Any]) -> StageKey:
        """All that the result of a stage depends on."""
        known = self._keys.get(request)
        if known is None:
            known = self._keys[request] = request.stage.key(self, request.parameters)
        return known


def _always(_facts: Facts, *_parameters: Any) -> bool:
    return True


def _own(_facts: Facts, *parameters: Any) -> Hashable:
    return parameters


def _nothing(_facts: Facts, *_parameters: Any) -> tuple[()]:
    return ()


@dataclass(frozen=True, eq=False)
class Dependency(Generic[P, R_co]):
    """Something that results depend on and that is not made by itself: it is at hand, or found by a search.

    Attributes
    ----------
    name : each once
    reads : given `Facts` and the parameters, what is looked at of the recipe and of the description of the file
    needs : the same, the stages whose results are looked at
    files : the same, the small files that are read: they are stamped, and refused where they have changed since
    by : the same, what of the parameters decides; by default they themselves
    """

    name: str
    reads: Callable[..., Hashable] = _nothing
    needs: Callable[..., Iterable[Request[Any]]] = _nothing
    files: Callable[..., Iterable[Path | None]] = _nothing
    by: Callable[..., Hashable] = _own

    def __call__(self, *parameters: P.args, **_named: P.kwargs) -> Request[R_co]:
        """It, for these parameters."""
        return Request(self, parameters)

    def key(self, facts: Facts, parameters: tuple[Any, ...]) -> StageKey:
        """All that its result for these parameters depends on."""
        return StageKey((
            self.name,
            self.by(facts, *parameters),
            self.reads(facts, *parameters),
            tuple(facts.pipeline.inputs.small(path) for path in self.files(facts, *parameters)),
            tuple(map(facts.key, self.needs(facts, *parameters))),
        ))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Stage(Dependency[P, R_co]):
    """A result that is made once and kept.

    Attributes
    ----------
    make : given `Given` and the parameters
    stays : whether a session for one recipe keeps it to the end, whatever memory it takes
    again : given `Facts` and the parameters, whether a session for one recipe asks for it more than once
    """

    make: Callable[..., R_co] = field(kw_only=True)
    stays: bool = field(default=False, kw_only=True)
    again: Callable[..., bool] = field(default=_always, kw_only=True)


@dataclass(frozen=True)
class Request(Generic[R_co]):
    """A stage and its parameters."""

    stage: Dependency[..., R_co]
    parameters: tuple[Any, ...]


@dataclass(frozen=True)
class Given:
    """What a stage is made from.

    Attributes
    ----------
    facts : the recipe and the description of its file
    at_hand : results of needed stages that need not be asked for
    made : the recipe's results, as far as they are made; None: not even the columns are
    """

    pipeline: Pipeline
    facts: Facts
    progress: Progress = SILENT
    at_hand: Mapping[Request[Any], Any] = field(default_factory=dict)
    made: RecodedData | None = None

    @property
    def recipe(self) -> Recipe:
        """The recipe."""
        return self.facts.recipe

    @property
    def metadata(self) -> Metadata:
        """The description of its file."""
        return self.facts.metadata

    @property
    def derived(self) -> RecodedData:
        """The columns; only where they are made."""
        assert self.made is not None
        return self.made

    @property
    def results(self) -> Results:
        """The tables with their risks; only where they are made."""
        assert isinstance(self.made, Results)
        return self.made

    def get(self, request: Request[T]) -> T:
        """The result of a needed stage."""
        if request in self.at_hand:
            found: T = self.at_hand[request]
            return found
        return self.pipeline.get(request, self.made or self.facts, self.progress, self.at_hand)


def stage(
    name: str, *, reads: Callable[..., Hashable] = _nothing, needs: Callable[..., Iterable[Request[Any]]] = _nothing,
    files: Callable[..., Iterable[Path | None]] = _nothing, by: Callable[..., Hashable] = _own, stays: bool = False,
    again: Callable[..., bool] = _always,
) -> Callable[[Callable[Concatenate[Given, P], T]], Stage[P, T]]:  # fmt: skip
    """Declare a function as the `make` of a stage; parameters as of `Stage`."""

    def declare(make: Callable[Concatenate[Given, P], T]) -> Stage[P, T]:
        return Stage(name, reads, needs, files, by, make=make, stays=stays, again=again)

    return declare


class Pipeline:
    """Makes the results of stages and keeps them.

    Parameters
    ----------
    cache_bytes : int
        Memory for results that are not in use at the moment.
    one_recipe : bool
        Whether it is for one recipe only: the columns are in use to the end, and stay whatever memory they take.
    cells : Microdata, optional
        The cells of a file in parts, in place of the records of the recipe's file.
    draws : RowDraws, optional
        Which records of these cells lose what, as far as it was drawn.

    Attributes
    ----------
    inputs : the files that were read
    columns : reads their columns
    margins : those of the tables, for whoever says that they are to be held
    """

    def __init__(
        self, cache_bytes: int = CACHE_BYTES, one_recipe: bool = False, cells: Microdata | None = None,
        draws: RowDraws | None = None,
    ) -> None:  # fmt: skip
        self.cache, self.one_recipe, self.cells, self.draws = Cache(cache_bytes), one_recipe, cells, draws
        self.margins = CachedMargins()
        self._begin()

    def _begin(self) -> None:
        self.inputs = InputFiles()
        self.columns = self._column_store()
        self._facts: list[Facts] = []

    def _column_store(self) -> ColumnStore:
        return ColumnStore(self.cache, self.inputs, self.one_recipe, self.cells)

    def with_cells(self, cells: Microdata) -> Self:
        """A session of the same rows, of which more columns are known; it shares all results with this one."""
        found = copy(self)
        found.cells = cells
        found._begin()
        found.inputs = self.inputs
        found.columns = found._column_store()
        return found

    def rows(self, recipe: Recipe, metadata: Metadata) -> Hashable:
        """What the rows of the data depend on; None where they are the records of the file."""
        return None

    def codes(self, derived: RecodedData, progress: Progress, names: Sequence[str]) -> Microdata:
        """The columns `names` as codes, whatever they are, perturbed, for once."""
        raise NotImplementedError

    def facts(self, recipe: Recipe, metadata: Metadata) -> Facts:
        """What keys follow from."""
        for known in self._facts:
            if known.recipe is recipe and known.metadata is metadata:
                return known
        self._facts = [Facts(recipe, metadata, self), *self._facts[: _FACTS - 1]]
        return self._facts[0]

    def key(self, request: Request[Any], of: RecodedData | Facts) -> StageKey:
        """All that the result of a stage depends on."""
        return self._facts_of(of).key(request)

    def known(self, request: Request[T], of: RecodedData | Facts) -> T | None:
        """The result of a stage, where it is kept."""
        found: T | None = self.cache.get(self.key(request, of))
        return found

    def keep(self, request: Request[T], of: RecodedData | Facts, value: T) -> T:
        """Keep a result that was not made by its stage, and give it back."""
        return self.cache.put(self.key(request, of), value)

    def get(
        self,
        request: Request[T],
        of: RecodedData | Facts,
        progress: Progress = SILENT,
        at_hand: Mapping[Request[Any], Any] | None = None,
    ) -> T:
        """The result of a stage.

        Parameters
        ----------
        of : the recipe's results, as far as they are made, or only the facts
        at_hand : results of needed stages that need not be asked for
        """
        known = self.known(request, of)
        if known is not None:
            return known
        stage, facts = request.stage, self._facts_of(of)
        assert isinstance(stage, Stage), f"{stage.name} is not at hand"
        derived = None if isinstance(of, Facts) else of
        made: T = self._make(stage, request, Given(self, facts, progress, at_hand or {}, derived))
        if self.one_recipe and not stage.again(facts, *request.parameters):
            return made
        return self.cache.put(facts.key(request), made, self.one_recipe and stage.stays)

    def _make(self, stage: Stage[..., T], request: Request[T], given: Given) -> T:
        self.inputs.check_unchanged(*stage.files(given.facts, *request.parameters))
        return stage.make(given, *request.parameters)

    def _facts_of(self, of: RecodedData | Facts) -> Facts:
        return of if isinstance(of, Facts) else self.facts(of.recipe, of.metadata)
