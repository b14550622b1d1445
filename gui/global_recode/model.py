"""Tables of Global Recode: variables, original codes and what becomes of them, categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.recoding.draft import Draft
from core.recoding.grouping import short_texts
from gui.numbers import MISSING, format_count
from gui.shared.table.model import Column

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.data.variables import Variable
    from core.recipe.model import Recipe
    from core.results.results import RecodedData

NOT_APPLIED = "•"
MISSING_NOTE = mark("A missing code: it is no value, and suppression writes the first of them.")
_ABOUT_STATE = mark("R recoded, T truncated, • a recode that is not applied yet")
_ABOUT_RECORDS = mark(
    "Records that are unsafe now; a dash: no combination uses the variable, or no threshold is chosen"
)
_UNSAFE, _UNSAFE_AFTER = mark("Unsafe"), mark("Unsafe after Apply")
_ABOUT_UNSAFE = mark("Records with this code that are unsafe now in a combination with the variable")
_ABOUT_UNSAFE_AFTER = mark("Records with this code that will be unsafe once the recode shown is applied")


FEW_CODES = 2000
"""Codes up to which all is made and shown at once."""

GROUPINGS = (
    ("width", mark("Intervals of equal width")),
    ("quantiles", mark("Intervals with equally many records")),
    ("breaks", mark("Intervals from my own breaks")),
    ("ends", mark("Top and bottom coding")),
    ("truncate", mark("Truncation: drop characters from the right")),
    ("year", mark("Dates: the year")),
    ("age", mark("Dates of birth: the age on a day")),
    ("tree", mark("Levels of the codelist: keep the first characters")),
)
"""Ways to group all codes at once."""


@dataclass(frozen=True)
class Labels:
    """Labels of codes: the original ones, and those after recoding."""

    original: Mapping[str, str]
    new: Mapping[str, str]


class Category(NamedTuple):
    """A code after recoding, and the original codes that become it."""

    code: str
    codes: tuple[str, ...]
    records: int
    is_missing: bool
    places: tuple[int, ...]
    """Where its codes are in the original column, missing codes included."""


def candidates(prepared: RecodedData) -> list[str]:
    """Variables that can be recoded, in file order, and after them sizes and types of the household."""
    metadata, columns = prepared.metadata, prepared.microdata.columns
    names = [
        v.name
        for v in metadata.variables
        if v.name in columns and not v.removed and v.role not in ("household-id", "direct-identifier", "weight")
    ]
    return [*names, *(spec.name for spec in prepared.recipe.household_keys if spec.name in columns)]


def variable_in(prepared: RecodedData, name: str) -> Variable:
    """What is said of a variable that can be recoded, declared or derived from the household."""
    from core.results.households import variable_of

    return variable_of(prepared.recipe, prepared.metadata, name)


def variable_columns(
    prepared: RecodedData,
    recipe: Recipe,
    codes_now: Mapping[str, int],
    unsafe: Mapping[str, int],
    touched: Collection[str],
) -> list[Column]:
    """Name, state, number of codes now, unsafe records (a dash where `unsafe` has none)."""
    names = candidates(prepared)
    kinds = {recode.variable: "R" if recode.truncate is None else "T" for recode in recipe.recodes}
    states = [f"{kinds.get(name, '')}{NOT_APPLIED if name in touched else ''}" for name in names]
    counts = [codes_now.get(name, prepared.microdata.columns[name].n_valid) for name in names]
    records = [unsafe.get(name) for name in names]
    return [
        Column(translate(mark("Variable")), names),
        Column(translate(mark("R")), states, tooltip=translate(_ABOUT_STATE)),
        Column(translate(mark("codes")), counts, format_count, True, translate(mark("Codes after recoding"))),
        Column(translate(mark("unsafe")), records, _count, True,
               translate(_ABOUT_RECORDS), _is_some),
    ]  # fmt: skip


def categories_of(draft: Draft) -> list[Category]:
    """All categories in the order of their first codes, missing codes last."""
    column, becomes, missing = draft.column, draft.becomes(), draft.missing()
    members: dict[str, list[int]] = {}
    for i, new in enumerate(becomes[: column.n_valid]):
        if new in members:
            members[new].append(i)
        else:
            members[new] = [i]
    for i, new in enumerate(becomes[column.n_valid :], start=column.n_valid):
        if new not in members or new in missing:
            members.setdefault(new, []).append(i)
    for code in missing:
        members.setdefault(code, [])
    codes, counts = column.codes, column.counts.tolist()
    valid: list[Category] = []
    last: list[Category] = []
    for new, places in members.items():
        is_missing = new in missing
        if len(places) == 1 and places[0] < column.n_valid:
            place = places[0]
            found = Category(new, (codes[place],), counts[place], is_missing, (place,))
        else:
            own = tuple(codes[i] for i in places if i < column.n_valid)
            found = Category(new, own, sum(counts[i] for i in places), is_missing, tuple(places))
        (last if is_missing else valid).append(found)
    return valid + last


def code_columns(draft: Draft, labels: Labels) -> tuple[list[Column], list[bool]]:
    """Original codes with what becomes of them; and which are missing codes."""
    column, becomes = draft.column, draft.becomes()
    codes = list(column.codes)
    often = Counter(becomes)
    alone = {c for c in (codes if draft.is_empty else draft.recoding().untouched) if often[c] == 1}
    new = ["" if code in alone else b for code, b in zip(codes, becomes, strict=True)]
    is_missing = [i >= column.n_valid for i in range(len(codes))]
    own = [labels.original.get(code, "") for code in codes]
    own[column.n_valid :] = [label or _missing_label(True) for label in own[column.n_valid :]]
    called = [labels.new.get(b, "") if n else "" for b, n in zip(becomes, new, strict=True)]
    columns = [
        Column(translate(mark("Code")), codes, shown_code),
        Column(translate(mark("Label")), own),
        Column(translate(mark("New code")), new, tooltip=translate(mark("Empty: the code stays as it is"))),
        Column(translate(mark("New label")), called),
        Column(translate(mark("Records")), column.counts, format_count, True),
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
    ]  # fmt: skip
    return columns, [c.is_missing for c in found]


class RecodeRows:
    """Rows of the tables of a draft, without unsafe records. Of tens of thousands of codes it takes long."""

    def __init__(self, draft: Draft, labels: Labels) -> None:
        self.draft, self.labels = draft, labels

    def make(self, progress: Progress = SILENT) -> None:
        """Make all of it now."""
        for part in ("place_of", "code_marks", "category_marks", "codes", "grouped"):
            progress.check()
            getattr(self, part)

    @cached_property
    def categories(self) -> list[Category]:
        """All categories in the order of their first codes, missing codes last."""
        return categories_of(self.draft)

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Where in `categories` an original valid code's is."""
        return {code: i for i, category in enumerate(self.categories) for code in category.codes}

    @cached_property
    def merged(self) -> list[Category]:
        """Valid categories of more than one code."""
        return [c for c in self.categories if not c.is_missing and len(c.codes) > 1]

    @cached_property
    def code_marks(self) -> dict[str, int]:
        """Which of the merged categories an original code is in."""
        return {code: i for i, category in enumerate(self.merged) for code in category.codes}

    @cached_property
    def category_marks(self) -> dict[str, int]:
        """Which of the merged categories a new code is."""
        return {category.code: i for i, category in enumerate(self.merged)}

    @cached_property
    def codes(self) -> tuple[list[Column], list[bool]]:
        """Columns of the original codes; which are missing codes."""
        return code_columns(self.draft, self.labels)

    @cached_property
    def grouped(self) -> tuple[list[Column], list[bool]]:
        """Columns of the categories; which are missing codes."""
        return category_columns(self.draft, self.labels, self.categories)


def unsafe_column(
    unsafe_of_code: NDArray[np.int64] | None, count: int, found: Sequence[Category] | None, after: bool
) -> Column:
    """Unsafe records of `count` rows that stand for categories, or without `found` for a code each; None: not known.

    `after`: they are those once the draft is applied.
    """
    values: list[int | None] = [None] * count
    if unsafe_of_code is not None:
        counts = unsafe_of_code.tolist()
        values = counts if found is None else [sum(map(counts.__getitem__, each.places)) for each in found]
    title, tip = (_UNSAFE_AFTER, _ABOUT_UNSAFE_AFTER) if after else (_UNSAFE, _ABOUT_UNSAFE)
    return Column(translate(title), values, _count, True, translate(tip), _is_some)


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
