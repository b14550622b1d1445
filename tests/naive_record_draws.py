"""The numbers by which records are drawn, written as they are defined: one record after the other, with `hmac`."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Sequence

_RANGE = 1 << 64


def mixed(number: int) -> int:
    """The last steps of SplitMix64."""
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % _RANGE
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB % _RANGE
    return number ^ (number >> 31)


def digest(values: Sequence[int]) -> int:
    """The digest of the values of one record."""
    found = 0x243F6A8885A308D3
    for value in values:
        found = mixed(found * 0x9E3779B97F4A7C15 % _RANGE ^ value)
    return found


def numbers(key: bytes, variables: Sequence[str], digests: Sequence[int], units: Sequence[int]) -> list[int]:
    """The number of each record: HMAC-SHA-256(key; purpose; values; m)."""
    purpose = b"".join(len(name.encode()).to_bytes(4, "little") + name.encode() for name in ("lender", *variables))
    seen: Counter[tuple[int, int]] = Counter()
    found = []
    for values, unit in zip(digests, units, strict=True):
        seen[unit, values] += 1
        said = purpose + values.to_bytes(8, "little") + seen[unit, values].to_bytes(8, "little")
        found.append(int.from_bytes(hmac.digest(key, said, "sha256")[:8], "little"))
    return found
