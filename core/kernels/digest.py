"""Digests of fields, to tell quickly whether two files hold the same text in them."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from .declare import kernel

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SPANS = types.Array(types.int32, 1, "C", readonly=True)


@kernel(types.void(_BYTES, _SPANS, _SPANS, types.uint64[::1]))
def digest_fields(
    data: NDArray[np.uint8], starts: NDArray[np.int32], lengths: NDArray[np.int32], digests: NDArray[np.uint64]
) -> None:
    """Fold each record's field, blanks and control characters around it aside, into the record's digest (FNV-1a).

    Parameters
    ----------
    data : (size,) uint8
    starts, lengths : (n,) int32, the fields' places in `data`
    digests : (n,) uint64, changed: the digest of what came before and this field
    """
    prime = np.uint64(0x100000001B3)
    for i in range(starts.size):
        begin = starts[i]
        end = begin + lengths[i]
        while begin < end and data[begin] <= 32:
            begin += 1
        while begin < end and data[end - 1] <= 32:
            end -= 1
        digest = digests[i]
        for at in range(begin, end):
            digest = (digest ^ np.uint64(data[at])) * prime
        # no byte of a text: where one field ends and the next begins counts
        digests[i] = (digest ^ np.uint64(0x1FF)) * prime
