"""A description under edit as plain values and back, so that it can be kept against a crash."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.data.variables import Variable
from core.metadata.description import Description, load_description
from core.recipe.model import Input, VariableEdit

Labels = Mapping[str, Mapping[str, str]]
_TUPLES = ("labels", "missing_ranges")


@dataclass(frozen=True)
class Loaded:
    """What the recipe says, and the unfinished changes to it.

    Attributes
    ----------
    base : the description by the recipe
    draft : with the changes; `base` itself where there are none
    labels : labels of codes that are in no codelist yet, by variable
    overtaken : the changes were made over another description than the recipe's
    lost : why kept changes could not be taken up
    """

    base: Description
    draft: Description
    labels: dict[str, dict[str, str]]
    overtaken: bool = False
    lost: PavoError | None = None


def to_plain(draft: Description, base: Description, labels: Labels) -> dict[str, Any]:
    """A draft over `base` as texts, numbers, lists and dictionaries; a variable that stayed as it was is its name."""
    same_file = draft.input == base.input
    known = dict(zip(base.metadata.names, base.metadata.variables, strict=True)) if same_file else {}
    pairs = zip(draft.origins, draft.metadata.variables, strict=True)
    return {
        "over": _fingerprint(base),
        "metadata": None if draft.input.metadata is None else str(draft.input.metadata),
        "said": draft.input.variables,
        "variables": [origin if known.get(origin) == v else _plain(v, origin) for origin, v in pairs],
        "labels": {name: dict(texts) for name, texts in labels.items()},
    }


def load(
    source: Input, edits: Sequence[VariableEdit], kept: Mapping[str, Any] | None, progress: Progress = SILENT
) -> Loaded:
    """What a recipe says of its variables, and the changes that were kept by `to_plain`.

    Raises
    ------
    PavoError
        As `core.metadata.description.load_description`, for what the recipe says. What stands against the changes
        is told in `Loaded.lost`.
    """
    base = load_description(source, edits, progress)
    if kept is None:
        return Loaded(base, base, {})
    try:
        path = kept["metadata"]
        wanted = replace(source, metadata=None if path is None else Path(path), variables=kept["said"])
        own = base if wanted == source else load_description(wanted, (), progress)
        known = dict(zip(own.metadata.names, own.metadata.variables, strict=True))
        stayed = [entry for entry in kept["variables"] if not isinstance(entry, str) or entry in known]
        variables = [known[entry] if isinstance(entry, str) else _variable(entry) for entry in stayed]
        names = set(base.metadata.names)
        origins = [entry if isinstance(entry, str) else entry["origin"] for entry in stayed]
        draft = own.with_variables(variables, [origin if origin in names else "" for origin in origins])
        labels = {name: dict(texts) for name, texts in kept["labels"].items()}
        return Loaded(base, draft, labels, overtaken=kept["over"] != _fingerprint(base))
    except PavoError as error:
        return Loaded(base, base, {}, lost=error)
    except (KeyError, TypeError, ValueError, AttributeError):  # kept by another version of the program
        return Loaded(base, base, {})


def _plain(variable: Variable, origin: str) -> dict[str, Any]:
    default = Variable(variable.name)
    said = {
        field.name: getattr(variable, field.name)
        for field in fields(Variable)
        if getattr(variable, field.name) != getattr(default, field.name)
    }
    said |= {name: [list(pair) for pair in said[name]] for name in _TUPLES if name in said}
    if "missing" in said:
        said["missing"] = list(said["missing"])
    if "codelist" in said:
        said["codelist"] = str(said["codelist"])
    return {"origin": origin, "name": variable.name, **said}


def _variable(plain: Mapping[str, Any]) -> Variable:
    said = {name: value for name, value in plain.items() if name != "origin"}
    said |= {name: tuple(map(tuple, said[name])) for name in _TUPLES if name in said}
    if "missing" in said:
        said["missing"] = tuple(said["missing"])
    if "codelist" in said:
        said["codelist"] = Path(said["codelist"])
    return Variable(**said)


def _fingerprint(base: Description) -> str:
    """Of what a draft was made over."""
    said = base.metadata, base.input.variables, base.origins
    return hashlib.sha256(repr(said).encode()).hexdigest()
