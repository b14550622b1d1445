"""The life of a draft against a plain model: what the session says, what the user made of it, what a crash leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.base.errors import RecipeError
from core.recipe.model import Recipe, Report
from gui.document.document import Document
from gui.document.draft import SessionDraft
from gui.document.drafts import WindowDraft
from gui.document.session_state import SessionState

titles = st.sampled_from("abc")


@dataclass
class Open:
    """As much of a document as a draft looks at."""

    recipe: Recipe
    session: SessionState = field(default_factory=SessionState.empty)


class Title(WindowDraft[str]):
    """The title of the report."""

    name = "title"

    def said(self, recipe: Recipe) -> str:
        return recipe.report.title

    def to_plain(self) -> list[str]:
        return [self.value]

    def from_plain(self, plain: Any) -> str:
        if len(plain) != 1:
            raise RecipeError("unreadable", "unreadable")
        return str(plain[0])


def called(title: str) -> Recipe:
    return Recipe(report=Report(title=title))


class Life(RuleBasedStateMachine):
    """One window with a draft, a session that others change, and crashes."""

    def __init__(self) -> None:
        super().__init__()
        self.open = Open(called("a"))
        self.draft = self.window()
        self.over = self.mine = "a"
        self.applied = ""
        """What was put into the session last, while nothing else was done since."""

    def window(self) -> Title:
        made = Title(cast(Document, self.open))
        made.load()
        return made

    @rule(title=titles)
    def type(self, title: str) -> None:
        self.draft.take(title)
        self.mine, self.applied = title, ""

    @rule(title=titles)
    def change_the_session(self, title: str) -> None:
        """As `FollowingWindow.recipe_changed`: an untouched draft follows."""
        self.open.recipe = called(title)
        if not self.draft.touched:
            self.draft.load()
            self.over = self.mine = title
        self.applied = ""

    @rule()
    def reload(self) -> None:
        self.draft.forget()
        self.draft.load()
        self.over = self.mine = self.open.recipe.report.title

    @rule()
    def keep_mine(self) -> None:
        self.draft.hold()
        self.draft.keep_mine()
        self.over = self.open.recipe.report.title

    @precondition(lambda self: self.draft.touched)
    @rule()
    def apply(self) -> None:
        self.before = self.open.recipe
        self.draft.forget()
        self.open.recipe = called(self.draft.value)
        self.over = self.applied = self.mine

    @precondition(lambda self: self.applied and self.before.report.title != self.applied)
    @rule()
    def stop_what_was_applied(self) -> None:
        """The session goes back; what was applied is a touched draft again."""
        given_up, self.open.recipe = self.open.recipe, self.before
        assert self.draft.take_back(given_up)
        self.over, self.applied = self.before.report.title, ""

    @rule(title=titles)
    def give_up_what_is_of_others(self, title: str) -> None:
        if self.draft.touched or title != self.over:
            assert not self.draft.take_back(called(title))

    @rule()
    def crash(self) -> None:
        """What was over another title than the session has now is over that one: the window asks no more."""
        self.draft = self.window()
        touched, self.over = self.mine != self.over, self.open.recipe.report.title
        self.mine = self.mine if touched else self.over
        self.applied = ""

    @invariant()
    def it_is_as_the_model_says(self) -> None:
        assert (self.draft.base, self.draft.value) == (self.over, self.mine)
        assert self.draft.touched == (self.mine != self.over)
        assert self.draft.overtaken == (self.over != self.open.recipe.report.title)
        assert not self.draft.held

    @invariant()
    def what_is_touched_is_kept(self) -> None:
        assert self.open.session.drafts == ({"title": [self.mine]} if self.mine != self.over else {})


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)


def test_kept_input_that_cannot_be_read_is_dropped() -> None:
    document = Open(called("a"))
    document.session.keep_draft("title", ["b", "c"])
    draft = Title(cast(Document, document))
    draft.load()
    assert (draft.value, draft.touched, document.session.drafts) == ("a", False, {})


@pytest.mark.parametrize("answer", ["keep_over", "forget"])
def test_a_held_draft_is_free_once_the_user_has_said(answer: str) -> None:
    draft: SessionDraft[str] = SessionDraft()
    draft.begin("theirs", "mine")
    draft.hold()
    assert draft.held and draft.touched
    if answer == "keep_over":
        draft.keep_over("theirs now")
    else:
        draft.forget()
    assert (draft.held, draft.touched, draft.value) == (False, answer == "keep_over", "mine")
