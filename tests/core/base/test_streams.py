"""Standard output whose reader has seen enough."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.base import streams
from core.batch import main


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


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\x1b[2K\x1b[1Gpavo: all is well", r"\u001b[2K\u001b[1Gpavo: all is well"),
        ("a\rb\bc\x9b1G", r"a\u000db\u0008c\u009b1G"),
        ("safe\u202evsc.exe\u2066", r"safe\u202evsc.exe\u2066"),
        ("é 中 \U0001f600", "é 中 \U0001f600"),
    ],
)
def test_names_do_not_command_the_terminal(name: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    streams.write_error(f"pavo: {name}\n")
    assert capsys.readouterr().err == f"pavo: {shown}\n"
    streams.write_error(name, "\r\x1b[K")
    assert capsys.readouterr().err == f"\r\x1b[K{shown}"


def test_a_run_names_a_variable_without_what_it_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.csv").write_text("A\n1\n")
    recipe = tmp_path / "r.pavo"
    recipe.write_text(
        'recipe = 1\n[input]\ndata = "d.csv"\n[[combinations]]\nvariables = ["\\u001b[2K\\n\\u001b[1Gpavo: fine"]\n'
    )
    assert main([str(recipe)]) == 1
    said = capsys.readouterr().err
    assert "\x1b" not in said and len(said.splitlines()) == 1
