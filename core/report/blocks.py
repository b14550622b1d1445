"""What a release report says, as plain frozen values; the renderings only lay it out.

Tables hold raw values and a format spec a column (or a row), charts hold their numbers. So the self-contained HTML
file, the view in the program and the print cannot differ in a figure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..risk.measures.shown import Picture
from .numbers import Value, column, is_numeric

Tone = Literal["plain", "note", "good", "warning"]


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True)
class Text:
    """A paragraph; `tone` says whether it is a remark, a good result or a warning."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class ReportColumn:
    """A column's heading, with its unit if it has one, and the format of its values (``numbers.column``)."""

    title: str
    spec: str = "text"


@dataclass(frozen=True)
class ReportTable:
    """Raw values in rows.

    `row_specs`, where given, has one spec a row and overrides the columns' specs from the second column on: for
    tables whose rows are different quantities. `total` marks the last row as the sum.
    """

    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    caption: str = ""
    row_specs: tuple[str, ...] = ()
    total: bool = False
    note: str = ""

    def cells(self) -> list[list[str]]:
        """The rows as text."""
        if self.row_specs:
            return [[str(row[0]), *column(row[1:], spec)] for row, spec in zip(self.rows, self.row_specs, strict=True)]
        by_column = [column([row[j] for row in self.rows], c.spec) for j, c in enumerate(self.columns)]
        return [list(row) for row in zip(*by_column, strict=True)]

    def numeric(self) -> list[bool]:
        """For each column whether it is right-aligned."""
        if self.row_specs:
            return [j > 0 for j in range(len(self.columns))]
        return [is_numeric(c.spec) for c in self.columns]


@dataclass(frozen=True)
class Terms:
    """Names with what stands beside them: facts (with a format spec each) or definitions."""

    rows: tuple[tuple[str, Value, str], ...]
    definitions: bool = False

    def cells(self) -> list[tuple[str, str]]:
        """The rows as text."""
        return [(name, column([value], spec)[0]) for name, value, spec in self.rows]


@dataclass(frozen=True)
class Outline:
    """An earlier state of a histogram: `records` in the classes between `edges` (one more, ascending, risks)."""

    edges: tuple[float, ...]
    records: tuple[int, ...]


@dataclass(frozen=True)
class Panel:
    """One histogram: `records` in the classes between `edges` (one more, ascending, risks).

    `unsafe`: how many of each class are; empty where the threshold is a class limit, which tells it.
    `outline`: the state before the last recode.
    """

    title: str
    edges: tuple[float, ...]
    records: tuple[int, ...]
    unsafe: tuple[int, ...] = ()
    outline: Outline | None = None


@dataclass(frozen=True)
class RiskHistograms:
    """Histograms of a risk on one common axis, under each other, with the threshold through all of them."""

    title: str
    panels: tuple[Panel, ...]
    threshold: float | None
    caption: str = ""
    unit: str = ""
    """What is counted upwards; empty: records."""


@dataclass(frozen=True)
class Curve:
    """Risk–utility curve: what a threshold costs. `points` are (threshold, cost), ascending in threshold.

    Above all points the cost is `remaining`.
    """

    title: str
    points: tuple[tuple[float, float], ...]
    current: tuple[float, float] | None
    y_title: str
    caption: str = ""
    remaining: float = 0.0
    household: bool = False
    """Whether the thresholds are those of the household risk."""


@dataclass(frozen=True)
class MeasurePicture:
    """The picture of a measure; `title` is the measure's."""

    title: str
    picture: Picture
    caption: str = ""


@dataclass(frozen=True)
class Code:
    """Text set as it stands, in a fixed-width font."""

    text: str


@dataclass(frozen=True)
class AnswerField:
    """A question with what is known and what a person answered; `lines` to write on where nobody did."""

    title: str
    known: str = ""
    answer: str = ""
    lines: int = 0


Block = Heading | Text | ReportTable | Terms | RiskHistograms | Curve | MeasurePicture | Code | AnswerField


@dataclass(frozen=True)
class Section:
    """One part of the report; `id` is stable and the anchor in the HTML file."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Verdict:
    """What the written file reached: a sentence, and what else is to be known at once."""

    headline: str
    sentence: str
    tone: Literal["good", "plain", "warning"]


@dataclass(frozen=True)
class LargeFigure:
    """A figure of the safe file as text, what it was before or its unit, and what it means."""

    value: str
    beside: str
    meaning: str


@dataclass(frozen=True)
class ReportData:
    """The whole report. `summary` is the opening: a few sentences for a reader who reads no further."""

    title: str
    subtitle: str
    created: str
    language: str
    details: tuple[tuple[str, str], ...]
    summary: tuple[Text, ...]
    sections: tuple[Section, ...]
    footer: str
    contents_title: str = field(default="")
    summary_title: str = field(default="")
    verdict: Verdict | None = None
    figures: tuple[LargeFigure, ...] = ()
