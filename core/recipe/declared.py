"""Entries of a recipe that are made from declarations: ``[[measures]]`` and ``[[perturbations]]``.

A measure or a method of perturbation is one file, and what it declares of itself here is all that the rest of the
program knows of it: reading and writing its entry, what is refused, summary, report, records and guide follow.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar, cast

from ..base.errors import RecipeError
from ..base.texts import mark
from .model import ByCode, Measure, Perturbation, Recipe
from .toml_fields import LARGEST, TomlTable, absolute_path

Section = Literal["measures", "perturbations"]
Entry = Measure | Perturbation

_REGISTRIES: dict[Section, str] = {
    "measures": "..risk.measures.registry",
    "perturbations": "..perturbation.registry",
}
"""Where the declarations of a section stand; they lie above the recipe, and are looked up when a recipe has some."""


@dataclass(frozen=True)
class Parameter:
    """One key of an entry.

    Attributes
    ----------
    name : the key
    type : ``variables`` are names of variables of the file, ``sets`` lists of them, ``scenarios`` names of scenarios,
        ``matrix`` rows of numbers, ``number-by-code`` one number or a table of numbers by code, ``file`` a path,
        ``name-or-file`` one of `choices` or the path of a TOML file; the others are as TOML has them, or as the methods
        of `TomlTable` read them
    sentence : what it says
    default : as used where the entry does not say it; None: nothing
    low, high : range of a number, both included
    low_included, high_included : whether `low` and `high` themselves are in the range
    choices : of a ``choice`` or a ``name-or-file``
    retired : of a ``choice``, (value, what to do instead) of those that are offered no longer
    holds : what else a value has to be, as a test of it; `expected` says it in words
    inside : of a ``table``, the class of what it says
    required : whether every entry has to say it
    only_with : (name, value) of another parameter, with which alone this one means something
    as_read : whether its variables may be any of the file, read as they are, rather than key variables
    apart : whether its variables must not be among the entry's own `variables`
    format : how the report writes it, one of those of `core.report.numbers.column`
    outside : of a perturbation, whether outsiders are told: ``to-correct`` unless the entry says ``withhold``, and
        ``never`` what would help to undo the change
    ordered : whether it means something in which order variables or sets of them are named
    by_variable : of a ``number-by-code``, whether its table is by variable
    of_own : of ``sets``, whether they are of the entry's own variables alone
    proposed : where an entry has to say it, what a form begins with; None: nothing
    """

    name: str
    type: Literal[
        "integer", "number", "number-by-code", "boolean", "choice", "text", "variables", "sets", "scenarios", "matrix",
        "file", "files", "name-or-file", "date", "texts", "text-or-integer", "checksum", "checksums", "secret",
        "answers", "table",
    ]  # fmt: skip
    sentence: str
    default: Any = None
    low: float | None = None
    high: float | None = None
    low_included: bool = True
    high_included: bool = True
    choices: tuple[str, ...] = ()
    retired: tuple[tuple[str, str], ...] = ()
    holds: Callable[[Any], object] | None = None
    expected: str = ""
    inside: Any = None
    required: bool = False
    only_with: tuple[str, str | bool] | None = None
    as_read: bool = False
    apart: bool = False
    format: str = "exact"
    outside: Literal["told", "to-correct", "never"] = "told"
    ordered: bool = False
    by_variable: bool = False
    of_own: bool = False
    proposed: Any = None

    def read(self, table: TomlTable) -> Any:
        """The value that `table` says, in the form that it has in memory; None where it says none.

        Raises
        ------
        RecipeError
            A wrong type, or a value out of range, naming the key.
        """
        if self.required:
            table.require(self.name)
        value = self._taken(table)
        if value is not None and self.holds is not None and not self.holds(value):
            table.refuse(self.name, list(value) if isinstance(value, tuple) else value, self.expected)
        return value

    def _taken(self, table: TomlTable) -> Any:
        if self.type == "integer":
            low, high = (None if end is None else int(end) for end in (self.low, self.high))
            return table.integer(self.name, -LARGEST if low is None else low, high)
        if self.type in ("number", "number-by-code"):
            low_end, high_end = (
                -math.inf if self.low is None else self.low,
                math.inf if self.high is None else self.high,
            )
            if self.type == "number-by-code":
                return table.number_by_code(self.name, low_end, high_end, low_included=self.low_included)
            included = {"low_included": self.low_included, "high_included": self.high_included}
            return table.number(self.name, low_end, high_end, **included)
        if self.type == "choice":
            return table.choice(self.name, self.choices, dict(self.retired))
        if self.type == "name-or-file":
            return table.name_or_path(self.name, self.choices)
        if self.type in ("variables", "scenarios"):
            return table.texts(self.name, distinct=True, empty=False)
        if self.type == "texts":
            return table.texts(self.name, distinct=True)
        if self.type == "files":
            return table.paths(self.name) or table.path(self.name)
        readers: dict[str, Callable[[str], Any]] = {
            "boolean": table.boolean,
            "text": table.text,
            "sets": table.sets,
            "matrix": table.matrix,
            "file": table.path,
            "date": table.date,
            "text-or-integer": table.text_or_integer,
            "checksum": table.checksum,
            "checksums": table.checksums,
            "secret": table.secret,
            "answers": table.table,
            "table": table.table,
        }
        return readers[self.type](self.name)


SCENARIO = Parameter(
    "scenario", "text", mark("The scenario on whose variables it is taken, in place of variables of its own.")
)
"""What every measure can say."""


COMMON: tuple[Parameter, ...] = (
    Parameter(
        "within",
        "variables",
        mark(
            "Categorical variables: values are changed only within records that agree on all of them; missing is a "
            "value of its own."
        ),
        apart=True,
    ),
    Parameter(
        "households",
        "boolean",
        mark("Whether the members of a household get one draw in household variables."),
        default=True,
    ),
    Parameter(
        "seed",
        "integer",
        mark("What random draws follow from, together with data and entry."),
        1,
        low=0,
        outside="never",
    ),
)
"""What every perturbation before the recodes can say."""

WITHHOLD = Parameter(
    "withhold",
    "boolean",
    mark("Whether users of the file are not told how much was changed; they cannot correct their estimates then."),
    outside="never",
)
"""What perturbations can say whose extent users need to know; it changes no value."""


@dataclass(frozen=True)
class Figure:
    """One figure of the summary: its key, its title, how the report writes it, and what it says.

    `format` is one of those of `core.report.numbers.column`. `of_records` says that it tells of single records: no
    report for outsiders has it. `rows`: it is a list of objects with these figures, a table of the report.
    """

    name: str
    title: str
    format: str
    sentence: str
    of_records: bool = False
    rows: tuple[Figure, ...] = ()


@dataclass(frozen=True)
class Guide:
    """What the guide says of a measure beside its declaration, in sentences with Markdown."""

    assumes: str
    not_for: str
    formula: str
    source: str


@dataclass(frozen=True)
class RecordFigure:
    """One column of ``records.csv``, called ``name_m1`` in the first measure; with `by` one for each of its variables.

    `by` is a parameter of type ``variables``; the columns are then called ``name_m1_VARIABLE``.
    """

    name: str
    sentence: str
    by: str = ""


@dataclass(frozen=True)
class Declaration:
    """What a measure or a method of perturbation says of itself.

    Attributes
    ----------
    name : in the recipe
    title : on screen and in reports
    group : of several that belong together
    sentence : what it says or does
    parameters, figures, columns : see there
    of_records : whether it is taken on single records of any variables of the file rather than on keys
    has_variables : whether an entry says the variables that it is taken on
    instead : names of parameters with one of which it need not say them
    of_sets : whether a value of its variables may be a set, whose members it is given
    at_most_one : names of parameters of which an entry says one or none
    of_the_weight : whether it concerns the weight variable, so that there has to be one; an entry can name it
    once : whether a recipe says it at most once
    at_writing : whether values are changed as the safe file is written; else before recodes and tables
    unjudged : whether what is told of one record by a table of its variables is no risk any more (a known probability
        links released and true values), so that no risk table may have them
    of_households : whether whole households are changed, whatever its variables are
    told : what the report says was done, with parameters in braces
    told_outside : the same for outsiders who may not know these parameters
    missing_apart : of a perturbation, whether what it makes of several variables depends on which of their missing
        codes a value has
    plainly : of a perturbation, given its variables and parameters, the parameters without what is so anyhow: nothing
        is drawn anew because an entry says it
    check : refuses parameters that contradict each other or themselves, given the entry's path and the parameters used
    guide : what its part of the guide says beside all this
    """

    name: str
    title: str
    group: str
    sentence: str
    parameters: tuple[Parameter, ...] = ()
    figures: tuple[Figure, ...] = ()
    columns: tuple[RecordFigure, ...] = ()
    of_records: bool = False
    has_variables: bool = True
    instead: tuple[str, ...] = ()
    of_sets: bool = False
    at_most_one: tuple[str, ...] = ()
    of_the_weight: bool = False
    once: bool = False
    at_writing: bool = False
    unjudged: bool = False
    of_households: bool = False
    missing_apart: bool = False
    plainly: Callable[[tuple[str, ...], Mapping[str, Any]], Mapping[str, Any]] | None = None
    told: str = ""
    told_outside: str = ""
    check: Callable[[str, Mapping[str, Any]], object] | None = None
    guide: Guide | None = None

    def used(self, entry: Entry) -> dict[str, Any]:
        """The parameters as they are used: what `entry` says, else the default; without those that mean nothing."""
        said = dict(entry.parameters)
        known = self.all_parameters("measures" if isinstance(entry, Measure) else "perturbations")
        values = {parameter.name: said.get(parameter.name, parameter.default) for parameter in known}
        return {p.name: values[p.name] for p in known if values[p.name] is not None and _means(p, values)}

    def all_parameters(self, section: Section) -> tuple[Parameter, ...]:
        """Its own parameters and those that every entry of `section` can say."""
        own = {parameter.name for parameter in self.parameters}
        if section == "measures":
            return (SCENARIO, *self.parameters)
        common = () if self.at_writing else COMMON
        return (*self.parameters, *(parameter for parameter in common if parameter.name not in own))

    def renamed(self, entry: Entry, new: Callable[[str], str]) -> Iterator[tuple[str, Any]]:
        """The parameters of `entry` with other names of variables, without those that are called nothing any more."""
        section: Section = "measures" if isinstance(entry, Measure) else "perturbations"
        known = self.all_parameters(section)
        types = {parameter.name: parameter.type for parameter in known}
        for key, value in entry.parameters:
            changed: tuple[Any, ...] | ByCode
            if types.get(key) == "variables":
                changed = _renamed(value, new)
            elif types.get(key) == "sets":
                left: dict[frozenset[str], tuple[str, ...]] = {}
                for names in (_renamed(each, new) for each in value):
                    left.setdefault(frozenset(names), names)
                changed = tuple(names for names in left.values() if names)
                if not changed and any(each.name == key and each.of_own for each in known):
                    changed = tuple((name,) for name in _renamed(entry.variables, new)[:1])  # as it is said by itself
            elif isinstance(value, ByCode) and any(each.name == key and each.by_variable for each in known):
                changed = ByCode({called: each for name, each in value.items() if (called := new(name))})
            else:
                yield key, value
                continue
            if changed:
                yield key, changed

    def is_complete(self, entry: Entry) -> bool:
        """Whether `entry` says all that has to be said."""
        said = dict(entry.parameters)
        has_keys = not self.has_variables or entry.variables or self.says_keys(said)
        return bool(has_keys) and all(parameter.name in said for parameter in self.parameters if parameter.required)

    def says_keys(self, said: Collection[str]) -> bool:
        """Whether something of what is `said` names the variables of a measure."""
        return any(name in said for name in (SCENARIO.name, *self.instead))


def _renamed(names: Iterable[str], new: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(name for old in names if (name := new(old)))


class Declared(Protocol):
    """A module with a declaration."""

    DECLARATION: Declaration


Module = TypeVar("Module", bound=Declared)


class Registry(Generic[Module]):
    """All that a section of the recipe may name.

    Parameters
    ----------
    word : the key that names it, ``kind`` or ``method``
    modules : what this version carries out, one module each
    coming : names of what it does not, refused as such
    merged : by former name, what has its figures now, and the parameters it had by default
    """

    def __init__(
        self,
        word: str,
        modules: Iterable[Module],
        coming: tuple[str, ...] = (),
        merged: Mapping[str, tuple[str, Mapping[str, Any]]] | None = None,
    ) -> None:
        self.word = word
        self.merged = merged or {}
        self._modules = {module.DECLARATION.name: module for module in modules}
        self.coming = coming

    @property
    def names(self) -> tuple[str, ...]:
        """All names that a recipe may say."""
        return (*self._modules, *self.coming)

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """Of what this version carries out."""
        return tuple(module.DECLARATION for module in self._modules.values())

    def __getitem__(self, name: str) -> Module:
        return self._modules[name]

    def declaration(self, name: str) -> Declaration | None:
        """The declaration of `name`; None where this version does not have it."""
        return self._modules[name].DECLARATION if name in self._modules else None

    def named(self, entry: Entry) -> str:
        """What `entry` is one of."""
        return cast(str, getattr(entry, self.word))


def registry(section: Section) -> Registry[Declared]:
    """The registry of `section`."""
    return cast(Registry[Declared], importlib.import_module(_REGISTRIES[section], __package__).REGISTRY)


def entries_of(recipe: Recipe) -> Iterator[tuple[Section, int, Entry]]:
    """(section, number from 1, entry) of all declared entries of `recipe`."""
    yield from (("measures", number, entry) for number, entry in enumerate(recipe.measures, 1))
    yield from (("perturbations", number, entry) for number, entry in enumerate(recipe.perturbations, 1))


def files_of(recipe: Recipe) -> list[Path]:
    """The files that declared entries name."""
    parameters = (pair for _section, _number, entry in entries_of(recipe) for pair in entry.parameters)
    return [value for _name, value in parameters if isinstance(value, Path)]


def declaration_of(section: Section, entry: Entry) -> Declaration | None:
    """The declaration that `entry` follows; None where this version does not have it."""
    known = registry(section)
    return known.declaration(known.named(entry))


def variables_of(section: Section, entry: Entry) -> Iterator[tuple[str, str]]:
    """(key, variable) of all variables that `entry` names."""
    yield from (("variables", name) for name in entry.variables)
    declaration, said = declaration_of(section, entry), dict(entry.parameters)
    for parameter in declaration.all_parameters(section) if declaration else ():
        if parameter.type == "variables":
            yield from ((parameter.name, name) for name in said.get(parameter.name, ()))
        if parameter.type == "sets":
            yield from ((parameter.name, name) for names in said.get(parameter.name, ()) for name in names)


def measured_variables(measure: Measure, *, keys: bool) -> Iterator[tuple[str, str]]:
    """(key, variable) of those that `measure` takes as key variables, or of those that it reads as they are."""
    declaration = declaration_of("measures", measure)
    read = {parameter.name for parameter in declaration.parameters if parameter.as_read} if declaration else set()
    all_read = declaration is not None and declaration.of_records
    for key, name in variables_of("measures", measure):
        if (all_read or key in read) != keys:
            yield key, name


def read_entry(table: TomlTable, section: Section) -> tuple[str, tuple[str, ...], tuple[tuple[str, Any], ...]]:
    """Name, variables and parameters (sorted by name) of an entry; of what is not available they are kept as they are.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    known = registry(section)
    table.require(known.word)
    name = cast(str, table.choice(known.word, (*known.names, *known.merged)))
    by_default: Mapping[str, Any] = {}
    if name in known.merged:
        former, (name, by_default) = name, known.merged[name]
        table.note_former(known.word, former, f'{known.word} = "{name}"')
    declaration = known.declaration(name)
    if declaration is None:
        variables = table.texts("variables", distinct=True, empty=False) or ()
        parameters = {key: _kept(table, key, value) for key, value in table.rest().items()}
    else:
        named = declaration.has_variables or declaration.of_the_weight
        variables = (table.texts("variables", distinct=True, empty=False) or ()) if named else ()
        parameters = {parameter.name: parameter.read(table) for parameter in declaration.all_parameters(section)}
        parameters |= {key: value for key, value in by_default.items() if parameters[key] is None}
        said = [key for key, value in parameters.items() if value is not None]
        if declaration.has_variables and not variables and not declaration.says_keys(said):
            table.require("variables")
    table.finish()
    return name, variables, tuple(sorted((key, value) for key, value in parameters.items() if value is not None))


def check_entry(section: Section, number: int, entry: Entry) -> None:
    """Refuse an entry, number `number` of its section, that could not be read or that contradicts itself.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    known, where = registry(section), f"{section}[{number}]"
    values = {known.word: known.named(entry), **{key: _toml(value) for key, value in entry.parameters}}
    if entry.variables:
        values["variables"] = list(entry.variables)
    read_entry(TomlTable(values, where, Path.cwd()), section)
    declaration = known.declaration(known.named(entry))
    if declaration is not None:
        _check_together(where, declaration.all_parameters(section), declaration, entry)


def _check_together(where: str, parameters: tuple[Parameter, ...], declaration: Declaration, entry: Entry) -> None:
    said = {parameter.name: parameter.default for parameter in parameters} | dict(entry.parameters)
    if said.get(SCENARIO.name) is not None and entry.variables:
        raise RecipeError(
            "recipe-contradiction",
            mark("{key} says variables and scenario, but the scenario has the variables."),
            mark("Keep one of them."),
            key=where,
        )
    for parameter in parameters:
        if parameter.only_with and said[parameter.name] != parameter.default and not _means(parameter, said):
            other, value = parameter.only_with
            raise RecipeError(
                "recipe-contradiction",
                mark("{key} belongs to {other} = {value} only."),
                key=f"{where}.{parameter.name}",
                other=other,
                value=f'"{value}"' if isinstance(value, str) else str(value).lower(),
            )
        twice = sorted({*(said[parameter.name] or ())} & {*entry.variables}) if parameter.apart else []
        if twice:
            raise RecipeError(
                "recipe-contradiction",
                mark("{key}: {variable} is also in {where}.variables, and cannot be both."),
                mark("Take it out of one of them."),
                key=f"{where}.{parameter.name}",
                variable=twice[0],
                where=where,
            )
    several = [name for name in declaration.at_most_one if said[name] is not None]
    if len(several) > 1:
        raise RecipeError(
            "recipe-contradiction",
            mark("{key} says {said}, but these exclude each other."),
            mark("Keep one of them."),
            key=where,
            said=", ".join(several),
        )
    if declaration.check is not None:
        declaration.check(where, declaration.used(entry))


def _means(parameter: Parameter, values: Mapping[str, Any]) -> bool:
    return parameter.only_with is None or values.get(parameter.only_with[0]) == parameter.only_with[1]


def _toml(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_toml(item) for item in value]
    if isinstance(value, ByCode):
        return dict(value)
    return str(value) if isinstance(value, Path) else value


def _kept(table: TomlTable, name: str, value: object) -> Any:
    if name == "released" and isinstance(value, str):
        return absolute_path(value, table.folder)
    if isinstance(value, list):
        return tuple(_kept(table, name, item) for item in value)
    if not isinstance(value, bool | int | float | str):
        table.refuse(name, value, mark("a number, a text, true or false, or a list of these"))
    return value
