"""The sections of a recipe, declared once: what reads one, what is refused, and the guide's page follow from here.

A further section is a class in `core.recipe.model` whose attributes say by `key` what they mean, an attribute of
`Recipe`, and a `RecipeSection` here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from datetime import date
from functools import cached_property
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ..base.texts import mark
from . import model
from .analyses import check_analysis
from .answers import read_answers
from .criteria import CRITERIA
from .declared import Parameter, read_entry
from .model import HouseholdKey, Measure, MultiResponseKey, NumericEdit, Perturbation
from .toml_fields import TomlTable, absolute_path

_CODELIST = re.compile(r'<CODELIST>\s*+(?:"([^"]+)"|(.+))', re.IGNORECASE)


@dataclass(frozen=True)
class RecipeSection:
    """A section, or a table inside one.

    Attributes
    ----------
    name : in the recipe
    title : in the guide, which says other pages of a section without one
    owner : class of what it says, whose attributes declare the keys; None: `reads` makes it
    form : ``[name]``, ``[[name]]``, or ``[name.ENTRY]`` of entries with names
    required : keys without which it is refused, in the order in which they are missed
    first : keys that are read before the others
    further : keys that are no attributes: of earlier versions, or of what `reads` makes
    completes : given the table and what it says by key, None where it says nothing; changes that where one key decides
        about another
    checks : refuses what contradicts itself, given the place and what was read
    reads : what a table says, where it is not an `owner`
    """

    name: str
    title: str = ""
    owner: type | None = None
    form: Literal["table", "tables", "named"] = "table"
    required: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    further: tuple[Parameter, ...] = ()
    completes: Callable[[TomlTable, dict[str, Any]], object] | None = None
    checks: Callable[[str, Any], object] | None = None
    reads: Callable[[TomlTable], Any] | None = None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """All keys, in the order in which they are read."""
        by_name = {parameter.name: parameter for parameter in (*_declared(self.owner), *self.further)}
        return tuple(by_name[name] for name in dict.fromkeys((*self.first, *by_name)))

    def of(self, top: TomlTable) -> Any:
        """What the recipe `top` says in this section, in the form in which `model.Recipe` has it.

        Raises
        ------
        RecipeError
            Naming the key.
        """
        read = self.reads or self.read
        if self.form == "tables":
            return tuple(read(table) for table in top.tables(self.name))
        table = top.table(self.name)
        if self.form == "named":
            return () if table is None else tuple(self.read(edit, name=name) for name, edit in table.named_tables())
        return read(table) if table is not None else None if self.owner is None else self.owner()

    def read(self, table: TomlTable, **given: Any) -> Any:
        """What `table` says as an `owner`, with the attributes `given`; the model's defaults stand for the rest.

        Raises
        ------
        RecipeError
            Naming the key.
        """
        assert self.owner is not None
        said = self.said(table) | given
        attributes = {each.name for each in fields(self.owner)}
        entry = self.owner(**{name: value for name, value in said.items() if value is not None and name in attributes})
        if self.checks is not None:
            self.checks(table.where, entry)
        return entry

    def said(self, table: TomlTable) -> dict[str, Any]:
        """The value of every key, None where `table` says none; whatever else it says is refused.

        Raises
        ------
        RecipeError
            Naming the key.
        """
        for name in self.required:
            table.require(name)
        said: dict[str, Any] = {}
        for parameter in self.parameters:
            value = parameter.read(table)
            if parameter.type == "table" and value is not None:
                value = _INSIDE[parameter.inside].read(value)
            said[parameter.name] = value
        if self.completes is not None:
            self.completes(table, said)
        table.finish()
        return said


def _declared(owner: type | None) -> list[Parameter]:
    """The attributes of `owner` that are keys: type, default and choices are those of the attribute."""
    if owner is None:
        return []
    hints = get_type_hints(owner, vars(model))
    found = []
    for each in fields(owner):
        if "sentence" in each.metadata:
            default = None if each.default is MISSING else each.default
            declared = _of_hint(hints[each.name]) | {"default": default} | dict(each.metadata)
            declared.pop("always", None)
            found.append(Parameter(each.name, **declared))
    return found


def _of_hint(hint: Any) -> dict[str, Any]:
    options = [each for each in get_args(hint) if each is not NoneType]
    if get_origin(hint) is Literal:
        return {"type": "choice", "choices": get_args(hint)}
    if get_origin(hint) is tuple:
        return {"type": "variables"}
    if options:
        return _of_hint(options[0])
    types = {bool: "boolean", int: "integer", float: "number", str: "text", Path: "file", date: "date"}
    return {"type": types[hint]} if hint in types else {"type": "table", "inside": hint}


def _one_or_parts(_table: TomlTable, said: dict[str, Any]) -> None:
    if isinstance(said["data"], tuple):
        said["parts"] = said.pop("data")


def _rule_by_model(_table: TomlTable, said: dict[str, Any]) -> None:
    if said["missing_rule"] is None and said["model"] is not None:
        said["missing_rule"] = CRITERIA[said["model"]].missing_rules[0]


def _codelist_of_scheme(table: TomlTable, said: dict[str, Any]) -> None:
    """The codelist that the text of the scheme names, where that lies in the recipe's folder."""
    lines = (said["scheme"] or "").split("\n")
    named = next(filter(None, (_CODELIST.fullmatch(line.strip()) for line in lines)), None)
    if named is None or said["codelist"] is not None:
        return
    path = absolute_path((named[1] or named[2]).replace("\\", "/"), table.folder)
    said["codelist"] = path if os.path.isfile(path) else None  # noqa: PTH113


def _no_zero_below_zero(_table: TomlTable, said: dict[str, Any]) -> None:
    said["at"] = said["at"] or 0.0


def _nothing_retired(table: TomlTable, said: dict[str, Any]) -> None:
    if (most := said["max_per_record"]) not in (None, 1):
        table.refuse_retired("max_per_record", most, _NO_MOST)


def _word_retired(table: TomlTable, said: dict[str, Any]) -> None:
    if (word := said["word"]) is not None:
        table.refuse_retired("word", word, _NO_WORD)


def _answered(_table: TomlTable, said: dict[str, Any]) -> None:
    if said["answers"] is not None:
        said["answers"] = read_answers(said["answers"])


_NO_WORD = mark("Remove the line. Households are called households in every text.")
_NO_MOST = mark("Remove the line. It belonged to the mode released-counts, which is no longer offered.")
_SUFFICIENT = mark(
    "Remove the line. Every member of an unsafe household is brought below the threshold divided by the number of "
    "members; more values can be suppressed than before."
)


def _derived(table: TomlTable) -> HouseholdKey | MultiResponseKey:
    keys = {parameter.name: parameter for parameter in DERIVED.parameters}
    name, kind = keys["name"].read(table), keys["kind"].read(table)
    if kind != "set":
        members = keys["members"].read(table) if kind == "household-type" else None
        table.finish()
        return HouseholdKey(name, kind, members or ())
    variable = keys["variable"].read(table)
    missed = "set" if variable is None else "separator"
    table.require(missed)
    said = keys[missed].read(table)
    table.finish()
    return MultiResponseKey(name, said) if variable is None else MultiResponseKey(name, (variable,), said)


def _numeric_or_noise(table: TomlTable) -> tuple[NumericEdit | None, Perturbation | None]:
    """An entry; its former key ``noise`` as the perturbation of the variable that it is said of."""
    said = NUMERIC.said(table)
    share = said.pop("noise")
    entry = NumericEdit(**said)
    if not share:
        return entry, None
    table.note_former("noise", share, '[[perturbations]] method = "weight-noise"', entry.variable)
    noise = Perturbation("weight-noise", (entry.variable,), (("share", share),))
    return (None if entry == NumericEdit(entry.variable) else entry), noise


DERIVED = RecipeSection(
    "derived",
    "`[[derived]]`: keys made of other columns",
    form="tables",
    reads=_derived,
    further=(
        Parameter(
            "name",
            "text",
            "What the key is called in combinations. A name that the file has is refused.",
            required=True,
            holds=str.strip,
            expected=mark("the name of a variable"),
        ),
        Parameter(
            "kind",
            "choice",
            "The number of members, the type of the household, or the set of values in several columns.",
            required=True,
            choices=("household-size", "household-type", "set"),
        ),
        Parameter(
            "members",
            "variables",
            "`household-type`: variables that tell members apart. Without them the type is the size in classes.",
        ),
        Parameter("variable", "text", "`set`: the one column that holds several values; in place of `set`."),
        Parameter(
            "set",
            "texts",
            "`set`: at least two columns whose values make the key.",
            holds=lambda columns: len(columns) >= 2,
            expected=mark("a list of at least two variables"),
        ),
        Parameter(
            "separator",
            "text",
            "`set`: what stands between two values in that column. Required with `variable`.",
            holds=bool,
            expected=mark('what stands between two values, such as ";"'),
        ),
    ),
)
NUMERIC = RecipeSection(
    "numeric",
    "`[[numeric]]`: changes to numbers",
    NumericEdit,
    "tables",
    required=("variable",),
    reads=_numeric_or_noise,
    further=(
        Parameter(
            "noise",
            "number",
            "The weight only: an earlier form of `weight-noise` in `[[perturbations]]`, and read as that.",
            low=0.0,
            high=1.0,
        ),
    ),
)
THRESHOLD = RecipeSection(
    "threshold",
    "`[threshold]`, or `threshold` of a combination",
    model.Threshold,
    first=("individual_risk", "reidentification_rate", "household_risk", "household_rate", "unsafe_records"),
)
CUT = RecipeSection(
    "numeric.top",
    "`top` and `bottom` of `[[numeric]]`",
    model.TopBottomCode,
    required=("at", "replacement"),
    completes=_no_zero_below_zero,
)
_INSIDE: dict[type | None, RecipeSection] = {model.Threshold: THRESHOLD, model.TopBottomCode: CUT}

SECTIONS: tuple[RecipeSection, ...] = (
    RecipeSection(
        "perturbations", form="tables", reads=lambda table: Perturbation(*read_entry(table, "perturbations"))
    ),
    NUMERIC,
    RecipeSection(
        "input",
        "`[input]`: the files that are read",
        model.Input,
        first=(
            *("data", "metadata", "format", "delimiter", "header", "encoding", "decimal", "units", "sha256"),
            "checksums",
        ),
        completes=_one_or_parts,
    ),
    RecipeSection("variables", "`[variables.NAME]`: what differs from the metadata", model.VariableEdit, "named"),
    DERIVED,
    RecipeSection(
        "households",
        "`[households]`: how household identifiers are read",
        model.HouseholdSettings,
        further=(Parameter("word", "text", "Of earlier versions; refused."),),
        completes=_word_retired,
    ),
    RecipeSection(
        "combinations",
        "`[[combinations]]`: key variables, and how they are judged",
        model.Combination,
        "tables",
        required=("variables",),
        completes=_rule_by_model,
    ),
    RecipeSection(
        "recodes",
        "`[[recodes]]`: global recodes",
        model.Recode,
        "tables",
        required=("variable",),
        completes=_codelist_of_scheme,
    ),
    RecipeSection(
        "scenarios",
        "`[[scenarios]]`: what an intruder could know",
        model.Scenario,
        "tables",
        required=("variables", "name"),
    ),
    THRESHOLD,
    RecipeSection(
        "suppression",
        "`[suppression]`: how values are blanked",
        model.Suppression,
        further=(
            Parameter(
                "household_rule",
                "choice",
                "Of earlier versions; decides nothing. `exact` is refused.",
                choices=("sufficient",),
                retired=(("exact", _SUFFICIENT),),
            ),
            Parameter(
                "max_per_record", "integer", "Of earlier versions; decides nothing. More than 1 is refused.", low=1
            ),
        ),
        completes=_nothing_retired,
    ),
    RecipeSection("measures", form="tables", reads=lambda table: Measure(*read_entry(table, "measures"))),
    RecipeSection(
        "profile", "`[profile]`: rules that the safe file has to keep", model.ProfileFile, required=("file",)
    ),
    RecipeSection(
        "target", "`[target]`: for whom the safe file is, and by which rules", model.Target, required=("profile",)
    ),
    RecipeSection(
        "accepted",
        "`[[accepted]]`: open rules of the target that a person accepts",
        model.Accepted,
        "tables",
        required=("rule", "by", "on", "reason"),
    ),
    RecipeSection(
        "utility", "`[[utility]]`: analyses made of both files", model.Analysis, "tables", checks=check_analysis
    ),
    RecipeSection(
        "report",
        "`[report]`: what the report says of itself",
        model.Report,
        first=("answers",),
        completes=_answered,
    ),
    RecipeSection("output", "`[output]`: the files that are written", model.Output),
)
"""In the order in which they are read, which is that of the keys that a refusal lists."""
