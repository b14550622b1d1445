"""Small files, what outsiders get of them, and the other files that the same rules release as the same safe file.

An intruder who knows the rules tries what the original may have been: files with other values in place of those that
are suppressed or recoded. Those that are released as the very safe file remain possible, unless a figure in what goes
to outsiders excludes them. Records count without their order, as who is drawn among equals is not known.

``python -m tests.completions FIRST NUMBER`` tries many more files than the test does.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.base.errors import PavoError
from core.base.progress import SILENT
from core.recipe.model import Recipe
from core.recipe.toml import load
from core.release.run import Result, carry_out
from core.report.html import render_html
from core.session import Session

KEYS = ("A", "B", "C")
COLUMNS = (*KEYS, "D")
"""D is in no combination, and suppressed with A where it is related to it."""
OUTSIDE = ("safe.rds", "safe.xml", "safe.schema.json", "report.html")
MODES = {
    "released-keys": '[threshold]\nindividual_risk = {risk}\n[suppression]\nmode = "released-keys"\n',
    "original-counts": "[threshold]\nindividual_risk = {risk}\n[suppression]\n",
    "no gaps": "[threshold]\nindividual_risk = {risk}\n[suppression]\nclose_gaps = true\n",
    "calibrated": "[threshold]\nindividual_risk = {risk}\n[suppression]\n",
    "rate": "[threshold]\nreidentification_rate = {rate}\n[suppression]\n",
    "number": '[threshold]\nunsafe_records = {number}\n[suppression]\nmode = "released-keys"\n',
    "households": "[threshold]\nhousehold_risk = {risk}\n[suppression]\n",
    "k-anonymity": "[suppression]\n",
    "frequency": "[suppression]\n",
}
MODEL = {
    "calibrated": 'estimator = "calibrated"\n',
    "k-anonymity": 'model = "k-anonymity"\nk = {k}\n',
    "frequency": 'model = "frequency"\ncount_threshold = 1\n',
}
Rows = list[list[str]]


@dataclass(frozen=True)
class Small:
    """A small survey and its recipe; `codes` of each key, which are public."""

    rows: Rows
    codes: tuple[str, ...]
    recipe: str
    recoded: bool


@dataclass(frozen=True)
class Released:
    """The records of the safe file without their order, as they stand, and what else outsiders get."""

    records: tuple[str, ...]
    lines: tuple[str, ...]
    outside: tuple[str, ...]
    inside: str


def small(chance: random.Random) -> Small:
    """A file of 8 to 16 records by chance, some of them with missing values, and by what to protect it."""
    codes = ("1", "2", "3")
    weight = chance.choice([["20"], ["20"], ["20", "35"]])
    rows: Rows = []
    for _ in range(chance.randint(8, 16)):
        values = ["" if chance.random() < 0.04 else chance.choices(codes, (5, 2, 1))[0] for _name in COLUMNS]
        rows.append([*values, chance.choice(weight), str(len(rows) // 2)])
    mode = chance.choice(list(MODES))
    recoded = chance.random() < 0.3
    parts = ['recipe = 1\n[input]\ndata = "a.csv"\nvariables = "here"\n']
    for name in COLUMNS:
        parts.append(f'[variables.{name}]\ncategorical = true\nmissing = [""]\ncodelist = "{name}.cdl"\n')
        parts.append('related = "D"\n' if name == "A" and chance.random() < 0.3 else "")
    parts.append('[variables.W]\nrole = "weight"\n[variables.H]\n')
    parts.append('role = "household-id"\n' if mode == "households" else "removed = true\n")
    model = MODEL.get(mode, "").format(k=chance.choice([2, 3]))
    parts.append(f'[[combinations]]\nvariables = ["A", "B", "C"]\n{model}')
    if mode == "k-anonymity":
        parts.append('missing_rule = "category"\n')
    if recoded:
        parts.append('[[recodes]]\nvariable = "B"\nscheme = "8: 1, 2"\n')
    asked = {"risk": chance.choice([0.03, 0.05, 0.0712345, 0.1]), "rate": chance.choice([0.02, 0.0212345, 0.04])}
    parts.append(MODES[mode].format(**asked, number=chance.choice([2, 4])))
    parts.append(f'criterion = "{chance.choice(["weights", "entropy"])}"\n')
    parts.append('[[measures]]\nkind = "suda"\nvariables = ["A", "B", "C"]\n')
    parts.append('[[measures]]\nkind = "frequencies"\nvariables = ["A", "B"]\n[[utility]]\ntable = ["A", "B"]\n')
    parts.append('[report]\nvariant = "external"\nthresholds = true\n[output]\n')
    parts.append('data = "safe.csv"\nmetadata = "safe.rds"\nreport = "report.html"\nddi = "safe.xml"\n')
    parts.append('table_schema = "safe.schema.json"\n')
    return Small(rows, codes, "".join(parts), recoded)


def released(given: Small, rows: Rows, folder: Path, like: Released | None = None) -> Released | None:
    """What the recipe makes of `rows`; None where it refuses them, or makes another safe file than `like`."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [",".join(row) for row in ([*COLUMNS, "W", "H"], *rows)]
    (folder / "a.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in COLUMNS:
        text = "".join(f"{code},{name} is {code}\n" for code in (*given.codes, "4"))
        (folder / f"{name}.cdl").write_text(text, encoding="utf-8")
    (folder / "r.pavo").write_text(given.recipe, encoding="utf-8")
    session, recipe = Session(), load(folder / "r.pavo")
    try:
        if like is not None:
            carry_out(session, _safe_file_alone(recipe), curves=False)
            if _lines(folder)[1:] != list(like.lines):
                return None
        result = carry_out(session, recipe, curves=False)
    except PavoError:
        return None
    lines = _lines(folder)
    beside = sorted(folder.glob("safe*.cdl"))
    texts = [(folder / name).read_text(encoding="utf-8") for name in OUTSIDE]
    texts += [f"{path.name}: {path.read_text(encoding='utf-8')}" for path in beside]
    return Released(tuple(sorted(lines)), tuple(lines[1:]), (*texts, _for_users(result)), _internal(result))


def _safe_file_alone(recipe: Recipe) -> Recipe:
    output = replace(recipe.output, metadata=None, report=None, ddi=None, table_schema=None)
    return recipe.with_(output=output, measures=(), utility=())


def _lines(folder: Path) -> list[str]:
    return (folder / "safe.csv").read_text(encoding="utf-8").splitlines()


def _for_users(result: Result) -> str:
    assert result.report_for is not None
    return render_html(result.report_for("users", SILENT))


def _internal(result: Result) -> str:
    assert result.report_for is not None
    return re.sub("[0-9a-f]{64}", "", render_html(result.report_for("internal", SILENT)))  # checksums differ anyway


def alternatives(given: Small, found: Released, chance: random.Random, most: int) -> Iterator[Rows]:
    """Other files that the intruder tries: one value after the other, then several, by chance; at most `most`."""
    hidden = [
        (i, j, code)
        for i, line in enumerate(found.lines)
        for j, value in enumerate(line.split(",")[: len(COLUMNS)])
        for code in _possible(given, j, value)
        if code != given.rows[i][j]
    ]
    chance.shuffle(hidden)
    tried = set[str]()
    for number in range(most):
        chosen = [hidden[number]] if number < len(hidden) else chance.sample(hidden, min(len(hidden), 2 + number % 2))
        rows = [list(row) for row in given.rows]
        for i, j, code in chosen:
            rows[i][j] = code
        if chosen and str(rows) not in tried:
            tried.add(str(rows))
            yield rows


def _possible(given: Small, key: int, value: str) -> Sequence[str]:
    if value == "":
        return (*given.codes, "")
    return ("1", "2") if given.recoded and COLUMNS[key] == "B" and value == "8" else (value,)


@dataclass
class Tried:
    """What came of one file: alternatives that the same rules release as the same safe file, and what tells of them.

    Attributes
    ----------
    possible : such alternatives
    excluded, inside : of these those that differ in what outsiders get, and those that differ in the internal report
    told, told_inside : hidden values of which an alternative was possible, and none is by these texts
    """

    blanks: int = 0
    possible: int = 0
    excluded: int = 0
    inside: int = 0
    told: int = 0
    told_inside: int = 0
    differs: str = ""


def tried(seed: int, folder: Path, most: int = 24) -> Tried:
    """Try the alternatives of a file by chance."""
    chance = random.Random(seed)
    given = small(chance)
    truth = released(given, given.rows, folder)
    done = Tried()
    if truth is None:
        return done
    done.blanks = sum(line.split(",")[j] == "" for line in truth.lines for j in range(len(COLUMNS)))
    values: dict[tuple[int, int], list[tuple[bool, bool]]] = {}
    for rows in alternatives(given, truth, chance, most):
        other = released(given, rows, folder, truth)
        if other is None or other.records != truth.records or other.lines != truth.lines:
            continue
        same, same_inside = other.outside == truth.outside, other.inside == truth.inside
        done.possible += 1
        done.excluded += not same
        done.inside += not same_inside
        if not same and not done.differs:
            done.differs = _first_difference(truth.outside, other.outside)
        for i, row in enumerate(rows):
            for j in range(len(COLUMNS)):
                if row[j] != given.rows[i][j]:
                    values.setdefault((i, j), []).append((same, same_inside))
    done.told = sum(not any(same for same, _ in each) for each in values.values())
    done.told_inside = sum(not any(same for _, same in each) for each in values.values())
    return done


def _first_difference(texts: Sequence[str], others: Sequence[str]) -> str:
    for text, other in zip(texts, others, strict=False):
        place = next((i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), None)
        if place is not None:
            return f"{text[max(place - 150, 0) : place + 50]!r} / {other[max(place - 20, 0) : place + 50]!r}"
    return "another number of files"


def main(first: int, number: int) -> None:
    """Try files `first` to `first + number - 1`, and print what came of them."""
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    total = Tried()
    files = with_some = 0
    for seed in range(first, first + number):
        with tempfile.TemporaryDirectory() as folder:
            done = tried(seed, Path(folder))
        files += 1
        with_some += done.possible > 0
        for name in ("blanks", "possible", "excluded", "inside", "told", "told_inside"):
            setattr(total, name, getattr(total, name) + getattr(done, name))
        if done.differs:
            print(seed, done.differs)
    print(f"{files} files, {with_some} with alternatives: {total}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
