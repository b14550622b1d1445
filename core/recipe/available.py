"""What recipes may say but this version of the program does not carry out: refused by name, never ignored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..base.errors import RecipeError
from ..base.texts import mark
from .declared import entries_of, registry
from .model import FORMATS, Combination, Format, Mode, Recipe

MODES: tuple[Mode, ...] = ("original-counts", "released-keys")

OUTPUT_SUFFIXES: dict[str, Format] = {
    ".csv": "delimited",
    ".tsv": "delimited",
    ".tab": "delimited",
    ".sav": "spss",
    ".zsav": "spss",
    ".por": "spss",
    ".dta": "stata",
    ".xpt": "sas",
    ".parquet": "parquet",
    ".xlsx": "excel",
}
"""Suffixes that decide a safe file's format; another one says nothing, and the format is the input's."""

HOLD_LABELS = ("spss", "stata")
"""Formats of files that hold labels themselves."""

_FOREIGN = """
png jpg jpeg gif bmp tif tiff svg webp ico mp3 mp4 wav avi mov pdf ps doc docx odt rtf ppt pptx odp xls xlsm ods html
htm xml json md zip gz 7z rar tar exe dll msi bat sh py r sps do sas db sqlite mdb accdb rdata
"""
FOREIGN_SUFFIXES = frozenset(f".{kind}" for kind in _FOREIGN.split())
"""Suffixes of files that hold no records that can be read or written here, whatever is inside them."""


def check_available(recipe: Recipe) -> None:
    """Refuse what this version does not carry out.

    Raises
    ------
    RecipeError
        Id ``not-available``, naming the first key concerned.
    """
    for key in _missing(recipe):
        raise not_available(key)


def not_available(key: str) -> RecipeError:
    """The error of a recipe that asks for something not carried out, named by `key`."""
    return RecipeError(
        "not-available",
        mark("The recipe asks for {key}, which is not available in this version of Pavo."),
        mark("Leave it out, or use a later version."),
        key=key,
    )


def check_output_format(recipe: Recipe, format: Format) -> None:
    """Refuse a safe file whose suffix asks for a format that is not written; `format` is the input's.

    Raises
    ------
    RecipeError
        Ids ``output-format``, ``output-format-foreign``, ``output-format-sas`` and ``table-schema-format``, naming the
        file.
    """
    data = recipe.output.data
    suffix = "" if data is None else data.suffix.lower()
    if suffix == ".sas7bdat":
        raise RecipeError(
            "output-format",
            mark("output.data is {file}, and files of the kind {suffix} can be read, but not written."),
            mark("Write {other} instead, which the same program reads."),
            file=data.name if data else "",
            suffix=suffix,
            other=".xpt",
        )
    own = "" if recipe.input.data is None else recipe.input.data.suffix.lower()
    if suffix in FOREIGN_SUFFIXES - {own}:
        raise RecipeError(
            "output-format-foreign",
            mark("output.data is {file}, and {suffix} says another kind of file than is written here."),
            mark("Give it the suffix of the original, or one of .csv, .tsv, .sav, .dta, .xpt, .parquet and .xlsx."),
            file=data.name if data else "",
            suffix=suffix,
        )
    schema, written = recipe.output.table_schema, written_format(data, format)
    if schema is not None and written != "delimited":
        raise RecipeError(
            "table-schema-format",
            mark(
                "output.table_schema is {file}, but a table schema describes delimited text, and the safe file is not."
            ),
            mark("Leave it out, or give the safe file the suffix .csv; output.ddi describes files of every format."),
            file=schema.name,
        )
    if format == "sas" and data is not None and suffix not in OUTPUT_SUFFIXES:
        raise RecipeError(
            "output-format-sas",
            mark("output.data is {file}; of a SAS data set the safe file is written as .xpt or another format."),
            mark("Give it the suffix .xpt, .csv, .sav, .dta or .parquet."),
            file=data.name,
        )


def check_time_limit(recipe: Recipe) -> None:
    """Refuse to make a file of what the clock decides.

    Raises
    ------
    RecipeError
        Id ``time-limit``.
    """
    if recipe.suppression.time_limit is not None:
        raise RecipeError(
            "time-limit",
            mark("suppression.time_limit is for Preview in the windows: a file made by the clock could not be made "
                 "again."),
            mark("Leave it out; suppression.effort says how long is searched. Preview writes the effort that it "
                 "reached in its place."),
        )  # fmt: skip


def written_format(target: Path | None, format: Format) -> Format:
    """The format of a safe file: what its suffix says, else the input's, `format`."""
    return format if target is None else OUTPUT_SUFFIXES.get(target.suffix.lower(), format)


def suppresses(recipe: Recipe) -> bool:
    """Whether the recipe asks for a safe file with suppressed values."""
    return recipe.output.data is not None and recipe.suppression.criterion != "none"


def household_thresholds(recipe: Recipe) -> Iterator[str]:
    """The keys that say a household threshold."""
    owners = [("threshold", recipe.threshold)]
    owners += [(f"combinations[{i}].threshold", c.threshold) for i, c in enumerate(recipe.combinations, 1)]
    for where, threshold in owners:
        for name in ("household_risk", "household_rate", "unsafe_households"):
            if getattr(threshold, name) is not None:
                yield f"{where}.{name}"


def _missing(recipe: Recipe) -> Iterator[str]:
    if recipe.input.format not in (*FORMATS, None):
        yield f'input.format = "{recipe.input.format}"'
    if recipe.suppression.mode not in MODES:
        yield f'suppression.mode = "{recipe.suppression.mode}"'
    for number, combination in enumerate(recipe.combinations, 1):
        yield from _missing_of_combination(number, combination, suppresses(recipe))
    for section, number, entry in entries_of(recipe):
        known = registry(section)
        if known.named(entry) in known.coming:
            yield f'{section}[{number}].{known.word} = "{known.named(entry)}"'


def _missing_of_combination(number: int, combination: Combination, suppressing: bool) -> Iterator[str]:
    if suppressing and combination.judges_whole_file and combination.missing_rule == "wildcard":
        yield f'suppression for combinations[{number}].model = "{combination.model}" with missing_rule = "wildcard"'
