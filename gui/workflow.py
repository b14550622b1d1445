"""The seven steps of the work: which are done, which need attention, and what to do next. No widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.errors import DataError, MetadataError, PavoError
from core.texts import mark, translate
from gui.document import Document
from gui.numbers import format_count

if TYPE_CHECKING:
    from core.session import Derived, RiskTable

State = Literal["open", "done", "attention"]


@dataclass(frozen=True)
class WorkStep:
    """One step of the workflow bar: its window, its state, a short detail, and why it needs attention."""

    name: str
    title: str
    window: str
    state: State
    detail: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Next:
    """The next thing to do: a sentence, and buttons (their text and the window they open)."""

    sentence: str
    offers: tuple[tuple[str, str], ...] = ()


def steps(document: Document) -> tuple[WorkStep, ...]:
    """The seven steps as they stand."""
    return (
        _data(document),
        _metadata(document),
        _combinations(document),
        _risk(document),
        _recode(document),
        _protect(document),
        _report(document),
    )


def unsafe_in(table: RiskTable) -> int:
    """Records at or above the table's threshold."""
    return table.staircase.unsafe(table.threshold)


def has_threshold(table: RiskTable) -> bool:
    """Whether the recipe chose a threshold for this table ("none" is one too)."""
    return bool(table.asked)


def next_thing(document: Document) -> Next:
    """What the user would do now."""
    derived, recipe = document.derived, document.recipe
    if recipe.input.data is None or derived is None:
        return Next("")
    if not recipe.combinations:
        return Next(
            translate(mark("Choose the key variables: what an outsider could know about a person in the file.")),
            ((translate(mark("Select Combinations")), "selectCombinations"),),
        )
    risk_chart = (translate(mark("Open Risk Chart")), "riskChart")
    recode = (translate(mark("Recode…")), "globalRecode")
    protect = (translate(mark("Make Protected File…")), "makeProtectedFile")
    combine = (translate(mark("Select Combinations")), "selectCombinations")
    report = (translate(mark("View Report")), "report")
    if any(not has_threshold(table) for table in derived.risk_tables):
        return Next(translate(mark("Choose how much risk is acceptable.")), (risk_chart,))
    if document.released is not None and document.released_is_current:
        return Next(translate(mark("The protected file is written and verified.")), (report,))
    unsafe = [unsafe_in(table) for table in derived.risk_tables]
    if any(unsafe):
        sentence = translate(mark("{n} records are above the threshold: recode, or let values be suppressed."))
        if max(unsafe) == 1:
            sentence = translate(mark("{n} record is above the threshold: recode, or let values be suppressed."))
        return Next(sentence.format(n=format_count(max(unsafe))), (risk_chart, recode, protect))
    if document.released is not None:
        return Next(translate(mark("The session changed since the protected file was made.")), (protect,))
    if derived.risk_tables:
        return Next(translate(mark("No record is above the threshold. Make the protected file.")), (protect, recode))
    total = sum(derived.overview.unsafe_by_dimension.values())
    sentence = translate(mark("{n} unsafe combinations. Recode, or set a combination for the risk model."))
    return Next(sentence.format(n=format_count(total)), (recode, combine))


def _problem(document: Document, kind: type[PavoError]) -> str:
    return str(document.error) if isinstance(document.error, kind) else ""


def _data(document: Document) -> WorkStep:
    derived, reason = document.derived, _problem(document, DataError)
    state: State = "attention" if reason else ("done" if derived is not None else "open")
    detail = translate(mark("{n} records")).format(n=format_count(derived.records)) if derived is not None else ""
    return WorkStep("Data", translate(mark("Data")), "openMicrodata", state, detail, reason)


def _metadata(document: Document) -> WorkStep:
    derived, reason = document.derived, _problem(document, MetadataError)
    seen = "specifyMetadata" in document.looked_at
    state: State = "attention" if reason else ("done" if derived is not None and seen else "open")
    detail = ""
    if derived is not None:
        detail = translate(mark("{n} variables")).format(n=format_count(len(derived.metadata.variables)))
    return WorkStep("Metadata", translate(mark("Metadata")), "specifyMetadata", state, detail, reason)


def _combinations(document: Document) -> WorkStep:
    chosen, derived = document.recipe.combinations, document.derived
    reason = _missing_variable(document, derived)
    state: State = "attention" if reason else ("done" if chosen else "open")
    detail = translate(mark("{n} chosen")).format(n=len(chosen)) if chosen else ""
    return WorkStep("Combinations", translate(mark("Combinations")), "selectCombinations", state, detail, reason)


def _missing_variable(document: Document, derived: Derived | None) -> str:
    if derived is None:
        return ""
    for combination in document.recipe.combinations:
        for name in combination.variables:
            if name not in derived.metadata and name not in derived.columns:
                sentence = translate(mark("A combination uses the variable {name}, which the metadata does not have."))
                return sentence.format(name=name)
    return ""


def _risk(document: Document) -> WorkStep:
    title, window = translate(mark("Risk")), "riskChart"
    derived = document.derived
    if derived is None or not derived.risk_tables:
        return WorkStep("Risk", title, window, "open")
    if any(not has_threshold(table) for table in derived.risk_tables):
        return WorkStep("Risk", title, window, "open", translate(mark("no threshold yet")))
    unsafe = max(unsafe_in(table) for table in derived.risk_tables)
    if unsafe:
        reason = translate(mark("{n} records are at or above the threshold.")).format(n=format_count(unsafe))
        detail = translate(mark("{n} unsafe")).format(n=format_count(unsafe))
        return WorkStep("Risk", title, window, "attention", detail, reason)
    return WorkStep("Risk", title, window, "done", translate(mark("none unsafe")))


def _recode(document: Document) -> WorkStep:
    number = len(document.recipe.recodes)
    reason = ""
    error = document.error
    if error is not None and "recod" in error.id:
        reason = str(error)
    detail = translate(mark("{n} recoded")).format(n=number) if number else translate(mark("optional"))
    state: State = "attention" if reason else ("done" if number else "open")
    return WorkStep("Recode", translate(mark("Recode")), "globalRecode", state, detail, reason)


def _made(document: Document, name: str, title: str, window: str, done: str) -> WorkStep:
    if document.released is None:
        return WorkStep(name, title, window, "open")
    if document.released_is_current:
        return WorkStep(name, title, window, "done", done)
    reason = translate(mark("The session changed since the protected file was made."))
    return WorkStep(name, title, window, "attention", translate(mark("out of date")), reason)


def _protect(document: Document) -> WorkStep:
    return _made(document, "Protect", translate(mark("Protect")), "makeProtectedFile", translate(mark("verified")))


def _report(document: Document) -> WorkStep:
    return _made(document, "Report", translate(mark("Report")), "report", translate(mark("up to date")))
