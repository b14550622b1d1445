"""What somebody finds in the safe file who looks for the people of a register."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress

Codes = Sequence[NDArray[np.uint32]]


@dataclass(frozen=True, eq=False)
class Targets:
    """A register of t people beside the safe file of n records, on p variables.

    Attributes
    ----------
    codes, released : p arrays (t,) and (n,) uint32 numbered together, the number of codes where missing
    cards : p numbers of codes
    of_target : (t,) int64, the record of each person, -1 of who is not in the file; None where nobody knows
    sha256 : of the register, hexadecimal
    """

    codes: Codes
    released: Codes
    cards: Sequence[int]
    of_target: NDArray[np.int64] | None
    sha256: str

    def found(self, progress: Progress = SILENT) -> dict[str, int | float | str]:
        """Who fits whom, wherever both have a value, and who is right where that is known."""
        from ..linkage.agreement import LinkageKeys
        from .matching import matching_keys

        people = LinkageKeys.of(self.codes, self.cards, progress)
        records = LinkageKeys.of(self.released, self.cards, progress)
        fitting = matching_keys(people, records, progress).fitting
        chance = np.where(fitting > 0, 1.0 / np.maximum(fitting, 1), 0.0)
        figures: dict[str, int | float | str] = {
            "targets": len(fitting),
            "fit_none": int(np.count_nonzero(fitting == 0)),
            "fit_one": int(np.count_nonzero(fitting == 1)),
            "one_target": int(np.count_nonzero(matching_keys(records, people, progress).fitting == 1)),
        }
        if self.of_target is None:
            return figures | {"right_if_there": float(chance.sum()), "targets_sha256": self.sha256}
        theirs = self._fits_own(self.of_target)
        return figures | {
            "in_file": int(np.count_nonzero(self.of_target >= 0)),
            "right": float(chance[theirs].sum()),
            "right_unique": int(np.count_nonzero(theirs & (fitting == 1))),
            "wrong_unique": int(np.count_nonzero(~theirs & (fitting == 1))),
            "targets_sha256": self.sha256,
        }

    def _fits_own(self, of_target: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the record of each person is in the file and fits."""
        fits = of_target >= 0
        for mine, theirs, card in zip(self.codes, self.released, self.cards, strict=True):
            own = theirs[np.maximum(of_target, 0)]
            fits &= (mine == own) | (mine >= card) | (own >= card)
        return fits
