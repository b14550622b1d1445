"""Nothing opens a connection: not by what is imported, and not while a recipe is carried out."""

from __future__ import annotations

import ast
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.loopback import loopback

ROOT = Path(__file__).resolve().parent.parent
NETWORK = {
    "aiohttp", "asyncio", "ftplib", "http", "httpx", "imaplib", "poplib", "requests", "smtplib", "socket",
    "socketserver", "ssl", "telnetlib", "urllib3", "webbrowser", "xmlrpc",
}  # fmt: skip

WATCHED = """
import sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        sys.stderr.write(f"CONNECTION {event} {arguments}\\n")

sys.addaudithook(watch)
import multiprocessing
from main import main
if __name__ == "__main__":
    sys.exit(main(["main.py", *sys.argv[1:]]))
"""


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_module_imports_what_opens_connections() -> None:
    files = [ROOT / "main.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "gui").rglob("*.py")]
    assert len(files) > 300
    found = [
        (file.relative_to(ROOT).as_posix(), name)
        for file in files
        for name in imported(file)
        if name.partition(".")[0] in NETWORK or name.startswith(("urllib.request", "PySide6.QtNetwork"))
    ]
    assert found == []


def test_a_test_that_reaches_a_network_fails() -> None:
    with socket.socket() as made, pytest.raises(pytest.fail.Exception, match="A test may open no connection"):
        made.connect(("127.0.0.1", 9))
    with socket.socket() as made, pytest.raises(pytest.fail.Exception, match=r"socket\.bind"):
        made.bind(("127.0.0.1", 0))
    with pytest.raises(pytest.fail.Exception, match="look up no name"):
        socket.getaddrinfo("localhost", 80)


def test_a_test_that_needs_this_machine_reaches_no_other() -> None:
    with loopback(), socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        with pytest.raises(pytest.fail.Exception, match="A test may open no connection"):
            made.connect(("192.0.2.1", 9))
    with loopback(), pytest.raises(pytest.fail.Exception, match="look up no name"):
        socket.getaddrinfo("example.org", 80)


@pytest.mark.usefixtures("_compiled")
def test_carrying_out_a_recipe_opens_no_connection(tmp_path: Path) -> None:
    script = tmp_path / "watched.py"
    script.write_text(WATCHED, "utf-8")
    recipe = ROOT / "resources" / "demo" / "survey-csv.pavo"
    done = subprocess.run(
        [sys.executable, str(script), "run", str(recipe), "--out", str(tmp_path / "out"), "--quiet"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PAVO_STATE": str(tmp_path / "state")},
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert any((tmp_path / "out").iterdir())
