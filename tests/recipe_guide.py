"""Writes the guide's page of all keys of a recipe from what reads one: python -m tests.recipe_guide."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any
from unittest.mock import patch

from core.recipe import model, toml
from core.recipe.answers import question_ids
from core.recipe.toml_fields import TomlTable
from tests.measures_guide import shown

PAGE = Path(__file__).resolve().parents[1] / "resources" / "help" / "recipe-reference.md"

HEAD = """# The recipe, key by key

Every key that a [recipe](recipe.md) may have, with what it may say and what holds where it is not said. The program \
reads recipes by the same table. [The recipe](recipe.md) says what the sections are for.

- The first line is `recipe = 1`, the version of the form. A higher number is refused: a newer program wrote it.
- A key that is not listed is refused, and the nearest known one is named. So is a value of another type or out of \
its range.
- Nothing is written then, and the command ends with the status 1.
- A path is taken from the folder of the recipe. Risks, rates and shares are fractions.
- A text of more than 16 million characters, a name with more than 16 parts between dots, and lists nested too deeply \
are refused before they are read.
- A dash in *Default* means: nothing, or as the file itself says.
"""

TITLES: dict[str, tuple[str, type | None]] = {
    "input": ("`[input]`: the files that are read", model.Input),
    "variables": ("`[variables.NAME]`: what differs from the metadata", model.VariableEdit),
    "derived": ("`[[derived]]`: keys made of other columns", None),
    "households": ("`[households]`: how household identifiers are read", model.HouseholdSettings),
    "combinations": ("`[[combinations]]`: key variables, and how they are judged", model.Combination),
    "recodes": ("`[[recodes]]`: global recodes", model.Recode),
    "numeric": ("`[[numeric]]`: changes to numbers", model.Numeric),
    "numeric.top": ("`top` and `bottom` of `[[numeric]]`", None),
    "scenarios": ("`[[scenarios]]`: what an intruder could know", model.Scenario),
    "threshold": ("`[threshold]`, or `threshold` of a combination", model.Threshold),
    "suppression": ("`[suppression]`: how values are blanked", model.Suppression),
    "profile": ("`[profile]`: rules that the safe file has to keep", None),
    "utility": ("`[[utility]]`: analyses made of both files", model.Analysis),
    "report": ("`[report]`: what the report says of itself", model.Report),
    "report.answers": ("`[report.answers]`: what you say to the questions of boards", None),
    "output": ("`[output]`: the files that are written", model.Output),
}

SAID: dict[str, dict[str, str]] = {
    "input": {
        "data": "The data. A pattern, a folder or a list of paths names the parts of one file. Every run needs it.",
        "metadata": "The `.rda` file that describes the data. Without it the header or the file itself does.",
        "format": "Which format it is, where the suffix does not tell.",
        "delimiter": "One character between the columns of a delimited file.",
        "header": "Whether the first line of a delimited file has the names.",
        "encoding": "The encoding of a text file: `utf-8`, `utf-16`, or one of one byte a character, such as `cp1252` "
        "or `latin-1`. Another name is refused.",
        "decimal": "The decimal mark of the numbers in a text file.",
        "units": "What the records are where no variable is the weight. A `sample` without weights is not judged by "
        "risk; of a whole `population` the risk is 1/f.",
        "sha256": "The checksum of the data, which Save writes. A file with another one is refused.",
        "checksums": "`[input.checksums]`: the checksums of the other files that are read, by path. Save writes them. "
        "A file with another one is refused.",
        "variables": "`here`: only the variables of this recipe are described, not those of the header.",
    },
    "variables": {
        "start": "Fixed format: the first place of the field. Fields that overlap are refused.",
        "length": "Fixed format: how many characters the field has.",
        "column": "Delimited file without names: the number of the column.",
        "decimals": "Digits behind the decimal mark.",
        "label": "What the variable is, in words.",
        "categorical": "Whether it has codes. Key variables have to.",
        "numeric": "Whether it is a number.",
        "household": "A household variable: one value for the whole household.",
        "sensitive": "What an intruder would like to learn.",
        "truncable": "Whether cutting digits from the right makes sense.",
        "removed": "Not written to the safe file.",
        "role": "What the variable is for. Two weights, or two household identifiers, are refused.",
        "identification_level": "How well it identifies: 1 best, 5 least, 0 not.",
        "missing": "The codes that mean unknown. The first is what suppression writes.",
        "codelist": "The file with the labels of its codes.",
        "related": "A variable that is suppressed wherever this one is.",
        "suppression_weight": 'How dear its values are: 0 goes first, 100 last. Counts with `criterion = "weights"`.',
        "suppressible": "`false`: never suppressed. Records that stay unsafe because of it are an error.",
        "ordered": "Whether neighbouring codes may be merged.",
        "decision": "What becomes of a released column that no model judges. Only `keep` decides by itself.",
        "decided_by": "Who decided.",
        "reason": "Why.",
    },
    "derived": {
        "name": "What the key is called in combinations. A name that the file has is refused.",
        "kind": "The number of members, the type of the household, or the set of values in several columns.",
        "members": "`household-type`: variables that tell members apart. Without them the type is the size in classes.",
        "set": "`set`: at least two columns whose values make the key.",
        "variable": "`set`: the one column that holds several values; in place of `set`.",
        "separator": "`set`: what stands between two values in that column. Required with `variable`.",
    },
    "households": {
        "empty_id": "Records without an identifier: refused, or each a household of its own.",
        "single_persons_above": "Members of larger groups, such as institutions, are judged as single persons. The "
        'safe file then needs `household_id = "sequence"` or `"remove"`: users could count a group whose identifier is '
        "kept.",
        "word": "What the groups are called in texts, where they are no households. At most 40 characters.",
    },
    "combinations": {
        "variables": "The key variables, each once. Risk tables with a variable in common are refused.",
        "model": "How it is judged: by risk, by the threshold rule, or by k-anonymity.",
        "count_threshold": "Threshold rule: a combination of values is unsafe that occurs, but at most so often.",
        "k": "`k-anonymity`: how many records share a key at least; required there, and refused for another model.",
        "missing_rule": "How records with missing values count for each other. For k-anonymity the default is "
        "`category`. The threshold rule has none.",
        "alpha": "Under `wildcard`: the share with which a record counts that has a missing value where the other has "
        "one. Under another rule refused.",
        "estimator": "`individual-risk`: how the risk of a cell is found. `truncated` and `plug-in` are for comparison "
        "only; by `plug-in` nothing is protected. `calibrated` and `log-linear` need `observed`.",
    },
    "recodes": {
        "variable": "The variable, once in all recodes.",
        "scheme_file": "A `.grc` file with the scheme. Exactly one of this, `scheme` and `truncate` is said.",
        "scheme": "The scheme itself, as text.",
        "truncate": "How many characters are cut from the right.",
        "missing": "The missing codes afterwards, in place of those of the scheme.",
        "codelist": "The labels of the new codes, in place of those of the scheme.",
    },
    "numeric": {
        "variable": "The variable, once in all entries. A key, or a recoded variable, is refused.",
        "round": "The base to whose multiples values are rounded.",
        "noise": "The weight only: the largest change, as a fraction.",
    },
    "numeric.top": {
        "at": "Values at or beyond it become the replacement. `bottom` has to be below `top`.",
        "replacement": "What is written, as text of one line.",
    },
    "scenarios": {
        "name": "By which measures and combinations say it.",
        "variables": "What is known of people.",
        "source": "From where.",
        "year": "Of when; a number or a text.",
        "release_type": "Of what kind of release it is thought.",
        "assumptions": "What else is assumed.",
    },
    "threshold": {
        "individual_risk": "A record at this risk or above is unsafe.",
        "reidentification_rate": "The threshold by which at most this rate is left. At the rate of the file or above "
        "no record is unsafe.",
        "unsafe_records": "The smallest threshold at which at most so many records are unsafe.",
        "household_risk": "A household at this risk or above is unsafe.",
        "household_rate": "As `reidentification_rate`, of households.",
        "unsafe_households": "As `unsafe_records`, of households.",
        "exceedance": "The promise: the chance allowed that somebody stands at `individual_risk` or above. Needs "
        '`estimator = "calibrated"`, and no household threshold.',
    },
    "suppression": {
        "criterion": "What a blank costs: information, or weights. Each risk table then needs a threshold. `none`: "
        "nothing is suppressed.",
        "mode": "How a record with blanks is judged. `released-counts` is for comparison only and needs `wildcard`.",
        "household_rule": "`exact`: the household's own risk is brought below the threshold; `sufficient`: that of "
        "each member below its share.",
        "close_gaps": "`original-counts` only: no blank that the rules tell.",
        "least_records": "`released-keys` only: the least records under every released key.",
        "thorough": "Solve small tables exactly, where a search would look for a good solution. For the modes of "
        "released keys and counts, and for k-anonymity.",
        "max_per_record": "`released-counts` only: the most values that one record loses.",
        "effort": "How long a search goes on, in rounds; never seconds. The largest is a thousand usual searches.",
        "seed": "What the search for suppressions follows from.",
        "secret": "32 hexadecimal digits (128 random bits): with the records' original values it decides which records "
        "of a cell lose values. Keep it from release to release, and give it to nobody. Without one the seed, the key "
        "variables and all variables that are not released decide.",
        "time_limit": "Seconds; in the windows only. Refused by the command.",
    },
    "profile": {"file": "A [release profile](profile-check.md). A rule that is broken ends the run, status 1."},
    "utility": {
        "table": "Variables by whose codes weights are counted. Each entry says one of `table`, `mean` and `model`.",
        "mean": "A number whose mean is taken.",
        "by": "With `mean`: the groups.",
        "goal": "Of a `table` or a `mean`: the largest relative change that is wanted, a fraction.",
        "model": "The formula of a regression, such as `INCOME ~ AGE + SEX`.",
    },
    "report": {
        "title": "The title.",
        "institution": "The institution.",
        "author": "Who made it.",
        "release_type": "For whom the file is, and under which terms.",
        "remarks": "Anything else; lines are kept.",
        "language": "The language of the report.",
        "variant": "`external`: without paths, seeds and figures of the original.",
        "audience": "`users`: what was done and what it does to analyses, without risks.",
        "thresholds": "Whether users of the file are told the thresholds.",
    },
    "output": {
        "data": "The safe file; the suffix says the format. Without it nothing is protected. An input is refused.",
        "metadata": "Its description, `.rds`, with codelists beside it.",
        "report": "The report as HTML.",
        "report_pdf": "The report as PDF.",
        "summary": "All figures as JSON. Without it they go to standard output.",
        "records": "The risks of each record of the original, as csv. Never release it.",
        "ddi": "A DDI-Codebook 2.5 of the safe file.",
        "table_schema": "A Table Schema of a delimited safe file.",
        "household_id": "What becomes of the household identifier.",
        "shuffle": "Records in random order.",
        "add_risk": "Frequencies and risks as columns of the safe file. For use inside the house.",
        "seed": "What the random order follows from, with the data and all choices.",
        "keep_households_together": "In random order the members of a household stay side by side.",
    },
}


class Recorder(TomlTable):
    """A table of a recipe in which every key stands, and that notes for each what it may say."""

    notes: dict[str, dict[str, str]]
    forced: Mapping[str, Any]

    def __init__(self, _values: Mapping[str, Any], where: str, folder: Path) -> None:
        super().__init__({}, where, folder)
        self.notes, self.forced = {}, {}

    def _inner(self, key: str, forced: Mapping[str, Any] | None = None) -> Recorder:
        inner = Recorder({}, self.path_of(key), self.folder)
        inner.notes, inner.forced = self.notes, forced or {}
        return inner

    def _note(self, key: str, may: str, value: Any) -> Any:
        self.notes.setdefault(self.where, {}).setdefault(key, may)
        return self.forced.get(key, value)

    def boolean(self, key: str) -> Any:
        return self._note(key, "`true`, `false`", False)

    def integer(self, key: str, low: int, high: int | None = None) -> Any:
        return self._note(key, f"whole number from {low}" + ("" if high is None else f" to {high}"), low)

    def number(
        self, key: str, low: float, high: float = math.inf, *, low_included: bool = True, high_included: bool = True
    ) -> Any:
        above = "" if math.isinf(low) else f" {'from' if low_included else 'above'} {low:g}"
        below = "" if math.isinf(high) else f" {'to' if high_included else 'below'} {high:g}"
        return self._note(key, f"number{above}{below}", 0.5)

    def checksum(self, key: str) -> Any:
        return self._note(key, "64 hexadecimal digits", "0" * 64)

    def checksums(self, key: str) -> Any:
        return self._note(key, "table of checksums by path", ())

    def text(self, key: str) -> Any:
        return self._note(key, "text", "x")

    def secret(self, key: str) -> Any:
        return self._note(key, "32 hexadecimal digits", "0" * 32)

    def text_or_integer(self, key: str) -> Any:
        return self._note(key, "text, whole number", "x")

    def choice(self, key: str, choices: Iterable[str]) -> Any:
        known = tuple(choices)
        return self._note(key, ", ".join(f"`{each}`" for each in known), known[0])

    def path(self, key: str) -> Any:
        return self._note(key, "path", self.folder / "x")

    def paths(self, key: str) -> tuple[Path, ...]:
        self._note(key, "path, list of paths", None)
        return ()

    def texts(self, key: str, *, distinct: bool = False, empty: bool = True) -> Any:
        return self._note(key, "list of texts" + (", none twice" if distinct else ""), ("x", "y"))

    def table(self, key: str) -> Any:
        return self._inner(key)

    def tables(self, key: str) -> Any:
        if key in ("measures", "perturbations"):  # pages of their own, made from declarations
            return []
        kinds: tuple[Mapping[str, Any], ...] = ({},)
        if key == "derived":
            kinds = ({"kind": "household-type"}, {"kind": "set", "variable": None}, {"kind": "set"})
        if key == "utility":
            kinds = ({"mean": None, "by": None, "model": None},)
        return [self._inner(key, forced) for forced in kinds]

    def named_tables(self) -> Any:
        return [("NAME", self)]

    def require(self, key: str) -> None:
        self.notes.setdefault("", {})[self.path_of(key)] = "required"

    def refuse(self, *_said: Any, **_named: Any) -> Any:  # type: ignore[override]
        """The values stand for any."""

    def finish(self) -> None:
        """No key is left over."""


def keys() -> tuple[dict[str, dict[str, str]], set[str]]:
    """What each key of each section may say, in the order in which they are read; and the paths of the required."""
    made: list[Recorder] = []

    def top(values: Mapping[str, Any], where: str, folder: Path) -> Recorder:
        made.append(Recorder(values, where, folder))
        return made[-1]

    with patch.object(toml, "TomlTable", top):
        toml.parse("recipe = 1", Path.cwd())
    notes = made[0].notes
    required = set(notes.pop(""))
    same = {"combinations.threshold": "threshold", "numeric.bottom": "numeric.top"}
    for double, where in same.items():
        assert notes.pop(double) == notes[where]
    return notes, required


def page() -> str:
    """The whole page."""
    notes, required = keys()
    parts = [HEAD]
    for where, (title, owner) in TITLES.items():
        may = notes.pop(where)
        parts.append(f"## {title}\n")
        if where == "report.answers":
            ids = ", ".join(f"`{each}`" for each in question_ids())
            parts.append(f"Texts by the ids of the [questions](report.md): {ids}.\n")
            continue
        parts.append("\n".join(_rows(where, may, owner, required)) + "\n")
    assert not notes, "sections without a title"
    parts.append(
        "## `[[measures]]` and `[[perturbations]]`\n\nEach kind of measure and each method has keys of its own: "
        "[Measures of risk](measures.md), [Perturbations](perturbations.md).\n"
    )
    return "\n".join(parts)


def _rows(where: str, may: Mapping[str, str], owner: type | None, required: set[str]) -> Iterator[str]:
    yield "| Key | May be | Default | |\n|---|---|---|---|"
    defaults = {} if owner is None else {each.name: each.default for each in fields(owner)}
    assert set(SAID[where]) == set(may), where
    for key, values in may.items():
        default = defaults.get(key)
        told = "–" if default in (None, "", (), MISSING) else shown(default)
        if f"{where}.{key}" in required and key not in ("set", "separator"):
            told = "required"
        yield f"| `{key}` | {values} | {told} | {SAID[where][key]} |"
    if where == "combinations":
        yield "| `threshold` | table | – | The threshold of this combination, with the keys of `[threshold]`. |"
    if where == "numeric":
        yield "| `top`, `bottom` | table | – | Top and bottom coding, below. |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
