"""Tables of Global Recode: variables, original codes and what becomes of them, categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.recoding.draft import Draft
from core.recoding.grouping import short_texts
from core.texts import mark, translate
from gui.models.columns import Column
from gui.numbers import MISSING, format_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.derive.results import Prepared
    from core.recipe.model import Recipe

NOT_APPLIED = "•"
MISSING_NOTE = mark("A missing code: it is no value, and suppression writes the first of them.")
_ABOUT_STATE = mark("R recoded, T truncated, • a recode that is not applied yet")
_ABOUT_UNSAFE = mark("Records with this code that are unsafe in a combination with the variable")


GROUPINGS = (
    ("width", mark("Intervals of equal width")),
    ("quantiles", mark("Intervals with equally many records")),
    ("breaks", mark("Intervals from my own breaks")),
    ("ends", mark("Top and bottom coding")),
    ("truncate", mark("Truncation: drop characters from the right")),
    ("tree", mark("Levels of the codelist: keep the first characters")),
)
"""Ways to group all codes at once."""


@dataclass(frozen=True)
class Labels:
    """What codes are called: the original ones, and those after recoding."""

    original: Mapping[str, str]
    new: Mapping[str, str]


@dataclass(frozen=True)
class Category:
    """A code after recoding, and the original codes that become it."""

    code: str
    codes: tuple[str, ...]
    records: int
    unsafe: int | None
    is_missing: bool


def candidates(prepared: Prepared) -> list[str]:
    """Variables that can be recoded, in file order."""
    metadata, columns = prepared.metadata, prepared.microdata.columns
    return [
        v.name
        for v in metadata.variables
        if v.name in columns and not v.removed and v.role not in ("household-id", "direct-identifier", "weight")
    ]


def variable_columns(
    prepared: Prepared,
    recipe: Recipe,
    codes_now: Mapping[str, int],
    unsafe: Mapping[str, int] | None,
    touched: Collection[str],
) -> list[Column]:
    """Name, state, number of codes now, unsafe records (None: not known yet)."""
    names = candidates(prepared)
    kinds = {recode.variable: "R" if recode.truncate is None else "T" for recode in recipe.recodes}
    states = [f"{kinds.get(name, '')}{NOT_APPLIED if name in touched else ''}" for name in names]
    counts = [codes_now.get(name, prepared.microdata.columns[name].n_valid) for name in names]
    records = [None if unsafe is None else unsafe.get(name) for name in names]
    return [
        Column(translate(mark("Variable")), names),
        Column(translate(mark("R")), states, tooltip=translate(_ABOUT_STATE)),
        Column(translate(mark("codes")), counts, format_count, True, translate(mark("Codes after recoding"))),
        Column(translate(mark("unsafe")), records, _count, True,
               translate(mark("Unsafe records; a dash: no combination uses the variable")), _is_some),
    ]  # fmt: skip


def categories_of(draft: Draft, unsafe_of_code: NDArray[np.int64] | None) -> list[Category]:
    """All categories in the order of their first codes, missing codes last."""
    column, becomes, missing = draft.column, draft.becomes(), draft.missing()
    members: dict[str, list[int]] = {}
    for i, new in enumerate(becomes):
        if i < column.n_valid or new not in members or new in missing:
            members.setdefault(new, []).append(i)
    for code in missing:
        members.setdefault(code, [])
    found = [
        Category(
            new,
            tuple(column.codes[i] for i in places if i < column.n_valid),
            sum(int(column.counts[i]) for i in places),
            None if unsafe_of_code is None else sum(int(unsafe_of_code[i]) for i in places),
            new in missing,
        )
        for new, places in members.items()
    ]
    return sorted(found, key=lambda category: category.is_missing)


def code_columns(
    draft: Draft, labels: Labels, unsafe_of_code: NDArray[np.int64] | None
) -> tuple[list[Column], list[bool]]:
    """Original codes with what becomes of them; and which are missing codes."""
    column, becomes = draft.column, draft.becomes()
    codes = list(column.codes)
    often = Counter(becomes)
    alone = {c for c in (codes if draft.is_empty else draft.recoding().untouched) if often[c] == 1}
    new = ["" if code in alone else b for code, b in zip(codes, becomes, strict=True)]
    unsafe: Any = [None] * len(codes) if unsafe_of_code is None else unsafe_of_code
    is_missing = [i >= column.n_valid for i in range(len(codes))]
    own = [labels.original.get(c, "") or _missing_label(m) for c, m in zip(codes, is_missing, strict=True)]
    called = [labels.new.get(b, "") if n else "" for b, n in zip(becomes, new, strict=True)]
    columns = [
        Column(translate(mark("Code")), codes, shown_code),
        Column(translate(mark("Label")), own),
        Column(translate(mark("New code")), new, tooltip=translate(mark("Empty: the code stays as it is"))),
        Column(translate(mark("New label")), called),
        Column(translate(mark("Records")), column.counts, format_count, True),
        Column(translate(mark("Unsafe")), unsafe, _count, True, translate(_ABOUT_UNSAFE), _is_some),
    ]
    return columns, is_missing


def category_columns(draft: Draft, labels: Labels, found: Sequence[Category]) -> tuple[list[Column], list[bool]]:
    """Codes after recoding and the original codes that each stands for."""
    columns = [
        Column(translate(mark("Category")), [c.code for c in found], shown_code),
        Column(translate(mark("Label")), [_category_label(c, labels) for c in found]),
        Column(translate(mark("made of")), short_texts(draft.column, (c.codes for c in found))),
        Column(translate(mark("Codes")), [len(c.codes) for c in found], format_count, True,
               translate(mark("Original codes in the category"))),
        Column(translate(mark("Records")), [c.records for c in found], format_count, True),
        Column(translate(mark("Unsafe")), [c.unsafe for c in found], _count, True, translate(_ABOUT_UNSAFE), _is_some),
    ]  # fmt: skip
    return columns, [c.is_missing for c in found]


def shown_code(code: str) -> str:
    """A code as a cell shows it."""
    return code or translate(mark("(empty)"))


def _category_label(category: Category, labels: Labels) -> str:
    if category.code in labels.new:
        return labels.new[category.code]
    if category.is_missing:
        return _missing_label(True)
    ends = [labels.original.get(code, "") for code in (category.codes[:1] + category.codes[-1:])]
    if len(category.codes) == 1:
        return ends[0]
    return f"{ends[0]} – {ends[1]}" if all(ends) else ""


def _missing_label(is_missing: bool) -> str:
    return translate(mark("missing")) if is_missing else ""


def _count(value: int | None) -> str:
    return MISSING if value is None else format_count(value)


def _is_some(value: int | None) -> bool:
    return bool(value)
