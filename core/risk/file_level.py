"""What several judgements of records say about the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray


def unsafe_records_by_variable(
    by_count: Mapping[str, NDArray[np.bool_]], judged: Iterable[tuple[tuple[str, ...], NDArray[np.bool_]]] = ()
) -> dict[str, int]:
    """Number of records that are unsafe in some table with each variable.

    Parameters
    ----------
    by_count : variable -> (n,) bool, records in an unsafe combination with it (``Overview.unsafe_records``)
    judged : for each table judged by risk or k: its variables, and (n,) bool, whether each record is unsafe in it

    Returns
    -------
    variable -> records unsafe by any of them, each record once
    """
    unsafe = dict(by_count)
    for variables, records in judged:
        for name in variables:
            unsafe[name] = unsafe[name] | records if name in unsafe else records
    return {name: int(np.count_nonzero(records)) for name, records in unsafe.items()}
