"""The recipe's TOML form: strict reading here, writing in `core.recipe.toml_writer`."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from core.base.charsets import USABLE, charset
from core.base.errors import RecipeError
from core.base.plain_file import read_plain
from core.base.texts import mark, phrase
from core.base.toml_text import TomlBeyondLimits, parse_toml
from core.recipe import model
from core.recipe.analyses import MOST_GOAL, check_analysis
from core.recipe.answers import read_answers
from core.recipe.declared import read_entry
from core.recipe.model import (
    LARGEST_EFFORT,
    MOST_RECORDS,
    OUTPUT_FILES,
    Analysis,
    Combination,
    Cut,
    HouseholdKey,
    HouseholdSettings,
    Input,
    Measure,
    Numeric,
    Output,
    Perturbation,
    ProfileFile,
    Recipe,
    Recode,
    Report,
    Scenario,
    SetKey,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.recipe.toml_fields import TomlTable, absolute_path
from core.recipe.toml_writer import RECIPE_VERSION, dumps

_CODELIST = re.compile(r'<CODELIST>\s*+(?:"([^"]+)"|(.+))', re.IGNORECASE)

LONGEST_WORD = 40

__all__ = ["RECIPE_VERSION", "dumps", "load", "parse", "parse_bytes", "read_bytes"]


def load(path: Path) -> Recipe:
    """The recipe in the file `path`.

    Raises
    ------
    RecipeError
        The file cannot be read, is not TOML, or says something that a recipe cannot say.
    """
    return parse_bytes(read_bytes(path), path)


def read_bytes(path: Path) -> bytes:
    """The content of the recipe file `path`, as `load` reads it."""
    try:
        return read_plain(path)
    except OSError as error:
        raise RecipeError(
            "recipe-unreadable",
            mark("The recipe {file} cannot be read: {reason}."),
            "",
            file=str(path),
            reason=error.strerror or str(error),
        ) from None


def parse_bytes(raw: bytes, path: Path) -> Recipe:
    """The recipe in `raw`, the content of the file `path`."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecipeError(
            "recipe-not-utf8",
            mark("The recipe {file} is not a text file in UTF-8: line {line}."),
            mark("Save it as UTF-8."),
            file=str(path),
            line=raw.count(b"\n", 0, error.start) + 1,
        ) from None
    return parse(text, path.absolute().parent)


def parse(text: str, folder: Path) -> Recipe:
    """The recipe in `text`; relative paths are taken from `folder`.

    Raises
    ------
    RecipeError
        Naming the key (elements of arrays counted from 1) and, for text that is not TOML, the line.
    """
    try:
        values = parse_toml(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(error) from None
    except TomlBeyondLimits as error:
        raise _unreadable(error) from None
    top = TomlTable(values, "", folder)
    _check_version(top)
    recipe = Recipe(
        input=_input(top),
        variables=_variables(top),
        derived=tuple(_derived(table) for table in top.tables("derived")),
        households=_households(top),
        combinations=tuple(_combination(table) for table in top.tables("combinations")),
        recodes=tuple(_recode(table) for table in top.tables("recodes")),
        numeric=tuple(_numeric(table) for table in top.tables("numeric")),
        perturbations=tuple(Perturbation(*read_entry(table, "perturbations")) for table in top.tables("perturbations")),
        scenarios=tuple(_scenario(table) for table in top.tables("scenarios")),
        threshold=_threshold(top),
        suppression=_suppression(top),
        measures=tuple(Measure(*read_entry(table, "measures")) for table in top.tables("measures")),
        profile=_profile(top),
        utility=tuple(_analysis(table) for table in top.tables("utility")),
        report=_report(top),
        output=_output(top),
    )
    top.finish()
    return recipe


def _syntax_error(error: tomllib.TOMLDecodeError) -> RecipeError:
    reason = str(error)
    place = re.search(r"\s*\(at (.*)\)$", reason)
    return RecipeError(
        "recipe-syntax",
        mark("The recipe is not valid TOML: {reason}, at {place}."),
        "",
        reason=reason[: place.start()] if place else reason,
        place=place[1] if place else mark("end of document"),
    )


def _unreadable(error: TomlBeyondLimits) -> RecipeError:
    return RecipeError(
        "recipe-beyond-limits",
        mark("The recipe cannot be read: {reason}."),
        mark("Correct it."),
        reason=error.reason,
    )


def _check_version(top: TomlTable) -> None:
    top.require("recipe")
    version = top.integer("recipe", 1)
    if version is not None and version > RECIPE_VERSION:
        raise RecipeError(
            "recipe-newer",
            mark("The recipe says recipe = {version}, but this program knows only up to recipe = {known}."),
            mark("Open it with a newer version of Pavo."),
            version=version,
            known=RECIPE_VERSION,
        )


@cache
def _hints(owner: type) -> dict[str, Any]:
    return get_type_hints(owner, vars(model))


def _choices(owner: type, name: str) -> tuple[str, ...]:
    """The texts that the model allows for attribute `name` of `owner`."""
    options = get_args(_hints(owner)[name])
    return tuple(text for option in options for text in (get_args(option) or (option,)) if isinstance(text, str))


def _said(owner: type, **values: Any) -> dict[str, Any]:
    """What the table says: the model's defaults stand for the rest."""
    names = {field.name for field in fields(owner)}
    return {name: value for name, value in values.items() if value is not None and name in names}


def _input(top: TomlTable) -> Input:
    table = top.table("input")
    if table is None:
        return Input()
    parts = table.paths("data")
    said = _said(
        Input,
        data=None if parts else table.path("data"),
        parts=parts or None,
        metadata=table.path("metadata"),
        format=table.choice("format", _choices(Input, "format")),
        delimiter=_delimiter(table),
        header=table.boolean("header"),
        encoding=_encoding(table),
        decimal=table.choice("decimal", (".", ",")),
        units=table.choice("units", _choices(Input, "units")),
        sha256=table.checksum("sha256"),
        checksums=table.checksums("checksums"),
        variables=table.choice("variables", _choices(Input, "variables")),
    )
    table.finish()
    return Input(**said)


def _delimiter(table: TomlTable) -> str | None:
    text = table.text("delimiter")
    if text is not None and (len(text) != 1 or text in '"\r\n'):
        table.refuse("delimiter", text, mark("one character that is neither a quote nor an end of line"))
    return text


def _encoding(table: TomlTable) -> str | None:
    text = table.text("encoding")
    if text is None:
        return None
    if charset(text) is None:
        table.refuse("encoding", text, phrase("one of these: {usable}", usable=USABLE))
    return text


def _variables(top: TomlTable) -> tuple[VariableEdit, ...]:
    table = top.table("variables")
    return () if table is None else tuple(_variable(name, edit) for name, edit in table.named_tables())


def _variable(name: str, table: TomlTable) -> VariableEdit:
    said = _said(
        VariableEdit,
        start=table.integer("start", 1),
        length=table.integer("length", 1),
        column=table.integer("column", 1),
        decimals=table.integer("decimals", 0, 18),
        label=table.text("label"),
        categorical=table.boolean("categorical"),
        numeric=table.boolean("numeric"),
        household=table.boolean("household"),
        sensitive=table.boolean("sensitive"),
        truncable=table.boolean("truncable"),
        removed=table.boolean("removed"),
        role=table.choice("role", _choices(VariableEdit, "role")),
        identification_level=table.integer("identification_level", 0, 5),
        missing=table.texts("missing", distinct=True),
        codelist=table.path("codelist"),
        related=table.text("related"),
        suppression_weight=table.integer("suppression_weight", 0, 100),
        suppressible=table.boolean("suppressible"),
        ordered=table.boolean("ordered"),
        decision=table.choice("decision", _choices(VariableEdit, "decision")),
        decided_by=table.text("decided_by"),
        reason=table.text("reason"),
    )
    table.finish()
    return VariableEdit(name=name, **said)


def _name(table: TomlTable, key: str) -> str:
    return _text_of(table, key, mark("the name of a variable"))


def _text_of(table: TomlTable, key: str, expected: str) -> str:
    table.require(key)
    text = table.text(key) or ""
    if not text.strip():
        table.refuse(key, text, expected)
    return text


def _derived(table: TomlTable) -> HouseholdKey | SetKey:
    name = _name(table, "name")
    table.require("kind")
    kind = table.choice("kind", (*_choices(HouseholdKey, "kind"), *_choices(SetKey, "kind")))
    if kind == "set":
        return _set_key(name, table)
    members = table.texts("members", distinct=True, empty=False) if kind == "household-type" else None
    table.finish()
    return HouseholdKey(name, kind, members or ())


def _set_key(name: str, table: TomlTable) -> SetKey:
    """The set of values in several columns (`set`), or in the one `variable`, between a `separator`."""
    variable = table.text("variable")
    if variable is None:
        table.require("set")
        columns = table.texts("set", distinct=True) or ()
        if len(columns) < 2:
            table.refuse("set", list(columns), mark("a list of at least two variables"))
        table.finish()
        return SetKey(name, columns)
    table.require("separator")
    separator = table.text("separator") or ""
    if not separator:
        table.refuse("separator", separator, mark('what stands between two values, such as ";"'))
    table.finish()
    return SetKey(name, (variable,), separator)


def _households(top: TomlTable) -> HouseholdSettings:
    table = top.table("households")
    if table is None:
        return HouseholdSettings()
    said = _said(
        HouseholdSettings,
        empty_id=table.choice("empty_id", _choices(HouseholdSettings, "empty_id")),
        single_persons_above=table.integer("single_persons_above", 1),
        word=_word(table),
    )
    table.finish()
    return HouseholdSettings(**said)


def _word(table: TomlTable) -> str | None:
    """What groups are called: one word, or a few, on one line."""
    text = table.text("word")
    if text is not None and (not text.strip() or len(text) > LONGEST_WORD or not text.isprintable()):
        table.refuse("word", text, mark('a word, such as "school"'))
    return text


def _combination(table: TomlTable) -> Combination:
    table.require("variables")
    said = _said(
        Combination,
        variables=table.texts("variables", distinct=True, empty=False),
        model=table.choice("model", _choices(Combination, "model")),
        count_threshold=table.integer("count_threshold", 0),
        k=table.integer("k", 1, MOST_RECORDS),
        missing_rule=table.choice("missing_rule", _choices(Combination, "missing_rule")),
        alpha=table.number("alpha", 0.0, 1.0),
        estimator=table.choice("estimator", _choices(Combination, "estimator")),
        threshold=_threshold(table),
    )
    table.finish()
    if said.get("model") == "k-anonymity":
        said.setdefault("missing_rule", "category")  # the rule by which it can be protected
    return Combination(**said)


def _recode(table: TomlTable) -> Recode:
    said = _said(
        Recode,
        variable=_name(table, "variable"),
        scheme_file=table.path("scheme_file"),
        scheme=table.text("scheme"),
        truncate=table.integer("truncate", 1),
        missing=table.texts("missing", distinct=True),
        codelist=table.path("codelist"),
    )
    table.finish()
    return _with_codelist(Recode(**said), table.folder)


def _with_codelist(recode: Recode, folder: Path) -> Recode:
    """`recode` with the codelist that its own text names, where that lies in the recipe's folder."""
    lines = (recode.scheme or "").split("\n")
    named = next(filter(None, (_CODELIST.fullmatch(line.strip()) for line in lines)), None)
    if named is None or recode.codelist is not None:
        return recode
    path = absolute_path((named[1] or named[2]).replace("\\", "/"), folder)
    return replace(recode, codelist=path) if os.path.isfile(path) else recode  # noqa: PTH113


def _numeric(table: TomlTable) -> Numeric:
    said = _said(
        Numeric,
        variable=_name(table, "variable"),
        top=_cut(table, "top"),
        bottom=_cut(table, "bottom"),
        round=table.number("round", 0.0, low_included=False),
        noise=table.number("noise", 0.0, 1.0),
    )
    table.finish()
    return Numeric(**said)


def _scenario(table: TomlTable) -> Scenario:
    table.require("variables")
    said = _said(
        Scenario,
        name=_text_of(table, "name", mark("a name by which measures can say it")),
        variables=table.texts("variables", distinct=True, empty=False),
        source=table.text("source"),
        year=table.text_or_integer("year"),
        release_type=table.text("release_type"),
        assumptions=table.text("assumptions"),
    )
    table.finish()
    return Scenario(**said)


def _analysis(table: TomlTable) -> Analysis:
    said = _said(
        Analysis,
        table=table.texts("table", distinct=True, empty=False),
        mean=table.text("mean"),
        by=table.texts("by", distinct=True, empty=False),
        model=table.text("model"),
        goal=table.number("goal", 0.0, MOST_GOAL, low_included=False),
    )
    table.finish()
    entry = Analysis(**said)
    check_analysis(table.where, entry)
    return entry


def _cut(parent: TomlTable, key: str) -> Cut | None:
    table = parent.table(key)
    if table is None:
        return None
    table.require("at")
    table.require("replacement")
    at, replacement = table.number("at", float("-inf")), table.text("replacement")
    table.finish()
    return Cut(at or 0.0, replacement or "")


def _threshold(parent: TomlTable) -> Threshold:
    table = parent.table("threshold")
    if table is None:
        return Threshold()
    risk_like = ("individual_risk", "reidentification_rate", "household_risk", "household_rate")
    said = {name: table.number(name, 0.0, 1.0, low_included=False) for name in risk_like}
    counts = {name: table.integer(name, 0) for name in ("unsafe_records", "unsafe_households")}
    said["exceedance"] = table.number("exceedance", 0.0, 1.0, low_included=False, high_included=False)
    table.finish()
    return Threshold(**_said(Threshold, **said, **counts))


def _suppression(top: TomlTable) -> Suppression:
    table = top.table("suppression")
    if table is None:
        return Suppression()
    said = _said(
        Suppression,
        criterion=table.choice("criterion", _choices(Suppression, "criterion")),
        mode=table.choice("mode", _choices(Suppression, "mode")),
        household_rule=table.choice("household_rule", _choices(Suppression, "household_rule")),
        close_gaps=table.boolean("close_gaps"),
        least_records=table.integer("least_records", 1, MOST_RECORDS),
        thorough=table.boolean("thorough"),
        max_per_record=table.integer("max_per_record", 1),
        effort=table.integer("effort", 0, LARGEST_EFFORT),
        seed=table.integer("seed", 0),
        secret=table.secret("secret"),
        time_limit=table.number("time_limit", 0.0, low_included=False),
    )
    table.finish()
    return Suppression(**said)


def _profile(top: TomlTable) -> ProfileFile:
    table = top.table("profile")
    if table is None:
        return ProfileFile()
    table.require("file")
    file = table.path("file")
    table.finish()
    return ProfileFile(file)


def _report(top: TomlTable) -> Report:
    table = top.table("report")
    if table is None:
        return Report()
    answers = table.table("answers")
    texts = ("title", "institution", "author", "release_type", "remarks", "language")
    said = _said(
        Report,
        **{name: table.text(name) for name in texts},
        variant=table.choice("variant", _choices(Report, "variant")),
        audience=table.choice("audience", _choices(Report, "audience")),
        thresholds=table.boolean("thresholds"),
        answers=None if answers is None else read_answers(answers),
    )
    table.finish()
    return Report(**said)


def _output(top: TomlTable) -> Output:
    table = top.table("output")
    if table is None:
        return Output()
    said = _said(
        Output,
        **{name: table.path(name) for name in OUTPUT_FILES},
        household_id=table.choice("household_id", _choices(Output, "household_id")),
        shuffle=table.boolean("shuffle"),
        add_risk=table.boolean("add_risk"),
        seed=table.integer("seed", 0),
        keep_households_together=table.boolean("keep_households_together"),
    )
    table.finish()
    return Output(**said)
