"""One ``[[recodes]]`` entry of a recipe carried out on its column."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..base.errors import Notice, RecipeError
from ..base.texts import mark, translate
from ..data.columns import EncodedColumn
from ..data.variables import Variable
from ..formats.argus.recode_scheme import Scheme, parse_scheme, read_scheme
from ..formats.argus.text_files import find_beside
from ..recipe.model import Recode
from .recoding import Recoding
from .scheme import apply_scheme
from .truncate import truncate


def recode(column: EncodedColumn, spec: Recode, variable: Variable) -> Recoding:
    """Recode a column of original codes as `spec` says.

    Missing codes and codelist of `spec` replace those of its scheme. A codelist named in a scheme file is looked
    for in the folder of that file; one named in an inline scheme beside the variable's own codelist.

    Parameters
    ----------
    column : EncodedColumn
        The variable as read from the file.
    spec : Recode
        With exactly one of `scheme_file`, `scheme` and `truncate`.
    variable : Variable
        Its metadata.

    Raises
    ------
    MetadataError
        The scheme cannot be read: names file or variable, line and position.
    RecipeError
        The recode does not fit the variable; likewise.
    """
    given = [spec.scheme_file is not None, spec.scheme is not None, spec.truncate is not None]
    if sum(given) != 1:
        raise RecipeError(
            "recode-kind",
            mark("The recode of {variable} must say exactly one of scheme_file, scheme and truncate."),
            mark("Keep one of them."),
            variable=spec.variable,
        )
    if spec.truncate is not None:
        return _truncated(column, spec, variable, spec.truncate)
    if spec.scheme_file is not None:
        scheme = read_scheme(spec.scheme_file)
    else:
        scheme = parse_scheme(spec.scheme or "", translate("Recode of {variable}").format(variable=variable.name))
    recoding = apply_scheme(column, scheme, spec.missing, fixed=variable.start > 0)
    codelist = spec.codelist or _codelist_of_scheme(spec, scheme, variable)
    if codelist is None and scheme.codelist is not None:
        recoding = replace(recoding, warnings=(*recoding.warnings, _unplaced(variable, scheme.codelist)))
    return replace(recoding, codelist=codelist)


def _unplaced(variable: Variable, name: str) -> Notice:
    return Notice.of(
        "codelist-not-found",
        mark("The recode of {variable} names the codelist {file}, which is not found; its labels stay blank."),
        where=variable.name,
        variable=variable.name,
        file=name,
    )


def _truncated(column: EncodedColumn, spec: Recode, variable: Variable, digits: int) -> Recoding:
    recoding = truncate(column, digits, spec.missing)
    not_allowed = Notice.of(
        "truncate-not-marked",
        mark("{variable} is truncated, though its metadata does not say that truncation makes sense."),
        where=variable.name,
        variable=variable.name,
    )
    warnings = () if variable.truncable else (not_allowed,)
    return replace(recoding, codelist=spec.codelist, warnings=warnings)


def _codelist_of_scheme(spec: Recode, scheme: Scheme, variable: Variable) -> Path | None:
    if scheme.codelist is None:
        return None
    beside = spec.scheme_file or variable.codelist
    if beside is not None:
        return find_beside(beside.absolute().parent, scheme.codelist)
    path = Path(scheme.codelist)
    return path if path.is_absolute() else None  # never one that happens to lie in the working folder
