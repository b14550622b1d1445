"""The windows hold no connection: neither by Python, which every test refuses, nor by the libraries below."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from tests.gui.waiting import wait_idle

PAGES = ("help", "settings", "specifyMetadata", "riskChart", "riskLaboratory", "makeProtectedFile", "history")


def connections() -> list[str]:
    """Sockets of this process that are of a network, as the system lists them."""
    inodes = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:  # that of the listing itself
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    lines = [
        f"{kind}: {line}"
        for kind in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")
        if (table := Path("/proc/self/net") / kind).exists()
        for line in table.read_text().splitlines()[1:]
    ]
    return [line for line in lines if line.split()[10] in inodes]


@pytest.mark.skipif(sys.platform != "linux", reason="the system's list of sockets is read as Linux gives it")
def test_the_windows_hold_no_connection(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as made:
        made.listen()  # on a port of the system's choice; nobody is told of it
        assert connections(), "a connection would be seen"
    main = open_window(demo / "survey.pavo")
    for page in PAGES:
        main.windows.open_window(page)
        wait_idle(qtbot, main.document)
    assert main.windows.names() == list(PAGES) and connections() == []
