"""The form of the selected variables, as μ-ARGUS lays it out; what it changes goes to all that are selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QGridLayout,
    QGroupBox,
    QLabel,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import mark, translate
from core.data.variable_uses import Use, uses_of
from core.data.variables import Metadata, Variable
from core.metadata.problems import Problem
from gui.shared.labels import ElidedLabel
from gui.shared.wheel import ComboBox
from gui.specify_metadata.form_boxes import (
    SEVERAL,
    MissingBoxes,
    PathBox,
    TextBox,
    TickBox,
    WholeBox,
    add_pair,
    add_row,
    common,
    show_all,
)
from gui.specify_metadata.variable_model import USE_SENTENCES, missing_sentence
from gui.texts import as_tip
from gui.theme import heading, muted, theme

CODELISTS = mark("Codelists (*.cdl);;All files (*)")
_NONE = mark("--none--")
_LONGEST = 32_000
_INSIDE = 8, 4, 8, 6


class VariableForm(QScrollArea):
    """`variableForm`. Boxes are named after the attributes: `variableName`, `startPosition`, `missing1` …

    Signals
    -------
    changed(dict)
        Attributes and their new values, for every selected variable.
    use_chosen(str, bool)
        A use, and whether it is to be.
    """

    changed = Signal(dict)
    use_chosen = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="variableForm", accessibleName=translate("Properties of the variable"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._variables: tuple[Variable, ...] = ()
        self._format = "fixed"
        self._folder: Path | None = None
        self.title = ElidedLabel("", "variableFormHeading")
        heading(self.title, 1.05)
        self.problem = QLabel(objectName="variableMessage", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._make_boxes()
        self._lay_out()
        self._connect()

    # Building ----------------------------------------------------------------------------------------------------

    def _make_boxes(self) -> None:
        self.name = TextBox("variableName", translate("Name"))
        self.label = TextBox("variableLabel", translate("Label"))
        self.start = WholeBox("startPosition", 1, _LONGEST, translate("Starting position"))
        self.length = WholeBox("fieldLength", 1, _LONGEST, translate("Length"))
        self.column = WholeBox("columnNumber", 1, 1_000_000, translate("Column"))
        self.decimals = WholeBox("decimals", 0, 15, translate("Decimals"))
        self._make_roles()
        self.categorical = TickBox("categorical", translate("Categorical"), translate("Values are codes"))
        self.numeric = TickBox("numeric", translate("Numerical"), translate("Values are numbers"))
        self.key = TickBox("keyVariable", translate("Key"), translate(USE_SENTENCES["key"]))
        self.sensitive = TickBox("sensitive", translate("Sensitive"), translate(USE_SENTENCES["sensitive"]))
        self.removed = TickBox("removed", translate("Leave out of the safe file"))
        self.level = ComboBox(objectName="identificationLevel")
        self.level.addItems([
            translate("0  not identifying"), translate("1  identifies most"), "2", "3", "4",
            translate("5  identifies least"),
        ])  # fmt: skip
        self.priority = WholeBox("suppressionPriority", 0, 100, translate("Priority for local suppression"))
        self.priority.setToolTip(translate("0 is suppressed first, 100 last"))
        self.never = TickBox("neverSuppress", translate("Never suppress"))
        self.related = ComboBox(objectName="relatedTo")
        self.related.setToolTip(translate("Where this variable is suppressed, the other one is suppressed with it"))
        self.truncable = TickBox("truncable", translate("Truncation allowed"))
        self.ordered = TickBox(
            "ordered",
            translate("Neighbouring codes may be merged"),
            translate("The codes have an order; where it is not said, years of age and counts of members have one"),
        )
        self.codelist = PathBox(
            "codelist", translate("Codelist"), translate("Codelist"), CODELISTS, lambda: self._folder
        )
        self.missing_boxes = MissingBoxes()
        self.missing = self.missing_boxes.edits
        for box in (self.level, self.related):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(8)
            box.setPlaceholderText(translate("several"))

    def _make_roles(self) -> None:
        roles = (
            ("household-id", translate("HH identifier"), "roleHouseholdId"),
            ("household", translate("HH variable"), "roleHouseholdVariable"),
            ("weight", translate("Weight"), "roleWeight"),
            ("direct-identifier", translate("Direct identifier"), "roleDirectIdentifier"),
            ("keep", translate("Other"), "roleOther"),
        )
        self.roles = QButtonGroup(self)
        self.role_buttons = {use: QRadioButton(text, objectName=name) for use, text, name in roles}
        for use, button in self.role_buttons.items():
            self.roles.addButton(button)
            tip = mark("None of these; a key variable may be.") if use == "keep" else USE_SENTENCES[use]  # type: ignore[index]
            button.setToolTip(as_tip(translate(tip)))

    def _lay_out(self) -> None:
        self._content = QWidget(enabled=False)  # nothing is selected yet
        column = QVBoxLayout(self._content)
        column.setContentsMargins(6, 0, 8, 0)
        column.setSpacing(6)
        column.addWidget(self.title)
        column.addWidget(self.problem)
        column.addLayout(self._attributes())
        column.addWidget(self._types())
        column.addWidget(self._options())
        column.addWidget(self._categories())
        column.addStretch(1)
        self.setWidget(self._content)
        self._fit()

    def _fit(self) -> None:
        """As wide as the boxes need: there is no scrolling to the side."""
        bar = self.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(self._content.minimumSizeHint().width() + bar + 2)  # and a hairline on both sides

    def _attributes(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        add_row(grid, 0, translate("Na&me"), self.name, 4)
        add_row(grid, 1, translate("La&bel"), self.label, 4)
        self._grid = grid
        self._start = add_pair(grid, 2, 0, translate("Starting &position"), self.start)
        self._length = add_pair(grid, 2, 2, translate("Len&gth"), self.length)
        self._column = [*add_pair(grid, 3, 0, translate("Colum&n"), self.column)]
        add_pair(grid, 4, 0, translate("&Decimals"), self.decimals)
        for i, box in enumerate((self.start, self.length, self.column, self.decimals)):
            grid.addWidget(box.message, 5 + i, 0, 1, 5)
        grid.setColumnStretch(4, 1)
        return grid

    def _types(self) -> QGroupBox:
        box = QGroupBox(translate("Variable type"))
        grid = QGridLayout(box)
        grid.setContentsMargins(*_INSIDE)
        grid.setVerticalSpacing(3)
        for i, button in enumerate(self.role_buttons.values()):
            grid.addWidget(button, i % 3, i // 3)
        for i, tick in enumerate((self.categorical, self.numeric, self.sensitive)):
            grid.addWidget(tick, i, 2)
        grid.addWidget(self.key, 2, 1)
        self.use_sentence = QLabel(wordWrap=True)
        muted(self.use_sentence)
        grid.addWidget(self.use_sentence, 3, 0, 1, 3)
        grid.setColumnStretch(1, 1)
        return box

    def _options(self) -> QGroupBox:
        self.options = QGroupBox(translate("Options"))
        grid = QGridLayout(self.options)
        grid.setContentsMargins(*_INSIDE)
        grid.setVerticalSpacing(4)
        add_row(grid, 0, translate("&Identification level"), self.level, 2)
        add_row(grid, 1, translate("Priorit&y for suppression"), self.priority, 1)
        grid.addWidget(self.never, 1, 2)
        grid.addWidget(self.priority.message, 2, 0, 1, 3)
        add_row(grid, 3, translate("&Related to"), self.related, 2)
        grid.addWidget(self.removed, 4, 0, 1, 3)
        grid.setColumnStretch(2, 1)
        return self.options

    def _categories(self) -> QGroupBox:
        box = QGroupBox(translate("Categories"))
        grid = QGridLayout(box)
        grid.setContentsMargins(*_INSIDE)
        grid.setVerticalSpacing(4)
        label = QLabel(translate("Mi&ssings"))
        label.setBuddy(self.missing[0])
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.missing_boxes, 0, 1)
        self.missing_note = QLabel(objectName="missingNote", wordWrap=True)
        muted(self.missing_note)
        grid.addWidget(self.missing_note, 1, 1)
        add_row(grid, 2, translate("Code&list"), self.codelist, 1)
        ticks = QVBoxLayout()
        ticks.addWidget(self.truncable)
        ticks.addWidget(self.ordered)
        ticks.addStretch(1)
        grid.addLayout(ticks, 3, 1)
        return box

    def _connect(self) -> None:
        for edit, name in ((self.name, "name"), (self.label, "label")):
            edit.entered.connect(lambda text, name=name: self.changed.emit({name: text.strip()}))
        for box, name in (
            (self.start, "start"), (self.length, "length"), (self.column, "column"), (self.decimals, "decimals"),
            (self.priority, "suppression_weight"),
        ):  # fmt: skip
            box.chosen.connect(lambda value, name=name: self.changed.emit({name: value}))
        for tick, name in (
            (self.categorical, "categorical"), (self.numeric, "numeric"), (self.sensitive, "sensitive"),
            (self.removed, "removed"), (self.truncable, "truncable"), (self.ordered, "ordered"),
        ):  # fmt: skip
            tick.chosen.connect(lambda value, name=name: self.changed.emit({name: value}))
        self.key.chosen.connect(lambda wanted: self.use_chosen.emit("key", wanted))
        self.never.chosen.connect(lambda value: self.changed.emit({"suppressible": not value}))
        for use, button in self.role_buttons.items():
            button.clicked.connect(lambda _=False, use=use: self._role_chosen(use))
        self.level.activated.connect(lambda level: self.changed.emit({"identification_level": level}))
        self.related.activated.connect(self._related_chosen)
        self.codelist.entered.connect(lambda text: self.changed.emit({"codelist": text}))
        self.missing_boxes.typed.connect(self._missing_typed)

    # Showing -----------------------------------------------------------------------------------------------------

    def show_variables(
        self,
        variables: Sequence[Variable],
        metadata: Metadata,
        folder: Path | None,
        names_are_fixed: bool,
        besides: str = "",
    ) -> None:
        """Show the selected variables of `metadata`; fields of another file format are hidden.

        `besides` is what is missing by the file itself, see `missing_besides`.
        """
        self._variables, self._format, self._folder = tuple(variables), metadata.format, folder
        self._content.setEnabled(bool(variables))
        one = len(variables) == 1
        several = translate("{count} variables").format(count=len(variables))
        self.title.setText((variables[0].name or translate("(no name)")) if one else several)
        self._place_length(metadata.format == "fixed")
        show_all(metadata.format == "fixed", *self._start)
        show_all(metadata.format in ("fixed", "delimited"), *self._length)
        show_all(metadata.format == "delimited" and not metadata.header, *self._column)
        self._say_suppressed(besides)
        self.name.setEnabled(one and not names_are_fixed)
        own = translate("The file's own name of this column: it cannot be changed here.")
        self.name.setToolTip(as_tip(own) if names_are_fixed else "")
        for box in (self.label, self.start, self.column):
            box.setEnabled(one)
        for name in ("name", "label", "start", "length", "column", "decimals"):
            getattr(self, name).show_value(self._common(name))
        if metadata.format != "fixed" and self._common("length") == 0:
            self.length.show_value(None)  # as long as the values are
        self.priority.show_value(self._common("suppression_weight"))
        for name in ("categorical", "numeric", "sensitive", "removed", "truncable"):
            getattr(self, name).show_value(self._common(name))
        ordered = self._common("ordered")
        self.ordered.show_value(ordered if ordered is SEVERAL else bool(ordered))
        suppressible = self._common("suppressible")
        self.never.show_value(suppressible if suppressible is SEVERAL else not suppressible)
        self._show_roles()
        self.key.show_value(common(["key" in _uses_but_for_leaving_out(v) for v in variables] or [False]))
        level = self._common("identification_level")
        self.level.setCurrentIndex(-1 if level is SEVERAL else level)
        self._show_related(metadata)
        self.missing_boxes.show_codes(self._common("missing"))
        codelist = self._common("codelist")
        self.codelist.show_value(codelist)
        self._enable()

    def _place_length(self, is_fixed: bool) -> None:
        """Beside the starting position; where there is none, beside the decimals."""
        for column, widget in enumerate(self._length, 2):
            self._grid.addWidget(widget, 2 if is_fixed else 4, column)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Say what is wrong with the variable shown."""
        self.problem.setText("\n".join(problem.text for problem in problems if problem.severity != "notice"))
        self.problem.setVisible(bool(self.problem.text()))
        self.problem.setStyleSheet(f"color: {theme.scheme.refused};")

    def focus_field(self, field: str) -> None:
        """Go to the box of an attribute, by its name in the recipe."""
        boxes: dict[str, QWidget] = {
            "name": self.name, "start": self.start, "length": self.length, "column": self.column,
            "decimals": self.decimals, "categorical": self.categorical, "numeric": self.numeric,
            "household": self.role_buttons["household"], "identification_level": self.level,
            "suppression_weight": self.priority, "related": self.related, "missing": self.missing[0],
            "codelist": self.codelist.box,
        }  # fmt: skip
        checked = self.roles.checkedButton() or self.role_buttons["keep"]
        box = boxes.get(field, checked if field == "role" else self.name)
        box = box if box.isEnabled() else checked
        self.ensureWidgetVisible(box)
        box.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(box, TextBox | WholeBox):
            box.selectAll()

    @property
    def refused(self) -> str:
        """What is wrong with typing that was not taken; empty where there is none."""
        boxes = (self.start, self.length, self.column, self.decimals, self.priority)
        return next((box.message.text() for box in boxes if box.refused), "")

    def _common(self, name: str) -> Any:
        return common([getattr(variable, name) for variable in self._variables]) if self._variables else SEVERAL

    def _show_roles(self) -> None:
        kinds = [
            next((use for use in _uses_but_for_leaving_out(v) if use in self.role_buttons), "keep")
            for v in self._variables
        ]
        kind = common(kinds) if kinds else SEVERAL
        self.roles.setExclusive(False)
        for use, button in self.role_buttons.items():
            button.setChecked(use == kind)
        self.roles.setExclusive(True)
        sentences = [USE_SENTENCES[use] for use in uses_of(self._variables[0])] if len(self._variables) == 1 else []
        self.use_sentence.setText("\n".join(translate(sentence) for sentence in sentences))
        self.use_sentence.setVisible(bool(sentences))

    def _show_related(self, metadata: Metadata) -> None:
        shown = {variable.name for variable in self._variables}
        names = [v.name for v in metadata.variables if v.name and v.name not in shown]
        related = self._common("related")
        if related not in (None, SEVERAL, *names):
            names.append(related)
        self.related.clear()
        self.related.addItem(translate(_NONE), None)
        for name in names:
            self.related.addItem(name, name)
        place = -1 if related is SEVERAL else self.related.findData(related) if related else 0
        self.related.setCurrentIndex(place)

    def _say_suppressed(self, besides: str) -> None:
        missing, role = self._common("missing"), self._common("role")
        written = missing is not SEVERAL and role not in ("weight", "household-id", "direct-identifier")
        sentences = [missing_sentence(missing)] if written and missing else []
        if besides:
            sentences.append(translate("Missing too, as the file itself says: {codes}.").format(codes=besides))
        self.missing_note.setText("\n".join(sentences))
        self.missing_note.setVisible(bool(self.missing_note.text()))

    def _enable(self) -> None:
        """What makes no sense for the type is disabled, unless it is set and has to be taken back."""
        role = self._common("role")
        categorical = any(variable.categorical for variable in self._variables)
        self.categorical.setEnabled(role not in ("weight", "household-id") or categorical)
        self.numeric.setEnabled(role != "weight")
        for tick in (self.key, self.sensitive):
            tick.setEnabled(role == "other")
        self.decimals.setEnabled(any(v.numeric or v.decimals for v in self._variables))
        self.level.setEnabled((categorical and role == "other") or any(v.identification_level for v in self._variables))
        for box in (self.priority, self.never, self.truncable, self.ordered):
            box.setEnabled(categorical)
        self.codelist.setEnabled(categorical or self._common("codelist") is not None)
        for edit in self.missing:
            edit.setEnabled(role != "weight" or any(variable.missing for variable in self._variables))

    # Editing -----------------------------------------------------------------------------------------------------

    def _role_chosen(self, use: str) -> None:
        if use != "keep":
            self.use_chosen.emit(use, True)
            return
        for role in ("weight", "household-id", "direct-identifier", "household"):
            if any(role in _uses_but_for_leaving_out(variable) for variable in self._variables):
                self.use_chosen.emit(role, False)

    def _related_chosen(self, _place: int) -> None:
        self.changed.emit({"related": self.related.currentData()})

    def _missing_typed(self, missing: tuple[str, ...]) -> None:
        """In a file whose empty fields are missing, no code means these."""
        if not missing and self._format != "fixed":
            missing = ("",)
        self.changed.emit({"missing": missing})


def _uses_but_for_leaving_out(variable: Variable) -> tuple[Use, ...]:
    """What a variable would be, were it not left out: what the form's own boxes show, beside that for leaving out."""
    return uses_of(replace(variable, removed=False))
