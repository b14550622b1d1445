"""What a newly missing value costs, by criterion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.model import Criterion


def entropy(column: EncodedColumn) -> float:
    """Entropy in bits of the codes of the records that have a value.

    Returns
    -------
    float
        ``-sum_x (f(x)/N) log2(f(x)/N)`` over the valid codes, N the records with a value; 0 where N is 0.
    """
    counts = [int(count) for count in column.counts[: column.n_valid] if count > 0]
    total = sum(counts)
    return -math.fsum(count / total * math.log2(count / total) for count in counts) + 0.0


@dataclass(frozen=True)
class Costs:
    """The cost of one newly missing value of each variable.

    Attributes
    ----------
    criterion : "entropy" or "weights"
    weights : suppression weight by variable, 0 (first to go) to 100 (last)
    entropies : entropy in bits by variable, after recoding
    """

    criterion: Criterion
    weights: Mapping[str, float]
    entropies: Mapping[str, float]

    @classmethod
    def of(
        cls,
        criterion: Criterion,
        columns: Iterable[EncodedColumn],
        metadata: Metadata,
        free: frozenset[str] = frozenset(),
    ) -> Costs:
        """Costs of `columns` (after recoding), with the suppression weights of `metadata`; the `free` cost nothing."""
        columns = tuple(columns)
        weights = {
            column.name: float(metadata[column.name].suppression_weight) if column.name in metadata else 50.0
            for column in columns
        }
        entropies = {column.name: 0.0 if column.name in free else entropy(column) for column in columns}
        return cls(criterion, weights | dict.fromkeys(free, 0.0), entropies)

    def __getitem__(self, name: str) -> float:
        return self.weights[name] if self.criterion == "weights" else self.entropies[name]

    def loss(self, counts: Mapping[str, int]) -> float:
        """Loss of so many newly missing values by variable; correctly rounded, so the order is of no matter."""
        return math.fsum(self[name] * count for name, count in counts.items())

    def entropy_loss(self, counts: Mapping[str, int]) -> float:
        """The same by entropy, whatever the criterion."""
        return math.fsum(self.entropies[name] * count for name, count in counts.items())
