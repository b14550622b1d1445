"""The text of metadata files, as μ-ARGUS reads them; `core.formats.argus.rda` is the other direction."""

from __future__ import annotations

import os
from pathlib import Path

from ...base.errors import MetadataError
from ...base.texts import mark
from ...data.variables import Metadata, Variable


def rda_text(metadata: Metadata, *, safe: bool = False, folder: Path | None = None) -> str:
    """Text of an ``.rda`` file, or with `safe` of the ``.rds`` file beside a safe file.

    Parameters
    ----------
    metadata : Metadata
        Of any format: ``<SPSS>`` stands for all that name their variables themselves. A file with a header line keeps
        its ``<NAMESINFRONT>``.
    safe : bool
        Leaves out identification levels, suppression priorities, and the variables that never reach a safe file.
    folder : Path, optional
        Folder of the file to write: codelists are named relative to it. Without it an ``.rda`` names them by
        absolute path, an ``.rds`` by file name only.

    Notes
    -----
    All missing codes are written; μ-ARGUS reads the first two. Label, sensitive, direct identifier, removed,
    suppressible and ordered have no place in the format: they are kept in the recipe.

    Raises
    ------
    MetadataError
        A name or code holds a quote where it would have to be quoted.
    """
    variables = [v for v in metadata.variables if not safe or _reaches_safe_file(v)]
    names = {variable.name for variable in variables}
    lines = _header(metadata)
    for variable in variables:
        lines.append(_variable_line(variable, metadata))
        lines += [f"    {line}" for line in _attributes(variable, names, safe, folder)]
    return "".join(f"{line}\n" for line in lines)


def _reaches_safe_file(variable: Variable) -> bool:
    return not variable.removed and variable.role != "direct-identifier"


def _header(metadata: Metadata) -> list[str]:
    if metadata.format not in ("fixed", "delimited"):
        return ["   <SPSS>"]
    if metadata.format == "fixed":
        return []
    names_in_front = ["   <NAMESINFRONT>"] if metadata.header else []
    return [f'   <SEPARATOR> "{metadata.delimiter}"', *names_in_front]


def _variable_line(variable: Variable, metadata: Metadata) -> str:
    name = _token(variable.name, variable, quote=_needs_quotes(variable.name))
    if metadata.format not in ("fixed", "delimited"):
        return name
    if metadata.format == "fixed":
        missing = [code or " " * max(variable.length, 1) for code in variable.missing]
        place = f"{variable.start} {variable.length}"
    else:
        missing = [] if variable.missing == ("",) else list(variable.missing)
        place = str(max([variable.length, 1, *map(len, missing)]))
    return " ".join([name, place, *(_token(code, variable, quote='"' not in code) for code in missing)])


def _attributes(variable: Variable, names: set[str], safe: bool, folder: Path | None) -> list[str]:
    weight, household_id = variable.role == "weight", variable.role == "household-id"
    lines = ["<RECODABLE>"] * variable.categorical + ["<NUMERIC>"] * (variable.numeric or weight)
    lines += [f"<DECIMALS> {variable.decimals}"] * bool(variable.decimals)
    lines += ["<WEIGHT>"] * weight + ["<HOUSE_ID>"] * household_id + ["<HOUSEHOLD>"] * variable.household
    if variable.related and (variable.related in names or not safe):
        lines.append(f"<RELATED> {_token(variable.related, variable, quote=True)}")
    lines += ["<TRUNCABLE>"] * variable.truncable
    if not safe and (variable.categorical or variable.identification_level):
        lines.append(f"<IDLEVEL> {variable.identification_level}")
    if not safe and (variable.categorical or variable.suppression_weight != 50):
        lines.append(f"<SUPPRESSPRIORITY> {variable.suppression_weight}")
    if variable.codelist:
        name = _codelist_name(variable.codelist, folder, safe)
        lines.append(f"<CODELIST> {_token(name, variable, quote=True)}")
    return lines


def _codelist_name(codelist: Path, folder: Path | None, safe: bool) -> str:
    if folder is None:
        return codelist.name if safe else codelist.as_posix()
    try:
        return Path(os.path.relpath(codelist, folder)).as_posix()
    except ValueError:  # on another drive
        return codelist.as_posix()


def _needs_quotes(text: str) -> bool:
    return not text or text[0] in '",|()<' or text.startswith("//") or any(c in text for c in " \t,")


def _token(text: str, variable: Variable, *, quote: bool) -> str:
    quote = quote or _needs_quotes(text)
    if any(c in text for c in "\r\n") or (quote and '"' in text):
        raise MetadataError(
            "rda-unwritable",
            mark("{text}, of variable {variable}, cannot be written to an .rda file: it holds a quote or a line end."),
            mark("Rename it, or keep the metadata in the session only."),
            text=text,
            variable=variable.name,
        )
    return f'"{text}"' if quote else text
