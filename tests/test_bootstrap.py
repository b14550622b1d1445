"""The installer: what it decides, without installing anything of size."""

from __future__ import annotations

import ast
import contextlib
import errno
import importlib.util
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

LOCKS = ("requirements.lock", "requirements-dev.lock")


@pytest.fixture
def bootstrap(repo: Path) -> ModuleType:
    """A fresh copy of the module, so that a test may replace its parts."""
    spec = importlib.util.spec_from_file_location("bootstrap", repo / "installer" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def installed(bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two locks, and instead of making and filling environments a list of what would have been done."""
    for kind in ("run", "test"):
        (tmp_path / kind).write_text(f"lock of {kind}\n", encoding="utf-8")
    done: list[str] = []

    def make_venv(venv: Path) -> None:
        for leftover in venv.glob("*"):
            leftover.unlink()
        venv.mkdir(exist_ok=True)
        done.append("make")

    def call(command: list[str], **_: object) -> int:
        done.append("pip " + Path(command[-1]).name)
        return 0

    monkeypatch.setattr(bootstrap, "make_venv", make_venv)
    monkeypatch.setattr(bootstrap, "is_sound", lambda venv: venv.is_dir())
    monkeypatch.setattr(bootstrap.subprocess, "call", call)
    return done


def _install(bootstrap: ModuleType, folder: Path, kind: str) -> None:
    bootstrap.install(kind, folder / ".venv", {"run": folder / "run", "test": folder / "test"})


def test_installs_once(bootstrap: ModuleType, installed: list[str], tmp_path: Path) -> None:
    _install(bootstrap, tmp_path, "run")
    _install(bootstrap, tmp_path, "run")
    assert installed == ["make", "pip run"]


def test_test_adds_to_run_and_covers_it(bootstrap: ModuleType, installed: list[str], tmp_path: Path) -> None:
    for kind in ("run", "test", "run", "test"):
        _install(bootstrap, tmp_path, kind)
    assert installed == ["make", "pip run", "pip test"]


@pytest.mark.parametrize("changed", ["run", "test"])
def test_a_changed_lock_makes_the_environment_anew(
    bootstrap: ModuleType, installed: list[str], tmp_path: Path, changed: str
) -> None:
    _install(bootstrap, tmp_path, "test")
    (tmp_path / changed).write_text("another lock\n", encoding="utf-8")
    _install(bootstrap, tmp_path, "test")
    assert installed == ["make", "pip test"] * 2


def test_kernels_are_compiled_once_for_each_version_of_them(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses, commands = [1, 0, 0], []
    monkeypatch.setattr(
        bootstrap.subprocess, "call", lambda command, **_: commands.append(command[-1]) or statuses.pop(0)
    )
    source = tmp_path / "core" / "kernels" / "one.py"
    source.parent.mkdir(parents=True)
    source.write_text("1")
    monkeypatch.setattr(bootstrap, "REPO", tmp_path)
    bootstrap.write_stamp(tmp_path, {"run": "as it is"})
    for _ in range(3):
        bootstrap.prepare(tmp_path)
    assert commands == ["prepare"] * 2  # it failed at first
    source.write_text("2")
    bootstrap.prepare(tmp_path)
    assert len(commands) == 3
    assert bootstrap.read_stamp(tmp_path)["run"] == "as it is"


def test_line_ends_of_a_lock_do_not_count(bootstrap: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "unix").write_bytes(b"a\nb\n")
    (tmp_path / "windows").write_bytes(b"a\r\nb\r\n")
    assert bootstrap.checksum(tmp_path / "unix") == bootstrap.checksum(tmp_path / "windows")


def test_an_interrupted_installation_is_begun_anew(
    bootstrap: ModuleType, installed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(bootstrap, tmp_path, "run")
    with monkeypatch.context() as patched:
        patched.setattr(bootstrap.subprocess, "call", lambda *_, **__: 1)
        with pytest.raises(bootstrap.Stop, match="could not be installed"):
            _install(bootstrap, tmp_path, "test")
    installed.clear()
    _install(bootstrap, tmp_path, "run")
    assert installed == ["make", "pip run"]


@pytest.mark.parametrize("stamp", ["", "{", "[]", '"run"'])
def test_a_spoilt_stamp_is_no_stamp(bootstrap: ModuleType, tmp_path: Path, stamp: str) -> None:
    (tmp_path / "pavo-installed.json").write_text(stamp, encoding="utf-8")
    assert bootstrap.read_stamp(tmp_path) == {}


def test_real_environment_in_a_folder_with_spaces(bootstrap: ModuleType, tmp_path: Path) -> None:
    venv = tmp_path / "a folder with spaces" / ".venv"
    program = bootstrap.venv_program("python", venv)
    program.parent.mkdir(parents=True)
    program.write_text("what an interrupted start left behind", encoding="utf-8")
    assert not bootstrap.is_sound(venv)
    bootstrap.make_venv(venv)
    assert bootstrap.is_sound(venv)
    assert "spaces" in subprocess.check_output([program, "-c", "import sys; print(sys.prefix)"], text=True)


def test_a_start_waits_for_another_that_installs_for_long(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Windows' lock is awaited for ten seconds at a time, an installation takes minutes."""
    refusals = [OSError(errno.EDEADLK, "Resource deadlock avoided")] * 3

    def locking(_number: int, _mode: int, _length: int) -> None:
        if refusals:
            raise refusals.pop()

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_LOCK=1))
    monkeypatch.setattr(bootstrap, "sys", SimpleNamespace(platform="win32"))

    with bootstrap.one_at_a_time(tmp_path / ".venv"):
        assert not refusals

    assert capsys.readouterr().out.count("Another start is installing") == 3


def test_programs_of_the_environment(bootstrap: ModuleType) -> None:
    venv = Path("project") / ".venv"
    assert bootstrap.venv_program("python", venv, "win32") == venv / "Scripts" / "python.exe"
    assert bootstrap.venv_program("python", venv, "darwin") == venv / "bin" / "python"


def test_too_old_a_python_is_told(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap.shutil, "which", lambda _: None)
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 10, 4))
    assert bootstrap.main(["run"]) == 1
    assert "This is Python 3.10; Pavo needs Python 3.11 to 3.14." in capsys.readouterr().err


def test_another_python_on_the_path_takes_over(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: "/usr/bin/" + name if name == "python3.12" else None)
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda command: commands.append(command) or 7)
    assert bootstrap.use_fitting_python(["test", "-q"], (3, 9)) == 7
    assert commands == [["/usr/bin/python3.12", str(Path(bootstrap.__file__)), "test", "-q"]]


def test_an_old_python_can_read_the_file(repo: Path) -> None:
    source = (repo / "installer" / "bootstrap.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 7))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
@pytest.mark.parametrize(("variable", "shown"), [("DISPLAY", True), ("WAYLAND_DISPLAY", True), ("NONE", False)])
def test_display(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, variable: str, shown: bool) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, ":7")
    assert bootstrap.has_display() is shown


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_missing_libraries_are_installed_or_named(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    libraries = {"libc.so.6": "libc6", "libnosuchthing.so.9": "libnosuchthing9"}
    assert bootstrap.missing_libraries(libraries) == ["libnosuchthing.so.9"]
    monkeypatch.setattr(bootstrap, "is_debian", lambda: True)
    monkeypatch.setattr(bootstrap, "is_root", lambda: False)
    with pytest.raises(bootstrap.Stop, match=r"\n    sudo apt-get install -y --no-install-recommends libnosuchthing9$"):
        bootstrap.provide_system(libraries, "Pavo")
    monkeypatch.setattr(bootstrap, "is_debian", lambda: False)
    with pytest.raises(bootstrap.Stop, match=r"libnosuchthing\.so\.9"):
        bootstrap.provide_system(libraries, "Pavo")


def test_everything_missing_is_named_in_one_line(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "is_debian", lambda: True)
    monkeypatch.setattr(bootstrap, "is_root", lambda: False)
    monkeypatch.setattr(bootstrap, "is_sound", lambda venv: False)
    monkeypatch.setattr(bootstrap, "missing_libraries", list)
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda name: None)
    venv = f"python3.{sys.version_info[1]}-venv"
    with pytest.raises(bootstrap.Stop, match=f" {venv} zlib9$"):
        bootstrap.provide_system({"libz.so.9": "zlib9"}, "Pavo")


def test_without_display_the_demonstration_is_carried_out(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "has_display", lambda: False)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "is_sound", lambda venv: True)
    monkeypatch.setattr(bootstrap, "install", lambda kind: None)
    monkeypatch.setattr(bootstrap, "start", lambda arguments: started.append(arguments) or 0)
    monkeypatch.setattr(bootstrap.Path, "home", lambda: tmp_path)
    assert bootstrap.run([]) == 0
    folder = tmp_path / "Pavo demonstration"
    assert started == [["run", str(bootstrap.DEMONSTRATION), "--out", str(folder), "--quiet"]]
    said = capsys.readouterr().out
    assert f"Safe file:    {folder / 'survey.saf'}" in said
    assert f"Report:       {folder / 'survey.html'}" in said
    with pytest.raises(bootstrap.Stop, match="no display"):
        bootstrap.run(["survey.pavo"])


def test_demonstration_goes_to_documents_where_there_are_any(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "Documents").mkdir()
    monkeypatch.setattr(bootstrap.Path, "home", lambda: tmp_path)
    assert bootstrap.demonstration_folder() == tmp_path / "Documents" / "Pavo demonstration"


def test_demonstration_goes_to_a_temporary_folder_where_there_is_no_home(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bootstrap.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(bootstrap.Path, "home", lambda: tmp_path / "nowhere")
    assert bootstrap.demonstration_folder().parent == tmp_path


@pytest.mark.parametrize("failing", ["format", "mypy", "xvfb", "alone", "-n", "nothing"])
def test_every_check_is_carried_out_and_one_that_fails_is_named_and_counts(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failing: str
) -> None:
    done: list[list[str]] = []
    environments: list[dict[str, str]] = []

    def carry_out(command: list[str], **given: Any) -> subprocess.CompletedProcess[bytes]:
        done.append(command)
        environments.append(given["env"])
        return subprocess.CompletedProcess(command, int(failing in command), b"")

    for name in ("provide_system", "install"):
        monkeypatch.setattr(bootstrap, name, lambda *_: None)
    for name, stands_for in (("one_at_a_time", None), ("xvfb", {})):
        monkeypatch.setattr(bootstrap, name, lambda there=stands_for: nullcontext(there))
    monkeypatch.setattr(bootstrap.subprocess, "run", carry_out)
    monkeypatch.setattr(
        bootstrap.subprocess, "call", lambda *arguments, **given: carry_out(*arguments, **given).returncode
    )
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert bootstrap.test([]) == int(failing != "nothing")
    assert len(done) == 8, "four of the sources, the compiling of kernels, real windows, what is measured and the rest"
    assert "-n" in done[-1]
    starting = [environment for command, environment in zip(done, environments, strict=True) if "pytest" in command]
    assert [environment["PYTHONDONTWRITEBYTECODE"] for environment in starting] == [""] * 3
    said = capsys.readouterr().out
    assert said.count("FAILED") == {"-n": 1, "nothing": 0}.get(failing, 2)


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["run", "a", "b"], ["run", "--fast"]])
def test_wrong_usage(bootstrap: ModuleType, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert bootstrap.main(arguments) == 2
    assert "bootstrap.py run [FILE]" in capsys.readouterr().err


def test_check_carries_out_every_check_even_where_one_fails(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []

    def call(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        done.append(" ".join([Path(command[0]).stem, *command[1:]]))
        return subprocess.CompletedProcess(command, int("format" in command), b"")

    monkeypatch.setattr(bootstrap, "one_at_a_time", contextlib.nullcontext)
    monkeypatch.setattr(bootstrap, "provide_system", lambda _libraries, _why: None)
    monkeypatch.setattr(bootstrap, "install", lambda kind: done.append(f"install {kind}"))
    monkeypatch.setattr(bootstrap.subprocess, "run", call)
    assert bootstrap.main(["check"]) == 1
    assert done == [
        "install test",
        "python -m ruff check",
        "python -m ruff format --check",
        "lint-imports",
        "python -m mypy",
    ]
    assert [line for line in capsys.readouterr().out.splitlines() if "FAILED" in line] == ["== ruff format: FAILED"]


def test_check_takes_no_arguments(bootstrap: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert bootstrap.main(["check", "tests"]) == 2
    assert "bootstrap.py check" in capsys.readouterr().err


def _locked(repo: Path, name: str) -> dict[str, str]:
    """Every requirement of a lock with its hashes, by its first line."""
    text = (repo / "installer" / name).read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z0-9])", "".join(re.findall(r"^(?!\s*#).*\n", text, re.MULTILINE)), flags=re.MULTILINE)
    return {entry.splitlines()[0].rstrip(" \\"): entry for entry in entries if entry.strip()}


@pytest.mark.parametrize("name", LOCKS)
def test_locks_pin_and_hash_everything_and_name_no_server(repo: Path, name: str) -> None:
    locked = _locked(repo, name)
    assert len(locked) > 10
    assert [line for line, entry in locked.items() if "==" not in line or "--hash=sha256:" not in entry] == []
    text = (repo / "installer" / name).read_text(encoding="utf-8")
    assert re.findall(r"://|--(?:extra-)?index-url |--find-links |/opt/|file:", text) == []


def test_the_lock_for_tests_contains_the_one_for_running(repo: Path) -> None:
    run, test = (_locked(repo, name) for name in LOCKS)
    assert {line: entry for line, entry in run.items() if test.get(line) != entry} == {}
