"""Released variables that may say who a person is: names, addresses, numbers of persons or of records, free text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..data.encoding import frozen, smallest_type
from ..data.variables import Variable
from ..formats.preview import preview
from ..metadata.guess_use import FEW_TEXTS, MODERATE, NAMES, identifies, is_free_text
from ..metadata.profile import profile
from ..recipe.in_parts import of_first
from ..results.needed_columns import SAMPLE, hidden_variables
from ..results.results import RecodedData

RELEASED_AS_IT_IS = ("released-identifier", "released-free-text")
"""Ids of the warnings."""


def direct_identifiers(derived: RecodedData, progress: Progress = SILENT) -> tuple[Notice, ...]:
    """A warning for each released variable that looks like a direct identifier or free text.

    It is told from the first `SAMPLE` records. The weight, the household identifier and recoded variables are left out.
    The beginning of the file is enough and costs the same whatever its size: what is nearly unique there is too telling
    to go unmentioned.
    """
    data = of_first(derived.recipe.input).data
    if data is None:
        return ()
    first = preview(data, derived.metadata, SAMPLE)
    fields: Mapping[str, tuple[str, ...]] = dict(zip(first.header, zip(*first.rows, strict=False), strict=False))
    hidden = hidden_variables(derived.metadata) | derived.recodings.keys()
    found = []
    for variable in derived.metadata.variables:
        progress.check()
        if variable.name in hidden or variable.role != "other" or variable.name not in fields:
            continue
        reason = _reason(variable, fields[variable.name], derived.metadata.decimal)
        if reason is not None:
            found.append(_warning(variable.name, reason, len(first.rows)))
    return tuple(found)


def _reason(variable: Variable, texts: Sequence[str], decimal: str) -> Notice | None:
    stripped = [text.strip() for text in texts]
    different = len(set(stripped))
    if different < FEW_TEXTS:
        return None
    found = profile(_encoded(variable, stripped), decimal)
    few = different <= NAMES and different <= MODERATE * len(stripped)
    return (None if few else identifies(variable, found)) or is_free_text(variable, found)


def _encoded(variable: Variable, texts: Sequence[str]) -> EncodedColumn:
    counted = Counter(texts)
    missing = [code for code in dict.fromkeys((*variable.missing, "")) if code in counted]
    codes = (*sorted(counted.keys() - set(missing)), *missing)
    number = {code: i for i, code in enumerate(codes)}
    small = smallest_type(max(len(codes), 1))
    values: NDArray[np.unsignedinteger] = np.array([number[text] for text in texts]).astype(small)
    width = max(map(len, codes), default=1)
    counts = np.array([counted[code] for code in codes], np.int64)
    padded = tuple(code.rjust(width) for code in codes)
    return EncodedColumn(variable.name, frozen(values), codes, padded, frozen(counts), len(codes) - len(missing), width)


_WARNINGS = {
    "free-text": mark(
        "{variable} is written to the safe file unchanged and looks like free text: what people wrote may tell who "
        "they are. In the first {records} records: {reason} Leave it out in Specify Metadata, or recode it."
    ),
    "identifier-number": mark(
        "{variable} is written to the safe file. In the first {records} records: {reason} Check whether this is a "
        "number of a person; if it is, declare it a direct identifier in Specify Metadata, so that it is left out."
    ),
}
"""By what was found; else the variable looks like a direct identifier."""


def _warning(name: str, reason: Notice, records: int) -> Notice:
    text = mark(
        "{variable} is written to the safe file and looks like a direct identifier. In the first {records} "
        "records: {reason} Declare it a direct identifier in Specify Metadata, so that it is left out."
    )
    return Notice.of(
        RELEASED_AS_IT_IS[reason.id == "free-text"],
        _WARNINGS.get(reason.id, text),
        where=name,
        variable=name,
        records=records,
        reason=reason.external,  # of a released report nobody needs to learn the numbers
    )
