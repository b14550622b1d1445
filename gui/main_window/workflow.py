"""The seven steps of the work: which are done, which need attention, what comes next and what opens by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from PySide6.QtCore import QObject

from core.base.errors import DataError, MetadataError, PavoError
from core.base.texts import mark, mark_plural, plural, translate
from core.recipe.edits_checklist import judged_variables
from core.recipe.model import Recipe
from gui.document.document import Document
from gui.numbers import format_count
from gui.settings import OPEN_NEXT, settings
from gui.shared.released import about_earlier, left_by_choice, made_on, stated
from gui.shared.windows import Windows, reason_against

if TYPE_CHECKING:
    from core.session import Results, RiskTable

_NAMED = 5
"""Columns that are named in a sentence."""

State = Literal["later", "open", "done", "but", "attention"]


@dataclass(frozen=True)
class WorkStep:
    """One step of the workflow bar: its window, its state, a short detail, and why it needs attention or has to wait.

    State "later": it can be taken, but another one comes before it; "but": done, but something is to be looked at.
    `meanwhile`: what is said where its detail is of the recipe before; empty where it is true.
    """

    name: str
    title: str
    window: str
    state: State
    detail: str = ""
    reason: str = ""
    meanwhile: str = ""


@dataclass(frozen=True)
class Next:
    """The next thing to do: a sentence, and buttons (their text and the window they open).

    `tells_unsafe`: whether the sentence says how many records are unsafe.
    """

    sentence: str
    offers: tuple[tuple[str, str], ...] = ()
    tells_unsafe: bool = False


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


def unsafe_without_risk(document: Document) -> int:
    """Records that are unsafe by k or by rare combinations, of the variable that has most of them."""
    return max(document.session.unsafe_records.values(), default=0)


def worst_combination(document: Document) -> int:
    """The combination by which most records are unsafe; the first where nothing is known of them."""
    session, combinations = document.session, document.recipe.combinations
    derived = document.derived
    tables, variables = ((), ()) if derived is None else (derived.risk_tables, derived.overview.variables)
    found = {table.index: session.unsafe_in(table) for table in tables}
    rare = {each.name: max((n or 0 for n in each.records_by_dimension.values()), default=0) for each in variables}
    for index, combination in enumerate(combinations):
        if combination.model == "k-anonymity":
            found[index] = min((session.unsafe_records.get(name, 0) for name in combination.variables), default=0)
        if combination.judges_margins:
            found[index] = max((rare.get(name, 0) for name in combination.variables), default=0)
    return max(found, key=lambda index: (found[index], -index), default=0)


def uncounted(document: Document) -> str:
    """Why the results at hand say nothing of the records of this recipe, in a few words; empty where they do.

    Figures of before that show unsafe records stay, greyed; none may say meanwhile that there are none.
    """
    if not document.recipe.combinations or not document.stale:
        return ""
    return translate(mark("not counted") if document.session.error is not None else mark("being counted…"))


def left_in_safe_file(document: Document) -> int | None:
    """Unsafe records of the file that was made from this recipe and verified; None where there is none, or unjudged."""
    released = document.session.released
    if released is None or released.protection is None or not document.session.released_is_current:
        return None
    if not released.summary.get("verified"):
        return None
    left = released.protection.unsafe_left
    return None if left_by_choice(document) and not left else left


class OtherEstimate(NamedTuple):
    """Records of the safe file that are unsafe by another estimate than the one that judges them."""

    unsafe: int
    by_model: bool

    @property
    def in_rail(self) -> str:
        """In few words."""
        text = mark("safe file: {left} by model") if self.by_model else mark("safe file: {left}\nby individual risk")
        return translate(text).format(left=format_count(self.unsafe))

    @property
    def in_status(self) -> str:
        """After the unsafe records of the original."""
        by_model = mark("in the safe file {left} by the population model")
        text = by_model if self.by_model else mark("in the safe file {left} by the individual risk")
        return translate(text).format(left=format_count(self.unsafe))


def otherwise_unsafe(document: Document) -> OtherEstimate | None:
    """What the other estimate finds in the verified safe file of this recipe where the one that judges finds nothing.

    Of several tables it is the one with most records; None: nothing.
    """
    if left_in_safe_file(document) != 0:
        return None
    released = document.session.released
    assert released is not None and released.protection is not None, "there is a safe file"
    protection = released.protection
    found = [OtherEstimate(each.unsafe or 0, each.estimator == "calibrated") for each in protection.opinions.values()]
    found += [OtherEstimate(records, False) for records in protection.below_exact.values()]
    most = max(found, default=OtherEstimate(0, False))
    return most if most.unsafe else None


def only_by_households(table: RiskTable) -> bool:
    """Whether the recipe asks for a threshold of the household risk, and for none of the individual risk."""
    from core.results.risk_tables import asks_individual

    return table.household is not None and table.household.asked and not asks_individual(table.asked)


def _risk_window(derived: Results | None) -> str:
    """The chart of the risk that is judged; where none is yet, in a file with households that of their risk."""
    tables = derived.risk_tables if derived is not None else ()
    homes = all(table.household is not None and (not table.asked or only_by_households(table)) for table in tables)
    return "householdRiskChart" if tables and homes else "riskChart"


def has_threshold(table: RiskTable) -> bool:
    """Whether the recipe chose a threshold for this table ("none" is one too)."""
    return bool(table.asked)


def next_thing(document: Document) -> Next:
    """What the user would do now."""
    derived, recipe = document.derived, document.recipe
    if recipe.input.place is None or derived is None:
        return Next("")
    if not recipe.combinations:
        return _choose_keys("specifyMetadata" in document.session.looked_at)
    chart = _risk_window(derived)
    text = mark("Open Household Risk Chart") if chart == "householdRiskChart" else mark("Open Risk Chart")
    risk_chart = (translate(text), chart)
    recode = (translate(mark("Recode…")), "globalRecode")
    protect = (translate(mark("Make Protected File…")), "makeProtectedFile")
    combine = (translate(mark("Select Combinations")), "selectCombinations")
    report = (translate(mark("View Report")), "report")
    if any(not has_threshold(table) for table in derived.risk_tables):
        return Next(translate(mark("Choose how much risk is acceptable.")), (risk_chart,))
    current = document.session.released is not None and document.session.released_is_current
    left = left_by_choice(document) if current else ""
    if left:
        return Next(left, (protect, recode, report))
    if current:
        found = stated(document)
        if found is not None and found.tone != "good":
            return Next(found.headline, (report, recode))
        return Next(translate(mark("The protected file is written and verified.")), (report,))
    unsafe = [document.session.unsafe_in(table) for table in derived.risk_tables]
    if any(unsafe):
        sentence = plural(
            max(unsafe),
            "{n} record is at or above the threshold: recode, or let values be suppressed.",
            "{n} records are at or above the threshold: recode, or let values be suppressed.",
        )
        return Next(translate(sentence).format(n=format_count(max(unsafe))), (risk_chart, recode, protect), True)
    if uncounted(document):
        counting = mark("Unsafe combinations are being counted; what comes next follows from them.")
        stopped = mark("Unsafe combinations are not counted, so nobody can be called safe.")
        return Next(translate(counting if document.session.error is None else stopped))
    if document.session.released is not None:
        return Next(translate(mark("The session changed since the protected file was made.")), (protect,))
    rare = unsafe_without_risk(document)
    if not rare and derived.risk_tables:
        return Next(
            translate(mark("No record is at or above the threshold. Make the protected file.")), (protect, recode)
        )
    if not rare:
        return Next(translate(mark("No record is unsafe. Make the protected file.")), (protect, recode))
    sentence = plural(
        rare,
        "{n} record is unsafe: recode, let values be suppressed, or set a combination for the risk model.",
        "{n} records are unsafe: recode, let values be suppressed, or set a combination for the risk model.",
    )
    return Next(translate(sentence).format(n=format_count(rare)), (recode, protect, combine), True)


def _choose_keys(looked_at: bool) -> Next:
    """Key variables come next; before them how the variables are described, where nobody has looked at that."""
    select = translate(mark("Select Combinations")), "selectCombinations"
    if looked_at:
        sentence = mark("Choose the key variables: what an outsider could know about a person in the file.")
        return Next(translate(sentence), (select,))
    sentence = mark("Look at how the variables are described, then choose the key variables.")
    return Next(translate(sentence), ((translate(mark("Specify Metadata")), "specifyMetadata"), select))


def _problem(document: Document, kind: type[PavoError]) -> str:
    return str(document.session.error) if isinstance(document.session.error, kind) else ""


def _data(document: Document) -> WorkStep:
    derived, reason = document.derived, _problem(document, DataError)
    state: State = "attention" if reason else ("done" if derived is not None else "open")
    detail = translate(mark("{n} records")).format(n=format_count(derived.records)) if derived is not None else ""
    return WorkStep("Data", translate(mark("Data")), "openMicrodata", state, detail, reason)


def _metadata(document: Document) -> WorkStep:
    derived, reason = document.derived, _problem(document, MetadataError)
    if document.session.error is not None and _is_of_recodes(document.session.error, document.recipe):
        reason = ""
    seen = "specifyMetadata" in document.session.looked_at
    state: State = "attention" if reason else ("done" if derived is not None and seen else "open")
    detail = ""
    if derived is not None:
        detail = translate(mark("{n} variables")).format(n=format_count(len(derived.metadata.variables)))
    return WorkStep("Metadata", translate(mark("Metadata")), "specifyMetadata", state, detail, reason)


def _combinations(document: Document) -> WorkStep:
    chosen, derived = document.recipe.combinations, document.derived
    reason = _missing_variable(document, derived)
    state: State = "attention" if reason else ("done" if chosen else "open")
    if state == "done" and (said := _warned(document, _OF_KEYS)):
        state, reason = "but", said
    detail = translate(plural(len(chosen), "{n} chosen", "{n} chosen")).format(n=len(chosen)) if chosen else ""
    return WorkStep("Combinations", translate(mark("Combinations")), "selectCombinations", state, detail, reason)


def _missing_variable(document: Document, derived: Results | None) -> str:
    if derived is None:
        return ""
    for combination in document.recipe.combinations:
        for name in combination.variables:
            if name not in derived.metadata and name not in derived.columns:
                sentence = translate(mark("A combination uses the variable {name}, which the metadata does not have."))
                return sentence.format(name=name)
    return ""


_OF_KEYS = ("key-with-many-codes", "key-of-dates", "key-of-amounts", "key-like-a-number", "keys-not-judged")
_OF_SAFE_FILE = ("hidden-by-household", "unsafe-by-other-estimate", "unsafe-by-exact-risk")
_OF_RISKS = ("household-risk-not-judged", "individual-risk-too-low", *_OF_SAFE_FILE)


def _warned(document: Document, ids: tuple[str, ...] = ()) -> str:
    """What is warned of, of these kinds or (none) of all, as far as it is known; empty where nothing is."""
    return " ".join(notice.text for notice in document.session.warnings if not ids or notice.id in ids)


def _risk(document: Document) -> WorkStep:
    derived, waiting = document.derived, uncounted(document)
    title, window = translate(mark("Risk")), _risk_window(derived)
    if derived is None or not document.recipe.combinations:
        return WorkStep("Risk", title, window, "open", waiting)
    if any(not has_threshold(table) for table in derived.risk_tables):
        return WorkStep("Risk", title, window, "open", translate(mark("no threshold yet")))
    unsafe = max(map(document.session.unsafe_in, derived.risk_tables), default=0)
    forms = mark_plural("{n} record is at or above the threshold.", "{n} records are at or above the threshold.")
    if not unsafe:
        unsafe = unsafe_without_risk(document)
        forms = mark_plural("{n} record is unsafe.", "{n} records are unsafe.")
    if not derived.risk_tables:  # and so no chart: the unsafe cells are what there is to look at
        window = "showTables"
    if waiting and not unsafe:
        return WorkStep("Risk", title, window, "open", waiting)
    if not unsafe:
        said, detail, others = _warned(document, _OF_RISKS), translate(mark("none unsafe")), otherwise_unsafe(document)
        if others is not None:
            detail += ",\n" + others.in_rail
        return WorkStep("Risk", title, window, "but" if said else "done", detail, said)
    reason = translate(plural(unsafe, *forms)).format(n=format_count(unsafe))
    left = left_in_safe_file(document)
    earlier = None if document.session.modified else document.session.earlier_report
    if left is None and earlier is not None:  # opened again: the file is made, but nobody looked what it holds
        detail = translate(mark("{n} unsafe,\nreport of {date}"))
        detail = detail.format(n=format_count(unsafe), date=made_on(earlier)[:10])
        return WorkStep("Risk", title, window, "attention", detail, f"{reason} {about_earlier(earlier)}", waiting)
    if left is None:
        detail = translate(mark("{n} unsafe")).format(n=format_count(unsafe))
        return WorkStep("Risk", title, window, "attention", detail, reason, waiting)
    detail, told = _in_safe_file(unsafe, left, otherwise_unsafe(document))
    said = _warned(document, _OF_SAFE_FILE)
    state: State = "attention" if left else "but" if said else "done"
    return WorkStep("Risk", title, window, state, detail, " ".join(filter(None, (reason, told, said))))


def _in_safe_file(unsafe: int, left: int, others: OtherEstimate | None) -> tuple[str, str]:
    """Unsafe records before suppression and in the safe file, in few words, and a sentence of the latter.

    Where none is left but by the other estimate, that is told, and the sentence is that of its warning.
    """
    before, after = format_count(unsafe), format_count(left)
    if not left and others is not None:
        return translate(mark("{n} unsafe")).format(n=before) + ",\n" + others.in_rail, ""
    if not left:
        detail, told = mark("{n} unsafe,\nsafe file: none"), mark("In the safe file there is none.")
    else:
        detail = mark("{n} unsafe,\nsafe file: {left}")
        told = plural(left, "In the safe file there is {left}.", "In the safe file there are {left}.")
    return translate(detail).format(n=before, left=after), translate(told).format(left=after)


def _recode(document: Document) -> WorkStep:
    recoded = [spec.variable for spec in document.recipe.recodes]
    keys = judged_variables(document.recipe)
    others = [name for name in recoded if keys and name not in keys]
    detail, reason = translate(mark("optional")), ""
    if recoded:
        detail = translate(plural(len(recoded), "{n} recoded", "{n} recoded")).format(n=len(recoded))
        reason = translate(mark("Recoded: {names}.")).format(names=", ".join(recoded))
    if others:
        detail += ",\n" + translate(plural(len(others), "{n} no key", "{n} no key")).format(n=len(others))
        reason += " " + translate(mark("In no combination, and so not in the table: {names}.")).format(
            names=", ".join(others)
        )
    state: State = "done" if recoded else "open"
    error = document.session.error
    if error is not None and _is_of_recodes(error, document.recipe):
        state, reason = "attention", str(error)
    return WorkStep("Recode", translate(mark("Recode")), "globalRecode", state, detail, reason)


def _is_of_recodes(error: PavoError, recipe: Recipe) -> bool:
    """Whether a recode is what does not fit: its variable, its scheme or the file of that."""
    named = str(error.values.get("key", "")).startswith("recodes[")
    files = {spec.scheme_file.name for spec in recipe.recodes if spec.scheme_file is not None}
    return named or error.id.startswith(("recode", "scheme", "truncate")) or error.values.get("file") in files


def _made(document: Document, name: str, title: str, window: str, done: str) -> WorkStep:
    if document.derived is not None and not document.recipe.combinations:
        return _unprotected(document, name, title, window)
    if document.session.released is None:
        return WorkStep(name, title, window, "open")
    if document.session.released_is_current:
        left = left_by_choice(document)
        if left:
            return WorkStep(name, title, window, "attention", translate(mark("not protected")), left)
        said = _warned(document)
        return WorkStep(name, title, window, "but" if said else "done", done, said)
    reason = translate(mark("The session changed since the protected file was made."))
    return WorkStep(name, title, window, "attention", translate(mark("out of date")), reason)


def _unprotected(document: Document, name: str, title: str, window: str) -> WorkStep:
    """A file without key variables is never a protected one, however often it is written."""
    if document.session.released is not None and document.session.released_is_current:
        reason = translate(mark("The file that was written is an unprotected copy: no key variables are chosen."))
        return WorkStep(name, title, window, "attention", translate(mark("not protected")), reason)
    reason = translate(mark("First choose the key variables, in Select Combinations."))
    return WorkStep(name, title, window, "later", translate(mark("after combinations")), reason)


def _protect(document: Document) -> WorkStep:
    step = _made(document, "Protect", translate(mark("Protect")), "makeProtectedFile", translate(mark("verified")))
    open_ = _to_judge(document) if step.state == "open" else ()
    if not open_:
        return step
    forms = mark_plural("{n} column to judge", "{n} columns to judge")
    reason = mark("Released columns that no model judges and on which nobody has decided: {names}.")
    listed = ", ".join(open_[:_NAMED]) + (", …" if len(open_) > _NAMED else "")
    return replace(
        step, state="attention", detail=translate(plural(len(open_), *forms)).format(n=format_count(len(open_))),
        reason=translate(reason).format(names=listed),
    )  # fmt: skip


def _to_judge(document: Document) -> tuple[str, ...]:
    """Columns to be decided on, once every risk table has a threshold: until then other things come first."""
    derived = document.derived
    if derived is None or any(not has_threshold(table) for table in derived.risk_tables):
        return ()
    from core.warnings.checklist import to_judge
    from gui.make_protected_file.draft import renumbers_households

    identifier = derived.metadata.household_id if renumbers_households(document) else None
    names = to_judge(document.recipe, derived.metadata, derived.perturbed.left if derived.perturbed else ())
    return tuple(name for name in names if identifier is None or name != identifier.name)


def _report(document: Document) -> WorkStep:
    earlier = document.session.earlier_report
    if earlier is not None and document.recipe.combinations:
        made, detail = made_on(earlier), translate(mark("of {date}"))
        return WorkStep(
            "Report", translate(mark("Report")), "report", "open", detail.format(date=made[:10]), about_earlier(earlier)
        )
    return _made(document, "Report", translate(mark("Report")), "report", translate(mark("up to date")))


ANY_NEXT = "next"
_AFTER = {
    "specifyMetadata": "selectCombinations",
    "selectCombinations": ANY_NEXT,
    "makeProtectedFile": "report",
}
"""The window that is next after another one, wherever it is the next thing to do at all.

After new tables that is whatever they ask for: a page that was opened before says nothing of what comes next.
"""


class NextWindow(QObject):
    """Waits for the results of what was committed, and opens the next window where there is nothing else to do."""

    def __init__(self, document: Document, windows: Windows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._windows = windows
        self._next = ""
        self._for: Recipe | None = None
        windows.went_on.connect(self._begin)
        document.results_changed.connect(self._look)

    def _begin(self, name: str) -> None:
        self._next = _AFTER.get(name, "") if settings.get(OPEN_NEXT) else ""
        self._for = self._document.recipe
        self._look()

    def _look(self) -> None:
        document = self._document
        if not self._next:
            return
        if document.recipe is not self._for or document.session.error is not None:
            self._next = ""
        elif document.derived is not None and not document.stale:
            name, self._next = self._next, ""
            offers = [window for _, window in next_thing(document).offers][:1]
            wanted = offers if name == ANY_NEXT else [offer for offer in offers if offer == name]
            for window in wanted:
                if not reason_against(window, document):
                    self._windows.visit(window)
