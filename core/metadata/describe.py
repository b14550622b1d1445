"""Description of a file's variables: its metadata file or header, completed by the recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path

from ..base.errors import DataError, MetadataError, Notice, RecipeError
from ..base.texts import mark
from ..data.variables import Metadata, Variable
from ..formats.argus.rda import read_rda_with_notices
from ..formats.argus.text_files import BLANKS
from ..formats.text.layout import TextLayout, detect_encoding, detect_layout, read_beginning
from ..recipe.in_parts import of_first
from ..recipe.model import TYPED, Format, Input, VariableEdit
from .problems import all_problems

_SUFFIXES: dict[str, Format] = {
    ".asc": "fixed",
    ".dat": "fixed",
    ".fix": "fixed",
    ".csv": "delimited",
    ".tsv": "delimited",
    ".tab": "delimited",
    ".txt": "delimited",
    ".sav": "spss",
    ".zsav": "spss",
    ".dta": "stata",
    ".sas7bdat": "sas",
    ".parquet": "parquet",
    ".por": "spss",
    ".xpt": "sas",
    ".xlsx": "excel",
}
_WRITTEN_RELEASE = 117
"""What a Stata file of an earlier release is written as; the library's writer of earlier ones takes plain data only."""

MOST_VARIABLES = 32_767
"""As many as SAS takes. Each is a row of several windows and a part of the report: with three times as many the windows
do not answer for a while, and need gibibytes."""


def describe(input: Input, edits: Sequence[VariableEdit] = ()) -> Metadata:
    """Metadata of the recipe's input, verified. See `describe_unverified`.

    Raises
    ------
    MetadataError
        The first error among `problems`; or a metadata file that cannot be read.
    RecipeError
        An edit of a variable that does not exist, no data file, or a format that is not available.
    DataError
        A delimited file without metadata file that is absent, empty or not text.
    """
    metadata, _ = describe_unverified(input, edits)
    for problem in all_problems(metadata, codelists=False):
        if isinstance(problem.finding, MetadataError):
            raise problem.finding
    return metadata


def problems(metadata: Metadata) -> list[Notice | MetadataError]:
    """All errors and notices about `metadata`, errors first. With severity and field: `all_problems`."""
    return [problem.finding for problem in all_problems(metadata)]


def describe_unverified(input: Input, edits: Sequence[VariableEdit] = ()) -> tuple[Metadata, tuple[Notice, ...]]:
    """Metadata of the recipe's input as they are, contradictions included, and what reading them had to say.

    The variables are those of the metadata file, else the columns of a delimited file (categorical unless the
    recipe makes them numeric, the weight or the household identifier; empty is missing), each changed by its edit.
    With ``variables = "here"`` the edits, in order, are the whole description. How a delimited file is laid out is
    what the recipe says, else the metadata file, else what the file looks like. Of a file in parts the first is it.

    Raises
    ------
    MetadataError, RecipeError, DataError
        As `describe`, but for what `problems` finds.
    """
    input = of_first(input)
    if input.data is None:
        raise RecipeError("no-data-file", mark("The recipe names no data file."), mark("Set data in [input]."))
    read, notices = read_rda_with_notices(input.metadata) if input.metadata else (None, ())
    format = _format(input, read)
    if format in TYPED:
        return _typed(input, format, read, edits), (
            *notices,
            *_of_release(input.data, format),
            *_of_sheets(input.data, format),
        )
    layout = _layout(input, read) if format == "delimited" else None
    implied = read is None or input.variables == "here"
    if input.variables == "here":
        bases = [Variable(edit.name) for edit in edits]
    elif read is not None:
        bases = list(read.variables)
    else:
        bases = [Variable(name) for name in _columns(input, layout)]
    _check_count(input.data, len(bases))
    if implied:
        missing = ("",) if layout else ()
        bases = [replace(variable, categorical=True, missing=missing) for variable in bases]
    variables = _related(_edited(bases, edits, input, implied))
    if layout is None:
        encoding = input.encoding or _encoding(input)
        return Metadata(format, variables, header=False, encoding=encoding, decimal=input.decimal or "."), notices
    return (
        Metadata(
            format, _numbered(variables, layout), layout.delimiter, layout.header, layout.encoding, layout.decimal
        ),
        (*notices, *_named(layout)),
    )


def _typed(source: Input, format: Format, read: Metadata | None, edits: Sequence[VariableEdit]) -> Metadata:
    from .describe_typed import described

    bases, implied = described(source, format, read, [edit.name for edit in edits])
    _check_count(source.data, len(bases))
    suffix = source.data.suffix.lower() if source.data else ""
    variant = suffix[1:] if format == "spss" and suffix in (".zsav", ".por") else ""
    return Metadata(format, _related(_edited(bases, edits, source, implied)), variant=variant)


def _check_count(path: Path | None, count: int) -> None:
    if count > MOST_VARIABLES:
        raise MetadataError(
            "too-many-variables",
            mark("{file} has {count} variables; at most {most} can be described."),
            mark("Remove the variables that are not released, or divide the file by variables."),
            file=path.name if path else "",
            count=count,
            most=MOST_VARIABLES,
        )


def _of_release(path: Path, format: Format) -> tuple[Notice, ...]:
    """That a Stata file comes back in a later release of its format than it has."""
    if format != "stata":
        return ()
    from ..formats.typed.stata import release

    found = release(path)
    if not 0 < found < _WRITTEN_RELEASE:
        return ()
    text = mark(
        "{file} is in release {release} of Stata's format; a Stata file made of it is in release {written}, which "
        "Stata 13 and later read."
    )
    return (Notice.of("stata-release", text, file=path.name, release=found, written=_WRITTEN_RELEASE),)


def _of_sheets(path: Path, format: Format) -> tuple[Notice, ...]:
    """That other sheets of an Excel file are not read."""
    if format != "excel":
        return ()
    from ..formats.typed.excel import sheets

    listed = sheets(path)
    if len(listed) < 2:
        return ()
    text = mark(
        "Sheet {sheet} of {file} is read, the first of {count}; the others are not. To read another one, move it to "
        "the front in Excel, or save it as csv."
    )
    outside = mark("The first of {count} sheets is read; the others are not.")
    return (Notice.of("excel-sheets", text, outside, sheet=listed[0], file=path.name, count=len(listed)),)


def suffix_format(path: Path) -> Format | None:
    """The format that the name of a file tells; None: it tells none."""
    return _SUFFIXES.get(path.suffix.lower())


def _format(input: Input, read: Metadata | None) -> Format:
    own = suffix_format(input.data) if input.data else None
    # Of a file that names its variables itself an .rda says no more than <SPSS>, whatever its kind.
    format = input.format or (own if own in TYPED or read is None else read.format)
    if format is None:
        raise RecipeError(
            "format-unknown",
            mark("The name {file} does not tell the format of the data."),
            mark('Set format in [input], for example to "delimited", or name a metadata file.'),
            file=input.data.name if input.data else "",
        )
    return format


def _layout(input: Input, read: Metadata | None) -> TextLayout:
    if read is None or read.format != "delimited":
        return detect_layout(input)
    known = replace(
        input,
        delimiter=read.delimiter if input.delimiter is None else input.delimiter,
        header=read.header if input.header is None else input.header,
    )
    try:
        return detect_layout(known)
    except DataError:  # whoever reads the data says so; the metadata can be looked at without them
        return TextLayout(
            known.delimiter or read.delimiter,
            bool(known.header),
            input.encoding or "utf-8",
            input.decimal or ".",
            (),
        )


def _encoding(input: Input) -> str:
    try:
        return detect_encoding(read_beginning(input.data)) if input.data else "utf-8"
    except DataError:
        return "utf-8"


def _columns(input: Input, layout: TextLayout | None) -> tuple[str, ...]:
    if layout is None:
        raise MetadataError(
            "no-description",
            mark("{file} is in fixed format, and nothing describes its variables."),
            mark('Name a metadata file in [input], or describe the variables with variables = "here".'),
            file=input.data.name if input.data else "",
        )
    return layout.names


def _named(layout: TextLayout) -> tuple[Notice, ...]:
    """What is said of columns whose names are not those of the header."""
    found = []
    given = (*[""] * layout.lacking, *layout.given) if layout.header else layout.names
    for column, (there, name) in enumerate(zip(given, layout.names, strict=True), 1):
        text = mark("Column {column} has no name in the header; it is called {name} here.")
        if there:
            text = mark("The names of columns differ in case only: {given}, column {column}, is called {name} here.")
        if there != name:
            found.append(Notice.of("column-named", text, where=name, column=column, name=name, given=there))
    return tuple(found)


def _edited(bases: list[Variable], edits: Sequence[VariableEdit], input: Input, implied: bool) -> tuple[Variable, ...]:
    names = [variable.name for variable in bases]
    by_name = {edit.name: edit for edit in edits}
    for name in by_name:
        if name not in names:
            raise _unknown(name, names, input)
    return tuple(with_edit(base, by_name[base.name], implied) if base.name in by_name else base for base in bases)


def _unknown(name: str, names: list[str], input: Input) -> RecipeError:
    folded = {other.casefold(): other for other in names}
    near = [folded[found] for found in get_close_matches(name.casefold(), list(folded), n=1)]
    described = input.metadata or input.data
    return RecipeError(
        "unknown-variable",
        mark("[variables.{variable}]: there is no variable of that name in {file}."),
        mark("Is {near} meant?") if near else mark("Correct the name, or remove the table."),
        variable=name,
        file=described.name if described else "",
        near=near[0] if near else "",
    )


def with_edit(variable: Variable, edit: VariableEdit, implied: bool) -> Variable:
    """The variable as the recipe's edit makes it; `implied` where no metadata file says what it is."""
    changes = {
        field.name: getattr(edit, field.name)
        for field in fields(edit)
        if field.name != "name" and getattr(edit, field.name) is not None
    }
    if edit.missing is not None:
        changes["missing"] = tuple(dict.fromkeys(code.strip(BLANKS) for code in edit.missing))
    if edit.role == "weight":
        changes.setdefault("numeric", True)
    if edit.role in ("weight", "household-id") or (edit.numeric and implied):
        changes.setdefault("categorical", False)
    return replace(variable, **changes)


def _related(variables: tuple[Variable, ...]) -> tuple[Variable, ...]:
    names = {variable.name.casefold(): variable.name for variable in reversed(variables)}
    return tuple(
        replace(v, related=names.get(v.related.casefold(), v.related) or None) if v.related is not None else v
        for v in variables
    )


def _numbered(variables: tuple[Variable, ...], layout: TextLayout) -> tuple[Variable, ...]:
    if not layout.header:
        return tuple(replace(v, column=v.column or position) for position, v in enumerate(variables, start=1))
    columns = {name: column for column, name in reversed(list(enumerate(layout.given, start=1 + layout.lacking)))}
    columns |= {name: column for column, name in enumerate(layout.names, start=1)}
    # A name that the header lacks gets a column behind the last: whoever reads the data names it.
    beyond = len(layout.names) + 1
    return tuple(replace(v, column=columns.get(v.name, beyond + i)) for i, v in enumerate(variables))
