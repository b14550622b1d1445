"""Fields of a fixed file found by eye: edges proposed where all lines are blank, layouts pasted as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..base.errors import MetadataError
from ..base.texts import mark

_SEPARATORS = re.compile(r"[\t;,|]+|\s+")
_RANGE = re.compile(r"(\d{1,6})\s*(?:-|–|\.\.)\s*(\d{1,6})")
_QUOTED = re.compile(r'"([^"]*)"')


class Place(NamedTuple):
    """A field: its name, and its first byte (1-based) and length in bytes."""

    name: str
    start: int
    length: int

    @property
    def end(self) -> int:
        """Last byte, 1-based."""
        return self.start + self.length - 1


def propose_fields(lines: Sequence[bytes]) -> list[Place]:
    """A field for every run of positions that are not blank in all lines, named V1, V2, …

    Parameters
    ----------
    lines : records without their ends of line
    """
    used = [False] * max(map(len, lines), default=0)
    by_length: dict[int, list[bytes]] = {}
    for line in lines:
        by_length.setdefault(len(line), []).append(line)
    for length, alike in by_length.items():
        joined = b"".join(alike)
        for at in range(length):
            used[at] = used[at] or bool(joined[at::length].strip(b" \t"))
    found: list[Place] = []
    for at, is_used in enumerate(used):
        if is_used and (at == 0 or not used[at - 1]):
            found.append(Place(f"V{len(found) + 1}", at + 1, 1))
        elif is_used:
            found[-1] = found[-1]._replace(length=found[-1].length + 1)
    return found


def parse_layout(text: str) -> list[Place]:
    """Fields from pasted text: one a line, its name, start and length (or start-end), separated by blanks or signs.

    A first line without numbers is taken as headings.

    Raises
    ------
    MetadataError
        Naming the line.
    """
    found: list[Place] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        place = _place(line)
        if place is None:
            if not found and not re.search(r"\d", line):
                continue
            raise MetadataError(
                "layout-line",
                mark("Line {line} of the layout has no name, start and length: {text}"),
                mark("Write for example: REGION 1 4"),
                line=number,
                text=line.strip()[:60],
            )
        found.append(place)
    if not found:
        raise MetadataError(
            "layout-empty",
            mark("There is no layout in this text."),
            mark("Write one field a line: its name, its start and its length, for example: REGION 1 4"),
        )
    return found


def _place(line: str) -> Place | None:
    quoted = _QUOTED.search(line)
    rest = line.replace(quoted[0], " ", 1) if quoted else line
    span = _RANGE.search(rest)
    if span:
        rest = rest.replace(span[0], " ", 1)
    parts = [part for part in _SEPARATORS.split(rest) if part]
    numbers = [int(part) for part in parts if part.isdecimal() and len(part) <= 6]
    words = [part for part in parts if not part.isdecimal()]
    name = quoted[1].strip() if quoted else (words[0] if words else "")
    if span:
        start, length = int(span[1]), int(span[2]) - int(span[1]) + 1
    elif len(numbers) >= 2:
        start, length = numbers[0], numbers[1]
    else:
        return None
    return Place(name, start, length) if name and start > 0 and length > 0 else None


def with_edge(fields: Sequence[Place], after: int, length: int) -> list[Place]:
    """The fields with an edge behind byte `after` made, or removed where there is one.

    An edge within a field cuts it in two; one outside begins a field that reaches to the next field or the end of
    the record, which is `length` bytes long. Without their edge two neighbours are one field under the first one's
    name, and a field beside a gap takes the gap.
    """
    ordered = sorted(fields, key=lambda field: field.start)
    for i, field in enumerate(ordered):
        if field.start <= after < field.end:
            second = Place(new_name(ordered), after + 1, field.end - after)
            return [*ordered[:i], field._replace(length=after - field.start + 1), second, *ordered[i + 1 :]]
        if field.end == after:
            following = ordered[i + 1] if i + 1 < len(ordered) else Place("", max(length, after) + 1, 0)
            joins = following.start == after + 1 and following.name != ""
            end = following.end if joins else following.start - 1
            return [*ordered[:i], field._replace(length=end - field.start + 1), *ordered[i + 1 + joins :]]
        if field.start == after + 1:
            begin = ordered[i - 1].end + 1 if i else 1
            return [*ordered[:i], Place(field.name, begin, field.end - begin + 1), *ordered[i + 1 :]]
    return sorted([*ordered, _from(after + 1, ordered, length)], key=lambda f: f.start)


def _from(start: int, fields: Sequence[Place], length: int) -> Place:
    end = min((field.start - 1 for field in fields if field.start > start), default=max(length, start))
    return Place(new_name(fields), start, end - start + 1)


def with_field(fields: Sequence[Place], start: int, length: int) -> list[Place]:
    """The fields with a new one; what it covers of others is taken from them."""
    end = start + length - 1
    kept: list[Place] = []
    for field in sorted(fields, key=lambda each: each.start):
        if field.start < start:
            kept.append(field._replace(length=min(field.end, start - 1) - field.start + 1))
        if field.end > end:
            after = max(field.start, end + 1)
            name = field.name if field.start >= start else new_name([*fields, *kept])
            kept.append(Place(name, after, field.end - after + 1))
    return sorted([*kept, Place(new_name([*fields, *kept]), start, length)], key=lambda each: each.start)


def new_name(fields: Sequence[Place]) -> str:
    """A name that no field has: V and a number."""
    names = {field.name.casefold() for field in fields}
    number = next(i for i in range(1, len(names) + 2) if f"v{i}" not in names)
    return f"V{number}"
