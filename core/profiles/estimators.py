"""Names of the estimators in sentences."""

from __future__ import annotations

from ..base.texts import mark
from ..base.texts import translate as _

_ESTIMATORS = {
    "exact": mark("the individual risk"),
    "truncated": mark("the truncated individual risk"),
    "calibrated": mark("the population model"),
    "log-linear": mark("the log-linear population model"),
    "plug-in": mark("the plug-in risk 1/F"),
}


def estimator_words(estimator: str, weighted: bool) -> str:
    """An estimator in a sentence; of a file without weights what its risk is then."""
    if not weighted and estimator in ("exact", "truncated", "plug-in"):
        return _("the sample frequency (risk 1/f)")
    return _(_ESTIMATORS.get(estimator, estimator))
