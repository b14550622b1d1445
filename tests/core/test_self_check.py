"""What an installed program says of itself, and that it notices what is not as it should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import self_check
from core.kernels import cache
from core.self_check import UnexpectedFigure, check_demonstration, check_format, check_numerical_libraries, main

pytestmark = pytest.mark.usefixtures("_compiled")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One format only."""
    monkeypatch.setattr(self_check, "FORMATS", ("Parquet .parquet",))


@pytest.mark.usefixtures("short")
def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("windows", lambda: "drawn")) == 0
    said = capsys.readouterr().out
    assert "Pavo:         0" in said
    assert "pandas " in said
    assert str(Path(self_check.__file__).parents[1] / "resources") in said
    assert "ok      demonstration: 6 figures and the safe file as known" in said
    assert "ok      Parquet .parquet: written and read back" in said
    assert said.endswith("ok      windows: drawn\nAll is well.\n")


@pytest.mark.usefixtures("short")
def test_a_check_that_fails_is_named_and_the_others_are_made_all_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(self_check.KNOWN, "suppressed values", 333)

    def fail() -> str:
        raise ImportError("libGL.so.1: cannot open shared object file")

    assert main(("windows", fail)) == 1
    said = capsys.readouterr().out
    assert "FAILED  demonstration: suppressed values: 332, but 333 is known\n" in said
    assert "ok      Parquet .parquet" in said
    assert "FAILED  windows: ImportError: libGL.so.1: cannot open shared object file\n" in said
    assert said.endswith("This installation does not work.\n")


def test_another_safe_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(self_check.KNOWN, "safe file", "0" * 64)
    with pytest.raises(UnexpectedFigure, match="safe file: c8352"):
        check_demonstration(tmp_path)


@pytest.mark.parametrize("suffix", [name.split()[-1] for name in self_check.FORMATS])
def test_every_format_is_written_and_read_back(tmp_path: Path, suffix: str) -> None:
    assert check_format(tmp_path, suffix).startswith("written and read back")


def test_a_numerical_library_that_computes_something_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.special

    assert check_numerical_libraries() == "9 functions as known"
    monkeypatch.setattr(scipy.special, "digamma", lambda x: 0.5)
    with pytest.raises(UnexpectedFigure, match=r"digamma: 0\.5, but 0\.42"):
        check_numerical_libraries()


def test_kernels_that_are_said_to_be_there_but_are_compiled_again_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def carry_out(*_: object) -> tuple[object, None]:
        cache._when_compiling.pop()()
        return None, None

    monkeypatch.setattr(self_check, "carry_out_file", carry_out)
    with pytest.raises(UnexpectedFigure, match="compiled once more"):
        check_demonstration(tmp_path)
