"""Menus and actions of the main window as a table. An action is named after its English menu text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from core.base.texts import mark, translate
from gui.shared.windows import exists
from gui.texts import as_tip

Keys = QKeySequence.StandardKey | str | None


@dataclass(frozen=True)
class Item:
    """A menu item: its English text with mnemonic, and a command's name or ``window:``, ``step:`` or ``method:<name>``.

    ``method:<name>`` opens Perturb at that method.
    """

    text: str
    does: str
    keys: Keys = None
    everywhere: bool = False
    """The shortcut works in every window of the program, not only in the main one."""
    tip: str = ""


SEPARATOR = Item("", "")

# No Ctrl+E, Ctrl+K and the like: on Linux they move and delete in a box, which would keep them from the menu.
_S = QKeySequence.StandardKey
_STEPS = (
    ("Data", mark("&Data")),
    ("Metadata", mark("&Metadata")),
    ("Combinations", mark("Comb&inations")),
    ("Risk", mark("&Risk")),
    ("Recode", mark("R&ecode")),
    ("Protect", mark("Prote&ct")),
    ("Report", mark("Rep&ort")),
)
MENUS: tuple[tuple[str, tuple[Item, ...]], ...] = (
    (
        mark("&File"),
        (
            Item(mark("&Open Microdata…"), "open_microdata", _S.Open),
            Item(mark("Open S&ession…"), "open_session", "Ctrl+Shift+O"),
            Item(mark("&Recent Sessions"), "menu:recent"),
            Item(mark("&Try the Demonstration Survey"), "try_demonstration"),
            Item(mark("Try the &Household Survey"), "try_households"),
            Item(mark("Try the Survey of Co&mmunes"), "try_communes"),
            Item(mark("Reco&ver Session…"), "recover"),
            SEPARATOR,
            Item(mark("&Save"), "save", _S.Save, True),
            Item(mark("Save &As…"), "save_as", "Ctrl+Shift+S", True),
            Item(mark("&Close Session"), "close_session"),
            SEPARATOR,
            Item(mark("E&xit"), "exit", "Ctrl+Q"),
        ),
    ),
    (
        mark("&Edit"),
        (
            Item(mark("&Undo"), "undo", _S.Undo, True),
            Item(mark("&Redo"), "redo", "Ctrl+Y", True),
            SEPARATOR,
            Item(mark("&Copy"), "copy", _S.Copy),
            SEPARATOR,
            Item(mark("&History"), "window:history"),
            SEPARATOR,
            Item(mark("&Settings…"), "window:settings", "Ctrl+,"),
        ),
    ),
    (
        mark("&Specify"),
        (
            Item(mark("Specify &Metadata…"), "window:specifyMetadata", "Ctrl+Shift+M", True),
            Item(mark("&Generate Metadata…"), "generate_metadata"),
            Item(mark("Select &Combinations…"), "window:selectCombinations", "Ctrl+Shift+K", True),
            SEPARATOR,
            Item(mark("Report &Details…"), "window:reportDetails"),
        ),
    ),
    (
        mark("&Modify"),
        (
            Item(mark("&Global Recode"), "window:globalRecode", "Ctrl+G", True),
            Item(mark("&Find a Plan"), "window:findPlan"),
            Item(mark("Modify &Numerical Variables"), "window:numericalVariables"),
            Item(mark("Risk &Laboratory"), "window:riskLaboratory", "Ctrl+Shift+L", True),
            SEPARATOR,
            Item(mark("Per&turb"), "window:perturb", "Ctrl+Shift+P", True),
            Item(mark("&PRAM…"), "method:pram"),
            Item(mark("&Microaggregation…"), "method:microaggregation"),
            Item(mark("&Rank Swapping…"), "method:rank-swapping"),
            Item(mark("N&oise…"), "method:noise"),
            Item(mark("&Shuffling…"), "method:shuffling"),
            Item(mark("Record S&wapping…"), "method:record-swapping"),
            Item(mark("S&ynthetic Data…"), "method:synthetic"),
        ),
    ),
    (
        mark("&Output"),
        (
            Item(mark("&Make Protected File…"), "make_protected_file", "Ctrl+Shift+E", True),
            Item(mark("&View Report"), "window:report", "Ctrl+Shift+R", True),
            Item(mark("&Differences to the Last Release"), "window:memo"),
            Item(mark("Check against a &Profile…"), "window:profileCheck"),
            Item(mark("&Utility"), "window:utility"),
            SEPARATOR,
            Item(mark("&Browse Data"), "window:browseData"),
            Item(mark("Browse &Safe File"), "window:browseSafeFile"),
            SEPARATOR,
            Item(mark("Export for sdcM&icro…"), "window:exportForSdcMicro"),
            Item(mark("Export for μ-&ARGUS…"), "window:exportForMuArgus"),
        ),
    ),
    (
        mark("&View"),
        (
            Item(mark("&Risk Chart"), "window:riskChart", "Ctrl+R", True),
            Item(mark("&Household Risk Chart"), "window:householdRiskChart", "Ctrl+Shift+H", True),
            Item(mark("Show Table &Collection"), "window:showTables", "Ctrl+T", True),
            Item(mark("Co&mpare"), "window:compare"),
            SEPARATOR,
            Item(mark("Theme &Auto"), "theme_auto"),
            Item(mark("Theme &Light"), "theme_light"),
            Item(mark("Theme &Dark"), "theme_dark"),
            SEPARATOR,
            Item(mark("Open What Comes &Next by Itself"), "open_next"),
            Item(mark("Calculate A&gain"), "calculate_again", "F5"),
        ),
    ),
    (
        mark("&Window"),
        (
            Item(mark("O&verview"), "show_overview", "Ctrl+0", True),
            *(Item(text, f"step:{step}", f"Ctrl+{i}", True) for i, (step, text) in enumerate(_STEPS, start=1)),
            SEPARATOR,
            Item(mark("&Take Out into a Window"), "take_out"),
            Item(mark("Put All &Back"), "put_all_back"),
            Item(mark("C&lose Page"), "close_page", "Ctrl+W"),
            Item(mark("Ne&xt Part"), "next_part", "F6"),
            Item(mark("&Previous Part"), "previous_part", "Shift+F6"),
            SEPARATOR,
        ),
    ),
    (
        mark("&Help"),
        (
            Item(mark("&Help Contents"), "window:help", "F1"),
            Item(mark("What's &New"), "whats_new"),
            SEPARATOR,
            Item(mark("About &Pavo"), "about"),
        ),
    ),
)


def name_of(text: str) -> str:
    """Object name of an action: "&Open Microdata…" is ``actionOpenMicrodata``."""
    words = re.findall(r"[A-Za-z0-9]+", text.replace("&", ""))
    return "action" + "".join(word[0].upper() + word[1:] for word in words)


def is_there(item: Item) -> bool:
    """Whether this version has what an item opens."""
    kind, _, name = item.does.partition(":")
    if kind == "method":  # its file is looked for: importing all methods takes as long as all else of the menus
        return find_spec(f"core.perturbation.{name.replace('-', '_')}") is not None
    return kind != "window" or exists(name)


class Actions(QObject):
    """All actions by object name, and the menus they are in."""

    def __init__(self, window: QMainWindow, do: Callable[[str], Callable[[], object]]) -> None:
        super().__init__(window)
        self._by_name: dict[str, QAction] = {}
        self.windows: dict[str, QAction] = {}
        self.methods: list[QAction] = []
        """Those that open Perturb at a method."""
        self.menus: dict[str, QMenu] = {}
        for title, items in MENUS:
            menu = window.menuBar().addMenu(translate(title))
            menu.setObjectName("menu" + name_of(title)[6:])
            menu.setToolTipsVisible(True)
            self.menus[title.replace("&", "")] = menu
            for item in items:
                self._add(window, menu, item, do)

    def __getitem__(self, name: str) -> QAction:
        return self._by_name[name]

    def show_choices(self, theme: str, opens_next: bool) -> None:
        """Mark what is chosen in the View menu."""
        group = QActionGroup(self)
        for choice in ("Auto", "Light", "Dark"):
            action = self[f"actionTheme{choice}"]
            action.setCheckable(True)
            action.setChecked(theme == choice.lower())
            group.addAction(action)
        by_itself = self["actionOpenWhatComesNextByItself"]
        by_itself.setCheckable(True)
        by_itself.setChecked(opens_next)

    def _add(self, window: QMainWindow, menu: QMenu, item: Item, do: Callable[[str], Callable[[], object]]) -> None:
        if item is SEPARATOR:
            menu.addSeparator()
            return
        if not is_there(item):
            return  # nothing in a menu is dead
        if item.does.startswith("menu:"):
            self.menus[item.does[5:]] = menu.addMenu(translate(item.text))
            return
        action = QAction(translate(item.text), window, objectName=name_of(item.text))
        if item.keys is not None:
            action.setShortcut(QKeySequence(item.keys))
        if item.everywhere:
            action.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        call = do(item.does)
        action.triggered.connect(lambda _checked=False: call())
        menu.addAction(action)
        window.addAction(action)
        self._by_name[action.objectName()] = action
        if item.does.startswith("window:"):
            self.windows[item.does[7:]] = action
        if item.does.startswith("method:"):
            self.methods.append(action)


def allow(action: QAction, reason: str) -> None:
    """Enable an action, or disable it and say why."""
    action.setEnabled(not reason)
    action.setToolTip(as_tip(reason or action.text().replace("&", "")))
    action.setStatusTip(reason)
