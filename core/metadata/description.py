"""A description of variables under edit: loaded from a recipe, and turned back into the least that says it.

It is kept against a crash as plain values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ..base.errors import MetadataError, Notice, PavoError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.variables import Metadata, Variable
from ..recipe.model import Input, VariableEdit
from .describe import describe_unverified, with_edit


@dataclass(frozen=True)
class Description:
    """The input of a recipe and its variables, contradictions included.

    Attributes
    ----------
    input : as the recipe says it
    metadata : every variable as it is to be
    origins : what the rest of the recipe calls each variable; "" for one that it does not know
    notices : what reading the metadata file had to say
    """

    input: Input
    metadata: Metadata
    origins: tuple[str, ...]
    notices: tuple[Notice, ...] = ()

    def with_variables(self, variables: Sequence[Variable], origins: Sequence[str] | None = None) -> Description:
        """A copy that describes other variables; origins stay where none are given."""
        known = self.origins if origins is None else tuple(origins)
        return replace(self, metadata=replace(self.metadata, variables=tuple(variables)), origins=known)

    @property
    def names_are_given(self) -> bool:
        """Whether the data file itself names its columns, so that a variable cannot have another name."""
        return self.metadata.format != "fixed" and self.metadata.header


def load_description(source: Input, edits: Sequence[VariableEdit], progress: Progress = SILENT) -> Description:
    """What the recipe says of its variables; none where a fixed file has no description yet.

    Raises
    ------
    PavoError
        As `core.metadata.describe.describe_unverified`.
    """
    progress.check()
    try:
        metadata, notices = describe_unverified(source, edits)
    except MetadataError as error:
        if error.id != "no-description":
            raise
        metadata, notices = describe_unverified(replace(source, variables="here"), ())
    return Description(source, metadata, metadata.names, notices)


def edits_of(description: Description, progress: Progress = SILENT) -> tuple[Input, tuple[VariableEdit, ...]]:
    """The least that a recipe has to say for `description`: input and edits.

    Only what differs from the metadata file or header is written. Where differences cannot say it (variables added,
    taken out, renamed, or without the codelist that they had) the edits are the whole description and the input says
    ``variables = "here"``.

    Raises
    ------
    MetadataError
        ``description-unsayable``: a variable of a file with a header is called otherwise than its column.
    """
    progress.check()
    wanted, source = description.metadata.variables, description.input
    for kind in ("from-metadata", "here")[source.variables == "here" :]:
        said = replace(source, variables=kind)  # type: ignore[arg-type]
        edits = _differences(said, wanted, description.metadata)
        if edits is not None and _says(said, edits, wanted):
            return said, edits
    raise MetadataError(
        "description-unsayable",
        mark("The variables cannot be described so: the file's header names its columns otherwise."),
        mark("Give each variable the name of its column."),
    )


def _says(source: Input, edits: tuple[VariableEdit, ...], wanted: tuple[Variable, ...]) -> bool:
    return describe_unverified(source, edits)[0].variables == wanted


def _differences(source: Input, wanted: tuple[Variable, ...], metadata: Metadata) -> tuple[VariableEdit, ...] | None:
    """Edits that make `wanted` of what `source` says by itself; None where the variables are not the same."""
    if source.variables == "here":
        bases = describe_unverified(source, [VariableEdit(v.name) for v in wanted])[0].variables
        return tuple(_edit(base, v, True, metadata) for base, v in zip(bases, wanted, strict=True))
    try:
        known = {v.name: v for v in describe_unverified(source, ())[0].variables}
    except MetadataError as error:
        if error.id != "no-description":
            raise
        return None
    if tuple(known) != tuple(v.name for v in wanted):
        return None
    implied = source.metadata is None
    edits = (_edit(known[v.name], v, implied, metadata) for v in wanted)
    return tuple(edit for edit in edits if edit != VariableEdit(edit.name))


def _edit(base: Variable, wanted: Variable, implied: bool, metadata: Metadata) -> VariableEdit:
    said = _different(base, wanted)
    if metadata.format != "fixed" and metadata.header:
        said.pop("column", None)  # the header tells
    said |= _different(with_edit(base, VariableEdit(base.name, **said), implied), wanted, tuple(said))
    for name in ("categorical", "numeric"):
        fewer = {key: value for key, value in said.items() if key != name}
        made, full = (with_edit(base, VariableEdit(base.name, **each), implied) for each in (fewer, said))
        if made == full:
            said = fewer
    return VariableEdit(base.name, **said)


def _different(base: Variable, wanted: Variable, but: tuple[str, ...] = ()) -> dict[str, Any]:
    found = {}
    for field in fields(VariableEdit):
        value = getattr(wanted, field.name)
        if field.name not in ("name", *but) and value != getattr(base, field.name):
            found[field.name] = "" if field.name == "related" and value is None else value
    return found


Labels = Mapping[str, Mapping[str, str]]
_TUPLES = ("labels", "missing_ranges")


@dataclass(frozen=True)
class Loaded:
    """The recipe's description, and the unfinished changes to it.

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
