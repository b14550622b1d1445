"""Households and derived columns of a data file, computed once each."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import partial

from ..base.errors import Notice
from ..base.progress import Progress
from ..data.columns import Microdata
from ..data.households import (
    Households,
    constant,
    undeclared_notices,
    varying,
    varying_notices,
)
from ..data.variables import Metadata
from ..recipe.model import MultiResponseKey, Recipe
from ..recipe.set_keys import columns_of
from ..risk.household import HouseholdRisk
from ..suppression.problem import Rules
from ..tables.cell_index import CellIndex
from .cache import Cache
from .households import (
    derived_column,
    household_risks,
    members_apart,
    together_all_the_same,
    with_derived,
    with_identifier,
)
from .perturbed_store import PerturbedStore
from .risk_tables import Risks


class HouseholdStore:
    """Reads household identifiers and keeps in a cache what follows from them."""

    def __init__(self, cache: Cache, columns: PerturbedStore) -> None:
        self._cache = cache
        self._columns = columns

    def key(self, recipe: Recipe, metadata: Metadata) -> Hashable:
        """All that the households depend on."""
        return self._columns.households_key(recipe, metadata)

    def column_key(self, recipe: Recipe, metadata: Metadata, name: str) -> Hashable:
        """All that the column `name`, declared or derived, depends on before recoding."""
        spec = next((spec for spec in recipe.derived if spec.name == name), None)
        if spec is None:
            return self._columns.key(recipe, metadata, name)
        return "derived", spec, None if isinstance(spec, MultiResponseKey) else self.key(recipe, metadata)

    def microdata(
        self, recipe: Recipe, metadata: Metadata, names: tuple[str, ...], progress: Progress
    ) -> tuple[Microdata, Households | None]:
        """The columns `names`, the derived ones, and, where there is an identifier, the households.

        Types by members' values and sets are left out: what they are made of is recoded first.

        Raises
        ------
        DataError
            What `ColumnStore.microdata` and `households_of` refuse.
        """
        microdata = self._read(recipe, metadata, names, progress)
        identifier, key = metadata.household_id, self.key(recipe, metadata)
        households = self._columns.households(recipe, metadata, microdata.columns, progress)
        if identifier is None or households is None:
            return microdata, None
        derived = {
            spec.name: self._cache.made(("derived", spec, key), partial(derived_column, spec, households))
            for spec in recipe.household_keys
            if not spec.members
        }
        return with_derived(microdata, derived, identifier.name, names), households

    def _read(self, recipe: Recipe, metadata: Metadata, names: tuple[str, ...], progress: Progress) -> Microdata:
        """The columns `names`, and the identifier."""
        return self._columns.microdata(recipe, metadata, with_identifier(names, metadata), progress)

    def notices(
        self, recipe: Recipe, microdata: Microdata, households: Households | None, progress: Progress
    ) -> tuple[Notice, ...]:
        """What is to be said about the households, and about variables that vary within them or never do."""
        if households is None:
            return ()
        metadata = microdata.metadata
        names = [v.name for v in metadata.variables if v.household and v.name in microdata.columns]
        columns = {name: microdata.columns[name] for name in names}
        found = self._cache.made(
            ("varying", *self._keys(recipe, metadata, names)), lambda: varying(households, columns, progress)
        )
        suggested = self._undeclared(recipe, microdata, households, progress)
        return (*households.notices, *varying_notices(found), *suggested, *together_all_the_same(recipe, households))

    def _undeclared(
        self, recipe: Recipe, microdata: Microdata, households: Households, progress: Progress
    ) -> Iterator[Notice]:
        """About variables that may be suppressed, have one value a household, and are not declared so."""
        if members_apart(recipe):
            return
        metadata = microdata.metadata
        keys = (name for combination in recipe.combinations for name in combination.variables)
        used = {name for name in columns_of(recipe, keys) if name in metadata}
        rules = Rules.of(metadata)
        suppressed = {name for key in used for name in rules.closure(key)} - rules.fixed
        free = [v.name for v in metadata.variables if v.name in suppressed and v.role == "other" and not v.household]
        columns = {name: microdata.columns[name] for name in free if name in microdata.columns}
        names = self._cache.made(
            ("undeclared", *self._keys(recipe, metadata, columns)), lambda: constant(households, columns, progress)
        )
        yield from undeclared_notices(names)

    def _keys(self, recipe: Recipe, metadata: Metadata, names: Iterable[str]) -> tuple[Hashable, ...]:
        """What the households and these columns, as they were read, depend on."""
        columns = tuple(self._columns.key(recipe, metadata, name) for name in names)
        return self.key(recipe, metadata), columns

    def risks(
        self,
        key: Hashable,
        cell_index: CellIndex,
        risks: Risks,
        households: Households | None,
        progress: Progress,
    ) -> HouseholdRisk | None:
        """Household risks of a table, `key` being all that its own risks and the households depend on."""
        if households is None:
            return None
        return self._cache.made(
            ("household risk", key), lambda: household_risks(cell_index, risks.risk, households, progress)
        )
