"""Undo and redo as a plain list of labels and recipes; no Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.base.texts import language_in_use
from core.recipe.model import Recipe

Label = str | Callable[[], str]
"""What a step is called: a name as it is, or what says it in the language in use; it is asked at once, and twice."""


@dataclass(frozen=True)
class Step:
    """A named state of the session."""

    label: str
    """In the language of the program when it was made."""
    recipe: Recipe
    merge_key: str | None = None
    in_english: str = ""
    """What is kept of the label."""

    @classmethod
    def of(cls, label: Label, recipe: Recipe, merge_key: str | None = None) -> Step:
        """A step whose label is said in the language in use, and in English for what is kept in files."""
        if isinstance(label, str):
            return cls(label, recipe, merge_key, label)
        with language_in_use("en", grouped=False):
            in_english = label()
        return cls(label(), recipe, merge_key, in_english)


class History:
    """The recipes of a session in the order they came to be; `index` is the current one."""

    def __init__(self, label: Label, recipe: Recipe) -> None:
        self.steps: list[Step] = [Step.of(label, recipe)]
        self.index = 0
        self._mergeable = False

    @property
    def recipe(self) -> Recipe:
        """The current recipe."""
        return self.steps[self.index].recipe

    @property
    def can_undo(self) -> bool:
        """Whether there is a previous recipe."""
        return self.index > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a next recipe."""
        return self.index < len(self.steps) - 1

    @property
    def undo_label(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self.steps[self.index].label if self.can_undo else ""

    @property
    def redo_label(self) -> str:
        """What redo would bring again; empty where there is nothing."""
        return self.steps[self.index + 1].label if self.can_redo else ""

    def commit(self, label: Label, recipe: Recipe, merge_key: str | None = None) -> bool:
        """Make `recipe` the current one; False where it is what it was.

        A commit directly after one with the same `merge_key` replaces it, so that dragging a slider to and fro is
        one step. What was undone is forgotten.
        """
        if recipe == self.recipe:
            return False
        del self.steps[self.index + 1 :]
        last = self.steps[-1]
        merges = self._mergeable and merge_key is not None and last.merge_key == merge_key
        if merges:
            self.steps.pop()
        returned = merges and self.steps[-1].recipe == recipe
        if not returned:
            self.steps.append(Step.of(label, recipe, merge_key))
        self.index = len(self.steps) - 1
        self._mergeable = not returned
        return True

    def amend(self, recipe: Recipe) -> bool:
        """Make `recipe` the current one as part of the current step: for what nobody would want to undo by itself.

        False where it is what it was. What was undone stays, as it can still be gone on to.
        """
        if recipe == self.recipe:
            return False
        self.steps[self.index] = replace(self.steps[self.index], recipe=recipe)
        return True

    def jump(self, index: int) -> bool:
        """Make step `index` the current one; False where it is already, or there is no such step."""
        if index == self.index or not 0 <= index < len(self.steps):
            return False
        self.index = index
        self._mergeable = False
        return True

    def end_merging(self) -> None:
        """The next commit is a step of its own, whatever its key (after Save)."""
        self._mergeable = False
