"""Which page stands where: the first place, beside it, or a window of its own. Values only, no widgets."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

HOME = "overview"
"""What the first place shows where no page stands in it."""

GUESTS = ("help", "history")
"""Pages to be read beside what they are about: they come beside by themselves."""

Rail = Literal["wide", "narrow", "box"]


@dataclass(frozen=True)
class Arrangement:
    """`trail`: pages that stood in the first place, the shown one last. `beside`: which page was put beside which.

    `guest`: the page that came beside by itself, whatever stands in the first place. `out`: pages that have windows
    of their own whenever they are open.
    """

    trail: tuple[str, ...] = ()
    beside: Mapping[str, str] = field(default_factory=dict)
    guest: str = ""
    out: frozenset[str] = frozenset()

    @property
    def first(self) -> str:
        """The page in the first place."""
        return self.trail[-1] if self.trail else HOME

    @property
    def second(self) -> str:
        """The page beside it; empty for none. It need not be open yet."""
        wanted = self.guest or self.beside.get(self.first, "")
        return "" if wanted in self.out or wanted == self.first else wanted

    def shown(self, name: str) -> Arrangement:
        """With a page in sight: where it stands already, beside (a guest), or in the first place."""
        if name in self.out or name == self.second:
            return self
        if name in GUESTS:
            return replace(self, guest=name)
        others = tuple(each for each in self.trail if each != name)
        return replace(self, trail=() if name == HOME else (*others, name))

    def put_beside(self, name: str) -> Arrangement:
        """With a page beside the first one, now and whenever that one is shown."""
        others = tuple(each for each in self.trail if each != name)
        return replace(self, trail=others, guest="", beside={**self.beside, self.first: name}, out=self.out - {name})

    def alone(self) -> Arrangement:
        """With nothing beside the first page."""
        beside = {first: second for first, second in self.beside.items() if first != self.first or self.guest}
        return replace(self, guest="", beside=beside)

    def taken_out(self, name: str) -> Arrangement:
        """With a page in a window of its own; what stood beside it stays."""
        return replace(self._without(name), out=self.out | {name})

    def put_back(self, name: str) -> Arrangement:
        """With a page that was taken out back in the workspace, in sight."""
        return replace(self, out=self.out - {name}).shown(name)

    def closed(self, name: str) -> Arrangement:
        """Without a page: the one beside takes its place, else the one shown before."""
        return self._without(name)

    def of_open(self, names: Collection[str]) -> Arrangement:
        """With only these pages in the first place: one that was put beside another may have been closed since."""
        return replace(self, trail=tuple(each for each in self.trail if each in names))

    def _without(self, name: str) -> Arrangement:
        stays = self.second if name == self.first and self.second != self.guest else ""
        trail = tuple(each for each in self.trail if each not in (name, stays))
        return replace(self, trail=(*trail, stays) if stays else trail, guest="" if self.guest == name else self.guest)

    def kept(self) -> dict[str, Any]:
        """What is remembered from one use to the next, as settings keep it."""
        kept: dict[str, Any] = {}
        if self.beside:
            kept["beside"] = dict(self.beside)
        if self.out:
            kept["out"] = sorted(self.out)
        return kept

    @classmethod
    def remembered(cls, kept: Mapping[str, Any], names: frozenset[str]) -> Arrangement:
        """What `kept` says of pages that there are (`names`); what cannot be read counts for nothing."""
        beside, out = kept.get("beside"), kept.get("out")
        pairs = beside.items() if isinstance(beside, Mapping) else ()
        return cls(
            beside={a: b for a, b in pairs if (a in names or a == HOME) and isinstance(b, str) and b in names},
            out=names & {each for each in out if isinstance(each, str)} if isinstance(out, list) else frozenset(),
        )


@dataclass(frozen=True)
class Shape:
    """How the window's size arranges it: the rail, whether two pages are tabs, whether headers are low."""

    rail: Rail
    tabs: bool
    low: bool


def shape_of(width: float, height: float, two: bool) -> Shape:
    """The shape of a window of this size, in points where text is 10 pt high; `two`: whether two pages are in sight."""
    if width < 800 or height < 460:  # seven narrow steps are 434 high
        rail: Rail = "box"
    elif width < 1100 or (two and width < 1400):
        rail = "narrow"
    else:
        rail = "wide"
    return Shape(rail, width < 1100, width < 1100 or height < 600)
