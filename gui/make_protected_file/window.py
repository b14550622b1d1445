"""Make Protected File: choose how values are suppressed, look at the plan, and write exactly that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout

from core.base.errors import PavoError
from core.base.progress import Enough
from core.base.texts import mark, translate
from core.recipe import edits_protection
from core.recipe.changes import Changes
from core.recipe.edits import risk_tables, searches_jointly
from core.recipe.edits_protection import Companion, Protecting
from core.recipe.model import Output, Recipe
from core.suppression.burden import Burden
from gui import dialogs, numbers
from gui.document.document import PROTECT, Document
from gui.document.engine import PROFILE_BROKEN, protect
from gui.document.history import Label
from gui.make_protected_file.checklist import Edit, ReleaseChecklist
from gui.make_protected_file.checks import (
    FilesLook,
    look_at_files,
    may_replace,
    may_write_outside,
    may_write_unprotected,
    note_on_suppression,
    reason_against_protecting,
)
from gui.make_protected_file.draft import ProtectionDraft, commit, planned
from gui.make_protected_file.output_files import OutputFiles
from gui.make_protected_file.output_form import OutputChoices
from gui.make_protected_file.preview import ProtectionPreview
from gui.make_protected_file.suppression_form import ProtectionForecast, SuppressionChoices
from gui.make_protected_file.weights_table import WeightRow
from gui.shared.advice import AskedAdvice
from gui.shared.burden import told_burden
from gui.shared.disk_question import DiskQuestion
from gui.shared.draft_window import FollowingWindow
from gui.shared.in_parts import reason_in_parts
from gui.shared.layout.by_room import ByRoom
from gui.shared.layout.scrolled import scrolled
from gui.shared.parts.buttons import allow, set_role
from gui.shared.parts.guidance import GuidanceCard
from gui.shared.protection_mode import has_households
from gui.shared.released import left_by_choice, stated
from gui.shared.windows import reason_against
from gui.shared.work_row import WorkRow
from gui.texts import as_tip
from gui.theme import scaled, theme
from gui.theme.tokens import GAP

if TYPE_CHECKING:
    from core.release.run import Result
    from core.results.results import Protection
    from core.whatif.before_after import Outcome


_HIGH, _BESIDE = 470, 760
"""Height of the page, in logical pixels, from which modes are cards, and width from which it has two columns."""
_FIGURES = "protection figures"
_PREVIEW_LOST = mark("The preview is still being computed; stop it and lose what it has found?")
_FILE_LOST = mark("The protected file is still being made; stop it, so that no file is written?")


class MakeProtectedFile(FollowingWindow[ProtectionDraft]):
    """Edits a draft of ``[suppression]``, ``[output]`` and suppression weights; every button but Close commits it."""

    name = "makeProtectedFile"
    first = "criterion"
    title = mark("Make Protected File")
    default_size = (1060, 700)
    drop_question = mark("Drop the choices made here?")
    drop_detail = mark("Keep choices, Preview and Make file keep them in the session.")

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(540, 234)
        self.draft = ProtectionDraft(document)
        self._disk: DiskQuestion[FilesLook] = DiskQuestion(self)
        self._disk.answered.connect(self._files_looked_at)
        self._files: FilesLook | None = None
        """What was seen of the files to be written; None while the disk has not answered."""
        self._beside = Output()
        self._previewed: Recipe | None = None
        self._written: Recipe | None = None
        self._not_protected = self._lost = ""
        """Why a written file is not protected, and what is asked before the work under way is stopped."""
        self._enough: Enough | None = None
        """Ends the search under way, which keeps the best; None where none is."""
        self._is_to_make = False
        self._make_columns()
        for step in (
            self._make_choices, self._make_checklist, self._make_preview, self._make_bottom, self._arrange_by_room,
            self._connect, self.load,
        ):  # fmt: skip
            self.later(step)

    def _make_columns(self) -> None:
        """What all stands in, and is put into at once: it then gets its looks part by part."""
        self.guidance = GuidanceCard()
        left, right = QVBoxLayout(), QVBoxLayout()
        for column in (left, right):
            column.setContentsMargins(0, 0, 8, 0)
            column.setSpacing(GAP)
        self._left = scrolled(left, "protectChoicesScroll")
        self._right = scrolled(right, "protectPreviewScroll")
        across = QHBoxLayout()
        across.setSpacing(GAP)
        across.addWidget(self._left, 6)
        across.addWidget(self._right, 5)
        self._left_column, self._right_column, self._preview_column = left, right, self._right.held
        self.content.addWidget(self.guidance)
        self.content.addLayout(across, 1)

    def _make_choices(self) -> None:
        self.suppression = SuppressionChoices()
        self._left_column.insertWidget(0, self.suppression)

    def _make_checklist(self) -> None:
        self.checklist = ReleaseChecklist(self.document)
        self.suppression.below_modes.addWidget(self.checklist)
        self.output = OutputChoices()
        self._left_column.insertWidget(1, self.output)

    def _make_preview(self) -> None:
        self.panel = ProtectionPreview()
        self.files = OutputFiles()
        self._right_column.insertWidget(0, self.panel)
        self._right_column.insertWidget(1, self.files)

    def _make_bottom(self) -> None:
        self.work = WorkRow(self.document)
        self.forecasts = ProtectionForecast(self.document, self)
        self.advice = AskedAdvice(self.document, "protection advice", self)
        self._burden: Burden | None = None
        self.cancel = QPushButton(translate("Ca&ncel"), objectName="cancelPreview")
        self.cancel.setToolTip(translate("End the search; nothing is kept of what it found."))
        self.preview = QPushButton(translate("&Preview"), objectName="preview")
        self.accept_choices = QPushButton(translate("&Keep choices"), objectName="accept")
        self.leave = QPushButton(translate("Cl&ose"), objectName="closeWindow")
        self.make = QPushButton(translate("&Make file"), objectName="makeFile")
        for button in (self.preview, self.accept_choices, self.leave, self.cancel):
            button.setAutoDefault(False)
        self.make.setDefault(True)
        self.content.addLayout(self._bottom())

    def begin_by_keyboard(self) -> None:
        """Work starts with how values are blanked, where any are."""
        super().begin_by_keyboard()
        if self.suppression.modes.isVisibleTo(self):
            self.suppression.modes.take_focus()

    def _bottom(self) -> QHBoxLayout:
        bottom = QHBoxLayout()
        # Those that stop work stand where no button comes when it ends.
        for button in (self.leave, self.accept_choices, self.work.stop, self.cancel):
            bottom.addWidget(button)
        bottom.addWidget(self.work, 1)
        bottom.addStretch(0)
        for button in (self.preview, self.make):
            bottom.addWidget(button)
        return bottom

    def _arrange_by_room(self) -> None:
        """Modes are a box where there is little height; where there is little width, all is one column."""
        room = ByRoom(self)
        room.height(_HIGH, self._set_high)
        room.width(self._two_columns, self._stand_beside)
        room.watch(self._left.held)  # forecasts that come may need more width

    def _set_high(self, is_high: bool) -> None:
        self.suppression.modes.set_compact(not is_high)
        self.guidance.set_low(not is_high)

    def _two_columns(self) -> int:
        """The width in which neither column is narrower than its words."""
        beside = self._left.verticalScrollBar().sizeHint().width() + 8
        parts = (self.suppression, self.output)
        left = max(part.minimumSizeHint().width() for part in parts if not part.isHidden()) + beside
        right = self._preview_column.minimumSizeHint().width() + beside
        return max(scaled(_BESIDE), left + GAP + right)

    def _stand_beside(self, beside: bool) -> None:
        """Let the preview have a column of its own, or stand below the choices."""
        self._left.set_whole(beside)
        if not beside:
            self._left_column.insertWidget(self._left_column.count() - 1, self._right.takeWidget())  # above the stretch
            self._preview_column.show()
        elif self._right.widget() is None:
            self._left_column.removeWidget(self._preview_column)
            self._right.setWidget(self._preview_column)
        self._right.setVisible(beside)

    def _connect(self) -> None:
        self.suppression.changed.connect(lambda chosen: self._change(suppression=chosen))
        self.suppression.weight_entered.connect(self._weigh)
        self.checklist.decided.connect(self._decide)
        self.checklist.changed.connect(lambda: self._show_state(self.draft_recipe))
        self.output.changed.connect(lambda chosen: self._change(output=chosen))
        self.files.path_entered.connect(self._choose_path)
        self.files.companion_chosen.connect(self._choose_companion)
        self.files.details_wanted.connect(lambda: self.open_window("reportDetails"))
        self.panel.shuffle_wanted.connect(self.output.shuffle_now)
        self.panel.numbers_wanted.connect(self.output.number_now)
        self.panel.utility_wanted.connect(lambda: self.open_window("utility"))
        self.forecasts.said.connect(self.suppression.say_forecast)
        self.forecasts.counted.connect(self.suppression.show_costs)
        self.forecasts.priced.connect(self.suppression.show_prices)
        self.forecasts.burdened.connect(self._take_burden)
        self.advice.known.connect(self._say_burden)
        self.suppression.recode_first.clicked.connect(self._recode_first)
        self.preview.clicked.connect(self._start_preview)
        self.accept_choices.clicked.connect(self._accept)
        self.leave.clicked.connect(self.close)
        self.make.clicked.connect(self._start_making)
        self.work.stopped.connect(self._enough_or_cancel)
        self.cancel.clicked.connect(self._stop)
        self.document.progressed.connect(self._show_search)
        self.closed.connect(self.forecasts.stop)
        theme.changed.connect(self._refresh)

    # What the document says --------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """A preview is of the file that was read; what can be chosen may be another."""
        if changes.input:
            self._previewed = self._written = None
            self.panel.clear()
        if self.touched:
            self._refresh()
        super().recipe_changed(changes)

    def concerns(self, changes: Changes) -> bool:
        """Other choices may be in the session, or other ones may be possible."""
        return changes.suppression or changes.output or changes.metadata or changes.input

    def results_changed(self) -> None:
        """Variables, weights and thresholds may be others."""
        if not self.touched:
            self.draft.load()  # what is proposed may depend on the variables
        self._refresh()

    def show_draft(self) -> None:
        """Show the choices as they are now."""
        self._beside = self.draft.value.output
        self._refresh()

    def keep_mine(self) -> None:
        """Go on with the draft over the session as it is now."""
        super().keep_mine()
        self._refresh()

    # The draft ---------------------------------------------------------------------------------------------------

    @property
    def draft_recipe(self) -> Recipe:
        """The session's recipe with the choices of this window."""
        return self.draft.value.on(self.document.recipe)

    def _change(self, **parts: Any) -> None:
        output = parts.get("output", self.draft.value.output)
        self._edit(Protecting(parts.get("suppression", self.draft.value.suppression), output, self.draft.value.weights))

    def _weigh(self, name: str, weight: int) -> None:
        derived = self.document.derived
        if derived is not None and name in derived.metadata:
            self._edit(self.draft.value.with_weight(name, weight, derived.metadata[name].suppression_weight))

    def _choose_path(self, path: Path | None) -> None:
        """Another place for the safe file; who chooses it need not be asked about it."""
        self.document.session.given_outputs.difference_update([path] if path else [])
        self._edit(self.draft.value.with_data(path, self._beside))

    def _choose_companion(self, role: Companion, wanted: bool) -> None:
        draft = self.draft.value.with_companion(role, wanted)
        if draft.output.data is not None:
            self._beside = draft.output
        self._edit(draft)

    def _edit(self, draft: Protecting) -> None:
        self.draft.take(draft)
        self._refresh()

    def _decide(self, label: Label, edit: Edit, merge_key: str) -> None:
        """A decision on a column enters the session at once; choices that are not in it yet stay as they are."""
        touched, output = self.touched, edit(self.draft_recipe).output
        mine = replace(self.draft.value, output=output)
        self.document.commit(label, edit(self.document.recipe), merge_key or None)
        if touched:
            self.draft.take(mine)
            self.keep_mine()

    def _commit(self) -> None:
        """Put the choices into the session, as one undo step."""
        recipe = self.draft_recipe
        self.draft.value = Protecting.of(recipe)
        self.draft.forget()
        self._beside = recipe.output
        self.messages.clear()
        commit(self.document, recipe)
        self._refresh()

    def _accept(self) -> None:
        self._commit()
        self.close()

    def may_close(self) -> bool:
        """A touched draft is dropped, and work under way stopped, only with the user's consent."""
        return self.may_stop() and self.may_drop()

    def may_stop(self) -> bool:
        """Whether nothing is under way here, or the user wants it stopped: then it is."""
        if self.work.running and self._lost:
            answers = [translate("&Stop it"), translate("&Go on with it")]
            if dialogs.ask(self, translate(self._lost), "", answers, 1) != 0:
                return False
        self._stop()
        return True

    # Showing -----------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        recipe, derived = self.draft_recipe, self.document.derived
        criteria = edits_protection.offered_criteria(recipe)
        self.suppression.offer(criteria, bool(risk_tables(recipe)))
        households = has_households(self.document)
        self.suppression.modes.recommend(edits_protection.preferred_mode(recipe, households))
        self.suppression.show_choices(self.draft.value.suppression, self._weights())
        self.suppression.say_note(note_on_suppression(recipe, len(criteria)))
        risk = derived is not None and bool(derived.risk_tables)
        self.output.offer(
            households, risk, reason_in_parts(self.document, translate("A random order of the records"), "order")
        )
        self.output.show_choices(self.draft.value.output)
        self.files.show_output(self.draft.value.output, self.draft.folder())
        self.checklist.show_for(recipe)
        self._show_state(recipe)
        self.forecasts.ask(recipe, None if reason_against_protecting(self.document, recipe)[0] else derived)

    def _weights(self) -> list[WeightRow]:
        derived, chosen = self.document.derived, dict(self.draft.value.weights)
        if derived is None:
            return []
        from core.whatif.before_after import suppressible_variables

        return [
            WeightRow(v.name, chosen.get(v.name, v.suppression_weight), not v.suppressible)
            for v in (derived.metadata[name] for name in suppressible_variables(derived))
        ]

    def _show_state(self, recipe: Recipe) -> None:
        document = self.document
        metadata = None if document.derived is None else document.derived.metadata
        inputs = document.session.path, document.session.inputs(), self.draft.own_folders()
        self._files = self._disk.ask(partial(look_at_files, metadata, recipe, *inputs))
        self._say_state(recipe)

    def _files_looked_at(self, found: FilesLook) -> None:
        """What is wrong with the files was late: a folder of theirs is slow."""
        if found.recipe == self.draft_recipe:
            self._files = found
            self._say_state(found.recipe)

    @property
    def _outside_now(self) -> Mapping[Path, Path]:
        """The files to be written outside the session's folder, as far as the disk has answered."""
        return {} if self._files is None else self._files.outside

    @property
    def _said_of_files(self) -> tuple[str, str]:
        """The problem with the files to be written, and what is to be known of them."""
        if self._files is None:
            return translate(mark("Looking whether the files can be written there…")), ""
        return self._files.problem, self._files.note

    def _say_state(self, recipe: Recipe) -> None:
        document, running = self.document, self.work.running
        reason, window = reason_against_protecting(document, recipe)
        problem, note = self._said_of_files
        if self.draft.value.output.data is None:
            problem = translate("Say where the safe file goes.")
        self.files.say(problem or note, refused=bool(problem) and self._files is not None)
        outside = self._outside_now
        self.files.mark_outside(outside, not document.session.given_outputs.isdisjoint(outside))
        for part in (self.suppression, self.output, self.files):
            part.setEnabled(not running)
        self.preview.setEnabled(not running and not reason)
        self.make.setEnabled(not running and not reason and not problem)
        for button in (self.preview, self.make):
            button.setToolTip(as_tip(reason or problem))
        why = (translate("Being computed…") if running else "") or reason or problem
        if not why and recipe == self.document.recipe:
            why = translate("Nothing is changed.")
        kept = translate("Keep these choices in the session, and close. Nothing is written.")
        allow(self.accept_choices, why, kept)
        self._guide("" if running else reason, window)
        self._fill_one()
        self.work.setVisible(running)
        self.work.stop.setVisible(running)
        self.cancel.setVisible(running and self._enough is not None)
        self._show_whether_current(recipe)

    def _fill_one(self) -> None:
        """*Make file* is the filled button where the guidance has none."""
        is_next = self.guidance.isHidden() or self.guidance.main.isHidden()
        if self.make.isDefault() != is_next:
            self.make.setDefault(is_next)
            self.guidance.main.setDefault(not is_next)
            set_role(self.make, "filled" if is_next else "plain")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter makes the file wherever that can be done, whatever the guidance leads to."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and held == Qt.KeyboardModifier.ControlModifier
        if enter and self.make.isEnabled():
            self.make.click()
        else:
            super().keyPressEvent(event)

    def _guide(self, reason: str, window: str) -> None:
        """Say why nothing can be planned, or what nobody has judged yet, and lead to what helps."""
        if not reason and not self.work.running and self.checklist.undecided and self.draft_recipe.combinations:
            decide = translate("Decide on {name}").format(name=self.checklist.undecided[0]), self.checklist.go_to_next
            told = translate("A file made without that says so at the head of its report.")
            self.guidance.show_guidance(self.checklist.finding(), told, decide)
            return
        steps = {"riskChart": translate("Open Risk Chart"), "selectCombinations": translate("Select Combinations")}
        helps = (steps[window], lambda: self.open_window(window)) if window else None
        self.guidance.show_guidance(reason, translate("Then the file can be made.") if helps else "", helps)

    def _take_burden(self, found: Burden | None) -> None:
        """Say that much of the file would be lost, and ask what would help."""
        self._burden = found
        if found is not None:
            tables = risk_tables(self.document.recipe)
            index = next((i for i in tables if found.variable in self.document.recipe.combinations[i].variables), None)
            if index is not None:
                self.advice.ask(index)
        self._say_burden()

    def _say_burden(self) -> None:
        found, name = self._burden, ""
        if found is None:
            self.suppression.say_burden("")
            return
        text = told_burden(found)
        best = self.advice.advice.candidates[:1] if self.advice.is_true and self.advice.advice is not None else ()
        for candidate in best:
            name = candidate.variable
            text += " " + translate("Recode first: {way}.").format(way=self.advice.sentence().removesuffix("."))
        self.suppression.say_burden(text, name or found.variable)

    def _recode_first(self) -> None:
        best = self.advice.advice.candidates[:1] if self.advice.is_true and self.advice.advice is not None else ()
        name = best[0].variable if best else self._burden.variable if self._burden is not None else ""
        self.open_window("globalRecode", variable=name)

    def _show_whether_current(self, recipe: Recipe) -> None:
        shown = self._previewed
        outdated = self.panel.filled and (shown is None or planned(recipe) != planned(shown))
        self.panel.set_outdated(outdated)
        if self.work.running:
            self.panel.say_state(translate("Being computed…"))
        elif outdated:
            self.panel.say_state(translate("The choices changed since: preview again."), "attention")
        elif not self._is_written(recipe):
            self.panel.say_state(translate("Preview: nothing is written yet."))
        elif not recipe.combinations:
            self.panel.say_state(translate("Written as an unprotected copy: no risk was measured."), "attention")
        elif not_protected := left_by_choice(self.document):
            left = translate("Written, but not protected: {left}").format(left=not_protected)
            self.panel.say_state(left, "attention")
        else:
            found, told = stated(self.document), translate("Written, read back and verified.")
            agrees = found is None or found.tone == "good"
            self.panel.say_state(f"{told} {found.headline}" if found else told, "check" if agrees else "attention")

    def _is_written(self, recipe: Recipe) -> bool:
        """Whether the file of this recipe was made, here or before this page was opened."""
        session = self.document.session
        return recipe == self._written or (session.released_is_current and recipe == session.recipe)

    # Preview and make --------------------------------------------------------------------------------------------

    def _start_preview(self) -> None:
        self._commit()
        recipe = self.document.recipe
        self._enough = Enough() if searches_jointly(recipe) else None
        self._begin(translate("Looking for the values to suppress…"), _PREVIEW_LOST)
        if self._enough is not None:
            self.work.stop.setToolTip(translate("End the search; the best that it has found is kept."))

        def done(protection: Protection) -> None:
            self._plan_found(protection, recipe)

        self.document.ask(
            PROTECT, protect, recipe, self._enough, done=done, failed=self._failed, cancelled=self._cancelled
        )

    def _plan_found(self, protection: Protection, asked: Recipe) -> None:
        """Show it; what the search has reached enters the session, so that the same recipe gives the same plan."""
        reached = protection.derived.recipe.suppression
        if reached != asked.suppression and self.document.recipe is asked:
            recipe = asked.with_(suppression=reached)
            self.draft.value = Protecting.of(recipe)
            self.document.commit(
                lambda: translate("Search ended at effort {effort}").format(
                    effort=numbers.format_count(reached.effort)
                ),
                recipe,
            )
            if reached != replace(asked.suppression, time_limit=None):
                text = translate("The search was ended; the best that it found is kept. Effort {effort}, which it"
                                 " reached, stands in the session and gives the same file again.")  # fmt: skip
                self.messages.show_text(text.format(effort=numbers.format_count(reached.effort)))
        if self._is_to_make:
            self._end()
            self._make_now()
        else:
            self._show_plan(protection, written=False)

    def _show_plan(self, protection: Protection, written: bool) -> None:
        from core.whatif.before_after import outcome

        def done(found: Outcome) -> None:
            self.panel.show_plan(protection, found)
            self._previewed = protection.derived.recipe
            self._written = self._previewed if written else self._written
            self._end()

        self.document.compute(_FIGURES, outcome, protection, done=done, failed=self._failed, cancelled=self._cancelled)

    def _start_making(self) -> None:
        recipe = self.draft_recipe
        if not (recipe.combinations or may_write_unprotected(self)):
            return
        outside = self._outside_now
        if not may_write_outside(self, outside) or not may_replace(self, recipe):
            return
        if recipe.suppression.time_limit is not None:  # a file is made by effort, which a preview finds out
            self._is_to_make = True
            self._start_preview()
            return
        self._commit()
        self._make_now()

    def _make_now(self) -> None:
        self._is_to_make = False
        self._begin(translate("Making the protected file…"), _FILE_LOST)
        self._written = None
        self.document.make_protected_file(self._made, self._making_failed, self._cancelled)

    def _made(self, result: Result) -> None:
        recipe, self._lost = result.derived.recipe, ""
        self.forecasts.stop()  # what the choices would cost is known now
        self._not_protected = left_by_choice(self.document)
        file = recipe.output.data.name if recipe.output.data is not None else ""
        report = (translate("View Report"), lambda: self.open_window("report"))
        if not recipe.combinations:
            sentence = translate("{file} is an unprotected copy: no key variables are chosen, nothing was measured.")
            keys = (translate("Choose key variables"), lambda: self.open_window("selectCombinations"))
            self.messages.show_text(sentence.format(file=file), [keys, report])
        elif self._not_protected:
            sentence = translate("{file} is written, but it is no protected file. {left}")
            self.messages.show_text(sentence.format(file=file, left=self._not_protected), [report])
        else:
            sentence = translate("The protected file {file} is written and verified.")
            browse = (translate("Browse Safe File"), lambda: self.open_window("browseSafeFile"))
            offers = [report] if reason_against("browseSafeFile", self.document) else [report, browse]
            found = result.stated()
            told = f"{sentence.format(file=file)} {found.headline}" if found else sentence.format(file=file)
            show = self.messages.show_good if found is None or found.tone == "good" else self.messages.show_text
            show(told, offers)
        if result.left:
            told = " ".join([self.messages.text, *(notice.text for notice in result.left)])
            self.messages.show_text(told, [report])
        if result.protection is not None:
            self._show_plan(result.protection, written=True)
        if recipe.combinations:
            self.go_on()

    def _begin(self, text: str, lost: str) -> None:
        self._lost = lost
        self.forecasts.give_way()
        self.messages.clear()
        self.work.begin(text)
        self._show_state(self.draft_recipe)

    def _end(self) -> None:
        self.work.end()
        self.work.stop.setToolTip("")
        self._enough = None
        self._show_state(self.draft_recipe)

    def _failed(self, error: PavoError) -> None:
        self._is_to_make = False
        self._end()
        rules = (translate("Look at the &rules"), lambda: self.open_window("profileCheck"))
        self.messages.show_error(error, [rules] if error.id == PROFILE_BROKEN else ())

    def _making_failed(self, error: PavoError) -> None:
        self._failed(error)
        if self.panel.filled:
            self.panel.say_state(translate("Not written: what is wrong stands below."), "attention")

    def _cancelled(self) -> None:
        self._is_to_make = False
        self._end()
        self.messages.show_text(translate("Stopped. Nothing was written."))

    def _show_search(self, _fraction: float, text: str) -> None:
        """What a search has found so far, where there is room for it."""
        if self._enough is not None and text:
            self.panel.say_state(translate("{text}. Stop keeps the best, Cancel nothing.").format(text=text))

    def _enough_or_cancel(self) -> None:
        """A search keeps the best that it has found; other work leaves everything as it was."""
        if self._enough is None:
            self._stop()
            return
        self._enough.said = True
        self.work.stop.setEnabled(False)

    def _stop(self) -> None:
        if self.work.running:
            self._lost = ""
            for slot in (PROTECT, _FIGURES):
                self.document.tasks.cancel(slot)
