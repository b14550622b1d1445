"""A release profile as it is in memory, and what a check finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..data.times import Times

Flags = NDArray[np.bool_]
Level = Literal["stops", "decide", "note"]
"""What an open rule of a target does: it stops the release, is to be decided by a person, or is only to be known."""


@dataclass(frozen=True)
class ProfileRule:
    """One rule of a profile.

    Attributes
    ----------
    name : of the check, as registered
    parameters : as used, defaults included
    sentence : the office's own words for the rule; empty: those of the check
    line : of the profile's file where it begins
    level : of a target, what the rule does while it is open
    """

    name: str
    parameters: Mapping[str, Any]
    sentence: str = ""
    line: int = 0
    level: Level = "stops"


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
    number : what a person accepts, who accepts that the rule does not hold; None: nothing is counted
    about : names of the variables concerned
    is_shown : whether the file was examined; else `told` says what is missing for that
    decide : whether a person decides in any case, where the rule does not hold
    """

    holds: bool
    records: int = 0
    flagged: Flags | None = field(default=None, repr=False)
    told: str = ""
    number: int | None = None
    about: tuple[str, ...] = ()
    is_shown: bool = True
    decide: bool = False

    @classmethod
    def of(
        cls,
        flagged: Flags,
        told: str = "",
        records_of_rows: NDArray[np.int64] | None = None,
        about: tuple[str, ...] = (),
    ) -> Judgement:
        """A rule that each record keeps or breaks.

        `records_of_rows` : how many records each row stands for, (n,); None: one each.
        """
        records = Times(records_of_rows).count(flagged)
        found = flagged if records else None
        return cls(not records, records, found, told if records else "", records, about if records else ())

    @classmethod
    def of_file(
        cls, holds: bool, records: int, told: str = "", number: int | None = None, about: tuple[str, ...] = ()
    ) -> Judgement:
        """A rule that the file of so many records keeps or breaks as a whole."""
        return cls(holds, 0 if holds else records, None, "" if holds else told, number, () if holds else about)

    @classmethod
    def not_shown(cls, records: int, told: str, decide: bool = False) -> Judgement:
        """A rule of which nothing is known, of a file of so many records; `told`: what is missing."""
        return cls(False, records, None, told, is_shown=False, decide=decide)
