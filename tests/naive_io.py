"""Slow plain-Python twins of the readers and writers of text formats."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from core.data.variables import Metadata, Variable

BLANKS = "".join(map(chr, range(33)))
CONTROLS = "".join(map(chr, range(32)))


class Refused(Exception):
    """The file cannot be read; `line` is the 1-based line it is refused for (0: the file)."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def decode(data: bytes, encoding: str = "utf-8", delimiter: str = "") -> str:
    """Text without byte order mark; every refusal of single bytes. Without `delimiter` quotes mean nothing."""
    bad = data.index(b"\0") if b"\0" in data else len(data)
    try:
        data[:bad].decode(encoding)
    except UnicodeDecodeError as error:
        bad = error.start
    if bad < len(data):
        raise Refused(data[:bad].count(b"\n") + 1)
    text = data.decode(encoding)
    text = text.removeprefix("\ufeff") if encoding == "utf-8" else text
    if delimiter or "\n" not in text:
        _check_returns(text, delimiter)
    return text


def fixed_records(data: bytes, metadata: Metadata) -> list[tuple[int, dict[str, bytes]]]:
    """Line number and fields of each record."""
    raw = decode(data).encode()
    records: list[tuple[int, dict[str, bytes]]] = []
    length = None
    for number, line in enumerate(raw.split(b"\n"), 1):
        line = line.rstrip(CONTROLS.encode())
        if not line:
            continue
        if length is None:
            length = len(line)
            if any(v.start - 1 + v.length > length for v in metadata.variables):
                raise Refused(number)
        if len(line) != length:
            raise Refused(number)
        records.append((number, {v.name: line[v.start - 1 : v.start - 1 + v.length] for v in metadata.variables}))
    if not records:
        raise Refused(0)
    return records


def delimited_rows(data: bytes, delimiter: str) -> list[tuple[int, list[str]]]:
    """Line number and texts of the fields of each record, header included; character by character."""
    text = decode(data, delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    at, line = 0, 1
    while at < len(text):
        begin, begin_line = at, line
        fields: list[str] = []
        while True:
            field, at, quoted = _field(text, at, delimiter, begin_line)
            line += text[at - (len(quoted or "")) : at].count("\n") if quoted else 0
            fields.append(field)
            if at < len(text) and text[at] == delimiter:
                at += 1
                continue
            break
        empty = len(fields) == 1 and not text[begin:at].rstrip(CONTROLS)
        if at < len(text):
            at += 1
            line += 1
        if not empty:
            rows.append((begin_line, fields))
            if len(fields) != len(rows[0][1]):
                raise Refused(begin_line)
    return rows


def _field(text: str, at: int, delimiter: str, line: int) -> tuple[str, int, str]:
    """One field: its text, the position behind it, and what was consumed if it was quoted."""
    begin = at
    ahead = at
    while ahead < len(text) and text[ahead] == " " and delimiter != " ":
        ahead += 1
    if ahead < len(text) and text[ahead] == '"':
        value = ""
        at = ahead + 1
        while True:
            if at >= len(text):
                raise Refused(line)
            if text[at] == '"':
                if text[at + 1 : at + 2] == '"':
                    value += '"'
                    at += 2
                    continue
                at += 1
                break
            value += text[at]
            at += 1
        while at < len(text) and text[at] not in (delimiter, "\n"):
            if text[at] > " ":
                raise Refused(line)
            at += 1
        return value, at, text[begin:at]
    while at < len(text) and text[at] not in (delimiter, "\n"):
        at += 1
    return text[begin:at], at, ""


def _check_returns(text: str, delimiter: str) -> None:
    """Refuse a CR outside quoted fields before anything but control characters."""
    if delimiter:
        quoted = rf'(?<![^{re.escape(delimiter)}\n]) *"(?:[^"]|"")*(?:"|\Z)'
        text = re.sub(quoted, "_", text)
    if re.search("\r[^\x00-\x08\x0a-\x1f]", text):
        raise Refused(0)


def delimited_records(data: bytes, metadata: Metadata) -> list[tuple[int, dict[str, bytes]]]:
    """Line number and fields of each record."""
    rows = delimited_rows(data, metadata.delimiter)
    if not rows:
        raise Refused(0)
    if metadata.header:
        names = [name.strip(BLANKS) for name in rows[0][1]]
        rows = rows[1:]
        if len(set(names)) < len(names) or "" in names or not set(metadata.names) <= set(names):
            raise Refused(0)
        columns = {name: names.index(name) for name in metadata.names}
    else:
        columns = {v.name: v.column - 1 for v in metadata.variables}
        if max(columns.values()) >= len(rows[0][1]):
            raise Refused(0)
    if not rows:
        raise Refused(0)
    return [(line, {name: fields[j].encode() for name, j in columns.items()}) for line, fields in rows]


def codes(records: list[tuple[int, dict[str, bytes]]], variable: Variable) -> list[str]:
    """Each record's code."""
    return [fields[variable.name].decode().strip(BLANKS) for _, fields in records]


def forms(records: list[tuple[int, dict[str, bytes]]], variable: Variable, width: int, fixed: bool) -> dict[str, str]:
    """Padded form of each code: as it stands where it always stands so (fixed format), else right-justified."""
    stands: dict[str, set[bytes]] = {code.strip(BLANKS): set() for code in variable.missing}
    for _, fields in records:
        field = fields[variable.name]
        stands.setdefault(field.decode().strip(BLANKS), set()).add(field)
    result = {}
    for code, fields in stands.items():
        form = fields.pop() if fixed and (len(fields) == 1 or (not code and fields)) else code.encode().rjust(width)
        result[code] = form.decode()
    return result


def codelist(forms: dict[str, str], variable: Variable) -> list[str]:
    """All codes in order: valid ones by their padded form, then the missing ones as declared."""
    missing = list(dict.fromkeys(code.strip(BLANKS) for code in variable.missing))
    return sorted((code for code in forms if code not in missing), key=lambda code: forms[code].encode()) + missing


def weights(records: list[tuple[int, dict[str, bytes]]], variable: Variable, decimal: str = ".") -> list[Decimal]:
    """Each record's weight, exactly; refused with the first line at fault."""
    values: list[Decimal] = []
    for line, fields in records:
        text = fields[variable.name].decode("latin-1").strip(BLANKS)
        plain = set(text) <= set("0123456789+-eE" + decimal) and text not in variable.missing
        try:
            value = Decimal(text.replace(decimal, ".")) if plain else Decimal("NaN")
        except InvalidOperation:
            value = Decimal("NaN")
        if value.is_nan() or value < 0:
            raise Refused(line)
        values.append(value)
    return values
