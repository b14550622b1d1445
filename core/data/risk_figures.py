"""The figures of risk of one state of a file: plain values, the same from calculation to report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RiskFigures:
    """Risk of the records of a file, or of its households, by one combination.

    Attributes
    ----------
    max_risk : largest risk, in (0, 1]
    expected : expected number of re-identified records; of households their risks, each counted once a member
    rate : `expected` as a share of the records, a fraction
    unsafe : records at or above the threshold; of households the unsafe records of unsafe households; None: not asked
    households, unsafe_households : numbers of households; None for records
    """

    max_risk: float
    expected: float
    rate: float
    unsafe: int | None = None
    households: int | None = None
    unsafe_households: int | None = None


@dataclass(frozen=True)
class TableState:
    """One combination in one state of the file: the original, after recoding, or the safe file.

    Attributes
    ----------
    individual, household : risk of records and of households; None where none of them has one
    unsafe : records that are unsafe, as the combination's model and all its thresholds say; None: not counted
    cells : number of distinct keys
    sample_uniques : records with f = 1
    violations : (k, records whose sample frequency is below k), for each k of a profile
    histogram : records in classes of risk
    """

    individual: RiskFigures | None = None
    household: RiskFigures | None = None
    unsafe: int | None = None
    cells: int | None = None
    sample_uniques: int | None = None
    violations: tuple[tuple[int, int], ...] = ()
    histogram: tuple[int, ...] = ()
