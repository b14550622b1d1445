"""What suppression judged by counts on the released file does not hold against: said wherever its figures are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.results.results import RemainingRisksOf, Results
from core.risk.individual import is_unsafe
from core.suppression.plan import Plan

MATCHES_ANYTHING = "blanks-match-anything"
"""Id of the warning."""


def matches_anything(
    derived: Results, plan: Plan, original: RemainingRisksOf, progress: Progress = SILENT
) -> Iterator[Notice]:
    """One warning for each risk table with unsafe records; `original`: risks by what is left, in the original file."""
    for table in derived.risk_tables:
        unsafe = table.cell_index.spread(is_unsafe(table.risk, table.threshold))
        if not unsafe.any():
            continue
        touched = np.zeros(derived.records, np.bool_)
        for name in table.combination.variables:
            if name in plan.suppressed:
                touched |= plan.suppressed[name]
        risk = original(table, progress).risk
        yield Notice.of(
            MATCHES_ANYTHING,
            mark(
                '"Blanks match anything" counts every record with blanks as if it could be anyone. Whoever knows a '
                "person's values simply takes the record that agrees on all of them: that is usually right. Of "
                "{records} records of {combination} protected this way, {whole} still carry all their key values and "
                "are as recognisable as before (risk by the original file: {risk}). Use it to compare with sdcMicro; "
                "to protect, choose to judge by the original file, by released keys, or k-anonymity with missing "
                "values as a category."
            ),
            records=int(unsafe.sum()),
            combination=" x ".join(table.combination.variables),
            whole=int((unsafe & ~touched).sum()),
            risk=float(f"{np.nanmax(risk):.4g}"),
        )
