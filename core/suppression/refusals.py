"""Records that stay unsafe whatever is suppressed: counted over all tables before anything is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.base.errors import ProtectionError
from core.base.texts import mark

Found = TypeVar("Found")


class StayUnsafe(ProtectionError):
    """Records stay unsafe by some tables.

    Attributes
    ----------
    flags : (n,) bool, these records
    fixed : variables of the tables that may not be suppressed
    """

    flags: NDArray[np.bool_]
    fixed: tuple[str, ...]

    def about(self, flags: NDArray[np.bool_], fixed: Sequence[str]) -> StayUnsafe:
        """The same error, which says which records and variables it is about."""
        self.flags, self.fixed = flags, tuple(fixed)
        return self


def all_of(tasks: Iterable[Callable[[], Found]]) -> list[Found]:
    """What each of the tasks returns; where records stay unsafe in some, one refusal that counts those of all.

    Raises
    ------
    StayUnsafe
        After all tasks were tried.
    """
    found, refused = [], []
    for task in tasks:
        try:
            found.append(task())
        except StayUnsafe as error:
            refused.append(error)
    if refused:
        raise _together(refused)
    return found


def _together(refused: Sequence[StayUnsafe]) -> StayUnsafe:
    if len(refused) == 1:
        return refused[0]
    fixed = tuple(dict.fromkeys(name for error in refused for name in error.fixed))
    flags = np.logical_or.reduce([error.flags for error in refused])
    return StayUnsafe(
        "records-stay-unsafe" if fixed else "threshold-cannot-be-met",
        mark("{records} of {total} records stay unsafe, because {variables} may not be suppressed.")
        if fixed
        else mark("{records} of {total} records stay unsafe, even without all values that may be suppressed."),
        mark("Allow suppression of {variables}, recode more coarsely, or change counts or thresholds.")
        if fixed
        else mark("Recode more coarsely, or change counts or thresholds."),
        records=int(flags.sum()),
        total=len(flags),
        variables=", ".join(fixed),
    ).about(flags, fixed)
