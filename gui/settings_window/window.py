"""Settings: how the program looks and where it looks for files; remembered, and applied at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import languages, mark, translate
from gui.document.document import Document
from gui.language import own_name, speak
from gui.motion import is_reduced
from gui.places import typed_path
from gui.settings import (
    DATA_FOLDER,
    DECIMALS,
    FONT_SIZE,
    HINTS_KNOWN,
    LANGUAGE,
    REDUCED_MOTION,
    SAFE_FOLDER,
    THEME,
    Setting,
    settings,
)
from gui.shared.layout.scrolled import scrolled
from gui.shared.tool_window import ToolWindow
from gui.shared.wheel import ComboBox
from gui.theme import move_less, muted, theme
from gui.theme.tokens import MOST_POINTS, SMALLEST_POINTS

_THEMES = (("auto", mark("As the system")), ("light", mark("Light")), ("dark", mark("Dark")))


class SettingsWindow(ToolWindow):
    """`settings`: `fontSize language theme reducedMotion decimals dataFolder safeFolder`."""

    name = "settings"
    title = mark("Settings")
    first = "fontSize"
    default_size = (620, 420)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self._choices: list[tuple[QComboBox, Setting[Any]]] = []
        sizes = [(0, translate("As the system"))]
        sizes += [(n, translate("{n} points").format(n=n)) for n in range(SMALLEST_POINTS, MOST_POINTS + 1)]
        self._choose("fontSize", translate("&Size of text"), FONT_SIZE, sizes, theme.use_points)
        spoken = [("", translate("As the system"))]
        spoken += [(code, own_name(code)) for code in languages()]
        note = translate(
            "Pages that are opened from now on speak it; the menus and what is open do at the next start. Languages "
            "other than English were not reviewed by a native speaker."
        )
        self._choose("language", translate("&Language"), LANGUAGE, spoken, speak, note)
        themes = [(choice, translate(text)) for choice, text in _THEMES]
        self._choose("theme", translate("&Theme"), THEME, themes, theme.use)
        self._tick()
        note = translate("Of risks and rates, as they are shown: the figures themselves are exact.")
        decimals = [(n, str(n)) for n in range(3, 8)]
        self._choose("decimals", translate("&Decimals"), DECIMALS, decimals, lambda _: None, note)
        self._folder(
            "dataFolder", translate("&Folder of data"), DATA_FOLDER, translate("where a file was chosen last"),
            translate("Where the choice of a file begins."),
        )  # fmt: skip
        self._folder(
            "safeFolder", translate("Folder of safe &files"), SAFE_FOLDER, translate("beside the data"),
            translate("Where safe files are proposed; every page that writes one can name another."),
        )  # fmt: skip
        self._hints()
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 8, 0)
        column.addLayout(self._grid)
        self.content.addWidget(scrolled(column, "settingsScroll"), 1)
        settings.told.changed.connect(self._changed)

    def _row(self, label: QLabel | None, box: QWidget, note: str = "") -> None:
        row = self._grid.rowCount()
        if label is not None:
            self._grid.addWidget(label, row, 0)
        self._grid.addWidget(box, row, 1)
        if note:
            said = QLabel(note, wordWrap=True)
            muted(said)
            self._grid.addWidget(said, row + 1, 1)

    def _choose(
        self, name: str, text: str, setting: Setting[Any], choices: Sequence[tuple[Any, str]],
        apply: Callable[[Any], object], note: str = "",
    ) -> None:  # fmt: skip
        box = ComboBox(objectName=name)
        for value, shown in choices:
            box.addItem(shown, value)
        box.setCurrentIndex(max(box.findData(settings.get(setting)), 0))
        label = QLabel(text)
        label.setBuddy(box)
        box.setAccessibleName(text.replace("&", ""))
        box.setSizePolicy(box.sizePolicy().Policy.Fixed, box.sizePolicy().Policy.Fixed)

        def chosen(_place: int) -> None:
            settings.set(setting, box.currentData())
            apply(box.currentData())

        box.currentIndexChanged.connect(chosen)
        self._choices.append((box, setting))
        self._row(label, box, note)

    def _tick(self) -> None:
        box = QCheckBox(translate("&Reduced motion"), objectName="reducedMotion")
        box.setChecked(settings.get(REDUCED_MOTION))

        def ticked(on: bool) -> None:
            settings.set(REDUCED_MOTION, on)
            move_less(is_reduced())

        box.toggled.connect(ticked)
        self._row(None, box, translate("Nothing on the screen moves by itself."))

    def _folder(self, name: str, text: str, setting: Setting[str], none: str, note: str) -> None:
        box = QLineEdit(settings.get(setting), objectName=name, clearButtonEnabled=True)
        box.setPlaceholderText(none)
        label = QLabel(text)
        label.setBuddy(box)
        box.setAccessibleName(text.replace("&", ""))
        browse = QPushButton(translate("Browse…"), objectName=f"{name}Browse", autoDefault=False)
        browse.setAccessibleName(translate("Browse: {what}").format(what=text.replace("&", "")))
        message = QLabel(objectName=f"{name}Message", wordWrap=True)
        message.hide()

        def typed() -> None:
            path = typed_path(box.text())
            is_good = path is None or path.is_dir()
            message.setText("" if is_good else translate("There is no such folder; the last one stays in use."))
            message.setStyleSheet(f"color: {theme.scheme.refused};")
            message.setVisible(not is_good)
            if is_good:
                settings.set(setting, "" if path is None else str(path))

        def choose() -> None:
            start = box.text() or str(Path.home())
            chosen = QFileDialog.getExistingDirectory(self, text.replace("&", ""), start)
            if chosen:
                box.setText(chosen)
                typed()

        box.editingFinished.connect(typed)
        browse.clicked.connect(choose)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(box, 1)
        row.addWidget(browse)
        self._row(label, holder, note)
        self._grid.addWidget(message, self._grid.rowCount(), 1)

    def _hints(self) -> None:
        self._again = QPushButton(translate("Show &hints again"), objectName="showHintsAgain", autoDefault=False)
        self._again.setSizePolicy(self._again.sizePolicy().Policy.Fixed, self._again.sizePolicy().Policy.Fixed)
        self._again.setEnabled(bool(settings.get(HINTS_KNOWN)))
        self._again.clicked.connect(lambda: settings.set(HINTS_KNOWN, []))
        note = translate("On top of each page, until what the hint says was done or it was dismissed.")
        self._row(None, self._again, note)

    def _changed(self, key: str) -> None:
        """Follow what was chosen elsewhere: the theme in the menu, decimals in a chart, hints on the pages."""
        if key == HINTS_KNOWN.key:
            self._again.setEnabled(bool(settings.get(HINTS_KNOWN)))
        for box, setting in self._choices:
            if setting.key == key and box.currentData() != settings.get(setting):
                with QSignalBlocker(box):
                    box.setCurrentIndex(max(box.findData(settings.get(setting)), 0))
