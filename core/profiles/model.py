"""A release profile as it is in memory, and what a check finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.times import Times

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class ProfileRule:
    """One rule of a profile.

    Attributes
    ----------
    name : of the check, as registered
    parameters : as used, defaults included
    sentence : the office's own words for the rule; empty: those of the check
    line : of the profile's file where it begins
    """

    name: str
    parameters: Mapping[str, Any]
    sentence: str = ""
    line: int = 0


@dataclass(frozen=True)
class ReleaseProfile:
    """Rules for a safe file, and where they are from."""

    path: Path
    name: str
    checks: tuple[ProfileRule, ...]
    description: str = ""
    source: str = ""


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a check found.

    Attributes
    ----------
    holds : whether the file keeps the rule
    records : how many are behind it where it does not
    flagged : (n,) bool, which, in the original's order; None where the rule is not about records
    told : what is in the way, in words, without codes of persons; empty where nothing is
    """

    holds: bool
    records: int = 0
    flagged: Flags | None = field(default=None, repr=False)
    told: str = ""

    @classmethod
    def of(cls, flagged: Flags, told: str = "", records_of_rows: NDArray[np.int64] | None = None) -> Judgement:
        """A rule that each record keeps or breaks.

        `records_of_rows` : how many records each row stands for, (n,); None: one each.
        """
        records = Times(records_of_rows).count(flagged)
        return cls(not records, records, flagged if records else None, told if records else "")

    @classmethod
    def of_file(cls, holds: bool, records: int, told: str = "") -> Judgement:
        """A rule that the file of so many records keeps or breaks as a whole."""
        return cls(holds, 0 if holds else records, None, "" if holds else told)
