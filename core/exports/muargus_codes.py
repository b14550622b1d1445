"""Codes, names and recodes in the form that mu-ARGUS can take."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType

import numpy as np

from ..data.columns import EncodedColumn
from ..formats.argus.recode_scheme import Scheme, SchemeItem, SchemeLine, scheme_text
from ..formats.argus.text_files import plain_signs
from ..recoding.recoding import Recoding

LONGEST_CODE = 50
"""Bytes; mu-ARGUS takes fields of less than a hundred."""
LONGEST_NAME = 32
_BLANK = "(blank)"
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class WrittenCodes:
    """How the codes of a column are written.

    Attributes
    ----------
    texts : by index of the column's codes, ASCII; every missing code is written as `missing`
    missing : the one missing code, not blank and as wide as the field: mu-ARGUS ends where a second one occurs, and
        does not find one that is shorter than its field
    numbered : whether valid codes are replaced by numbers, because mu-ARGUS does not take some as they are
    """

    texts: tuple[str, ...]
    missing: str
    numbered: bool

    @property
    def width(self) -> int:
        """Bytes of the field."""
        return len(self.missing)


def muargus_names(names: Sequence[str]) -> list[str]:
    """Names of ASCII letters, digits and underscores, different in more than case."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", ascii_only).strip("_")[:LONGEST_NAME] or "V"
        unique = next(n for n in _numbered(plain) if n.casefold() not in taken)
        taken.add(unique.casefold())
        found.append(unique)
    return found


def file_names(names: Mapping[str, str], stem: str) -> dict[tuple[str, str], str]:
    """Names of a variable's files by its own name and what is in them: different in more than case for all of them.

    ``codes``, ``recoded``: its codelists before and after the recode; ``recode``: the recode.
    """
    kinds = {"codes": ".cdl", "recoded": "_recoded.cdl", "recode": ".grc"}
    found: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for kind, suffix in kinds.items():  # those that every variable has first, so that they keep their plain names
        for name, shown in names.items():
            some = (f"{stem}_{shown}{more}{suffix}" for more in ("", *(f"_{number}" for number in range(2, 1 << 16))))
            found[name, kind] = next(text for text in some if text.casefold() not in taken)
            taken.add(found[name, kind].casefold())
    return found


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        yield f"{name[: LONGEST_NAME - 4]}_{number}"


def written_codes(column: EncodedColumn, missing: Mapping[str, str] = _NONE) -> WrittenCodes:
    """How mu-ARGUS gets the codes of `column`; `missing` says how missing codes are written that are known already."""
    valid = list(column.codes[: column.n_valid])
    numbered = not all(_is_simple(code) for code in valid)
    if numbered:
        valid = [str(number) for number in range(1, len(valid) + 1)]
    width, taken = max(map(len, valid), default=1), set(valid)
    first = column.suppression_code or ""
    text = missing.get(first, first)
    if not _is_simple(text) or len(text) < width or text in taken:
        text = _free(width, taken)
    return WrittenCodes((*valid, *[text] * column.n_missing_codes), text, numbered)


def _is_simple(code: str) -> bool:
    """Whether mu-ARGUS takes the code as it is.

    A codelist ends it at a comma, a recode begins a text at a quote and takes a line with ``<`` or ``//`` in front for
    no code; a letter beyond ASCII at the end of a record is taken for an end of line.
    """
    plain = code.isascii() and code.isprintable() and not {'"', ","} & set(code)
    return bool(code) and plain and not code.startswith(("<", "//")) and len(code) <= LONGEST_CODE


def _free(width: int, taken: set[str]) -> str:
    """A missing code that is no other code: nines, then X's."""
    candidates = (digit * length for length in count(width) for digit in "9X8")
    return next(code for code in candidates if code not in taken)


def recode_codes(recoding: Recoding, original: EncodedColumn, before: WrittenCodes) -> WrittenCodes:
    """How the codes after a recode are written; missing codes that stayed are written as before."""
    return written_codes(recoding.column, dict.fromkeys(original.missing_codes, before.missing))


def recode_text(
    recoding: Recoding, original: EncodedColumn, before: WrittenCodes, after: WrittenCodes, codelist: str | None
) -> str:
    """The recode as a scheme of single codes, whichever way it was made; empty where no code changes."""
    new_codes: dict[str, list[str]] = {}
    to = recoding.lut[: original.n_valid]
    for number, code in enumerate(after.texts):
        new_codes.setdefault(code, []).extend(before.texts[i] for i in np.flatnonzero(to == number).tolist())
    lines = [
        SchemeLine(code, tuple(SchemeItem(text, None, False) for text in old))
        for code, old in new_codes.items()
        if old and old != [code]
    ]
    if not lines:
        return ""
    return scheme_text(Scheme(tuple(lines), (after.missing,), codelist))


def codelist_lines(column: EncodedColumn, written: WrittenCodes, labels: Mapping[str, str]) -> str:
    """A codelist of the written codes, which also says what stands for what.

    A code that is written otherwise stands before its label; several missing codes that are written as one are named
    together. mu-ARGUS cuts labels at commas, so these become semicolons, and knows no UTF-8, so dashes and quotes are
    plain ones.
    """
    told: dict[str, list[str]] = {}
    for code, text, records in zip(column.codes, written.texts, column.counts.tolist(), strict=True):
        label = labels.get(code, "") if code else ""
        if label or records:
            own = code or _BLANK
            changed = f"{own}: {label}" if label else own
            told.setdefault(text, []).append(label if code == text else changed)
    if told.get(written.missing) == [_BLANK]:
        del told[written.missing]
    return "".join(
        f"{text},{_plain(' / '.join(label or text for label in shown))}\n"
        for text, shown in told.items()
        if shown != [""]
    )


def _plain(label: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in plain_signs(label))
    return " ".join(shown.replace(",", ";").split())
