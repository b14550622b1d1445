"""The text of the R script that measures a session's combinations with sdcMicro."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill

from .. import __version__
from ..base.texts import mark, translate
from ..recipe.criteria import MissingRule
from .sdcmicro_figures import Check

_MEANING: dict[MissingRule, str] = {
    "observed": mark(
        "Pavo's missing rule is \"observed\": a record's missing value matches any value, missing values of others"
        " match nothing. alpha = 0 is nearest to it: the same, but a record with missing values then counts only"
        " complete records and those that miss the same values."
    ),
    "wildcard": mark(
        'Pavo\'s missing rule is "wildcard": two records match where both have a value. alpha is the same number here;'
        " but sdcMicro does not count records that miss every key variable for a complete record."
    ),
    "category": mark(
        'Pavo\'s missing rule is "category": a missing value is a value like any other, so here it is made a level.'
    ),
    "listwise": mark('Pavo\'s missing rule is "listwise": records with a missing value are left out, here too.'),
}
_NONE_MISSING = mark("No key variable has a missing value: exact must equal Pavo.")
_COLUMNS = {
    "Pavo": mark("what Pavo shows."),
    "exact": mark(
        "Pavo's formula of the risk, from the frequencies that sdcMicro counts. Equal to Pavo where no key variable has"
        " a missing value; else the missing rules of the two programs differ as each part says."
    ),
    "sdcMicro": mark(
        "what sdcMicro shows. In cells with f > 2 it takes p / (f - (1 - p)), p = f / F, for the risk, where Pavo takes"
        " the exact expectation: so risks differ a little, and records near the threshold may change sides."
    ),
    "foreseen": mark(
        "what sdcMicro should show by its own definitions, computed by Pavo. It must equal sdcMicro; the line below"
        " each table says whether it does. Household figures are not foreseen."
    ),
}
"""What is printed of each combination, and what it is."""
_WIDTH = 120


def r_script(
    checks: Sequence[Check],
    names: Sequence[str],
    weight: str,
    household: str,
    missing: str,
    files: tuple[str, str],
    remarks: Sequence[str] = (),
) -> str:
    """R code that measures `checks` with sdcMicro, with comments in the language in use; what it prints is English.

    Parameters
    ----------
    checks : at least one
    names : columns of the csv file, before those of weight and household
    weight, household : names of these columns; empty where there is none
    missing : how the csv file writes a missing value
    files : names of the script and of the csv file
    remarks : sentences on what the csv file holds
    """
    columns = [f"key{number}" for number in range(1, len(names) + 1)]
    given = columns + ["weight"] * bool(weight) + ["household"] * bool(household)
    meant = [*names, *[weight] * bool(weight), *[household] * bool(household)]
    lines = [f"#   {column:<9} {_comment(name)}" for column, name in zip(given, meant, strict=True)]
    head = _HEAD.format(
        comments="\n".join(_about(files, lines, remarks)),
        beside=translate(mark("the four columns beside each other")),
        file=r_string(files[1]),
        missing=r_string(missing),
        names=_vector(map(r_string, given)),
        weight="survey$weight <- as.numeric(survey$weight)\n" if weight else "",
        household="survey$household <- as.integer(survey$household)\n" if household else "",
    )
    risk = mark("The risk of a record in a cell of f records that stand for F: the expectation of 1/F given f.")
    keys = dict(zip(names, columns, strict=True))
    parts = [_part(n, check, keys, bool(weight), bool(household)) for n, check in enumerate(checks, start=1)]
    return head + "\n" + _remark(translate(risk)) + _FUNCTIONS + "".join(parts)


def r_string(text: str) -> str:
    """A string as R reads it in any encoding: quotes and backslashes escaped, the rest as ASCII."""
    return '"' + "".join(_r_character(character) for character in text) + '"'


def r_number(value: float) -> str:
    """A number as R reads it, at full precision."""
    if isinstance(value, int):
        return str(value)
    if math.isfinite(value):
        return repr(float(value))
    return "NaN" if math.isnan(value) else "Inf" if value > 0 else "-Inf"


def _r_character(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if " " <= character <= "~":
        return character
    return f"\\u{ord(character):04x}" if ord(character) <= 0xFFFF else f"\\U{ord(character):08x}"


def _comment(text: str) -> str:
    """Text that stays on its line."""
    return "".join(character if character.isprintable() else " " for character in text)


def _remark(text: str, first: str = "# ", others: str = "# ") -> str:
    """Comments of a text, which begin with `first` and in further lines with `others`."""
    return fill(
        _comment(text), _WIDTH, initial_indent=first, subsequent_indent=others,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _about(files: tuple[str, str], columns: Sequence[str], remarks: Sequence[str]) -> Iterator[str]:
    """Comments at the head, in the language in use: what the script is, what it reads, and what it prints."""
    about = mark("The key variables of a survey measured by sdcMicro, beside the figures of Pavo {version}.")
    run = mark("For R 4.0 and sdcMicro 5.7 or later. Run it in its own folder, for example by: {command}")
    held = mark("{data} holds a row for each record: it is as confidential as the survey itself.")
    yield _remark(translate(about).format(version=__version__))
    yield _remark(translate(run).format(command=f"Rscript {files[0]}"))
    yield "#"
    yield _remark(translate(held).format(data=files[1]))
    yield _remark(
        translate(mark("Its columns, in order; codes are those after recoding, households are numbered anew:"))
    )
    yield from columns
    yield from map(_remark, remarks)
    yield "#"
    yield _remark(translate(mark("Four columns of figures are printed for each combination:")))
    for name, meaning in _COLUMNS.items():
        yield _remark(translate(meaning), f"#   {name:<9} ", f"#   {'':<9} ")
    sums = mark(
        "sum_f and sum_F are the sums over records of the sample and population frequencies that sdcMicro calls fk and"
        " Fk."
    )
    yield _remark(translate(sums))
    yield "#"
    nothing = mark(
        "Nothing is suppressed here. sdcMicro does that by {by_count} or {by_risk}; its choices are others than Pavo's,"
        " which are those of least loss."
    )
    by_risk = 'localSupp(sdc, threshold = 0.1, keyVar = "key1")'
    yield _remark(translate(nothing).format(by_count="kAnon(sdc, k = 3)", by_risk=by_risk))


def _vector(items: object) -> str:
    return f"c({', '.join(items)})"  # type: ignore[arg-type]


def _named(figures: Mapping[str, float]) -> str:
    return "c(\n" + ",\n".join(f"    {name} = {r_number(value)}" for name, value in figures.items()) + "\n  )"


def _part(number: int, check: Check, keys: Mapping[str, str], weight: bool, household: bool) -> str:
    model = "individual risk" if check.k is None else f"{check.k}-anonymity"
    prepare = {"category": "as_category(survey, keys)", "listwise": "only_complete(survey, keys)"}
    arguments = ["dat = part", "keyVars = keys"]
    arguments += ['weightVar = "weight"'] * weight + ['hhId = "household"'] * household
    arguments.append(f"alpha = {r_number(check.alpha_there)}")
    if check.k is None:
        limit = f"threshold = {'NA' if check.threshold is None else r_number(check.threshold)}"
    else:
        limit = f"k = {check.k}"
    return _PART.format(
        number=number,
        names=" x ".join(map(_comment, check.variables)),
        model=model,
        meaning=_remark(translate(_MEANING[check.rule] if check.any_missing else _NONE_MISSING)),
        keys=_vector(r_string(keys[name]) for name in check.variables),
        part=prepare.get(check.rule, "as_factors(survey, keys)"),
        arguments=", ".join(arguments),
        limit=limit,
        pavo=_named(check.pavo),
        foreseen=_named(check.foreseen),
    )


_HEAD = """{comments}

suppressPackageStartupMessages(library(sdcMicro))
options(width = 120)  # {beside}

data_file <- {file}
if (!file.exists(data_file)) stop("Go to the folder of this script first, by setwd().")
survey <- read.csv(
  data_file, header = TRUE, colClasses = "character", na.strings = {missing},
  encoding = "UTF-8", check.names = FALSE
)
names(survey) <- {names}
{weight}{household}"""

_FUNCTIONS = """
exact_risk <- function(f, F) {
  if (F <= f * (1 + 1e-12)) return(1 / f)
  p <- f / F
  q <- 1 - p
  if (p < 0.5 && f < 40 && f == round(f)) {
    r <- -p * log(p) / q
    for (i in seq_len(f - 1)) r <- p / q * (1 / i - r)
    return(r)
  }
  term <- 1
  total <- 1
  n <- 0
  while (term > 1e-17 * total) {
    n <- n + 1
    term <- term * n * q / (f + n)
    total <- total + term
  }
  p / f * total
}

as_factors <- function(data, keys) {
  data[keys] <- lapply(data[keys], factor)
  data
}

only_complete <- function(data, keys) {
  as_factors(data[complete.cases(data[keys]), , drop = FALSE], keys)
}

as_category <- function(data, keys) {
  data[keys] <- lapply(data[keys], function(x) factor(ifelse(is.na(x), "missing", paste0("code ", x))))
  data
}

compare <- function(part, keys, sdc, pavo, foreseen, threshold = NA, k = NA) {
  risk <- as.data.frame(get.sdcMicroObj(sdc, type = "risk")$individual)
  cell <- paste(risk$fk, risk$Fk)
  first <- !duplicated(cell)
  exact <- mapply(exact_risk, risk$fk[first], risk$Fk[first])[match(cell, cell[first])]
  counted <- c(
    records = nrow(part), cells = nrow(unique(part[keys])), sum_f = sum(risk$fk), sum_F = sum(risk$Fk),
    uniques = sum(risk$fk == 1), below_k = sum(risk$fk < k)
  )
  judged <- function(r) {
    found <- c(
      counted,
      max_risk = max(r), expected = sum(r), rate = mean(r), unsafe_records = sum(r >= threshold * (1 - 1e-12))
    )
    if (!is.null(part$household)) {
      together <- ave(r, part$household, FUN = function(x) 1 - prod(1 - x))
      found <- c(found, household_max = max(together), household_expected = sum(together))
    }
    found[names(pavo)]
  }
  shown <- data.frame(
    Pavo = pavo, exact = judged(exact), sdcMicro = judged(risk$risk), foreseen = foreseen[names(pavo)],
    row.names = names(pavo)
  )
  print(shown, digits = 10)
  agree <- abs(shown$sdcMicro - shown$foreseen) <= 1e-6 * abs(shown$foreseen)
  differ <- paste(names(pavo)[which(!agree)], collapse = ", ")
  cat("sdcMicro as foreseen:", if (all(agree, na.rm = TRUE)) "yes" else paste("NO, not in", differ), "\\n\\n")
}
"""

_PART = """
# {number}. {names}: {model}.
{meaning}
keys <- {keys}
part <- {part}
sdc <- createSdcObj({arguments})
cat("{number}. {model}\\n")
compare(
  part, keys, sdc, {limit},
  pavo = {pavo},
  foreseen = {foreseen}
)
"""
