"""Work that waits until it is let go."""

from __future__ import annotations

import threading
from typing import Any

import pytest


class Held:
    """Holds a function that takes progress until told, or until it is cancelled.

    Given a `question`, only where that is the first argument, as of those that core's session is asked.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, question: Any = None) -> None:
        self.go, self.begun, real = threading.Event(), threading.Event(), getattr(owner, name)

        def held(*args: Any, **kwargs: Any) -> Any:
            if question is not None and args[0] != question:
                return real(*args, **kwargs)
            self.begun.set()
            while not self.go.wait(0.005):
                kwargs["progress"].check()
            return real(*args, **kwargs)

        monkeypatch.setattr(owner, name, held)
