"""What windows with unfinished input have in common: how it meets a session that changes, and how it is dropped."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from core.base.texts import mark, translate
from core.recipe.changes import Changes
from gui import dialogs
from gui.document.draft import Unfinished
from gui.document.drafts import WindowDraft
from gui.shared.tool_window import ToolWindow

SESSION_CHANGED = mark("The session changed.")
NOT_APPLIED = mark("The calculation was stopped. Your changes are kept here, but they are not applied.")
D = TypeVar("D", bound=WindowDraft[Any])


class DraftWindow(ToolWindow):
    """A window that edits a draft, or several; what commits them is the window's own affair."""

    drop_question: ClassVar[str] = ""
    """Asked before a touched draft is dropped."""
    drop_detail: ClassVar[str] = ""

    @property
    def touched(self) -> bool:
        """Whether there is anything that the session does not say."""
        return self.unfinished.touched

    @property
    def asks_which(self) -> bool:
        """Whether the user was asked whether the session or the draft is wanted, and has not said yet."""
        return self.messages.text == translate(SESSION_CHANGED)

    # For subclasses ----------------------------------------------------------------------------------------------

    @property
    def unfinished(self) -> Unfinished:
        """What is dropped with the user's consent."""
        raise NotImplementedError

    def load(self) -> None:
        """Show what the session says, with what was left unfinished where something was."""
        raise NotImplementedError

    def keep_mine(self) -> None:
        """Go on with the draft over the session as it is now."""
        raise NotImplementedError

    def drop_said(self) -> str:
        """What is added to the question whether a draft shall be dropped."""
        return translate(self.drop_detail)

    # The draft and the session -----------------------------------------------------------------------------------

    def clear_error(self) -> None:
        """An error is over; that the draft is not applied stays said."""
        if self.messages.text != translate(NOT_APPLIED):
            super().clear_error()

    def ask_which(self, text: str = SESSION_CHANGED) -> None:
        """Ask which it shall be: what the session says, or the draft."""
        offers = [(translate("Reload"), self.reload), (translate("Keep mine"), self.keep_mine)]
        self.messages.show_text(translate(text), offers)

    def reload(self) -> None:
        """Give the draft up for what the session says."""
        self.unfinished.forget()
        self.load()

    def may_drop(self) -> bool:
        """Whether there is nothing unfinished, or the user wants it dropped: then it is."""
        if not self.touched:
            return True
        answers = [translate("&Drop"), translate("Keep &editing")]
        dropped = dialogs.ask(self, translate(self.drop_question), self.drop_said(), answers, 1) == 0
        if dropped:
            self.unfinished.forget()
        return dropped

    def give_up(self) -> None:
        """Escape drops the draft, with the user's consent."""
        touched = self.touched
        if self.may_close() and touched:
            self.reload()

    def may_close(self) -> bool:
        """A touched draft is dropped only with the user's consent."""
        return self.may_drop()


class FollowingWindow(DraftWindow, Generic[D]):
    """A window that edits one part of the recipe.

    An untouched draft follows the session. A touched one stays, and the user says which of the two it shall be.
    """

    draft: D

    # For subclasses ----------------------------------------------------------------------------------------------

    def concerns(self, changes: Changes) -> bool:
        """Whether the user has to be asked what becomes of a touched draft."""
        raise NotImplementedError

    def show_draft(self) -> None:
        """Show the draft as it is now, which may be another one."""
        raise NotImplementedError

    # The draft and the session -----------------------------------------------------------------------------------

    @property
    def unfinished(self) -> Unfinished:
        """The draft."""
        return self.draft

    def recipe_changed(self, changes: Any) -> None:
        """An untouched draft follows; a touched one stays until the user says which."""
        given_up = self.document.given_up
        if given_up is not None and self.draft.take_back(given_up):
            self.load()
            self.messages.show_text(translate(NOT_APPLIED))
        elif not self.touched or changes == Changes.all():  # the latter: another session
            self.load()
        elif self.concerns(changes):
            self.ask_which()

    def load(self) -> None:
        """Show what the session says, with what was left unfinished where something was."""
        self.messages.clear()
        self.draft.load()
        self.show_draft()

    def keep_mine(self) -> None:
        """Go on with the draft over the session as it is now."""
        self.draft.keep_mine()
        self.messages.clear()
