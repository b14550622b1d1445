"""Text files of both kinds: what was read held against the naive twin, and written back."""

from __future__ import annotations

import io
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import Microdata
from core.formats import registry
from core.formats.text.writing import FieldEdit, Rewrite
from tests import naive_io as naive


def check_columns(read: Microdata, records: list[tuple[int, dict[str, bytes]]]) -> None:
    for name, column in read.columns.items():
        variable = read.metadata[name]
        found = naive.codes(records, variable)
        forms = naive.forms(records, variable, column.width, fixed=read.metadata.format == "fixed")
        assert list(column.codes) == naive.codelist(forms, variable)
        assert tuple(column.padded) == tuple(forms[code] for code in column.codes)
        assert [column.codes[i] for i in column.values] == found
        assert column.counts.tolist() == [found.count(code) for code in column.codes]
        assert column.n_missing_codes == len(variable.missing)
        assert not column.values.flags.writeable


def check_weights(read: Microdata, expected: list[Decimal]) -> None:
    assert read.weights is not None
    for i, value in enumerate(expected):
        limbs = zip(read.weights.limbs, read.weights.decimals, strict=True)
        assert sum(Decimal(int(limb[i])).scaleb(-places) for limb, places in limbs) == value


def written(
    read: Microdata,
    edits: dict[str, FieldEdit],
    removed: tuple[str, ...] = (),
    order: NDArray[np.integer] | None = None,
    progress: Progress = SILENT,
) -> bytes:
    """The safe file of what was read."""
    layout = registry.safe_layout(read.metadata, edits, frozenset(removed))
    registry.write(Rewrite(read.source, read.metadata, edits, layout, order), out := io.BytesIO(), progress)
    return out.getvalue()
