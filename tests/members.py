"""The members of a household, one household at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.data.households import Households


def members_of(households: Households, household: int) -> NDArray[np.uint32]:
    """The records (0-based) of one household."""
    return households.members[households.starts[household] : households.starts[household + 1]]
