"""What can be warned of before a plan is made: it follows from the tables alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..base.errors import Notice
from ..base.one_in import tries
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..results.households import members_apart
from ..results.results import Results
from ..results.second_opinions import TableEstimate
from ..risk.individual import is_unsafe
from .direct_identifiers import direct_identifiers
from .perturbed import of_perturbed
from .perturbed_values import of_perturbed_values
from .second_opinion import second_opinion_notices
from .unassessed import UNJUDGED, unjudged_keys
from .unwieldy_keys import unwieldy_keys


def early_warnings(
    derived: Results, opinions: Mapping[int, TableEstimate], progress: Progress = SILENT
) -> tuple[Notice, ...]:
    """In the order of the work: keys, how they are judged, what else is released. `opinions`: those at hand."""
    keys = [name for combination in derived.recipe.combinations for name in combination.variables]
    found = (*unwieldy_keys(derived, keys, progress), *unjudged_keys(derived), *_unjudged_households(derived))
    found += (*of_perturbed(derived.recipe, derived.metadata), *of_perturbed_values(derived))
    return (*found, *second_opinion_notices(derived, opinions), *direct_identifiers(derived, progress))


def _unjudged_households(derived: Results) -> Iterator[Notice]:
    """Every risk table by whose threshold of the individual risk a household would be unsafe, if it were asked."""
    if members_apart(derived.recipe):
        return
    for table in derived.risk_tables:
        if table.threshold is None or table.household is None or table.household.asked:
            continue
        largest = float(np.nanmax(table.household.risk, initial=0.0))
        if is_unsafe(np.array([largest]), table.threshold)[0]:
            yield Notice.of(
                UNJUDGED,
                mark(
                    "Households are not judged by {combination}: users of the safe file will see who lives together, "
                    "and the largest household risk is 1 in {tries} before suppression; the threshold "
                    "{threshold:.6g} is one of the individual risk."
                ),
                combination=" x ".join(table.combination.variables),
                tries=tries(largest),
                threshold=table.threshold,
            )
