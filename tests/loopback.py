"""What tests may open connections of this machine with itself: those of workers of Dask, who talk by nothing else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_open = 0


@contextmanager
def loopback() -> Iterator[None]:
    """While it lasts this process may connect to itself and to other processes of this machine, and nowhere else."""
    global _open
    _open += 1
    try:
        yield
    finally:
        _open -= 1


def refused(event: str, arguments: tuple[Any, ...]) -> str | None:
    """What is wrong with what Python's audit tells; None: nothing."""
    if event in ("socket.connect", "socket.bind", "socket.sendto"):
        made, address = arguments[:2]
        if getattr(made, "family", None) == getattr(socket, "AF_UNIX", None) or _of_this_machine(address):
            return None
        return f"A test may open no connection: {event} of {address!r}."
    if event in ("socket.getaddrinfo", "socket.gethostbyname") and not _of_this_machine(arguments):
        return f"A test may look up no name: {event} of {arguments[0]!r}."
    return None


def _of_this_machine(address: Any) -> bool:
    return bool(_open) and isinstance(address, tuple) and address[0] in _LOOPBACK
