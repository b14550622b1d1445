"""What a criterion says that looks at the whole released file: under which keys records may stand there.

A released key with its blanks is a key of its own (missing rule ``category``). Such a criterion cannot be met record by
record: whatever one record loses changes the keys of others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...base.errors import ProtectionError
from ...data.columns import EncodedColumn

Flags = NDArray[np.bool_]


class WholeFileCriterion(Protocol):
    """A criterion that every released key of some variables has to meet; equal ones are alike in all they ask."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The key variables."""

    @property
    def is_of_size(self) -> bool:
        """Whether a key meets it as soon as it has as many records as `least_sizes` says: `unmet` is not asked then."""

    @property
    def beside(self) -> tuple[str, ...]:
        """Other variables at which it looks."""

    def least_sizes(self, columns: Mapping[str, EncodedColumn], rows: int) -> NDArray[np.int32]:
        """How many records the key of each row has to have, at least, (rows,) int32; 0 asks for nothing.

        Whatever else is asked, no smaller key can do.
        """

    def too_rare(
        self, margins: NDArray[np.uint32], sizes: NDArray[np.int64], columns: Mapping[str, EncodedColumn]
    ) -> Flags:
        """Rows whose values of some key variables stand together under no released key, (rows,) bool.

        Released records of one key agree on what they keep: besides a row there are no others under its key than those
        with the same values in the original file. Rows that do not do with all of these do with none.

        Parameters
        ----------
        margins : of each row the number of its values of these variables
        sizes : how many records have each of these values
        columns : those `beside`
        """

    def refused(self, records: int, total: int) -> ProtectionError:
        """The error of so many records of all that no released key can hold, whatever they lose."""

    def unmet(self, keys: NDArray[np.uint32], number: int, columns: Mapping[str, EncodedColumn]) -> Flags:
        """Keys that do not meet it although they are large enough, (number,) bool.

        Whether a key meets it must follow from its records, and the key of all records must meet it where any does:
        keys that do not are made larger until they do.

        Parameters
        ----------
        keys : of each row the number of its released key
        number : how many keys there are
        columns : with those `beside`
        """
