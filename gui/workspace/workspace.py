"""The workspace: pages of the main window, alone or two beside each other, and those in windows of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QPushButton, QSplitter, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.settings import WORKSPACE, settings
from gui.shared.layout.by_room import ByRoom
from gui.shared.mnemonics import keep_clear
from gui.shared.tool_window import ToolWindow
from gui.shared.wheel import TabBar
from gui.shared.windows import WINDOWS, Windows, exists, reason_against
from gui.workspace.arrangement import HOME, Arrangement, Shape
from gui.workspace.header import Offer, PageHeader
from gui.workspace.holder import Holder
from gui.workspace.own_window import OwnWindow
from gui.workspace.pages import STEPS, text_of

_HALF = 50
"""Per cent of the room that the first of two pages has at first."""


class Workspace(QWidget):
    """`workspace` with `pageTabs` and `pageSplitter`; shows what `windows` opens. `home` stands where no page does.

    `wanted(name)`: a header leads to that page. `moved`: other pages are in sight, or stand elsewhere.
    """

    wanted = Signal(str)
    moved = Signal()

    def __init__(self, windows: Windows, home: QWidget, reason: Callable[[str], str]) -> None:
        super().__init__(objectName="workspace")
        self._windows, self._reason = windows, reason
        self._document = windows.document
        kept = settings.get(WORKSPACE)
        self._arrangement = Arrangement.remembered(kept, frozenset(WINDOWS))
        split = kept.get("split", _HALF)
        self._split = split if isinstance(split, int) and 10 <= split <= 90 else _HALF
        self._steps: tuple[Offer, ...] = ()
        self._letters: frozenset[str] = frozenset()
        self._shape = Shape("wide", tabs=False, low=False)
        self._room, self._is_crowded = 10_000, False
        self._needed: dict[tuple[str, ...], int] = {}
        """What pairs turned out to need; a page may say how much that is only once it is narrow."""
        self._own: dict[str, OwnWindow] = {}
        self._active = 0
        text = text_of(HOME)
        head = PageHeader(translate(text.title), translate(text.sentence), can_be_taken_out=False)
        self._made: Holder | None = None
        """Holder of the page that is being made."""
        self.home = Holder("home", head)
        self.home.hold(home)
        self._holders: dict[str, Holder] = {HOME: self.home}
        self._lay_out_parts()
        ByRoom(self).always(self._look_soon)
        windows.stage = self
        windows.closed.connect(self._leave)
        QApplication.instance().focusChanged.connect(self._follow_focus)  # type: ignore[union-attr]

    def _lay_out_parts(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.tabs = TabBar(self, objectName="pageTabs", drawBase=True, expanding=False)
        self.tabs.setAccessibleName(translate(mark("Pages")))
        self.tabs.hide()
        self.tabs.currentChanged.connect(self._turn_to)
        column.addWidget(self.tabs)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self, objectName="pageSplitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.home)
        self.splitter.splitterMoved.connect(lambda *_: self._keep_split())
        column.addWidget(self.splitter, 1)

    # What is in sight --------------------------------------------------------------------------------------------

    @property
    def current(self) -> str:
        """The page that is worked on: the one in sight that had the focus last."""
        names = self._names()
        return names[min(self._active, len(names) - 1)]

    @property
    def pair(self) -> bool:
        """Whether two pages are open beside each other."""
        return len(self._names()) == 2

    @property
    def out(self) -> frozenset[str]:
        """Pages that stand in windows of their own now."""
        return frozenset(self._own)

    def in_sight(self) -> list[Holder]:
        """The holders that are shown in the main window, from left to right."""
        return [self._holders[name] for name in self._shown()]

    @property
    def holders(self) -> Mapping[str, Holder]:
        """Holders of all pages that are there, by their names."""
        return self._holders

    def with_room(self) -> frozenset[str]:
        """Pages with room for one line more: the one in sight, if the window is not low, and those taken out."""
        return self.out if self._shape.low or self.pair else self.out | {self.current}

    def _names(self) -> list[str]:
        first, second = self._arrangement.first, self._arrangement.second
        return [first, second] if second in self._holders else [first]

    def _shown(self) -> list[str]:
        return [self.current] if self._has_tabs() else self._names()

    def _has_tabs(self) -> bool:
        """Whether two pages are open, and there is no room for both beside each other."""
        return self.pair and (self._shape.tabs or self._is_crowded)

    # The stage of the windows ------------------------------------------------------------------------------------

    def place_for(self, name: str) -> QWidget:
        """What a page that is about to be made shall stand on, out of sight."""
        text = text_of(name, WINDOWS[name].title)
        header = PageHeader(translate(text.title), translate(text.sentence), is_step=bool(text.step))
        header.beside_wanted.connect(partial(self.put_beside, name))
        header.taken_out.connect(partial(self.take_out, name))
        header.put_back.connect(partial(self.put_back, name))
        header.closed.connect(partial(self.close_page, name))
        header.continued.connect(partial(self._continue, name))
        self._made = holder = Holder(name, header)
        holder.sheet.least_changed.connect(self._look_soon)
        holder.hide()
        if name not in self._arrangement.out:
            self.splitter.addWidget(holder)
        return holder.sheet

    def complete(self, page: ToolWindow) -> None:
        """Look at a page again that was made in steps, after the last one."""
        keep_clear(page, self._letters)

    def adopt(self, page: ToolWindow) -> None:
        """Take a page on that was just made there."""
        holder, self._made = self._made, None
        assert holder is not None, "its place was asked for"
        keep_clear(page, self._letters)
        holder.hold(page)
        page.setVisible(True)
        self._holders[page.name] = holder
        self._offer(page.name)

    def bring(self, name: str) -> None:
        """Show a page where it belongs, and let it have the focus."""
        self._arrange(self._arrangement.shown(name))
        holder = self._holders[name]
        if name in self._arrangement.out:
            own = self._own.get(name) or self._make_own(name)
            if own.isMinimized():
                own.showNormal()
            own.show()
        else:
            self._active = self._names().index(name)
            self._lay_out()
        window = holder.window()
        if window.isMinimized():
            window.showNormal()
        if window.isVisible():
            window.raise_()
            window.activateWindow()
        holder.take_focus()

    def _leave(self, name: str) -> None:
        """A page was closed."""
        holder = self._holders.pop(name, None)
        if holder is None:
            return
        self._needed = {pair: width for pair, width in self._needed.items() if name not in pair}
        self._arrangement = self._arrangement.closed(name).of_open(self._holders)
        self._active = 0
        was_shown = holder.isVisible()
        own = self._own.pop(name, None)
        if own is not None:
            own.keep_geometry()
            own.hide()
            own.deleteLater()
        holder.hide()
        holder.deleteLater()
        self._lay_out()
        if was_shown and own is None:
            self._holders[self.current].take_focus()
        elif own is not None and self.isVisible():
            self.window().activateWindow()

    # Moves -------------------------------------------------------------------------------------------------------

    def show_home(self) -> None:
        """Back to what stands where no page does."""
        self.bring(HOME)

    def put_beside(self, first: str, name: str) -> None:
        """Let a page stand beside another, now and whenever that one is shown."""
        if any(page not in self._holders and self._why_not(page) for page in (first, name)):
            return
        if name in self._own:
            self.put_back(name)
        self._arrange(self._arrangement.shown(first).put_beside(name))
        for page in (first, name):
            if page not in self._holders:
                self._windows.ready(page)
        self.bring(name)

    def take_out(self, name: str) -> None:
        """Let a page stand in a window of its own."""
        holder = self._holders[name]
        holder.keep_focus()
        self._arrange(self._arrangement.taken_out(name).of_open(self._holders))
        self._active = 0
        self._make_own(name).show()
        self._lay_out()
        holder.window().activateWindow()
        holder.take_focus()

    def put_back(self, name: str) -> None:
        """Let a page stand in the main window again."""
        own, holder = self._own.pop(name), self._holders[name]
        holder.keep_focus()
        own.keep_geometry()
        self._arrange(self._arrangement.put_back(name))
        self.splitter.addWidget(holder)
        own.hide()
        own.deleteLater()
        self.bring(name)

    def close_page(self, name: str) -> None:
        """Close a page by its header: what stood beside another does so no longer."""
        second = name == self._arrangement.second
        page = self._holders[name].page
        if page.close() and second:
            self._arrange(self._arrangement.alone())

    def close_current(self) -> None:
        """Close the page that is worked on; home stays."""
        if self.current != HOME:
            self.close_page(self.current)

    def take_out_current(self) -> None:
        """Let the page that is worked on stand in a window of its own; home stays."""
        if self.current != HOME:
            self.take_out(self.current)

    def put_all_back(self) -> None:
        """Let all pages stand in the main window again."""
        for name in list(self._own):
            self.put_back(name)

    def _make_own(self, name: str) -> OwnWindow:
        holder = self._holders[name]
        holder.arrange("out", low=False)
        page = holder.page
        assert isinstance(page, ToolWindow), "home is never taken out"
        self._own[name] = OwnWindow(holder, page)
        return self._own[name]

    def _arrange(self, arrangement: Arrangement) -> None:
        """Take an arrangement on; what was put beside the page that comes first is opened with it."""
        for holder in self._holders.values():
            holder.keep_focus()
        other_first = arrangement.first != self._arrangement.first
        self._arrangement = arrangement
        second = arrangement.second
        if other_first and second and second not in self._holders and not self._why_not(second):
            self._windows.ready(second)
        self._remember()

    def _why_not(self, name: str) -> str:
        return reason_against(name, self._document)

    def _remember(self) -> None:
        kept: dict[str, Any] = self._arrangement.kept()
        if self._split != _HALF:
            kept["split"] = self._split
        settings.set(WORKSPACE, kept)

    def _keep_split(self) -> None:
        widths = [holder.width() for holder in self.in_sight()]
        if len(widths) == 2 and any(widths):
            self._split = max(10, min(90, round(100 * widths[0] / (widths[0] + widths[1]))))
            self._remember()

    # Showing -----------------------------------------------------------------------------------------------------

    def set_shape(self, shape: Shape, room: int) -> None:
        """Follow the size of the main window, which has `room` pixels in width for two pages."""
        self._room = room
        if shape != self._shape:
            for holder in self._holders.values():
                holder.keep_focus()
            focus = QApplication.focusWidget()
            focused = focus is not None and self.isAncestorOf(focus)
            self._shape = shape
            self._lay_out()
            if focused:
                self._holders[self.current].take_focus()

    def _look_soon(self) -> None:
        if self.pair:
            QTimer.singleShot(0, self, self._look_at_room)

    def _look_at_room(self) -> None:
        """Two pages that need more room than there is get tabs, and stand beside each other where there is enough."""
        if not self.pair:
            return
        if self._crowded() != self._is_crowded:
            if not self._is_crowded and not self._shape.tabs:
                self._needed[tuple(self._names())] = self._needed_width()  # more than they said before they shared room
            self.refresh()
        elif any(holder.width() < holder.least_width for holder in self.in_sight()):
            self._share_room(self._shown())

    def _crowded(self) -> bool:
        return max(self._needed_width(), self._needed.get(tuple(self._names()), 0)) > self._room

    def _needed_width(self) -> int:
        return sum(self._holders[name].least_width for name in self._names()) + self.splitter.handleWidth()

    def refresh(self) -> None:
        """Lay out anew what is in sight; the main window's part of it follows."""
        self._lay_out()

    def _lay_out(self) -> None:
        self._is_crowded = self._crowded()
        names, shown = self._names(), self._shown()
        for name, holder in self._holders.items():
            if name not in shown and name not in self._own:
                holder.hide()
        left = [self.splitter.indexOf(self._holders[name]) for name in shown]
        if left != sorted(left):
            self.splitter.insertWidget(0, self._holders[shown[0]])
        for name in shown:
            self._holders[name].arrange("pair" if len(names) == 2 else "alone", self._shape.low)
            self._holders[name].show()
        self._share_room(shown)
        self._show_tabs(names if len(shown) < len(names) else [])
        self.moved.emit()

    def _share_room(self, shown: Sequence[str]) -> None:
        if len(shown) == 2:
            first, second = (self._holders[name] for name in shown)
            room = max(self.splitter.width() - self.splitter.handleWidth(), 100)
            left = max(min(self._split * room // 100, room - second.least_width), first.least_width)
            parts = {first: left, second: room - left}
            self.splitter.setSizes([parts.get(self.splitter.widget(i), 0) for i in range(self.splitter.count())])  # type: ignore[call-overload]

    def _show_tabs(self, names: Sequence[str]) -> None:
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for name in names:
            self.tabs.addTab(translate(text_of(name).title))
        if names:
            self.tabs.setCurrentIndex(self._active)
        self.tabs.setVisible(bool(names))
        self.tabs.blockSignals(False)

    def _turn_to(self, tab: int) -> None:
        if 0 <= tab < len(self._names()):
            self.bring(self._names()[tab])

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        """The page that has the focus is the one worked on, and what has the focus is in sight."""
        if now is None:
            return
        for holder in self._holders.values():
            if holder.isAncestorOf(now):
                holder.scroll_to(now)
        if not self._has_tabs():
            shown = [place for place, holder in enumerate(self.in_sight()) if holder.isAncestorOf(now)]
            self._active = shown[0] if shown else self._active

    # Headers -----------------------------------------------------------------------------------------------------

    def keep_letters(self, letters: frozenset[str]) -> None:
        """Letters that belong to the menus: no page takes them."""
        self._letters = letters

    def show_steps(self, steps: Sequence[Offer]) -> None:
        """The pages of the seven steps as they stand, for *Continue to* and *View beside*."""
        self._steps = tuple(steps)
        for name in self._holders:
            self._offer(name)

    def _offer(self, name: str) -> None:
        text, header = text_of(name), self._holders[name].header
        if header is None or name == HOME:
            return
        others = filter(exists, text.goes_with)
        beside = [Offer(other, translate(text_of(other).title), self._reason(other)) for other in others]
        following = STEPS.index(text.step) + 1 if text.step else len(STEPS)
        header.offer(beside, self._steps[following] if following < len(self._steps) else None)

    def _continue(self, name: str, following: str) -> None:
        """Go to the next step; what was changed on a page that takes it over by a button is taken over first."""
        page = self._holders[name].page
        button = page.findChild(QPushButton, text_of(name).commits) if text_of(name).commits else None
        if isinstance(button, QPushButton) and getattr(page, "touched", False):
            button.click()
            if self._windows.window_named(name) is not None:  # refused, and it says why
                return
        self.wanted.emit(following)
