"""The key variables, weights and figures of a session as an R script for sdcMicro and the csv file that it reads."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from ..base.errors import RecipeError
from ..base.outputs import Outputs
from ..base.progress import SILENT, Progress
from ..base.texts import language_in_use, language_of_outputs, mark
from ..results.results import Results
from .exported import Exported
from .r_script import r_script
from .records import about_perturbed, read_files, row_blocks, weight_texts
from .sdcmicro_figures import Check, checks


def sdcmicro_files(script: Path) -> tuple[Path, Path]:
    """The script and, beside it, the csv file with the records."""
    return script, script.with_name(script.stem + ".csv")


def export_sdcmicro(
    derived: Results, script: Path, progress: Progress = SILENT, inputs: Iterable[Path] = ()
) -> Exported:
    """Write an R script for sdcMicro, and beside it the recoded key variables and weights that it reads.

    The script measures every combination with an individual risk or k-anonymity, and prints sdcMicro's figures beside
    Pavo's and beside those that sdcMicro should give by its own definitions. Its comments are in the report's language.

    Parameters
    ----------
    script : where the script goes; the csv file has its name
    inputs : files that may not be replaced, besides those that the session reads

    Returns
    -------
    The script and the csv file; both appear, or none.

    Raises
    ------
    RecipeError
        ``nothing-for-sdcmicro``: no combination has an individual risk or k-anonymity.
    OutputError
        A file cannot be written, or is an input.
    """
    found = checks(derived, progress)
    if not found:
        raise RecipeError(
            "nothing-for-sdcmicro",
            mark("No combination is judged by individual risk or k-anonymity, so there is nothing to compare."),
            mark("Set a combination for the risk model, or for k-anonymity, in Select Combinations."),
        )
    names = tuple(dict.fromkeys(name for check in found for name in check.variables))
    files = sdcmicro_files(script)
    with Outputs({"script": files[0], "data": files[1]}, read_files(derived, inputs)) as outputs:
        missing = _missing_text(derived, names)
        with outputs.open("data") as out:
            for text in _lines(derived, names, missing, progress):
                out.write(text.encode("utf-8", "surrogatepass"))
        with language_in_use(derived.recipe.report.language or language_of_outputs(), grouped=False):
            outputs.write("script", _script(derived, found, names, missing, files))
        left = outputs.commit()
    return Exported(files, (*outputs.left, *left))


def _script(
    derived: Results, found: list[Check], names: tuple[str, ...], missing: str, files: tuple[Path, Path]
) -> str:
    weight = derived.metadata.weight.name if _weighted(derived) and derived.metadata.weight else ""
    household = derived.metadata.household_id
    return r_script(
        found,
        names,
        weight,
        household.name if household is not None and derived.households is not None else "",
        missing,
        (files[0].name, files[1].name),
        about_perturbed(derived),
    )


def _weighted(derived: Results) -> bool:
    return derived.metadata.weight is not None and derived.microdata.weights is not None


def _missing_text(derived: Results, names: Iterable[str]) -> str:
    """A text for missing values that is no code."""
    columns = [derived.columns[name] for name in names]
    codes = {code for column in columns for code in column.codes[: column.n_valid]}
    text = "NA"
    while text in codes:
        text += "_"
    return text


def _lines(derived: Results, names: tuple[str, ...], missing: str, progress: Progress) -> Iterator[str]:
    columns = [derived.columns[name] for name in names]
    texts = [np.array([*c.codes[: c.n_valid], *[missing] * c.n_missing_codes], object) for c in columns]
    weights, households = derived.microdata.weights, derived.households
    header = list(names)
    if _weighted(derived) and derived.metadata.weight is not None:
        header.append(derived.metadata.weight.name)
    if households is not None and derived.metadata.household_id is not None:
        header.append(derived.metadata.household_id.name)
    yield _csv([header])
    for rows in row_blocks(derived.records, progress):
        fields = [text[column.values[rows]].tolist() for text, column in zip(texts, columns, strict=True)]
        if _weighted(derived) and weights is not None:
            fields.append(weight_texts(weights, rows))
        if households is not None:
            fields.append((households.household_of_record[rows].astype(np.int64) + 1).tolist())
        yield _csv(zip(*fields, strict=True))


def _csv(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
