"""What is said where not all margins of the tables are counted, because there are very many."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..base.errors import Notice
from ..base.texts import plural
from ..tables.margins import SECONDS, Overview


def margins_left_out(overview: Overview) -> Iterator[Notice]:
    """A warning where unsafe combinations of the largest dimensions are not counted."""
    if overview.is_whole:
        return
    yield Notice.of(
        "margins-left-out",
        plural(
            minutes(overview),
            (
                "Unsafe combinations are counted for up to {counted} of {dimensions} key variables. The larger "
                "marginal tables would take about {count} minute. Risks and suppressions do not depend on them. To "
                "count them all, choose fewer key variables for a combination."
            ),
            (
                "Unsafe combinations are counted for up to {counted} of {dimensions} key variables. The larger "
                "marginal tables would take about {count} minutes. Risks and suppressions do not depend on them. To "
                "count them all, choose fewer key variables for a combination."
            ),
        ),
        counted=overview.counted,
        dimensions=overview.dimensions,
        count=minutes(overview),
    )


def minutes(overview: Overview) -> int:
    """About how long counting the rest takes; at least one."""
    return max(1, math.ceil(overview.work * SECONDS / 60))
