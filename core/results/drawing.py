"""What random draws follow from: never two releases of different contents from the same draw.

The seed is often the default, and whoever holds two releases must not be able to lay them side by side. So noise draws
from the seed, the data and its own entry in the recipe; the order of records from the seed, the data and all that
decides what the file holds. What the same file is called, where it lies and what its report says draws nothing anew: a
second draw for the same contents could be averaged with the first. Which records of a cell lose values is drawn by
`core.results.record_draws`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..base.errors import PavoError
from ..base.plain_file import read_plain
from ..formats.argus.recode_scheme import parse_scheme, scheme_text
from ..perturbation import weight_noise
from ..recipe.declared import WITHHOLD, Parameter, declaration_of
from ..recipe.model import OUTPUT_FILES, Output, Perturbation, Recipe, Recode, Suppression
from .results import RecodedData

_OF_THE_HOUSE = ("report", "measures", "scenarios", "profile", "target", "accepted", "utility", "read_as")
"""Parts of a recipe from which nothing in the safe file follows."""
_ADDED = ("close_gaps", "least_records", "thorough", "secret")
"""What suppression can be told since releases were drawn without it: as long as it is not said, it does not count."""

_ADDED_TO_COMBINATIONS = ("l", "sensitive")
"""What a combination can be told since then, likewise."""

_RETIRED = {"suppression": {"household_rule": "sufficient", "max_per_record": 1}, "households": {"word": ""}}
"""Keys that are no more, by section, as they stood in every recipe that is still read."""

_DESCRIPTIONS = ("report_pdf", "ddi", "table_schema")
"""Files beside the safe file that are younger than releases drawn without them."""


@dataclass(frozen=True)
class Sources:
    """Contents of the files that a recipe reads, whatever they are called and wherever they lie.

    Attributes
    ----------
    data : SHA-256 of the microdata, hexadecimal
    metadata : SHA-256 of the metadata file; empty where the data describe themselves
    schemes : text of the recode scheme, by variable; of a recode in the recipe itself it is not needed
    codelists : SHA-256 of the codelist in use after recoding, by variable
    weight : name of the weight variable; empty where there is none
    """

    data: str
    metadata: str = ""
    schemes: Mapping[str, str] = field(default_factory=dict)
    codelists: Mapping[str, str] = field(default_factory=dict)
    weight: str = ""


def what_decides(recipe: Recipe, sources: Sources) -> bytes:
    """All that decides what the safe file holds, in one canonical form: equal bytes, equal contents.

    Nothing of a recipe is left out but the report's texts, measures, scenarios and utility, and paths, for which their
    contents stand; so a part that a later version adds counts until it is said here that it does not. A recode counts
    as what it says, whether in a file or in the recipe itself.
    """
    others = tuple(entry for entry in recipe.perturbations if entry.method != weight_noise.DECLARATION.name)
    numeric = weight_noise.with_noise_on(recipe, sources.weight)
    recipe = recipe.with_(numeric=numeric, perturbations=others)  # noise counts as when it was said there
    said: dict[str, Any] = asdict(
        replace(
            recipe,
            input=replace(recipe.input, data=None, metadata=None, sha256=None, checksums=()),
            variables=tuple(replace(edit, codelist=None) for edit in recipe.variables),
            recodes=tuple(_without_paths(recode, sources) for recode in recipe.recodes),
            output=_without_files(recipe.output),
        )
    )
    for name in _OF_THE_HOUSE:
        del said[name]
    del said["input"]["parts"], said["input"]["checksums"]  # paths
    said["perturbations"] = [_said(entry, str) for entry in recipe.perturbations]
    if not recipe.perturbations:
        del said["perturbations"]  # recipes without are drawn as before there were any
    for name in _ADDED:
        if said["suppression"][name] == getattr(Suppression, name):
            del said["suppression"][name]
    for combination in said["combinations"]:
        for name in _ADDED_TO_COMBINATIONS:
            if combination[name] is None:
                del combination[name]
    for section, keys in _RETIRED.items():
        said[section] |= keys  # releases are drawn as they were with them
    for name in _DESCRIPTIONS:
        del said["output"][name]
    for threshold in (said["threshold"], *(combination["threshold"] for combination in said["combinations"])):
        if threshold["exceedance"] is None:
            del threshold["exceedance"]  # as above: it is younger than releases drawn without it
    said["contents"] = {
        "data": sources.data,
        "metadata": sources.metadata,
        "codelists": dict(sources.codelists),
    }
    return json.dumps(said, sort_keys=True, default=str).encode()


def _without_files(output: Output) -> Output:
    nowhere: dict[str, Any] = dict.fromkeys(OUTPUT_FILES)
    return replace(output, **nowhere)


def order_seed(recipe: Recipe, sources: Sources) -> tuple[int, int, int]:
    """What the order of records is drawn from where the recipe asks for a random one."""
    shuffled = recipe.with_(output=replace(recipe.output, shuffle=True))
    return _drawn_from(recipe.output.seed, sources.data, what_decides(shuffled, sources))


def noise_seed(
    output: Output, spec: Perturbation, data: str, of_values: Callable[[str], str] = str
) -> tuple[int, int, int]:
    """What the noise of `spec` is drawn from; `data` is a digest of the original values, which only the house knows.

    Of one entry it is the same in all releases: noise drawn anew for each could be averaged out. Of two entries the
    draws have nothing in common: from the same draw, 5 % and 10 % would together give the number itself. A perturbation
    has a seed of its own; what it says that is so anyhow, the order of names where it means nothing, and what variables
    are called draw nothing anew. Whether households matter is seen in `data`, which then says who lives with whom, and
    so is which records are in one stratum, whatever variables say it.

    Parameters
    ----------
    of_values : what stands for a variable: the digest of its values where they are known, else its name
    """
    if spec.method == weight_noise.DECLARATION.name:
        (weight,) = spec.variables
        # in this form it was said before it was a perturbation: releases of then can be made again
        named = weight_noise.NumericWithNoise(of_values(weight), noise=dict(spec.parameters)["share"])
        return _drawn_from(output.seed, data, json.dumps(asdict(named), sort_keys=True).encode())
    said = _said(spec, of_values)
    seed = said["parameters"].pop("seed", 1)
    for name in ("households", "within"):
        said["parameters"].pop(name, None)
    return _drawn_from(seed, data, json.dumps(said, sort_keys=True, default=str).encode())


def _said(spec: Perturbation, called: Callable[[str], str]) -> dict[str, Any]:
    """What a perturbation says that changes values, in one canonical form: without what is so anyhow."""
    declared = declaration_of("perturbations", spec)
    assert declared is not None
    known = {parameter.name: parameter for parameter in declared.all_parameters("perturbations")}
    used, said = declared.used(spec), dict(spec.parameters)
    if declared.plainly is not None:
        used = dict(declared.plainly(spec.variables, used))
    parameters = {
        name: _called(known[name], value, called)
        for name, value in used.items()
        if name in said and value != known[name].default and name != WITHHOLD.name
    }
    instead = {name for key in declared.instead for name in used.get(key, ())}
    variables = sorted(called(name) for name in spec.variables if name not in instead)
    return {"method": spec.method, "variables": variables, "parameters": parameters}


def _called(parameter: Parameter, value: Any, called: Callable[[str], str]) -> Any:
    """The value of a parameter with what stands for variables, in an order of its own where none is meant."""
    if parameter.type == "variables":
        names = [called(name) for name in value]
        return names if parameter.ordered else sorted(names)
    if parameter.type == "sets":
        sets = [sorted(map(called, names)) for names in value]
        return sets if parameter.ordered else sorted(sets)
    if parameter.by_variable and isinstance(value, Mapping):
        return {called(name): each for name, each in value.items()}
    return float(value) if parameter.type == "number" else value


def sources_of(derived: RecodedData) -> Sources:
    """The contents that `derived` follows from: schemes as they were read, small files as they are now."""
    recipe, recodings = derived.recipe, derived.recodings
    named = {v.name: v.codelist for v in derived.metadata.variables}
    named |= {name: done.codelist for name, done in recodings.items() if done.codelist}
    return Sources(
        derived.microdata.source.sha256,
        _digest(recipe.input.metadata),
        {r.variable: recodings[r.variable].text for r in recipe.recodes if r.scheme_file is not None},
        {name: digest for name, path in named.items() if (digest := _digest(path))},
        derived.metadata.weight.name if derived.metadata.weight else "",
    )


def _drawn_from(seed: int, data: str, decided: bytes) -> tuple[int, int, int]:
    return seed, int(data, 16), int(sha256(decided).hexdigest(), 16)


def _without_paths(recode: Recode, sources: Sources) -> Recode:
    text = sources.schemes.get(recode.variable, "") if recode.scheme_file is not None else recode.scheme
    return replace(recode, scheme_file=None, scheme=text and _plain(text), codelist=None)


def _plain(text: str) -> str:
    """A scheme without the name of its codelist, in the one form that all spellings of it have."""
    try:
        return scheme_text(replace(parse_scheme(text), codelist=None))
    except PavoError:  # it recodes nothing: the recipe is refused elsewhere
        return text


def _digest(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return sha256(read_plain(path)).hexdigest()
    except OSError:
        return ""  # a codelist that cannot be read is none
