"""Standard output whose reader has seen enough."""

from __future__ import annotations

import errno
from types import SimpleNamespace

import pytest

from core.base import streams


class Closed:
    """A stream that takes texts and cannot hand them on."""

    def __init__(self, number: int) -> None:
        self._number = number

    def write(self, _text: str) -> None:
        pass

    def flush(self) -> None:
        raise OSError(self._number, "the system's reason")

    def fileno(self) -> int:
        raise OSError


@pytest.mark.parametrize(
    ("system", "number", "reason"),
    [
        ("posix", errno.EPIPE, None),
        ("nt", errno.EPIPE, None),
        ("nt", errno.EINVAL, None),  # what Windows reports of a reader that has ended
        ("posix", errno.EINVAL, "the system's reason"),
        ("nt", errno.ENOSPC, "the system's reason"),
    ],
)
def test_output_whose_reader_ended_is_no_error(
    monkeypatch: pytest.MonkeyPatch, system: str, number: int, reason: str | None
) -> None:
    monkeypatch.setattr(streams, "sys", SimpleNamespace(stdout=Closed(number)))
    monkeypatch.setattr(streams, "os", SimpleNamespace(name=system))

    assert streams.write_out("text") == reason
