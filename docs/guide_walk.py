"""Carries out a page of the guide that leads through the windows, as a reader would: by what stands on the screen.

A page says in bold what is to be pressed, typed and seen, in these words::

    Press **Open**.                                   a button, by its text
    Choose **File › Open Microdata…**.                a menu item
    Select **SEX** and **AGE** in **Variables**.      rows of a list, by their first column
    Type **0.05** into **Threshold**.                 a box, by its name
    Set **Criterion** to **entropy**.                 a choice, by its name
    Tick **Records in random order**.                 a box to tick
    **Unsafe records** shows **329**.                 what a box or a figure of that name holds
    You read “Nothing is written yet.”                a text that stands somewhere on the screen
    ![…](images/tutorial-risk.png)                    the main window as it is then

`Walk.follow` does it and gives the page with the figures, texts that it found. ``python -m docs.guide_walk`` writes the
pages anew so, and takes their pictures, light and dark; a test holds the pages.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView

GUIDE = Path(__file__).resolve().parent.parent / "resources" / "help"
PAGES = ("tutorial", "tutorial-households")
_BOLD = r"\*\*([^*\n]+)\*\*"
_DO = re.compile(
    rf"(?P<press>\bPress {_BOLD})"
    rf"|(?P<choose>\bChoose {_BOLD})"
    rf"|(?P<select>\bSelect (?P<rows>\*\*[^.\n]+?\*\*) in {_BOLD})"
    rf"|(?P<type>\bType {_BOLD} into {_BOLD})"
    rf"|(?P<set>\bSet {_BOLD} to {_BOLD})"
    rf"|(?P<tick>\bTick {_BOLD})"
    rf"|(?P<shows>{_BOLD} shows {_BOLD})"
    r"|(?P<read>\bYou read “[^”\n]+”)"
    r"|(?P<picture>!\[[^\]]*\]\(images/(?P<file>[^)]+)\))"
)
_PATIENCE = 60.0
_DRAWN = 1.0
"""Seconds that a picture waits for what is drawn bit by bit."""
_QUIET, _PAUSE = 8, 0.03
"""So many times in a row nothing may be computed, so many seconds apart, before a step counts as done."""


class Walk:
    """Does in `main_window` what pages say; `take`, if there is one, is called with the name of each picture."""

    def __init__(self, main_window: Any, take: Callable[[str], None] | None = None) -> None:
        self._window, self._take = main_window, take

    def follow(self, text: str) -> str:
        """Do what the page `text` says; the same page with what the windows show in place of what it says of them.

        Raises
        ------
        LookupError
            Nothing on the screen is called so.
        """
        self.settle()
        return _DO.sub(self._step, text)

    def settle(self) -> None:
        """Run the event loop until nothing is computed."""
        from PySide6.QtWidgets import QApplication

        end, quiet = time.monotonic() + _PATIENCE, 0
        while quiet < _QUIET:
            QApplication.processEvents()
            time.sleep(_PAUSE)
            quiet = 0 if self._window.document.busy else quiet + 1
            assert time.monotonic() < end, "it goes on computing"

    def _step(self, found: re.Match[str]) -> str:
        whole = found[0]
        kind = next(name for name in _STEPS if found[name])
        new = _STEPS[kind](self, whole, re.findall(_BOLD, whole), found)
        if kind not in ("shows", "read", "picture"):
            self.settle()
        return new

    def _press(self, whole: str, said: list[str], _found: re.Match[str]) -> str:
        from PySide6.QtWidgets import QAbstractButton

        for button in self._seen(QAbstractButton):
            if _plain(button.text()) == said[0] and button.isEnabled():
                button.click()
                return whole
        raise LookupError(f"no button says {said[0]}")

    def _choose(self, whole: str, said: list[str], _found: re.Match[str]) -> str:
        actions = self._window.menuBar().actions()
        *menus, item = said[0].split(" › ")
        for name in menus:
            actions = next(each for each in actions if _plain(each.text()) == name).menu().actions()
        action = next((each for each in actions if _plain(each.text()) == item and each.isEnabled()), None)
        if action is None:
            raise LookupError(f"no menu has {said[0]}")
        action.trigger()
        return whole

    def _select(self, whole: str, said: list[str], _found: re.Match[str]) -> str:
        from PySide6.QtCore import QItemSelectionModel
        from PySide6.QtWidgets import QAbstractItemView

        *rows, name = said
        view = self._named(QAbstractItemView, name)
        model, flag = view.model(), QItemSelectionModel.SelectionFlag
        view.clearSelection()
        for row in rows:
            places = [i for i in range(model.rowCount()) if _first(view, i) == row]
            if not places:
                raise LookupError(f"{name} has no {row}")
            view.selectionModel().select(model.index(places[0], 0), flag.Select | flag.Rows)
        return whole

    def _type(self, whole: str, said: list[str], _found: re.Match[str]) -> str:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QLineEdit

        box = self._named(QLineEdit, said[1])
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, said[0])
        QTest.keyClick(box, Qt.Key.Key_Return)
        return whole

    def _set(self, whole: str, said: list[str], _found: re.Match[str]) -> str:
        from PySide6.QtWidgets import QComboBox

        box = self._named(QComboBox, said[0])
        place = box.findText(said[1])
        if place < 0:
            raise LookupError(f"{said[0]} has no {said[1]}")
        box.setCurrentIndex(place)
        box.activated.emit(place)
        return whole

    def _tick(self, whole: str, said: list[str], found: re.Match[str]) -> str:
        return self._press(whole, said, found)

    def _shows(self, _whole: str, said: list[str], _found: re.Match[str]) -> str:
        from PySide6.QtWidgets import QLabel, QLineEdit

        shown = ""
        for _ in self._patiently():
            shown = next((_one_line(each.text()) for each in self._seen(QLabel, QLineEdit)
                          if each.accessibleName() == said[0]), "")  # fmt: skip
            if shown == said[1]:
                break
        if not shown:
            raise LookupError(f"nothing is called {said[0]}")
        return f"**{said[0]}** shows **{shown}**"

    def _read(self, whole: str, _said: list[str], _found: re.Match[str]) -> str:
        wanted = whole[whole.index("“") + 1 : -1]
        texts: list[str] = []
        for _ in self._patiently():
            texts = list(self._texts())
            if any(wanted in text for text in texts):
                return whole
        nearest = difflib.get_close_matches(wanted, texts, 1, 0.5)
        if not nearest:
            raise LookupError(f"it reads nowhere: {wanted}")
        return f"You read “{nearest[0]}”"

    def _picture(self, whole: str, _said: list[str], found: re.Match[str]) -> str:
        if self._take is not None:
            for _ in self._patiently(_DRAWN):
                pass
            self._take(found["file"])
        return whole

    def _patiently(self, seconds: float = 5.0) -> Iterator[None]:
        """Again and again for some seconds: figures may come a little later."""
        from PySide6.QtWidgets import QApplication

        end = time.monotonic() + seconds
        while True:
            yield
            if time.monotonic() > end:
                return
            QApplication.processEvents()
            time.sleep(_PAUSE)

    def _seen(self, *kinds: type[Any]) -> Iterator[Any]:
        """The visible widgets of some kinds."""
        from PySide6.QtWidgets import QWidget

        for widget in self._window.findChildren(QWidget):
            if isinstance(widget, kinds) and widget.isVisible():
                yield widget

    def _named(self, kind: type[Any], name: str) -> Any:
        """The control of that accessible name; a row of a list of choices by what its name ends with."""
        names = {each.accessibleName(): each for each in self._seen(kind)}
        found = next((each for full, each in names.items() if full.endswith(f" {name}")), None)
        if names.get(name, found) is None:
            raise LookupError(f"nothing is called {name}")
        return names.get(name, found)

    def _texts(self) -> Iterator[str]:
        from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLabel, QTextEdit

        for each in self._seen(QLabel, QAbstractButton):
            yield _one_line(each.text())
        for each in self._seen(QTextEdit):
            yield _one_line(each.toPlainText())
        for view in self._seen(QAbstractItemView):
            if view.model() is not None:
                yield from (_first(view, row) for row in range(view.model().rowCount()))


_STEPS: dict[str, Callable[[Walk, str, list[str], re.Match[str]], str]] = {
    "press": Walk._press,
    "choose": Walk._choose,
    "select": Walk._select,
    "type": Walk._type,
    "set": Walk._set,
    "tick": Walk._tick,
    "shows": Walk._shows,
    "read": Walk._read,
    "picture": Walk._picture,
}


def _plain(text: str) -> str:
    """A text without the sign of its key."""
    return re.sub("&(.)", r"\1", text)


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _first(view: QAbstractItemView, row: int) -> str:
    return _one_line(str(view.model().index(row, 0).data()))


def main() -> None:
    """Write the pages anew by what the windows show, and their pictures."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for dark in (False, True):
        for page in PAGES:
            with tempfile.TemporaryDirectory(prefix="guide-") as made:
                _write(GUIDE / f"{page}.md", Path(made), dark)
    os._exit(0)


def _write(page: Path, home: Path, dark: bool) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "PAVO_STATE"):
        os.environ[name] = str(home / name)
    from PySide6.QtCore import QLocale

    import main as program
    from gui import dialogs, settings
    from gui.main_window import demonstration
    from gui.theme import theme

    QLocale.setDefault(QLocale("en_US"))
    for module in (demonstration, dialogs, settings):
        module.documents = lambda: home  # type: ignore[attr-defined]
    _app, window = program.build_application(["pavo"])
    theme.use("dark" if dark else "light")

    def take(name: str) -> None:
        window.grab().save(str(page.parent / "images" / (name.replace(".png", "-dark.png") if dark else name)))

    window.show()
    walk = Walk(window, take)
    walk.settle()
    window.resize(1160, 700)

    text = page.read_text("utf-8")
    new = walk.follow(text)
    page.write_text(new, encoding="utf-8")
    sys.stdout.write(f"{page}{'' if new == text else ': changed'}\n")
    window.document.shut_down()
    window.deleteLater()


if __name__ == "__main__":
    main()
