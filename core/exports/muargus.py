"""A session as mu-ARGUS opens it: data in fixed format, metadata, codelists and recodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..base.outputs import Outputs
from ..base.progress import SILENT, Progress
from ..base.texts import language_in_use, language_of_outputs
from ..data.columns import EncodedColumn, Weights
from ..data.variables import Metadata, Variable
from ..formats.argus.rda_writer import rda_text
from ..recoding.labels import labels as labels_of
from ..recoding.labels_made import default_labels
from ..results.households import variable_of
from ..results.results import Results
from .exported import Exported
from .muargus_codes import (
    WrittenCodes,
    codelist_lines,
    file_names,
    muargus_names,
    recode_codes,
    recode_text,
    written_codes,
)
from .muargus_guide import guide_text
from .records import read_files, row_blocks, weight_texts


@dataclass(frozen=True, eq=False)
class _Plan:
    """What is to be written beside the records.

    `fields` are the categorical variables by their own name, `names` what mu-ARGUS calls every variable, `texts` the
    codelists and recodes by file name, `household` whether the first field numbers the households, `changed` the
    codelists that say what the numbers stand for that are written in place of codes.
    """

    fields: Mapping[str, EncodedColumn]
    codes: Mapping[str, WrittenCodes]
    names: Mapping[str, str]
    texts: Mapping[str, str]
    metadata: Metadata
    household: bool
    changed: tuple[str, ...]


def muargus_files(derived: Results, rda: Path) -> tuple[Path, ...]:
    """The files of `export_muargus`, the metadata first."""
    return tuple(_targets(rda, _plan(derived, rda)).values())


def export_muargus(derived: Results, rda: Path, progress: Progress = SILENT, inputs: Iterable[Path] = ()) -> Exported:
    """Write what mu-ARGUS opens: data in fixed format (.asc), metadata (.rda), codelists and recodes (.cdl, .grc).

    The data are the categorical variables that the recipe uses, with their codes before recodes (perturbed ones where
    the recipe perturbs them before), the weights, and the
    numbers of the households, whose members stand together. A text file says what to choose in mu-ARGUS and which
    figures it should show. The data have the name of `rda`, codelists and recodes begin with it.

    Parameters
    ----------
    rda : where the metadata go
    inputs : files that may not be replaced, besides those that the session reads

    Returns
    -------
    The files, the metadata first; all appear, or none.

    Raises
    ------
    OutputError
        A file cannot be written, or is an input.
    """
    plan = _plan(derived, rda)
    targets = _targets(rda, plan)
    with Outputs(targets, read_files(derived, inputs)) as outputs:
        with outputs.open("data") as out:
            for block in _lines(derived, plan, progress):
                out.write(block)
        outputs.write("metadata", _renamed(plan) + rda_text(plan.metadata, folder=rda.parent))
        with language_in_use(derived.recipe.report.language or language_of_outputs(), grouped=False):
            outputs.write("guide", guide_text(derived, plan.names, rda.name, plan.texts, plan.changed, progress))
        for name, text in plan.texts.items():
            outputs.write(name, text)
        left = outputs.commit()
    return Exported(tuple(targets.values()), (*outputs.left, *left))


def _targets(rda: Path, plan: _Plan) -> dict[str, Path]:
    beside = {name: rda.with_name(name) for name in plan.texts}
    data, guide = (rda.with_name(rda.stem + suffix) for suffix in (".asc", ".txt"))
    return {"metadata": rda, "data": data, "guide": guide, **beside}


def _plan(derived: Results, rda: Path) -> _Plan:
    household = derived.metadata.household_id if derived.households is not None else None
    given = derived.microdata.columns
    fields = {name: column for name, column in given.items() if household is None or name != household.name}
    codes = {name: written_codes(column) for name, column in fields.items()}
    weight = derived.metadata.weight if derived.microdata.weights is not None else None
    every = [*([household.name] if household else []), *fields, *([weight.name] if weight else [])]
    names = dict(zip(every, muargus_names(every), strict=True))
    files = file_names({name: names[name] for name in fields}, rda.stem)
    after = {n: recode_codes(r, fields[n], codes[n]) for n, r in derived.recodings.items() if n in fields}
    texts = _codelists(derived, fields, codes, after, files)
    codelists = {name: rda.with_name(files[name, "codes"]) for name in fields if files[name, "codes"] in texts}
    variables = _variables(derived, fields, codes, names, codelists)
    metadata = Metadata("fixed", variables, encoding="utf-8")
    numbered = [files[name, "codes"] for name, written in codes.items() if written.numbered]
    numbered += [files[name, "recoded"] for name, written in after.items() if written.numbered]
    changed = tuple(name for name in numbered if name in texts)
    return _Plan(fields, codes, names, texts, metadata, household is not None, changed)


def _codelists(
    derived: Results,
    fields: Mapping[str, EncodedColumn],
    codes: Mapping[str, WrittenCodes],
    after: Mapping[str, WrittenCodes],
    files: Mapping[tuple[str, str], str],
) -> dict[str, str]:
    """Codelists and recodes by file name."""
    texts: dict[str, str] = {}
    original = {**labels_of(derived.metadata, {}), **derived.labels_of_derived}
    sizes = {spec.name for spec in derived.recipe.household_keys if not spec.members}
    for name, column in fields.items():
        own = _members(column.codes) if name in sizes else original.get(name, {})
        texts[files[name, "codes"]] = codelist_lines(column, codes[name], own)
        if name not in after:
            continue
        recoding, codelist = derived.recodings[name], files[name, "recoded"]
        new = derived.labels.get(name, {})
        if name in sizes:  # of numbers the recode itself tells more than a list of labels
            new = _members(recoding.untouched) | default_labels(column, recoding, {})
        texts[codelist] = codelist_lines(recoding.column, after[name], new)
        named = codelist if texts[codelist] else None
        texts[files[name, "recode"]] = recode_text(recoding, column, codes[name], after[name], named)
    return {name: text for name, text in texts.items() if text}


def _members(codes: Iterable[str]) -> dict[str, str]:
    """Labels of household sizes, and of types that are classes of sizes."""
    return {code: f"{code} member" if code == "1" else f"{code} members" for code in codes}


def _variables(
    derived: Results,
    fields: Mapping[str, EncodedColumn],
    codes: Mapping[str, WrittenCodes],
    names: Mapping[str, str],
    codelists: Mapping[str, Path],
) -> tuple[Variable, ...]:
    found: list[Variable] = []
    for name, shown in names.items():
        start = found[-1].start + found[-1].length if found else 1
        if name in fields:
            found.append(_categorical(derived, name, codes[name], names, start))
            if name in codelists:
                found[-1] = replace(found[-1], codelist=codelists[name])
        elif derived.metadata[name].role == "household-id":
            length = len(str(len(derived.households or ())))
            found.append(Variable(shown, start, length, role="household-id"))
        elif derived.microdata.weights is not None:
            length, decimals = _weight_layout(derived.microdata.weights)
            found.append(Variable(shown, start, length, decimals=decimals, role="weight", numeric=True))
    return tuple(found)


def _categorical(derived: Results, name: str, codes: WrittenCodes, names: Mapping[str, str], start: int) -> Variable:
    before = variable_of(derived.recipe, derived.metadata, name)
    return Variable(
        names[name],
        start,
        codes.width,
        categorical=True,
        household=before.household,
        truncable=before.truncable and not codes.numbered,
        identification_level=before.identification_level,
        missing=(codes.missing,),
        related=names.get(before.related) if before.related else None,
        suppression_weight=before.suppression_weight,
    )


def _weight_layout(weights: Weights) -> tuple[int, int]:
    """Longest text of a weight, and decimals."""
    largest = sum(
        int(limb.max(initial=0)) // 10**d + 1 for limb, d in zip(weights.limbs, weights.decimals, strict=True)
    )
    places = max(weights.decimals)
    return len(str(largest)) + (places + 1 if places else 0), places


def _renamed(plan: _Plan) -> str:
    """Comments that say which variable has another name here."""
    return "".join(f"// {shown} is {_line(name)}\n" for name, shown in plan.names.items() if name != shown)


def _line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def _lines(derived: Results, plan: _Plan, progress: Progress) -> Iterator[bytes]:
    padded = {
        name: np.array([text.rjust(codes.width).encode() for text in codes.texts], object)
        for name, codes in plan.codes.items()
    }
    order = _order(derived) if plan.household else None
    weights, households = derived.microdata.weights, derived.households
    for rows in row_blocks(derived.records, progress):
        chosen: slice | NDArray[np.int64] = rows if order is None else order[rows]
        fields = []
        for name, variable in zip(plan.names, plan.metadata.variables, strict=True):
            if name in plan.fields:
                fields.append(padded[name][plan.fields[name].values[chosen]].tolist())
            elif variable.role == "household-id" and households is not None:
                numbers = (households.household_of_record[chosen].astype(np.int64) + 1).tolist()
                fields.append([b"%*d" % (variable.length, number) for number in numbers])
            elif weights is not None:
                fields.append([text.rjust(variable.length).encode() for text in weight_texts(weights, chosen)])
        yield b"".join(b"".join(row) + b"\r\n" for row in zip(*fields, strict=True))


def _order(derived: Results) -> NDArray[np.int64] | None:
    """The records household by household, where their members do not stand together already."""
    households = derived.households
    if households is None or not households.scattered:
        return None
    return households.members.astype(np.int64)
