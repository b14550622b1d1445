"""The criteria of the whole released file, by the model of a combination."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...recipe.criteria import Model
from ...recipe.model import Combination
from .k_anonymity import KAnonymity
from .l_diversity import LDiversity
from .whole_file import WholeFileCriterion

_MADE: Mapping[Model, Callable[[Combination], WholeFileCriterion]] = {
    "k-anonymity": KAnonymity.of,
    "l-diversity": LDiversity.of,
}


def whole_file_criterion(combination: Combination) -> WholeFileCriterion:
    """The criterion by which a combination judges the whole released file."""
    return _MADE[combination.model](combination)
