"""What the safe files of alternatives lose of what they are made for: by measures that can be compared between them.

Recodes are apart: each original is recoded as its safe file is, so that a measure tells of what is suppressed and
perturbed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from ..base.progress import SILENT, Progress
from ..data.variables import Metadata
from ..recipe.analyses import variables_of_analyses
from ..recipe.model import Recipe
from ..results.perturbed_columns import changed_by
from ..utility.associations import association_matrix
from ..utility.compared import ComparedFile
from ..utility.distributions import variable_utility
from ..utility.own import Compared, keeps_goal
from ..utility.own_models import ComparedModel
from ..utility.own_tables import ComparedMeans, ComparedTable

LossMeasure = Literal["own-change", "own-largest", "overlap", "hellinger", "associations"]
LOSS_MEASURES: tuple[LossMeasure, ...] = get_args(LossMeasure)


@dataclass(frozen=True)
class UtilityLoss:
    """What a safe file loses, by measures of which 0 is nothing; those that there are not are None.

    Attributes
    ----------
    own_change, own_largest : mean and largest size of the relative changes of the counts and means of own analyses; a
        cell or a group that is lost changes by 1, one that is new takes no part
    overlap : 1 - the mean overlap of the 95 % confidence intervals of own means and coefficients (Karr et al. 2006)
    hellinger : mean Hellinger distance of the variables, 0 to 1
    associations : mean size of the change of the association of two of them
    goals : goals of own analyses that are kept, and all of them
    """

    own_change: float | None
    own_largest: float | None
    overlap: float | None
    hellinger: float | None
    associations: float | None
    goals: tuple[int, int]

    def of(self, measure: LossMeasure) -> float | None:
        """One of the measures."""
        found: float | None = getattr(self, measure.replace("-", "_"))
        return found


def names_in_common(recipes: Iterable[Recipe], metadata: Metadata) -> tuple[str, ...]:
    """The variables by which alternatives are compared: keys, what any of them changes, and what analyses name."""
    names: list[str] = []
    for recipe in recipes:
        names += [name for combination in recipe.combinations for name in combination.variables]
        names += [each.variable for each in recipe.recodes]
        names += [each.variable for each in recipe.numeric]
        names += [name for entry in recipe.perturbations for name in changed_by(entry, metadata)]
        names += variables_of_analyses(recipe)
    return tuple(dict.fromkeys(names))


def utility_loss(
    file: ComparedFile, names: Sequence[str], own: Sequence[Compared], progress: Progress = SILENT
) -> UtilityLoss:
    """The measures of the variables `names` of `file`, those that it has, and of `own` analyses."""
    here = [name for name in names if name in file.variables]
    distances = []
    for variable in file.some(here):
        progress.check()
        distances.append(variable_utility(variable, file.counted).hellinger)
    pairs = association_matrix(file, here, progress).change[np.triu_indices(len(here), 1)]
    changes, overlaps = [], []
    for each in own:
        if isinstance(each, ComparedTable | ComparedMeans):
            changes += [abs(change) for change in each.changes if change is not None]
        if isinstance(each, ComparedMeans):
            changes += [1.0 for old, new in zip(each.before, each.after, strict=True) if old and new is None]
        if isinstance(each, ComparedMeans | ComparedModel):
            overlaps += [shared for shared in each.overlaps if shared is not None]
    kept = [held for each in own if (held := keeps_goal(each)) is not None]
    mean = _mean(overlaps)
    return UtilityLoss(
        own_change=_mean(changes),
        own_largest=max(changes, default=None),
        overlap=None if mean is None else 1.0 - mean,
        hellinger=_mean(distances),
        associations=_mean(np.abs(pairs[np.isfinite(pairs)]).tolist()),
        goals=(sum(kept), len(kept)),
    )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
