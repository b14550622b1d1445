"""The hierarchy of a key: its codings from fine to coarse, down to leaving it out."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ...recipe.model import Recode
from ...recoding.labels import labels
from ...results.households import variable_of
from ...results.results import Results
from ...results.set_keys import original_column
from ...suppression.costs import entropy
from ..coarser_codes import CoarserCodes, Kind, coarser_codes, named_by
from ..merged_tables import LEFT_OUT, Coding
from .aims import keys_of, places

LevelKind = Literal["original", "as-now", "left-out"] | Kind


@dataclass(frozen=True, eq=False)
class HierarchyLevel:
    """One coding of a key.

    Attributes
    ----------
    kind : ``original`` codes, ``as-now`` in the recipe, ``left-out``, or how the codes were made coarser
    by, column : as in `CoarserCodes`; 0 and empty for the first three kinds
    recode : of the original codes; None where there is none, or it stays as the recipe has it
    onto : (valid codes of the hierarchy's column,) int64, the category of each; all 0 where it is left out
    codes : number of categories; 0 where it is left out
    values : records with a value before recoding, and at this level
    entropy : of the categories, in bits
    lost : bits that this coding takes from the original codes, records with a value × entropy before and after
    """

    kind: LevelKind
    by: float
    column: str
    recode: Recode | None
    onto: NDArray[np.int64]
    codes: int
    values: tuple[int, int]
    entropy: float
    lost: float

    @property
    def is_left_out(self) -> bool:
        """Whether the key is not in the combination at this level."""
        return self.kind == "left-out"

    @cached_property
    def coding(self) -> Coding:
        """The level as trials take it."""
        return LEFT_OUT if self.is_left_out else Coding(self.onto, self.codes)


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The levels of a key, those that lose least first.

    Attributes
    ----------
    variable : str
    column : the codes that levels group: the original ones or, of a key that keeps its coding, those after recoding
    original : before recoding
    levels : of which the first is the column itself; one at least
    now : the level at which the recipe has it
    stays : whether it keeps the coding that the recipe gives it, unless it is left out
    """

    variable: str
    column: EncodedColumn
    original: EncodedColumn
    levels: tuple[HierarchyLevel, ...]
    now: int
    stays: bool = False

    def only(self, places: Collection[int]) -> Hierarchy:
        """The hierarchy of these levels; of none, of the present one alone."""
        kept = sorted(set(places)) or [self.now]
        now = kept.index(self.now) if self.now in kept else 0
        return replace(self, levels=tuple(self.levels[place] for place in kept), now=now)

    def refines(self) -> NDArray[np.bool_]:
        """(L, L): whether level i tells all that level j does, itself included."""
        size = len(self.levels)
        found = np.eye(size, dtype=np.bool_)
        for i, j in ((i, j) for i in range(size) for j in range(size) if i != j):
            fine, coarse = self.levels[i].coding, self.levels[j].coding
            found[i, j] = coarse is LEFT_OUT or fine.to(coarse) is not None
        return found


def hierarchies(
    derived: Results, index: int | None, others: Collection[EncodedColumn] = (), progress: Progress = SILENT
) -> tuple[Hierarchy, ...]:
    """The hierarchies of the keys of a combination or, with None, of all of them, in the order of `keys_of`.

    Levels are those of `core.whatif.coarser_codes`: codelists and beginnings of codes, truncation, bands, years, other
    columns that are constant within codes; beside them the coding that the recipe has, and leaving the key out where no
    other combination has it. Keys that are made of other variables, variables that such keys are made of, and those
    whose recode makes values missing keep the coding that they have.

    Parameters
    ----------
    index : the combination's place in the recipe; None: all combinations together
    others : columns of the file, before recoding, in which groupings of the keys are looked for
    """
    recipe, names, coded = derived.recipe, keys_of(derived.recipe, index), places(derived.recipe, index)
    made_of = {name for spec in recipe.derived for name in (spec.name, *spec.sources)}
    elsewhere = {n for place, c in enumerate(recipe.combinations) if place not in coded for n in c.variables}
    known = labels(derived.metadata, {}, {name: derived.microdata.columns[name] for name in names})
    found = []
    for name in names:
        progress.check()
        stays = name in made_of or not _keeps_values(derived, name)
        ways = () if stays else _coarser(derived, name, known.get(name, {}), others)
        leave = len(names) > 1 and name not in elsewhere
        found.append(_hierarchy(derived, name, stays, ways, leave, progress))
    return tuple(found)


def _keeps_values(derived: Results, name: str) -> bool:
    """Whether values stay values under the recipe's recode, and missing codes missing."""
    recoding, column = derived.recodings.get(name), derived.columns[name]
    if recoding is None:
        return True
    valid = recoding.lut < column.n_valid
    first = derived.microdata.columns[name].n_valid
    return bool(valid[:first].all() and not valid[first:].any())


def _coarser(
    derived: Results, name: str, known: Mapping[str, str], others: Collection[EncodedColumn]
) -> Iterator[CoarserCodes]:
    variable = variable_of(derived.recipe, derived.metadata, name)
    ways = coarser_codes(derived.microdata.columns[name], variable, known, others)
    return (named_by(way, derived.metadata) for way in ways)


def _hierarchy(
    derived: Results, name: str, stays: bool, ways: Iterator[CoarserCodes] | tuple[()], leave: bool, progress: Progress
) -> Hierarchy:  # fmt: skip
    original, present = original_column(derived, name), derived.columns[name]
    column = present if stays else original
    recoding = None if stays else derived.recodings.get(name)
    each = np.arange(column.n_valid, dtype=np.int64)
    kind: LevelKind = "as-now" if stays and name in derived.recodings else "original"
    levels = [_level(original, column, kind, each)]
    if recoding is not None:
        spec = next(each for each in derived.recipe.recodes if each.variable == name)
        onto = recoding.lut[: column.n_valid].astype(np.int64)
        levels.append(replace(_level(original, column, "as-now", onto), recode=spec))
    for way in ways:
        progress.check()
        level = _level(original, column, way.kind, way.onto)
        levels.append(replace(level, by=way.by, column=way.column, recode=way.recode))
    seen: dict[bytes, HierarchyLevel] = {}
    for level in levels:  # of two that say the same the first stays: the recipe's own
        seen.setdefault(level.onto.tobytes(), level)
    kept = sorted(seen.values(), key=lambda level: (level.lost, -level.codes))
    if leave:
        kept.append(_left_out(original, column))
    now = next((i for i, level in enumerate(kept) if level.kind == "as-now"), 0)
    if recoding is not None and kept[now].kind != "as-now":  # a recode that joins nothing, only renames
        kept[0] = replace(kept[0], recode=spec)
    return Hierarchy(name, column, original, tuple(kept), now, stays)


def _level(original: EncodedColumn, column: EncodedColumn, kind: LevelKind, onto: NDArray[np.int64]) -> HierarchyLevel:
    _, first, onto = np.unique(onto, return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    onto = number[onto]  # numbered as first met, so that equal groupings have equal numbers
    counts = np.zeros(len(first), np.int64)
    np.add.at(counts, onto, column.counts[: column.n_valid])
    own = entropy(replace(column, counts=counts, n_valid=len(counts)))
    before = int(original.counts[: original.n_valid].sum())
    after = int(counts.sum())
    lost = math.fsum((before * entropy(original), -after * own))
    return HierarchyLevel(kind, 0, "", None, onto, len(counts), (before, after), own, lost)


def _left_out(original: EncodedColumn, column: EncodedColumn) -> HierarchyLevel:
    values = int(original.counts[: original.n_valid].sum())
    lost = values * entropy(original)
    return HierarchyLevel("left-out", 0, "", None, np.zeros(column.n_valid, np.int64), 0, (values, 0), 0.0, lost)
