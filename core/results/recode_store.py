"""Columns after recoding, sets and household types made of them, and their labels; each kept by what it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ..base.errors import Notice
from ..base.progress import Progress
from ..data.columns import EncodedColumn, Microdata
from ..data.household_types import Composition, household_types
from ..data.households import Households
from ..data.set_values import ValueSets, value_sets
from ..data.variables import Metadata, Variable
from ..recipe.model import MultiResponseKey, Recipe, Recode
from ..recoding.labels import labels_with_notices
from ..recoding.labels_made import default_labels
from ..recoding.recode import recode
from ..recoding.recoding import Recoding
from .cache import Cache
from .households import variable_of
from .input_files import InputFiles
from .result_keys import ResultKeys


class RecodeStore:
    """Recodes columns and keeps them in `cache`."""

    def __init__(self, cache: Cache, inputs: InputFiles, keys: ResultKeys) -> None:
        self._cache, self._inputs, self._keys = cache, inputs, keys

    def recodings(self, recipe: Recipe, microdata: Microdata) -> dict[str, Recoding]:
        """The recodes that are applied to columns, by variable."""
        made = {}
        for spec in recipe.recodes:
            column = microdata.columns.get(spec.variable)
            if column is None:
                continue  # a household type, whose members' values are recoded before it is made
            variable = variable_of(recipe, microdata.metadata, spec.variable)
            key = self._keys.recoded(recipe, microdata.metadata, spec.variable)
            made[spec.variable] = self._cache.made(key, partial(self._recoded, column, spec, variable))
        return made

    def _recoded(self, column: EncodedColumn, spec: Recode, variable: Variable) -> Recoding:
        self._inputs.check_unchanged(spec.scheme_file)
        return recode(column, spec, variable)

    def with_derived(
        self, recipe: Recipe, microdata: Microdata, households: Households | None, progress: Progress
    ) -> tuple[Microdata, dict[str, Composition | ValueSets]]:
        """`microdata` with the household types and sets that are told by values after recoding, and these."""
        specs = [spec for spec in recipe.derived if spec.sources]
        if not specs:
            return microdata, {}
        recoded, metadata = self.recodings(recipe, microdata), microdata.metadata
        columns = {**microdata.columns, **{name: done.column for name, done in recoded.items()}}
        found: dict[str, Composition | ValueSets] = {}
        for spec in specs:
            sources, key = [columns[name] for name in spec.sources], self._keys.column(recipe, metadata, spec.name)
            if isinstance(spec, MultiResponseKey):
                sets = partial(value_sets, spec.name, sources, spec.separator, progress)
                found[spec.name] = self._cache.made(key, sets)
            elif households is not None:
                types = partial(household_types, spec.name, households, sources, progress)
                found[spec.name] = self._cache.made(key, types)
        made = {name: each.column for name, each in found.items()}
        return replace(microdata, columns={**microdata.columns, **made}), found

    def labels_of_derived(
        self,
        made: Mapping[str, Composition | ValueSets],
        recodings: Mapping[str, Recoding],
        labels: Mapping[str, dict[str, str]],
    ) -> dict[str, dict[str, str]]:
        """What sets and households of each type consist of (`labels`); of what is recoded, as recodes label others."""
        found = dict(labels)
        for name in labels.keys() & recodings.keys():
            kept = {code: label for code, label in labels[name].items() if code in recodings[name].column.codes}
            found[name] = kept | default_labels(made[name].column, recodings[name], labels[name])
        return found

    def labels(
        self, metadata: Metadata, recodings: Mapping[str, Recoding], microdata: Microdata
    ) -> tuple[dict[str, dict[str, str]], tuple[Notice, ...]]:
        """Labels of codes after recoding, by variable, and what is to be said of them."""
        described = metadata.variables
        own = tuple((v.name, v.missing, v.labels, v.codelist, self._inputs.small(v.codelist)) for v in described)
        new = tuple((n, r.codelist, self._inputs.small(r.codelist), r) for n, r in recodings.items())

        def make() -> tuple[dict[str, dict[str, str]], tuple[Notice, ...]]:
            self._inputs.check_unchanged(*(each[3] for each in own), *(each[1] for each in new))
            return labels_with_notices(metadata, recodings, microdata.columns)

        return self._cache.made(("labels", own, new), make)
