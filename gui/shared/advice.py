"""Advice on a combination, asked of the compute thread, and its words: the finding, and each way with its button."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui.document import engine
from gui.document.document import Document
from gui.numbers import format_count, format_exact, format_percent
from gui.shared.parts.guidance import GuidanceCandidate, GuidanceCard, Step
from gui.shared.protection_mode import in_mode

if TYPE_CHECKING:
    from core.recipe.model import Recipe
    from core.suppression.households.forecast import By
    from core.whatif.advice import Advice, Remedy
    from core.whatif.coarser_codes import Kind
    from core.whatif.price import Price

LISTED = 3
"""Ways that a card lists; the others are asked for."""
ENOUGH = 0.1
"""Share of unsafe records up to which blanking is the next thing to do, and coarser codes another way."""
_MAIN = 0.2
"""A variable is named if leaving it out makes at least this share safe of those that the first one would."""
_MOST_NAMED = 3

_COUNTED_ONE = mark("{way}: {before} → {after} unsafe, counted exactly.")
_PRICED_ONE = mark("{way}: {before} → {after} unsafe, {blank} → {then} values to blank.")
_ESTIMATED_ONE = mark("{way}: {before} → at least {after} unsafe, by all keys together.")
_COUNTED = mark("Unsafe records are counted exactly.")
_PRICED = mark("Without a recode {blank} values are to be blanked and {lost} of detail is lost; counted exactly.")
_PRICED_NEARLY = mark(
    "Without a recode {blank} values are to be blanked and {lost} of detail is lost; in this mode a little more."
)
_PRICED_BY_SEARCH = mark(
    "Without a recode about {blank} values are suppressed and {lost} of detail is lost: a quick search in the mode that"
    " Make Protected File uses."
)
_ESTIMATED = mark("Estimated by the model of all keys together: by fewer of them more may be unsafe.")

_WAYS: dict[Kind, tuple[str, str]] = {
    "truncate": (mark("{name} without its last digit"), mark("{name} without its last {by} digits")),
    "prefix": (mark("{name} by its first character"), mark("{name} by its first {by} characters")),
    "bands": (mark("{name} in bands of {by}"),) * 2,
    "quantiles": (mark("{name} in {by} groups of neighbours"),) * 2,
    "column": (mark("{name} by {column}"),) * 2,
    "years": (mark("{name} by year"), mark("{name} by decade")),
}


def way_of(candidate: Remedy) -> str:
    """What a candidate does, in a few words."""
    coarser = candidate.coarser
    if coarser is None:
        return translate(mark("{name} left out of the file")).format(name=candidate.variable)
    return coding_told(candidate.variable, coarser.kind, coarser.by, coarser.column)


def coding_told(name: str, kind: Kind, by: float, column: str) -> str:
    """How a variable is coded more coarsely, in a few words."""
    one, several = _WAYS[kind]
    return translate(one if by == 1 else several).format(name=name, by=format_exact(by), column=column)


def _share_told(advice: Advice) -> str:
    n, share = format_count(advice.unsafe), advice.share
    if share >= 0.9:
        return translate(mark("Almost all records are unsafe"))
    if share >= 0.6:
        return translate(mark("Most records are unsafe"))
    if share >= 0.4:
        return translate(mark("About half of the records are unsafe"))
    return translate(mark("{n} of {count} records are unsafe")).format(n=n, count=format_count(advice.records))


def finding(advice: Advice, by: str = "") -> str:
    """How many records are unsafe, and through which variables mainly; `by`: the combination, if there are others."""
    told = _share_told(advice)
    if by:
        told = translate(mark("{finding} by {combination}")).format(finding=told, combination=by)
    names = _main_names(advice)
    if not names:
        return told + "."
    dates = {notice.where for notice in advice.unwieldy if notice.id == "key-of-dates"}
    text = translate(mark("{name} ({codes} dates)") if names[0] in dates else mark("{name} ({codes} codes)"))
    first = text.format(name=names[0], codes=format_count(advice.codes[names[0]]))
    listed = first
    if names[1:]:
        before = ", ".join((first, *names[1:-1]))
        listed = translate(mark("{names} and {last}")).format(names=before, last=names[-1])
    return translate(mark("{finding}, mainly through {names}.")).format(finding=told, names=listed)


def _main_names(advice: Advice) -> list[str]:
    found = advice.contributions
    largest = max(found.values(), default=0)
    alone = [notice.where for notice in advice.unwieldy]  # beside it no other key makes a difference
    main = [name for name, fewer in found.items() if fewer > 0 and fewer >= _MAIN * largest]
    return list(dict.fromkeys((*alone, *main)))[:_MOST_NAMED]


def _blanked(price: Price | None) -> str:
    """The values that a price comes to."""
    if price is None:
        return ""
    return format_count(price.values) if price.exact else "≈ " + format_count(price.values)


class AskedAdvice(QObject):
    """Advice on one combination at a time, for a page.

    Signals
    -------
    known()
        `advice` is another one.
    """

    known = Signal()

    def __init__(self, document: Document, slot: str, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._slot = document, slot
        self._asked: tuple[Recipe, int, float | None, By] | None = None
        self.advice: Advice | None = None
        self._of: Recipe | None = None

    @property
    def is_true(self) -> bool:
        """Whether it is advice on the recipe as it is now."""
        return self.advice is not None and self._of is self._document.recipe

    def ask(self, combination: int, threshold: float | None = None, by: By = "individual") -> None:
        """Have it for a combination of the current recipe; `threshold`: in place of what the recipe asks for."""
        wanted = self._document.recipe, combination, threshold, by
        if self._asked is not None and self._asked[0] is wanted[0] and self._asked[1:] == wanted[1:]:
            return
        self._asked = wanted

        def arrived(found: Advice | None) -> None:
            if self._asked is wanted:
                self.advice, self._of = found, wanted[0]
                self.known.emit()

        def failed(_error: PavoError) -> None:
            arrived(None)

        asked = in_mode(self._document, wanted[0]), *wanted[1:]
        self._document.ask(self._slot, engine.advice, *asked, done=arrived, failed=failed)

    def forget(self) -> None:
        """Nothing is asked for; what comes late is dropped."""
        self._asked = self.advice = self._of = None
        self._document.tasks.drop(self._slot)

    def follow(self, candidate: Remedy) -> None:
        """Do what a candidate says, as one step that can be undone; nothing where the recipe is another one by now."""
        if not self.is_true or self.advice is None:
            return
        template = mark("Recode {way}") if candidate.coarser is not None else mark("Leave out {name}")
        recipe = candidate.applied_to(self._document.recipe, self.advice.combination)
        self._document.commit(
            lambda: translate(template).format(way=way_of(candidate), name=candidate.variable), recipe
        )

    def named(self) -> str:
        """The combination that the advice is on; empty where it is the only one."""
        if self.advice is None or self._of is None or len(self._of.combinations) < 2:
            return ""
        return " × ".join(self._of.combinations[self.advice.combination].variables)

    def step(self, candidate: Remedy) -> Step:
        """The button that follows a candidate."""
        text = mark("Recode {name}") if candidate.coarser is not None else mark("Leave {name} out")
        return translate(text).format(name=candidate.variable), lambda: self.follow(candidate)

    def sentence(self) -> str:
        """What the best candidate does; empty where there is none."""
        if self.advice is None or not self.advice.candidates:
            return ""
        best = self.advice.candidates[0]
        before, after = map(format_count, best.unsafe)
        values = {"way": way_of(best), "before": before, "after": after}
        values |= {"blank": _blanked(self.advice.price), "then": _blanked(best.price)}
        if not best.exact:
            return translate(_ESTIMATED_ONE).format(**values)
        return translate(_COUNTED_ONE if best.price is None or not values["blank"] else _PRICED_ONE).format(**values)

    def explanation(self) -> str:
        """How what is listed was counted."""
        advice = self.advice
        if advice is None or not advice.candidates:
            return ""
        if not advice.candidates[0].exact:
            return translate(_ESTIMATED)
        price, lost = advice.price, advice.lost()
        if price is None or lost is None:
            return translate(_COUNTED)
        text = translate(_PRICED_BY_SEARCH if price.searched else _PRICED if price.exact else _PRICED_NEARLY)
        return text.format(blank=_blanked(price), lost=format_percent(lost, 0))

    def listed(self, most: int | None = LISTED) -> list[GuidanceCandidate]:
        """The best ways for a card; None: all."""
        advice = self.advice
        if advice is None:
            return []
        return [
            GuidanceCandidate(
                way_of(each), each.codes, each.unsafe, advice.records, self.step(each), each.exact,
                _blanked(each.price), "" if (lost := advice.lost(each)) is None else format_percent(lost, 0),
            )
            for each in advice.candidates[:most]
        ]  # fmt: skip


class AdviceOnCard(QObject):
    """What a guidance card says where somebody is unsafe: the finding, the best way, and on demand the others.

    Parameters
    ----------
    protect : what the button *Make Protected File…* does
    recode : opens the recode of a key by hand
    own_headline : whether the page has one of its own
    is_open : whether the ways are listed from the beginning
    warns : whether keys that make nearly everybody unsafe by themselves are warned of, which nothing else here does
    """

    def __init__(
        self, card: GuidanceCard, asked: AskedAdvice, protect: Callable[[], None], recode: Callable[[str], None],
        own_headline: bool = False, is_open: bool = False, warns: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(card)
        self._card, self._asked, self._protect, self._recode, self._warns = card, asked, protect, recode, warns
        self._own_headline, self._headline = own_headline, ""
        self._is_open, self._is_all = is_open, False
        card.all_wanted.connect(self._show_all)

    def show(self, headline: str = "", can_list: bool = True) -> bool:
        """Show the advice at hand; False where there is none.

        Parameters
        ----------
        headline : of a page that has one of its own
        can_list : whether the page has room for the ways, unless somebody asks for them
        """
        self._headline = headline
        self._is_open &= can_list
        advice = self._asked.advice
        if advice is None or not advice.unsafe:
            self._card.show_candidates(())
            return False
        protect: Step = (translate(mark("Make Protected File…")), self._protect)
        best = self._asked.step(advice.candidates[0]) if advice.candidates else None
        by_hand = self._by_hand(advice)
        ways: Step = (translate(mark("Fewer ways") if self._is_open else mark("Other ways…")), self._toggle)
        enough = advice.share <= ENOUGH
        listed = self._asked.listed(None if self._is_all else LISTED) if self._is_open and best else []
        sentence = self._asked.explanation() if listed else self._asked.sentence()
        if not listed and (enough or best is None):
            sentence = self._blanking(advice)
        if self._warns and advice.unwieldy:
            sentence = f"{advice.unwieldy[0].text} {'' if listed else self._asked.sentence()}".strip()
        main, other = (protect, ways if best else None) if enough or best is None else (best, ways)
        told = headline if self._own_headline else finding(advice, self._asked.named())
        self._card.show_guidance(told, sentence, by_hand or main, other)
        self._card.show_candidates(listed, len(advice.candidates) if listed else 0, best_filled=by_hand is None)
        self._card.main.setVisible(by_hand is not None or not listed)  # the list's best way has the filled button
        return True

    def _by_hand(self, advice: Advice) -> Step | None:
        """The recode of a key that makes nearly everybody unsafe and has no way that could be proposed."""
        told = {each.variable for each in advice.candidates if each.coarser is not None}
        name = next((notice.where for notice in advice.unwieldy if notice.where not in told), "")
        return (translate(mark("Recode {name}…")).format(name=name), lambda: self._recode(name)) if name else None

    @staticmethod
    def _blanking(advice: Advice) -> str:
        if advice.price is None:
            return translate(mark("They can be made safe by blanking some of their values."))
        text = translate(mark("They can be made safe by blanking {count} values."))
        return text.format(count=_blanked(advice.price))

    def _toggle(self) -> None:
        self._is_open, self._is_all = not self._is_open, False
        self.show(self._headline)

    def _show_all(self) -> None:
        self._is_all = True
        self.show(self._headline)
