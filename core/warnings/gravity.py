"""The order in which warnings are read: what stops a release before what is only to be known."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.errors import Notice
from ..results.inference import CERTAIN
from ..results.results import LEFT_BY_CHOICE
from .checklist import UNDECIDED
from .direct_identifiers import RELEASED_AS_IT_IS
from .hidden import HIDDEN
from .pattern_risk import ABOVE
from .safe_file_risk import BELOW_EXACT, OTHER_ESTIMATE
from .second_opinion import TOO_LOW
from .told_of_perturbed import TOLD
from .unassessed import KEYS_NOT_JUDGED, UNJUDGED

GIVES_AWAY = ("-gives-away", "-give-away")
"""How the ids of warnings end that say from what suppressed values can be told."""
_GRAVEST = (
    (*LEFT_BY_CHOICE, "no-combinations", KEYS_NOT_JUDGED, UNJUDGED),
    (*RELEASED_AS_IT_IS, CERTAIN, TOLD),
    (HIDDEN, OTHER_ESTIMATE, BELOW_EXACT),
    (ABOVE, TOO_LOW, "weights-look-normalised"),
    (UNDECIDED,),
)
_PLACE = {identifier: place for place, some in enumerate(_GRAVEST) for identifier in some}
_BLANKS_TOLD = 1


def gravity(identifier: str) -> int:
    """The place of a warning among others; the gravest are 0."""
    if identifier.endswith(GIVES_AWAY):
        return _BLANKS_TOLD
    return _PLACE.get(identifier, len(_GRAVEST))


def by_gravity(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """The gravest first, else in their order."""
    return tuple(sorted(notices, key=lambda notice: gravity(notice.id)))
