"""Texts of a delimited file that spreadsheet programs take for formulas."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.variables import Metadata

_UNSIGNED = r"(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
_FORMULA = re.compile(rf"[=@]|[+-](?!{_UNSIGNED}\Z)")
_STEP = 1 << 20


def formula_texts(path: Path, layout: Metadata, progress: Progress = SILENT) -> dict[str, int]:
    """Number of values that begin with ``=``, ``+``, ``-`` or ``@`` and are no number, by variable.

    Empty for other formats than delimited, in which such texts are no formulas.
    """
    if layout.format != "delimited" or not _may_hold(path, layout, progress):
        return {}
    from .convert import code_batches

    found = dict.fromkeys(layout.names, 0)
    for batch in code_batches(path, layout, layout.names, False, progress):
        for name in layout.names:
            counted = batch.column(name).value_counts()
            for value, count in zip(counted.field("values").to_pylist(), counted.field("counts"), strict=True):
                if value is not None and _FORMULA.match(value):
                    found[name] += count.as_py()
    return {name: count for name, count in found.items() if count}


def named_like_formulas(layout: Metadata) -> tuple[Notice, ...]:
    """One warning for variables whose names in the header of a delimited file would be taken for formulas."""
    if layout.format != "delimited" or not layout.header:
        return ()
    named = [name for name in layout.names if _FORMULA.match(name)]
    if not named:
        return ()
    return (
        Notice.of(
            "formula-name",
            mark(
                "The names of variables {variables} begin with =, +, - or @: a spreadsheet program may take them for "
                "formulas when it opens the safe file. They are written as they are; give the variables other names if "
                "the file will be opened so."
            ),
            where=named[0],
            variables=_listed(named),
        ),
    )


def formula_notice(found: Mapping[str, int]) -> tuple[Notice, ...]:
    """One warning for all variables with such texts."""
    if not found:
        return ()
    named = sorted(found, key=lambda name: (-found[name], name))
    return (
        Notice.of(
            "formula-text",
            mark(
                "{count} values begin with =, +, - or @ and are no numbers, in {variables}: a spreadsheet program may "
                "take them for formulas when it opens the safe file. They are written as they are; recode them if the "
                "file will be opened so."
            ),
            where=named[0],
            count=sum(found.values()),
            variables=_listed(named),
        ),
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:10]) + (", …" if len(names) > 10 else "")


def _may_hold(path: Path, layout: Metadata, progress: Progress) -> bool:
    """Whether a field may begin so, by a look at the bytes; most files need no more than that."""
    before = (layout.delimiter.encode(), b"\n", b"\r", b'"')
    signs = {sign: [lead + sign for lead in before] for sign in (b"=", b"+", b"-", b"@")}
    number, delimiter = _UNSIGNED.encode(), re.escape(before[0])
    pattern = re.compile(rb'[\r\n"%s](?:[=@]|[+\-](?!%s"?\s*(?:%s|[\r\n]|\Z)))' % (delimiter, number, delimiter))
    rest = b"\n"
    with path.open("rb") as source:
        mark_of_order = source.read(3)
        if mark_of_order[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return True
        source.seek(3 if mark_of_order == codecs.BOM_UTF8 else 0)
        while data := source.read(_STEP):
            progress.check()
            data = rest + data
            end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
            # Most blocks hold none of these: one byte is looked for far quicker than two, and two than the pattern.
            there = any(sign in data and any(map(data.__contains__, starts)) for sign, starts in signs.items())
            if there and pattern.search(data, 0, end):
                return True
            rest = b"\n" + data[end:]
    return pattern.search(rest) is not None
