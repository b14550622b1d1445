"""Codes, names and recodes in the form that mu-ARGUS can take."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from core.data.columns import EncodedColumn
from core.formats.argus.recode_scheme import Scheme, SchemeItem, SchemeLine, scheme_text
from core.formats.argus.text_files import plain_signs
from core.recoding.recoding import Recoding

LONGEST_CODE = 50
"""Bytes; mu-ARGUS takes fields of less than a hundred."""
LONGEST_NAME = 32


@dataclass(frozen=True)
class WrittenCodes:
    """How the codes of a column are written.

    Attributes
    ----------
    texts : by index of the column's codes; a third and further missing code is written as the second
    missing : one or two missing codes, none of them blank
    numbered : whether valid codes are replaced by numbers, because some are blank, too long or hold a quote or comma
    """

    texts: tuple[str, ...]
    missing: tuple[str, ...]
    numbered: bool

    @property
    def width(self) -> int:
        """Bytes of the longest code."""
        return max(len(text.encode()) for text in (*self.texts, *self.missing))


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


def written_codes(column: EncodedColumn, missing: Mapping[str, str] | None = None) -> WrittenCodes:
    """How mu-ARGUS gets the codes of `column`; `missing` says how missing codes are written that are known already."""
    valid = list(column.codes[: column.n_valid])
    numbered = not all(_is_simple(code) for code in valid)
    if numbered:
        valid = [str(number) for number in range(1, len(valid) + 1)]
    width = max((len(code.encode()) for code in valid), default=1)
    known, taken, texts = dict(missing or {}), set(valid), []
    for code in column.codes[column.n_valid :][:2]:
        text = known.get(code, code)
        if not _is_simple(text) or text in taken:
            text = _free(width, taken)
        taken.add(text)
        texts.append(text)
    declared = texts or [_free(width, taken)]
    last = column.n_missing_codes - 1
    return WrittenCodes(
        (*valid, *(declared[min(number, len(declared) - 1)] for number in range(last + 1))), tuple(declared), numbered
    )


def _is_simple(code: str) -> bool:
    """Whether mu-ARGUS takes the code as it is: a codelist ends it at a comma, a recode begins a text at a quote."""
    return bool(code) and code.isprintable() and not {'"', ","} & set(code) and len(code.encode()) <= LONGEST_CODE


def _free(width: int, taken: set[str]) -> str:
    """A missing code that is no other code: nines, then X's."""
    candidates = (digit * length for length in count(width) for digit in "9X8")
    return next(code for code in candidates if code not in taken)


def recode_codes(recoding: Recoding, original: EncodedColumn, before: WrittenCodes) -> WrittenCodes:
    """How the codes after a recode are written; missing codes that stayed are written as before."""
    return written_codes(recoding.column, dict(zip(original.codes[original.n_valid :], before.missing, strict=False)))


def recode_text(
    recoding: Recoding, original: EncodedColumn, before: WrittenCodes, after: WrittenCodes, codelist: str | None
) -> str:
    """The recode as a scheme of single codes, whichever way it was made; empty where no code changes."""
    new, lines = recoding.column, []
    to = recoding.lut[: original.n_valid]
    for number in range(len(new.codes)):
        old = [before.texts[i] for i in np.flatnonzero(to == number).tolist()]
        code = after.texts[number]
        if old and old != [code]:
            lines.append(SchemeLine(code, tuple(SchemeItem(text, None, False) for text in old)))
    if not lines:
        return ""
    return scheme_text(Scheme(tuple(lines), after.missing, codelist))


def codelist_lines(codes: Sequence[str], written: WrittenCodes, labels: Mapping[str, str]) -> str:
    """A codelist of the written codes; mu-ARGUS cuts labels at commas, so these become semicolons, and knows no UTF-8,
    so dashes and quotes are plain ones.
    """
    lines = []
    for code, text in zip(codes, written.texts, strict=True):
        label = labels.get(code, code if written.numbered else "")
        if label and (code in labels or written.numbered):
            shown = "".join(c if c.isprintable() else " " for c in plain_signs(label))
            plain = " ".join(shown.replace(",", ";").split())
            lines.append(f"{text},{plain}\n")
    return "".join(dict.fromkeys(lines))
