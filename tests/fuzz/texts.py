"""Descriptions, codelists, recodes and recipes with damage: a clear error, or what is read can be written and read.

``python -m tests.fuzz.texts [CASES] [SEED]`` damages a file of each kind CASES times (10 000).
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.base.errors import PavoError
from core.formats.argus.codelist import codelist_text, read_codelist
from core.formats.argus.rda import rda_text, read_rda_with_notices
from core.formats.argus.recode_scheme import parse_scheme, read_scheme, scheme_text
from core.recipe.toml import load
from core.recipe.toml_writer import dumps
from tests.fuzz.files import damaged, told

DEMO = Path(__file__).resolve().parents[2] / "resources" / "demo"
_TOKENS = (
    '"',
    '""',
    "<",
    ">",
    "<MISSING>",
    "<CODELIST>",
    "<SEPARATOR>",
    ":",
    ",",
    "-",
    "\t",
    "[",
    "]",
    "=",
    "1e9",
    "é",
)


def rda(path: Path) -> None:
    metadata, notices = read_rda_with_notices(path)
    for notice in notices:
        assert notice.text
    again = path.with_name("again.rda")
    again.write_text(rda_text(metadata, folder=path.parent), encoding="utf-8")
    found, _ = read_rda_with_notices(again)
    same = [replace(v, missing=tuple(code or "" for code in v.missing)) for v in metadata.variables]
    assert [v.name for v in found.variables] == [v.name for v in same]
    assert [(v.start, v.length, v.role) for v in found.variables] == [(v.start, v.length, v.role) for v in same]


def codelist(path: Path) -> None:
    labels = read_codelist(path)
    again = path.with_name("again.cdl")
    again.write_text(codelist_text(labels), encoding="utf-8")
    read_codelist(again)


def scheme(path: Path) -> None:
    found = read_scheme(path)
    assert parse_scheme(scheme_text(found)) == found


def recipe(path: Path) -> None:
    found = load(path)
    again = path.with_name("again.pavo")
    again.write_text(dumps(found, again.parent), encoding="utf-8")
    assert load(again) == found


KINDS: dict[str, tuple[Path, Callable[[Path], None]]] = {
    "rda": (DEMO / "survey.rda", rda),
    "cdl": (DEMO / "Region.cdl", codelist),
    "grc": (DEMO / "Region.grc", scheme),
    "pavo": (DEMO / "survey-households.pavo", recipe),
}


def spoiled(data: bytes, chance: random.Random) -> bytes:
    """`data` with injuries, or with tokens of these languages where they do not belong."""
    if chance.random() < 0.5:
        return damaged(data, chance)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(data) + 1)
        data = data[:at] + chance.choice(_TOKENS).encode() + data[at + chance.choice((0, 0, 1, 3)) :]
    return data


def fuzz(kind: str, cases: int, seed: int, folder: Path, failures: list[str] | None = None) -> Counter[str]:
    """Outcomes of `cases` damaged files; raises at the first failure, or adds it to `failures`."""
    chance = random.Random(f"{kind} {seed}")
    source, check = KINDS[kind]
    whole, path = source.read_bytes(), folder / f"case.{kind}"
    outcomes: Counter[str] = Counter()
    for number in range(cases):
        data = spoiled(whole, chance)
        path.write_bytes(data)
        try:
            check(path)
            outcomes["right"] += 1
        except PavoError as error:
            outcomes[told(error)] += 1
        except Exception as error:
            kept = Path(tempfile.gettempdir()) / f"pavo-fuzz-{seed}-{number}.{kind}"
            kept.write_bytes(data)
            if failures is None:
                raise
            failures.append(f"{kept}: {error!r}"[:300])
            outcomes["FAILED"] += 1
    return outcomes


def main(arguments: list[str]) -> None:
    cases = int(arguments[0]) if arguments else 10_000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    for kind in arguments[2:] or list(KINDS):
        with tempfile.TemporaryDirectory() as folder:
            begun, failures = time.monotonic(), list[str]()
            outcomes = fuzz(kind, cases, seed, Path(folder), failures)
            found = ", ".join(f"{outcome} {count}" for outcome, count in outcomes.most_common())
            print(f"{kind}: {cases} cases in {time.monotonic() - begun:.0f} s: {found}", *failures[:20], sep="\n  ")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
