"""The life of a draft: what the user makes of a part of the session, while the session may become another."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Unfinished(Protocol):
    """What one draft and several drafts of a window alike can be asked and told."""

    @property
    def touched(self) -> bool:
        """Whether there is anything that the session does not say."""

    def forget(self) -> None:
        """What is here is in the session now, or is given up: nothing is kept against a crash."""


class SessionDraft(Generic[T]):
    """A value of the session under edit.

    It is untouched from `begin` until `take` makes it another one, and again after `forget`. An untouched one follows
    a session that changes: it begins anew. A touched one stays; while the user has not said which of the two it shall
    be, it may be held, and either begins anew or stays over what the session says now (`keep_over`).

    Attributes
    ----------
    base : what the session said when the draft began, or what it was kept over
    value : what the user makes of that
    held : whether nothing of it goes into the session until the user says which of the two it shall be
    """

    base: T
    value: T
    held = False

    @property
    def touched(self) -> bool:
        """Whether the value differs from what the session said."""
        return bool(self.value != self.base)

    def begin(self, base: T, value: T | None = None) -> None:
        """Begin from what the session says, with what was left unfinished where something was."""
        self.base, self.value = base, base if value is None else value
        self.remember()

    def take(self, value: T) -> None:
        """The user made this of it."""
        self.value = value
        self.remember()

    def hold(self) -> None:
        """The session says another thing now: let nothing into it until the user says which it shall be."""
        self.held = True

    def keep_over(self, base: T) -> None:
        """The draft is wanted over what the session says now."""
        self.base, self.held = base, False
        self.remember()

    def forget(self) -> None:
        """What is here is in the session now, or is given up."""
        self.base, self.held = self.value, False

    def remember(self) -> None:
        """Keep against a crash what is touched; a subclass whose draft is kept says how."""
