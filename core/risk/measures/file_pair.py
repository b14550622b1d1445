"""What a measure of two files is given: the original and a released file, record by record."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark
from ...recipe.declared import Parameter

RELEASED = (
    Parameter(
        "released",
        "file",
        mark(
            "The released file, described by itself or by the .rds or .rda of the same name beside it; where it is not "
            "said, what this recipe itself makes of the original."
        ),
    ),
    Parameter(
        "by",
        "choice",
        mark("How its records are known: they stand in the order of the original, or have the same identifier."),
        default="position",
        choices=("position", "identifier"),
    ),
    Parameter(
        "identifier",
        "variables",
        mark("The variables of both files that say together who a record is; else the one direct identifier."),
        only_with=("by", "identifier"),
        as_read=True,
        apart=True,
    ),
    Parameter(
        "missing_rule",
        "choice",
        mark("observed: records are compared in what both have; listwise: incomplete ones are left out."),
        default="observed",
        choices=("observed", "listwise"),
    ),
)
"""Which released file, and which of its records is whose."""


@dataclass(frozen=True, eq=False)
class FilePair:
    """The original, of n records, and a released file, of m.

    Attributes
    ----------
    original, released : (n, p) and (m, p) float64, the numbers of the variables, nan where missing
    place : (n,) int64, the released record of each original one, -1 where there is none
    sha256 : of the released file, hexadecimal; empty where it is what the recipe makes
    original_codes, released_codes : (n,) and (m,) uint32 by variable that is no number, numbered together, the
        number of codes where missing
    cards : by such a variable the number of codes
    """

    original: NDArray[np.float64]
    released: NDArray[np.float64]
    place: NDArray[np.int64]
    sha256: str
    original_codes: Mapping[str, NDArray[np.uint32]]
    released_codes: Mapping[str, NDArray[np.uint32]]
    cards: Mapping[str, int]

    @property
    def figures(self) -> dict[str, str]:
        """What the summary says of the released file."""
        return {"released_sha256": self.sha256} if self.sha256 else {}


class RecordFiles(Protocol):
    """Reads the variables of a measure of records."""

    @property
    def variables(self) -> tuple[str, ...]:
        """Their names, in the order of the recipe."""

    @property
    def numeric(self) -> frozenset[str]:
        """Those that are declared numbers."""

    def numbers(self) -> NDArray[np.float64]:
        """The variables in the original, (n, p), nan where missing."""

    def pair(self, categories: Collection[str] = ()) -> FilePair:
        """The original and the released file; `categories` are compared by their codes, after recoding."""
