"""l-diversity: behind every released key stand at least l different values of a sensitive variable.

Distinct l-diversity [Machanavajjhala et al. 2007, section 4.1], of values that are not missing; a key behind which no
value stands gives none away, and is not judged [method: l-diversity].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.errors import ProtectionError
from ...base.texts import mark
from ...data.columns import EncodedColumn
from ...recipe.model import Combination
from .whole_file import Flags


@dataclass(frozen=True)
class LDiversity:
    """Of which every key has to have `l` different values of `sensitive`."""

    variables: tuple[str, ...]
    l: int  # noqa: E741
    sensitive: str

    @classmethod
    def of(cls, combination: Combination) -> LDiversity:
        """As a combination says it, which has been checked."""
        return cls(combination.variables, combination.l or 1, combination.sensitive or "")

    @property
    def is_of_size(self) -> bool:
        """As many records may all have one value."""
        return False

    @property
    def beside(self) -> tuple[str, ...]:
        """The sensitive variable."""
        return (self.sensitive,)

    def least_sizes(self, columns: Mapping[str, EncodedColumn], rows: int) -> NDArray[np.int32]:
        """`l` for rows with a value: as many records have as many values at most."""
        column = columns[self.sensitive]
        return np.where(column.values < column.n_valid, self.l, 0).astype(np.int32)

    def too_rare(
        self, margins: NDArray[np.uint32], sizes: NDArray[np.int64], columns: Mapping[str, EncodedColumn]
    ) -> Flags:
        """Fewer than `l` values, where the row has one; a key without any is not judged."""
        column = columns[self.sensitive]
        few = different_values(margins, len(sizes), column) < self.l
        found: Flags = few[margins] & (column.values < column.n_valid)
        return found

    def refused(self, records: int, total: int) -> ProtectionError:
        """Fewer than `l` values in all."""
        return ProtectionError(
            "records-not-diverse",
            mark("{records} of {total} records cannot stand under a key with {l} different values of {variable}."),
            mark("Choose a smaller l, or leave the combination out."),
            records=records,
            total=total,
            l=self.l,
            variable=self.sensitive,
        )

    def unmet(self, keys: NDArray[np.uint32], number: int, columns: Mapping[str, EncodedColumn]) -> Flags:
        """Keys with fewer than `l` values, but with one."""
        values = different_values(keys, number, columns[self.sensitive])
        found: Flags = (values > 0) & (values < self.l)
        return found


def different_values(keys: NDArray[np.uint32], number: int, column: EncodedColumn) -> NDArray[np.int64]:
    """How many different values that are not missing stand behind each of `number` keys, (number,).

    `keys` : of each row the number of its key
    """
    valid = np.flatnonzero(column.values < column.n_valid)
    pairs = keys[valid].astype(np.int64) * column.n_valid + column.values[valid]
    found: NDArray[np.int64] = np.bincount(np.unique(pairs) // max(column.n_valid, 1), minlength=number)
    return found
