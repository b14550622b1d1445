"""What mu-ARGUS makes of exported files, as its engine reads them: byte by byte, without this program's readers."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

Key = tuple[str | None, ...]
"""Codes of the key variables; None where missing."""


@dataclass
class Field:
    """A variable of the metadata."""

    start: int
    length: int
    missing: tuple[str, ...]
    marks: set[str] = field(default_factory=set)
    codelist: str = ""


@dataclass
class Written:
    """The files beside some metadata, and what is in them by record."""

    rda: Path
    fields: dict[str, Field]
    records: list[bytes]

    def raw(self, name: str) -> list[str]:
        """The field of each record, blanks included."""
        place = self.fields[name]
        return [record[place.start - 1 : place.start - 1 + place.length].decode("ascii") for record in self.records]

    def codes(self, name: str) -> list[str | None]:
        """The code of each record after the recode beside the metadata, if there is one; None where missing."""
        place = self.fields[name]
        (missing,) = place.missing
        assert len(missing) == place.length, "a shorter one is looked for with blanks on the other side"
        found = [None if text == missing else text.strip(" ") for text in self.raw(name)]
        recode = self.rda.with_name(f"{self.rda.stem}_{name}.grc")
        return recoded(found, recode, place.length) if recode.exists() else found

    def codelist(self, name: str, kind: str = "") -> dict[str, str]:
        """Labels by code: two parts between commas, lines without one ignored."""
        path = self.rda.with_name(f"{self.rda.stem}_{name}{kind}.cdl")
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        parts = [line.split(",") for line in lines]
        assert all(len(part) == 2 for part in parts)
        return {code.strip(): label.strip() for code, label in parts}

    def cells(self, keys: Sequence[str], weight: str = "") -> dict[Key, tuple[int, float]]:
        """Records and sum of weights of each key."""
        rows = list(zip(*(self.codes(name) for name in keys), strict=True))
        weights = [float(text) for text in self.raw(weight)] if weight else [1.0] * len(rows)
        counts, sums = Counter(rows), dict.fromkeys(rows, 0.0)
        for row, each in zip(rows, weights, strict=True):
            sums[row] += each
        return {row: (counts[row], sums[row]) for row in counts}


def wildcard(cells: dict[Key, tuple[int, float]]) -> dict[Key, tuple[int, float]]:
    """f and F of each key, where a missing value matches any value."""

    def match(one: Key, other: Key) -> bool:
        return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))

    matching = {one: [pair for other, pair in cells.items() if match(one, other)] for one in cells}
    return {one: (sum(n for n, _ in pairs), sum(w for _, w in pairs)) for one, pairs in matching.items()}


def read(rda: Path) -> Written:
    """The metadata and records; AssertionError for what stops the engine or shifts a field."""
    fields: dict[str, Field] = {}
    last = None
    for line in rda.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.lstrip().startswith("//"):
            continue
        words = shlex.split(line)
        if words[0].startswith("<"):
            assert last is not None
            last.marks.add(words[0])
            last.codelist = words[1] if words[0] == "<CODELIST>" else last.codelist
        else:
            last = fields[words[0]] = Field(int(words[1]), int(words[2]), tuple(words[3:]))
    assert all(len(place.missing) == 1 for place in fields.values() if "<RECODABLE>" in place.marks)
    assert all((rda.parent / place.codelist).is_file() for place in fields.values() if place.codelist)
    lines = rda.with_suffix(".asc").read_bytes().split(b"\n")
    assert lines.pop() == b""
    records = [stripped(line) for line in lines]
    end = max(place.start + place.length - 1 for place in fields.values())
    assert {len(record) for record in records} == {end}
    return Written(rda, fields, records)


def stripped(line: bytes) -> bytes:
    """A record without what is taken for its line end: bytes below the blank, those above 127 being negative."""
    while line and (line[-1] < 32 or line[-1] > 127):
        line = line[:-1]
    return line


def recoded(codes: list[str | None], recode: Path, length: int) -> list[str | None]:
    """The codes after a recode of single codes; AssertionError where the engine refuses or loses one."""
    new: dict[str, str] = {}
    missing: list[str] = []
    for line in recode.read_text(encoding="ascii").splitlines():
        if line.upper().startswith("<MISSING>"):
            missing = shlex.split(line)[1:]
        elif not line.upper().startswith("<CODELIST>"):
            assert not re.match(r'"?(<|//)', line), "read as a keyword or a comment"
            words = re.findall(r'"[^"]*"|[^",:\s]+|[,:]', line)
            assert words[1] == ":" and set(words[3::2]) <= {","}
            assert not any("-" in word for word in words if not word.startswith('"')), "read as a range"
            for old in words[2::2]:
                assert old.strip('"') not in new and len(old.strip('"')) <= length
                new[old.strip('"')] = words[0].strip('"')
    (only,) = missing
    found = [None if code is None else new.get(code, code) for code in codes]
    assert len(only) >= max((len(code) for code in found if code is not None), default=0)
    return [None if code == only else code for code in found]
