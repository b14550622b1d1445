"""The current set-up for other programs, so that an office can check the figures with the one that it trusts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

import core
from core.derive.results import Derived, RiskTable
from core.errors import RecipeError
from core.io.codelist import codelist_text
from core.io.files import read
from core.io.rda_writer import rda_text
from core.microdata.columns import EncodedColumn, Weights
from core.microdata.variables import Metadata, Variable
from core.outputs import Outputs
from core.progress import SILENT, Progress
from core.recoding.recoding import Recoding
from core.texts import mark

_BLOCK = 1 << 15


def export_sdcmicro(derived: Derived, script: Path, progress: Progress = SILENT) -> tuple[Path, Path]:
    """Write an R script for sdcMicro, and beside it the recoded key variables and weights that it reads.

    The script computes frequencies and individual risks of the first risk table and prints them beside Pavo's.

    Returns
    -------
    The script and the csv file; both appear, or none.

    Raises
    ------
    RecipeError
        ``no-risk-to-export``: no combination has an individual risk.
    OutputError
        A file cannot be written, or is an input.
    """
    if not derived.risk_tables:
        raise RecipeError(
            "no-risk-to-export",
            mark("There is no combination with an individual risk to export."),
            mark("Select a combination of key variables first."),
        )
    data = script.with_suffix(".csv")
    table = derived.risk_tables[0]
    with Outputs({"data": data, "report": script}, [derived.microdata.source.path]) as outputs:
        with outputs.open("data") as out:
            for text in _table_lines(derived, table, progress):
                out.write(text.encode())
        outputs.write("report", sdcmicro_script(derived, table, data.name))
        outputs.commit()
    return script, data


def _table_lines(derived: Derived, table: RiskTable, progress: Progress) -> Iterator[str]:
    names = table.combination.variables
    columns = {name: derived.columns[name] for name in names}
    texts = {
        name: np.array([*column.codes[: column.n_valid], *[""] * column.n_missing_codes], object)
        for name, column in columns.items()
    }
    weights, household = derived.microdata.weights, _household(derived, progress)
    header = [*names, *_weight_name(derived), *([household.name] if household else [])]
    yield _csv([header])
    for begin in range(0, derived.records, _BLOCK):
        progress.check()
        rows = slice(begin, begin + _BLOCK)
        fields = [texts[name][columns[name].values[rows]].tolist() for name in names]
        if weights is not None:
            fields.append(weight_texts(weights, rows))
        if household is not None:
            fields.append([household.codes[i] for i in household.values[rows].tolist()])
        yield _csv(zip(*fields, strict=True))


def _csv(rows: object) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)  # type: ignore[arg-type]
    return text.getvalue()


def _weight_name(derived: Derived) -> list[str]:
    weight = derived.metadata.weight
    return [weight.name] if weight is not None and derived.microdata.weights is not None else []


def _household(derived: Derived, progress: Progress) -> EncodedColumn | None:
    household = derived.metadata.household_id
    if household is None:
        return None
    if household.name in derived.microdata.columns:
        return derived.microdata.columns[household.name]
    as_codes = tuple(replace(v, categorical=True) if v == household else v for v in derived.metadata.variables)
    metadata = replace(derived.metadata, variables=as_codes)
    return read(derived.microdata.source.path, metadata, (household.name,), progress).columns[household.name]


def weight_texts(weights: Weights, rows: slice) -> list[str]:
    """The weights of some records as decimal numbers, exactly."""
    places = max(weights.decimals)
    limbs = zip(weights.limbs, weights.decimals, strict=True)
    scaled = [[value * 10 ** (places - decimals) for value in limb[rows].tolist()] for limb, decimals in limbs]
    totals = [sum(parts) for parts in zip(*scaled, strict=True)]
    if not places:
        return [str(total) for total in totals]
    return [f"{total // 10**places}.{total % 10**places:0{places}d}" for total in totals]


def sdcmicro_script(derived: Derived, table: RiskTable, data: str) -> str:
    """R code that computes the risks of `table` from the csv file `data` with sdcMicro."""
    staircase, combination = table.staircase, table.combination
    weight, household = _weight_name(derived), derived.metadata.household_id
    alpha = combination.alpha if combination.missing_rule == "wildcard" else 0
    figures = {
        "records": staircase.n,
        "cells": len(table.cells),
        "sample_uniques": table.sample_uniques,
        "max_risk": staircase.max_risk,
        "expected_reidentifications": staircase.expected_reidentifications,
        "rate": staircase.rate,
    }
    if table.threshold is not None:
        figures["unsafe_records"] = staircase.unsafe(table.threshold)
    rows = ",\n  ".join(f"{name} = {value!r}" for name, value in figures.items())
    threshold = "NA" if table.threshold is None else repr(table.threshold)
    more = "".join(
        [f", weightVar = {_r(weight[0])}" if weight else "", f", hhId = {_r(household.name)}" if household else ""]
    )
    return _SCRIPT.format(
        version=core.__version__,
        data=_r(data),
        keys=", ".join(map(_r, combination.variables)),
        numbers=f"data[[{_r(weight[0])}]] <- as.numeric(data[[{_r(weight[0])}]])\n" if weight else "",
        more=more,
        alpha=alpha,
        threshold=threshold,
        rows=rows,
        rule=combination.missing_rule,
    )


def _r(text: str) -> str:
    """A string as R writes it."""
    return json.dumps(text, ensure_ascii=False)


_SCRIPT = """# Individual risks with sdcMicro, beside those of Pavo {version}.
# sdcMicro takes p / (f - (1 - p)) for the risk of cells with f > 2; Pavo the exact expectation, which the function
# below computes from sdcMicro's own frequencies. Missing values are NA here; Pavo's rule was "{rule}", and
# alpha = {alpha} counts them alike as long as no two records miss different values of the same key.
library(sdcMicro)

data <- read.csv({data}, colClasses = "character", na.strings = "", fileEncoding = "UTF-8", check.names = FALSE)
{numbers}keys <- c({keys})
data[keys] <- lapply(data[keys], factor)

sdc <- createSdcObj(data, keyVars = keys{more}, alpha = {alpha})
risk <- as.data.frame(get.sdcMicroObj(sdc, "risk")$individual)
print(sdc, "risk")

exact_risk <- function(f, F) {{
  p <- pmin(f / F, 1)
  mapply(function(f, p) {{
    if (p >= 1) return(1 / f)
    integrate(function(t) p * t^(f - 1) / (p + (1 - p) * t), 0, 1, rel.tol = 1e-10)$value
  }}, f, p)
}}
cells <- unique(risk[c("fk", "Fk")])
cells$exact <- exact_risk(cells$fk, cells$Fk)
exact <- cells$exact[match(paste(risk$fk, risk$Fk), paste(cells$fk, cells$Fk))]

threshold <- {threshold}
figures <- function(r) {{
  found <- c(records = nrow(data), cells = nrow(unique(data[keys])), sample_uniques = sum(risk$fk == 1),
             max_risk = max(r), expected_reidentifications = sum(r), rate = mean(r))
  if (!is.na(threshold)) found <- c(found, unsafe_records = sum(r >= threshold * (1 - 1e-12)))
  found
}}
pavo <- c(
  {rows}
)
print(data.frame(Pavo = pavo, exact = figures(exact), sdcMicro = figures(risk$risk)), digits = 10)
"""


def export_muargus(derived: Derived, rda: Path, progress: Progress = SILENT) -> tuple[Path, ...]:
    """Write what mu-ARGUS opens: data in fixed format (.asc), metadata (.rda), codelists and recodes (.cdl, .grc).

    The data are the categorical variables that the recipe uses, with their original codes, and the weights.

    Returns
    -------
    The files, the metadata first; all appear, or none.

    Raises
    ------
    OutputError
        A file cannot be written, or is an input.
    """
    names = [name for name in derived.metadata.names if name in derived.microdata.columns]
    columns = {name: _with_missing(derived.microdata.columns[name], derived.metadata[name]) for name in names}
    texts: dict[str, str] = {}
    for name in names:
        if derived.labels.get(name) and name not in derived.recodings:
            texts[f"{name}.cdl"] = codelist_text(derived.labels[name])
        if name in derived.recodings:
            texts[f"{name}.grc"] = recode_text(derived.recodings[name], derived.microdata.columns[name])
    metadata = _fixed_metadata(derived, columns, rda.parent, texts)
    targets = {"metadata": rda, "data": rda.with_suffix(".asc"), **{name: rda.with_name(name) for name in texts}}
    with Outputs(targets, [derived.microdata.source.path]) as outputs:
        with outputs.open("data") as out:
            for block in _fixed_lines(derived, metadata, columns, progress):
                out.write(block)
        outputs.write("metadata", rda_text(metadata, folder=rda.parent))
        for name, text in texts.items():
            outputs.write(name, text)
        outputs.commit()
    return tuple(targets.values())


def _with_missing(column: EncodedColumn, variable: Variable) -> EncodedColumn:
    """The column with a missing code that is not blank: mu-ARGUS knows no other."""
    codes = list(column.codes)
    width = max(column.width, 1)
    for number in range(column.n_valid, len(codes)):
        if not codes[number]:
            codes[number] = next(c for c in ("9" * width, "X" * width, "X" * (width + 1)) if c not in codes)
    if column.n_missing_codes == 0:
        codes.append(next(c for c in ("9" * width, "X" * width, "X" * (width + 1)) if c not in codes))
    return replace(column, codes=tuple(codes), width=max(len(code.encode()) for code in codes))


def recode_text(recoding: Recoding, original: EncodedColumn) -> str:
    """The recode as a scheme of single codes, whichever way it was made."""
    new = recoding.column
    lines = []
    for number, code in enumerate(new.codes[: new.n_valid]):
        old = [original.codes[i] for i in np.flatnonzero(recoding.lut[: original.n_valid] == number).tolist()]
        if old and old != [code]:
            lines.append(f"{_token(code)}: {', '.join(map(_token, old))}\n")
    missing = [code for code in new.codes[new.n_valid :] if code]
    return "".join(lines) + (f"<MISSING> {' '.join(map(_token, missing[:2]))}\n" if missing else "")


def _token(code: str) -> str:
    return f'"{code}"' if not code or any(c in code for c in ' ,-:<>"') else code


def _fixed_metadata(
    derived: Derived, columns: Mapping[str, EncodedColumn], folder: Path, texts: Mapping[str, str]
) -> Metadata:
    variables, start = [], 1
    for name, column in columns.items():
        before = derived.metadata[name]
        codelist = folder / f"{name}.cdl" if f"{name}.cdl" in texts else None
        missing = column.codes[derived.microdata.columns[name].n_valid :][:2]
        variables.append(
            replace(
                before, start=start, length=column.width, column=0, missing=missing, codelist=codelist, related=None
            )
        )
        start += column.width
    weight = derived.metadata.weight
    if weight is not None and derived.microdata.weights is not None and weight.name not in columns:
        weights = derived.microdata.weights
        width = max(map(len, weight_texts(weights, slice(None))))
        decimals = max(weights.decimals)
        variables.append(replace(weight, start=start, length=width, column=0, missing=(), decimals=decimals))
    return Metadata("fixed", tuple(variables), encoding="utf-8")


def _fixed_lines(
    derived: Derived, metadata: Metadata, columns: Mapping[str, EncodedColumn], progress: Progress
) -> Iterator[bytes]:
    weights = derived.microdata.weights
    padded = {name: [_padded(code, column.width) for code in column.codes] for name, column in columns.items()}
    for begin in range(0, derived.records, _BLOCK):
        progress.check()
        rows = slice(begin, begin + _BLOCK)
        fields = [[padded[name][i] for i in column.values[rows].tolist()] for name, column in columns.items()]
        if weights is not None and metadata.weight is not None and metadata.weight.name not in columns:
            fields.append([text.rjust(metadata.weight.length).encode() for text in weight_texts(weights, rows)])
        yield b"".join(b"".join(row) + b"\r\n" for row in zip(*fields, strict=True))


def _padded(code: str, width: int) -> bytes:
    raw = code.encode()
    return b" " * (width - len(raw)) + raw
