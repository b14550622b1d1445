"""A client of the accessibility bus in another process than the program: finds by role and name, acts, reads.

It speaks D-Bus itself (jeepney): neither pyatspi nor the Python of the system is needed.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

_ROOT = "/org/a11y/atspi/accessible/root"
_BUS, _REGISTRY = "org.a11y.Bus", "org.a11y.atspi.Registry"
_ANSWER_S = 20.0
_LOOK_S = 0.1
SHOWING, ENABLED = 25, 8
"""Numbers of AT-SPI's states: in sight, and can be used."""


@contextmanager
def session_bus() -> Iterator[str]:
    """The address of a session bus of its own, on which the accessibility bus starts when it is asked for."""
    read, write = os.pipe()
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", f"--print-address={write}"]
    daemon = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as announced:
            yield announced.readline().strip()
    finally:
        daemon.terminate()
        daemon.wait()


@dataclass(frozen=True)
class Thing:
    """One object of the tree."""

    bus: DBusConnection
    owner: str
    path: str

    def call(self, interface: str, method: str, signature: str | None = None, *values: Any) -> Any:
        """What a method of AT-SPI answers."""
        address = DBusAddress(self.path, self.owner, f"org.a11y.atspi.{interface}")
        reply = self.bus.send_and_get_reply(new_method_call(address, method, signature, values), timeout=_ANSWER_S)
        if reply.header.message_type.name == "error":
            raise DBusErrorResponse(reply)
        return reply.body[0] if reply.body else None

    def get(self, interface: str, name: str) -> Any:
        """A property."""
        address = DBusAddress(self.path, self.owner, f"org.a11y.atspi.{interface}")
        reply = self.bus.send_and_get_reply(Properties(address).get(name), timeout=_ANSWER_S)
        if reply.header.message_type.name == "error":
            raise DBusErrorResponse(reply)
        return reply.body[0][1]

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.get("Accessible", "Name"))

    @property
    def description(self) -> str:
        """What is said of it beside its name."""
        return str(self.get("Accessible", "Description"))

    @property
    def role(self) -> str:
        """What it is: "push button", "slider", "chart"."""
        return str(self.call("Accessible", "GetRoleName"))

    def is_(self, state: int) -> bool:
        """Whether it is in a state."""
        words = self.call("Accessible", "GetState")
        return bool(words[state // 32] >> state % 32 & 1)

    @property
    def children(self) -> list[Thing]:
        """What is in it."""
        return [Thing(self.bus, owner, path) for owner, path in self.call("Accessible", "GetChildren")]

    def walk(self) -> Iterator[Thing]:
        """Itself and all that is in it and in sight."""
        yield self
        for child in self.children:
            if child.is_(SHOWING):
                yield from child.walk()

    def press(self, action: str = "Press") -> None:
        """Do one of its actions."""
        names = [name for name, _about, _keys in self.call("Action", "GetActions")]
        assert action in names, f"{self.role} {self.name!r} has {names}"
        self.call("Action", "DoAction", "i", names.index(action))

    def write(self, text: str) -> None:
        """Replace its text."""
        self.call("EditableText", "SetTextContents", "s", text)

    @property
    def text(self) -> str:
        """The text that stands in it."""
        return str(self.call("Text", "GetText", "ii", 0, -1))

    @property
    def value(self) -> float:
        """The number it stands at."""
        return float(self.get("Value", "CurrentValue"))

    def set_value(self, value: float) -> None:
        """Move it there."""
        address = DBusAddress(self.path, self.owner, "org.a11y.atspi.Value")
        self.bus.send_and_get_reply(Properties(address).set("CurrentValue", "d", value), timeout=_ANSWER_S)


class Reader:
    """What is in sight of the program, for who knows nothing but roles and names."""

    def __init__(self, session_address: str, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        session = open_dbus_connection(session_address)
        where = DBusAddress("/org/a11y/bus", _BUS, _BUS)
        reply = session.send_and_get_reply(new_method_call(where, "GetAddress"), timeout=_ANSWER_S)
        session.close()
        self._bus = open_dbus_connection(reply.body[0])
        self._desktop = Thing(self._bus, _REGISTRY, _ROOT)

    def close(self) -> None:
        """Leave the bus."""
        self._bus.close()

    def program(self) -> Thing:
        """The program, as soon as it is there."""
        return self.wait(lambda: next(iter(self._desktop.children), None), "the program")

    def wait(self, look: Callable[[], Thing | None], what: str) -> Thing:
        """What `look` finds, as soon as it does."""
        while True:
            try:
                found = look()
            except DBusErrorResponse:  # it went while it was looked at
                found = None
            if found is not None:
                return found
            assert time.monotonic() < self._until, f"{what} is not there; there is:\n{self.told()}"
            time.sleep(_LOOK_S)

    def find(self, role: str, name: str, enabled: bool = True) -> Thing:
        """The first thing in sight of this role whose name begins so, as soon as it is there and can be used."""

        def look() -> Thing | None:
            for thing in self.program().walk():
                if thing.role == role and thing.name.startswith(name) and (not enabled or thing.is_(ENABLED)):
                    return thing
            return None

        return self.wait(look, f"{role} {name!r}")

    def told(self) -> str:
        """All that is in sight, a line each, for messages."""
        try:
            things = [thing for program in self._desktop.children for thing in program.walk()]
            return "\n".join(f"{thing.role}: {thing.name}" for thing in things if thing.name)
        except DBusErrorResponse as gone:
            return str(gone)
