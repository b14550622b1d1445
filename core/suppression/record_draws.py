"""Which records of a cell lose values: each record has a number, drawn by a secret from its values alone.

The number is HMAC-SHA-256(secret; purpose; values; m), of which the first eight bytes are taken. The purpose names the
variables of the combination; m = 1, 2, ... numbers records of equal values, in the order of the file, so that they are
drawn one by one. Nothing of the file's bytes, format or order decides, and who does not know the secret cannot tell
which of the records that could have lost a value is the likelier one [method: The same again].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress

Ints = NDArray[np.int64]
Numbers = NDArray[np.uint64]

START = np.uint64(0x243F6A8885A308D3)
"""The digest of no values."""
LANES = 4
"""Sums of eight bytes of which the digest of a file is made."""
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_BLOCK = 64  # bytes of a block of SHA-256
_CHECK = 1 << 14
"""Numbers that are drawn between two looks at whether to go on."""


class RecordDraw(Protocol):
    """Gives records the numbers by which they are drawn; equal ones give the same numbers."""

    def numbers(
        self, records: Ints, units: NDArray[np.integer[Any]], variables: Sequence[str], progress: Progress = SILENT
    ) -> Numbers:
        """The number of each of some records, (a,) uint64.

        Parameters
        ----------
        records : (a,) their places in the file, ascending
        units : (a,) the set of equivalent records that each is drawn from
        variables : of the combination that they are drawn for
        """


@dataclass(frozen=True)
class DrawnByPlace:
    """Numbers that follow from a seed and the places of the records, where nothing of their values is known."""

    seed: int = 1

    def numbers(
        self, records: Ints, units: NDArray[np.integer[Any]], variables: Sequence[str], progress: Progress = SILENT
    ) -> Numbers:
        """As of `RecordDraw`."""
        places = int(records.max(initial=-1)) + 1
        found: Numbers = np.random.default_rng(self.seed).permutation(places)[records].astype(np.uint64)
        return found


@dataclass(frozen=True)
class DrawSource:
    """What a recipe's draws follow from.

    Attributes
    ----------
    secret : 32 hexadecimal digits; None: the `seed` and the values of the variables `known_inside` stand for it
    released : variables of the safe file, by name; the values of these are a record's
    known_inside : key variables, and all variables that are not released, by name
    """

    secret: str | None
    seed: int
    released: tuple[str, ...]
    known_inside: tuple[str, ...]

    def key(self, digest: Numbers | None = None) -> bytes:
        """The secret; without one it is made of the seed and of `digest`, that of the variables `known_inside`."""
        if self.secret is not None:
            return bytes.fromhex(self.secret)
        assert digest is not None, "the caller has read the variables"
        said = b"%d\0" % self.seed + digest.astype("<u8").tobytes()
        return sha256(said).digest()


def purpose_of(variables: Sequence[str], what: str = "lender") -> bytes:
    """What numbers are drawn for."""
    return b"".join(len(each).to_bytes(4, "little") + each for each in map(str.encode, (what, *variables)))


def folded(digests: Numbers, values: Numbers) -> Numbers:
    """Digests of records (n,) with one more value of each, (n,); the order of values counts."""
    return mixed(digests * _STEP ^ values)


def mixed(numbers: Numbers) -> Numbers:
    """Numbers (n,) spread over all of their range, one to one (the last steps of SplitMix64)."""
    found = (numbers ^ (numbers >> np.uint64(30))) * _FIRST
    found = (found ^ (found >> np.uint64(27))) * _SECOND
    return np.asarray(found ^ (found >> np.uint64(31)), np.uint64)


def file_digest(digests: Numbers) -> Numbers:
    """The digest of a file by those of its records, (LANES,) uint64, whatever their order; those of parts add up."""
    starts = np.arange(1, LANES + 1, dtype=np.uint64) * _STEP
    return np.array([mixed(digests + start).sum() for start in starts], np.uint64)


def of_units(digests: Numbers, units: NDArray[np.integer[Any]]) -> Numbers:
    """One number for the digest of each record and the unit that it is drawn from, (a,)."""
    return mixed(digests ^ mixed(units.astype(np.uint64) + _STEP))


def occurrences(known: Numbers) -> Ints:
    """Of each of some records (a,), in the order of the file, the how manieth of its number `known` it is, from 1."""
    order = np.argsort(known, kind="stable")
    begins = np.ones(len(order), np.bool_)
    begins[1:] = known[order][1:] != known[order][:-1]
    first = np.flatnonzero(begins)
    found = np.empty(len(order), np.int64)
    found[order] = np.arange(1, len(order) + 1) - np.repeat(first, np.diff(np.append(first, len(order))))
    return found


def drawn_numbers(
    key: bytes, variables: Sequence[str], digests: Numbers, times: Ints, progress: Progress = SILENT
) -> Numbers:
    """The numbers of records with the `digests` of their values, (a,), and their `occurrences`, (a,)."""
    padded = key.ljust(_BLOCK, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + purpose_of(variables))
    outer = sha256(bytes(byte ^ 0x5C for byte in padded))
    said = np.stack([digests.astype("<u8"), times.astype("<u8")], axis=1).tobytes()
    found = bytearray()
    for begin in range(0, len(said), 16 * _CHECK):
        progress.check()
        for at in range(begin, min(begin + 16 * _CHECK, len(said)), 16):
            inside, outside = inner.copy(), outer.copy()
            inside.update(said[at : at + 16])
            outside.update(inside.digest())
            found += outside.digest()[:8]
    return np.frombuffer(bytes(found), "<u8").astype(np.uint64)


def in_drawn_order(numbers: Numbers, units: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """The places of records (a,), unit by unit, in each in the order in which they are drawn."""
    return np.lexsort((numbers, units))  # of equal numbers the first in the file comes first
