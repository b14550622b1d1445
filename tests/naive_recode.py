"""Slow, obvious twins of global recoding: one record, one item, one character at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.base.errors import PavoError
from core.data.columns import EncodedColumn

BLANKS = "".join(chr(i) for i in range(33))


def column(fields: list[str], missing: tuple[str, ...], width: int, name: str = "X") -> EncodedColumn:
    """The encoded column of records given as text; the first spelling of a code is its field."""
    padded: dict[str, str] = {}
    for field in fields:
        padded.setdefault(field.strip(BLANKS), " " * (width - size(field)) + field)
    valid = sorted((code for code in padded if code not in missing), key=lambda code: padded[code].encode())
    codes = [*valid, *missing]
    values = [codes.index(field.strip(BLANKS)) for field in fields]
    return EncodedColumn(
        name,
        np.array(values, np.uint16),
        tuple(codes),
        tuple(padded.get(code, " " * (width - size(code)) + code) for code in codes),
        np.array([values.count(i) for i in range(len(codes))], np.int64),
        len(valid),
        width,
    )


def refusal(work: Callable[[], object]) -> PavoError | None:
    """The error in words that `work` ends with, if it does; any other exception passes."""
    try:
        work()
    except PavoError as error:
        return error
    return None


def size(text: str) -> int:
    """Bytes in UTF-8."""
    return len(text.encode())


Item = tuple[str | None, str | None, bool]


def parse(text: str) -> tuple[list[tuple[str, list[Item]]], list[str]]:
    """Lines (new code, items) and missing codes of a well-formed scheme, read character by character."""
    lines: list[tuple[str, list[Item]]] = []
    missing: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        tokens = tokenize(line)
        if not tokens:
            continue
        if tokens[0] == ("<MISSING>", False):
            missing = [text.strip(BLANKS) for text, quoted in tokens[1:] if quoted or text != ","]
        elif tokens[0][0] != "<CODELIST>":
            assert tokens[1] == (":", False)
            lines.append((tokens[0][0].strip(BLANKS), items(tokens[2:])))
    return lines, missing


def tokenize(line: str) -> list[tuple[str, bool]]:
    """Codes and separators, each with whether it stood in quotes."""
    tokens: list[tuple[str, bool]] = []
    i = 0
    while i < len(line):
        if line[i] in " \t":
            i += 1
        elif line[i] == '"':
            code = ""
            i += 1
            while line[i] != '"' or line[i + 1 : i + 2] == '"':
                code += line[i]
                i += 2 if line[i] == '"' else 1
            tokens.append((code, True))
            i += 1
        elif line[i] in ",:-":
            tokens.append((line[i], False))
            i += 1
        else:
            code = ""
            while i < len(line) and line[i] not in " \t,:-":
                code += line[i]
                i += 1
            tokens.append((code, False))
    return tokens


def items(tokens: list[tuple[str, bool]]) -> list[Item]:
    """Items between commas."""
    groups: list[list[tuple[str, bool]]] = [[]]
    for token in tokens:
        if token == (",", False):
            groups.append([])
        else:
            groups[-1].append(token)
    found: list[Item] = []
    for group in groups:
        if ("-", False) not in group:
            found.append((group[0][0], None, False))
            continue
        at = group.index(("-", False))
        low = group[at - 1][0] if at > 0 else None
        high = group[at + 1][0] if at + 1 < len(group) else None
        found.append((low, high, True))
    return found


def names(item: Item, code: str, field: str, width: int) -> bool:
    """Whether an item names a valid code that stands in the file as `field`."""
    low, high, is_range = item
    if not is_range:
        assert low is not None
        return low.strip(BLANKS) == code
    return (low is None or bound(low, width).encode() <= field.encode()) and (
        high is None or field.encode() <= bound(high, width).encode()
    )


def bound(text: str, width: int) -> str:
    """A bound as a field."""
    if size(text) > width:
        text = text.strip(BLANKS)
    return " " * (width - size(text)) + text


def recode(original: EncodedColumn, lines: list[tuple[str, list[Item]]], new_missing: list[str]) -> dict[str, object]:
    """What a scheme makes of every record, and its warnings; None where a missing code would become valid."""
    width = original.width
    valid, old_missing = original.codes[: original.n_valid], original.codes[original.n_valid :]
    missing = list(dict.fromkeys(new_missing or old_missing))
    becomes: dict[str, str] = {}
    empty_first = len(old_missing) > 1 and old_missing[0] == "" and "" not in missing
    for i, code in enumerate(old_missing[1:] if empty_first else old_missing):
        becomes[code] = missing[i] if i < len(missing) else missing[-1]
    if empty_first:
        becomes[""] = missing[0]
    times = dict.fromkeys(valid, 0)
    nonsense = 0
    for new, line_items in lines:
        for item in line_items:
            if not item[2] and item[0].strip(BLANKS) in old_missing:
                if new not in missing:
                    return {"refused": True}
                becomes[item[0].strip(BLANKS)] = new
                continue
            fits = [
                code for code, field in zip(valid, original.padded, strict=False) if names(item, code, field, width)
            ]
            nonsense += not fits
            for code in fits:
                becomes[code] = new
                times[code] += 1
    untouched = [code for code in valid if times[code] == 0]
    lengths = [size(code) for code in [*(new for new, _ in lines), *untouched, *missing]]
    return {
        "records": [becomes.get(original.codes[i], original.codes[i]) for i in original.values.tolist()],
        "missing": missing,
        "untouched": untouched,
        "overlapping": [code for code in valid if times[code] > 1],
        "nonsense": nonsense,
        "width": max(lengths),
    }
