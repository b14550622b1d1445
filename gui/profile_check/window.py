"""Check against a Profile: whether the safe file keeps an office's rules, and the records behind those it breaks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QPushButton

from core.base.errors import PavoError
from core.base.texts import mark, plural, shown, translate
from core.recipe.model import ProfileFile, Recipe
from gui import dialogs, numbers
from gui.document.document import Document
from gui.document.engine import offered_profiles, profile_checked
from gui.shared.parts.buttons import allow
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.tool_window import ToolWindow
from gui.shared.wheel import ComboBox
from gui.shared.work_row import WorkRow
from gui.theme import muted

if TYPE_CHECKING:
    from core.profiles.judge import JudgedProfile, JudgedRule
    from core.profiles.model import ReleaseProfile

_CHECK = "profile check"
_OFFER = "profiles offered"
_FILES = mark("Release profiles (*.toml);;All files (*)")


class ProfileCheck(ToolWindow):
    """`profileChoice`, `profileFile`, `profileOfSession`; `profileRules`, `profileRecords`, `profileCheckNow`."""

    name = "profileCheck"
    title = mark("Check against a Profile")
    first = "profileChoice"
    default_size = (860, 560)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(460, 320)
        self._profiles: dict[Path, ReleaseProfile] = {}
        self._judged: JudgedProfile | None = None
        self._judged_for: Recipe | None = None
        self._make_controls()
        self._lay_out()
        self._connect()
        self._say_what_comes()
        self._offer(document.recipe.profile.file)

    # Building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.choice = ComboBox(objectName="profileChoice")
        self.choice.setAccessibleName(translate("Profile"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(24)
        self.file = QPushButton(translate("&Own File…"), objectName="profileFile")
        self.file.setToolTip(translate("A profile of your office: a text file with its rules"))
        self.description = QLabel(objectName="profileDescription", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        muted(self.description)
        self.of_session = QCheckBox(translate("&Write no file that breaks it"), objectName="profileOfSession")
        self.of_session.setToolTip(
            translate("The session names the profile: a safe file is written only where every rule holds")
        )
        self.rules = DataTable("profileRules", translate("Rules"))
        self.rules.wrap(1)
        self.rules.stretch(1)
        self.told = QLabel(objectName="profileTold", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.told.setToolTip(
            translate("What is in the way of the rule: variables with the number of records, or columns")
        )
        muted(self.told)
        self.records = QPushButton(translate("&Show Records"), objectName="profileRecords")
        self.records.setToolTip(translate("The records behind the rule, in Browse Data"))
        self.summary = QLabel(objectName="profileSummary", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.work = WorkRow(self.document, "profileWork")
        self.check = QPushButton(translate("&Check"), objectName="profileCheckNow")
        self.check.setDefault(True)

    def _lay_out(self) -> None:
        label = QLabel(translate("&Profile"))
        label.setBuddy(self.choice)
        top = QHBoxLayout()
        top.addWidget(label)
        top.addWidget(self.choice, 1)
        top.addWidget(self.file)
        bottom = QHBoxLayout()
        bottom.addWidget(self.summary, 1)
        bottom.addWidget(self.work, 1)
        for button in (self.work.stop, self.records, self.check):
            bottom.addWidget(button)
        self.content.addLayout(top)
        self.content.addWidget(self.description)
        self.content.addWidget(self.of_session)
        self.content.addWidget(self.rules, 1)
        self.content.addWidget(self.told)
        self.content.addLayout(bottom)

    def _connect(self) -> None:
        self.choice.activated.connect(lambda _index: self._chosen())
        self.file.clicked.connect(self._choose_file)
        self.of_session.clicked.connect(lambda _on: self._keep())
        self.check.clicked.connect(self._check)
        self.records.clicked.connect(self._show_records)
        self.rules.activated.connect(lambda _key: self._show_records())
        self.rules.current_changed.connect(lambda _key: self._allow())
        self.work.stopped.connect(lambda: self.document.tasks.cancel(_CHECK))
        self.closed.connect(lambda _name: self._drop())
        self.greyed(self.rules, self.told, self.summary)

    # What the document says --------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """Another profile may be the session's; another file was not checked."""
        if changes.input:
            self._forget()
        if changes.profile:
            self._offer(self.document.recipe.profile.file or self.choice.currentData())
        self._allow()

    def results_changed(self) -> None:
        """What can be checked may have changed."""
        if self._judged is None and not self.work.running:
            self._say_what_comes()
        self._allow()

    def is_stale(self) -> bool:
        """The rules were judged for one recipe; which profile it names is of no matter."""
        judged = self._judged_for
        return judged is not None and _apart_from_profile(judged) != _apart_from_profile(self.document.recipe)

    def is_updating(self) -> bool:
        """They are judged again where the user asks for it."""
        return False

    # Which profile -----------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> Path | None:
        """The file of the chosen profile; None before any is there."""
        path: Path | None = self.choice.currentData()
        return path

    def _offer(self, wanted: Path | None) -> None:
        """Read the profiles that there are, in the compute thread, and choose the one wanted."""
        others = [path for path in (*self._profiles, wanted) if path is not None]

        def failed(error: PavoError) -> None:
            self.show_error(error)
            if wanted is not None:
                self._offer(None)

        self.document.compute(
            _OFFER, offered_profiles, others, done=lambda found: self._fill(found, wanted), failed=failed
        )

    def _fill(self, found: tuple[dict[Path, ReleaseProfile], dict[Path, Path]], wanted: Path | None) -> None:
        """Offer the profiles found; a path of a profile that comes with the program may say another folder."""
        before = self.chosen
        self._profiles, places = found
        self.choice.clear()
        for path, profile in self._profiles.items():
            self.choice.addItem(shown(profile.name), path)
        offered, now = list(self._profiles), before if wanted is None else places.get(wanted, wanted)
        self.choice.setCurrentIndex(offered.index(now) if now in offered else 0)
        if self.chosen != before:
            self._forget()
        self._describe()

    def _choose_file(self) -> None:
        path = dialogs.open_file(self, translate("Release profile"), translate(_FILES))
        if path is not None:
            self.clear_error()
            self._offer(path)

    def _chosen(self) -> None:
        self.clear_error()
        self._forget()
        self._describe()
        if self.document.recipe.profile.file is not None:
            self._keep()

    def _keep(self) -> None:
        """Name the chosen profile in the recipe, or none any more."""
        on, path = self.of_session.isChecked(), self.chosen
        file = ProfileFile(path if on else None)
        label = mark("Keep to a profile") if on else mark("Keep to no profile")
        self.document.commit(
            lambda: translate(label), self.document.recipe.with_(profile=file), merge_key="profile" if on else None
        )
        self._describe()

    def _describe(self) -> None:
        profile = self._profiles.get(self.chosen) if self.chosen is not None else None
        parts = [] if profile is None else [shown(profile.description), profile.source and _source(profile.source)]
        self.description.setText("\n".join(filter(None, parts)))
        self.description.setVisible(bool(self.description.text()))
        self.of_session.setChecked(self.document.recipe.profile.file is not None)
        self._allow()

    # The check ---------------------------------------------------------------------------------------------------

    def _check(self) -> None:
        if self.chosen is None or not self.check.isEnabled():
            return
        self.clear_error()
        self.work.begin(translate("Checking the rules of the profile"))
        recipe, path = self.document.recipe, self.chosen
        self.document.ask(
            _CHECK, profile_checked, recipe, path, done=lambda judged: self._done(judged, recipe),
            failed=self._failed, cancelled=self._cancelled,
        )  # fmt: skip
        self._allow()

    def _done(self, judged: JudgedProfile, recipe: Recipe) -> None:
        self.work.end()
        self._judged, self._judged_for = judged, recipe
        self._fill_rules(judged)
        self._grey()
        self._allow()

    def _failed(self, error: PavoError) -> None:
        self.work.end()
        self.show_error(error)
        self._allow()

    def _cancelled(self) -> None:
        self.work.end()
        self.messages.show_text(translate("The check was stopped."), [(translate("Check again"), self._check)])
        self._allow()

    def _drop(self) -> None:
        for slot in (_CHECK, _OFFER):
            self.document.tasks.drop(slot)

    def _fill_rules(self, judged: JudgedProfile) -> None:
        rules = judged.rules
        yes, no = translate("yes"), translate("no")
        self.rules.set_columns([
            Column(translate("No."), list(range(1, len(rules) + 1)), number=True),
            Column(translate("Rule"), [rule.words for rule in rules]),
            Column(translate("Holds"), [rule.found.holds for rule in rules], lambda holds: yes if holds else no,
                   emphasis=lambda holds: not holds),
            Column(translate("Records"), [rule.found.records for rule in rules], numbers.format_count, number=True,
                   tooltip=translate("Records behind a rule that does not hold")),
        ])  # fmt: skip
        broken = [number for number, rule in enumerate(rules, 1) if not rule.found.holds]
        self.rules.select(broken[0] if broken else 1)
        told = plural(
            len(broken),
            "{broken} of {rules} rules does not hold.",
            "{broken} of {rules} rules do not hold.",
        )
        said = translate(told) if broken else translate("All {rules} rules hold.")
        self.summary.setText(said.format(broken=len(broken), rules=len(rules)))

    def _forget(self) -> None:
        self.document.tasks.drop(_CHECK)
        self.work.end()
        self._judged = self._judged_for = None
        self.summary.clear()
        self._say_what_comes()
        self._allow()

    def _say_what_comes(self) -> None:
        text = translate("Each rule will be here, whether the safe file that the session makes keeps it, and the "
                         "records behind those that it breaks. Nothing is written.")  # fmt: skip
        if self.document.recipe.combinations:
            self.rules.show_empty(text, translate("Check"), self.check.click)
            return
        no_keys = translate("Rules will be here once combinations of key variables are chosen.")
        self.rules.show_empty(
            no_keys, translate("Select Combinations…"), lambda: self.open_window("selectCombinations")
        )

    def _allow(self) -> None:
        running = self.work.running
        ready = (
            self.chosen is not None and self.document.derived is not None and bool(self.document.recipe.combinations)
        )
        wait = translate("Computing…") if running or self.document.recipe.combinations else ""
        keys = translate("Rules will be here once combinations of key variables are chosen.")
        allow(self.check, "" if ready and not running else wait or keys)
        self.of_session.setEnabled(self.chosen is not None)
        self.work.setVisible(running)
        self.work.stop.setVisible(running)
        self.summary.setVisible(not running)
        self._explain(running)

    def _explain(self, running: bool) -> None:
        """What is in the way of the current rule, and whether records can be shown."""
        rule = self._rule()
        told = rule.found.told if rule is not None and not running else ""
        self.told.setText(translate("In the way of rule {n}: {told}").format(n=self.rules.current_key, told=told))
        self.told.setVisible(bool(told))
        flagged = rule is not None and rule.found.flagged is not None
        self.records.setEnabled(flagged and not running and not self.is_stale())

    # The records behind ------------------------------------------------------------------------------------------

    def _rule(self) -> JudgedRule | None:
        """The rule in the current row."""
        key = self.rules.current_key
        return None if self._judged is None or key is None else self._judged.rules[key - 1]

    def _show_records(self) -> None:
        rule = self._rule()
        if rule is not None and self.records.isEnabled():
            self.open_window("browseData", only=rule.found.flagged, told=rule.words)


def _apart_from_profile(recipe: Recipe) -> Recipe:
    return replace(recipe, profile=ProfileFile())


def _source(source: str) -> str:
    return translate("Source: {source}").format(source=source)
