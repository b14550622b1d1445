"""What a released code tells whoever knows how frequent codes are in a part of the file: P(true | released) there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

_BLOCK = 1 << 21
"""Probabilities that are held at a time."""


@dataclass(frozen=True, eq=False)
class Links:
    """By which probabilities the released codes of a file follow from the true ones.

    Attributes
    ----------
    records : (r,) those with a code, ascending
    stratum : (r,) which matrix is theirs
    before, after : (r,) true and released code
    codes : of each stratum those that its matrix is of, ascending
    matrices : rows true codes, columns released ones
    strata : what each stratum is called, by codes
    """

    records: Ints
    stratum: Ints
    before: Ints
    after: Ints
    codes: Sequence[NDArray[np.int64]]
    matrices: Sequence[Floats]
    strata: Sequence[tuple[str, ...]] = ()


def true_given_known(links: Links, known: Ints, recoded: Ints | None = None) -> Floats:
    """(r,) P(the released code is the true one) for whoever knows the matrix, and how frequent codes are in a part.

    In the part c of a stratum with t_c(i) records of code i it is t_c(j) R_jj / Σ_i t_c(i) R_ij for a released code j:
    Bayes' rule, record by record. Of codes that are recoded afterwards, to g(j), it is the probability that the true
    code is recoded to the same: Σ_i t_c(i) Σ_j R_ij, both recoded to it, over Σ_i t_c(i) Σ_j R_ij of all i.

    Parameters
    ----------
    known : (n,) from 0, the part that each record of the file is in, by what is known of it
    recoded : by code what it is recoded to, from 0; None: each is released as it is
    """
    from scipy.sparse import csr_array

    found = np.zeros(len(links.records))
    parts = known[links.records].astype(np.int64)
    order = np.lexsort((parts, links.stratum))
    ends = np.cumsum(np.bincount(links.stratum, minlength=len(links.codes)))
    for codes, matrix, own in zip(links.codes, links.matrices, np.split(order, ends[:-1]), strict=True):
        part = np.unique(parts[own], return_inverse=True)[1]
        before, after = (np.searchsorted(codes, each[own]) for each in (links.before, links.after))
        size = int(part.max(initial=-1)) + 1
        counts = csr_array((np.ones(len(own)), (part, before)), shape=(size, len(codes)))
        to = np.arange(len(codes)) if recoded is None else np.unique(recoded[codes], return_inverse=True)[1]
        same = np.equal.outer(to, np.arange(int(to.max(initial=-1)) + 1)).astype(np.float64)
        becomes = matrix if recoded is None else matrix @ same
        step = max(_BLOCK // max(len(codes), 1), 1)
        for begin in range(0, size, step):
            there = counts[begin : begin + step].toarray()
            released, true = there @ becomes, there @ (becomes * same)
            low, high = np.searchsorted(part, [begin, begin + step])
            row, code = part[low:high] - begin, to[after[low:high]]
            found[own[low:high]] = true[row, code] / released[row, code]
    return found
