"""k-anonymity: every released key, missing values included, occurs at least k times."""

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
class KAnonymity:
    """Of which every key has to occur `k` times."""

    variables: tuple[str, ...]
    k: int

    @classmethod
    def of(cls, combination: Combination) -> KAnonymity:
        """As a combination says it, which has been checked."""
        return cls(combination.variables, combination.k or 1)

    @property
    def is_of_size(self) -> bool:
        """It counts records."""
        return True

    @property
    def beside(self) -> tuple[str, ...]:
        """None: it counts records."""
        return ()

    def least_sizes(self, columns: Mapping[str, EncodedColumn], rows: int) -> NDArray[np.int32]:
        """`k` for every row."""
        return np.full(rows, self.k, np.int32)

    def too_rare(
        self, margins: NDArray[np.uint32], sizes: NDArray[np.int64], columns: Mapping[str, EncodedColumn]
    ) -> Flags:
        """Fewer than `k` records."""
        found: Flags = (sizes < self.k)[margins]
        return found

    def refused(self, records: int, total: int) -> ProtectionError:
        """Fewer than `k` records."""
        return ProtectionError(
            "records-stay-rare",
            mark("{records} of {total} records cannot be made k-anonymous."),
            mark("Choose a smaller k."),
            records=records,
            total=total,
        )

    def unmet(self, keys: NDArray[np.uint32], number: int, columns: Mapping[str, EncodedColumn]) -> Flags:
        """None: size is all that it asks for."""
        return np.zeros(number, np.bool_)
