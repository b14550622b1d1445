"""Labels of codes, before and after recoding."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from ..base.errors import MetadataError, Notice
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..data.variables import Metadata, Variable
from ..formats.argus.codelist import read_codelist_with_notices
from .labels_made import default_labels
from .recoding import Recoding

_NONE: Mapping[str, EncodedColumn] = MappingProxyType({})


def labels(
    metadata: Metadata, recodings: Mapping[str, Recoding], columns: Mapping[str, EncodedColumn] = _NONE
) -> dict[str, dict[str, str]]:
    """Labels by variable and code. See `labels_with_notices`."""
    return labels_with_notices(metadata, recodings, columns)[0]


def labels_with_notices(
    metadata: Metadata, recodings: Mapping[str, Recoding], columns: Mapping[str, EncodedColumn] = _NONE
) -> tuple[dict[str, dict[str, str]], tuple[Notice, ...]]:
    """Labels by variable and code, and what was wrong with codelists; a codelist that cannot be read has no labels.

    A recoded variable has the labels of the recode's codelist. Where the recode names none, codes that kept their
    meaning (untouched and not merged, and missing codes that stayed) keep their label; new codes have those of
    `default_labels` if `columns` has the variable as it was before recoding.
    """
    found: dict[str, dict[str, str]] = {}
    notices: list[Notice] = []
    for variable in metadata.variables:
        recoding = recodings.get(variable.name)
        path = recoding.codelist if recoding and recoding.codelist else variable.codelist
        if path is None and not variable.labels and recoding is None:
            continue
        codelist = dict(variable.labels) if path is None else _read(path, variable.name, notices)
        if recoding and not recoding.codelist:
            before = columns.get(variable.name)
            kept = _unchanged(recoding, variable, before)
            made = default_labels(before, recoding, codelist, variable.missing_ranges) if before is not None else {}
            codelist = {code: label for code, label in codelist.items() if code in kept} | made
        if path is None and not variable.labels and not codelist:
            continue
        found[variable.name] = codelist
    return found, tuple(notices)


def _read(path: Path, variable: str, notices: list[Notice]) -> dict[str, str]:
    try:
        codelist, said = read_codelist_with_notices(path)
    except MetadataError as error:
        notices.append(
            Notice.of(
                "codelist-unreadable",
                mark("The codelist of {variable} cannot be used, its labels stay blank: {reason}"),
                mark("The codelist of {variable} cannot be used, its labels stay blank."),
                where=variable,
                variable=variable,
                reason=error.sentence,
            )
        )
        return {}
    notices.extend(said)
    return codelist


def _unchanged(recoding: Recoding, variable: Variable, before: EncodedColumn | None) -> set[str]:
    kept = set(recoding.untouched) - set(recoding.merged) - set(recoding.lost)
    # By nature (Stata's .a) or by a range, codes are missing that the variable itself does not list.
    were = {*variable.missing, *(before.missing_codes if before is not None else ())}
    return kept | were.intersection(recoding.column.missing_codes)
