"""A stand-in for the receiving end of a pipe, as it behaves on Windows once the other end is gone."""

from __future__ import annotations

from typing import Any


class PipeOfWindows:
    """Gives what was sent; then `poll` raises an error, where other systems let `recv` raise EOFError."""

    def __init__(self, *sent: Any) -> None:
        self._sent = list(sent)
        self.closed = False

    def poll(self, _seconds: float = 0.0) -> bool:
        if self._sent:
            return True
        raise BrokenPipeError(109, "The pipe has been ended")

    def recv(self) -> Any:
        if self._sent:
            return self._sent.pop(0)
        raise EOFError

    def send(self, _value: Any) -> None:
        pass

    send_bytes = send

    def close(self) -> None:
        self.closed = True
